package onnx

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// branch is an inner node of a tree. Its test is [x > threshold] (over), [x = threshold] (equal), or [x in set] (member).
type branch struct {
	feature   int
	test      test
	threshold float64
	set       []float64
	yes, no   int // numbers of the nodes that follow if the test is true and if it is false
}

type test uint8

const (
	leafNode test = iota
	over
	equal
	member
)

// tree is a tree: branch 0 is the root. leaves has, for a branch without test, the values that it adds to targets.
type tree struct {
	branches []branch
	leaves   map[int][]addend
}

type addend struct {
	target int
	weight float64
}

// modes are the tests of nodes. negated ones have their branches swapped, and lower ones compare with the number before the
// threshold: x ≥ t is x > t′ for the largest t′ < t.
var modes = map[string]struct {
	test           test
	negated, lower bool
}{
	"BRANCH_LEQ": {over, true, false}, "BRANCH_LT": {over, true, true}, "BRANCH_GTE": {over, false, true}, "BRANCH_GT": {over, false, false},
	"BRANCH_EQ": {equal, false, false}, "BRANCH_NEQ": {equal, true, false}, "BRANCH_MEMBER": {member, false, false},
}

// before is the largest number of a type that is below f.
func before(d tensor.DType, f float64) float64 {
	if d == tensor.F64 {
		return math.Nextafter(f, math.Inf(-1))
	}
	return float64(math.Nextafter32(float32(f), float32(math.Inf(-1))))
}

// numbers64 are the elements of an attribute that is a list of floats or a tensor.
func (x *node) numbers64(name string) []float64 {
	if a := x.tensorAttr(name + "_as_tensor"); a != nil {
		return a.Floats()
	}
	if a := x.attr(name); a != nil && a.Tensor != nil {
		return x.tensorAttr(name).Floats()
	}
	var out []float64
	for _, f := range x.floats(name) {
		out = append(out, float64(f))
	}
	return out
}

// flatTrees reads the trees of TreeEnsembleClassifier and TreeEnsembleRegressor, whose nodes are lists of numbers. kind is
// "class" or "target".
func (x *node) flatTrees(d tensor.DType, kind string) []*tree {
	ids, nodes := x.ints("nodes_treeids"), x.ints("nodes_nodeids")
	features, names := x.ints("nodes_featureids"), x.texts("nodes_modes")
	yes, no, values := x.ints("nodes_truenodeids"), x.ints("nodes_falsenodeids"), x.numbers64("nodes_values")
	for _, n := range []int{len(nodes), len(features), len(names), len(yes), len(no), len(values)} {
		if n != len(ids) || n == 0 {
			x.fail("the file is damaged", "attributes of the trees' nodes are not as many")
		}
	}
	type key struct{ tree, node int }
	place := map[key]int{} // number of the node in its tree
	var order []int
	count := map[int]int{}
	for i, id := range ids {
		if count[id] == 0 {
			order = append(order, id)
		}
		k := key{id, nodes[i]}
		if _, twice := place[k]; twice {
			x.fail("the file is damaged", "tree %d has node %d twice", id, nodes[i])
		}
		place[k] = count[id]
		count[id]++
	}
	trees := map[int]*tree{}
	for i, id := range ids {
		t := trees[id]
		if t == nil {
			t = &tree{leaves: map[int][]addend{}}
			trees[id] = t
		}
		if names[i] == "LEAF" {
			t.branches = append(t.branches, branch{})
			continue
		}
		l, ok := place[key{id, yes[i]}]
		r, ok2 := place[key{id, no[i]}]
		if !ok || !ok2 {
			x.fail("the file is damaged", "tree %d has no node %d or %d", id, yes[i], no[i])
		}
		t.branches = append(t.branches, x.branch(d, names[i], features[i], values[i], l, r))
	}
	leafTrees, leafNodes, targets, weights := x.ints(kind+"_treeids"), x.ints(kind+"_nodeids"), x.ints(kind+"_ids"), x.numbers64(kind+"_weights")
	if len(leafNodes) != len(leafTrees) || len(targets) != len(leafTrees) || len(weights) != len(leafTrees) {
		x.fail("the file is damaged", "attributes of the trees' leaves are not as many")
	}
	for i, id := range leafTrees {
		n, ok := place[key{id, leafNodes[i]}]
		if !ok {
			x.fail("the file is damaged", "tree %d has no node %d", id, leafNodes[i])
		}
		trees[id].leaves[n] = append(trees[id].leaves[n], addend{targets[i], weights[i]})
	}
	var out []*tree
	for _, id := range order {
		out = append(out, trees[id])
	}
	return out
}

