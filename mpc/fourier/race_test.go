//go:build race

package fourier

// Nothing is concurrent here, and big numbers are ten times as slow.
const every = 10
