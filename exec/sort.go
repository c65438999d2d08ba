package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	table.Add(hlo.OpSort, sortBy)
	table.Add(hlo.OpTopK, func(c *opRun, in []*value) ([]*value, error) {
		return c.topK(in[0], c.o.Attrs.Int("k", 0), true)
	})
	customs.Add("mhlo.topk", func(c *opRun, in []*value) ([]*value, error) {
		attrs := c.o.Attrs.Dict("mhlo.attributes")
		k, ok := attrs["k"].(int64)
		shape := in[0].typ.Shape
		if !ok || len(shape) == 0 || k < 0 || int(k) > shape[len(shape)-1] || len(c.o.Results) != 2 {
			return nil, refuse(c.o, "asks for a number of elements that is missing, negative or more than there are", "")
		}
		largest, _ := attrs["largest"].(bool)
		return c.topK(in[0], int(k), largest)
	})
	customs.Add("ApproxTopK", approxTopK)
}

// approxTopK returns the exact elements.
func approxTopK(c *opRun, in []*value) ([]*value, error) {
	if len(in) != 4 || in[1].owner != Public || in[2].owner != Public {
		return nil, refuse(c.o, "is not of one operand, public indices and a public initial value", "")
	}
	dim, largest, err := eval.ApproxTopK(c.o, in[1].array(), in[2].array())
	if err != nil {
		return nil, refuse(c.o, err.Error(), "")
	}
	perm := slices.Concat(algo.Others(len(in[0].typ.Shape), []int{dim}), []int{dim})
	return c.along(in[:1], perm, func(rows []*value) ([]*value, error) {
		return c.topK(rows[0], c.o.Results[0].Type.Shape[dim], largest)
	})
}

// sortBy sorts rows of several operands along a dimension, by any comparator. If the compared operands are
// public, so is the order; else no party learns it.
func sortBy(c *opRun, in []*value) ([]*value, error) {
	shape := in[0].typ.Shape
	dim := c.o.Attrs.Int("dimension", -1)
	if dim < 0 {
		dim += len(shape)
	}
	cmp := comparatorOf(c.o.Regions[0])
	if public := c.publicOrder(cmp, in); public != nil {
		return c.inOrder(in, public)
	}
	if keys := keysOf(cmp.body); keys != nil && c.shuffles(shape[dim]) && shape.Size() > 0 {
		return c.along(in, slices.Concat(algo.Others(len(shape), []int{dim}), []int{dim}), func(rows []*value) ([]*value, error) {
			return c.shuffled(rows, cmp.body, keys, shape[dim])
		})
	}
	return c.along(in, slices.Concat([]int{dim}, algo.Others(len(shape), []int{dim})), func(rows []*value) ([]*value, error) {
		return c.ranked(rows, cmp)
	})
}

// along applies f to operands with permuted dimensions and permutes the results' dimensions back.
func (c *opRun) along(in []*value, perm []int, f func([]*value) ([]*value, error)) ([]*value, error) {
	rows := make([]*value, len(in))
	for i, v := range in {
		rows[i] = c.view(v, tensor.Transposed(v.typ.Shape, perm))
	}
	out, err := f(rows)
	if err != nil {
		return nil, err
	}
	back := make([]int, len(perm))
	for to, from := range perm {
		back[from] = to
	}
	for i, v := range out {
		out[i] = c.view(v, tensor.Transposed(v.typ.Shape, back))
	}
	return out, nil
}

// ranked sorts rows along the first dimension by ranks and a network.
func (c *opRun) ranked(rows []*value, cmp comparator) ([]*value, error) {
	stable := cmp.key < 0 || len(rows) > 1 && c.o.Attrs.Bool("is_stable")
	s, err := c.sorter(rows, cmp, stable)
	if err != nil {
		return nil, err
	}
	if err := s.sort(s.n); err != nil {
		return nil, err
	}
	return s.results(), nil
}

