package stacked

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Rows are the numbers of rows of the parties' tables, by rank. All rows are those of the first party's table, then those of the second
// one's, and so on. nil stands for tables that are not stacked.
type Rows []int

// Total returns the number of all rows.
func (r Rows) Total() int {
	n := 0
	for _, of := range r {
		n += of
	}
	return n
}

// Share returns a party's part of all rows.
func (r Rows) Share(rank int) float64 { return float64(r[rank]) / float64(r.Total()) }

// Check refuses what are no numbers of rows of stacked tables of that many parties, nor nil. features are the numbers of features by
// rank, of which the first is that of all parties.
func (r Rows) Check(parties int, features []int) error {
	switch {
	case r == nil:
		return nil
	case len(r) != parties || slices.Min(r) < 1:
		return fmt.Errorf("want the numbers of rows of %d stacked tables", parties)
	case len(features) != parties || slices.Max(append([]int{0}, features[1:]...)) > 0:
		return errors.New("stacked tables have the same features")
	}
	return nil
}

// CheckBeside is Check of tables of which some are beside the stacked ones: their number of rows is 0, as they have further columns of all
// rows, and their features are their own. The first party's table is a stacked one.
func (r Rows) CheckBeside(parties int, features []int) error {
	if r == nil {
		return nil
	}
	if len(r) != parties || len(features) != parties || r[0] < 1 || slices.Min(r) < 0 {
		return fmt.Errorf("want the numbers of rows of %d tables, of which the first is stacked", parties)
	}
	for rank, n := range r {
		if n > 0 && rank > 0 && features[rank] > 0 {
			return errors.New("stacked tables have the same features")
		}
	}
	if len(r.Pieces()) < 2 {
		return errors.New("want two stacked tables or more")
	}
	return nil
}

// Besides reports whether there are tables beside the stacked ones.
func (r Rows) Besides() bool { return slices.Contains(r, 0) }

// Pieces returns the ranks of the parties with a stacked table.
func (r Rows) Pieces() []int {
	var out []int
	for rank, n := range r {
		if n > 0 {
			out = append(out, rank)
		}
	}
	return out
}

// Side returns whose columns a party has: 0 for those of all stacked tables, or its rank if its table is beside them.
func (r Rows) Side(rank int) int {
	if r[rank] > 0 {
		return 0
	}
	return rank
}

// IsSide reports whether Side returns side for some party.
func (r Rows) IsSide(side int) bool { return side >= 0 && side < len(r) && (side == 0 || r[side] == 0) }

// In returns the number of rows of a party's table: all rows if it is beside the stacked ones.
func (r Rows) In(rank int) int {
	if r[rank] > 0 {
		return r[rank]
	}
	return r.Total()
}

// CheckFeatures is CheckBeside of a task on features alone: each table has some.
func (r Rows) CheckFeatures(parties []string, features []int) error {
	if err := r.CheckBeside(len(parties), features); err != nil || r == nil {
		return err
	}
	if features[0] == 0 {
		return errors.New("the stacked tables have no features")
	}
	for rank, n := range r {
		if n == 0 && features[rank] == 0 {
			return fmt.Errorf("%s, whose table is beside the stacked ones, has no features", parties[rank])
		}
	}
	return nil
}

// Names returns the names of all features: those of the stacked tables, then PARTY.FEATURE of those beside them in rank order.
func (r Rows) Names(parties []string, features [][]table.Feature) []string {
	out := table.Names(features[0])
	for rank, n := range r {
		if n == 0 {
			out = append(out, table.FullNames(parties[rank:][:1], features[rank:][:1])...)
		}
	}
	return out
}

// Least returns the smallest number of rows of a stacked table.
func (r Rows) Least() int {
	least := r[0]
	for _, n := range r {
		if n > 0 {
			least = min(least, n)
		}
	}
	return least
}

// Standardised returns values standardised by their own mean and standard deviation. If all are equal, the deviation is 0, and so are
// the values. It refuses those that are too large for shares of means and deviations.
func Standardised(name string, values []float64) (z []float64, mean, sd float64, err error) {
	n := float64(len(values))
	for _, x := range values {
		mean += x / n
	}
	for _, x := range values {
		sd += (x - mean) * (x - mean) / n
	}
	sd = math.Sqrt(sd)
	if !(math.Abs(mean) <= table.MaxStacked && sd <= table.MaxStacked) {
		return nil, 0, 0, fmt.Errorf("%s has values too large for stacked tables (rescale it: mean and standard deviation are up to 2^20)", name)
	}
	if sd <= 1e-12*math.Abs(mean) {
		sd = 0
	}
	z = make([]float64, len(values))
	for i, x := range values {
		if sd > 0 {
			z[i] = (x - mean) / sd
		}
	}
	return z, mean, sd, nil
}

