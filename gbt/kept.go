package gbt

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// KeptPrediction is the prediction of trees that are kept as shares: no party knows which features and thresholds split, nor the
// leaves. Its last arguments are results of the run that trained them (KeptResults).
type KeptPrediction struct {
	Parties  []string // in rank order
	Features []int    // by party
	Rows     int
	Trees    int
	Depth    int
}

// maxDecisions bounds nodes times rows, each of which is one comparison.
const maxDecisions = 1 << 26

// KeptResults lists the results of a training that the last arguments of the program are, in order: feature and threshold of each
// node, and the leaves.
func (k *KeptPrediction) KeptResults() []int { return []int{0, 2, 3} }

// nodes is the number of nodes of a tree.
func (k *KeptPrediction) nodes() int { return 1<<k.Depth - 1 }

// Check refuses what cannot be predicted.
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

// Spec returns the run without data, whose one result are the predictions: all parties compute, and all learn it. Protocol and
// network are the caller's to set.
//
// A node's feature is a secret one-hot vector, whose product with the rows' features is the value that the node compares. Features
// and thresholds are keys, integers of the same order, so that comparisons are exact.
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

// Args returns a party's arguments of the program, nil for those of others. Errors name no value.
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

// Outputs lists what a run reveals.
func (k *KeptPrediction) Outputs() []string { return []string{"prediction of each row"} }

// Results describes the results of the run one by one.
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
