package gbt

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// resolveStacked sets Rows and Bins of stacked tables, and refuses what they do not have.
func (s *Shape) resolveStacked() error {
	if s.Stacked == nil {
		if s.Edges != nil || s.Grids != nil {
			return errors.New("edges are those of stacked tables; an owner has bins at its features' quantiles")
		}
		return nil
	}
	if err := s.Stacked.CheckBeside(len(s.Parties), s.Features); err != nil {
		return err
	}
	if s.Hidden != nil || !s.Stacked.IsSide(s.Owner) {
		return errors.New("stacked tables have no hidden join, and the target is that of all of them, or of a party beside them")
	}
	if s.Features[0] == 0 {
		return errors.New("the stacked tables have no features")
	}
	if len(s.Edges) != s.Features[0] {
		return fmt.Errorf("there are edges of %d features, and the model has %d", len(s.Edges), s.Features[0])
	}
	if s.Grids != nil && len(s.Grids) != len(s.Edges) {
		return fmt.Errorf("there are ranges of %d features, and edges of %d", len(s.Grids), len(s.Edges))
	}
	most := 0
	for i, of := range s.Edges {
		if g := s.grid(i); g != nil {
			if err := g.Check(); err != nil || of != nil {
				return fmt.Errorf("feature %d has edges and a range, or its range is none", i+1)
			}
			continue
		}
		if err := CheckEdges(of); err != nil {
			return fmt.Errorf("feature %d: %w", i+1, err)
		}
		most = max(most, len(of))
	}
	s.Rows = s.Stacked.Total()
	if s.gridded() > 0 || s.features() > s.Features[0] {
		if s.Bins == 0 {
			s.Bins = max(DefaultBins, most+1)
		}
		if s.Bins < most+1 {
			return fmt.Errorf("bins: edges make %d bins, and bins at quantiles are %d (take as many)", most+1, s.Bins)
		}
		if s.gridded() == 0 {
			return nil
		}
		var own stacked.Rows
		for _, rank := range s.Stacked.Pieces() {
			own = append(own, s.Stacked[rank])
		}
		return own.CheckBins(s.Bins, leastInBin)
	}
	if s.Bins != 0 && s.Bins != most+1 {
		return fmt.Errorf("bins: edges of stacked tables make %d bins (leave bins out)", most+1)
	}
	s.Bins = most + 1
	return nil
}

// stackedTarget reports whether the target is that of the stacked tables.
func (s *Shape) stackedTarget() bool { return s.Stacked[s.Owner] > 0 }

// stackedOwners is Owners of stacked tables.
func (s *Shape) stackedOwners() []int {
	var out []int
	for rank, rows := range s.Stacked {
		n := 0
		switch {
		case rows > 0:
			n = len(s.runs()) // one-hots or cells
			if s.gridded() > 0 {
				n++
			}
			if s.stackedTarget() {
				n++
			}
		case s.Features[rank] > 0:
			n = 2 // one-hots, and keys of bounds
		}
		if rows == 0 && rank == s.Owner {
			n++
		}
		out = append(out, slices.Repeat([]int{rank}, n)...)
	}
	return out
}

// besideArgs is Args of a party beside stacked tables, whose bins have bounds at the quantiles of its own columns.
func (s *Shape) besideArgs(rank int, d Data) ([]*tensor.Array, error) {
	if n := s.Features[rank]; len(d.Features) != n || (d.Target != nil) != (rank == s.Owner) {
		return nil, fmt.Errorf("%s has %d features, and the model says %d, or the target is another party's", s.Parties[rank], len(d.Features), n)
	}
	if err := checkFeatures(d.Features, s.Rows); err != nil {
		return nil, err
	}
	owners := s.Owners()
	out, at := make([]*tensor.Array, len(owners)), slices.Index(owners, rank)
	if len(d.Features) > 0 {
		out[at], out[at+1] = s.hot(d.Features, ownBounds(d.Features, s.Bins), s.Rows, 0)
		at += 2
	}
	if d.Target == nil {
		return out, nil
	}
	y, err := target(d.Target, s.Rows)
	out[at] = y
	return out, err
}

// leastInBin is the least number of rows for each bin at quantiles, as stacked.Rows.CheckBins counts them.
const leastInBin = 5

// grid returns the range of a feature whose bins have bounds at quantiles of all rows; nil for one with edges.
func (s *Shape) grid(feature int) *stacked.Grid {
	if s.Grids == nil {
		return nil
	}
	return s.Grids[feature]
}

// gridded returns the number of features with a range.
func (s *Shape) gridded() int {
	n := 0
	for _, g := range s.Grids {
		if g != nil {
			n++
		}
	}
	return n
}

// run is a range of features of stacked tables that all have edges, or all a range. Each is an argument of each party.
type run struct {
	from, to int
	grids    bool
}

