package statistics

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Stacked says which statistics a run computes of tables whose rows are those of one table: each party has the same columns, of other
// rows. Every owner describes its own rows in cleartext, and the descriptions are combined on shares: messages do not grow with rows.
type Stacked struct {
	Parties     []string     // in rank order
	Rows        stacked.Rows // by rank
	Columns     []Column     // names and kinds, without values
	Correlation bool
	// Data are the parties' columns, by rank in the order of Columns; nil at parties whose data this process lacks.
	Data [][]Column
	// Beside are, by rank, the parties whose tables are beside the stacked ones and have further columns of all rows (their Rows are 0);
	// those of stacked tables have no columns here. nil stands for no table beside.
	Beside []Party
}

// beside returns the statistics of the tables beside the stacked ones, each of whose columns its owner describes; nil without any.
func (s *Stacked) beside() *Statistics {
	if s.Beside == nil {
		return nil
	}
	return &Statistics{Parties: s.Beside, Rows: s.rows(), Correlation: s.Correlation}
}

// rows returns the number of all rows.
func (s *Stacked) rows() int { return s.Rows.Total() }

// numbers returns the positions of columns of numbers.
func (s *Stacked) numbers() []int { return (&Party{Columns: s.Columns}).numbers() }

// check refuses columns that cannot be described.
func (s *Stacked) check() error {
	least := 1
	if s.Beside != nil {
		least = 0
	}
	if n := s.rows(); n < 2 || n > maxRows || len(s.Rows) != len(s.Parties) || slices.Min(s.Rows) < least {
		return fmt.Errorf("the tables have %v rows; statistics of stacked tables need one of each party, and 2 to %d in all", s.Rows, maxRows)
	}
	if len(s.Columns) == 0 {
		return errors.New("there are no columns to describe")
	}
	if all := s.beside(); all != nil {
		columns := make([]int, len(s.Beside))
		for rank, p := range s.Beside {
			columns[rank] = len(p.Columns)
		}
		columns[0] += len(s.Columns)
		if err := cmp.Or(s.Rows.CheckFeatures(s.Parties, columns), all.check()); err != nil {
			return err
		}
	}
	for rank, columns := range s.Data {
		for i, c := range columns {
			name := s.Parties[rank] + "." + c.Name
			if c.Text != s.Columns[i].Text || c.Name != s.Columns[i].Name {
				return fmt.Errorf("%s is not the column of numbers, or of texts, that other parties have", name)
			}
			if !c.Text && len(c.Values) != s.Rows[rank] || c.Missing != nil && len(c.Missing) != s.Rows[rank] {
				return fmt.Errorf("%s has %d rows, and the task says %d", name, len(c.Values), s.Rows[rank])
			}
			if !c.Text && s.Correlation && c.Fill == nil && slices.Contains(c.Missing, true) {
				return fmt.Errorf("%s has missing values, which have no correlation (replace them, or leave correlations out)", name)
			}
		}
	}
	return nil
}

// described returns the numbers by which an owner describes its rows: of each column the number of values; of each column of numbers mean,
// standard deviation, and third and fourth standardised moments of its values, then mean and standard deviation with missing values
// replaced; their correlations; and these values, standardised, rows × columns of numbers.
func (s *Stacked) described(rank int) (own [5][]float64, err error) {
	columns, rows := s.Data[rank], s.Rows[rank]
	numbers := s.numbers()
	k := len(numbers)
	var counts []float64
	moments, filled, correlation, standard := make([]float64, 4*k), make([]float64, 2*k), make([]float64, k*k), make([]float64, rows*k)
	for _, c := range columns {
		n := rows
		for _, missing := range c.Missing {
			if missing {
				n--
			}
		}
		counts = append(counts, float64(n))
	}
	for j, at := range numbers {
		c := &columns[at]
		mean, sd := c.scale()
		if !(math.Abs(mean) <= table.MaxStacked && sd <= table.MaxStacked) {
			return own, fmt.Errorf("%s.%s has values too large for stacked tables (rescale it: mean and standard deviation are up to 2^20)",
				s.Parties[rank], c.Name)
		}
		moments[j], moments[k+j] = mean, sd
		if sd > 0 {
			third, fourth := shape(c.present(), mean, sd)
			moments[2*k+j], moments[3*k+j] = third, fourth+3
		}
		if !s.Correlation {
			continue
		}
		whole := Column{Values: c.filled()}
		mean, sd = whole.scale()
		filled[j], filled[k+j] = mean, sd
		for i, x := range whole.Values {
			if sd > 0 {
				standard[i*k+j] = (x - mean) / sd
			}
		}
	}
	if s.Correlation {
		for i, x := range products(standard, k) {
			correlation[i] = x / float64(rows)
		}
	}
	return [5][]float64{counts, moments, filled, correlation, standard}, nil
}

