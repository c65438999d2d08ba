package statistics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Column is a column of numbers, or of texts, of which a Description has the count and the missing values only.
type Column struct {
	Name    string
	Text    bool
	Values  []float64 // of numbers, one a row; anything where the value is missing
	Missing []bool    // nil: none
	Fill    *string   // what replaces missing values for correlations: mean or median; nil: nothing
}

// Party is a party's name with the columns that it has.
type Party struct {
	Name    string
	Columns []Column
	// Absent says that another process has the columns' values: Values and Missing are nil here, and the run's
	// arguments of the party have no data.
	Absent bool
}

// Statistics says which statistics of which columns a run computes.
type Statistics struct {
	Parties     []Party // in rank order
	Rows        int
	Quantiles   []float64
	Correlation bool // of all columns of numbers, which have no missing values then
	// Hidden, if not nil, is the hidden join that matched the rows: Rows are the keeper's, and those that match are described. Missing
	// values are replaced, for correlations, by what the rest of all rows of their owner says.
	Hidden *hidden.Join
}

// maxRows bounds the rows, so that sums of products of standardised values fit the ring.
const maxRows = 1 << 24

// fixed is the number of a column's statistics beside quantiles: count, missing values, mean, variance, skewness, kurtosis.
const fixed = 6

// check refuses columns that cannot be described.
func (s *Statistics) check() error {
	if s.Rows < 2 || s.Rows > maxRows {
		return fmt.Errorf("the tables have %d rows; statistics need 2 to %d", s.Rows, maxRows)
	}
	columns := 0
	for rank, p := range s.Parties {
		rows := s.rows(rank)
		for _, c := range p.Columns {
			columns++
			if p.Absent {
				continue
			}
			if n := len(c.Values); !c.Text && n != rows || c.Missing != nil && len(c.Missing) != rows {
				return fmt.Errorf("%s.%s has %d rows, and the tables have %d", p.Name, c.Name, n, rows)
			}
			if c.Fill != nil && *c.Fill != "mean" && *c.Fill != "median" {
				return fmt.Errorf("%s.%s: %q does not replace missing values (mean, median)", p.Name, c.Name, *c.Fill)
			}
			if s.Correlation && !c.Text && c.Fill == nil && slices.Contains(c.Missing, true) {
				return fmt.Errorf("%s.%s has missing values, which have no correlation (replace them, or leave correlations out)", p.Name, c.Name)
			}
		}
	}
	if columns == 0 {
		return errors.New("there are no columns to describe")
	}
	for _, q := range s.Quantiles {
		if !(q >= 0 && q <= 1) {
			return fmt.Errorf("quantiles: quantile %v is not from 0 to 1", q)
		}
	}
	return s.checkHidden()
}

// numbers returns the positions of a party's columns of numbers.
func (p *Party) numbers() []int {
	var out []int
	for i, c := range p.Columns {
		if !c.Text {
			out = append(out, i)
		}
	}
	return out
}

// Spec returns the spec of the run: all parties compute, and all learn the results. The caller may set protocol and
// network. It returns an error if the Statistics are invalid, or if an owner's column does not fit them.
func (s *Statistics) Spec() (party.Spec, error) {
	if err := s.check(); err != nil {
		return party.Spec{}, err
	}
	if s.Hidden != nil {
		return s.hiddenSpec()
	}
	spec := party.Spec{Ring: 64, Fraction: 18, Computing: len(s.Parties), Network: party.DefaultNetwork}
	for rank, p := range s.Parties {
		spec.Parties, spec.Reveal = append(spec.Parties, p.Name), append(spec.Reveal, rank)
	}
	b := build.New("stats")
	results, _ := s.add(b, &spec)
	b.Return(results...)
	var err error
	spec.Program, err = b.Program()
	return spec, err
}

// add adds the arguments of all parties and the operations to b, and the arguments to spec. It returns the results and, by rank, the
// parties' standardised columns of numbers, rows × columns; zero Values for none, and without correlations.
func (s *Statistics) add(b *build.Builder, spec *party.Spec) (results, standardised []build.Value) {
	arg := func(name string, rank int, d tensor.DType, data func() *tensor.Array, dims ...int) build.Value {
		a := party.Arg{Owner: rank}
		if !s.Parties[rank].Absent {
			a.Data = data()
		}
		spec.Args = append(spec.Args, a)
		return b.Arg(name, d, dims...)
	}
	standardised = make([]build.Value, len(s.Parties))
	for rank := range s.Parties {
		p := &s.Parties[rank]
		if len(p.Columns) == 0 {
			continue
		}
		own := arg(fmt.Sprintf("own%d", rank), rank, tensor.U64, func() *tensor.Array { return s.own(p) }, len(p.Columns), fixed+len(s.Quantiles))
		results = append(results, own)
		if k := len(p.numbers()); s.Correlation && k > 0 {
			z := sync.OnceValue(func() []float64 { return s.standardised(p) })
			within := arg(fmt.Sprintf("products%d", rank), rank, tensor.U64, func() *tensor.Array { return bits(products(z(), k), k, k) }, k, k)
			results = append(results, within)
			standardised[rank] = arg(fmt.Sprintf("x%d", rank), rank, tensor.F64, func() *tensor.Array {
				return tensor.FromFloats(tensor.F64, tensor.Shape{s.Rows, k}, z())
			}, s.Rows, k)
		}
	}
	for i, x := range standardised {
		for _, y := range standardised[i+1:] {
			if x.Rank() > 0 && y.Rank() > 0 {
				results = append(results, b.Dot(b.Transpose(x), y))
			}
		}
	}
	return results, standardised
}

