package gbt

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// noGain is the gain of splits that MinWeight forbids.
const noGain = -1 << 20

// writer writes the program. Vectors over rows of tables are matrices with a row for each node, vectors over bins are
// matrices with a column for each node. One-hots have a row for each bin, so that both of their products read them as they
// lie in memory.
type writer struct {
	*build.Builder
	*Shape
	hot    []build.Value // by party with features: bins × Rows, i32
	counts []int         // bins of each of hot
	// Of OwnerSplits, by party with features: the rows' bins, features × Rows, i32, and the party's rank.
	binned   []build.Value
	binnedBy []int
	edges    build.Value // keys of the bins' upper bounds, i64
	all      int         // bins of all features
	match    build.Value // of a hidden join: 1 for rows that match, i32
	// Of stacked tables: one-hots by party, and the cells of the bounds of bins of features with ranges, features × bounds, i32.
	stackedHots []stackedHots
	at          build.Value
}

// program returns the program. Its arguments are, for each party with features, the one-hots of bins and the keys of the
// bins' upper bounds, with OwnerSplits also the rows' bins; then the target. Of stacked tables they are those of
// stackedArguments. Its results are those of Results.
func (s *Shape) program() (*hlo.Program, error) {
	w := &writer{Builder: build.New("gbt"), Shape: s, all: s.features() * s.Bins}
	var edges []build.Value
	var weights build.Value
	if s.Hidden != nil {
		weights, w.match = w.Arg("match", tensor.F64, s.Rows), w.Arg("matches", tensor.I32, s.Rows)
	}
	for rank, k := range s.Features {
		if k == 0 || s.Stacked != nil {
			continue
		}
		if name := fmt.Sprintf("bins%d", rank); s.Hidden.Owner(rank) == party.Kept {
			hot := w.Transpose(w.Arg(name, tensor.I32, s.Rows, k*(s.Bins-s.first(rank))))
			if s.first(rank) > 0 {
				hot = w.withUnmatched(hot, k)
			}
			w.hot = append(w.hot, hot)
		} else {
			w.hot = append(w.hot, w.Arg(name, tensor.I32, k*s.Bins, s.Rows))
		}
		w.counts = append(w.counts, k*s.Bins)
		edges = append(edges, w.Arg(fmt.Sprintf("bounds%d", rank), tensor.I64, k*s.Bins))
		if s.ownedSplits() {
			w.binned = append(w.binned, w.Arg(fmt.Sprintf("rows%d", rank), tensor.I32, k, s.Rows))
			w.binnedBy = append(w.binnedBy, rank)
		}
	}
	var y build.Value
	if s.Stacked != nil {
		y = w.stackedArguments()
	} else {
		w.edges = w.Concat(0, edges...)
		y = w.Arg("y", tensor.F64, s.Rows)
	}
	var score build.Value // i32 with leafFraction fraction bits
	var trees []grown
	var losses []build.Value // of the rows that are held out, after each tree
	for tree := range s.Trees {
		w.Scope(fmt.Sprintf("tree%d", tree), func() {
			g, h := w.gradients(tree, score, y)
			t := w.tree(g, h)
			trees = append(trees, t)
			if tree < s.Trees-1 || s.Holdout > 0 {
				by := w.Dot(t.leaves, t.member)
				if tree > 0 {
					by = w.Add(score, by)
				}
				score = by
			}
			if s.Holdout > 0 {
				losses = append(losses, w.loss(score, y))
			}
		})
	}
	var results [4][]build.Value
	for _, t := range trees {
		for i, x := range []build.Value{t.feature, t.bin, t.threshold, t.leaves} {
			results[i] = append(results[i], w.Reshape(x, 1, x.Dim(0)))
		}
	}
	var out []build.Value
	for _, x := range results {
		out = append(out, w.Concat(0, x...))
	}
	if s.Holdout > 0 {
		out = w.stopped(out, losses)
	}
	if s.Hidden != nil {
		out = hidden.Withhold(w.Builder, weights, s.leastMatches(), out)
	}
	if s.gridded() > 0 {
		out = append(out, w.at)
	}
	w.Return(out...)
	return w.Program()
}

