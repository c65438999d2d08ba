package pass

import (
	"math"
	"reflect"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// ownTables moves integer functions from what a gather at secret indices returns to the table that it reads, if not all of
// that is secret: the table's owner computes them in cleartext. The functions are mostly those by which JAX adapts negative
// indices and tests whether they are in range, so that the integers of one table are indices of another. Comparisons of
// integers that their ranges decide become constants. Exact.
var ownTables = Pass{"own tables", "integer functions of elements of an owner's table are computed by the owner", func(e *editor) {
	if !e.looksUp() {
		return
	}
	ranges := pattern.Bounds(e.prog, e.Ranges...)
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] == hlo.Public {
			return false
		}
		return s.decided(o, ranges) || s.constantOperand(o) || s.unitReduction(o) || s.ofOwnTable(o) || s.fillRow(o)
	})
}}

// looksUp reports whether the program has a gather at secret indices.
func (e *editor) looksUp() bool {
	any := false
	e.each(func(o *hlo.Op) { any = any || e.isLookup(o) })
	return any
}

func (e *editor) isLookup(o *hlo.Op) bool {
	return o.Name == hlo.OpGather && e.vis[o.Operands[1]] == hlo.Secret
}

// decided replaces a comparison of integers whose result the operands' ranges decide.
func (s *site) decided(o *hlo.Op, ranges *pattern.Ranges) bool {
	if o.Name != hlo.OpCompare || !o.Operands[0].Type.DType.IsInt() {
		return false
	}
	lo, hi := ranges.Of(o.Results[0])
	return lo == hi && s.replaceResult(o, s.number(o.Results[0].Type, lo))
}

// constantOperand replaces a selection by a constant, and a conjunction with one.
func (s *site) constantOperand(o *hlo.Op) bool {
	r := o.Results[0]
	switch {
	case o.Name == hlo.OpSelect:
		if p, ok := s.splat(o.Operands[0]); ok {
			return s.replaceResult(o, o.Operands[2-int(p)])
		}
	case o.Name == hlo.OpAnd && r.Type.DType == tensor.Bool:
		for i, v := range o.Operands {
			if p, ok := s.splat(v); ok && p == 1 {
				return s.replaceResult(o, o.Operands[1-i])
			}
		}
	}
	return false
}

// unitReduction replaces a conjunction along dimensions of size 1.
func (s *site) unitReduction(o *hlo.Op) bool {
	if o.Name != hlo.OpReduce || len(o.Operands) != 2 || algo.Reducer(o.Regions[0]) != hlo.OpAnd || o.Results[0].Type.DType != tensor.Bool {
		return false
	}
	if x, ok := s.splat(o.Operands[1]); !ok || x != 1 || o.Operands[0].Type.Shape.Size() != o.Results[0].Type.Shape.Size() {
		return false
	}
	return s.replaceResult(o, s.reshape(o.Operands[0], o.Results[0].Type.Shape))
}

func (s *site) reshape(v *hlo.Value, to tensor.Shape) *hlo.Value {
	if v.Type.Shape.Equal(to) {
		return v
	}
	return s.emit(hlo.OpReshape, tensor.Type{DType: v.Type.DType, Shape: to}, nil, v)
}

// reshaped returns the value of which v is a reshape, or a broadcast that adds dimensions of size 1.
func (e *editor) reshaped(v *hlo.Value) *hlo.Value {
	for {
		o := e.def[v]
		switch {
		case o == nil:
			return v
		case o.Name == hlo.OpReshape:
		case o.Name == hlo.OpBroadcastInDim && o.Operands[0].Type.Shape.Size() == v.Type.Shape.Size() &&
			slices.IsSorted(o.Attrs.Ints("broadcast_dimensions")):
		default:
			return v
		}
		v = o.Operands[0]
	}
}

// fromOwnTable returns the gather at secret indices, of integers or booleans that are not all secret, of which v is a reshape;
// nil if it is none.
func (e *editor) fromOwnTable(v *hlo.Value) *hlo.Op {
	v = e.reshaped(v)
	o := e.def[v]
	if o == nil || !e.isLookup(o) || e.vis[o.Operands[0]] == hlo.Secret || v.Type.Shape.Size() == 0 || !discrete(v.Type.DType) ||
		o.Operands[0].Type.Shape.Size() > maxInspected {
		return nil
	}
	return o
}

func discrete(d tensor.DType) bool { return d.IsInt() || d == tensor.Bool }

