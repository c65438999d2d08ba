package statistics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Ring and fraction bits of statistics of a hidden join, whose columns are standardised by all rows of their owner.
const (
	hiddenRing     = 128
	hiddenFraction = 40
)

// Limits of columns of a hidden join: magnitudes of means and standard deviations, and the least of the latter.
const (
	maxUnit = 1 << 40
	minUnit = 1.0 / (1 << 20)
)

// least is the variance, in units of that of all rows of a column's owner, below which a column counts as constant.
const least = 1.0 / (1 << 16)

// moments of a hidden join's column of numbers that are revealed: mean, standard deviation, skewness, kurtosis.
const hiddenMoments = 4

// fewest is the number of rows that match, with a value of a column, from which on the column's moments are revealed, and that of rows
// from which on correlations are. With fewer, a party that chooses its keys would choose whose values the others' moments show;
// with none, the mean would be that of all rows of the column's owner.
const fewest = bins.DefaultMinGroup

// enough returns whether a number of rows is at least fewest.
func enough(b *build.Builder, rows build.Value) build.Value { return b.GreaterEqual(rows, fewest-0.5) }

// powers is the number of powers of standardised values that an owner computes.
const powers = 4

// MatchArg returns the number of the program's argument that holds the weights of a hidden join; false without one.
func (s *Statistics) MatchArg() (int, bool) { return 0, s.Hidden != nil }

// rows returns the number of rows of a party's table.
func (s *Statistics) rows(rank int) int {
	if s.Hidden != nil {
		return s.Hidden.Rows[rank]
	}
	return s.Rows
}

// checkHidden refuses what has no statistics of a hidden join.
func (s *Statistics) checkHidden() error {
	if err := s.Hidden.Check("statistics", len(s.Parties), s.Rows, hidden.Inner, hidden.Left, hidden.Outer); err != nil {
		return fmt.Errorf("statistics: %w", err)
	}
	if s.Hidden == nil {
		return nil
	}
	if len(s.Quantiles) > 0 {
		return errors.New("the rows of a hidden join have no quantiles (leave them out, or join with method psi)")
	}
	for i := range s.Parties {
		p := &s.Parties[i]
		for _, at := range p.numbers() {
			if p.Absent {
				continue
			}
			c := &p.Columns[at]
			mean, sd := c.scale()
			if math.Abs(mean) > maxUnit || sd > maxUnit || sd > 0 && sd < minUnit {
				return fmt.Errorf("%s.%s has values too large or too small for shares (rescale it: means and standard deviations "+
					"up to 2^40, the latter from 2^-20 on)", p.Name, c.Name)
			}
		}
	}
	return nil
}

// scale returns the mean and the standard deviation (divisor n) of a column's values; 0 for the latter if they are equal.
func (c *Column) scale() (mean, sd float64) {
	values := c.present()
	if len(values) == 0 {
		return 0, 0
	}
	mean, squares := moments(values)
	if sd = math.Sqrt(squares / float64(len(values))); constant(mean, sd) {
		sd = 0
	}
	return mean, sd
}

// width returns the number of values of a row of a party with c columns of which k are numbers: whether each value is there, powers of
// standardised numbers, and with correlations those numbers with missing ones replaced.
func (s *Statistics) width(c, k int) int {
	if s.Correlation {
		return c + (powers+1)*k
	}
	return c + powers*k
}

// values returns these values, row by row; zeros where one is missing.
func (s *Statistics) values(p *Party, rows int) *tensor.Array {
	numbers := p.numbers()
	c, k := len(p.Columns), len(numbers)
	width := s.width(c, k)
	out := make([]float64, rows*width)
	for j := range p.Columns {
		for i := range rows {
			if m := p.Columns[j].Missing; m == nil || !m[i] {
				out[i*width+j] = 1
			}
		}
	}
	for j, at := range numbers {
		column := &p.Columns[at]
		mean, sd := column.scale()
		if sd == 0 {
			continue
		}
		var filled []float64
		if s.Correlation {
			filled = column.filled()
		}
		for i, x := range column.Values {
			row := out[i*width:]
			z := (x - mean) / sd
			for power, to := 0, row[at]; power < powers; power++ {
				to *= z
				row[c+power*k+j] = to
			}
			if filled != nil {
				row[c+powers*k+j] = (filled[i] - mean) / sd
			}
		}
	}
	return tensor.FromFloats(tensor.F64, tensor.Shape{rows, width}, out)
}