// topK returns the k greatest (or least) elements along the last dimension, the greatest first, and their
// positions; of equal ones the first.
func (c *opRun) topK(x *value, k int, largest bool) ([]*value, error) {
	shape := x.typ.Shape
	last := len(shape) - 1
	if c.shuffles(shape[last]) && k > 0 && shape.Size() > 0 {
		t := tensor.Type{DType: c.o.Results[1].Type.DType, Shape: tensor.Shape{shape[last]}}
		at := c.view(&value{typ: t, owner: Public, arr: positions(t)}, tensor.Broadcast(t.Shape, []int{last}, shape))
		key := &hlo.Value{Type: tensor.Type{DType: x.typ.DType}}
		return c.shuffled([]*value{x, at}, &hlo.Block{Params: []*hlo.Value{key}}, []sortKey{{key, largest}}, k)
	}
	perm := slices.Concat([]int{last}, algo.Others(len(shape), []int{last}))
	rows := c.view(x, tensor.Transposed(shape, perm))
	t := tensor.Type{DType: c.o.Results[1].Type.DType, Shape: rows.typ.Shape}
	at := &value{typ: t, owner: Public, arr: positions(t)}
	s, err := c.sorter([]*value{rows, at}, comparator{descending: largest}, true)
	if err != nil {
		return nil, err
	}
	if err := s.sort(k); err != nil {
		return nil, err
	}
	back := slices.Concat(algo.Others(len(shape)+1, []int{0, last + 1}), []int{0})
	out := s.results()
	for i, v := range out {
		v = c.view(v, firstRows(v.typ.Shape, k))
		out[i] = c.view(v, tensor.Transposed(v.typ.Shape, back))
	}
	return out, nil
}

// firstRows returns the view of the first k rows along the first dimension.
func firstRows(shape tensor.Shape, k int) tensor.View {
	v := tensor.Transposed(shape, slices.Concat(algo.Others(len(shape))))
	v.Shape[0] = k
	return v
}

// positions returns the row numbers along the first dimension.
func positions(t tensor.Type) *tensor.Array {
	w := make([]uint64, t.Shape.Size())
	for i := range w {
		w[i] = uint64(i / (len(w) / t.Shape[0]))
	}
	return tensor.FromWords(t.DType, t.Shape, w)
}

// publicOrder returns the order of operands that are compared by public values, as positions along the
// dimension; nil if a compared value is not public.
func (c *opRun) publicOrder(cmp comparator, in []*value) *tensor.Array {
	var keys []*tensor.Array
	block := &hlo.Block{Ops: c.o.Regions[0].Ops}
	o := *c.o
	o.Operands = nil
	for i, v := range in {
		if !cmp.uses[i] {
			continue
		}
		if v.owner != Public {
			return nil
		}
		keys = append(keys, v.array())
		o.Operands = append(o.Operands, c.o.Operands[i])
		block.Params = append(block.Params, c.o.Regions[0].Params[2*i:2*i+2]...)
	}
	t := tensor.Type{DType: tensor.I32, Shape: in[0].typ.Shape}
	scalar := tensor.Type{DType: tensor.I32}
	block.Params = append(block.Params, &hlo.Value{Type: scalar}, &hlo.Value{Type: scalar})
	o.Operands = append(o.Operands, &hlo.Value{Type: t})
	o.Results, o.Regions = o.Operands, []*hlo.Block{block}
	places := make([]uint64, t.Shape.Size())
	for i := range places {
		places[i] = uint64(i)
	}
	out, err := eval.Op(c.ctx, &o, append(keys, tensor.FromWords(t.DType, t.Shape, places)))
	if err != nil {
		return nil
	}
	return out[len(out)-1]
}

// inOrder takes elements from the given positions.
func (c *opRun) inOrder(in []*value, places *tensor.Array) ([]*value, error) {
	index := make([]int32, places.Len())
	for i, w := range places.Words() {
		index[i] = int32(w)
	}
	out := make([]*value, len(in))
	for i, v := range in {
		out[i] = c.pickedFrom(index, v.typ.Shape, v)
	}
	return out, nil
}

// sorter sorts rows of secrets, many columns at once: few rows by their ranks, more by a network of
// comparators that depends only on their number.
type sorter struct {
	*opRun
	cmp      comparator
	n, width int
	types    []tensor.Type
	scales   []int
	cols     []mpc.Secret // the sorted columns, one for each operand that is not row numbers
	operand  []int        // the operand's number
	at       mpc.Secret   // where each row was; nil if rows that compare equal are equal
	isAt     []bool       // operands that are row numbers
	ranked   int          // the largest number of rows that are sorted by ranks
}

// maxRanked is the largest number of rows that are sorted by ranks: for more, the pairs' bytes cost more than
// the saved rounds.
const maxRanked = 64