// alike reports whether two gathers select the same elements of their tables.
func alike(a, b *hlo.Op) bool {
	return a.Operands[1] == b.Operands[1] && a.Operands[0].Type.Shape.Equal(b.Operands[0].Type.Shape) && reflect.DeepEqual(a.Attrs, b.Attrs)
}

// maxOwnRows is the largest number of rows of a table from which ofOwnTable makes another one.
const maxOwnRows = 1 << 10

// ofOwnTable rewrites f(gather(t, i), gather(u, i), c) as gather(f(t, u, c), i) for constants c.
func (s *site) ofOwnTable(o *hlo.Op) bool {
	r := o.Results[0]
	if !o.Is(hlo.Elementwise) || len(o.Regions) > 0 || !discrete(r.Type.DType) || o.Name == hlo.OpBitcastConvert {
		return false
	}
	var first *hlo.Op
	tables := make([]*hlo.Value, len(o.Operands)) // nil for a constant
	vis := hlo.Public
	for i, v := range o.Operands {
		if !discrete(v.Type.DType) {
			return false
		}
		if _, ok := s.splat(v); ok {
			continue
		}
		g := s.fromOwnTable(v)
		if g == nil || first != nil && !alike(first, g) || !v.Type.Shape.Equal(r.Type.Shape) {
			return false
		}
		if first == nil {
			first = g
		}
		tables[i] = g.Operands[0]
		vis = vis.Join(s.vis[tables[i]])
	}
	if first == nil || vis == hlo.Secret {
		return false
	}
	if w := algo.GatherOf(first); algo.Size(w.In, w.Targets) > maxOwnRows {
		return false
	}
	shape := first.Operands[0].Type.Shape
	for i, v := range o.Operands {
		if tables[i] == nil {
			x, _ := s.splat(v)
			tables[i] = s.number(tensor.Type{DType: v.Type.DType, Shape: shape}, x)
		}
	}
	table := s.emit(o.Name, tensor.Type{DType: r.Type.DType, Shape: shape}, o.Attrs, tables...)
	return s.replaceResult(o, s.reshape(s.lookUp(first, table, first.Operands[1]), r.Type.Shape))
}

// lookUp inserts a gather like g of another table or at other indices.
func (s *site) lookUp(g *hlo.Op, table, index *hlo.Value) *hlo.Value {
	return s.emit(hlo.OpGather, tensor.Type{DType: table.Type.DType, Shape: g.Results[0].Type.Shape}, g.Attrs, table, index)
}

// fillRow rewrites select(gather(p, i), gather(x, gather(u, i)), NaN), by which JAX fills in NaN for indices out of range, as a
// gather of x with a row of NaN at its end: the owner of p and u knows which index means that row.
func (s *site) fillRow(o *hlo.Op) bool {
	if o.Name != hlo.OpSelect || !o.Results[0].Type.DType.IsFloat() || !s.isNaN(o.Operands[2]) {
		return false
	}
	p, x := s.fromOwnTable(o.Operands[0]), s.def[s.reshaped(o.Operands[1])]
	if p == nil || x == nil || !s.isLookup(x) || s.uses[x.Results[0]] != 1 || len(algo.GatherOf(x).Targets) != 1 {
		return false
	}
	u := s.fromOwnTable(x.Operands[1])
	if u == nil || !alike(u, p) || s.vis[u.Operands[0]].Join(s.vis[p.Operands[0]]) == hlo.Secret {
		return false
	}
	dim := algo.GatherOf(x).Targets[0]
	in := x.Operands[0].Type
	size := in.Shape[dim]
	if x.Attrs.Ints("slice_sizes")[dim] != 1 || bitsFor(size+1) != bitsFor(size) || o.Operands[0].Type.Shape.Size() != x.Results[0].Type.Shape.Size() {
		return false
	}
	fill := in
	fill.Shape = in.Shape.Clone()
	fill.Shape[dim] = 1
	more := in
	more.Shape = in.Shape.Clone()
	more.Shape[dim]++
	table := s.emit(hlo.OpConcatenate, more, hlo.Attrs{"dimension": int64(dim)}, x.Operands[0], s.number(fill, math.NaN()))
	own := s.clamp(u.Operands[0], size-1)
	own = s.emit(hlo.OpSelect, own.Type, nil, p.Operands[0], own, s.number(own.Type, float64(size)))
	index := s.reshape(s.lookUp(u, own, u.Operands[1]), x.Operands[1].Type.Shape)
	return s.replaceResult(o, s.reshape(s.lookUp(x, table, index), o.Results[0].Type.Shape))
}

