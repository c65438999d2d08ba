package pattern

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduction reports whether o only sums its one operand along its dimensions or takes the maximum, and
// returns which: hlo.OpAdd or hlo.OpMaximum.
func (a *attempt) reduction(o *hlo.Op, f *frame) (kind string, ok bool) {
	if o.Name != hlo.OpReduce || len(o.Operands) != 2 || !o.Results[0].Type.DType.IsFloat() {
		return "", false
	}
	init, ok := a.fold(o.Operands[1], f, 0)
	switch name := algo.Reducer(o.Regions[0]); {
	case name == hlo.OpAdd && ok && init == 0:
		return hlo.OpAdd, true
	case name == hlo.OpMaximum && ok && init <= lowest(o.Results[0].Type.DType):
		return hlo.OpMaximum, true
	}
	return "", false
}

// lowest returns a type's least finite number.
func lowest(d tensor.DType) float64 {
	switch d {
	case tensor.F64:
		return -math.MaxFloat64
	case tensor.F16:
		return -65504
	case tensor.BF16:
		return -3.3895313892515355e38
	}
	return -math.MaxFloat32
}

// reduced is a reduction: its operand, its axes, and the view of its result.
type reduced struct {
	of   term
	axes []int
	w    view
}

// reduce reads t as a reduction by the operation kind.
func (a *attempt) reduce(t term, kind string) (reduced, bool) {
	t = a.resolve(t)
	o := a.examine(t)
	if o == nil {
		return reduced{}, false
	}
	if k, ok := a.reduction(o, t.f); !ok || k != kind {
		return reduced{}, false
	}
	axes := o.Attrs.Ints("dimensions")
	slices.Sort(axes)
	return reduced{full(o, t.f), axes, t.w}, len(axes) > 0
}

// spread reports whether the result is broadcast along the axes over which it was reduced: every element of
// shape is combined with the result of its own row.
func (r reduced) spread(shape tensor.Shape) bool {
	return shape.Equal(r.of.w.shape) && r.w.equal(view{shape, r.kept()})
}

// kept returns the operand's dimensions that the result has.
func (r reduced) kept() []int {
	var src []int
	for d, n := range r.of.w.shape {
		if slices.Contains(r.axes, d) {
			continue
		}
		if n == 1 {
			d = -1
		}
		src = append(src, d)
	}
	return src
}

// bare reports whether the result is used without a broadcast, with or without dimensions of size 1 for the
// reduced ones.
func (r reduced) bare() bool {
	last, n := -1, 1
	for _, d := range r.w.src {
		if d < 0 {
			continue
		}
		if d < last {
			return false
		}
		last = d
		n *= r.w.shape[d]
	}
	return n == r.w.shape.Size()
}

// count returns the number of elements that are combined to one result.
func (r reduced) count() int {
	n := 1
	for _, d := range r.axes {
		n *= r.of.w.shape[d]
	}
	return n
}

// agrees reports whether two reductions have the same axes and the same view.
func (r reduced) agrees(s reduced) bool { return slices.Equal(r.axes, s.axes) && r.w.equal(s.w) }

// mean reads t as a sum divided by the number of its terms.
func (a *attempt) mean(t term) (reduced, bool) {
	if x, y, ok := a.binary(t, hlo.OpDivide); ok {
		if n, ok := a.constant(y); ok {
			r, ok := a.reduce(x, hlo.OpAdd)
			return r, ok && n == float64(r.count())
		}
	}
	if x, y, ok := a.binary(t, hlo.OpMultiply); ok {
		if _, ok := a.constant(x); ok {
			x, y = y, x
		}
		if n, ok := a.constant(y); ok {
			r, ok := a.reduce(x, hlo.OpAdd)
			return r, ok && near(n*float64(r.count()), 1)
		}
	}
	return reduced{}, false
}

// square reads t as the square of a term.
func (a *attempt) square(t term) (term, bool) {
	if x, ok := a.unary(t, hlo.OpSquare); ok {
		return x, true
	}
	if x, y, ok := a.binary(t, hlo.OpMultiply); ok && a.same(x, y) {
		return x, true
	}
	if x, y, ok := a.binary(t, hlo.OpPower); ok {
		k, ok := a.constant(y)
		return x, ok && k == 2
	}
	return t, false
}

// near reports whether two constants differ by at most 1e-5 of their size: they are printed with the digits
// of their type.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-5*math.Abs(y) }
