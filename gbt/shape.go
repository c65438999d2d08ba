package gbt

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
)

// Shape describes a training by what all parties know of it, without data. The program depends on the Shape alone.
// Methods need the Shape that Resolve returned.
type Shape struct {
	Parties  []string // in rank order
	Features []int    // number of features of each party, by rank
	Rows     int
	Owner    int // rank of the target's owner
	Trees    int // 0: DefaultTrees
	Depth    int // levels of splits; 0: DefaultDepth
	Bins     int // of each feature; 0: DefaultBins
	// Rate multiplies the leaves' values; 0: DefaultRate. Lambda is added to sums of Hessians; 0: DefaultLambda. MinWeight
	// is the least sum of Hessians on each side of a split, of stacked tables that of each party's rows; 0: DefaultMinWeight.
	Rate, Lambda, MinWeight float64
	// Subsample is the fraction of rows that a tree is trained on, drawn by a hash of Seed, the tree and the row; 0: all.
	// All parties know which rows are drawn.
	Subsample float64
	Seed      uint32
	// Holdout, if not 0, stops early: no tree is trained on rows Holdout−1, 2·Holdout−1, … (from 0), and the model has the
	// first trees up to the one after which these rows' logistic loss is least. All trees are trained, and their number is an output.
	Holdout int
	// Splits says who learns the splits while trees are trained: HiddenSplits, the default, or OwnerSplits.
	Splits string
	// Hidden, if not nil, is the hidden join that matched the rows: Rows are the keeper's, and trees are trained on those that match.
	Hidden *hidden.Join
	// Stacked, if not nil, are the numbers of rows of the parties' tables, by rank, whose rows are those of one table: each party has all
	// features, Features[0], and the target of its own rows. Edges are then the bounds of each feature's bins but for the last one,
	// ascending, which all parties know. Bins is one more than the longest of them. Grids, if not nil, are the ranges of features, nil for
	// those with Edges; a feature with a range has nil Edges, and Bins bins with bounds at quantiles of all rows, which all parties with rows
	// learn before the first tree. Parties whose number of rows is 0 are beside these tables: they have further Features of all rows, or the
	// target, and bins with bounds at quantiles of their own columns, as many as Bins says, by default DefaultBins or more.
	Stacked stacked.Rows
	Edges   [][]float64
	Grids   []*stacked.Grid
}

// Defaults of a Shape, those of XGBoost but for Trees, Depth and Bins.
const (
	DefaultTrees     = 10  // Shape.Trees if it is 0
	DefaultDepth     = 5   // Shape.Depth if it is 0
	DefaultBins      = 32  // Shape.Bins if it is 0
	DefaultRate      = 0.3 // Shape.Rate if it is 0
	DefaultLambda    = 1.0 // Shape.Lambda if it is 0
	DefaultMinWeight = 1.0 // Shape.MinWeight if it is 0
)

// Bounds of a Shape.
const (
	maxRows    = 1 << 22
	maxTrees   = 300
	maxDepth   = 8
	maxBins    = 256
	maxHoldout = 100
	maxColumns = 1 << 16 // features times bins
)

