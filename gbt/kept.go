package gbt

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// KeptPrediction predicts with trees that nodes keep as shares. No party knows the features and thresholds of the nodes
// or the leaves. The last arguments of the program are results of the run that trained the trees (KeptResults).
type KeptPrediction struct {
	Parties  []string // in rank order
	Features []int    // number of features of each party, by rank
	Rows     int
	Trees    int
	Depth    int
}

// maxDecisions bounds nodes times rows, each of which is one comparison.
const maxDecisions = 1 << 26

// KeptResults returns the positions, among the results of a training's program, of the last arguments of this program,
// in order: the nodes' features, the nodes' thresholds, the leaves.
func (k *KeptPrediction) KeptResults() []int { return []int{0, 2, 3} }

// nodes is the number of nodes of a tree.
func (k *KeptPrediction) nodes() int { return 1<<k.Depth - 1 }

// Check returns an error if a number is out of range, or if nodes times rows are more than a prediction may compare.
func (k *KeptPrediction) Check() error {
	p := 0
	for _, n := range k.Features {
		if n < 0 || n > maxColumns {
			return fmt.Errorf("a party has %d features; trees have at most %d", n, maxColumns)
		}
		p += n
	}
	switch {
	case p == 0 || p > maxColumns:
		return fmt.Errorf("the model has %d features, want 1 to %d", p, maxColumns)
	case k.Rows < 1 || k.Rows > maxRows:
		return fmt.Errorf("the tables have %d rows; predictions are for 1 to %d", k.Rows, maxRows)
	case k.Trees < 1 || k.Trees > maxTrees:
		return fmt.Errorf("trees: want 1 to %d, got %d", maxTrees, k.Trees)
	case k.Depth < 1 || k.Depth > maxDepth:
		return fmt.Errorf("depth: want 1 to %d, got %d", maxDepth, k.Depth)
	case k.Trees*k.nodes() > maxDecisions/k.Rows:
		return fmt.Errorf("%d nodes and %d rows are too many: their product is at most %d (predict in parts)", k.Trees*k.nodes(), k.Rows, maxDecisions)
	}
	return nil
}

// Spec returns the spec of a run, without data, whose one result is the vector of predictions: all parties compute, and
// all learn it. The caller may set protocol and network. It returns the error of Check.
//
// The program makes a secret one-hot vector of each node's feature. Its product with the rows' features is the value
// that the node compares with its threshold. Features and thresholds are keys: integers that have the order of the
// numbers, so that comparisons are exact.
func (k *KeptPrediction) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: 64, Fraction: 18, Parties: k.Parties, Computing: len(k.Parties), Network: party.DefaultNetwork}
	if err := k.Check(); err != nil {
		return spec, err
	}
	b := build.New("predict")
	var rows []build.Value
	p := 0
	for rank, n := range k.Features {
		spec.Reveal = append(spec.Reveal, rank)
		if n > 0 {
			spec.Args = append(spec.Args, party.Arg{Owner: rank})
			rows = append(rows, b.Arg(fmt.Sprintf("x%d", rank), tensor.I64, n, k.Rows))
			p += n
		}
	}
	nodes, leaves := k.nodes(), k.nodes()+1
	for range k.KeptResults() {
		spec.Args = append(spec.Args, party.Arg{Owner: party.Kept})
	}
	feature, threshold := b.Arg("feature", tensor.I32, k.Trees, nodes), b.Arg("threshold", tensor.I64, k.Trees, nodes)
	leaf := b.Arg("leaves", tensor.I32, k.Trees, leaves)
	all := k.Trees * nodes
	is := b.Equal(b.BroadcastInDim(b.Reshape(feature, all), []int{0}, all, p), b.Iota(tensor.I32, 1, all, p))
	value := b.Dot(b.Convert(is, tensor.I64), b.Concat(0, rows...))
	right := b.Greater(value, b.BroadcastInDim(b.Reshape(threshold, all), []int{0}, all, k.Rows))
	goes := b.Reshape(b.Convert(right, tensor.I32), k.Trees, nodes, k.Rows)
	var member build.Value // trees × nodes of the level × rows
	for level := range k.Depth {
		n := 1 << level
		r := b.Slice(goes, []int{0, n - 1, 0}, []int{k.Trees, 2*n - 1, k.Rows})
		l := b.Sub(1, r)
		if level > 0 {
			r = b.Mul(member, r)
			l = b.Sub(member, r)
		}
		both := b.Concat(2, b.Reshape(l, k.Trees, n, 1, k.Rows), b.Reshape(r, k.Trees, n, 1, k.Rows))
		member = b.Reshape(both, k.Trees, 2*n, k.Rows)
	}
	sum := b.Dot(b.Reshape(leaf, k.Trees*leaves), b.Reshape(member, k.Trees*leaves, k.Rows))
	b.Return(b.Sigmoid(b.Mul(b.Convert(sum, tensor.F64), math.Ldexp(1, -leafFraction))))
	var err error
	spec.Program, err = b.Program()
	return spec, err
}

// Args returns a list with an entry for each argument of the program: the array of an argument that the party of the
// given rank provides, and nil for each other one. It returns an error, which contains no value, if features or rows
// differ from k's fields.
func (k *KeptPrediction) Args(rank int, features []table.Feature) ([]*tensor.Array, error) {
	if n := k.Features[rank]; len(features) != n {
		return nil, fmt.Errorf("%s has %d features, and the model says %d", k.Parties[rank], len(features), n)
	}
	var out []*tensor.Array
	for owner, n := range k.Features {
		if n == 0 {
			continue
		}
		if owner != rank {
			out = append(out, nil)
			continue
		}
		keys := make([]uint64, 0, n*k.Rows)
		for _, f := range features {
			if len(f.Values) != k.Rows {
				return nil, fmt.Errorf("%s has %d rows, and the task says %d", f.Name, len(f.Values), k.Rows)
			}
			for _, x := range f.Values {
				keys = append(keys, uint64(key(x)))
			}
		}
		out = append(out, tensor.FromWords(tensor.I64, tensor.Shape{n, k.Rows}, keys))
	}
	return append(out, make([]*tensor.Array, len(k.KeptResults()))...), nil
}

// Outputs returns one text for each thing that a run reveals: the predictions.
func (k *KeptPrediction) Outputs() []string { return []string{"prediction of each row"} }

// Results returns one text for each result of the program, in order, that says what the result is.
func (k *KeptPrediction) Results() []string { return k.Outputs() }

// key returns an integer for a number; keys have the order of the numbers, 0 and −0 the same one.
func key(x float64) int64 {
	if x == 0 {
		return 0
	}
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		bits ^= math.MaxInt64
	}
	return bits
}

// number returns the number of a key.
func number(key int64) float64 {
	if key < 0 {
		key ^= math.MaxInt64
	}
	return math.Float64frombits(uint64(key))
}