// sorter shares and opens rows. stable says whether rows that compare equal keep their order, if that can be
// observed.
func (c *opRun) sorter(rows []*value, cmp comparator, stable bool) (*sorter, error) {
	s := &sorter{opRun: c, cmp: cmp, n: rows[0].typ.Shape[0]}
	if s.n > 0 {
		s.width = rows[0].typ.Shape.Size() / s.n
	}
	if c.Arith.Options.Sort == "auto" {
		s.ranked = maxRanked
	}
	stable = stable && s.n > s.ranked // ranks are stable already
	s.isAt, s.scales = make([]bool, len(rows)), make([]int, len(rows))
	for i, v := range rows {
		s.types = append(s.types, v.typ)
		if s.isAt[i] = stable && !cmp.uses[i] && isPositions(v); s.isAt[i] {
			continue
		}
		x := c.Arith.Rescale(c.op, c.share(v, c.Arith.Fraction))
		s.scales[i] = x.Scale
		s.cols, s.operand = append(s.cols, x.S), append(s.operand, i)
	}
	if stable {
		p := 1
		for 1<<p < s.n {
			p++
		}
		r := ring.Z(p + 3) // a comparison and a lift to integers need two spare bits and one
		s.at = c.Arith.P.Public(c.op, s.counted(r, s.n*s.width, func(i int) int { return i / s.width }), p)
	}
	c.Arith.P.Open(c.op, s.cols...)
	return s, nil
}

// isPositions reports whether a public value holds the row numbers.
func isPositions(v *value) bool {
	return v.owner == Public && v.typ.DType.IsInt() && v.typ.Shape.Size() > 0 && slices.Equal(v.array().Words(), positions(v.typ).Words())
}

// sort puts the first k rows in order. Each stage of the network sorts every p-th row, for decreasing p.
// Ranks replace the first stages, as long as there are at most maxRanked such rows.
func (s *sorter) sort(k int) error {
	from := 2 * s.n // pairs this far apart are in order
	if s.ranked > 0 && s.n > 1 {
		for from = 1; (s.n+from-1)/from > s.ranked; from *= 2 {
		}
		bySize := map[int][][]int{}
		for r := range min(from, s.n) {
			var class []int
			for i := r; i < s.n; i += from {
				class = append(class, i)
			}
			bySize[len(class)] = append(bySize[len(class)], class)
		}
		for _, size := range []int{s.n / from, s.n/from + 1} {
			if size < 2 || len(bySize[size]) == 0 {
				continue
			}
			if err := s.rank(bySize[size]); err != nil {
				return err
			}
		}
	}
	for _, layer := range needed(mergeExchange(s.n, from/2), k) {
		if err := s.Graph.Admit(); err != nil {
			return err
		}
		if err := s.exchange(layer); err != nil {
			return err
		}
	}
	return nil
}

// all returns the columns, including positions.
func (s *sorter) all() []mpc.Secret {
	if s.at == nil {
		return s.cols
	}
	return append(slices.Clone(s.cols), s.at)
}

func (s *sorter) setAll(all []mpc.Secret) {
	s.cols = all[:len(s.cols)]
	if s.at != nil {
		s.at = all[len(all)-1]
	}
}

