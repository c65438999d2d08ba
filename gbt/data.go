package gbt

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Data holds one party's columns in cleartext.
type Data struct {
	Features []table.Feature
	Target   *table.Feature // nil: the target is another party's
}

// Bounds returns the upper bounds of a feature's bins, as many as bins says. A value belongs to the first bin whose
// bound is at least the value. Bounds are quantiles of the values, ascending and without duplicates; the last one of
// them is +∞, and further bins, which have no values, have the bound +∞ too.
func Bounds(values []float64, bins int) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	var out []float64
	for i := 1; i < bins; i++ {
		at := float64(i) / float64(bins) * float64(len(sorted)-1)
		q := sorted[int(at)] // a value of the column, so that a bound is exact
		if q < sorted[len(sorted)-1] && (len(out) == 0 || q > out[len(out)-1]) {
			out = append(out, q)
		}
	}
	return append(out, math.Inf(1))
}

// Bin returns the index of the first bound that is at least x: the bin of the value x. bounds are those of Bounds, so
// that the last one is +∞.
func Bin(bounds []float64, x float64) int {
	at, _ := slices.BinarySearch(bounds, x)
	return at
}

// Args returns a list with an entry for each argument of the program: the array of an argument that the party of the
// given rank provides, and nil for each other one. It returns an error, which contains no value, if d differs from the
// Shape.
func (s *Shape) Args(rank int, d Data) ([]*tensor.Array, error) {
	if s.Stacked != nil {
		return s.stackedArgs(rank, d)
	}
	if n := s.Features[rank]; len(d.Features) != n {
		return nil, fmt.Errorf("%s has %d features, and the model says %d", s.Parties[rank], len(d.Features), n)
	}
	if (d.Target != nil) != (rank == s.Owner) {
		return nil, fmt.Errorf("the target is not that of the party that the model says")
	}
	var out []*tensor.Array
	if s.Hidden != nil {
		out = append(out, nil, nil)
		if moved := rank != s.Hidden.Keeper; moved { // ones, which mark the rows that match
			n := s.Hidden.Rows[rank]
			out[1] = tensor.FromWords(tensor.I32, tensor.Shape{n}, slices.Repeat([]uint64{1}, n))
		}
	}
	rows := s.Hidden.OfParty(rank, s.Rows)
	for owner, k := range s.Features {
		switch {
		case k == 0:
		case owner != rank:
			if out = append(out, nil, nil); s.ownedSplits() {
				out = append(out, nil)
			}
		default:
			if err := checkFeatures(d.Features, rows); err != nil {
				return nil, err
			}
			b := ownBounds(d.Features, s.Bins-s.first(rank))
			hot, bounds := s.hot(d.Features, b, rows, s.first(rank))
			if s.Hidden != nil && rank != s.Hidden.Keeper {
				hot = byRow(hot)
			}
			if out = append(out, hot, bounds); s.ownedSplits() {
				out = append(out, s.binNumbers(d.Features, b))
			}
		}
	}
	if rank != s.Owner {
		return append(out, nil), nil
	}
	y, err := target(d.Target, rows)
	return append(out, y), err
}

// ownBounds returns the Bounds of features of one owner.
func ownBounds(features []table.Feature, bins int) [][]float64 {
	var out [][]float64
	for _, f := range features {
		out = append(out, Bounds(f.Values, bins))
	}
	return out
}

// hot returns the one-hots of a number of rows in bins with these bounds, from the first bin with values on, and the keys of the bounds of
// all bins.
func (s *Shape) hot(features []table.Feature, within [][]float64, rows, first int) (hot, bounds *tensor.Array) {
	columns, valued := len(features)*s.Bins, s.Bins-first
	hot = tensor.NewArray(tensor.Type{DType: tensor.I32, Shape: tensor.Shape{len(features) * valued, rows}})
	to := hot.Data.([]int32)
	words := make([]uint64, columns)
	for j, f := range features {
		b := within[j]
		for i, x := range f.Values {
			to[(j*valued+Bin(b, x))*rows+i] = 1
		}
		if first > 0 {
			words[j*s.Bins] = uint64(key(unmatched))
		}
		for i := range valued {
			words[j*s.Bins+first+i] = uint64(key(b[min(i, len(b)-1)]))
		}
	}
	return hot, tensor.FromWords(tensor.I64, tensor.Shape{columns}, words)
}

// checkFeatures refuses features with another number of rows, or with values that are no numbers.
func checkFeatures(features []table.Feature, rows int) error {
	for _, f := range features {
		if n := len(f.Values); n != rows {
			return fmt.Errorf("%s has %d rows, but the model has %d: row i of all tables must belong together", f.Name, n, rows)
		}
		if slices.ContainsFunc(f.Values, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			return fmt.Errorf("%s has values that are no numbers", f.Name)
		}
	}
	return nil
}