// loss returns the sum of the logistic losses of the rows that are held out.
func (w *writer) loss(score, y build.Value) build.Value {
	held := func(x build.Value) build.Value {
		return w.StridedSlice(x, []int{w.Holdout - 1}, []int{w.Rows}, []int{w.Holdout})
	}
	x := w.Mul(w.Convert(held(score), tensor.F64), math.Ldexp(1, -leafFraction))
	softplus := w.Add(w.Max(x, 0.0), w.Log1p(w.Exp(w.Neg(w.Abs(x)))))
	return w.Sub(w.Sum(softplus), w.Dot(held(y), x))
}

// stopped returns the results with zeros for the trees after the one whose loss is least, the first of equal ones, and the number of
// trees up to it and its mean loss.
func (w *writer) stopped(results, losses []build.Value) []build.Value {
	for i, x := range losses {
		losses[i] = w.Reshape(x, 1)
	}
	at := w.Iota(tensor.I32, 0, w.Trees)
	best := w.Reduce([]build.Value{w.Concat(0, losses...), at}, []any{math.Inf(1), 0}, []int{0}, func(x, y []build.Value) []build.Value {
		smaller := w.Less(x[0], y[0])
		first := w.Or(smaller, w.And(w.Equal(x[0], y[0]), w.Less(x[1], y[1])))
		return []build.Value{w.Select(smaller, x[0], y[0]), w.Select(first, x[1], y[1])}
	})
	kept := w.LessEqual(at, best[1])
	for i, x := range results {
		of := w.BroadcastInDim(w.Convert(kept, x.DType()), []int{0}, w.Trees, x.Dim(1))
		results[i] = w.Mul(x, of)
	}
	return append(results, w.Add(best[1], 1), w.Mul(best[0], 1/float64(w.Rows/w.Holdout)))
}

// gradients returns the gradients and Hessians of the logistic loss at the scores, as integers with fraction() fraction bits,
// and 0 for rows that the tree does not use.
func (w *writer) gradients(tree int, score, y build.Value) (g, h build.Value) {
	scale := math.Ldexp(1, w.fraction())
	if tree == 0 { // scores are 0
		g = w.Sub(w.Const(tensor.F64, 0.5, w.Rows), y)
		h = w.Const(tensor.F64, 0.25, w.Rows)
	} else {
		p := w.Sigmoid(w.Mul(w.Convert(score, tensor.F64), math.Ldexp(1, -leafFraction)))
		g, h = w.Sub(p, y), w.Mul(p, w.Sub(1.0, p))
	}
	whole := func(x build.Value) build.Value { return w.Convert(w.Mul(x, scale), tensor.I32) }
	g, h = whole(g), whole(h)
	if w.Hidden.Weighs() {
		g, h = w.Mul(g, w.match), w.Mul(h, w.match)
	}
	if w.Holdout > 0 {
		row := w.Rem(w.Iota(tensor.I32, 0, w.Rows), w.Holdout)
		trained := w.Convert(w.NotEqual(row, w.Holdout-1), tensor.I32)
		g, h = w.Mul(g, trained), w.Mul(h, trained)
	}
	if w.Subsample < 1 {
		drawn := w.drawn(tree)
		g, h = w.Mul(g, drawn), w.Mul(h, drawn)
	}
	return g, h
}

// drawn returns 1 for rows that a tree uses: those whose hash of seed, tree and row is below Subsample·2^32. The hash is
// that of two rounds of xorshift and multiplication, which all parties compute.
func (w *writer) drawn(tree int) build.Value {
	x := w.Add(w.Mul(w.Iota(tensor.U32, 0, w.Rows), uint64(0x9e3779b9)), uint64(w.Seed+uint32(tree)*0x85ebca6b))
	for _, by := range []uint64{0x7feb352d, 0x846ca68b} {
		x = w.Mul(w.Xor(x, w.ShiftRightLogical(x, 16)), by)
	}
	x = w.Xor(x, w.ShiftRightLogical(x, 15))
	return w.Convert(w.Less(x, uint64(min(math.MaxUint32, w.Subsample*(1<<32)))), tensor.I32)
}

// grown is a tree: of its 2^Depth − 1 nodes, level by level, feature and bin (i32) and the key of the threshold (i64); of its
// leaves the values (i32 with leafFraction fraction bits); and which leaf each row is in, leaves × Rows.
type grown struct{ feature, bin, threshold, leaves, member build.Value }