// units returns means and standard deviations of a party's numbers.
func (p *Party) units() *tensor.Array {
	numbers := p.numbers()
	out := make([]float64, 2*len(numbers))
	for j, at := range numbers {
		out[j], out[len(numbers)+j] = p.Columns[at].scale()
	}
	return tensor.FromFloats(tensor.F64, tensor.Shape{2, len(numbers)}, out)
}

// Moved returns, for each argument of the program that comes to the keeper's rows as shares, what the other party provides: an array
// with a row for each row of its own table. It returns nil for other arguments.
func (s *Statistics) Moved() ([]*tensor.Array, error) {
	spec, err := s.Spec()
	if err != nil {
		return nil, err
	}
	other := 1 - s.Hidden.Keeper
	out := make([]*tensor.Array, len(spec.Args))
	for i, a := range spec.Args {
		if a.Owner == party.Kept && !s.Hidden.Weight(0, i) {
			out[i] = s.values(&s.Parties[other], s.Hidden.Rows[other])
		}
	}
	return out, nil
}

// hiddenSpec is Spec of a hidden join. The arguments are the weights of the rows, and for each party with columns its values
// (Statistics.values) and units. The results are the number of rows that match; for each party the numbers of values of its
// columns and the moments of its numbers; and the matrix of correlations.
func (s *Statistics) hiddenSpec() (party.Spec, error) {
	spec := party.Spec{Ring: hiddenRing, Fraction: hiddenFraction, Computing: len(s.Parties), Network: party.DefaultNetwork}
	b := build.New("stats")
	spec.Args = append(spec.Args, s.Hidden.WeightArgs()...)
	rows := s.Hidden.NewRows(b)
	per := 1 / float64(s.Rows)
	counting := b.Sum(rows.Weights)
	results := []build.Value{counting}
	var owners []int                   // of filled columns
	var filled, weighted []build.Value // columns of all parties
	for rank := range s.Parties {
		p := &s.Parties[rank]
		spec.Parties, spec.Reveal = append(spec.Parties, p.Name), append(spec.Reveal, rank)
		c, k := len(p.Columns), len(p.numbers())
		if c == 0 {
			continue
		}
		var data *tensor.Array
		if !p.Absent {
			data = s.values(p, s.rows(rank))
		}
		spec.Args = append(spec.Args, s.Hidden.ColumnArgs(rank, data)...)
		x := rows.Columns(fmt.Sprintf("x%d", rank), rank, s.width(c, k))
		sums := x.Sums()
		counts := b.Slice(sums, []int{0}, []int{c})
		results = append(results, counts)
		if k == 0 {
			continue
		}
		own := party.Arg{Owner: rank}
		if !p.Absent {
			own.Data = p.units()
		}
		spec.Args = append(spec.Args, own)
		units := b.Arg(fmt.Sprintf("units%d", rank), tensor.F64, 2, k)
		var there []build.Value
		for _, at := range p.numbers() {
			there = append(there, b.Slice(counts, []int{at}, []int{at + 1}))
		}
		results = append(results, describe(b, units, b.Concat(0, there...), func(power int) build.Value {
			return b.Slice(sums, []int{c + (power-1)*k}, []int{c + power*k})
		}, per, k))
		if s.Correlation {
			f := x.Slice(c+powers*k, c+(powers+1)*k)
			filled, weighted, owners = append(filled, f.All()), append(weighted, f.Weighted()), append(owners, slices.Repeat([]int{rank}, k)...)
		}
	}
	if len(filled) > 0 {
		all := Correlate(b, b.Concat(1, filled...), b.Concat(1, weighted...), b.Mul(counting, per), per).Matrix
		results = append(results, s.shown(rows, all, owners))
	}
	b.Return(results...)
	var err error
	spec.Program, err = b.Program()
	return spec, err
}

