package gbt

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// Model is a revealed model; encoding/json writes it. The score of a row is the sum over the trees of the value of the
// leaf that the row reaches, and the row's prediction is the logistic function of its score.
type Model struct {
	Kind string `json:"kind"` // KindName
	Rows int    `json:"rows"` // number of rows of the training; of a hidden join those of the keeper, of which the ones that match count
	// Hidden says that rows were matched by a hidden join. Few, if not 0, says that fewer rows than that match, perhaps none: then there are
	// no trees.
	Hidden bool   `json:"hidden,omitempty"`
	Join   string `json:"join,omitempty"` // left, of a left join, of which all rows of the keeper count
	Few    int    `json:"few,omitempty"`
	Bins   int    `json:"bins"`
	Depth  int    `json:"depth"`
	Trees  []Tree `json:"trees"` // those that are kept
	// Prepared are columns that were used as a declared preparation made them, not as they are in the table, by PARTY.COLUMN.
	Prepared []string `json:"prepared,omitempty"`
	// Of a training with Shape.Holdout: Trained is the number of trees that were trained, and Loss the mean logistic loss of
	// the rows that were held out.
	Holdout int     `json:"holdout,omitempty"`
	Trained int     `json:"trained,omitempty"`
	Loss    float64 `json:"holdout_loss,omitempty"`
	// Bounds are, of stacked tables, the bounds of bins of columns with ranges but for the last one's, by name. Equal ones have no rows
	// between them; a bound at the end of the range, above which no rows are, is left out.
	Bounds map[string][]float64 `json:"bounds,omitempty"`
}

// KindName is the value of Model.Kind.
const KindName = "gbt"

// Tree is a complete binary tree. The children of position i are the positions 2i + 1 and 2i + 2 of the list that has
// Nodes first and then Leaves. Leaves are the values that scores add up.
type Tree struct {
	Nodes  []Node    `json:"nodes"`
	Leaves []float64 `json:"leaves"`
}

// Node is a split of a tree. A row whose value of Feature is at most Threshold goes to the left child, each other one
// to the right. If Feature is "", all rows go left. Rows of a left join without a match have no value and go left; a Threshold of
// −math.MaxFloat64 separates them from all others.
type Node struct {
	Feature   string  `json:"feature,omitempty"` // alice.age
	Bin       int     `json:"bin,omitempty"`
	Threshold float64 `json:"threshold,omitempty"`
}

// Model returns the model that the results of a run of Spec describe. names are the names of all features,
// PARTY.FEATURE in rank order. It returns an error if the results are not those of the program.
func (s *Shape) Model(results []*tensor.Array, names []string) (*Model, error) {
	nodes := 1<<s.Depth - 1
	if len(names) != s.features() || len(results) != len(s.Results()) {
		return nil, fmt.Errorf("gbt: %d results and %d names, want %d and %d", len(results), len(names), len(s.Results()), s.features())
	}
	for i, r := range results[:4] {
		want := nodes
		if i == 3 {
			want++
		}
		if r == nil || !r.Shape.Equal(tensor.Shape{s.Trees, want}) {
			return nil, fmt.Errorf("gbt: result %d is not that of %d trees of depth %d", i, s.Trees, s.Depth)
		}
	}
	feature, bin, threshold, leaf := results[0].Words(), results[1].Words(), results[2].Words(), results[3].Words()
	m := &Model{Kind: KindName, Rows: s.Rows, Bins: s.Bins, Depth: s.Depth}
	m.Hidden = s.Hidden != nil
	var err error
	if m.Hidden && s.Hidden.Kind == hidden.Left {
		m.Join = s.Hidden.Kind.String()
	}
	if s.gridded() > 0 {
		at := results[len(results)-1]
		if at == nil || !at.Shape.Equal(tensor.Shape{s.gridded(), s.Bins - 1}) {
			return nil, errors.New("gbt: the bounds of bins at quantiles are missing")
		}
		if m.Bounds, err = s.boundsAt(at.Words(), names); err != nil {
			return nil, err
		}
	}
	if m.Hidden && results[len(results)-1].Words()[0] == 0 {
		m.Few, m.Trees = s.leastMatches(), []Tree{}
		return m, nil
	}
	kept := s.Trees
	if s.Holdout > 0 {
		if kept = int(results[4].Words()[0]); kept < 1 || kept > s.Trees {
			return nil, fmt.Errorf("gbt: %d trees are kept, and %d were trained", kept, s.Trees)
		}
		m.Holdout, m.Trained, m.Loss = s.Holdout, s.Trees, results[5].Floats()[0]
	}
	for t := range kept {
		var tree Tree
		for i := range nodes {
			at := t*nodes + i
			f, b := int(int32(feature[at])), int(int32(bin[at]))
			if f < 0 || f >= len(names) || b < 0 || b >= s.Bins {
				return nil, fmt.Errorf("gbt: node %d of tree %d has feature %d and bin %d, which do not exist", i, t, f, b)
			}
			node := Node{Feature: names[f], Bin: b, Threshold: number(int64(threshold[at]))}
			if math.IsInf(node.Threshold, 1) {
				node = Node{}
			}
			tree.Nodes = append(tree.Nodes, node)
		}
		for i := range nodes + 1 {
			tree.Leaves = append(tree.Leaves, math.Ldexp(float64(int32(leaf[t*(nodes+1)+i])), -leafFraction))
		}
		m.Trees = append(m.Trees, tree)
	}
	return m, nil
}