// runs returns the features of stacked tables as runs, in order.
func (s *Shape) runs() []run {
	var out []run
	for i := range s.Edges {
		grids := s.grid(i) != nil
		if last := len(out) - 1; last >= 0 && out[last].grids == grids {
			out[last].to++
		} else {
			out = append(out, run{i, i + 1, grids})
		}
	}
	return out
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
	if s.Stacked[rank] == 0 {
		return s.besideArgs(rank, d)
	}
	if n := s.Features[0]; len(d.Features) != n {
		return nil, fmt.Errorf("%s has %d features, and the model says %d", s.Parties[rank], len(d.Features), n)
	}
	if (d.Target != nil) != s.stackedTarget() {
		return nil, fmt.Errorf("%s has no target, or another party has it", s.Parties[rank])
	}
	if err := checkFeatures(d.Features, s.Stacked[rank]); err != nil {
		return nil, err
	}
	owners := s.Owners()
	out, at := make([]*tensor.Array, len(owners)), slices.Index(owners, rank)
	var counts []uint64
	for _, r := range s.runs() {
		own := d.Features[r.from:r.to]
		if !r.grids {
			var within [][]float64
			for i := range own {
				within = append(within, s.bounds(r.from+i))
			}
			out[at], _ = s.hot(own, within, s.Stacked[rank], 0)
		} else {
			words := make([]uint64, 0, len(own)*s.Stacked[rank])
			for i, f := range own {
				g := s.Grids[r.from+i]
				for _, x := range f.Values {
					words = append(words, uint64(g.Cell(x)))
				}
				counts = append(counts, g.Counts(f.Values)...)
			}
			out[at] = tensor.FromWords(tensor.I32, tensor.Shape{len(own), s.Stacked[rank]}, words)
		}
		at++
	}
	if counts != nil {
		out[at] = tensor.FromWords(tensor.I32, tensor.Shape{s.gridded(), stacked.Cells}, counts)
		at++
	}
	if d.Target == nil {
		return out, nil
	}
	y, err := target(d.Target, s.Stacked[rank])
	out[at] = y
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

// stackedHots are the one-hots of the rows of a party with a stacked table: a matrix for each run of its features, and one of the features
// of each party beside the stacked tables, bins × the party's rows.
type stackedHots []build.Value

// stackedArguments adds the arguments of stacked tables, for each party a matrix for each run of features (of those with edges one-hots,
// of others the rows' cells in the ranges), with ranges also the numbers of rows in all cells, and the target; of parties beside them the
// one-hots of all rows and the keys of bounds, and the target. It returns the target of all rows. The bounds of
// bins of features with edges are constants; those of features with ranges are revealed to each party with rows, which then computes its
// one-hots in cleartext.
func (w *writer) stackedArguments() build.Value {
	var targets, counts, besides, keys []build.Value
	of := make([][]build.Value, len(w.Stacked)) // arguments of runs, by party
	for rank, rows := range w.Stacked {
		if rows == 0 {
			if n := w.Features[rank] * w.Bins; n > 0 {
				besides = append(besides, w.Arg(fmt.Sprintf("bins%d", rank), tensor.I32, n, w.Rows))
				keys = append(keys, w.Arg(fmt.Sprintf("bounds%d", rank), tensor.I64, n))
			}
			if rank == w.Owner {
				targets = append(targets, w.Arg(fmt.Sprintf("y%d", rank), tensor.F64, w.Rows))
			}
			continue
		}
		for i, r := range w.runs() {
			name, n := fmt.Sprintf("bins%d", rank), (r.to-r.from)*w.Bins
			if r.grids {
				name, n = fmt.Sprintf("cells%d", rank), r.to-r.from
			}
			if i > 0 {
				name += fmt.Sprintf("_%d", i)
			}
			of[rank] = append(of[rank], w.Arg(name, tensor.I32, n, rows))
		}
		if k := w.gridded(); k > 0 {
			counts = append(counts, w.Arg(fmt.Sprintf("counts%d", rank), tensor.I32, k, stacked.Cells))
		}
		if w.stackedTarget() {
			targets = append(targets, w.Arg(fmt.Sprintf("y%d", rank), tensor.F64, rows))
		}
	}
	if counts != nil {
		w.at = stacked.NewQuantiles(w.Builder, stacked.Sum(w.Builder, counts), w.Bins).At
	}
	var first build.Value // what the first party learns
	row := 0
	for _, rank := range w.Stacked.Pieces() {
		var at build.Value
		var hots stackedHots
		if counts != nil {
			at = w.RevealTo(w.at, rank)
		}
		if rank == 0 {
			first = at
		}
		used := 0 // features with ranges
		for i, r := range w.runs() {
			x, n := of[rank][i], r.to-r.from
			if r.grids {
				x = w.hotsWithin(x, w.Slice(at, []int{used, 0}, []int{used + n, w.Bins - 1}))
				used += n
			}
			hots = append(hots, x)
		}
		to := row + w.Stacked[rank]
		for _, x := range besides {
			hots = append(hots, w.Slice(x, []int{0, row}, []int{x.Dim(0), to}))
		}
		row = to
		w.stackedHots = append(w.stackedHots, hots)
	}
	w.edges = w.joined(append([]build.Value{w.stackedKeys(first)}, keys...))
	return w.joined(targets)
}

// joined returns vectors one after the other, in one.
func (w *writer) joined(parts []build.Value) build.Value {
	if len(parts) == 1 {
		return parts[0]
	}
	return w.Concat(0, parts...)
}

// hotsWithin returns one-hots of bins, from cells of rows (features × rows) and the cells of the bounds of bins but for the last one
// (features × bounds), both of which a party knows.
func (w *writer) hotsWithin(cells, at build.Value) build.Value {
	k, rows, bounds := cells.Dim(0), cells.Dim(1), at.Dim(1)
	spread := func(x build.Value, dim int) build.Value { return w.BroadcastInDim(x, []int{0, dim}, k, bounds, rows) }
	above := w.Convert(w.Greater(spread(cells, 2), spread(at, 1)), tensor.I32)
	from := w.Concat(1, w.Const(tensor.I32, 1, k, 1, rows), above)
	upTo := w.Concat(1, above, w.Const(tensor.I32, 0, k, 1, rows))
	return w.Reshape(w.Sub(from, upTo), k*w.Bins, rows)
}

// stackedKeys returns the keys of the bounds of all bins. at are the cells of those of features with ranges, which a party knows.
func (w *writer) stackedKeys(at build.Value) build.Value {
	var parts []build.Value
	used := 0
	for _, r := range w.runs() {
		n := r.to - r.from
		if r.grids {
			parts = append(parts, w.gridKeys(w.Slice(at, []int{used, 0}, []int{used + n, w.Bins - 1}), w.Grids[r.from:r.to]))
			used += n
			continue
		}
		words := make([]uint64, 0, n*w.Bins)
		for i := r.from; i < r.to; i++ {
			b := w.bounds(i)
			for j := range w.Bins {
				words = append(words, uint64(key(b[min(j, len(b)-1)])))
			}
		}
		parts = append(parts, w.Array(tensor.FromWords(tensor.I64, tensor.Shape{len(words)}, words)))
	}
	return w.joined(parts)
}

// gridKeys returns the keys of the bounds of bins in ranges: it computes what Grid.Bound and key do, in cleartext at the party that knows
// the cells.
func (w *writer) gridKeys(at build.Value, grids []*stacked.Grid) build.Value {
	k, bounds := at.Dim(0), at.Dim(1)
	lows, steps := make([]float64, k), make([]float64, k)
	for i, g := range grids {
		lows[i], steps[i] = g.Low, (g.High-g.Low)/stacked.Cells
	}
	spread := func(x []float64) build.Value {
		return w.BroadcastInDim(w.Array(tensor.FromFloats(tensor.F64, tensor.Shape{k}, x)), []int{0}, k, bounds)
	}
	x := w.Add(w.Mul(w.Convert(w.Add(at, 1), tensor.F64), spread(steps)), spread(lows))
	x = w.Select(w.GreaterEqual(at, stacked.Cells-1), w.Const(tensor.F64, math.Inf(1), k, bounds), x)
	bits := w.BitcastConvert(x, tensor.Type{DType: tensor.I64, Shape: tensor.Shape{k, bounds}})
	keys := w.Select(w.Less(bits, 0), w.Xor(bits, int64(math.MaxInt64)), bits)
	keys = w.Select(w.Equal(x, 0.0), w.Const(tensor.I64, 0, k, bounds), keys)
	last := w.Const(tensor.I64, key(math.Inf(1)), k, 1)
	return w.Reshape(w.Concat(1, keys, last), k*w.Bins)
}

// stackedHistogram is histogram of stacked tables: v has the rows of g, then those of h, k each.
func (w *writer) stackedHistogram(v build.Value, k int) histograms {
	var out histograms
	at := 0
	for i, hots := range w.stackedHots {
		rows := hots[0].Dim(1)
		own := w.Slice(v, []int{0, at}, []int{2 * k, at + rows})
		at += rows
		var parts []build.Value
		for _, hot := range hots {
			parts = append(parts, w.DotGeneral(hot, own, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}}))
		}
		x := parts[0]
		if len(parts) > 1 {
			x = w.Concat(0, parts...)
		}
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
	nodes := upTo.Dim(1)
	var out []build.Value
	for _, hots := range w.stackedHots {
		var sum build.Value
		from := 0
		for i, hot := range hots {
			part, n := upTo, hot.Dim(0)
			if len(hots) > 1 {
				part = w.Slice(upTo, []int{from, 0}, []int{from + n, nodes})
			}
			x := w.DotGeneral(part, hot, hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{0}})
			if from += n; i > 0 {
				x = w.Add(sum, x)
			}
			sum = x
		}
		out = append(out, sum)
	}
	return w.Concat(1, out...)
}
