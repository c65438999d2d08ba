package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	table.Add(hlo.OpGather, gather)
	table.Add(hlo.OpDynamicSlice, dynamicSlice)
	table.Add(hlo.OpDynamicUpdateSlice, dynamicUpdateSlice)
	table.Add(hlo.OpScatter, scatterBySecrets(scatterPublic))
}

// indexed describes how indices that are not public select elements of an operand, in gather, scatter and
// dynamic slices: the operand becomes tables, one for each combination of coordinates along batching
// dimensions, whose rows run through the indexed dimensions and whose columns run through the remaining
// dimensions of a window.
type indexed struct {
	in       tensor.Shape
	sizes    []int // of a window
	targets  []int // the operand's dimensions for the components of an index
	batching []int // the operand's dimensions that are paired with dimensions of the indices
	rest     []int
	table    mpc.Table
	cells    tensor.Shape // the targets' sizes
	// outside says that tables have one more row, of zeros, for indices out of bounds.
	outside bool
}

func newIndexed(in tensor.Shape, sizes, targets, batching []int) *indexed {
	x := &indexed{in: in, sizes: sizes, targets: targets, batching: batching, rest: algo.Others(len(in), targets, batching)}
	x.table = mpc.Table{Groups: algo.Size(in, batching), Cells: algo.Size(in, targets), Columns: 1}
	for _, d := range x.rest {
		x.table.Columns *= sizes[d]
	}
	window := tensor.Shape{}
	for _, d := range targets {
		x.cells, window = append(x.cells, in[d]), append(window, sizes[d])
	}
	for _, o := range (tensor.View{Shape: window, In: x.table.Cells, Strides: x.cells.Strides()}).Index() {
		x.table.Offsets = append(x.table.Offsets, int(o))
	}
	return x
}

// withOutside adds the row for indices out of bounds.
func (x *indexed) withOutside() *indexed {
	x.table.Cells++
	x.outside = true
	return x
}

// tables returns the view of an operand as tables.
func (x *indexed) tables() tensor.View {
	v := tensor.Transposed(x.in, slices.Concat(x.batching, x.targets, x.rest))
	for i, d := range x.rest {
		v.Shape[len(x.in)-len(x.rest)+i] = x.sizes[d]
	}
	if !x.outside {
		return v
	}
	shape, block := tensor.Shape{x.table.Groups, x.table.Cells, x.table.Columns}, (x.table.Cells-1)*x.table.Columns
	return tensor.InRuns(shape, x.in.Size(), func() []tensor.Run {
		var runs []tensor.Run
		at := 0
		v.Runs(func(start, stride, n int) {
			for i := 0; i < n && stride != 1; i++ {
				runs = tensor.AppendRun(runs, start+i*stride, 1)
			}
			if stride == 1 {
				runs = tensor.AppendRun(runs, start, n)
			}
			if at += n; at%block == 0 {
				runs = tensor.AppendRun(runs, tensor.Fill, x.table.Columns)
			}
		})
		return runs
	})
}

// back returns the view that puts tables where they were in the operand, and zeros elsewhere.
func (x *indexed) back() tensor.View { return tensor.Inverse(x.tables(), x.in) }

// most returns the last position of a window along each target.
func (x *indexed) most() []int {
	out := make([]int, len(x.targets))
	for i, d := range x.targets {
		out[i] = x.in[d] - x.sizes[d]
	}
	return out
}

// coordinates are the components of index vectors in the order of tables: batching dimensions first.
type coordinates struct {
	of     []*value // each of n elements
	within bool     // no component is out of range
}

// vectors takes an index tensor apart: its vectors lie along dimension vector (its rank if it has none), and
// its batching dimensions come first.
func (c *opRun) vectors(x *indexed, indices *value, operand, vector int, batching []int) coordinates {
	shape := indices.typ.Shape
	var first []int
	if vector < len(shape) {
		first = []int{vector}
	}
	rest := algo.Others(len(shape), first, batching)
	all := c.view(indices, tensor.Transposed(shape, slices.Concat(first, batching, rest)))
	n := shape.Size() / max(1, len(x.targets))
	out := coordinates{within: c.allWithin(operand, x.most())}
	for k := range x.targets {
		out.of = append(out.of, c.view(all, tensor.View{Shape: tensor.Shape{n}, In: shape.Size(), Offset: k * n, Strides: []int{1}}))
	}
	return out
}

// allWithin reports whether the program's text shows that all elements of an operand lie between 0 and every
// number in most.
func (c *opRun) allWithin(operand int, most []int) bool {
	if c.Facts == nil {
		return false
	}
	lo, hi := c.Facts.Ranges.Of(c.o.Operands[operand])
	return lo >= 0 && hi <= float64(slices.Min(most))
}

