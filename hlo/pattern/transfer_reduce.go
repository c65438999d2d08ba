package pattern

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduceBounds bounds sums, maxima and minima, and uses Σ exp(x − max x) ≥ 1.
func (c *analysis) reduceBounds(b *hlo.Block, o *hlo.Op, in []Interval) []Interval {
	name := algo.Reducer(o.Regions[0])
	if name == "" {
		return nil
	}
	x, init := in[0], in[1]
	n := 1
	for _, d := range o.Attrs.Ints("dimensions") {
		n *= o.Operands[0].Type.Shape[d]
	}
	d := o.Results[0].Type.DType
	switch {
	case n == 0:
		return one(init)
	case name == hlo.OpAdd && d != tensor.Bool:
		out := x.summed(n, d)
		if init != point(0) {
			out = out.add(init)
			out = Interval{out.Lo - slack(out.Lo, n, d), out.Hi + slack(out.Hi, n, d)}
		}
		if c.reachesOne(b, o) {
			out.Lo = max(out.Lo, 1)
		}
		return one(out)
	case name == hlo.OpMaximum || name == hlo.OpOr && d == tensor.Bool:
		return one(x.max(init))
	case name == hlo.OpMinimum || name == hlo.OpAnd && d == tensor.Bool:
		return one(x.min(init))
	}
	return nil
}

// reachesOne reports whether o sums exp(x − max x) with the maximum over some of the sum's axes: then one
// term is 1.
func (c *analysis) reachesOne(b *hlo.Block, o *hlo.Op) bool {
	a := c.attempt(b)
	sum, ok := a.reduce(term{v: o.Results[0], w: whole(o.Results[0].Type.Shape)}, hlo.OpAdd)
	if !ok {
		return false
	}
	d, ok := a.unary(sum.of, hlo.OpExponential)
	if !ok {
		return false
	}
	_, max, ok := a.shifted(d)
	for _, axis := range max.axes {
		ok = ok && slices.Contains(sum.axes, axis)
	}
	return ok
}

// window bounds sums and maxima of windows, which may extend into padding.
func (c *analysis) window(o *hlo.Op, in []Interval) []Interval {
	name := algo.Reducer(o.Regions[0])
	if name == "" {
		return nil
	}
	x := in[0].join(in[1])
	n := 1
	for _, w := range o.Attrs.Ints("window_dimensions") {
		n *= w
	}
	switch name {
	case hlo.OpAdd:
		if in[1] == point(0) {
			return one(x.summed(n, o.Results[0].Type.DType))
		}
	case hlo.OpMaximum, hlo.OpMinimum:
		return one(x)
	}
	return nil
}

// contraction bounds sums of products; a convolution has fewer products at the edge.
func contraction(o *hlo.Op, in []Interval) Interval {
	p := in[0].mul(in[1])
	n := 1
	x, y := o.Operands[0].Type.Shape, o.Operands[1].Type.Shape
	switch d := o.Attrs["dot_dimension_numbers"].(type) {
	case *hlo.DotDims:
		for _, k := range d.LHSContract {
			n *= x[k]
		}
	default:
		if conv, ok := o.Attrs["dimension_numbers"].(*hlo.ConvDims); ok {
			p = p.join(point(0))
			n = y.Size() / max(y[conv.KerOut], 1)
		} else {
			n = x[len(x)-1]
		}
	}
	if n == 0 {
		return point(0)
	}
	d := o.Results[0].Type.DType
	out := p.summed(n, d)
	if d.IsFloat() &&
		(in[0].Lo != math.Trunc(in[0].Lo) || in[0].Hi != math.Trunc(in[0].Hi) || in[1].Lo != math.Trunc(in[1].Lo) ||
			in[1].Hi != math.Trunc(in[1].Hi)) {
		out = Interval{out.Lo - slack(out.Lo, n, d), out.Hi + slack(out.Hi, n, d)}
	}
	return out
}