// Features returns a party's features as Standardised has them, a row for each of its rows, and their means and standard deviations, 2 × k.
func Features(features []table.Feature, rows int) (x, units *tensor.Array, err error) {
	k := len(features)
	values, of := make([]float64, rows*k), make([]float64, 2*k)
	for j, f := range features {
		if len(f.Values) != rows {
			return nil, nil, fmt.Errorf("%s has %d rows, and the task says %d", f.Name, len(f.Values), rows)
		}
		z, mean, sd, err := Standardised(f.Name, f.Values)
		if err != nil {
			return nil, nil, err
		}
		for i, v := range z {
			values[i*k+j] = v
		}
		of[j], of[k+j] = mean, sd
	}
	return tensor.FromFloats(tensor.F64, tensor.Shape{rows, k}, values), tensor.FromFloats(tensor.F64, tensor.Shape{2, k}, of), nil
}

// Arguments returns a party's own arguments among those of all parties, of which counts has the numbers by rank: nil for those of others.
func Arguments(counts []int, rank int, own []*tensor.Array) []*tensor.Array {
	var out []*tensor.Array
	for by, n := range counts {
		if by == rank {
			out = append(out, own...)
		} else {
			out = append(out, make([]*tensor.Array, n)...)
		}
	}
	return out
}

// Pooled is what all rows have together: vectors of one element for each feature.
type Pooled struct {
	Mean, Variance build.Value
	Inverse        build.Value // of the standard deviation; that of table.MinStackedVariance for features with a smaller variance
	To             []Affine    // by rank, of parties with rows
}

// Affine maps a party's standardised values to those standardised by all rows: z·Factor + Shift.
type Affine struct{ Factor, Shift build.Value }

// Average returns the mean over all rows of values that each party with rows has one of.
func (r Rows) Average(b *build.Builder, of []build.Value) build.Value {
	parts := make([]build.Value, len(of))
	at := 0
	for rank, n := range r {
		if n > 0 {
			parts[at] = b.Mul(of[at], r.Share(rank))
			at++
		}
	}
	return Sum(b, parts)
}

// Sum returns the sum of values that each party has one of. It is a sum over a dimension, since a root of single squares, by which one of
// them is divided, is taken for an optimiser of gradients.
func Sum(b *build.Builder, of []build.Value) build.Value {
	parts := make([]build.Value, len(of))
	for rank, x := range of {
		parts[rank] = b.Reshape(x, append([]int{1}, x.Shape()...)...)
	}
	return b.Sum(b.Concat(0, parts...), 0)
}

// Pool returns what all rows have, from the mean and the standard deviation of each party's rows.
func (r Rows) Pool(b *build.Builder, of func(rank int) (mean, sd build.Value)) Pooled {
	var means, squares, sds []build.Value // of parties with rows
	for rank, n := range r {
		if n > 0 {
			m, sd := of(rank)
			means, sds = append(means, m), append(sds, sd)
		}
	}
	p := Pooled{Mean: r.Average(b, means)}
	for i := range means {
		d := b.Sub(means[i], p.Mean)
		squares = append(squares, b.Add(b.Mul(sds[i], sds[i]), b.Mul(d, d)))
	}
	p.Variance = r.Average(b, squares)
	p.Inverse = b.Rsqrt(b.Max(p.Variance, table.MinStackedVariance))
	for rank, n := range r {
		p.To = append(p.To, Affine{})
		if n > 0 {
			p.To[rank] = Affine{b.Mul(sds[0], p.Inverse), b.Mul(b.Sub(means[0], p.Mean), p.Inverse)}
			means, sds = means[1:], sds[1:]
		}
	}
	return p
}

// Map returns a party's standardised rows as rows that are standardised by all.
func (a Affine) Map(b *build.Builder, x build.Value) build.Value {
	if x.Rank() < 2 {
		n := x.Dim(0)
		return b.Add(b.Mul(x, b.Broadcast(a.Factor, n)), b.Broadcast(a.Shift, n))
	}
	n, k := x.Dim(0), x.Dim(1)
	spread := func(x build.Value) build.Value { return b.BroadcastInDim(x, []int{1}, n, k) }
	return b.Add(b.Mul(x, spread(a.Factor)), spread(a.Shift))
}

// Row returns row i of a matrix as a vector.
func Row(b *build.Builder, x build.Value, i int) build.Value {
	k := x.Dim(1)
	return b.Reshape(b.Slice(x, []int{i, 0}, []int{i + 1, k}), k)
}
