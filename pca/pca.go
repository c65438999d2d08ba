package pca

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Shape describes an analysis by what all parties know of it, without data. The program depends on the Shape alone.
// Methods need the Shape that Resolve returned.
type Shape struct {
	Parties    []string // in rank order
	Features   []int    // number of features of each party, by rank
	Rows       int
	Components int // 0: DefaultComponents, or the number of features if that is less
	// Hidden, if not nil, is the hidden join that matched the rows: Rows are the keeper's, and the components are of those that match.
	Hidden *hidden.Join
	// Stacked, if not nil, are the numbers of rows of the parties' tables, whose rows are those of one table, and 0 for parties beside them,
	// which have further features of all rows. Features[0] then is the number of features of the stacked tables, and the other Features are
	// those of parties beside them, and 0 for others. Rows is the sum.
	Stacked stacked.Rows
}

// DefaultComponents is the number of components if Shape.Components is 0 and there are at least as many features.
const DefaultComponents = 3

// Bounds of a Shape.
const (
	ring        = 128
	fraction    = 40
	maxRows     = 1 << 22
	maxFeatures = 256
	squarings   = 10
	polishings  = 2
	leastNorm   = 1.0 / (1 << 30) // of squared norms, below which a matrix counts as 0
)

// Resolve returns a copy of the Shape with a default in place of a zero Components. It returns an error that names the
// field if a value is out of range.
func (s Shape) Resolve() (*Shape, error) {
	if len(s.Features) != len(s.Parties) || len(s.Parties) == 0 || slices.Min(s.Features) < 0 {
		return nil, fmt.Errorf("want the numbers of features of %d parties", len(s.Parties))
	}
	if err := s.Stacked.CheckFeatures(s.Parties, s.Features); err != nil {
		return nil, err
	} else if s.Stacked != nil {
		s.Rows = s.Stacked.Total()
	}
	n := s.features()
	if s.Components == 0 {
		s.Components = min(DefaultComponents, n)
	}
	switch {
	case n < 2 || n > maxFeatures:
		return nil, fmt.Errorf("there are %d features, want 2 to %d", n, maxFeatures)
	case s.Components < 1 || s.Components > n:
		return nil, fmt.Errorf("components: want 1 to the number of features, %d, got %d", n, s.Components)
	case s.Rows < 2 || s.Rows > maxRows:
		return nil, fmt.Errorf("the tables have %d rows; components need 2 to %d", s.Rows, maxRows)
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

// arguments is the number of arguments of each party with features: standardised features, its block of correlations, and
// the bits of means and standard deviations.
const arguments = 3

// Spec returns the spec of the analysis without data: all parties compute, and all learn the results. The caller may
// set protocol and network.
func (s *Shape) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: ring, Fraction: fraction, Parties: s.Parties, Computing: len(s.Parties), Network: party.DefaultNetwork}
	for rank, k := range s.Features {
		spec.Reveal = append(spec.Reveal, rank)
		n := arguments * min(k, 1)
		if s.Stacked != nil {
			n = s.stackedArguments()[rank]
		}
		for range n {
			spec.Args = append(spec.Args, party.Arg{Owner: rank})
		}
	}
	var err error
	if s.Hidden != nil {
		spec.Args = s.hiddenArgs()
		spec.Program, err = s.hiddenProgram()
		return spec, err
	}
	if s.Stacked != nil {
		spec.Program, err = s.stackedProgram()
		return spec, err
	}
	spec.Program, err = s.program()
	return spec, err
}

// writer writes the program.
type writer struct {
	*build.Builder
	*Shape
}

// program returns the program. Its results are those of Results.
func (s *Shape) program() (*hlo.Program, error) {
	w := &writer{build.New("pca"), s}
	var x, own, scales []build.Value
	for rank, k := range s.Features {
		if k > 0 {
			x = append(x, w.Arg(fmt.Sprintf("x%d", rank), tensor.F64, s.Rows, k))
			own = append(own, w.Arg(fmt.Sprintf("own%d", rank), tensor.F64, k, k))
			scales = append(scales, w.Arg(fmt.Sprintf("scales%d", rank), tensor.U64, 2, k))
		}
	}
	components, variances := w.components(w.correlations(x, own))
	w.Return(append([]build.Value{components, variances}, scales...)...)
	return w.Program()
}