// isNaN reports whether v repeats a constant NaN, which splat does not know.
func (e *editor) isNaN(v *hlo.Value) bool {
	o := e.def[v]
	for o != nil && (o.Name == hlo.OpBroadcastInDim || o.Name == hlo.OpReshape) {
		o = e.def[o.Operands[0]]
	}
	if o == nil || o.Name != hlo.OpConstant {
		return false
	}
	c, ok := o.Constant()
	return ok && c.Elements.Len() == 1 && c.Type.DType.IsFloat() && math.IsNaN(c.Elements.Floats()[0])
}

// clamp inserts min(max(v, 0), most). v has integers, and most is one of them.
func (s *site) clamp(v *hlo.Value, most int) *hlo.Value {
	scalar := tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{}}
	return s.emit(hlo.OpClamp, v.Type, nil, s.number(scalar, 0), v, s.number(scalar, float64(most)))
}

// bitsFor returns the bits of an index of n elements.
func bitsFor(n int) int {
	bits := 0
	for 1<<bits < n {
		bits++
	}
	return bits
}

// narrowTables makes the tables of gathers at secret indices as small as the program's text allows: an index from
// 0 to 3 is looked up among four elements, and an index p + i, with a public p and an i from 0 to 3, among the four elements
// from p on. A component that is all public chooses a table, too. An index that is an element of an owner's table is
// clamped by its owner, and has no more bits than it needs. Exact.
var narrowTables = Pass{"narrow tables", "indices are looked up among the elements that they can mean", func(e *editor) {
	if !e.looksUp() {
		return
	}
	ranges := pattern.Bounds(e.prog, e.Ranges...)
	e.rewrite(false, func(s *site, o *hlo.Op) bool { return s.isLookup(o) && s.narrowLookup(o, ranges) })
}}

// component is a component of a gather's index vectors: base + at, where base is public. at is below n and not negative, or
// clamped to that.
type component struct {
	dim  int        // the table's dimension
	base *hlo.Value // nil for from in all vectors
	from int        // is added to base
	at   *hlo.Value // nil for 0
	n    int
	own  *hlo.Op // the gather from an owner's table whose elements are at
}

// components describes the components of index vectors; nil if they are not written one by one.
func (s *site) components(o *hlo.Op, w algo.Indexed, ranges *pattern.Ranges) []component {
	index := o.Operands[1]
	parts := []*hlo.Value{index}
	if len(w.Targets) != 1 {
		c := s.named(index, hlo.OpConcatenate)
		if c == nil || c.Attrs.Int("dimension", 0) != w.Vector || len(c.Operands) != len(w.Targets) {
			return nil
		}
		parts = c.Operands
	}
	out := make([]component, len(parts))
	for i, v := range parts {
		dim := w.Targets[i]
		last := w.In[dim] - w.Sizes[dim]
		c := component{dim: dim, at: v, n: last + 1, own: s.fromOwnTable(v)}
		lo, hi := ranges.Of(v)
		inner := s.reshaped(v)
		if c.own != nil {
			d := c.own.Results[0].Type.DType
			narrow := lo >= 0 && hi <= float64(last) && (d.Bits() == 8 || last > 255) // the pass has done it
			if narrow || !d.IsInt() || last > 1<<16-1 || last >= 1<<(d.Bits()-1) {
				c.own = nil
			}
		}
		switch {
		case s.vis[v] == hlo.Public:
			c.base, c.at, c.n = v, nil, 1
		case c.own != nil:
		case lo >= 0 && lo <= float64(last):
			c.from = int(lo)
			c.n = int(min(hi, float64(last))) - c.from + 1
			if base, at, from, n := s.publicAddend(inner, ranges, last); base != nil && n < c.n {
				c.base, c.at, c.from, c.n = base, at, from, n
			}
		}
		out[i] = c
	}
	return out
}

