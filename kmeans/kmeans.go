package kmeans

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Shape describes a clustering by what all parties know of it, without data. The program depends on the Shape alone.
// Methods need the Shape that Resolve returned.
type Shape struct {
	Parties    []string // in rank order
	Features   []int    // number of features of each party, by rank
	Rows       int
	Clusters   int    // 0: DefaultClusters
	Iterations int    // 0: DefaultIterations
	MinGroup   int    // least number of rows of a cluster that is not withheld; 0: bins.DefaultMinGroup
	Seed       uint64 // of the rows at which centres begin
	Assign     bool   // reveal the cluster of each row
	// Hidden, if not nil, is the hidden join that matched the rows: Rows are the keeper's, and clusters are of those that match.
	Hidden *hidden.Join
	// Stacked, if not nil, are the numbers of rows of the parties' tables, whose rows are those of one table, and 0 for parties beside them,
	// which have further features of all rows. Features[0] then is the number of features of the stacked tables, and the other Features are
	// those of parties beside them, and 0 for others. Rows is the sum.
	Stacked stacked.Rows
}

// Defaults of a Shape.
const (
	DefaultClusters   = 8  // Shape.Clusters if it is 0
	DefaultIterations = 10 // Shape.Iterations if it is 0
)

// Bounds of a Shape. Products of standardised rows fit the ring.
const (
	maxRows       = 1 << 20
	maxFeatures   = 1 << 10
	maxClusters   = 64
	maxIterations = 100
)

// Resolve returns a copy of the Shape with defaults in place of zero fields. It returns an error that names the field
// if a value is out of range.
func (s Shape) Resolve() (*Shape, error) {
	for _, x := range []struct {
		to          *int
		is          int
		name        string
		least, most int
	}{
		{&s.Clusters, DefaultClusters, "clusters", 2, maxClusters}, {&s.Iterations, DefaultIterations, "iterations", 1, maxIterations},
		{&s.MinGroup, bins.DefaultMinGroup, "min_group", 1, maxRows},
	} {
		if *x.to == 0 {
			*x.to = x.is
		}
		if *x.to < x.least || *x.to > x.most {
			return nil, fmt.Errorf("%s: want %d to %d, got %d", x.name, x.least, x.most, *x.to)
		}
	}
	if len(s.Features) != len(s.Parties) || len(s.Parties) == 0 || slices.Min(s.Features) < 0 {
		return nil, fmt.Errorf("want the numbers of features of %d parties", len(s.Parties))
	}
	if err := s.Stacked.CheckFeatures(s.Parties, s.Features); err != nil {
		return nil, err
	} else if s.Stacked != nil {
		s.Rows = s.Stacked.Total()
	}
	switch n := s.features(); {
	case n == 0 || n > maxFeatures:
		return nil, fmt.Errorf("there are %d features, want 1 to %d", n, maxFeatures)
	case s.Rows < s.Clusters || s.Rows > maxRows:
		return nil, fmt.Errorf("the tables have %d rows; %d clusters need %d to %d", s.Rows, s.Clusters, s.Clusters, maxRows)
	}
	if err := s.checkHidden(); err != nil {
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

// Spec returns the spec of the clustering without data: all parties compute, and all learn the results. The caller may
// set protocol and network.
func (s *Shape) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: 64, Fraction: 18, Parties: s.Parties, Computing: len(s.Parties), Network: party.DefaultNetwork}
	for rank, k := range s.Features {
		if spec.Reveal = append(spec.Reveal, rank); s.Stacked != nil {
			spec.Args = append(spec.Args, party.Arg{Owner: rank}, party.Arg{Owner: rank})
		} else if k > 0 {
			spec.Args = append(spec.Args, party.Arg{Owner: s.Hidden.Owner(rank)}, party.Arg{Owner: rank})
		}
	}
	if s.Stacked != nil {
		spec.Ring, spec.Fraction = hiddenRing, hiddenFraction
	}
	if s.Hidden != nil {
		spec.Ring, spec.Fraction = hiddenRing, hiddenFraction
		spec.Args = slices.Insert(spec.Args, 0, party.Arg{Owner: party.Kept})
	}
	var err error
	spec.Program, err = s.program()
	return spec, err
}

// starts returns the rows at which centres begin, ascending.
func (s *Shape) starts() []int {
	r := rand.New(rand.NewPCG(s.Seed, 0x6b6d65616e73)) // all parties draw the same
	rows := map[int]bool{}
	var out []int
	for len(out) < s.Clusters {
		if row := r.IntN(s.Rows); !rows[row] {
			rows[row], out = true, append(out, row)
		}
	}
	slices.Sort(out)
	return out
}

// writer writes the program.
type writer struct {
	*build.Builder
	*Shape
	x build.Value // Rows × features
	// Of a hidden join: match is the rows' weights, and weighted are their features, zeros where no row matches.
	match, weighted build.Value
}

// nearest is the nearest centre of each row.
type nearest struct {
	cluster build.Value // its number, i32
	hot     build.Value // Rows × Clusters, f64
	score   build.Value // squared distance less the row's squared length
}