// rank sorts classes of rows of one size by comparing all pairs of a class at once. A row's rank is the
// number of rows that belong before it, which is the position of its elements. Of rows that compare equal,
// the earlier one counts as before the others.
func (s *sorter) rank(classes [][]int) error {
	p := s.Arith.P
	n := len(classes[0])
	lanes := len(classes) * s.width
	pairs := allPairs(n)
	all := s.all()
	row := func(lane, i int) int32 { // index in a column of row i of a lane
		return int32(classes[lane/s.width][i]*s.width + lane%s.width)
	}
	side := func(of mpc.Secret, k int) mpc.Secret {
		return s.picked(of, tensor.Shape{len(pairs), lanes}, func(i int) int32 { return row(i%lanes, pairs[i/lanes][k]) })
	}
	xs, ys := make([]mpc.Secret, len(s.cols)), make([]mpc.Secret, len(s.cols))
	for i, v := range s.cols {
		xs[i], ys[i] = side(v, 0), side(v, 1)
	}
	back, err := s.cmp.before(s.opRun, s.values(ys), s.values(xs))
	if err != nil {
		return err
	}
	t := mpc.Table{Groups: lanes, Cells: n, Columns: 1, Offsets: []int{0}}
	r := ring.Z(t.Bits())
	late := p.B2A(s.op, r, back)
	pair := func(i, j int) int { return i*(2*n-i-1)/2 + j - i - 1 } // its number, i < j
	// terms returns, for each row and each other row, the bit that the other belongs before it: late if it
	// comes later, 1 − late if it comes earlier.
	terms := func(earlier bool) mpc.Secret {
		return s.picked(late, tensor.Shape{lanes, n, n}, func(at int) int32 {
			lane, i, j := at/(n*n), at/n%n, at%n
			if earlier {
				i, j = j, i
			}
			if i >= j {
				return tensor.Fill
			}
			return int32(pair(i, j)*lanes + lane)
		})
	}
	each := p.Linear(s.op, maps.Combine{N: lanes * n * n, Coef: []int64{1, -1}}, terms(false), terms(true))
	ranks := p.Linear(s.op, maps.Sum{Outer: lanes * n, Reduced: n, Inner: 1}, each)
	ranks = p.AddPublic(s.op, ranks, s.counted(r, lanes*n, func(i int) int { return i % n }), r.Bits)
	p.Open(s.op, ranks)
	for i, v := range all {
		placed := p.Place(s.op, ranks, s.picked(v, tensor.Shape{lanes, n}, func(i int) int32 { return row(i/n, i%n) }), t)
		back := tensor.Listed(tensor.Shape{s.n * s.width}, s.n*s.width+lanes*n, func() []int32 {
			out := make([]int32, s.n*s.width)
			for i := range out {
				out[i] = int32(i)
			}
			for i := range lanes * n {
				out[row(i/n, i%n)] = int32(s.n*s.width + i)
			}
			return out
		})
		if lanes*n == s.n*s.width { // no row stays where it is
			back = tensor.Inverse(tensor.Listed(tensor.Shape{lanes * n}, lanes*n, func() []int32 {
				out := make([]int32, lanes*n)
				for i := range out {
					out[i] = row(i/n, i%n)
				}
				return out
			}), tensor.Shape{s.n * s.width})
			all[i] = p.Linear(s.op, maps.NewView(back, placed.Len()), placed)
			continue
		}
		all[i] = p.Linear(s.op, maps.NewView(back, v.Len(), placed.Len()), v, placed)
	}
	s.setAll(all)
	p.Open(s.op, all...)
	return nil
}

// picked returns elements of a column.
func (s *sorter) picked(of mpc.Secret, shape tensor.Shape, at func(i int) int32) mpc.Secret {
	v := tensor.Listed(shape, of.Len(), func() []int32 {
		out := make([]int32, shape.Size())
		for i := range out {
			out[i] = at(i)
		}
		return out
	})
	return s.Arith.P.Linear(s.op, maps.NewView(v, of.Len()), of)
}

// counted returns a public vector of small numbers.
func (s *sorter) counted(r ring.Ring, n int, of func(i int) int) ring.Vec {
	if s.Graph.DryRun() {
		return ring.ShapeOnly(r, n)
	}
	ints := make([]int64, n)
	for i := range ints {
		ints[i] = int64(of(i))
	}
	return ring.FromInts(r, ints)
}

