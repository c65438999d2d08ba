package kmeans

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// KindName is the value of Result.Kind.
const KindName = "kmeans"

// Result holds the clusters that a run revealed; encoding/json writes it.
type Result struct {
	Kind string `json:"kind"` // KindName
	Rows int    `json:"rows"` // of a hidden join those of the keeper, of which the ones that match count
	// Hidden says that rows were matched by a hidden join: Features have no mean and standard deviation then, by which the owners standardised
	// all of their rows. Those of stacked tables have none either.
	Hidden bool   `json:"hidden,omitempty"`
	Join   string `json:"join,omitempty"` // left, of a left join
	// Few, if not 0, says that fewer rows than that match, perhaps none: then nothing else is revealed.
	Few      int       `json:"few,omitempty"`
	MinGroup int       `json:"min_group"`
	Features []Feature `json:"features"`
	// Inertia is the sum of squared distances of standardised rows from their centres.
	Inertia  float64   `json:"inertia"`
	Clusters []Cluster `json:"clusters"`
	// Assigned are the numbers of the rows' clusters, from 1; absent unless the task asks for them.
	// Those of stacked tables are in the order of the parties.
	Assigned []int `json:"assigned,omitempty"`
}

// Feature is a feature with the mean and the standard deviation by which its owner standardised it.
type Feature = table.Standard

// Cluster is a cluster with what the run revealed of it. If it is withheld or empty, Rows is 0 and Centre is absent.
type Cluster struct {
	Number   int       `json:"number"` // from 1
	Withheld bool      `json:"withheld,omitempty"`
	Rows     int       `json:"rows"`
	Centre   []float64 `json:"centre,omitempty"` // in the units of the features
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (s *Shape) Outputs() []string {
	out := []string{
		"rows and centre of each cluster that is not withheld", "which clusters are empty and which are withheld",
		"sum of squared distances from the centres", "mean and standard deviation of each feature",
	}
	if s.Hidden != nil {
		if other := 1 - s.Hidden.Keeper; s.Hidden.Lacks(other) && s.Features[other] > 0 {
			out[0] += ", in which rows without a match have the mean of all rows of " + s.Parties[other]
		}
		return append(out[:3], hidden.Withholds(s.leastMatches()))
	}
	if s.Stacked != nil {
		out = out[:3]
	}
	if s.Assign {
		out = append(out, "cluster of each row")
	}
	return out
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (s *Shape) Results() []string {
	out := []string{
		"for each cluster: empty, shown or withheld", "rows of each cluster that is shown", "centre of each cluster that is shown",
		"sum of squared distances from the centres",
	}
	if s.Hidden != nil {
		return append(out, hidden.Withholds(s.leastMatches()))
	}
	for rank, k := range s.Features {
		if k > 0 && s.Stacked == nil {
			out = append(out, "mean and standard deviation of each feature of "+s.Parties[rank])
		}
	}
	if s.Assign {
		out = append(out, "cluster of each row")
	}
	return out
}

// Result returns the clusters that the results of a run of Spec describe. names are the names of all features,
// PARTY.FEATURE in rank order. It returns an error if the results are not those of the program.
func (s *Shape) Result(results []*tensor.Array, names []string) (*Result, error) {
	d := s.features()
	if n := len(s.Results()); len(results) != n || len(names) != d {
		return nil, fmt.Errorf("kmeans: %d results and %d names, want %d and %d", len(results), len(names), n, d)
	}
	for i, x := range results {
		if x == nil {
			return nil, fmt.Errorf("kmeans: result %d is missing", i)
		}
	}
	if s.Hidden != nil || s.Stacked != nil {
		return s.hiddenResult(results, names), nil
	}
	r := &Result{Kind: KindName, Rows: s.Rows, MinGroup: s.MinGroup, Inertia: results[3].Floats()[0] + float64(s.Rows*d)}
	next := 4
	for _, k := range s.Features {
		if k == 0 {
			continue
		}
		r.Features = append(r.Features, table.Standards(names[len(r.Features):], results[next])...)
		next++
	}
	states, rows, centres := results[0].Words(), results[1].Words(), results[2].Floats()
	for i := range s.Clusters {
		c := Cluster{Number: i + 1, Withheld: states[i] == 2, Rows: int(int32(rows[i]))}
		if states[i] == 1 {
			for j, f := range r.Features {
				c.Centre = append(c.Centre, f.Mean+f.SD*centres[i*d+j])
			}
		}
		r.Clusters = append(r.Clusters, c)
	}
	if s.Assign {
		r.assign(results[next])
	}
	return r, nil
}

// assign sets the numbers of the rows' clusters.
func (r *Result) assign(clusters *tensor.Array) {
	for _, w := range clusters.Words() {
		r.Assigned = append(r.Assigned, int(int32(w))+1)
	}
}

// Print writes a table with a row for each cluster.
func (r *Result) Print(w io.Writer) error {
	if r.Few > 0 {
		_, err := fmt.Fprintf(w, "%d rows, of which fewer than %d match, perhaps none: no clusters\n", r.Rows, r.Few)
		return err
	}
	which := ""
	switch {
	case r.Join != "":
		which = ", all of which count"
	case r.Hidden:
		which = ", of which those that match count"
	}
	fmt.Fprintf(w, "%d rows%s, %d clusters, sum of squared distances %.6g (standardised)\n\n", r.Rows, which, len(r.Clusters), r.Inertia)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "cluster\trows\t")
	for _, f := range r.Features {
		fmt.Fprintf(t, "%s\t", f.Name)
	}
	fmt.Fprintln(t)
	for _, c := range r.Clusters {
		rows := fmt.Sprint(c.Rows)
		if c.Withheld {
			rows = "withheld"
		}
		fmt.Fprintf(t, "%d\t%s\t", c.Number, rows)
		for j := range r.Features {
			if c.Centre == nil {
				fmt.Fprint(t, "\t")
			} else {
				fmt.Fprintf(t, "%.6g\t", c.Centre[j])
			}
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
