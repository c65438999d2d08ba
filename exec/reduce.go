package exec

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// bodyOf returns the name of the one operation that a reduction's body applies to its two parameters, "" for
// any other body.
func bodyOf(b *hlo.Block) string {
	if len(b.Params) != 2 || len(b.Ops) != 2 {
		return ""
	}
	o, ret := b.Ops[0], b.Ops[1]
	if len(o.Operands) != 2 || len(ret.Operands) != 1 || ret.Operands[0] != o.Results[0] {
		return ""
	}
	p, q := b.Params[0], b.Params[1]
	if o.Operands[0] == p && o.Operands[1] == q || o.Operands[0] == q && o.Operands[1] == p {
		return o.Name
	}
	return ""
}

// reduce combines the elements along dimensions.
func reduce(c *opRun, in []*value) ([]*value, error) {
	dims := c.o.Attrs.Ints("dimensions")
	if len(in) != 2 || in[0].owner != Secret { // then only the initial value is to be added to what is known
		return c.reduceBy(in, dims)
	}
	x, init := in[0], in[1]
	d := x.typ.DType
	kept := others(len(x.typ.Shape), dims)
	shape := c.o.Results[0].Type.Shape
	body := bodyOf(c.o.Regions[0])
	f, fan := folding(body, d)
	switch {
	case f == nil:
		return c.reduceBy(in, dims)
	case fan == 0:
		x = c.view(x, tensor.Transposed(x.typ.Shape, concat(kept, dims)))
		sum := c.sumBy(c.share(x, c.Arith.Fraction), sizeOf(in[0].typ.Shape, kept), sizeOf(in[0].typ.Shape, dims), shape)
		return c.from(init, body, secret(sum), f)
	}
	x = c.view(x, tensor.Transposed(x.typ.Shape, concat(dims, kept)))
	m, n := sizeOf(in[0].typ.Shape, dims), shape.Size()
	if m == 0 {
		return []*value{c.view(init, tensor.Broadcast(nil, nil, shape))}, nil
	}
	if d.IsFloat() && (body == hlo.OpMaximum || body == hlo.OpMinimum) {
		var parts []tensor.View
		for i := range m {
			parts = append(parts, tensor.View{Shape: shape, In: m * n, Offset: i * n, Strides: shape.Strides()})
		}
		return c.extreme(body, c.share(x, c.Arith.Fraction), parts, init)
	}
	out, err := c.fold(c.view(x, tensor.Reshaped(x.typ.Shape, tensor.Shape{m, n})), fan, f)
	if err != nil {
		return nil, err
	}
	return c.from(init, body, c.view(out, tensor.Reshaped(out.typ.Shape, shape)), f)
}

// folding returns the handler of a reduction's body for values of a type, and fan, the best number of values
// to combine at a time: 0 for a sum in the values' ring. f is nil for a body that is not supported.
func folding(body string, d tensor.DType) (f handler, fan int) {
	if d == tensor.Bool {
		switch body {
		case hlo.OpAnd, hlo.OpMultiply, hlo.OpMinimum:
			return logic(hlo.OpAnd), gateFanIn
		case hlo.OpOr, hlo.OpAdd, hlo.OpMaximum:
			return logic(hlo.OpOr), gateFanIn
		case hlo.OpXor:
			return logic(body), 0
		}
		return nil, 0
	}
	switch body {
	case hlo.OpAdd:
		return add, 0
	case hlo.OpMultiply:
		return multiply, 2
	case hlo.OpMaximum:
		return maximum, 2
	case hlo.OpMinimum:
		return minimum, 2
	case hlo.OpAnd, hlo.OpOr, hlo.OpXor:
		return logic(body), 2
	}
	return nil, 0
}

// gateFanIn is the number of booleans that are multiplied at a time.
const gateFanIn = 4

// fold combines the rows of x until one is left: fan equal parts of them at a time, and the remaining rows
// later.
func (c *opRun) fold(x *value, fan int, f handler) (*value, error) {
	rows := func(lo, hi int) *value {
		n := x.typ.Shape[1]
		return c.view(x, tensor.Sliced(x.typ.Shape, []int{lo, 0}, []int{hi, n}, []int{1, 1}))
	}
	for x.typ.Shape[0] > 1 {
		m := x.typ.Shape[0]
		k := min(fan, m)
		parts := make([]*value, k)
		for i := range parts {
			parts[i] = rows(i*(m/k), (i+1)*(m/k))
		}
		out, err := f(c, parts)
		if err != nil {
			return nil, err
		}
		next := out[0]
		if over := m % k; over > 0 {
			next = c.concatRows(next, rows(m-over, m))
		}
		x = next
	}
	return x, nil
}