// branch makes an inner node.
func (x *node) branch(d tensor.DType, mode string, feature int, value float64, yes, no int) branch {
	m, ok := modes[mode]
	if !ok {
		x.unsupported("", "trees with nodes %q are not supported", mode)
	}
	if m.lower {
		value = before(d, value)
	}
	if m.negated {
		yes, no = no, yes
	}
	return branch{feature: feature, test: m.test, threshold: value, yes: yes, no: no}
}

// path is a leaf with the branches on the way to it: 1 where the test is true, -1 where it is false.
type path struct {
	leaf int
	ways map[int]int
}

// paths are the leaves of a tree. A node that is reached twice is an error, so that a damaged file ends.
func (x *node) paths(t *tree) []path {
	var out []path
	seen := make([]bool, len(t.branches))
	var walk func(n, depth int, ways []int)
	walk = func(n, depth int, ways []int) {
		if n < 0 || n >= len(seen) || seen[n] || depth > 1000 {
			x.fail("the file is damaged", "the nodes are no tree")
		}
		seen[n] = true
		b := t.branches[n]
		if b.test == leafNode {
			p := path{n, map[int]int{}}
			for _, w := range ways {
				p.ways[w>>1] = 2*(w&1) - 1
			}
			out = append(out, p)
			return
		}
		walk(b.no, depth+1, append(slices.Clone(ways), n<<1))
		walk(b.yes, depth+1, append(slices.Clone(ways), n<<1|1))
	}
	walk(0, 0, nil)
	return out
}

// weightOf is a parameter of the node that its owner holds.
func (x *node) weightOf(name string, d tensor.DType, shape tensor.Shape, f []float64) build.Value {
	a := tensor.FromFloats(tensor.F64, shape, f)
	if d.IsInt() {
		list := make([]int32, len(f))
		for i, v := range f {
			list[i] = int32(v)
		}
		a = &tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: shape}, Data: list}
	} else if d != tensor.F64 {
		a = tensor.FromFloats(d, shape, f)
	}
	label := x.n.Name
	if label == "" {
		label = x.n.Op
	}
	return x.of1(parameter(label+"."+name, a))
}

// rows are the node's input as a matrix of floats: a row for each example.
func (x *node) rows() build.Value {
	b, v := x.b, x.v(0)
	if v.Rank() == 1 {
		v = b.Reshape(v, 1, v.Dim(0))
	}
	if v.Rank() != 2 {
		x.fail("give a matrix with a row for each example", "the input has %d dimensions", v.Rank())
	}
	if !v.DType().IsFloat() || v.DType().Bits() < 32 {
		v = b.Convert(v, tensor.F32)
	}
	return v
}

// forest is trees whose tests are evaluated all at once. Which features they test, with which thresholds, the shapes of the
// trees and the values of the leaves are the owner's; numbers of nodes and leaves are public.
type forest struct {
	x       *node
	rows    build.Value
	targets int
	tests   []branch      // of all trees
	column  []map[int]int // by tree: number of the test of a branch
	leaves  [][]path      // by tree
	trees   []*tree
	bits    build.Value // rows, tests + 1: the tests' results as i32, and a column of zeros
}

// newForest evaluates the tests of trees.
func (x *node) newForest(v build.Value, trees []*tree, targets int) *forest {
	if targets < 1 || targets > 1<<20 {
		x.fail("the file is damaged", "there are %d targets", targets)
	}
	f := &forest{x: x, rows: v, targets: targets, trees: trees}
	for _, t := range trees {
		at := map[int]int{}
		for i, b := range t.branches {
			if b.test != leafNode {
				if b.feature < 0 || b.feature >= v.Dim(1) {
					x.fail("the model does not take inputs of this shape", "a node tests feature %d of %d", b.feature, v.Dim(1))
				}
				at[i] = len(f.tests)
				f.tests = append(f.tests, b)
			}
		}
		for _, list := range t.leaves {
			for _, a := range list {
				if a.target < 0 || a.target >= targets {
					x.fail("the file is damaged", "a leaf has target %d of %d", a.target, targets)
				}
			}
		}
		f.column, f.leaves = append(f.column, at), append(f.leaves, x.paths(t))
	}
	f.evaluate()
	return f
}