// Spec returns the spec of the run: all parties compute, and all learn the results. The caller may set protocol and network. It returns
// an error if the Stacked is invalid, or if an owner's column does not fit it.
func (s *Stacked) Spec() (party.Spec, error) {
	if err := s.check(); err != nil {
		return party.Spec{}, err
	}
	spec := party.Spec{
		Ring: hiddenRing, Fraction: hiddenFraction, Parties: s.Parties, Computing: len(s.Parties), Network: party.DefaultNetwork,
	}
	b, c, k := build.New("stats"), len(s.Columns), len(s.numbers())
	all := s.beside()
	var counts, moments []build.Value // of the stacked tables
	// By rank, of the stacked tables: what correlations take.
	filled, correlation, rows := make([]build.Value, len(s.Rows)), make([]build.Value, len(s.Rows)), make([]build.Value, len(s.Rows))
	for rank, n := range s.Rows {
		if spec.Reveal = append(spec.Reveal, rank); n == 0 {
			continue
		}
		var own [5][]float64
		data := rank < len(s.Data) && s.Data[rank] != nil
		if data {
			var err error
			if own, err = s.described(rank); err != nil {
				return spec, err
			}
		}
		arg := func(i int, name string, dims ...int) build.Value {
			a := party.Arg{Owner: rank}
			if data {
				a.Data = tensor.FromFloats(tensor.F64, dims, own[i])
			}
			spec.Args = append(spec.Args, a)
			return b.Arg(fmt.Sprint(name, rank), tensor.F64, dims...)
		}
		counts = append(counts, arg(0, "counts", c))
		if k == 0 {
			continue
		}
		moments = append(moments, arg(1, "moments", 4, k))
		if s.Correlation {
			if filled[rank], correlation[rank] = arg(2, "filled", 2, k), arg(3, "correlation", k, k); s.crosses() {
				rows[rank] = arg(4, "rows", n, k)
			}
		}
	}
	results := []build.Value{sum(b, counts, func(rank int) build.Value { return counts[rank] })}
	if k > 0 {
		results = append(results, s.combined(b, counts, moments))
	}
	var pooled stacked.Pooled
	if k > 0 && s.Correlation {
		var matrix build.Value
		matrix, pooled = Pool(b, s.Rows, filled, correlation)
		results = append(results, matrix)
	}
	if all != nil {
		own, standardised := all.add(b, &spec)
		results = append(results, own...)
		for _, y := range standardised {
			if y.Rank() > 0 && k > 0 {
				results = append(results, Across(b, s.Rows, pooled, rows, y))
			}
		}
	}
	b.Return(results...)
	var err error
	spec.Program, err = b.Program()
	return spec, err
}

// crosses reports whether columns of stacked tables are correlated with columns beside them, which takes their rows.
func (s *Stacked) crosses() bool {
	return s.Correlation && len(s.numbers()) > 0 && slices.ContainsFunc(s.Beside, func(p Party) bool { return len(p.numbers()) > 0 })
}

// Across returns the correlations of columns of stacked tables with columns of all rows of a party beside them, k × l. x are, by rank,
// the rows of the stacked tables, standardised by each party's own (rows × k), all is what Pool returned, and y has the other columns,
// standardised (all rows × l).
func Across(b *build.Builder, rows stacked.Rows, all stacked.Pooled, x []build.Value, y build.Value) build.Value {
	var parts []build.Value
	at, l, per := 0, y.Dim(1), 1/float64(rows.Total())
	for rank, n := range rows {
		if n == 0 {
			continue
		}
		k, of := x[rank].Dim(1), b.Slice(y, []int{at, 0}, []int{at + n, l})
		at += n
		spread := func(x build.Value, dim int) build.Value { return b.BroadcastInDim(x, []int{dim}, k, l) }
		products, sums := b.Mul(b.Dot(b.Transpose(x[rank]), of), per), b.Mul(b.Sum(of, 0), per)
		to := all.To[rank]
		parts = append(parts, b.Add(b.Mul(products, spread(to.Factor, 0)), b.Mul(spread(to.Shift, 0), spread(sums, 1))))
	}
	return stacked.Sum(b, parts)
}