// index computes indices from coordinates, clamped unless there is a row for indices out of bounds. If one
// party knows all coordinates, it computes them in cleartext.
func (c *opRun) index(x *indexed, at coordinates) mpc.Secret {
	owner, n := Public, at.of[0].typ.Shape.Size()
	for _, v := range at.of {
		owner = join(owner, v.owner)
	}
	if owner != Secret {
		return c.Arith.LocalIndex(c.op, owner, n, x.table.Bits(), func() []uint64 { return x.inClear(at) })
	}
	none, most, strides := -1, x.most(), x.cells.Strides()
	if x.outside {
		none = x.table.Cells - 1
	}
	var of []fxp.Coordinate
	for i, v := range at.of {
		of = append(of, fxp.Coordinate{X: c.share(v, 0), Most: uint64(most[i]), Stride: int64(strides[i]), Within: at.within})
	}
	return c.Arith.Index(c.op, of, x.table.Bits(), none)
}

// inClear returns the indices of coordinates that this party has; nil if it lacks some.
func (x *indexed) inClear(at coordinates) []uint64 {
	most, strides := x.most(), x.cells.Strides()
	out := make([]uint64, at.of[0].typ.Shape.Size())
	beyond := make([]bool, len(out))
	for i, v := range at.of {
		if v.array() == nil {
			return nil
		}
		for j, w := range v.array().Words() {
			p := int64(w)
			if !v.typ.DType.IsSigned() && p < 0 {
				p = int64(most[i]) + 1
			}
			in := min(max(p, 0), int64(most[i]))
			beyond[j] = beyond[j] || in != p
			out[j] += uint64(in) * uint64(strides[i])
		}
	}
	for j, b := range beyond {
		if b && x.outside {
			out[j] = uint64(x.table.Cells - 1)
		}
	}
	return out
}

// gather looks windows up. For public indices it is a view.
func gather(c *opRun, in []*value) ([]*value, error) {
	switch {
	case c.o.Results[0].Type.Shape.Size() == 0:
		return []*value{zeros(c.o.Results[0].Type)}, nil
	case in[1].typ.Shape.Size() == 0: // indices without components
		return view(c, []*value{in[0], zeros(in[1].typ)})
	case in[1].owner == Public:
		return view(c, in)
	}
	return c.lookupWindows(in, algo.GatherOf(c.o))
}

// lookupWindows looks windows up at indices that are not public.
func (c *opRun) lookupWindows(in []*value, w algo.Indexed) ([]*value, error) {
	if known := publicComponents(in[1], w.Vector); known != nil {
		return []*value{c.lookupBatches(in, w, known)}, nil
	}
	x := newIndexed(w.In, w.Sizes, w.Targets, w.Batching)
	at := c.vectors(x, in[1], 1, w.Vector, w.IndexBatching)
	perm := w.Order(len(in[1].typ.Shape))
	if rows := c.ownedRowsOf(x, in[0], at, w, perm); rows != nil {
		return []*value{rows.value(c)}, nil
	}
	return []*value{c.copiesRows(x, in[0], c.index(x, at), w.Outer, perm)}, nil
}

// lookup returns the rows of tables that indices select, of the given shape, with dimensions permuted by back.
func (c *opRun) lookup(tables *value, index mpc.Secret, t mpc.Table, shape tensor.Shape, back []int) *fxp.Value {
	rows := c.Arith.Lookup(c.op, index, c.share(tables, c.Arith.Fraction), t, shape)
	return c.Arith.View(c.op, tensor.Transposed(shape, back), rows)
}

// copiesRows returns what lookup does, as the operation's result. If it is compared, ordinals are looked up.
func (c *opRun) copiesRows(x *indexed, operand *value, index mpc.Secret, out tensor.Shape, perm []int) *value {
	return c.copiesRowsOf(x, operand, index, out, perm, slabOrder{outer: index.Len(), inner: 1})
}

// copiesRowsOf is copiesRows with the indices in an order of slabs.
func (c *opRun) copiesRowsOf(x *indexed, operand *value, index mpc.Secret, out tensor.Shape, perm []int, order slabOrder) *value {
	tables := c.view(operand, x.tables())
	shape, back := permuted(out, perm)
	byIndex := order.back(x.table.Rows())
	m := c.movedBy([]*value{tables}, func(c *opRun, from []*fxp.Value) *fxp.Value {
		rows := c.Arith.LookupOrdinals(c.op, index, from[0], x.table, shape)
		if !byIndex.Identity() {
			rows = c.Arith.ViewOrdinals(c.op, byIndex, rows)
		}
		return c.Arith.ViewOrdinals(c.op, tensor.Transposed(shape, back), rows)
	})
	if m != nil && tables.owner != Public {
		m.byBits = slices.Equal(x.table.Offsets, []int{0})
		m.by.Lookups = []mpc.Lookups{{Indices: index.Len(), Table: x.table}}
	}
	return c.copies(c.o.Results[0].Type, m, func(c *opRun) *fxp.Value {
		rows := c.rowsByBits(tables, index, x.table, shape)
		if rows == nil {
			rows = c.Arith.Lookup(c.op, index, c.share(tables, c.Arith.Fraction), x.table, shape)
		}
		if !byIndex.Identity() {
			rows = c.Arith.View(c.op, byIndex, rows)
		}
		return c.Arith.View(c.op, tensor.Transposed(shape, back), rows)
	})
}