// tree grows a tree on gradients and Hessians.
func (w *writer) tree(g, h build.Value) grown {
	row := func(x build.Value) build.Value { return w.Reshape(x, 1, w.Rows) }
	mg, mh := row(g), row(h) // those of the nodes' rows, 0 for others
	var member build.Value   // 1 for the nodes' rows; all ones at the root
	sums := w.histogram(mg, mh)
	var features, bins, thresholds []build.Value
	var leaves build.Value
	for level := range w.Depth {
		nodes := 1 << level
		var split chosen
		var left build.Value // 1 for rows that go left
		w.Scope(fmt.Sprintf("level%d", level), func() {
			split = w.split(sums, nodes)
			if w.ownedSplits() {
				left = w.Convert(w.Not(w.ownedRight(split.hot)), tensor.I32)
			} else {
				left = w.Sub(1, w.right(split.hot))
			}
		})
		features, bins, thresholds = append(features, split.feature), append(bins, split.bin), append(thresholds, split.threshold)
		if level == 0 {
			member = w.alternate(left, w.Sub(1, left))
		} else {
			in := w.Mul(member, left)
			member = w.alternate(in, w.Sub(member, in))
		}
		if level == w.Depth-1 {
			leaves = w.leaves(split)
			break
		}
		gl, hl := w.Mul(mg, left), w.Mul(mh, left)
		mg, mh = w.alternate(gl, w.Sub(mg, gl)), w.alternate(hl, w.Sub(mh, hl))
		sums = w.children(sums, w.histogram(gl, hl))
	}
	return grown{w.Concat(0, features...), w.Concat(0, bins...), w.Concat(0, thresholds...), leaves, member}
}

// alternate returns the rows of left and right in turns: those of the children of each node.
func (w *writer) alternate(left, right build.Value) build.Value {
	k, n := left.Dim(0), left.Dim(1)
	return w.Reshape(w.Concat(1, w.Reshape(left, k, 1, n), w.Reshape(right, k, 1, n)), 2*k, n)
}

// interleave returns the columns of left and right in turns: those of the children of each node.
func (w *writer) interleave(left, right build.Value) build.Value {
	n, k := left.Dim(0), left.Dim(1)
	return w.Reshape(w.Concat(2, w.Reshape(left, n, k, 1), w.Reshape(right, n, k, 1)), n, 2*k)
}

// histograms are sums of gradients and of Hessians, a row for each bin and a column for each node. own are those of Hessians of each
// party's rows of stacked tables.
type histograms struct {
	g, h build.Value
	own  []build.Value
}

// children returns the histograms of the children of nodes from their own and those of the left children.
func (w *writer) children(of, left histograms) histograms {
	both := func(x, l build.Value) build.Value { return w.interleave(l, w.Sub(x, l)) }
	out := histograms{g: both(of.g, left.g), h: both(of.h, left.h)}
	for i, x := range left.own {
		out.own = append(out.own, both(of.own[i], x))
	}
	return out
}

// histogram returns the sums of the rows of g and h in each bin.
func (w *writer) histogram(g, h build.Value) histograms {
	k := g.Dim(0)
	v := w.Concat(0, g, h)
	if w.Stacked != nil {
		return w.stackedHistogram(v, k)
	}
	var parts []build.Value
	for _, hot := range w.hot {
		parts = append(parts, w.DotGeneral(hot, v, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}}))
	}
	all := w.Concat(0, parts...)
	return histograms{g: w.Slice(all, []int{0, 0}, []int{w.all, k}), h: w.Slice(all, []int{0, k}, []int{w.all, 2 * k})}
}

// chosen is the split of each node.
type chosen struct {
	hot                     build.Value // bins × nodes, i32
	feature, bin, threshold build.Value // of each node
	gl, hl, gr, hr          build.Value // sums of each side, i32
}