// sum returns the sum of a value of each party.
func sum(b *build.Builder, of []build.Value, term func(rank int) build.Value) build.Value {
	terms := make([]build.Value, len(of))
	for rank := range of {
		terms[rank] = term(rank)
	}
	return stacked.Sum(b, terms)
}

// combined returns mean, standard deviation (divisor count), skewness and kurtosis of all rows, a row for each column of numbers.
func (s *Stacked) combined(b *build.Builder, counts, moments []build.Value) build.Value {
	k := len(s.numbers())
	of := make([]build.Value, len(counts)) // numbers of values of the columns of numbers
	for rank := range counts {
		var parts []build.Value
		for _, at := range s.numbers() {
			parts = append(parts, b.Slice(counts[rank], []int{at}, []int{at + 1}))
		}
		of[rank] = b.Concat(0, parts...)
	}
	total := b.Max(sum(b, of, func(rank int) build.Value { return of[rank] }), 1.0)
	share := make([]build.Value, len(of))
	for rank := range of {
		share[rank] = b.Div(of[rank], total)
	}
	own := func(rank, i int) build.Value { return stacked.Row(b, moments[rank], i) }
	mean, variance, apart := pooled(b, share, func(rank int) (mean, sd build.Value) { return own(rank, 0), own(rank, 1) })
	inverse := b.Rsqrt(b.Max(variance, table.MinStackedVariance))
	third := make([]build.Value, len(of))
	fourth := make([]build.Value, len(of))
	for rank := range of {
		a, d := b.Mul(own(rank, 1), inverse), b.Mul(apart[rank], inverse)
		aa, dd, ad := b.Mul(a, a), b.Mul(d, d), b.Mul(a, d)
		skew := b.Mul(own(rank, 2), a) // times a² below
		third[rank] = b.Mul(share[rank], b.Add(b.Mul(aa, b.Add(skew, b.Mul(d, 3.0))), b.Mul(dd, d)))
		fourth[rank] = b.Mul(share[rank], b.Add(
			b.Mul(aa, b.Add(b.Mul(aa, own(rank, 3)), b.Add(b.Mul(b.Mul(ad, own(rank, 2)), 4.0), b.Mul(dd, 6.0)))), b.Mul(dd, dd)))
	}
	varies := b.GreaterEqual(variance, table.MinStackedVariance)
	zero := b.Const(tensor.F64, 0.0, k)
	columns := []build.Value{
		mean, b.Select(varies, b.Sqrt(b.Max(variance, 0.0)), zero),
		b.Select(varies, sum(b, third, func(rank int) build.Value { return third[rank] }), zero),
		b.Select(varies, b.Sub(sum(b, fourth, func(rank int) build.Value { return fourth[rank] }), 3.0), zero),
	}
	for i, x := range columns {
		columns[i] = b.Reshape(x, k, 1)
	}
	return b.Concat(1, columns...)
}

// pooled returns mean and variance (divisor n) of all rows, and how far each party's mean is from it, by the parties' shares of the rows.
func pooled(
	b *build.Builder, share []build.Value, of func(rank int) (mean, sd build.Value),
) (mean, variance build.Value, apart []build.Value) {
	mean = sum(b, share, func(rank int) build.Value {
		m, _ := of(rank)
		return b.Mul(m, share[rank])
	})
	variance = sum(b, share, func(rank int) build.Value {
		m, sd := of(rank)
		apart = append(apart, b.Sub(m, mean))
		return b.Mul(share[rank], b.Add(b.Mul(sd, sd), b.Mul(apart[rank], apart[rank])))
	})
	return mean, variance, apart
}