// rowsByBits looks rows up by the bits of tables that one party knows; it returns nil if rows of numbers are to be looked up.
func (c *opRun) rowsByBits(tables *value, index mpc.Secret, t mpc.Table, shape tensor.Shape) *fxp.Value {
	if tables.owner == Public || tables.owner == Secret || !tables.typ.DType.IsFloat() {
		return nil
	}
	roots, _ := maps.Cut([]*value{tables}, (*value).sharing)
	if slices.ContainsFunc(roots, func(r *value) bool { return (r.guarded || r.fine) && !r.raw }) { // shared in another form
		return nil
	}
	return c.Arith.LookupByBits(c.op, index, tables.owner, tables.typ, func() *tensor.Array { return tables.array() }, t, shape)
}

// permuted returns the shape out with its dimensions permuted by perm, and the permutation back.
func permuted(out tensor.Shape, perm []int) (shape tensor.Shape, back []int) {
	shape, back = make(tensor.Shape, len(perm)), make([]int, len(perm))
	for i, j := range perm {
		shape[i], back[j] = out[j], i
	}
	return shape, back
}

// starts returns the start of a dynamic slice: public coordinates restrict the operand to a view, the others
// are left to be looked up.
func (c *opRun) starts(operand *value, in []*value, first int, sizes []int) (*indexed, coordinates, tensor.View) {
	shape := operand.typ.Shape
	low, limit, step := make([]int, len(shape)), slices.Clone([]int(shape)), make([]int, len(shape))
	var targets []int
	at := coordinates{within: true}
	for d, s := range in {
		step[d] = 1
		if s.owner == Public {
			low[d] = algo.Start(s.array(), shape[d], sizes[d])
			limit[d] = low[d] + sizes[d]
			continue
		}
		targets = append(targets, d)
		at.of = append(at.of, c.view(s, tensor.Reshaped(s.typ.Shape, tensor.Shape{1})))
		at.within = at.within && c.allWithin(first+d, []int{shape[d] - sizes[d]})
	}
	slab := tensor.Sliced(shape, low, limit, step)
	return newIndexed(slab.Shape, sizes, targets, nil), at, slab
}

// dynamicSlice looks its one window up.
func dynamicSlice(c *opRun, in []*value) ([]*value, error) {
	x, at, slab := c.starts(in[0], in[1:], 1, c.o.Attrs.Ints("slice_sizes"))
	out := c.o.Results[0].Type.Shape
	if out.Size() == 0 {
		return []*value{zeros(c.o.Results[0].Type)}, nil
	}
	if len(x.targets) == 0 {
		return view(c, in)
	}
	return []*value{c.copiesRows(x, c.view(in[0], slab), c.index(x, at), out, slices.Concat(x.targets, x.rest))}, nil
}

// dynamicUpdateSlice looks up the window's elements and places the difference.
func dynamicUpdateSlice(c *opRun, in []*value) ([]*value, error) {
	sizes := []int(in[1].typ.Shape)
	x, at, slab := c.starts(in[0], in[2:], 2, sizes)
	if in[1].typ.Shape.Size() == 0 {
		return in[:1], nil
	}
	if len(x.targets) == 0 {
		return view(c, in)
	}
	index := c.index(x, at)
	order := slices.Concat(x.targets, x.rest)
	both := c.shareAll(in[:2])
	shape, back := permuted(in[1].typ.Shape, order)
	old := c.lookup(c.view(secret(c.Arith.View(c.op, slab, both[0])), x.tables()), index, x.table, shape, back)
	diff := c.Arith.View(c.op, tensor.Transposed(in[1].typ.Shape, order), c.Arith.Sub(c.op, both[1], old))
	placed := c.Arith.Place(c.op, index, diff, x.table, tensor.Shape{x.table.Size()})
	part := c.Arith.View(c.op, x.back(), placed)
	whole := c.Arith.View(c.op, tensor.Inverse(slab, in[0].typ.Shape), part)
	return one(c.Arith.Add(c.op, both[0], whole))
}