// concatRows puts rows of y after those of x.
func (c *opRun) concatRows(x, y *value) *value {
	in := c.shareAll([]*value{x, y})
	return secret(c.Arith.View(c.op, tensor.Concatenated([]tensor.Shape{x.typ.Shape, y.typ.Shape}, 0), in...))
}

// plus adds a reduction's initial value, a scalar, to its result.
func (c *opRun) plus(x, init *value) ([]*value, error) {
	return c.from(init, hlo.OpAdd, x, add)
}

// from combines a reduction's result with its initial value, a scalar.
func (c *opRun) from(init *value, body string, x *value, f handler) ([]*value, error) {
	if init.owner == Public && neutral(body, init.arr) {
		return []*value{x}, nil
	}
	return f(c, []*value{x, c.view(init, tensor.Broadcast(nil, nil, x.typ.Shape))})
}

// neutral reports whether a public scalar is the body's neutral element.
func neutral(body string, a *tensor.Array) bool {
	if a.DType.IsFloat() {
		return a.Floats()[0] == map[string]float64{hlo.OpMultiply: 1, hlo.OpMaximum: math.Inf(-1), hlo.OpMinimum: math.Inf(1)}[body]
	}
	all := ^uint64(0) >> (64 - a.DType.Bits())
	least, most := uint64(0), all
	if a.DType.IsSigned() {
		least, most = all>>1+1, all>>1
	}
	want := map[string]uint64{hlo.OpMultiply: 1, hlo.OpAnd: all, hlo.OpMaximum: least, hlo.OpMinimum: most}[body]
	return a.Words()[0]&all == want
}

// extreme returns the largest (or smallest) of equally shaped views of x, and of the initial value.
func (c *opRun) extreme(body string, x *fxp.Value, parts []tensor.View, init *value) ([]*value, error) {
	least := body == hlo.OpMinimum
	if least {
		x, init = c.Arith.Neg(c.op, x), c.opposite(init)
	}
	out := secret(c.Arith.MaxOf(c.op, x, parts))
	if init.owner != Public || !math.IsInf(init.arr.Floats()[0], -1) {
		res, err := c.largest(out, c.view(init, tensor.Broadcast(nil, nil, out.typ.Shape)))
		if err != nil {
			return nil, err
		}
		out = res[0]
	}
	if least {
		out = c.opposite(out)
	}
	return []*value{out}, nil
}

// reduceWindow sums windows, or takes their extremes.
func reduceWindow(c *opRun, in []*value) ([]*value, error) {
	x, init := in[0], in[len(in)/2]
	rank := len(x.typ.Shape)
	w := windows{
		in: x.typ.Shape, size: window(c.o, "window_dimensions", rank, 1), stride: window(c.o, "window_strides", rank, 1),
		base: window(c.o, "base_dilations", rank, 1), dilate: window(c.o, "window_dilations", rank, 1), pad: window(c.o, "padding", 2*rank, 0),
		out: c.o.Results[0].Type.Shape,
	}
	body, d := bodyOf(c.o.Regions[0]), x.typ.DType
	if p, ok := c.pickedLater(c.o, body); ok && x.owner == Secret && len(in) == 2 && (body == hlo.OpMaximum || body == hlo.OpMinimum) && d != tensor.Bool && w.covered() && w.plain() {
		return c.pickedPool(body, x, p, w.out, init)
	}
	switch {
	case x.owner != Secret:
	case body == hlo.OpAdd && d != tensor.Bool:
		g := maps.Gathered{From: w.in.Size(), To: w.out.Size(), Terms: tensor.Shape(w.size).Size(), Index: w.index}
		return c.plus(c.gatherSum(x, g, w.out), init)
	case d.IsFloat() && (body == hlo.OpMaximum || body == hlo.OpMinimum) && w.covered() && slices.Max(w.size) <= widestPool:
		return c.pool(body, c.share(x, c.Arith.Fraction), w, init)
	}
	return c.windowsBy(in, w)
}

// widestPool is the largest number of elements of a window that are compared at once; if there are many
// longer windows, they are computed from overlapping parts.
const widestPool = 16

// plain reports whether nothing is dilated.
func (w windows) plain() bool {
	return !slices.ContainsFunc(slices.Concat(w.base, w.dilate), func(n int) bool { return n != 1 })
}