// evaluate computes the tests, kind by kind.
func (f *forest) evaluate() {
	x, b, n := f.x, f.x.b, f.rows.Dim(0)
	order := make([]int, 0, len(f.tests)) // numbers of tests in the order of the columns
	columns := []build.Value{}
	for _, kind := range []test{over, equal} {
		var features, thresholds []float64
		for i, t := range f.tests {
			if t.test == kind {
				order = append(order, i)
				features, thresholds = append(features, float64(t.feature)), append(thresholds, t.threshold)
			}
		}
		if features == nil {
			continue
		}
		name := map[test]string{over: "over", equal: "equal"}[kind]
		m := len(features)
		taken := b.Take(f.rows, x.weightOf("features."+name, tensor.I32, tensor.Shape{m}, features), 1)
		t := b.BroadcastInDim(x.weightOf("thresholds."+name, f.rows.DType(), tensor.Shape{m}, thresholds), []int{1}, n, m)
		result := b.Greater(taken, t)
		if kind == equal {
			result = b.Equal(taken, t)
		}
		columns = append(columns, b.Convert(result, tensor.I32))
	}
	for i, t := range f.tests {
		if t.test != member {
			continue
		}
		order = append(order, i)
		m := len(t.set)
		taken := b.Take(f.rows, x.weightOf("feature.member", tensor.I32, tensor.Shape{1}, []float64{float64(t.feature)}), 1)
		set := b.BroadcastInDim(x.weightOf("members", f.rows.DType(), tensor.Shape{m}, t.set), []int{1}, n, m)
		columns = append(columns, b.Convert(b.Reshape(b.Any(b.Equal(b.Broadcast(taken, n, m), set), 1), n, 1), tensor.I32))
	}
	columns = append(columns, b.Const(tensor.I32, 0, n, 1))
	f.bits = columns[0]
	if len(columns) > 1 {
		f.bits = b.Concat(1, columns...)
	}
	place := make(map[int]int, len(order))
	for c, i := range order {
		place[i] = c
	}
	for _, at := range f.column {
		for node, i := range at {
			at[node] = place[i]
		}
	}
}

// groups are the trees by the size of the table of ways that they need, so that tables of one size are multiplied at once.
func (f *forest) groups() [][]int {
	by := map[int][]int{}
	var keys []int
	for i, l := range f.leaves {
		k := bits.Len(uint(len(l)))
		if by[k] == nil {
			keys = append(keys, k)
		}
		by[k] = append(by[k], i)
	}
	slices.Sort(keys)
	var out [][]int
	for _, k := range keys {
		out = append(out, by[k])
	}
	return out
}

// reached is, for the trees of a group, whether rows reach leaves: trees, rows, leaves as floats. A leaf is reached if each
// test on the way that should be true is, and no other.
func (f *forest) reached(group []int, values func(t int, l path) []float64) (hit build.Value, table build.Value) {
	x, b := f.x, f.x.b
	n, d := f.rows.Dim(0), f.rows.DType()
	most, leaves := 0, 0
	for _, i := range group {
		most, leaves = max(most, len(f.column[i])), max(leaves, len(f.leaves[i]))
	}
	most = max(1, most)
	pad := f.bits.Dim(1) - 1
	if g := len(group) * most; g > maxFolded/max(1, leaves) {
		x.unsupported("use smaller trees", "a table of %d tests with %d leaves is too large", g, leaves)
	}
	places := make([]int, len(group)*most)
	signs := make([]float64, len(group)*most*leaves)
	right := make([]float64, len(group)*leaves)
	width := 0
	for _, i := range group {
		for _, l := range f.leaves[i] {
			width = max(width, len(values(i, l)))
		}
	}
	out := make([]float64, len(group)*leaves*width)
	for g, i := range group {
		local := map[int]int{}
		for p := range most {
			places[g*most+p] = pad
		}
		for _, node := range sorted(f.column[i]) {
			local[node] = len(local)
			places[g*most+local[node]] = f.column[i][node]
		}
		for l := range leaves {
			at := g*leaves + l
			if l >= len(f.leaves[i]) {
				right[at] = float64(most + 1) // no row reaches a leaf that is not there
				continue
			}
			p := f.leaves[i][l]
			for node, sign := range p.ways {
				signs[(g*most+local[node])*leaves+l] = float64(sign)
				right[at] += max(0, float64(sign))
			}
			copy(out[at*width:], values(i, p))
		}
	}
	goes := b.Reshape(take(b, f.bits, places, 1), n, len(group), most)
	ways := x.weightOf("ways", tensor.I32, tensor.Shape{len(group), most, leaves}, signs)
	want := x.weightOf("steps", tensor.I32, tensor.Shape{len(group), leaves}, right)
	sum := b.DotGeneral(goes, ways, hlo.DotDims{LHSBatch: []int{1}, RHSBatch: []int{0}, LHSContract: []int{2}, RHSContract: []int{1}})
	hit = b.Convert(b.Equal(sum, b.BroadcastInDim(want, []int{0, 2}, len(group), n, leaves)), d)
	return hit, x.weightOf("leaves", d, tensor.Shape{len(group), leaves, width}, out)
}