// components returns the components of a matrix of correlations, a row each, and their variances.
func (w *writer) components(matrix build.Value) (build.Value, build.Value) {
	s := w.Shape
	var components, variances []build.Value
	for i := range s.Components {
		w.Scope(fmt.Sprintf("component%d", i), func() {
			v := w.largest(matrix)
			variance := w.Dot(v, w.Dot(matrix, v))
			components, variances = append(components, w.Reshape(v, 1, s.features())), append(variances, w.Reshape(variance, 1))
			if i < s.Components-1 {
				matrix = w.Sub(matrix, w.Mul(w.outer(v), w.Broadcast(variance, s.features(), s.features())))
			}
		})
	}
	return w.Concat(0, components...), w.Concat(0, variances...)
}

// correlations returns the matrix of correlations, of the parties' features and their own blocks.
func (w *writer) correlations(x, own []build.Value) build.Value {
	blocks := make([][]build.Value, len(x))
	for i := range x {
		blocks[i] = make([]build.Value, len(x))
	}
	for i := range x {
		blocks[i][i] = own[i]
		for j := i + 1; j < len(x); j++ {
			blocks[i][j] = w.Mul(w.Dot(w.Transpose(x[i]), x[j]), 1/float64(w.Rows))
			blocks[j][i] = w.Transpose(blocks[i][j])
		}
	}
	var rows []build.Value
	for _, row := range blocks {
		rows = append(rows, w.Concat(1, row...))
	}
	return w.Concat(0, rows...)
}

// outer returns v·vᵀ.
func (w *writer) outer(v build.Value) build.Value {
	n := v.Dim(0)
	return w.Dot(w.Reshape(v, n, 1), w.Reshape(v, 1, n))
}

// unit returns x divided by its norm, the root of the sum of squares; about 0 if x is.
func (w *writer) unit(x build.Value) build.Value {
	by := w.Rsqrt(w.Max(w.Sum(w.Mul(x, x)), leastNorm))
	dims := []int{x.Dim(0)}
	if x.Rank() > 1 {
		dims = append(dims, x.Dim(1))
	}
	return w.Mul(x, w.Broadcast(by, dims...))
}

// largest returns the eigenvector of the largest eigenvalue of a symmetric matrix without negative ones.
func (w *writer) largest(matrix build.Value) build.Value {
	power := w.unit(matrix)
	for range squarings {
		power = w.unit(w.Dot(power, power))
	}
	r := rand.New(rand.NewPCG(0x706361, uint64(w.features()))) // a public vector, which is the same at all parties
	start := make([]float64, w.features())
	for i := range start {
		start[i] = math.Copysign(0.5+r.Float64(), r.Float64()-0.5)
	}
	v := w.unit(w.Dot(power, w.Array(tensor.FromFloats(tensor.F64, tensor.Shape{len(start)}, start))))
	for range polishings {
		v = w.unit(w.Dot(matrix, v))
	}
	return v
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
		out = append(out, make([]*tensor.Array, len(s.Hidden.WeightArgs()))...)
	}
	for owner, k := range s.Features {
		switch {
		case k == 0:
		case owner != rank && s.Hidden != nil:
			out = append(out, make([]*tensor.Array, len(s.Hidden.ColumnArgs(owner, nil))+1)...)
		case owner != rank:
			out = append(out, nil, nil, nil)
		default:
			x, scales, err := table.Standardised(features, s.Hidden.OfParty(rank, s.Rows))
			if err != nil {
				return nil, err
			}
			if s.Hidden != nil {
				units, err := table.Units(features, scales)
				if err != nil {
					return nil, err
				}
				for range s.Hidden.ColumnArgs(rank, nil) {
					out = append(out, x)
				}
				out = append(out, units)
				continue
			}
			out = append(out, x, products(x), scales)
		}
	}
	return out, nil
}

// products returns the correlations of standardised features.
func products(x *tensor.Array) *tensor.Array {
	rows, k, values := x.Shape[0], x.Shape[1], x.Floats()
	out := make([]float64, k*k)
	for row := range rows {
		of := values[row*k:][:k]
		for i, a := range of {
			for j, b := range of {
				out[i*k+j] += a * b / float64(rows)
			}
		}
	}
	return tensor.FromFloats(tensor.F64, tensor.Shape{k, k}, out)
}