// program returns the program. Its arguments are, for each party with features, the standardised features and the bits of
// their means and standard deviations. Its results are those of Results.
func (s *Shape) program() (*hlo.Program, error) {
	w := &writer{Builder: build.New("kmeans"), Shape: s}
	var x, scales []build.Value
	if s.Hidden != nil {
		return w.hiddenProgram()
	}
	if s.Stacked != nil {
		return w.stackedProgram()
	}
	for rank, k := range s.Features {
		if k > 0 {
			x = append(x, w.Arg(fmt.Sprintf("x%d", rank), tensor.F64, s.Rows, k))
			scales = append(scales, w.Arg(fmt.Sprintf("scales%d", rank), tensor.U64, 2, k))
		}
	}
	w.x = w.Concat(1, x...)
	c := w.cluster()
	results := append([]build.Value{c.states, c.counts, c.centres, w.Sum(c.nearest.score)}, scales...)
	if s.Assign {
		results = append(results, c.nearest.cluster)
	}
	w.Return(results...)
	return w.Program()
}

// clustered are the results of a clustering: the states of clusters, and rows and centres of those that are shown.
type clustered struct {
	states, counts, centres build.Value
	nearest                 nearest
	visible                 build.Value // clusters × features: 1 for clusters that are shown
}

// cluster adds the iterations.
func (w *writer) cluster() clustered {
	s := w.Shape
	var first []build.Value
	for _, row := range s.starts() {
		first = append(first, w.Slice(w.x, []int{row, 0}, []int{row + 1, s.features()}))
	}
	centres := w.Concat(0, first...)
	for i := range s.Iterations {
		w.Scope(fmt.Sprintf("iteration%d", i), func() { centres = w.moved(centres) })
	}
	n := w.nearest(centres)
	counts := w.Convert(w.Sum(n.hot, 0), tensor.I32) // of ones that are exact
	exists := w.Convert(w.Greater(counts, 0), tensor.I32)
	c := bins.Cells{Counts: counts, Exists: exists, Before: bins.Before(w.Builder, counts)}
	switch {
	case s.Stacked != nil:
		c.Kept = w.stackedKept(n.hot, c)
	case s.Hidden != nil:
		c.Kept = w.hiddenKept(n.hot, c)
	default:
		c.Kept = w.Convert(w.GreaterEqual(counts, s.MinGroup), tensor.I32)
	}
	shown := bins.Shown(w.Builder, c, s.MinGroup)
	visible := w.BroadcastInDim(w.Convert(shown, tensor.F64), []int{0}, s.Clusters, s.features())
	return clustered{w.Sub(w.Mul(exists, 2), shown), w.Mul(counts, shown), w.Mul(centres, visible), n, visible}
}

// nearest returns the nearest of centres of each row, the first of equally near ones.
func (w *writer) nearest(centres build.Value) nearest {
	n, k := w.Rows, w.Clusters
	lengths := w.Sum(w.Mul(centres, centres), 1)
	score := w.Sub(w.BroadcastInDim(lengths, []int{1}, n, k), w.Mul(w.Dot(w.x, w.Transpose(centres)), 2.0))
	at := w.Iota(tensor.I32, 1, n, k)
	best := w.Reduce([]build.Value{score, at}, []any{math.Inf(1), 0}, []int{1}, func(x, y []build.Value) []build.Value {
		smaller := w.Less(x[0], y[0])
		first := w.Or(smaller, w.And(w.Equal(x[0], y[0]), w.Less(x[1], y[1])))
		return []build.Value{w.Select(smaller, x[0], y[0]), w.Select(first, x[1], y[1])}
	})
	is := w.Equal(w.BroadcastInDim(best[1], []int{0}, n, k), at)
	if w.Hidden.Weighs() { // rows that do not match are in no cluster
		hot := w.Select(is, w.BroadcastInDim(w.match, []int{0}, n, k), w.Const(tensor.F64, 0.0, n, k))
		return nearest{best[1], hot, w.Mul(best[0], w.match)}
	}
	return nearest{best[1], w.Convert(is, tensor.F64), best[0]}
}

// moved returns the means of the rows that are nearest to each of centres.
func (w *writer) moved(centres build.Value) build.Value {
	n := w.nearest(centres)
	counts := w.Sum(n.hot, 0)
	spread := func(x build.Value) build.Value { return w.BroadcastInDim(x, []int{0}, w.Clusters, w.features()) }
	sums := w.Dot(w.Transpose(n.hot), w.x)
	return w.Select(spread(w.Greater(counts, 0.5)), w.Div(sums, spread(w.Max(counts, 1.0))), centres)
}

// Args returns a list with an entry for each argument of the program: the array of an argument that the party of the
// given rank provides, and nil for each other one. It returns an error, which contains no value, if features or rows
// differ from the Shape.
func (s *Shape) Args(rank int, features []table.Feature) ([]*tensor.Array, error) {
	want := s.Features[rank]
	if s.Stacked != nil && s.Stacked[rank] > 0 {
		want = s.Features[0]
	}
	if len(features) != want {
		return nil, fmt.Errorf("%s has %d features, and the task says %d", s.Parties[rank], len(features), want)
	}
	if s.Stacked != nil {
		return s.stackedArgs(rank, features)
	}
	var out []*tensor.Array
	if s.Hidden != nil {
		out = append(out, nil) // the weights
	}
	for owner, k := range s.Features {
		switch {
		case k == 0:
		case owner != rank:
			out = append(out, nil, nil)
		default:
			x, scales, err := table.Standardised(features, s.Hidden.OfParty(rank, s.Rows))
			if err != nil {
				return nil, err
			}
			if s.Hidden != nil {
				if scales, err = table.Units(features, scales); err != nil {
					return nil, err
				}
			}
			out = append(out, x, scales)
		}
	}
	return out, nil
}