// allPairs lists all pairs of n rows, the earlier row first.
func allPairs(n int) [][2]int {
	var out [][2]int
	for i := range n {
		for j := i + 1; j < n; j++ {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// exchange compares pairs of rows and swaps those whose second row belongs before the first.
func (s *sorter) exchange(pairs [][2]int) error {
	p := s.Arith.P
	all := s.all()
	side := func(of mpc.Secret, k int) mpc.Secret {
		return s.picked(of, tensor.Shape{len(pairs), s.width}, func(i int) int32 { return int32(pairs[i/s.width][k]*s.width + i%s.width) })
	}
	xs, ys := make([]mpc.Secret, len(all)), make([]mpc.Secret, len(all))
	for i, v := range all {
		xs[i], ys[i] = side(v, 0), side(v, 1)
	}
	swap, err := s.swaps(xs, ys)
	if err != nil {
		return err
	}
	first, second := p.Swap(s.op, swap, xs, ys)
	v := tensor.Listed(tensor.Shape{s.n * s.width}, (s.n+2*len(pairs))*s.width, func() []int32 {
		out := make([]int32, s.n*s.width)
		for i := range out {
			out[i] = int32(i)
		}
		for i, pair := range pairs {
			for j := range s.width {
				out[pair[0]*s.width+j] = int32((s.n+i)*s.width + j)
				out[pair[1]*s.width+j] = int32((s.n+len(pairs)+i)*s.width + j)
			}
		}
		return out
	})
	for i, x := range all {
		all[i] = p.Linear(s.op, maps.NewView(v, x.Len(), first[i].Len(), second[i].Len()), x, first[i], second[i])
	}
	s.setAll(all)
	return nil
}

// swaps returns the bit "y belongs before x", or where neither belongs before the other, whether y came
// first.
func (s *sorter) swaps(xs, ys []mpc.Secret) (mpc.Bit, error) {
	p := s.Arith.P
	x, y := s.values(xs), s.values(ys)
	back, err := s.cmp.before(s.opRun, y, x)
	if err != nil || s.at == nil {
		return back, err
	}
	var tie mpc.Bit
	n := xs[0].Len()
	if s.cmp.key >= 0 {
		same, err := s.equal(x[s.cmp.key], y[s.cmp.key])
		if err != nil {
			return nil, err
		}
		tie = s.share(same, 0).S
	} else {
		forth, err := s.cmp.before(s.opRun, x, y)
		if err != nil {
			return nil, err
		}
		tie = p.Linear(s.op, maps.Combine{N: n, Coef: []int64{1, 1}}, back, forth)
		tie = s.Arith.Not(s.op, fxp.NewValue(tie, tensor.Type{DType: tensor.Bool, Shape: tensor.Shape{n}}, 0)).S
	}
	earlier := p.Less(s.op, ys[len(ys)-1], xs[len(xs)-1])
	return p.Linear(s.op, maps.Combine{N: n, Coef: []int64{1, 1}}, back, p.And(s.op, tie, earlier)), nil
}

// values returns columns as operands of the comparator.
func (s *sorter) values(cols []mpc.Secret) []*value {
	out := make([]*value, len(s.types))
	for i, k := range s.operand {
		t := tensor.Type{DType: s.types[k].DType, Shape: tensor.Shape{cols[i].Len()}}
		out[k] = secret(fxp.NewValue(cols[i], t, s.scales[k]))
	}
	return out
}

// results returns the sorted operands.
func (s *sorter) results() []*value {
	out := make([]*value, len(s.types))
	for i, k := range s.operand {
		out[k] = secret(fxp.NewValue(s.cols[i], s.types[k], s.scales[k]))
	}
	for i, t := range s.types {
		if s.isAt[i] {
			out[i] = secret(fxp.NewValue(s.Arith.P.Extend(s.op, ring.Z(t.DType.Bits()), s.at, true), t, 0))
		}
	}
	return out
}

// mergeExchange returns Batcher's network for any number of rows (Knuth, The Art of Computer Programming 3,
// algorithm 5.2.2M) as layers of pairs. Stages with p > most are left out: rows 2·most apart are in order
// already.
func mergeExchange(n, most int) [][][2]int {
	top := 1
	for 2*top < n {
		top *= 2
	}
	var out [][][2]int
	for p := min(top, most); p > 0 && n > 1; p /= 2 {
		for q, r, d := top, 0, p; ; q, r, d = q/2, p, q-p {
			var layer [][2]int
			for i := range n - d {
				if i&p == r {
					layer = append(layer, [2]int{i, i + d})
				}
			}
			out = append(out, layer)
			if q == p {
				break
			}
		}
	}
	return out
}

// needed returns those pairs of a network on which the first k of its outputs depend.
func needed(layers [][][2]int, k int) [][][2]int {
	used := map[int]bool{}
	for i := range k {
		used[i] = true
	}
	var out [][][2]int
	for i := len(layers) - 1; i >= 0; i-- {
		var layer [][2]int
		for _, p := range layers[i] {
			if used[p[0]] || used[p[1]] {
				used[p[0]], used[p[1]] = true, true
				layer = append(layer, p)
			}
		}
		if len(layer) > 0 {
			out = append(out, layer)
		}
	}
	slices.Reverse(out)
	return out
}
