package study

import "gonum.org/v1/gonum/stat"

// Fit returns the line y = fixed + each·x that is closest to the points (x[i], y[i]). It minimises the squares
// of relative errors, so that small and large values have equal weight.
func Fit(x, y []float64) (fixed, each float64) {
	weights := make([]float64, len(y))
	for i, v := range y {
		weights[i] = 1 / (v * v)
	}
	return stat.LinearRegression(x, y, weights, false)
}