// Resolve returns a copy of the Shape with defaults in place of zero fields. It returns an error that names the field
// if a value is out of range.
func (s Shape) Resolve() (*Shape, error) {
	if err := s.resolveStacked(); err != nil {
		return nil, err
	}
	for _, x := range []struct {
		to          *int
		is          int
		name        string
		least, most int
	}{
		{&s.Trees, DefaultTrees, "trees", 1, maxTrees}, {&s.Depth, DefaultDepth, "depth", 1, maxDepth}, {&s.Bins, DefaultBins, "bins", 2, maxBins},
	} {
		if *x.to == 0 {
			*x.to = x.is
		}
		if *x.to < x.least || *x.to > x.most {
			return nil, fmt.Errorf("%s: want %d to %d, got %d", x.name, x.least, x.most, *x.to)
		}
	}
	for _, x := range []struct {
		to          *float64
		is          float64
		name        string
		least, most float64
	}{
		{&s.Rate, DefaultRate, "rate", 1e-3, 1}, {&s.Lambda, DefaultLambda, "lambda", 1e-2, 1e4},
		{&s.MinWeight, DefaultMinWeight, "min_weight", 1e-3, 1e5}, {&s.Subsample, 1, "subsample", 1e-2, 1},
	} {
		if *x.to == 0 {
			*x.to = x.is
		}
		if !(*x.to >= x.least && *x.to <= x.most) {
			return nil, fmt.Errorf("%s: want %g to %g, got %v", x.name, x.least, x.most, *x.to)
		}
	}
	if s.Owner < 0 || s.Owner >= len(s.Parties) {
		return nil, fmt.Errorf("the target has no owner among the %d parties", len(s.Parties))
	}
	if len(s.Features) != len(s.Parties) || slices.Min(s.Features) < 0 {
		return nil, fmt.Errorf("want the numbers of features of %d parties", len(s.Parties))
	}
	for _, k := range s.Features {
		if k > maxColumns/s.Bins {
			return nil, fmt.Errorf("%d features of %d bins are too many: at most %d one-hot columns", k, s.Bins, maxColumns)
		}
	}
	switch n := s.features() * s.Bins; {
	case n == 0:
		return nil, fmt.Errorf("the model has no features")
	case n > maxColumns:
		return nil, fmt.Errorf("%d features of %d bins are too many: at most %d one-hot columns", s.features(), s.Bins, maxColumns)
	case s.Rows < 2 || s.Rows > maxRows:
		return nil, fmt.Errorf("the tables have %d rows; trees need 2 to %d", s.Rows, maxRows)
	case s.Holdout != 0 && (s.Holdout < 2 || s.Holdout > maxHoldout || s.Holdout > s.Rows):
		return nil, fmt.Errorf("holdout: want 2 to %d, which holds out every second to every hundredth row, and as many rows, got %d", maxHoldout, s.Holdout)
	}
	if err := s.checkHidden(); err != nil {
		return nil, err
	}
	if err := s.resolveSplits(); err != nil {
		return nil, err
	}
	return &s, nil
}

// features is the number of features of all parties.
func (s *Shape) features() int {
	n := 0
	for _, k := range s.Features {
		n += k
	}
	return n
}

// fraction is the number of fraction bits of gradients and Hessians: sums over all rows are below 2^30.
func (s *Shape) fraction() int { return min(14, 30-bits.Len(uint(s.Rows))) }

// leafFraction is the number of fraction bits of leaves and scores.
const leafFraction = 20

// Owners returns, for each argument of the program, the rank of its owner.
func (s *Shape) Owners() []int {
	var out []int
	if s.Stacked != nil {
		return s.stackedOwners()
	}
	for rank, k := range s.Features {
		if k > 0 {
			out = append(out, s.Hidden.Owner(rank), rank)
			if s.ownedSplits() {
				out = append(out, rank)
			}
		}
	}
	return s.hiddenArgs(append(out, s.Hidden.Owner(s.Owner)))
}

// Spec returns the spec of the training without data: all parties compute, and all learn the results. The caller may
// set protocol and network.
func (s *Shape) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: 64, Fraction: 18, Parties: s.Parties, Computing: len(s.Parties), Network: party.DefaultNetwork}
	spec.Reveals = s.reveals()
	for rank := range s.Parties {
		spec.Reveal = append(spec.Reveal, rank)
	}
	for _, owner := range s.Owners() {
		spec.Args = append(spec.Args, party.Arg{Owner: owner})
	}
	var err error
	spec.Program, err = s.program()
	return spec, err
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results. Early has what
// others learn before.
func (s *Shape) Outputs() []string {
	out := []string{"feature, bin and threshold of each node", "value of each leaf"}
	if s.Holdout > 0 {
		out = []string{"feature, bin and threshold of each node of the trees that are kept", "value of each of their leaves",
			"number of trees that are kept", "logistic loss of the rows that are held out"}
	}
	if s.Hidden != nil {
		out = append(out, hidden.Withholds(s.leastMatches()))
	}
	if s.gridded() > 0 {
		out = append(out, "bounds of the bins of columns with ranges, at quantiles of all rows")
	}
	return out
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (s *Shape) Results() []string {
	out := []string{"feature of each node", "bin of each node", "threshold of each node", "value of each leaf"}
	if s.Holdout > 0 {
		out = []string{"feature of each node of the trees that are kept", "bin of each of these nodes", "threshold of each of these nodes",
			"value of each of their leaves", "number of trees that are kept", "logistic loss of the rows that are held out"}
	}
	if s.Hidden != nil {
		out = append(out, hidden.Withholds(s.leastMatches()))
	}
	if s.gridded() > 0 {
		out = append(out, "bounds of the bins of columns with ranges")
	}
	return out
}
