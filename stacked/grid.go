package stacked

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Grid divides a range of numbers that all parties know into Cells equal cells. The first cell has all numbers up to its upper bound, and
// the last one has no upper bound. Parties count their rows in cells in cleartext, so that quantiles of all rows need no message that
// grows with rows.
type Grid struct{ Low, High float64 }

// Cells is the number of cells of a grid: side blocks of side cells each.
const (
	Cells = side * side
	side  = 64
)

// Check refuses ranges that are none.
func (g Grid) Check() error {
	if !(g.Low < g.High) || math.IsInf(g.High-g.Low, 0) || g.Bound(0) <= g.Low || g.Bound(Cells-2) >= g.High {
		return errors.New("want the least and the largest number of a column, such as [0, 120]")
	}
	return nil
}

// Bound returns the upper bound of a cell.
func (g Grid) Bound(cell int) float64 {
	if cell == Cells-1 {
		return math.Inf(1)
	}
	return g.Low + float64(float64(cell+1)*((g.High-g.Low)/Cells)) // a product of its own, so that all machines round alike
}

// Cell returns the cell of a number: the first one whose bound is at least the number.
func (g Grid) Cell(x float64) int {
	return sort.Search(Cells-1, func(i int) bool { return g.Bound(i) >= x })
}

// Counts returns the numbers of values in each cell.
func (g Grid) Counts(values []float64) []uint64 {
	out := make([]uint64, Cells)
	for _, x := range values {
		out[g.Cell(x)]++
	}
	return out
}

// Quantiles are the positions of the bounds of bins in grids of several columns, on shares.
type Quantiles struct {
	b               *build.Builder
	columns, bounds int
	block, cell     build.Value // columns × bounds × side, i32: one-hots of the block, and of the cell in it
	At              build.Value // columns × bounds, i32: the cells
}

// NewQuantiles adds operations to b that find the cells in which columns have the quantiles 1/bins, 2/bins, … of their rows. counts has
// the numbers of rows of all parties in each cell, columns × Cells, i32; at most 2^22 in all. A quantile i/bins is in the first cell up
// to which there are at least i/bins of the rows. It is found in two steps of side comparisons: the block, then the cell in it.
func NewQuantiles(b *build.Builder, counts build.Value, bins int) *Quantiles {
	q := &Quantiles{b: b, columns: counts.Dim(0), bounds: bins - 1}
	within, before, total := q.cumulated(counts)
	steps := make([]uint64, q.bounds)
	for i := range steps {
		steps[i] = uint64(i + 1)
	}
	shape := []int{q.columns, q.bounds, side}
	spread := func(x build.Value, dims ...int) build.Value { return b.BroadcastInDim(x, dims, shape...) }
	wanted := spread(b.Mul(b.BroadcastInDim(total, []int{0}, q.columns, q.bounds),
		b.BroadcastInDim(b.Array(tensor.FromWords(tensor.I32, tensor.Shape{q.bounds}, steps)), []int{1}, q.columns, q.bounds)), 0, 1)
	below := func(rows build.Value) build.Value { return b.Convert(b.Less(b.Mul(rows, bins), wanted), tensor.I32) }
	last := b.Reshape(b.Slice(within, []int{0, 0, side - 1}, []int{q.columns, side, side}), q.columns, side)
	blocks := below(spread(b.Add(before, last), 0, 2))
	q.block = q.first(blocks)
	cells := below(q.up(within, before))
	q.cell = q.first(cells)
	q.At = b.Add(b.Mul(b.Sum(blocks, 2), side), b.Sum(cells, 2))
	return q
}

// cumulated returns the numbers of rows up to each cell of its block (columns × side × side), in all blocks before each
// (columns × side), and in all (columns).
func (q *Quantiles) cumulated(counts build.Value) (within, before, total build.Value) {
	b := q.b
	upTo := func(x build.Value, strictly bool) build.Value { // sums over the last dimension
		words := make([]uint64, side*side)
		for i := range side {
			for j := i; j < side; j++ {
				if i < j || !strictly {
					words[i*side+j] = 1
				}
			}
		}
		return b.Dot(b.Reshape(x, x.Shape().Size()/side, side), b.Array(tensor.FromWords(tensor.I32, tensor.Shape{side, side}, words)))
	}
	x := b.Reshape(counts, q.columns, side, side)
	within = b.Reshape(upTo(x, false), q.columns, side, side)
	sums := b.Sum(x, 2)
	return within, upTo(sums, true), b.Sum(sums, 1)
}

// first returns one-hots of the first zeros of vectors of ones and then zeros.
func (q *Quantiles) first(ones build.Value) build.Value {
	b := q.b
	shifted := b.Concat(2, b.Const(tensor.I32, 1, q.columns, q.bounds, 1), b.Slice(ones, []int{0, 0, 0}, []int{q.columns, q.bounds, side - 1}))
	return b.Sub(shifted, ones)
}

// up returns the numbers of rows up to each cell of the quantiles' blocks, columns × bounds × side.
func (q *Quantiles) up(within, before build.Value) build.Value {
	b := q.b
	all := b.Add(within, b.BroadcastInDim(before, []int{0, 1}, q.columns, side, side))
	return b.DotGeneral(q.block, all, hlo.DotDims{LHSBatch: []int{0}, RHSBatch: []int{0}, LHSContract: []int{2}, RHSContract: []int{1}})
}

// Counts returns the numbers of rows in each bin, columns × bins, of rows with these numbers in each cell, columns × Cells.
func (q *Quantiles) Counts(counts build.Value) build.Value {
	b := q.b
	within, before, total := q.cumulated(counts)
	upTo := b.Sum(b.Mul(q.cell, q.up(within, before)), 2)
	ends := b.Concat(1, upTo, b.Reshape(total, q.columns, 1))
	starts := b.Concat(1, b.Const(tensor.I32, 0, q.columns, 1), upTo)
	return b.Sub(ends, starts)
}

// CheckBins refuses bins at quantiles of so few rows that bounds show values of single ones. A party that subtracts its own rows from
// what bounds show learns how many of the others' rows are in each bin, so that least rows for each bin are those of all parties but the
// one with most rows.
func (r Rows) CheckBins(bins, least int) error {
	if n := r.Total() - slices.Max(append([]int{0}, r...)); n < bins*least {
		return fmt.Errorf("bins: %d bins are too many: the parties but for the one with the most rows have %d rows, fewer than %d for each bin, "+
			"and bounds would show values of single rows (take fewer bins)", bins, n, least)
	}
	return nil
}