// bits returns floats as integers with the same bits: their owner sends them as they are, and no ring bounds them.
func bits(values []float64, dims ...int) *tensor.Array {
	words := make([]uint64, len(values))
	for i, x := range values {
		words[i] = math.Float64bits(x)
	}
	return tensor.FromWords(tensor.U64, tensor.Shape(dims), words)
}

// floats is the inverse of bits.
func floats(a *tensor.Array) []float64 {
	words := a.Words()
	out := make([]float64, len(words))
	for i, w := range words {
		out[i] = math.Float64frombits(w)
	}
	return out
}

// present returns a copy of the values that are not missing.
func (c *Column) present() []float64 {
	var out []float64
	for i, x := range c.Values {
		if c.Missing == nil || !c.Missing[i] {
			out = append(out, x)
		}
	}
	return out
}

// filled returns the values with those that are missing replaced.
func (c *Column) filled() []float64 {
	if !slices.Contains(c.Missing, true) {
		return c.Values
	}
	by, present := 0.0, c.present()
	switch {
	case len(present) == 0:
	case *c.Fill == "median":
		slices.Sort(present)
		by = quantile(present, 0.5)
	default:
		by, _ = moments(present)
	}
	out := slices.Clone(c.Values)
	for i, missing := range c.Missing {
		if missing {
			out[i] = by
		}
	}
	return out
}

// moments returns the mean, which is exact for equal values, and the sum of squared differences from it.
func moments(values []float64) (mean, squares float64) {
	n, rest := float64(len(values)), 0.0
	for _, x := range values {
		mean += x / n
	}
	for _, x := range values {
		rest += (x - mean) / n
	}
	mean += rest
	for _, x := range values {
		squares += (x - mean) * (x - mean)
	}
	return mean, squares
}

// own returns a party's own statistics: a row for each column.
func (s *Statistics) own(p *Party) *tensor.Array {
	var out []float64
	for _, c := range p.Columns {
		missing := 0
		for _, m := range c.Missing {
			if m {
				missing++
			}
		}
		row := make([]float64, fixed+len(s.Quantiles))
		row[0], row[1] = float64(s.Rows-missing), float64(missing)
		if values := c.present(); len(values) > 0 {
			slices.Sort(values)
			mean, squares := moments(values)
			row[2] = mean
			if len(values) > 1 {
				row[3] = squares / float64(len(values)-1)
			}
			row[4], row[5] = shape(values, mean, math.Sqrt(squares/float64(len(values))))
			for i, q := range s.Quantiles {
				row[fixed+i] = quantile(values, q)
			}
		}
		out = append(out, row...)
	}
	return bits(out, len(p.Columns), fixed+len(s.Quantiles))
}

// shape returns the means of the third and fourth powers of standardised values, 3 subtracted from the latter: skewness and
// kurtosis. They are not numbers if all values are equal.
func shape(values []float64, mean, sd float64) (skewness, kurtosis float64) {
	if constant(mean, sd) {
		return math.NaN(), math.NaN()
	}
	n := float64(len(values))
	for _, x := range values {
		z := (x - mean) / sd
		skewness, kurtosis = skewness+z*z*z/n, kurtosis+z*z*z*z/n
	}
	return skewness, kurtosis - 3
}

// quantile returns the q-quantile of ascending values, with linear interpolation.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// standardised returns a party's columns of numbers with mean 0 and variance 1 (divisor n), row by row; zeros where all
// values are equal.
func (s *Statistics) standardised(p *Party) []float64 {
	numbers := p.numbers()
	out := make([]float64, s.Rows*len(numbers))
	for j, at := range numbers {
		values := p.Columns[at].filled()
		mean, squares := moments(values)
		sd := math.Sqrt(squares / float64(s.Rows))
		for i, x := range values {
			if !constant(mean, sd) {
				out[i*len(numbers)+j] = (x - mean) / sd
			}
		}
	}
	return out
}

// constant reports whether a standard deviation is that of equal values, but for rounding.
func constant(mean, sd float64) bool { return sd <= 1e-14*math.Abs(mean) || sd == 0 }

// products returns the sums of products of k columns' rows.
func products(x []float64, k int) []float64 {
	out := make([]float64, k*k)
	for row := 0; row < len(x); row += k {
		for i := range k {
			for j := range k {
				out[i*k+j] += x[row+i] * x[row+j]
			}
		}
	}
	return out
}
