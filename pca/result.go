package pca

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// KindName is the value of Result.Kind.
const KindName = "pca"

// Result holds the principal components that a run revealed; encoding/json writes it.
type Result struct {
	Kind string `json:"kind"` // KindName
	Rows int    `json:"rows"` // of a hidden join those of the keeper, of which the ones that match count
	// Hidden says that rows were matched by a hidden join. Few, if not 0, says that fewer rows than that match, perhaps none: then nothing
	// else is revealed.
	Hidden   bool      `json:"hidden,omitempty"`
	Few      int       `json:"few,omitempty"`
	Join     string    `json:"join,omitempty"` // left: all rows of the keeper count; outer: those of both parties, each key once
	Features []Feature `json:"features"`
	// Components have the largest variance first. Those without variance are left out.
	Components []Component `json:"components"`
}

// Feature is a feature with the mean and the standard deviation by which its owner standardised it.
type Feature = table.Standard

// Component is a principal component. The value of a row along it is the sum of the row's standardised features, each
// times its entry of Loadings.
type Component struct {
	Variance float64   `json:"variance"` // of the rows' values; the sum over all components is the number of features
	Share    float64   `json:"share"`    // of the variance of all features
	Loadings []float64 `json:"loadings"` // of Features, of length 1; the largest in magnitude is positive
}

// leastVariance is the variance below which a component is none: fixed-point errors are below it.
const leastVariance = 1e-6

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (s *Shape) Outputs() []string {
	out := []string{fmt.Sprintf("%d components", s.Components), "variance of each component", "mean and standard deviation of each feature"}
	if s.Hidden != nil {
		out = append(out, hidden.Withholds(s.leastMatches()))
	}
	return out
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (s *Shape) Results() []string {
	out := []string{"components", "variance of each component"}
	for rank, k := range s.Features {
		switch {
		case k == 0:
		case s.Stacked != nil && s.Stacked[rank] > 0:
			out = append(out, "mean and standard deviation of each feature of the stacked tables")
		default:
			out = append(out, "mean and standard deviation of each feature of "+s.Parties[rank])
		}
	}
	if s.Hidden != nil {
		out = append(out, hidden.Withholds(s.leastMatches()))
	}
	return out
}

// Result returns the components that the results of a run of Spec describe. names are the names of all features,
// PARTY.FEATURE in rank order. It returns an error if the results are not those of the program.
func (s *Shape) Result(results []*tensor.Array, names []string) (*Result, error) {
	p := s.features()
	if n := len(s.Results()); len(results) != n || len(names) != p {
		return nil, fmt.Errorf("pca: %d results and %d names, want %d and %d", len(results), len(names), n, p)
	}
	for i, x := range results {
		if x == nil {
			return nil, fmt.Errorf("pca: result %d is missing", i)
		}
	}
	r := &Result{Kind: KindName, Rows: s.Rows, Hidden: s.Hidden != nil}
	if s.Hidden != nil && s.Hidden.Kind != hidden.Inner {
		r.Join = s.Hidden.Kind.String()
	}
	if s.Hidden != nil {
		if results[len(results)-1].Words()[0] == 0 {
			r.Few, r.Features, r.Components = s.leastMatches(), []Feature{}, []Component{}
			return r, nil
		}
	}
	next := 2
	for rank, k := range s.Features {
		if k == 0 {
			continue
		}
		standards := table.Standards // of what an owner computed
		if s.Hidden != nil || s.Stacked != nil && s.Stacked[rank] > 0 {
			standards = table.UnitStandards
		}
		r.Features = append(r.Features, standards(names[len(r.Features):], results[next])...)
		next++
	}
	loadings, variances := results[0].Floats(), results[1].Floats()
	for i, v := range variances {
		if v < leastVariance {
			break
		}
		c := Component{Variance: v, Share: v / float64(p), Loadings: loadings[i*p:][:p]}
		largest := 0.0
		for _, x := range c.Loadings {
			if math.Abs(x) > math.Abs(largest) {
				largest = x
			}
		}
		if largest < 0 {
			for j := range c.Loadings {
				c.Loadings[j] *= -1
			}
		}
		r.Components = append(r.Components, c)
	}
	return r, nil
}

// Print writes a table of the components' loadings and variances.
func (r *Result) Print(w io.Writer) error {
	if r.Few > 0 {
		_, err := fmt.Fprintf(w, "%d rows, of which fewer than %d match, perhaps none: no components\n", r.Rows, r.Few)
		return err
	}
	which := ""
	switch {
	case r.Join == "left":
		which = ", all of which count"
	case r.Join == "outer":
		which = " of both parties, of which those that match count once"
	case r.Hidden:
		which = ", of which those that match count"
	}
	fmt.Fprintf(w, "%d rows%s, %d features, %d components\n\n", r.Rows, which, len(r.Features), len(r.Components))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := func(what string, of func(i int, c *Component) string) {
		fmt.Fprintf(t, "%s\t", what)
		for i := range r.Components {
			fmt.Fprintf(t, "%s\t", of(i, &r.Components[i]))
		}
		fmt.Fprintln(t)
	}
	head("component", func(i int, _ *Component) string { return fmt.Sprint(i + 1) })
	head("variance", func(_ int, c *Component) string { return fmt.Sprintf("%.4f", c.Variance) })
	head("share", func(_ int, c *Component) string { return fmt.Sprintf("%.4f", c.Share) })
	for j, f := range r.Features {
		head(f.Name, func(_ int, c *Component) string { return fmt.Sprintf("%.4f", c.Loadings[j]) })
	}
	return t.Flush()
}
