package study

import "gonum.org/v1/gonum/stat"

// Fit is the line y = fixed + each·x through points, by least squares of
// relative errors: points of all magnitudes count alike.
func Fit(x, y []float64) (fixed, each float64) {
	weights := make([]float64, len(y))
	for i, v := range y {
		weights[i] = 1 / (v * v)
	}
	return stat.LinearRegression(x, y, weights, false)
}