// split returns the split of largest gain of each node.
func (w *writer) split(sums histograms, nodes int) chosen {

	pg, ph := w.prefix(sums.g, nodes), w.prefix(sums.h, nodes)
	total := func(x build.Value) build.Value { // all bins of the first feature
		return w.Slice(x, []int{w.Bins - 1, 0}, []int{w.Bins, nodes})
	}
	tg, th := total(pg), total(ph)
	spread := func(x build.Value) build.Value { return w.BroadcastInDim(x, []int{0, 1}, w.all, nodes) }
	rg, rh := w.Sub(spread(tg), pg), w.Sub(spread(th), ph)
	number := func(x build.Value) build.Value { return w.Mul(w.Convert(x, tensor.F64), math.Ldexp(1, -w.fraction())) }
	side := func(g, h build.Value) build.Value {
		g = number(g)
		return w.Mul(g, w.Div(g, w.Add(number(h), w.Lambda)))
	}
	gain := w.Add(side(pg, ph), side(rg, rh))
	least := int64(math.Ceil(w.MinWeight * math.Ldexp(1, w.fraction())))
	last := w.Equal(w.Rem(w.Iota(tensor.I32, 0, w.all, nodes), w.Bins), w.Bins-1)
	weights := [][2]build.Value{{ph, rh}} // of both sides, each of which is large enough
	if sums.own != nil {
		weights = nil
		for _, x := range sums.own {
			l := w.prefix(x, nodes)
			weights = append(weights, [2]build.Value{l, w.Sub(spread(total(l)), l)})
		}
	}
	var enough build.Value
	for i, x := range weights {
		each := w.And(w.GreaterEqual(x[0], least), w.GreaterEqual(x[1], least))
		if i > 0 {
			each = w.And(enough, each)
		}
		enough = each
	}
	allowed := w.Or(last, enough)
	gain = w.Select(allowed, gain, w.Const(tensor.F64, float64(noGain), w.all, nodes))
	at := w.Iota(tensor.I32, 0, w.all, nodes)
	best := w.Reduce([]build.Value{gain, at}, []any{math.Inf(-1), 0}, []int{0}, func(x, y []build.Value) []build.Value {
		larger := w.Greater(x[0], y[0])
		first := w.Or(larger, w.And(w.Equal(x[0], y[0]), w.Less(x[1], y[1])))
		return []build.Value{w.Select(larger, x[0], y[0]), w.Select(first, x[1], y[1])}
	})[1]
	is := w.Equal(w.BroadcastInDim(best, []int{1}, w.all, nodes), at)
	hot := w.Convert(is, tensor.I32)
	row := w.Iota(tensor.I32, 0, w.all)
	of := func(x build.Value) build.Value { return w.Sum(w.Mul(hot, x), 0) }
	c := chosen{
		hot: hot, feature: w.Dot(w.Div(row, w.Bins), hot), bin: w.Dot(w.Rem(row, w.Bins), hot),
		threshold: w.Dot(w.edges, w.Convert(is, tensor.I64)), gl: of(pg), hl: of(ph),
	}
	c.gr, c.hr = w.Sub(w.Reshape(tg, nodes), c.gl), w.Sub(w.Reshape(th, nodes), c.hl)
	return c
}

// prefix returns sums over the bins of each feature up to each, which are local.
func (w *writer) prefix(x build.Value, nodes int) build.Value {
	x = w.Reshape(x, w.features(), w.Bins, nodes)
	for by := 1; by < w.Bins; by *= 2 {
		zeros := w.Const(tensor.I32, 0, w.features(), by, nodes)
		x = w.Add(x, w.Concat(1, zeros, w.Slice(x, []int{0, 0, 0}, []int{w.features(), w.Bins - by, nodes})))
	}
	return w.Reshape(x, w.all, nodes)
}

// right returns 1 for the rows of tables whose bin is above that of the node's split, nodes × Rows.
func (w *writer) right(split build.Value) build.Value {
	nodes := split.Dim(1)
	upTo := w.Sub(w.prefix(split, nodes), split) // 1 for bins above the split
	if w.Stacked != nil {
		return w.stackedRight(upTo)
	}
	var out build.Value
	at := 0
	for i, hot := range w.hot {
		own := w.Slice(upTo, []int{at, 0}, []int{at + w.counts[i], nodes})
		x := w.DotGeneral(own, hot, hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{0}})
		if at += w.counts[i]; i > 0 {
			x = w.Add(out, x)
		}
		out = x
	}
	return out
}

// leaves returns the values of the children of the last level's nodes.
func (w *writer) leaves(c chosen) build.Value {
	k := c.gl.Dim(0)
	both := func(l, r build.Value) build.Value {
		x := w.Reshape(w.interleave(w.Reshape(l, k, 1), w.Reshape(r, k, 1)), 2*k)
		return w.Mul(w.Convert(x, tensor.F64), math.Ldexp(1, -w.fraction()))
	}
	value := w.Div(w.Mul(both(c.gl, c.gr), -w.Rate), w.Add(both(c.hl, c.hr), w.Lambda))
	return w.Convert(w.Mul(value, float64(int(1)<<leafFraction)), tensor.I32)
}
