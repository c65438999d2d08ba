package table

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// Standardised returns two arguments for a program, from features with the given number of rows. x is a matrix of rows
// × features, each column of which has mean 0 and variance 1 (divisor rows). scales holds the bits, as integers, of the
// features' means and then of their standard deviations: bits pass through a ring of any width unchanged. It returns an
// error if a feature has equal values only, a value that is not finite, or another number of rows.
func Standardised(features []Feature, rows int) (x, scales *tensor.Array, err error) {
	k := len(features)
	values, words := make([]float64, k*rows), make([]uint64, 2*k)
	for j, f := range features {
		if len(f.Values) != rows {
			return nil, nil, fmt.Errorf("%s has %d rows, and the task has %d: row i of all tables must belong together", f.Name, len(f.Values), rows)
		}
		mean, squares := 0.0, 0.0
		for _, v := range f.Values {
			mean += v / float64(rows)
		}
		for _, v := range f.Values {
			squares += (v - mean) * (v - mean) / float64(rows)
		}
		sd := math.Sqrt(squares)
		switch {
		case math.IsNaN(sd) || math.IsInf(sd, 0):
			return nil, nil, fmt.Errorf("%s has values that are no numbers, or too large ones", f.Name)
		case sd <= 1e-12*math.Abs(mean) || sd == 0:
			return nil, nil, fmt.Errorf("all values of %s are equal: leave it out", f.Name)
		}
		for i, v := range f.Values {
			values[i*k+j] = (v - mean) / sd
		}
		words[j], words[k+j] = math.Float64bits(mean), math.Float64bits(sd)
	}
	return tensor.FromFloats(tensor.F64, tensor.Shape{rows, k}, values), tensor.FromWords(tensor.U64, tensor.Shape{2, k}, words), nil
}

// Bounds of features whose means and standard deviations become shares, in 40 fraction bits.
const (
	maxUnit = 1 << 40
	minUnit = 1.0 / (1 << 20)
)

// Limits of columns of stacked tables, whose means and standard deviations become shares.
const (
	MaxStacked         = 1 << 20         // the largest magnitude of a mean or a standard deviation
	MinStackedVariance = 1.0 / (1 << 30) // the variance of all rows below which a column counts as constant
)

// Units returns the means and standard deviations of features as an array of numbers, 2 × k, of the scales that Standardised returned.
// It refuses those that 40 fraction bits do not hold.
func Units(features []Feature, scales *tensor.Array) (*tensor.Array, error) {
	words := scales.Words()
	out := make([]float64, len(words))
	for i, w := range words {
		x := math.Float64frombits(w)
		if out[i] = x; math.Abs(x) > maxUnit || i >= len(features) && x < minUnit {
			return nil, fmt.Errorf("%s has values too large or too small for shares (rescale it: means and standard deviations up to 2^40, "+
				"the latter from 2^-20 on)", features[i%len(features)].Name)
		}
	}
	return tensor.FromFloats(tensor.F64, scales.Shape, out), nil
}

// UnitStandards is Standards of what Units returned, or what a program made of that.
func UnitStandards(names []string, units *tensor.Array) []Standard {
	values := units.Floats()
	k := len(values) / 2
	out := make([]Standard, k)
	for j := range out {
		out[j] = Standard{names[j], values[j], values[k+j]}
	}
	return out
}

// Standard is the mean and the standard deviation by which the owner of a feature standardised it.
type Standard struct {
	Name string  `json:"name"` // PARTY.FEATURE, such as alice.age
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// Standards returns a Standard for each column of scales, which Standardised made of features that have, in their order, the first
// of these names.
func Standards(names []string, scales *tensor.Array) []Standard {
	words := scales.Words()
	k := len(words) / 2
	out := make([]Standard, k)
	for j := range out {
		out[j] = Standard{names[j], math.Float64frombits(words[j]), math.Float64frombits(words[k+j])}
	}
	return out
}
