//go:build race

package fourier

// Nothing is concurrent here, and big numbers are ten times slower with the race detector.
const every = 10