// Pool returns the matrix of correlations of all rows of stacked tables, from each party's means and standard deviations (2 × k) and
// correlations (k × k) of its own rows, by rank; those of parties beside the stacked tables are not read.
func Pool(b *build.Builder, rows stacked.Rows, units, correlation []build.Value) (build.Value, stacked.Pooled) {
	all := rows.Pool(b, func(rank int) (mean, sd build.Value) {
		return stacked.Row(b, units[rank], 0), stacked.Row(b, units[rank], 1)
	})
	var parts []build.Value
	for rank, n := range rows {
		if n == 0 {
			continue
		}
		k, to := units[rank].Dim(1), all.To[rank]
		outer := func(x build.Value) build.Value { return b.Mul(b.Reshape(x, k, 1), b.Reshape(x, 1, k)) }
		parts = append(parts, b.Mul(b.Add(b.Mul(outer(to.Factor), correlation[rank]), outer(to.Shift)), rows.Share(rank)))
	}
	return stacked.Sum(b, parts), all
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (s *Stacked) Outputs() []string {
	out := []string{"count, missing values, mean, variance, skewness and kurtosis of each column, of all parties' rows together"}
	if s.Correlation {
		out = append(out, "correlations of all parties' rows together")
	}
	return out
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (s *Stacked) Results() []string {
	out := []string{"counts of all columns"}
	if len(s.numbers()) > 0 {
		if out = append(out, "mean, standard deviation, skewness and kurtosis of columns of numbers"); s.Correlation {
			out = append(out, "correlations")
		}
	}
	if all := s.beside(); all != nil {
		out = append(out, all.Results()...)
		for _, p := range s.Beside {
			if s.crosses() && len(p.numbers()) > 0 {
				out = append(out, "correlations of columns of the stacked tables with those of "+p.Name)
			}
		}
	}
	return out
}

// Result returns the statistics that the results of a run of Spec describe. It returns an error if the results are not those of the
// program.
func (s *Stacked) Result(results []*tensor.Array) (*Result, error) {
	if want := len(s.Results()); len(results) != want || slices.Contains(results, nil) {
		return nil, fmt.Errorf("statistics: want %d results", want)
	}
	r := &Result{Rows: s.rows()}
	counts, k := results[0].Floats(), len(s.numbers())
	results = results[1:]
	var varies []bool
	var moments, correlation []float64
	if k > 0 {
		moments, results = results[0].Floats(), results[1:]
	}
	if k > 0 && s.Correlation {
		correlation, results = results[0].Floats(), results[1:]
	}
	for i, c := range s.Columns {
		d := Description{Name: c.Name, Count: int(math.Round(counts[i]))}
		d.Missing = r.Rows - d.Count
		if !c.Text {
			m := moments[:4]
			moments = moments[4:]
			if d.Count > 0 {
				d.Mean = &m[0]
			}
			if d.Count > 1 {
				variance := m[1] * m[1] * float64(d.Count) / float64(d.Count-1)
				d.Variance = &variance
			}
			if m[1] > 0 {
				d.Skewness, d.Kurtosis = &m[2], &m[3]
			}
			if s.Correlation {
				r.Names, varies = append(r.Names, d.Name), append(varies, m[1] > 0)
			}
		}
		r.Columns = append(r.Columns, d)
	}
	if correlation != nil {
		r.correlate(correlation, varies)
	}
	if all := s.beside(); all != nil {
		own := len(all.Results())
		of, err := all.Result(results[:own])
		if err != nil {
			return nil, err
		}
		r.join(of, results[own:])
	}
	return r, nil
}

// join appends the statistics of the tables beside the stacked ones, and sets what follows from all correlations. across are the
// correlations of both, for each party beside a matrix with a row for each column of numbers of the stacked tables.
func (r *Result) join(of *Result, across []*tensor.Array) {
	k, l := len(r.Names), len(of.Names)
	r.Columns, r.Names = append(r.Columns, of.Columns...), append(r.Names, of.Names...)
	for i, row := range r.Correlation {
		r.Correlation[i] = append(row, make([]*float64, l)...)
	}
	for _, row := range of.Correlation {
		r.Correlation = append(r.Correlation, append(make([]*float64, k), row...))
	}
	from := k
	for _, block := range across {
		n := block.Shape[1]
		for at, x := range block.Floats() {
			i, j := at/n, from+at%n
			if r.Correlation[i][i] != nil && r.Correlation[j][j] != nil { // both vary
				x = max(-1, min(1, x))
				r.Correlation[i][j], r.Correlation[j][i] = &x, &x
			}
		}
		from += n
	}
	if r.Correlation != nil {
		r.VIF = inflation(r.Correlation)
	}
}

// correlate sets the correlations of Names, of which some vary, and what follows from them.
func (r *Result) correlate(all []float64, varies []bool) {
	k := len(r.Names)
	r.Correlation = make([][]*float64, k)
	for i := range k {
		r.Correlation[i] = make([]*float64, k)
		for j := range k {
			if varies[i] && varies[j] {
				x := max(-1, min(1, all[i*k+j]))
				if i == j {
					x = 1
				}
				r.Correlation[i][j] = &x
			}
		}
	}
	r.VIF = inflation(r.Correlation)
}