// covered reports whether every window holds an element.
func (w windows) covered() bool {
	for d := range w.in {
		if _, ok := w.parts(d); !ok {
			return false
		}
	}
	return true
}

// pool takes extremes along one dimension after the other: neighbouring windows share the results that they
// have in common. Where a window extends into padding, one of its own elements is repeated.
func (c *opRun) pool(body string, x *fxp.Value, w windows, init *value) ([]*value, error) {
	out := []*value{secret(x)}
	start := &value{typ: init.typ, owner: Public, arr: tensor.FromFloats(tensor.F64, nil, []float64{math.Inf(1)})}
	if body == hlo.OpMaximum {
		start = c.opposite(start)
	}
	for d := range w.in {
		along := w.along(d, out[0].typ.Shape)
		if along.trivial(d) {
			continue
		}
		parts, _ := along.parts(d)
		var err error
		if out, err = c.extreme(body, out[0].sec, parts, start); err != nil {
			return nil, err
		}
	}
	if f := init.arr; f != nil && init.owner == Public && math.IsInf(f.Floats()[0], 0) {
		return out, nil
	}
	v := tensor.View{Shape: w.out, In: w.out.Size(), Strides: w.out.Strides()}
	return c.extreme(body, out[0].sec, []tensor.View{v}, init)
}

// windows describes the windows of a reduce_window.
type windows struct {
	in, out                         tensor.Shape
	size, stride, base, dilate, pad []int
}

// at returns the operand's coordinate along d of window position t of output o, or −1 in padding and between
// dilated elements.
func (w windows) at(d, o, t int) int {
	p := o*w.stride[d] + t*w.dilate[d] - w.pad[2*d]
	if p < 0 || p%w.base[d] != 0 || p/w.base[d] >= w.in[d] {
		return -1
	}
	return p / w.base[d]
}

// index lists, for every output and window position, the operand's element.
func (w windows) index() []int32 {
	size := tensor.Shape(w.size)
	index := make([]int32, 0, w.out.Size()*size.Size())
	strides := w.in.Strides()
	at, pos := make([]int, len(w.in)), make([]int, len(w.in))
	for range w.out.Size() {
		for range size.Size() {
			p := 0
			for d := range at {
				q := w.at(d, at[d], pos[d])
				if q < 0 {
					p = tensor.Fill
					break
				}
				p += q * strides[d]
			}
			index = append(index, int32(p))
			advance(pos, size)
		}
		advance(at, w.out)
	}
	return index
}

// advance moves to the next coordinates in row-major order.
func advance(at []int, s tensor.Shape) {
	for d := len(at) - 1; d >= 0; d-- {
		if at[d]++; at[d] < s[d] {
			return
		}
		at[d] = 0
	}
}

// along returns the windows along dimension d only, of an operand of shape in.
func (w windows) along(d int, in tensor.Shape) windows {
	out := in.Clone()
	out[d] = w.out[d]
	w.in, w.out = in, out
	return w
}

// trivial reports whether the windows along d are single elements.
func (w windows) trivial(d int) bool {
	return w.size[d] == 1 && w.stride[d] == 1 && w.base[d] == 1 && w.pad[2*d] == 0 && w.in[d] == w.out[d]
}

// parts returns the windows' elements along d: for each position a view of the operand. ok is false if a
// window holds no element.
func (w windows) parts(d int) (parts []tensor.View, ok bool) {
	valid := make([]int, w.out[d]) // an element of each window
	for o := range valid {
		valid[o] = -1
		for t := range w.size[d] {
			if p := w.at(d, o, t); p >= 0 {
				valid[o] = p
				break
			}
		}
		if valid[o] < 0 {
			return nil, false
		}
	}
	for t := range w.size[d] {
		from := make([]int, w.out[d])
		for o := range from {
			if from[o] = w.at(d, o, t); from[o] < 0 {
				from[o] = valid[o]
			}
		}
		parts = append(parts, picked(w.in, d, from))
	}
	return parts, true
}

// picked returns the view of the given coordinates along dimension d.
func picked(in tensor.Shape, d int, from []int) tensor.View {
	out := in.Clone()
	out[d] = len(from)
	return tensor.Listed(out, in.Size(), func() []int32 {
		index := make([]int32, 0, out.Size())
		inner := out[d+1:].Size()
		outer := out[:d].Size()
		for i := range outer {
			for _, p := range from {
				base := (i*in[d] + p) * inner
				for j := range inner {
					index = append(index, int32(base+j))
				}
			}
		}
		return index
	})
}
