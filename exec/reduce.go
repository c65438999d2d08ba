package exec

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduce combines the elements along dimensions.
func reduce(c *opRun, in []*value) ([]*value, error) {
	dims := c.o.Attrs.Ints("dimensions")
	if len(in) != 2 || in[0].owner != Secret { // then only the initial value is to be added to what is known
		return c.reduceBy(in, dims)
	}
	x, init := in[0], in[1]
	d := x.typ.DType
	kept := algo.Others(len(x.typ.Shape), dims)
	shape := c.o.Results[0].Type.Shape
	body := algo.Reducer(c.o.Regions[0])
	f, fan := folding(body, d)
	if c.matched(c.o.Operands[0]) {
		x = c.rounded(x)
	}
	switch {
	case f == nil:
		return c.reduceBy(in, dims)
	case fan == 0:
		if body == hlo.OpAdd {
			if sum := c.outerSum(x, dims); sum != nil {
				return c.from(init, body, sum, f)
			}
		}
		x = c.view(x, tensor.Transposed(x.typ.Shape, slices.Concat(kept, dims)))
		sum := c.sumBy(c.share(x, c.Arith.Fraction), algo.Size(in[0].typ.Shape, kept), algo.Size(in[0].typ.Shape, dims), shape)
		return c.from(init, body, secret(sum), f)
	}
	x = c.view(x, tensor.Transposed(x.typ.Shape, slices.Concat(dims, kept)))
	m, n := algo.Size(in[0].typ.Shape, dims), shape.Size()
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
	if init.owner == Public && algo.Neutral(body, init.array()) {
		return []*value{x}, nil
	}
	return f(c, []*value{x, c.view(init, tensor.Broadcast(nil, nil, x.typ.Shape))})
}

// extreme returns the largest (or smallest) of equally shaped views of x, and of the initial value.
func (c *opRun) extreme(body string, x *fxp.Value, parts []tensor.View, init *value) ([]*value, error) {
	least := body == hlo.OpMinimum
	if least {
		x, init = c.Arith.Neg(c.op, x), c.opposite(init)
	}
	out := secret(c.Arith.MaxOf(c.op, x, parts))
	if init.owner != Public || !math.IsInf(init.array().Floats()[0], -1) {
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
	w := algo.WindowOf(c.o)
	body, d := algo.Reducer(c.o.Regions[0]), x.typ.DType
	extreme := body == hlo.OpMaximum || body == hlo.OpMinimum
	if extreme && c.matched(c.o.Operands[0]) {
		x = c.rounded(x)
		in = append([]*value{x}, in[1:]...)
	}
	if p, ok := c.pickedLater(c.o, body); ok && x.owner == Secret && extreme && d != tensor.Bool && w.Filled() && w.Plain() {
		return c.pickedPool(body, x, p, w.Out, init)
	}
	switch {
	case x.owner != Secret:
	case body == hlo.OpAdd && d != tensor.Bool:
		g := maps.Gathered{From: w.In.Size(), To: w.Out.Size(), Terms: w.Size.Size(), Index: w.Index}
		return c.plus(c.gatherSum(x, g, w.Out), init)
	case d.IsFloat() && extreme && w.Filled() && slices.Max(append([]int{0}, w.Size...)) <= widestPool:
		return c.pool(body, c.share(x, c.Arith.Fraction), w, init)
	}
	return c.windowsBy(in, w)
}

// widestPool is the largest number of elements of a window that are compared at once; if there are many
// longer windows, they are computed from overlapping parts.
const widestPool = 16

// pool takes extremes along one dimension after the other: neighbouring windows share the results that they
// have in common. Where a window extends into padding, one of its own elements is repeated.
func (c *opRun) pool(body string, x *fxp.Value, w algo.Window, init *value) ([]*value, error) {
	out := []*value{secret(x)}
	start := &value{typ: init.typ, owner: Public, arr: tensor.FromFloats(tensor.F64, nil, []float64{math.Inf(1)})}
	if body == hlo.OpMaximum {
		start = c.opposite(start)
	}
	for d := range w.In {
		along := w.Along(d, out[0].typ.Shape)
		if along.Trivial(d) {
			continue
		}
		var err error
		if out, err = c.extreme(body, out[0].sec, along.Parts(d), start); err != nil {
			return nil, err
		}
	}
	if f := init.array(); f != nil && init.owner == Public && math.IsInf(f.Floats()[0], 0) {
		return out, nil
	}
	v := tensor.View{Shape: w.Out, In: w.Out.Size(), Strides: w.Out.Strides()}
	return c.extreme(body, out[0].sec, []tensor.View{v}, init)
}