// publicAddend splits v into a public base and at, such that base + from + k is a position from 0 to last for k from 0 to n-1,
// and at − from is such a k.
func (s *site) publicAddend(v *hlo.Value, ranges *pattern.Ranges, last int) (base, at *hlo.Value, from, n int) {
	o := s.named(v, hlo.OpAdd)
	if o == nil {
		return nil, nil, 0, 0
	}
	for i, p := range o.Operands {
		at := o.Operands[1-i]
		if _, constant := s.splat(p); constant || s.vis[p] != hlo.Public || s.vis[at] == hlo.Public {
			continue
		}
		pl, ph := ranges.Of(p)
		lo, hi := ranges.Of(at)
		if pl+lo >= 0 && ph+hi <= float64(last) && pl >= -float64(last) && ph <= float64(last) {
			return p, at, int(lo), int(hi-lo) + 1
		}
	}
	return nil, nil, 0, 0
}

// maxSlabs is the largest number of elements of the tables that narrowLookup makes of one.
const maxSlabs = 1 << 24

// narrowLookup replaces a gather by one from smaller tables.
func (s *site) narrowLookup(o *hlo.Op, ranges *pattern.Ranges) bool {
	w := algo.GatherOf(o)
	if o.Results[0].Type.Shape.Size() == 0 || len(w.Targets) == 0 {
		return false
	}
	of := s.components(o, w, ranges)
	based := slices.ContainsFunc(of, func(c component) bool { return c.base != nil })
	small := slices.ContainsFunc(of, func(c component) bool { return c.own != nil || c.n+w.Sizes[c.dim]-1 < w.In[c.dim] })
	if !small || based && len(w.Batching) > 0 {
		return false
	}
	l := &narrowing{site: s, o: o, w: w, of: of, shape: slices.Clone(o.Operands[1].Type.Shape)}
	if w.Vector < len(l.shape) {
		l.shape = slices.Delete(l.shape, w.Vector, w.Vector+1)
	}
	v := l.narrowed(based)
	return v != nil && s.replaceResult(o, v)
}

// narrowing writes a gather from smaller tables.
type narrowing struct {
	*site
	o     *hlo.Op
	w     algo.Indexed
	of    []component
	shape tensor.Shape // of the indices without the dimension of components
}

func (l *narrowing) narrowed(based bool) *hlo.Value {
	w := l.w
	dims := l.o.Attrs["dimension_numbers"].(*hlo.GatherDims)
	table := l.sliced()
	if !based {
		return l.lookUp(l.o, table, l.index(w.Vector))
	}
	bases, along := l.bases()
	if bases == nil {
		return nil
	}
	n := len(along)
	slabs := &hlo.GatherDims{IndexVectorDim: n}
	out := &hlo.GatherDims{OffsetDims: dims.OffsetDims, StartIndicesBatchingDims: along, IndexVectorDim: len(l.shape)}
	t := tensor.Type{DType: table.Type.DType}
	var window, sizes []int64
	for i, d := range along {
		out.OperandBatchingDims = append(out.OperandBatchingDims, i)
		t.Shape, sizes = append(t.Shape, l.shape[d]), append(sizes, 1)
	}
	for d, size := range table.Type.Shape {
		k := slices.IndexFunc(l.of, func(c component) bool { return c.dim == d })
		dropped := slices.Contains(dims.CollapsedSliceDims, d)
		if k >= 0 && l.of[k].base != nil {
			slabs.StartIndexMap = append(slabs.StartIndexMap, d)
			size = l.of[k].n + w.Sizes[d] - 1
			if l.of[k].at == nil && dropped {
				slabs.CollapsedSliceDims, window = append(slabs.CollapsedSliceDims, d), append(window, 1)
				continue
			}
		}
		at := len(t.Shape)
		if dropped {
			out.CollapsedSliceDims = append(out.CollapsedSliceDims, at)
		}
		slabs.OffsetDims = append(slabs.OffsetDims, at)
		t.Shape = append(t.Shape, size)
		window, sizes = append(window, int64(size)), append(sizes, int64(w.Sizes[d]))
	}
	for _, c := range l.of {
		if c.at == nil {
			continue
		}
		at := n
		for d := range c.dim {
			if !slices.Contains(slabs.CollapsedSliceDims, d) {
				at++
			}
		}
		out.StartIndexMap = append(out.StartIndexMap, at)
	}
	if t.Shape.Size() > maxSlabs {
		return nil
	}
	order := slices.Clone(slabs.StartIndexMap)
	start := make([]*hlo.Value, len(order))
	for i, d := range order {
		start[i] = bases[d]
	}
	slab := l.emit(hlo.OpGather, t, gatherAttrs(slabs, window), table, l.joined(start, n))
	r := l.o.Results[0].Type
	return l.emit(hlo.OpGather, r, gatherAttrs(out, sizes), slab, l.index(len(l.shape)))
}

