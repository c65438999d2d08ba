package grad

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// partial multiplies t, which has the type of the operation's result, by the derivative of the result with respect to
// operand i, element by element. nil stands for zero. The same function gives the tangent of the result from the
// tangent of the operand and the cotangent of the operand from the cotangent of the result.
type partial func(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value

// partials are the derivatives of elementwise operations. Where a derivative can be written with the result of the
// operation, it is, so that no function is computed twice.
var partials = hlo.Table[partial]{}

func init() {
	for name, f := range map[string]func(w *writer, x, y, t *hlo.Value) *hlo.Value{
		hlo.OpAbs:                 func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, w.one(hlo.OpSign, nil, x)) },
		hlo.OpCbrt:                func(w *writer, x, y, t *hlo.Value) *hlo.Value { return w.mul(t, w.times(w.div(y, x), 1.0/3)) },
		hlo.OpCosine:              func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.neg(w.mul(t, w.one(hlo.OpSine, nil, x))) },
		hlo.OpSine:                func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, w.one(hlo.OpCosine, nil, x)) },
		hlo.OpTan:                 func(w *writer, _, y, t *hlo.Value) *hlo.Value { return w.mul(t, w.plus(w.mul(y, y), 1)) },
		hlo.OpExponential:         func(w *writer, _, y, t *hlo.Value) *hlo.Value { return w.mul(t, y) },
		hlo.OpExponentialMinusOne: func(w *writer, _, y, t *hlo.Value) *hlo.Value { return w.mul(t, w.plus(y, 1)) },
		hlo.OpLog:                 func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.div(t, x) },
		hlo.OpLogPlusOne:          func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.div(t, w.plus(x, 1)) },
		hlo.OpLogistic:            func(w *writer, _, y, t *hlo.Value) *hlo.Value { return w.mul(t, w.mul(y, w.minusFrom(1, y))) },
		hlo.OpTanh:                func(w *writer, _, y, t *hlo.Value) *hlo.Value { return w.mul(t, w.minusFrom(1, w.mul(y, y))) },
		hlo.OpNegate:              func(w *writer, _, _, t *hlo.Value) *hlo.Value { return w.neg(t) },
		hlo.OpSqrt:                func(w *writer, _, y, t *hlo.Value) *hlo.Value { return w.div(w.times(t, 0.5), y) },
		hlo.OpRsqrt:               func(w *writer, x, y, t *hlo.Value) *hlo.Value { return w.mul(t, w.times(w.div(y, x), -0.5)) },
		hlo.OpSquare:              func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, w.times(x, 2)) },
		hlo.OpReducePrecision:     func(_ *writer, _, _, t *hlo.Value) *hlo.Value { return t },
		hlo.OpAcos: func(w *writer, x, _, t *hlo.Value) *hlo.Value {
			return w.neg(w.mul(t, w.one(hlo.OpRsqrt, nil, w.minusFrom(1, w.mul(x, x)))))
		},
		hlo.OpAsin: func(w *writer, x, _, t *hlo.Value) *hlo.Value {
			return w.mul(t, w.one(hlo.OpRsqrt, nil, w.minusFrom(1, w.mul(x, x))))
		},
		hlo.OpAcosh: func(w *writer, x, _, t *hlo.Value) *hlo.Value {
			return w.mul(t, w.one(hlo.OpRsqrt, nil, w.mul(w.plus(x, -1), w.plus(x, 1))))
		},
		hlo.OpAsinh: func(w *writer, x, _, t *hlo.Value) *hlo.Value {
			return w.mul(t, w.one(hlo.OpRsqrt, nil, w.plus(w.mul(x, x), 1)))
		},
		hlo.OpAtan:   func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.div(t, w.plus(w.mul(x, x), 1)) },
		hlo.OpAtanh:  func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.div(t, w.minusFrom(1, w.mul(x, x))) },
		hlo.OpCosh:   func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, w.one(hlo.OpSinh, nil, x)) },
		hlo.OpSinh:   func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, w.one(hlo.OpCosh, nil, x)) },
		hlo.OpLgamma: func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, w.one(hlo.OpDigamma, nil, x)) },
		hlo.OpDigamma: func(w *writer, x, _, t *hlo.Value) *hlo.Value {
			return w.mul(t, w.one(hlo.OpPolygamma, nil, w.number(x.Type, 1), x))
		},
		hlo.OpErf:  func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, bell(w, x, 2/math.Sqrt(math.Pi))) },
		hlo.OpErfc: func(w *writer, x, _, t *hlo.Value) *hlo.Value { return w.mul(t, bell(w, x, -2/math.Sqrt(math.Pi))) },
		hlo.OpErfInv: func(w *writer, _, y, t *hlo.Value) *hlo.Value {
			return w.mul(t, w.times(w.one(hlo.OpExponential, nil, w.mul(y, y)), math.Sqrt(math.Pi)/2))
		},
	} {
		partials.Add(name, func(w *writer, o *hlo.Op, _ int, t *hlo.Value) *hlo.Value {
			return f(w, o.Operands[0], o.Results[0], t)
		})
	}
	partials.Add(hlo.OpAdd, func(_ *writer, _ *hlo.Op, _ int, t *hlo.Value) *hlo.Value { return t })
	partials.Add(hlo.OpSubtract, subtractPartial)
	partials.Add(hlo.OpMultiply, func(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value { return w.mul(t, o.Operands[1-i]) })
	partials.Add(hlo.OpDivide, dividePartial)
	partials.Add(hlo.OpMaximum, extremePartial)
	partials.Add(hlo.OpMinimum, extremePartial)
	partials.Add(hlo.OpPower, powerPartial)
	partials.Add(hlo.OpRemainder, remainderPartial)
	partials.Add(hlo.OpAtan2, atan2Partial)
	partials.Add(hlo.OpPolygamma, polygammaPartial)
	partials.Add(hlo.OpZeta, zetaPartial)
}

