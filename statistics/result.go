package statistics

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/tensor"
)

// Result holds the statistics that a run revealed; encoding/json writes it.
type Result struct {
	Rows    int           `json:"rows"`
	Columns []Description `json:"columns"` // in rank order
	// Names are the columns of numbers, and Correlation the matrix of their correlations; null where a column is
	// constant. Both are absent without correlations.
	Names       []string     `json:"names,omitempty"`
	Correlation [][]*float64 `json:"correlation,omitempty"`
	// VIF are the variance inflation factors of Names, 1/(1 − R²) of a column's regression on all others. They follow
	// from Correlation, and are absent if a column is constant or there are more than 200. null stands for factors above
	// 10^4: the column is nearly a combination of others, and correlations are not exact enough to say more.
	VIF []*float64 `json:"variance_inflation,omitempty"`
}

// maxInflation bounds the variance inflation factors that correlations determine: their errors are below 10^-5.
const maxInflation = 1e4

// maxInflated is the number of columns above which no variance inflation factors are computed: they take n⁴ operations.
const maxInflated = 200

// inflation returns the diagonal of the inverse of a matrix of correlations, nil if an element is unknown.
func inflation(correlation [][]*float64) []*float64 {
	n := len(correlation)
	if n > maxInflated {
		return nil
	}
	out := make([]*float64, n)
	for j := range n {
		// 1/VIF is what Gaussian elimination leaves of the diagonal element when it is the last.
		order := []int{}
		for i := range n {
			if i != j {
				order = append(order, i)
			}
		}
		order = append(order, j)
		a := make([][]float64, n)
		for i, from := range order {
			a[i] = make([]float64, n)
			for k, to := range order {
				if correlation[from][to] == nil {
					return nil
				}
				a[i][k] = *correlation[from][to]
			}
		}
		for k := range n - 1 {
			pivot := a[k][k]
			if pivot < 1/maxInflation { // others are combinations of each other: column k says nothing more
				continue
			}
			for i := k + 1; i < n; i++ {
				by := a[i][k] / pivot
				for l := k; l < n; l++ {
					a[i][l] -= by * a[k][l]
				}
			}
		}
		if left := a[n-1][n-1]; left >= 1/maxInflation {
			x := max(1, 1/left)
			out[j] = &x
		}
	}
	return out
}

// Description describes a column. Mean, Variance and Quantiles are absent for a column of texts or without values.
type Description struct {
	Name      string     `json:"name"` // alice.age
	Count     int        `json:"count"`
	Missing   int        `json:"missing"`
	Mean      *float64   `json:"mean,omitempty"`
	Variance  *float64   `json:"variance,omitempty"` // with the divisor Count − 1
	Quantiles []Quantile `json:"quantiles,omitempty"`
	// Skewness and Kurtosis are the third and the fourth standardised moment (divisor Count), 3 subtracted from the fourth:
	// both are 0 for a normal distribution. They are absent if all values are equal.
	Skewness *float64 `json:"skewness,omitempty"`
	Kurtosis *float64 `json:"kurtosis,omitempty"`
}