// shown returns correlations of columns with these owners, and zeros in place of those that need fewest rows that match and have fewer:
// with one such row a correlation is the value of the other party's column there.
func (s *Statistics) shown(rows *hidden.Rows, all build.Value, owners []int) build.Value {
	k := len(owners)
	b := rows.Builder
	free := make([]uint64, k*k) // 1 where the columns are of one party, in rows that count whether they match or not
	for i, x := range owners {
		for j, y := range owners {
			if x == y && s.Hidden.OneParty(x) {
				free[i*k+j] = 1
			}
		}
	}
	e := b.Or(b.Broadcast(enough(b, b.Sum(rows.Match)), k, k), b.Array(tensor.FromWords(tensor.Bool, tensor.Shape{k, k}, free)))
	return b.Select(e, all, b.Const(tensor.F64, 0.0, k, k))
}

// describe returns a row for each column of numbers: mean, standard deviation (divisor count − 1), skewness, kurtosis; zeros for a
// column with fewer values than fewest. there are the columns' numbers of values, and sum the sums of powers of their standardised values.
func describe(b *build.Builder, units, there build.Value, sum func(power int) build.Value, per float64, k int) build.Value {
	share := b.Max(b.Mul(there, per), per) // of rows with a value; one row at least
	mean := func(power int) build.Value { return b.Div(b.Mul(sum(power), per), share) }
	m1, m2, m3, m4 := mean(1), mean(2), mean(3), mean(4)
	square := b.Mul(m1, m1)
	variance := b.Sub(m2, square)
	shown := enough(b, there)
	varies := b.And(shown, b.GreaterEqual(variance, least))
	root := b.Rsqrt(b.Max(variance, least))
	third := b.Add(b.Sub(m3, b.Mul(b.Mul(m1, m2), 3.0)), b.Mul(b.Mul(square, m1), 2.0))
	fourth := b.Add(b.Sub(m4, b.Mul(b.Mul(m1, m3), 4.0)), b.Sub(b.Mul(b.Mul(square, m2), 6.0), b.Mul(b.Mul(square, square), 3.0)))
	inverse := b.Mul(root, root)
	zero := b.Const(tensor.F64, 0.0, k)
	free := b.Max(b.Sub(there, 1.0), 0.5) // degrees of freedom; a half stands for none
	sd := b.Mul(b.Sqrt(b.Mul(b.Max(variance, 0.0), b.Add(b.Div(b.Const(tensor.F64, 1.0, k), free), 1.0))), row(b, units, 1, k))
	columns := []build.Value{
		b.Select(shown, b.Add(row(b, units, 0, k), b.Mul(m1, row(b, units, 1, k))), zero),
		b.Select(varies, sd, zero),
		b.Select(varies, b.Mul(third, b.Mul(root, inverse)), zero),
		b.Select(varies, b.Sub(b.Mul(fourth, b.Mul(inverse, inverse)), 3.0), zero),
	}
	for i, x := range columns {
		columns[i] = b.Reshape(x, k, 1)
	}
	return b.Concat(1, columns...)
}

// row returns row i of a matrix with k columns.
func row(b *build.Builder, x build.Value, i, k int) build.Value {
	return b.Reshape(b.Slice(x, []int{i, 0}, []int{i + 1, k}), k)
}

// Correlated are correlations of columns, and the columns' means and standard deviations. The latter are at least 2^-8.
type Correlated struct{ Matrix, Means, Deviations build.Value }

// Correlate adds operations to b that compute the correlations of columns; weighted are the columns times the rows' weights, share is
// the mean weight, and per is 1 by the number of rows.
func Correlate(b *build.Builder, columns, weighted, share build.Value, per float64) Correlated {
	k := columns.Dim(1)
	of := b.Max(share, per)
	means := b.Div(b.Mul(b.Sum(weighted, 0), per), b.Broadcast(of, k))
	products := b.Div(b.Mul(b.Dot(b.Transpose(columns), weighted), per), b.Broadcast(of, k, k))
	covariance := b.Sub(products, b.Mul(b.Reshape(means, k, 1), b.Reshape(means, 1, k)))
	eye := make([]float64, k*k)
	for i := range k {
		eye[i*k+i] = 1
	}
	diagonal := b.Sum(b.Mul(covariance, b.Array(tensor.FromFloats(tensor.F64, tensor.Shape{k, k}, eye))), 1)
	root := b.Sqrt(b.Max(diagonal, least))
	return Correlated{b.Div(covariance, b.Mul(b.Reshape(root, k, 1), b.Reshape(root, 1, k))), means, root}
}

