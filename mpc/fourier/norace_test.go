//go:build !race

package fourier

const every = 3 // point of the grids
