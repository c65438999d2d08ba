package interpolate

import "math"

// roundTrips is the network of the published measurement between two machines: round trips of 7.9 ms. Its bandwidth was not
// published; 1 Gbit/s is assumed.
const roundTrips = "1e9/7.9ms"

// publishedErrors are published RMSE of models in clear, of training and test data, after 100 epochs and at convergence.
type publishedErrors struct {
	model               string
	train, test         float64
	trainEnd, testEnd   float64
	variance, privately bool
}

var unknown = math.NaN()

var publishedRMSE = []publishedErrors{
	{"GPR", 29.76, 30.41, 29.13, 29.74, true, false},
	{"VGPR", 32.42, 33.05, 29.89, 30.63, true, false},
	{nameANN, 47.04, 47.51, 31.61, 32.49, false, false},
	{nameSAGE, unknown, 35.45, unknown, 34.15, false, false},
	{nameMeaner, unknown, unknown, unknown, 33.84, false, false},
	{nameGCN, 109.95, 49.60, 40.21, 50.08, false, true},
}

// publishedCost is a published cost of an epoch of the GCN with CrypTen.
type publishedCost struct {
	nodes        int
	seconds, mb  float64 // MB at rank 0
	cpu          float64 // percent
	memory, text string
}

var publishedGCN = []publishedCost{
	{nodes: 1, seconds: 0.448, mb: unknown, cpu: 99},
	{nodes: 2, seconds: 0.776, mb: 8.4, cpu: 81},
	{nodes: 3, seconds: 1.98, mb: 20, cpu: 54},
	{nodes: 4, seconds: 2.54, mb: 29, cpu: 49},
	{nodes: 5, seconds: 4.38, mb: 38, cpu: 42},
}