// boundsAt returns the bounds of bins of features with ranges, by name, from the cells in which they are.
func (s *Shape) boundsAt(cells []uint64, names []string) (map[string][]float64, error) {
	out := map[string][]float64{}
	for i, name := range names {
		if i >= len(s.Edges) || s.grid(i) == nil { // further names are those of parties beside stacked tables
			continue
		}
		g, of := s.grid(i), []float64{}
		for _, word := range cells[:s.Bins-1] {
			cell := int(int32(word))
			if cell < 0 || cell >= stacked.Cells {
				return nil, fmt.Errorf("gbt: a bound of %s is in cell %d, which does not exist", name, cell)
			}
			if x := g.Bound(cell); !math.IsInf(x, 1) {
				of = append(of, x)
			}
		}
		out[name], cells = of, cells[s.Bins-1:]
	}
	return out, nil
}

// Score returns the score of a row. value returns the row's value of a feature, which it gets by name, PARTY.FEATURE.
func (m *Model) Score(value func(feature string) float64) float64 {
	sum := 0.0
	for _, t := range m.Trees {
		at := 0
		for at < len(t.Nodes) {
			n := t.Nodes[at]
			at = 2*at + 1
			if n.Feature != "" && value(n.Feature) > n.Threshold {
				at++
			}
		}
		sum += t.Leaves[at-len(t.Nodes)]
	}
	return sum
}

// Used returns the names of the features that the model splits on, the most frequent first, and the number of nodes
// that split on each.
func (m *Model) Used() (names []string, counts map[string]int) {
	counts = map[string]int{}
	for _, t := range m.Trees {
		for _, n := range t.Nodes {
			if n.Feature != "" {
				if counts[n.Feature]++; counts[n.Feature] == 1 {
					names = append(names, n.Feature)
				}
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	return names, counts
}

// Renamed returns the model with other names for some of its features.
func (m *Model) Renamed(names map[string]string) *Model {
	out := *m
	out.Trees = make([]Tree, len(m.Trees))
	for i, t := range m.Trees {
		t.Nodes = slices.Clone(t.Nodes)
		for k := range t.Nodes {
			if name, ok := names[t.Nodes[k].Feature]; ok {
				t.Nodes[k].Feature = name
			}
		}
		out.Trees[i] = t
	}
	return &out
}

// Print writes the numbers of nodes that split on each feature.
func (m *Model) Print(w io.Writer) error {
	if m.Few > 0 {
		_, err := fmt.Fprintf(w, "%d rows, of which fewer than %d match, perhaps none: no trees\n", m.Rows, m.Few)
		return err
	}
	which := ""
	switch {
	case m.Join != "":
		which = ", all of which count"
	case m.Hidden:
		which = ", of which those that match count"
	}
	fmt.Fprintf(w, "%d trees of depth %d, %d bins, %d rows%s\n", len(m.Trees), m.Depth, m.Bins, m.Rows, which)
	if m.Holdout > 0 {
		fmt.Fprintf(w, "the first %d of %d trees, whose logistic loss of %d rows that were held out is least: %.6g\n",
			len(m.Trees), m.Trained, m.Rows/m.Holdout, m.Loss)
	}
	fmt.Fprint(w, "\nsplits by feature\n")
	names, counts := m.Used()
	for _, name := range names {
		if _, err := fmt.Fprintf(w, "%16s  %d\n", name, counts[name]); err != nil {
			return err
		}
	}
	return nil
}