// withheld says which statistics are not revealed.
var withheld = fmt.Sprintf("of a column with fewer than %d values there, and of fewer rows, only counts", fewest)

// hiddenOutputs is Outputs of a hidden join.
func (s *Statistics) hiddenOutputs() []string {
	if s.Hidden.Kind == hidden.Outer {
		out := []string{"number of rows of both parties, each key counted once, so the number of rows that match",
			"count, missing values, mean, variance, skewness and kurtosis of each column; " + withheld}
		if s.Correlation {
			out = append(out, crossed)
		}
		return out
	}
	if s.Hidden.Kind == hidden.Left {
		out := []string{"count, missing values, mean, variance, skewness and kurtosis of each column, so the number of rows that match; " + withheld}
		if s.Correlation {
			out = append(out, crossed)
		}
		return out
	}
	out := []string{"number of rows that match", "count, missing values, mean, variance, skewness and kurtosis of each column, of rows that match; " + withheld}
	if s.Correlation {
		out = append(out, "correlations")
	}
	return out
}

// hiddenResults is Results of a hidden join.
func (s *Statistics) hiddenResults() []string {
	out := []string{"number of rows that count"}
	numbers := 0
	for i := range s.Parties {
		p := &s.Parties[i]
		if len(p.Columns) == 0 {
			continue
		}
		out = append(out, "counts of columns of "+p.Name)
		if k := len(p.numbers()); k > 0 {
			out = append(out, "mean, standard deviation, skewness and kurtosis of columns of "+p.Name)
			numbers += k
		}
	}
	if s.Correlation && numbers > 0 {
		out = append(out, "correlations")
	}
	return out
}

// hiddenResult is Result of a hidden join.
func (s *Statistics) hiddenResult(results []*tensor.Array) (*Result, error) {
	if want := len(s.hiddenResults()); len(results) != want || slices.Contains(results, nil) {
		return nil, fmt.Errorf("statistics: want %d results", want)
	}
	matching := int(math.Round(results[0].Floats()[0]))
	r := &Result{Rows: matching}
	results = results[1:]
	var varies []bool
	for i := range s.Parties {
		p := &s.Parties[i]
		if len(p.Columns) == 0 {
			continue
		}
		counts := results[0].Floats()
		results = results[1:]
		var moments []float64
		if len(p.numbers()) > 0 {
			moments, results = results[0].Floats(), results[1:]
		}
		for j, c := range p.Columns {
			d := Description{Name: p.Name + "." + c.Name, Count: int(math.Round(counts[j]))}
			d.Missing = matching - d.Count
			if !c.Text {
				m := moments[:hiddenMoments]
				moments = moments[hiddenMoments:]
				if variance := m[1] * m[1]; d.Count >= fewest {
					d.Mean, d.Variance = &m[0], &variance
				}
				if m[1] > 0 && d.Count >= fewest {
					d.Skewness, d.Kurtosis = &m[2], &m[3]
				}
				if s.Correlation {
					r.Names, varies = append(r.Names, d.Name), append(varies, m[1] > 0 && d.Count >= fewest)
				}
			}
			r.Columns = append(r.Columns, d)
		}
	}
	if len(r.Names) == 0 {
		return r, nil
	}
	r.correlate(results[0].Floats(), varies)
	if h := s.Hidden; h.Kind == hidden.Outer && h.Total()-matching < fewest { // what is not revealed
		for i, a := range r.Names {
			for j, b := range r.Names {
				if s.ownerOf(a) != s.ownerOf(b) {
					r.Correlation[i][j] = nil
				}
			}
		}
		r.VIF = inflation(r.Correlation)
	}
	return r, nil
}

// crossed describes the correlations of a left or outer join.
var crossed = fmt.Sprintf("correlations; those of columns of both parties if at least %d rows match", fewest)

// ownerOf returns the party of a column with a full name.
func (s *Statistics) ownerOf(full string) string {
	for i := range s.Parties {
		p := &s.Parties[i]
		for _, c := range p.Columns {
			if full == p.Name+"."+c.Name {
				return p.Name
			}
		}
	}
	return ""
}