func gatherAttrs(d *hlo.GatherDims, sizes []int64) hlo.Attrs {
	return hlo.Attrs{"dimension_numbers": d, "slice_sizes": sizes, "indices_are_sorted": false}
}

// sliced returns the part of the table that components without a base can mean.
func (l *narrowing) sliced() *hlo.Value {
	table := l.o.Operands[0]
	t := tensor.Type{DType: table.Type.DType, Shape: table.Type.Shape.Clone()}
	low, limit, step := make([]int64, len(t.Shape)), make([]int64, len(t.Shape)), make([]int64, len(t.Shape))
	for d, n := range t.Shape {
		limit[d], step[d] = int64(n), 1
	}
	for _, c := range l.of {
		if c.base == nil {
			t.Shape[c.dim] = c.n + l.w.Sizes[c.dim] - 1
			low[c.dim], limit[c.dim] = int64(c.from), int64(c.from+t.Shape[c.dim])
		}
	}
	if t.Shape.Equal(table.Type.Shape) {
		return table
	}
	return l.emit(hlo.OpSlice, t, hlo.Attrs{"start_indices": low, "limit_indices": limit, "strides": step}, table)
}

// bases returns the first positions of tables along the dimensions of components with a base, and the dimensions of the indices along
// which tables differ, in ascending order.
func (l *narrowing) bases() (of map[int]*hlo.Value, along []int) {
	type small struct {
		v    *hlo.Value
		dims []int
	}
	parts := map[int]small{}
	for _, c := range l.of {
		if c.base == nil {
			continue
		}
		v, dims, ok := l.emitSmallestForm(l.reshape(c.base, l.shape))
		if !ok {
			return nil, nil
		}
		if c.from != 0 {
			v = l.emitLike(hlo.OpAdd, v, l.number(v.Type, float64(c.from)))
		}
		parts[c.dim] = small{v, dims}
		for _, d := range dims {
			if !slices.Contains(along, d) {
				along = append(along, d)
			}
		}
	}
	slices.Sort(along)
	to := tensor.Shape{}
	for _, d := range along {
		to = append(to, l.shape[d])
	}
	of = map[int]*hlo.Value{}
	for d, p := range parts {
		at := make([]int, len(p.dims))
		for i, k := range p.dims {
			at[i] = slices.Index(along, k)
		}
		if !slices.IsSorted(at) {
			return nil, nil
		}
		of[d] = l.broadcast(p.v, at, to)
	}
	return of, along
}

// joined returns index vectors of components of one shape, along dimension vector, which is the last one.
func (l *narrowing) joined(of []*hlo.Value, vector int) *hlo.Value {
	t := tensor.Type{DType: of[0].Type.DType}
	t.Shape = slices.Insert(of[0].Type.Shape.Clone(), vector, 1)
	parts := make([]*hlo.Value, len(of))
	for i, v := range of {
		parts[i] = l.reshape(v, t.Shape)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	t.Shape = t.Shape.Clone()
	t.Shape[vector] = len(parts)
	return l.emit(hlo.OpConcatenate, t, hlo.Attrs{"dimension": int64(vector)}, parts...)
}

// index returns the index vectors into the smaller tables, their components along dimension vector.
func (l *narrowing) index(vector int) *hlo.Value {
	var parts []*hlo.Value
	for _, c := range l.of {
		if c.at == nil {
			continue
		}
		v := c.at
		if c.own != nil {
			// All components have one type, so it narrows if there is no other.
			d := v.Type.DType
			if one := !slices.ContainsFunc(l.of, func(o component) bool { return o.at != nil && o.dim != c.dim }); one {
				if d = tensor.U8; c.n > 256 {
					d = tensor.U16
				}
			}
			table := l.clamp(c.own.Operands[0], c.n-1)
			if d != table.Type.DType {
				table = l.emit(hlo.OpConvert, tensor.Type{DType: d, Shape: table.Type.Shape}, nil, table)
			}
			v = l.lookUp(c.own, table, c.own.Operands[1])
		} else if c.from != 0 {
			v = l.emitLike(hlo.OpSubtract, v, l.number(v.Type, float64(c.from)))
		}
		parts = append(parts, l.reshape(v, l.shape))
	}
	if vector == len(l.o.Operands[1].Type.Shape) && len(parts) == 1 {
		return parts[0] // indices without a dimension of components
	}
	return l.joined(parts, vector)
}