func sorted(m map[int]int) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// score is the aggregate of the trees' values: rows, targets.
func (f *forest) score(aggregate string) build.Value {
	x, b := f.x, f.x.b
	values := func(i int, l path) []float64 {
		v := make([]float64, f.targets)
		for _, a := range f.trees[i].leaves[l.leaf] {
			v[a.target] += a.weight
		}
		if aggregate == "AVERAGE" {
			for k := range v {
				v[k] /= float64(len(f.trees))
			}
		}
		return v
	}
	var out *build.Value
	for _, group := range f.groups() {
		hit, table := f.reached(group, values)
		var v build.Value
		switch aggregate {
		case "SUM", "AVERAGE":
			v = b.DotGeneral(hit, table, hlo.DotDims{LHSContract: []int{0, 2}, RHSContract: []int{0, 1}})
		case "MIN", "MAX":
			each := b.DotGeneral(hit, table, hlo.DotDims{LHSBatch: []int{0}, RHSBatch: []int{0}, LHSContract: []int{2}, RHSContract: []int{1}})
			if v = b.ReduceMin(each, 0); aggregate == "MAX" {
				v = b.ReduceMax(each, 0)
			}
		default:
			x.fail("the file is damaged", "aggregate_function is %q", aggregate)
		}
		switch {
		case out == nil:
		case aggregate == "MIN":
			v = b.Min(*out, v)
		case aggregate == "MAX":
			v = b.Max(*out, v)
		default:
			v = b.Add(*out, v)
		}
		out = &v
	}
	return *out
}

// withBase adds the base values, if there are any.
func (x *node) withBase(v build.Value) build.Value {
	base := x.numbers64("base_values")
	if len(base) == 0 {
		return v
	}
	if len(base) != 1 && len(base) != v.Dim(1) {
		x.fail("the file is damaged", "there are %d base values for %d targets", len(base), v.Dim(1))
	}
	return x.b.Add(v, x.weightOf("base", v.DType(), tensor.Shape{1, len(base)}, base))
}

// result is scores as a node returns them: always f32 for the operations whose scores are.
func (x *node) treeRegressor() []*value {
	v := x.rows()
	f := x.newForest(v, x.flatTrees(v.DType(), "target"), x.int("n_targets", 1))
	score := x.withBase(f.score(x.text("aggregate_function", "SUM")))
	return one(x.cast(x.transformed(score, x.text("post_transform", "NONE")), tensor.F32))
}

func (x *node) treeClassifier() []*value {
	v := x.rows()
	trees := x.flatTrees(v.DType(), "class")
	labels := x.labels("classlabels_int64s")
	ids := map[int]bool{}
	positive := true
	for _, t := range trees {
		for _, list := range t.leaves {
			for _, a := range list {
				ids[a.target] = true
				positive = positive && a.weight >= 0
			}
		}
	}
	n := labels.count()
	if n == 2 && len(ids) == 1 || n == 1 { // one score of two classes
		for _, t := range trees {
			for _, list := range t.leaves {
				for i := range list {
					list[i].target = 0
				}
			}
		}
		base := x.numbers64("base_values")
		score := x.newForest(v, trees, 1).score("SUM")
		if len(base) > 0 {
			score = x.b.Add(score, x.weightOf("base", v.DType(), tensor.Shape{1, 1}, base[len(base)-1:]))
		}
		return x.classified(score, labels, x.text("post_transform", "NONE"), positive)
	}
	score := x.withBase(x.newForest(v, trees, n).score("SUM"))
	return x.classified(score, labels, x.text("post_transform", "NONE"), positive)
}