// Quantile is the value below which the fraction Q, from 0 to 1, of a column's values lies.
type Quantile struct {
	Q     float64 `json:"q"`
	Value float64 `json:"value"`
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (s *Statistics) Outputs() []string {
	if s.Hidden != nil {
		return s.hiddenOutputs()
	}
	out := []string{"count, missing values, mean, variance, skewness and kurtosis of each column"}
	if len(s.Quantiles) > 0 {
		out = append(out, fmt.Sprintf("%d quantiles of each column", len(s.Quantiles)))
	}
	if s.Correlation {
		out = append(out, "correlations")
	}
	return out
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (s *Statistics) Results() []string {
	if s.Hidden != nil {
		return s.hiddenResults()
	}
	var out, names []string
	for i := range s.Parties {
		p := &s.Parties[i]
		if len(p.Columns) == 0 {
			continue
		}
		what := "count, missing values, mean, variance, skewness and kurtosis"
		if n := len(s.Quantiles); n > 0 {
			what += fmt.Sprintf(", and %d quantiles,", n)
		}
		out = append(out, fmt.Sprintf("%s of each column of %s", what, p.Name))
		if s.Correlation && len(p.numbers()) > 0 {
			out, names = append(out, "correlations among columns of "+p.Name), append(names, p.Name)
		}
	}
	for i, a := range names {
		for _, b := range names[i+1:] {
			out = append(out, fmt.Sprintf("correlations of columns of %s and %s", a, b))
		}
	}
	return out
}

// Result returns the statistics that the results of a run of Spec describe. It returns an error if the results are not
// those of the program.
func (s *Statistics) Result(results []*tensor.Array) (*Result, error) {
	if s.Hidden != nil {
		return s.hiddenResult(results)
	}
	next := 0
	take := func() (*tensor.Array, error) {
		if next == len(results) || results[next] == nil {
			return nil, fmt.Errorf("statistics: result %d is missing", next)
		}
		next++
		return results[next-1], nil
	}
	r := &Result{Rows: s.Rows}
	var blocks [][]float64 // by rank, the products of a party's own columns
	var counts []int       // by rank, columns of numbers, 0 without correlations
	deviations := []float64{}
	for rank := range s.Parties {
		p := &s.Parties[rank]
		blocks, counts = append(blocks, nil), append(counts, 0)
		if len(p.Columns) == 0 {
			continue
		}
		a, err := take()
		if err != nil {
			return nil, err
		}
		own := floats(a)
		for i, c := range p.Columns {
			d, sd := s.describe(p.Name+"."+c.Name, c.Text, own[i*(fixed+len(s.Quantiles)):][:fixed+len(s.Quantiles)])
			r.Columns = append(r.Columns, d)
			if !c.Text && s.Correlation {
				r.Names = append(r.Names, d.Name)
				deviations = append(deviations, sd)
			}
		}
		if k := len(p.numbers()); s.Correlation && k > 0 {
			if a, err = take(); err != nil {
				return nil, err
			}
			blocks[rank], counts[rank] = floats(a), k
		}
	}
	if s.Correlation {
		r.Correlation = make([][]*float64, len(r.Names))
		for i := range r.Correlation {
			r.Correlation[i] = make([]*float64, len(r.Names))
		}
	}
	set := func(i, j int, product float64) {
		if deviations[i] == 0 || deviations[j] == 0 {
			return
		}
		c := max(-1, min(1, product/float64(s.Rows)))
		r.Correlation[i][j], r.Correlation[j][i] = &c, &c
	}
	at := 0
	var first []int // by rank, the position of its first column in Names
	for rank, k := range counts {
		first = append(first, at)
		for i := range k {
			for j := range i + 1 {
				set(at+i, at+j, blocks[rank][i*k+j])
			}
		}
		at += k
	}
	for a, k := range counts {
		for b := a + 1; b < len(counts); b++ {
			if k == 0 || counts[b] == 0 {
				continue
			}
			block, err := take()
			if err != nil {
				return nil, err
			}
			for i, x := range block.Floats() {
				set(first[a]+i/counts[b], first[b]+i%counts[b], x)
			}
		}
	}
	r.VIF = inflation(r.Correlation)
	if next != len(results) {
		return nil, fmt.Errorf("statistics: %d results, want %d", len(results), next)
	}
	return r, nil
}

// describe returns a column's description, and its standard deviation, 0 for equal values.
func (s *Statistics) describe(name string, text bool, own []float64) (Description, float64) {
	d := Description{Name: name, Count: int(own[0]), Missing: int(own[1])}
	if text || d.Count == 0 {
		return d, 0
	}
	d.Mean = &own[2]
	if d.Count > 1 {
		d.Variance = &own[3]
	}
	if !math.IsNaN(own[4]) {
		d.Skewness, d.Kurtosis = &own[4], &own[5]
	}
	for i, q := range s.Quantiles {
		d.Quantiles = append(d.Quantiles, Quantile{q, own[fixed+i]})
	}
	sd := math.Sqrt(own[3])
	if constant(own[2], sd) {
		sd = 0
	}
	return d, sd
}

// Print writes the statistics as tables.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d rows\n\n", r.Rows)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "\tcount\tmissing\tmean\tvariance\t"
	quantiles := 0
	for _, c := range r.Columns {
		if quantiles = len(c.Quantiles); quantiles > 0 {
			for _, q := range c.Quantiles {
				head += fmt.Sprintf("q%g\t", q.Q)
			}
			break
		}
	}
	fmt.Fprintln(t, head+"skewness\tkurtosis\t")
	for _, c := range r.Columns {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t", c.Name, c.Count, c.Missing, number(c.Mean), number(c.Variance))
		for _, q := range c.Quantiles {
			fmt.Fprintf(t, "%.6g\t", q.Value)
		}
		if len(c.Quantiles) == 0 { // of texts, or none are asked for
			fmt.Fprint(t, strings.Repeat("\t", quantiles))
		}
		fmt.Fprintf(t, "%s\t%s\t\n", number(c.Skewness), number(c.Kurtosis))
	}
	if err := t.Flush(); err != nil || r.Correlation == nil {
		return err
	}
	fmt.Fprintln(w, "\ncorrelation")
	fmt.Fprintf(t, "\t%s\t\n", strings.Join(r.Names, "\t"))
	for i, row := range r.Correlation {
		fmt.Fprintf(t, "%s\t", r.Names[i])
		for _, c := range row {
			if c == nil {
				fmt.Fprint(t, "-\t")
			} else {
				fmt.Fprintf(t, "%.4f\t", *c)
			}
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil || r.VIF == nil {
		return err
	}
	fmt.Fprintln(w, "\nvariance inflation")
	for i, v := range r.VIF {
		fmt.Fprintf(t, "%s\t%s\t\n", r.Names[i], number(v))
	}
	return t.Flush()
}

func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.6g", *x)
}
