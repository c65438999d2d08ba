package bins

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// Result holds what a run of a Binning revealed.
type Result struct {
	Rows int `json:"rows"` // that count: of a hidden join those that match, of a left join those of the keeper
	// Few, if not 0, says that fewer rows than that match in a hidden join, perhaps none: then nothing else is revealed.
	Few       int         `json:"few,omitempty"`
	Positives int         `json:"positives"`
	MinGroup  int         `json:"min_group"`
	Sample    bool        `json:"sample,omitempty"` // the target says to which of two samples a row belongs
	Features  []Described `json:"features"`
}

// Described is a feature with its bins and its information value.
type Described struct {
	Name string `json:"name"` // alice.age
	// Value is the information value (with Sample, the population stability index) of the bins that are shown; absent if
	// none is.
	Value *float64 `json:"information_value,omitempty"`
	// Withheld says that Value lacks bins.
	Withheld bool  `json:"withheld,omitempty"`
	Bins     []Bin `json:"bins"` // that have rows
}

// Bin is one bin of a feature, with what the run revealed of it.
type Bin struct {
	// Level is the text of the bin's rows, Missing says that their values are missing; else they are above Above and up to
	// UpTo (absent: no bound).
	Level    *string  `json:"level,omitempty"`
	Missing  bool     `json:"missing,omitempty"`
	Above    *float64 `json:"above,omitempty"`
	UpTo     *float64 `json:"up_to,omitempty"`
	Withheld bool     `json:"withheld,omitempty"`
	// Rows and Positives are 0 if the bin is withheld, and Evidence, the weight of evidence, is absent.
	Rows      int      `json:"rows,omitempty"`
	Positives int      `json:"positives,omitempty"`
	Evidence  *float64 `json:"weight_of_evidence,omitempty"`
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (b *Binning) Outputs() []string {
	if b.Hidden != nil {
		totals := "number of positives"
		if b.Hidden.Weighs() {
			totals = "numbers of rows that match and of positives among them"
		}
		return []string{
			"which bins are empty and which are withheld", "rows and positives of the other bins", totals, hidden.Withholds(b.MinGroup),
			"upper bounds of bins of numbers, which are quantiles of all rows of their owner",
		}
	}
	out := []string{"which bins are empty and which are withheld", "rows and positives of the other bins", "number of positives of all rows"}
	switch {
	case b.grids() > 0:
		return append(out, "upper bounds of bins of numbers, which are quantiles of all rows: from its own rows each party can tell how many rows of the "+
			"others are about in each of these bins")
	case b.Stacked != nil: // the task says the bounds
		if slices.ContainsFunc(b.Features, func(f Feature) bool { return f.atOwn() }) {
			out = append(out, "upper bounds of bins of numbers of parties beside the stacked tables, which are quantiles of their columns")
		}
		return out
	}
	return append(out, "upper bounds of bins of numbers")
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (b *Binning) Results() []string {
	if b.Stacked != nil {
		out := []string{"for each bin: empty, shown or withheld", "rows of each bin that is shown", "positives of each bin that is shown",
			"number of positives"}
		if b.grids() > 0 {
			out = append(out, "upper bounds of the bins of columns with a range, as cells of it")
		}
		for _, f := range b.Features {
			if f.atOwn() {
				out = append(out, "upper bounds of the bins of "+f.Name)
			}
		}
		return out
	}
	var out, bounds []string
	for rank, name := range b.Parties {
		has := false
		for _, f := range b.Features {
			has = has || f.Owner == rank
		}
		if has {
			out = append(out, "for each bin of "+name+": empty, shown or withheld", "rows of each bin of "+name+" that is shown",
				"positives of each bin of "+name+" that is shown")
		}
	}
	for _, f := range b.Features {
		if f.Levels == nil {
			bounds = append(bounds, "upper bounds of the bins of "+f.Name)
		}
	}
	if out = append(out, "number of positives"); b.Hidden.Weighs() {
		out = append(out, "number of rows that match")
	}
	if b.Hidden != nil {
		out = append(out, hidden.Withholds(b.MinGroup))
	}
	return append(out, bounds...)
}

// States of bins.
const (
	empty = iota
	shown
	withheld
)

// Result returns the bins that the results of a run of Spec describe. It returns an error if the results are not those
// of the program.
func (b *Binning) Result(results []*tensor.Array) (*Result, error) {
	if n := len(b.Results()); len(results) != n {
		return nil, fmt.Errorf("bins: %d results, want %d", len(results), n)
	}
	for i, r := range results {
		if r == nil {
			return nil, fmt.Errorf("bins: result %d is missing", i)
		}
	}
	cells := make([][][3]int, len(b.Features)) // state, rows and positives
	next := 0
	for rank := range b.Parties {
		at, mine := 0, results[next:]
		for i, f := range b.Features {
			if b.Stacked == nil && f.Owner != rank || b.Stacked != nil && rank > 0 {
				continue
			}
			for range f.cells() {
				var c [3]int
				for k := range c {
					words := mine[k].Words()
					if at >= len(words) {
						return nil, fmt.Errorf("bins: result %d is too short", next+k)
					}
					c[k] = int(int32(words[at]))
				}
				cells[i] = append(cells[i], c)
				at++
			}
		}
		if at > 0 {
			next += 3
		}
	}
	r := &Result{Rows: b.Rows, Positives: int(int32(results[next].Words()[0])), MinGroup: b.MinGroup, Sample: b.Sample}
	if b.Hidden.Weighs() {
		next++
		r.Rows = int(int32(results[next].Words()[0]))
	}
	if b.Hidden != nil {
		if next++; results[next].Words()[0] == 0 {
			r.Few, r.Features = b.MinGroup, []Described{}
			return r, nil
		}
	}
	grid := 0
	for i, f := range b.Features {
		var bounds []float64
		if f.Grid != nil {
			var err error
			if bounds, err = f.gridBounds(results[next+1].Words(), grid); err != nil {
				return nil, err
			}
			grid++
		} else if b.Stacked != nil && !f.atOwn() {
			bounds = f.Bounds
		} else if f.Levels == nil {
			next++
			for _, w := range results[next].Words() {
				bounds = append(bounds, math.Float64frombits(w))
			}
			if len(bounds) != f.Bins {
				return nil, fmt.Errorf("bins: result %d has %d bounds, want %d", next, len(bounds), f.Bins)
			}
		}
		r.Features = append(r.Features, f.described(cells[i], bounds, r))
	}
	return r, nil
}

// grids is the number of features with a grid.
func (b *Binning) grids() int {
	n := 0
	for _, f := range b.Features {
		if f.Grid != nil {
			n++
		}
	}
	return n
}

// gridBounds returns the bounds of the bins of the number-th feature with a grid, from the cells of all.
func (f *Feature) gridBounds(cells []uint64, number int) ([]float64, error) {
	var out []float64
	for i := range f.Bins - 1 {
		at := number*(f.Bins-1) + i
		if at >= len(cells) || cells[at] >= stacked.Cells {
			return nil, fmt.Errorf("bins: bound %d of %s is no cell of its range", i+1, f.Name)
		}
		out = append(out, f.Grid.Bound(int(cells[at])))
	}
	return append(out, math.Inf(1)), nil
}

// described returns a feature of which the state, rows and positives of all bins are known.
func (f *Feature) described(cells [][3]int, bounds []float64, r *Result) Described {
	d := Described{Name: f.Name}
	value, any := 0.0, false
	for i, c := range cells {
		if c[0] == empty {
			continue
		}
		bin := Bin{Withheld: c[0] == withheld}
		switch {
		case i == f.Bins:
			bin.Missing = true
		case f.Levels != nil:
			bin.Level = &f.Levels[i]
		default:
			if i > 0 {
				bin.Above = &bounds[i-1]
			}
			if !math.IsInf(bounds[i], 1) {
				bin.UpTo = &bounds[i]
			}
		}
		if bin.Withheld {
			d.Withheld = true
			d.Bins = append(d.Bins, bin)
			continue
		}
		bin.Rows, bin.Positives = c[1], c[2]
		p := float64(c[2]) / float64(r.Positives)
		q := float64(c[1]-c[2]) / float64(r.Rows-r.Positives)
		evidence := math.Log(p / q)
		bin.Evidence, value, any = &evidence, value+(p-q)*evidence, true
		d.Bins = append(d.Bins, bin)
	}
	if any {
		d.Value = &value
	}
	return d
}

// name returns a bin's name for people.
func (b *Bin) name() string {
	switch {
	case b.Missing:
		return "missing"
	case b.Level != nil:
		return fmt.Sprintf("%q", *b.Level)
	case b.Above == nil && b.UpTo == nil:
		return "all"
	case b.Above == nil:
		return fmt.Sprintf("to %.6g", *b.UpTo)
	case b.UpTo == nil:
		return fmt.Sprintf("above %.6g", *b.Above)
	}
	return fmt.Sprintf("%.6g to %.6g", *b.Above, *b.UpTo)
}

// Print writes a table of bins for each feature.
func (r *Result) Print(w io.Writer) error {
	if r.Few > 0 {
		_, err := fmt.Fprintf(w, "fewer than %d rows match, perhaps none: no bins\n", r.Few)
		return err
	}
	what, positives := "information value", "positives"
	if r.Sample {
		what, positives = "stability index", "second sample"
	}
	fmt.Fprintf(w, "%d rows, %d %s\n", r.Rows, r.Positives, positives)
	for _, f := range r.Features {
		value := "-"
		if f.Value != nil {
			value = fmt.Sprintf("%.4f", *f.Value)
		}
		if f.Withheld {
			value += " (of the bins that are shown)"
		}
		fmt.Fprintf(w, "\n%s: %s %s\n", f.Name, what, value)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "\trows\t%s\tweight of evidence\t\n", positives)
		for i := range f.Bins {
			if b := &f.Bins[i]; b.Withheld {
				fmt.Fprintf(t, "%s\twithheld\t\t\t\n", b.name())
			} else {
				fmt.Fprintf(t, "%s\t%d\t%d\t%.4f\t\n", b.name(), b.Rows, b.Positives, *b.Evidence)
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
