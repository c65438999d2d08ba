package bins

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// Groups sums columns over groups of rows. Its fields are what all parties know, and the data that this process has.
type Groups struct {
	Parties []string // in rank order
	Rows    int
	Owner   int        // rank of the owner of the groups
	By      []string   // names of the columns that make the groups, PARTY.COLUMN
	Levels  [][]string // of each of By; groups are all combinations, the last column's levels varying fastest
	// Of is the group of each row; nil in a process without the data.
	Of       []int
	Values   []Value
	MinGroup int // least number of rows of a group that is not withheld
	// Hidden, if not nil, is the hidden join that matched the rows: Rows are the keeper's, and those that match are counted. Data have a
	// value for each row of their owner's table.
	Hidden *hidden.Join
	// Stacked, if not nil, are the numbers of rows of the parties' tables, whose rows are those of one table, and Data are these by rank; nil
	// for parties whose data this process lacks. Of and Values.Values do not count then, nor do owners, unless there are parties beside these
	// tables, whose number of rows is 0: their ranks are owners of columns of theirs, and 0 that of columns of stacked tables.
	Stacked stacked.Rows
	Data    []*GroupRows
}

// GroupRows are a party's rows of stacked tables: the group of each, and the values of each of Groups.Values.
type GroupRows struct {
	Of     []int       // nil if another party has the groups
	Values [][]float64 // nil for those of other owners
}

// Value is a column whose sums a run computes. Values is nil in a process without the data.
type Value struct {
	Name   string // PARTY.COLUMN
	Owner  int    // rank
	Values []float64
}

// Groups are computed in a wide ring, in which sums of values of any usual scale are exact enough.
const (
	groupRing     = 128
	groupFraction = 40
	maxGroups     = 1 << 10
	maxValue      = 1 << 40 // in magnitude
)

// cells is the number of groups.
func (g *Groups) cells() int {
	n := 1
	for _, levels := range g.Levels {
		if n *= len(levels); n > maxGroups {
			return maxGroups + 1
		}
	}
	return n
}

// check refuses what cannot be summed. Errors about values name no value.
func (g *Groups) check() error {
	if g.Rows < 2 || g.Rows > maxRows {
		return fmt.Errorf("the tables have %d rows; groups are for 2 to %d", g.Rows, maxRows)
	}
	if err := checkHidden(g.Hidden, len(g.Parties), g.Rows); err != nil {
		return err
	}
	if len(g.By) == 0 || len(g.By) != len(g.Levels) {
		return errors.New("there are no columns that make groups")
	}
	if n := g.cells(); n < 1 || n > maxGroups {
		return fmt.Errorf("the columns %v make %d groups or more, want 1 to %d", g.By, n, maxGroups)
	}
	if err := g.checkStacked(); err != nil {
		return err
	}
	if n := g.Hidden.OfParty(g.Owner, g.Rows); g.Of != nil && len(g.Of) != n {
		return fmt.Errorf("the groups have %d rows, and the task has %d", len(g.Of), n)
	}
	if err := g.checkGroups(g.Of); err != nil {
		return err
	}
	for _, v := range g.Values {
		if n := g.Hidden.OfParty(v.Owner, g.Rows); v.Values != nil && len(v.Values) != n {
			return fmt.Errorf("%s has %d rows, and the task has %d", v.Name, len(v.Values), n)
		}
		if err := checkValues(v.Name, v.Values); err != nil {
			return err
		}
	}
	return checkMinGroup(g.MinGroup, g.Rows)
}

// checkGroups refuses rows without a group.
func (g *Groups) checkGroups(of []int) error {
	n := g.cells()
	for i, group := range of {
		if group < 0 || group >= n {
			return fmt.Errorf("row %d has none of the groups", i+1)
		}
	}
	return nil
}

// checkValues refuses values of a column that have no sum.
func checkValues(name string, values []float64) error {
	for i, x := range values {
		if !(math.Abs(x) < maxValue) {
			return fmt.Errorf("row %d of %s: the value is not below 2^40 in magnitude", i+1, name)
		}
	}
	return nil
}

// counts returns the number of rows of each group, and −1 for those that are withheld.
func (g *Groups) counts() []int {
	out := make([]int, g.cells())
	for _, cell := range g.Of {
		out[cell]++
	}
	for i, hidden := range Withheld(out, g.MinGroup, nil) {
		if hidden {
			out[i] = -1
		}
	}
	return out
}