// treeEnsemble reads the trees of TreeEnsemble, whose inner nodes and leaves are apart.
func (x *node) treeEnsemble() []*value {
	v := x.rows()
	roots, features := x.ints("tree_roots"), x.ints("nodes_featureids")
	yes, no := x.ints("nodes_truenodeids"), x.ints("nodes_falsenodeids")
	yesLeaf, noLeaf := x.ints("nodes_trueleafs"), x.ints("nodes_falseleafs")
	splits, modeNumbers := x.numbers64("nodes_splits"), x.tensorAttr("nodes_modes")
	targets, weights := x.ints("leaf_targetids"), x.numbers64("leaf_weights")
	sets := x.memberships()
	n := len(features)
	same := modeNumbers != nil && modeNumbers.Len() == n && len(splits) == n
	for _, list := range [][]int{yes, no, yesLeaf, noLeaf} {
		same = same && len(list) == n
	}
	if !same || len(targets) != len(weights) || len(roots) == 0 {
		x.fail("the file is damaged", "attributes of the trees' nodes are not as many")
	}
	names := []string{"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER"}
	var setOf = map[int][]float64{}
	for i, m := range modeNumbers.Floats() {
		if m < 0 || int(m) >= len(names) {
			x.fail("the file is damaged", "a node has mode %v", m)
		}
		if names[int(m)] == "BRANCH_MEMBER" {
			if len(sets) == 0 {
				x.fail("the file is damaged", "there are too few membership_values")
			}
			setOf[i], sets = sets[0], sets[1:]
		}
	}
	var trees []*tree
	for _, root := range roots {
		t := &tree{leaves: map[int][]addend{}}
		var grow func(i, depth int, leaf bool) int
		grow = func(i, depth int, leaf bool) int {
			at := len(t.branches)
			if depth > 1000 || at > maxFolded || i < 0 || leaf && i >= len(targets) || !leaf && i >= n {
				x.fail("the file is damaged", "the nodes are no tree")
			}
			t.branches = append(t.branches, branch{})
			if leaf {
				t.leaves[at] = []addend{{targets[i], weights[i]}}
				return at
			}
			l := grow(yes[i], depth+1, yesLeaf[i] != 0)
			r := grow(no[i], depth+1, noLeaf[i] != 0)
			mode := names[int(modeNumbers.Floats()[i])]
			t.branches[at] = x.branch(v.DType(), mode, features[i], splits[i], l, r)
			t.branches[at].set = setOf[i]
			return at
		}
		// A tree that is one leaf has a node whose both ways lead there.
		if root < n && root >= 0 && yesLeaf[root] != 0 && noLeaf[root] != 0 && yes[root] == no[root] {
			grow(yes[root], 0, true)
		} else {
			grow(root, 0, false)
		}
		trees = append(trees, t)
	}
	aggregate, ok := map[int]string{0: "AVERAGE", 1: "SUM", 2: "MIN", 3: "MAX"}[x.int("aggregate_function", 1)]
	transform, ok2 := map[int]string{0: "NONE", 1: "SOFTMAX", 2: "LOGISTIC", 3: "SOFTMAX_ZERO", 4: "PROBIT"}[x.int("post_transform", 0)]
	if !ok || !ok2 {
		x.fail("the file is damaged", "aggregate_function or post_transform is unknown")
	}
	score := x.newForest(v, trees, x.int("n_targets", 1)).score(aggregate)
	return one(x.cast(x.transformed(score, transform), x.typ(0).DType))
}

// memberships are the sets of membership_values, between which are NaNs.
func (x *node) memberships() [][]float64 {
	var out [][]float64
	start := true
	if x.attr("membership_values") == nil {
		return nil
	}
	for _, f := range x.tensorAttr("membership_values").Floats() {
		switch {
		case math.IsNaN(f):
			start = true
		case start:
			out, start = append(out, []float64{f}), false
		default:
			out[len(out)-1] = append(out[len(out)-1], f)
		}
	}
	return out
}

// upper is a text in capital letters, as some converters leave it in small ones.
func upper(s string) string { return strings.ToUpper(s) }