// bell is k·exp(−x²).
func bell(w *writer, x *hlo.Value, k float64) *hlo.Value {
	return w.times(w.one(hlo.OpExponential, nil, w.neg(w.mul(x, x))), k)
}

func subtractPartial(w *writer, _ *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	if i == 1 {
		return w.neg(t)
	}
	return t
}

// dividePartial: 1/y, and −(x/y)/y.
func dividePartial(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	q := w.div(t, o.Operands[1])
	if i == 0 {
		return q
	}
	return w.neg(w.mul(q, o.Results[0]))
}

// extremePartial is a selection by the comparison that the maximum or minimum makes itself, so that it is made once.
// Of equal operands a constant gets nothing and takes all, as in the gradient of a ReLU; two other operands get half each.
func extremePartial(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	x, y := o.Operands[i], o.Operands[1-i]
	strict, loose := "GT", "GE"
	if o.Name == hlo.OpMinimum {
		strict, loose = "LT", "LE"
	}
	if _, constant := w.c.splat(y); constant {
		return w.where(w.compare(strict, x, y), t)
	}
	sum := w.add(w.where(w.compare(loose, x, y), t), w.where(w.compare(strict, x, y), t))
	return w.times(sum, 0.5)
}

// powerPartial: y·x^(y−1), and log(x)·x^y, which is 0 where x is 0.
func powerPartial(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	x, y := o.Operands[0], o.Operands[1]
	k, constant := w.c.splat(y)
	switch {
	case i == 1:
		zero := w.compare("EQ", x, w.zeros(x.Type))
		log := w.one(hlo.OpLog, nil, w.choose(zero, w.number(x.Type, 1), x))
		return w.mul(t, w.mul(log, o.Results[0]))
	case constant && k == 0:
		return nil
	case constant && k == 1:
		return t
	case constant && k == 2:
		return w.mul(t, w.times(x, 2))
	case constant:
		return w.mul(t, w.times(w.one(hlo.OpPower, nil, x, w.number(x.Type, k-1)), k))
	}
	// y·x^(y−1) is 0 where y is 0, whatever x is.
	none := w.compare("EQ", y, w.zeros(y.Type))
	less := w.choose(none, w.number(y.Type, 1), w.plus(y, -1))
	return w.mul(t, w.mul(y, w.one(hlo.OpPower, nil, x, less)))
}

// remainderPartial: 1, and minus the quotient rounded towards zero.
func remainderPartial(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	if i == 0 {
		return t
	}
	x, y := o.Operands[0], o.Operands[1]
	whole := w.div(w.sub(x, o.Results[0]), y)
	return w.neg(w.mul(t, w.one(hlo.OpRoundNearestEven, nil, whole)))
}

// atan2Partial: x/(x² + y²) for y, and −y/(x² + y²) for x.
func atan2Partial(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	y, x := o.Operands[0], o.Operands[1]
	q := w.div(t, w.add(w.mul(x, x), w.mul(y, y)))
	if i == 0 {
		return w.mul(q, x)
	}
	return w.neg(w.mul(q, y))
}