// Spec returns the spec of a run that sums the columns: all parties compute, and all learn the results. The caller may
// set protocol and network. It returns an error if the Groups are invalid.
func (g *Groups) Spec() (party.Spec, error) {
	if err := g.check(); err != nil {
		return party.Spec{}, err
	}
	if g.Hidden != nil {
		w, err := g.hidden()
		if err != nil {
			return party.Spec{}, err
		}
		return *w.spec, nil
	}
	if g.Stacked.Besides() {
		return g.beside()
	}
	if g.Stacked != nil {
		return g.stacked()
	}
	spec := party.Spec{Ring: groupRing, Fraction: groupFraction, Parties: g.Parties, Computing: len(g.Parties), Network: party.DefaultNetwork}
	for rank := range g.Parties {
		spec.Reveal = append(spec.Reveal, rank)
	}
	w, n := build.New("groups"), g.cells()
	arg := func(name string, rank int, d tensor.DType, data *tensor.Array, dims ...int) build.Value {
		spec.Args = append(spec.Args, party.Arg{Owner: rank, Data: data})
		return w.Arg(name, d, dims...)
	}
	var counts []int
	var rows, hot *tensor.Array
	if g.Of != nil {
		counts = g.counts()
		words := make([]uint64, n)
		for i, c := range counts {
			words[i] = uint64(int64(c))
		}
		rows = tensor.FromWords(tensor.I64, tensor.Shape{n}, words)
	}
	results := []build.Value{arg("rows", g.Owner, tensor.I64, rows, n)}
	var members build.Value
	if g.others() > 0 {
		if counts != nil {
			hot = tensor.FromFloats(tensor.F64, tensor.Shape{n, g.Rows}, g.members(counts))
		}
		members = arg("groups", g.Owner, tensor.F64, hot, n, g.Rows)
	}
	for i, v := range g.Values {
		var data *tensor.Array
		if v.Owner == g.Owner { // in cleartext
			if v.Values != nil && counts != nil {
				data = bitsOf(g.sums(v.Values, counts))
			}
			results = append(results, arg(fmt.Sprintf("sums%d", i), v.Owner, tensor.U64, data, n))
			continue
		}
		if v.Values != nil {
			data = tensor.FromFloats(tensor.F64, tensor.Shape{g.Rows}, v.Values)
		}
		results = append(results, w.Dot(members, arg(fmt.Sprintf("value%d", i), v.Owner, tensor.F64, data, g.Rows)))
	}
	w.Return(results...)
	var err error
	spec.Program, err = w.Program()
	return spec, err
}

// members returns a matrix with a row for each group, which is 1 for the rows of the tables in it, and 0 if it is withheld.
func (g *Groups) members(counts []int) []float64 {
	out := make([]float64, len(counts)*g.Rows)
	for row, cell := range g.Of {
		if counts[cell] >= 0 {
			out[cell*g.Rows+row] = 1
		}
	}
	return out
}

// sums returns the sum of values of each group that is not withheld.
func (g *Groups) sums(values []float64, counts []int) []float64 {
	out := make([]float64, len(counts))
	for row, cell := range g.Of {
		if counts[cell] >= 0 {
			out[cell] += values[row]
		}
	}
	return out
}

