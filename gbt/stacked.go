package gbt

import (
	"errors"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// resolveStacked sets Rows and Bins of stacked tables, and refuses what they do not have.
func (s *Shape) resolveStacked() error {
	if s.Stacked == nil {
		if s.Edges != nil {
			return errors.New("edges are those of stacked tables; an owner has bins at its features' quantiles")
		}
		return nil
	}
	if err := s.Stacked.Check(len(s.Parties), s.Features); err != nil {
		return err
	}
	if s.Hidden != nil || s.Owner != 0 {
		return errors.New("stacked tables have no hidden join, and the target is that of all parties")
	}
	if len(s.Edges) != s.Features[0] {
		return fmt.Errorf("there are edges of %d features, and the model has %d", len(s.Edges), s.Features[0])
	}
	most := 0
	for i, of := range s.Edges {
		if err := CheckEdges(of); err != nil {
			return fmt.Errorf("feature %d: %w", i+1, err)
		}
		most = max(most, len(of))
	}
	if s.Bins != 0 && s.Bins != most+1 {
		return fmt.Errorf("bins: edges of stacked tables make %d bins (leave bins out)", most+1)
	}
	s.Bins, s.Rows = most+1, s.Stacked.Total()
	return nil
}

// CheckEdges refuses what are no bounds of bins: want 1 to 255 numbers, ascending.
func CheckEdges(edges []float64) error {
	if len(edges) < 1 || len(edges) >= maxBins {
		return fmt.Errorf("want 1 to %d edges of bins, got %d", maxBins-1, len(edges))
	}
	for i, x := range edges {
		if math.IsNaN(x) || math.IsInf(x, 0) || i > 0 && x <= edges[i-1] {
			return errors.New("edges of bins are numbers, ascending")
		}
	}
	return nil
}

// bounds returns the upper bounds of a stacked feature's bins, as Bounds has them.
func (s *Shape) bounds(feature int) []float64 {
	return append(append([]float64{}, s.Edges[feature]...), math.Inf(1))
}

// stackedArgs is Args of stacked tables.
func (s *Shape) stackedArgs(rank int, d Data) ([]*tensor.Array, error) {
	if n := s.Features[0]; len(d.Features) != n {
		return nil, fmt.Errorf("%s has %d features, and the model says %d", s.Parties[rank], len(d.Features), n)
	}
	if d.Target == nil {
		return nil, fmt.Errorf("%s has no target", s.Parties[rank])
	}
	out := make([]*tensor.Array, 2*len(s.Parties))
	hot, _, err := s.hot(d.Features, s.Stacked[rank], 0)
	if err != nil {
		return nil, err
	}
	out[2*rank] = hot
	out[2*rank+1], err = target(d.Target, s.Stacked[rank])
	return out, err
}

// target returns the target's values of a number of rows.
func target(f *table.Feature, rows int) (*tensor.Array, error) {
	if n := len(f.Values); n != rows {
		return nil, fmt.Errorf("target %s has %d rows, but the model has %d", f.Name, n, rows)
	}
	for i, y := range f.Values {
		if y != 0 && y != 1 {
			return nil, fmt.Errorf("row %d of target %s: values are 0 or 1", i+1, f.Name)
		}
	}
	return tensor.FromFloats(tensor.F64, tensor.Shape{rows}, f.Values), nil
}

// stackedArguments adds the arguments of stacked tables, a one-hot and a target for each party, and returns the target of all rows. The
// bounds of bins are constants.
func (w *writer) stackedArguments() build.Value {
	var targets []build.Value
	for rank, rows := range w.Stacked {
		w.hot = append(w.hot, w.Arg(fmt.Sprintf("bins%d", rank), tensor.I32, w.all, rows))
		targets = append(targets, w.Arg(fmt.Sprintf("y%d", rank), tensor.F64, rows))
	}
	words := make([]uint64, 0, w.all)
	for i := range w.Edges {
		b := w.bounds(i)
		for j := range w.Bins {
			words = append(words, uint64(key(b[min(j, len(b)-1)])))
		}
	}
	w.edges = w.Array(tensor.FromWords(tensor.I64, tensor.Shape{w.all}, words))
	return w.Concat(0, targets...)
}

// stackedHistogram is histogram of stacked tables: v has the rows of g, then those of h, k each.
func (w *writer) stackedHistogram(v build.Value, k int) histograms {
	var out histograms
	at := 0
	for i, hot := range w.hot {
		own := w.Slice(v, []int{0, at}, []int{2 * k, at + w.Stacked[i]})
		at += w.Stacked[i]
		x := w.DotGeneral(hot, own, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}})
		g, h := w.Slice(x, []int{0, 0}, []int{w.all, k}), w.Slice(x, []int{0, k}, []int{w.all, 2 * k})
		if out.own = append(out.own, h); i == 0 {
			out.g, out.h = g, h
		} else {
			out.g, out.h = w.Add(out.g, g), w.Add(out.h, h)
		}
	}
	return out
}

// stackedRight is right of stacked tables.
func (w *writer) stackedRight(upTo build.Value) build.Value {
	var out []build.Value
	for _, hot := range w.hot {
		out = append(out, w.DotGeneral(upTo, hot, hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{0}}))
	}
	return w.Concat(1, out...)
}