// polygammaPartial: the next polygamma function, in its second operand.
func polygammaPartial(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	if i == 0 {
		w.refuse(o, "is not differentiable in its order", "pass the order as a constant")
	}
	return w.mul(t, w.one(hlo.OpPolygamma, nil, w.plus(o.Operands[0], 1), o.Operands[1]))
}

// zetaPartial: −s·ζ(s + 1, q) for q.
func zetaPartial(w *writer, o *hlo.Op, i int, t *hlo.Value) *hlo.Value {
	if i == 0 {
		w.refuse(o, "is not differentiable in its first operand", "pass the first operand as a constant")
	}
	s, q := o.Operands[0], o.Operands[1]
	return w.neg(w.mul(t, w.mul(s, w.one(hlo.OpZeta, nil, w.plus(s, 1), q))))
}

// selectBack and the functions below are the rules of elementwise operations whose operands differ in type or shape.
func selectBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	p, t := o.Operands[0], ct[0]
	if r.wants(o.Operands[1]) {
		r.give(o.Operands[1], r.choose(p, t, r.zeros(t.Type)))
	}
	if r.wants(o.Operands[2]) {
		r.give(o.Operands[2], r.choose(p, r.zeros(t.Type), t))
	}
}

func selectFore(f *forward, o *hlo.Op) []*hlo.Value {
	t := o.Results[0].Type
	return []*hlo.Value{f.choose(o.Operands[0], f.orZeros(f.dot[o.Operands[1]], t), f.orZeros(f.dot[o.Operands[2]], t))}
}

// clampParts are the conditions under which a clamp returns its lower bound, its operand and its upper bound.
func clampParts(w *writer, o *hlo.Op) (low, mid, high *hlo.Value) {
	x := o.Operands[1]
	all := count(len(x.Type.Shape))
	spread := func(b *hlo.Value) *hlo.Value { return w.broadcast(b, all[:len(b.Type.Shape)], x.Type.Shape) }
	l, h := spread(o.Operands[0]), spread(o.Operands[2])
	above, below := w.compare("GT", x, l), w.compare("LT", x, h)
	return above, w.one(hlo.OpAnd, nil, above, below), below
}

func clampBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	t := ct[0]
	above, mid, below := clampParts(r.writer, o)
	give := func(i int, c *hlo.Value) {
		if b := o.Operands[i]; len(b.Type.Shape) == 0 {
			c = r.total(c, count(len(c.Type.Shape)))
		}
		r.give(o.Operands[i], c)
	}
	if r.wants(o.Operands[1]) {
		give(1, r.where(mid, t))
	}
	if r.wants(o.Operands[0]) {
		give(0, r.unless(above, t))
	}
	if r.wants(o.Operands[2]) {
		give(2, r.unless(below, t))
	}
}

func clampFore(f *forward, o *hlo.Op) []*hlo.Value {
	above, mid, below := clampParts(f.writer, o)
	t := o.Results[0].Type
	var sum *hlo.Value
	give := func(i int, g func(d *hlo.Value) *hlo.Value) {
		if d := f.dot[o.Operands[i]]; d != nil {
			sum = f.sum(sum, g(f.broadcast(d, count(len(d.Type.Shape)), t.Shape)))
		}
	}
	give(1, func(d *hlo.Value) *hlo.Value { return f.where(mid, d) })
	give(0, func(d *hlo.Value) *hlo.Value { return f.unless(above, d) })
	give(2, func(d *hlo.Value) *hlo.Value { return f.unless(below, d) })
	return []*hlo.Value{sum}
}

func convertBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x := o.Operands[0]
	if x.Type.DType.IsFloat() && ct[0].Type.DType.IsComplex() {
		ct[0] = r.one(hlo.OpReal, nil, ct[0])
	}
	r.give(x, r.convert(ct[0], x.Type.DType))
}

func complexBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	if r.wants(o.Operands[0]) {
		r.give(o.Operands[0], r.one(hlo.OpReal, nil, ct[0]))
	}
	if r.wants(o.Operands[1]) {
		r.give(o.Operands[1], r.neg(r.one(hlo.OpImag, nil, ct[0])))
	}
}

func realBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	r.give(o.Operands[0], r.one(hlo.OpComplex, nil, ct[0], r.zeros(ct[0].Type)))
}

func imagBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	r.give(o.Operands[0], r.one(hlo.OpComplex, nil, r.zeros(ct[0].Type), r.neg(ct[0])))
}

// differentiable reports whether values of a type have derivatives.
func differentiable(d tensor.DType) bool { return d.IsFloat() || d.IsComplex() }