// others is the number of summed columns that are not of the groups' owner.
func (g *Groups) others() int {
	n := 0
	for _, v := range g.Values {
		if v.Owner != g.Owner {
			n++
		}
	}
	return n
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (g *Groups) Outputs() []string {
	out := []string{"which groups are empty and which are withheld", "rows of the other groups"}
	if len(g.Values) > 0 {
		out = append(out, "sums of the other groups")
	}
	if g.matches() {
		out = append(out, "rows of the other groups that match")
	}
	if g.Hidden != nil {
		out = append(out, hidden.Withholds(g.MinGroup))
	}
	return out
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (g *Groups) Results() []string {
	out := []string{"rows of each group that is not withheld, and which are"}
	for _, v := range g.Values {
		out = append(out, "sum of "+v.Name+" in each group that is not withheld")
	}
	if g.matches() {
		out = append(out, "rows that match in each group that is not withheld")
	}
	if g.Hidden != nil {
		out = append(out, hidden.Withholds(g.MinGroup))
	}
	return out
}

// Summary holds the sums over groups that a run of Groups revealed.
type Summary struct {
	Rows   int    `json:"rows"` // of a hidden join those of the keeper, of which the ones that match count, in a left join all
	Hidden bool   `json:"hidden,omitempty"`
	Join   string `json:"join,omitempty"` // left, of a left join
	// Few, if not 0, says that fewer rows than that match in a hidden join, perhaps none: then nothing else is revealed.
	Few      int      `json:"few,omitempty"`
	By       []string `json:"by"`
	Values   []string `json:"values,omitempty"`
	MinGroup int      `json:"min_group"`
	Groups   []Group  `json:"groups"` // that have rows
}

// Group is one group of rows. Levels has a level of each column of Summary.By. If the group is withheld, Rows is 0, and
// Sums and Means are absent.
type Group struct {
	Levels []string `json:"levels"`
	// Unmatched says that the group is that of the rows of a left join without a match, if columns of the other party make groups. It
	// has no Levels.
	Unmatched bool `json:"unmatched,omitempty"`
	Withheld  bool `json:"withheld,omitempty"`
	Rows      int  `json:"rows,omitempty"`
	// Matching is the number of rows that match, of groups of a left join by columns of the keeper with values of the other party.
	Matching *int      `json:"matching,omitempty"`
	Sums     []float64 `json:"sums,omitempty"` // of Summary.Values
	// Means are Sums by numbers of rows, of a left join's other party by those of rows that match; nil if there are none.
	Means []*float64 `json:"means,omitempty"`
}

// Result returns the sums that the results of a run of Spec describe. It returns an error if the results are not those
// of the program.
func (g *Groups) Result(results []*tensor.Array) (*Summary, error) {
	n := g.groups()
	if want := len(g.Results()); len(results) != want || slices.Contains(results, nil) {
		return nil, fmt.Errorf("groups: %d results, want %d", len(results), want)
	}
	out := &Summary{Rows: g.Rows, Hidden: g.Hidden != nil, By: g.By, MinGroup: g.MinGroup, Groups: []Group{}}
	if g.Hidden != nil {
		if g.Hidden.Kind == hidden.Left {
			out.Join = g.Hidden.Kind.String()
		}
		if last := len(results) - 1; results[last].Words()[0] == 0 {
			out.Few = g.MinGroup
		}
	}
	for _, v := range g.Values {
		out.Values = append(out.Values, v.Name)
	}
	sums := make([][]float64, len(g.Values))
	for i, r := range results[:1+len(sums)] {
		if r == nil || !r.Shape.Equal(tensor.Shape{n}) {
			return nil, fmt.Errorf("groups: result %d is missing, or not one of %d groups", i, n)
		}
		if i == 0 {
			continue
		}
		if sums[i-1] = r.Floats(); r.DType == tensor.U64 {
			for k, w := range r.Words() {
				sums[i-1][k] = math.Float64frombits(w)
			}
		}
	}
	for i, w := range results[0].Words() {
		rows := int(int64(w))
		if rows == 0 {
			continue
		}
		group := Group{Levels: []string{}, Unmatched: i >= g.cells(), Withheld: rows < 0}
		if !group.Unmatched {
			group.Levels = g.levels(i)
		}
		if !group.Withheld {
			group.Rows = rows
			matching := rows // of rows with values of a party that lacks some
			if g.matches() {
				matching = int(int64(results[1+len(sums)].Words()[i]))
				group.Matching = &matching
			} else if group.Unmatched {
				matching = 0
			}
			for k, s := range sums {
				of := rows
				if g.Hidden.Lacks(g.Values[k].Owner) {
					of = matching
				}
				group.Sums = append(group.Sums, s[i])
				group.Means = append(group.Means, mean(s[i], of))
			}
		}
		out.Groups = append(out.Groups, group)
	}
	return out, nil
}

// mean returns a sum by its number of rows; nil without rows.
func mean(sum float64, rows int) *float64 {
	if rows == 0 {
		return nil
	}
	m := sum / float64(rows)
	return &m
}

// levels returns the levels of a group.
func (g *Groups) levels(group int) []string {
	out := make([]string, len(g.Levels))
	for i := len(g.Levels) - 1; i >= 0; i-- {
		k := len(g.Levels[i])
		out[i], group = g.Levels[i][group%k], group/k
	}
	return out
}

// Print writes a table with a row for each group.
func (s *Summary) Print(w io.Writer) error {
	if s.Few > 0 {
		_, err := fmt.Fprintf(w, "%d rows, of which fewer than %d match, perhaps none: no groups\n", s.Rows, s.Few)
		return err
	}
	which := ""
	switch {
	case s.Join != "":
		which = ", all of which count"
	case s.Hidden:
		which = ", of which those that match count"
	}
	fmt.Fprintf(w, "%d rows%s, groups of fewer than %d are withheld\n\n", s.Rows, which, s.MinGroup)
	matching := slices.ContainsFunc(s.Groups, func(g Group) bool { return g.Matching != nil })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\trows\t", strings.Join(s.By, "\t"))
	if matching {
		fmt.Fprint(t, "matching\t")
	}
	for _, name := range s.Values {
		fmt.Fprintf(t, "sum of %s\tmean\t", name)
	}
	fmt.Fprintln(t)
	for _, g := range s.Groups {
		for _, level := range g.Levels {
			fmt.Fprintf(t, "%q\t", level)
		}
		if g.Unmatched {
			fmt.Fprint(t, "no match", strings.Repeat("\t", len(s.By)))
		}
		columns := 2 * len(s.Values)
		if matching {
			columns++
		}
		if g.Withheld {
			fmt.Fprintln(t, "withheld\t"+strings.Repeat("\t", columns))
			continue
		}
		fmt.Fprintf(t, "%d\t", g.Rows)
		if matching {
			fmt.Fprintf(t, "%d\t", *g.Matching)
		}
		for i := range g.Sums {
			mean := "-"
			if m := g.Means[i]; m != nil {
				mean = fmt.Sprintf("%.6g", *m)
			}
			fmt.Fprintf(t, "%.6g\t%s\t", g.Sums[i], mean)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
