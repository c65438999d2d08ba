package pattern

import (
	"math"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// fixed maps operations to bounds of their results that hold for all operands.
var fixed = map[string]Interval{
	hlo.OpSine:   {-1, 1},
	hlo.OpCosine: {-1, 1},
	hlo.OpAtan2:  {-math.Pi, math.Pi},
	hlo.OpCosh:   {1, math.Inf(1)},
}

// transfer returns the bounds of an operation's results from those of its operands; it returns fewer than
// there are results if nothing is known of the remaining ones.
func (c *analysis) transfer(b *hlo.Block, o *hlo.Op) []Interval {
	in := c.list(o.Operands)
	if len(o.Results) == 0 {
		return nil
	}
	d := o.Results[0].Type.DType
	if d.IsComplex() || len(in) > 0 && o.Operands[0].Type.DType.IsComplex() {
		return nil
	}
	if x, ok := fixed[o.Name]; ok {
		return one(x)
	}
	if o.Is(hlo.Structured) {
		var data []Interval
		for i, x := range in {
			if o.LinearOperand(i) {
				data = append(data, x)
			}
		}
		return one(joined(data))
	}
	switch o.Name {
	case hlo.OpConstant:
		return constantBounds(o)
	case hlo.OpIota:
		return one(Interval{0, float64(max(o.Results[0].Type.Shape[o.Attrs.Int("iota_dimension", 0)]-1, 0))})
	case hlo.OpTopK:
		return in[:1]
	case hlo.OpOptimizationBarrier:
		return in
	case hlo.OpCustomCall:
		if o.ReturnsOperands() {
			return in
		}
		if o.Attrs.Str("call_target_name") == "tacet.real" {
			if r, ok := hlo.RealOf(o); ok {
				return one(Interval{-math.Ldexp(1, r.Bits-r.Scale), math.Ldexp(1, r.Below-r.Scale)})
			}
		}
	case hlo.OpSort:
		return in
	case hlo.OpScatter:
		return c.scatter(o, in)
	case hlo.OpCompare:
		return compared(o, in)
	case hlo.OpConvert:
		return one(convertBounds(in[0], o.Operands[0].Type.DType, d))
	case hlo.OpSelect:
		switch in[0] {
		case point(1):
			return one(in[1])
		case point(0):
			return one(in[2])
		}
		return one(in[1].join(in[2]))
	case hlo.OpClamp:
		return one(in[1].max(in[0]).min(in[2]))
	case hlo.OpAbs:
		return one(in[0].abs())
	case hlo.OpNegate:
		return one(in[0].neg())
	case hlo.OpSign:
		return one(in[0].monotone(sign))
	case hlo.OpRsqrt:
		return one(transcendental(point(1).div(in[0].max(point(0)).monotone(math.Sqrt)), d).max(point(0)))
	case hlo.OpSquare:
		return one(in[0].square())
	case hlo.OpNot:
		if d == tensor.Bool {
			return one(point(1).sub(in[0]))
		}
	case hlo.OpAnd:
		if d == tensor.Bool {
			return one(in[0].mul(in[1]))
		}
	case hlo.OpOr:
		if d == tensor.Bool {
			return one(in[0].max(in[1]))
		}
	case hlo.OpAdd:
		if d == tensor.Bool {
			return one(in[0].max(in[1]))
		}
		return one(in[0].add(in[1]))
	case hlo.OpSubtract:
		return one(c.difference(b, o, in))
	case hlo.OpMultiply:
		if o.Operands[0] == o.Operands[1] || c.attempt(b).same(c.term(b, o, 0), c.term(b, o, 1)) {
			return one(in[0].square())
		}
		return one(in[0].mul(in[1]))
	case hlo.OpDivide:
		return one(c.quotient(b, o, in))
	case hlo.OpMaximum:
		return one(in[0].max(in[1]))
	case hlo.OpMinimum:
		return one(in[0].min(in[1]))
	case hlo.OpRemainder:
		return one(remainder(in[0], in[1], d))
	case hlo.OpPower:
		return one(c.power(o, in))
	case hlo.OpReduce:
		return c.reduceBounds(b, o, in)
	case hlo.OpReduceWindow:
		return c.window(o, in)
	case hlo.OpDotGeneral, hlo.OpConvolution:
		return one(contraction(o, in))
	}
	if x, ok := monotone(o, in); ok {
		return one(transcendental(x, d))
	}
	return nil
}

// monotone returns the bounds of a monotone function: its values at the ends of the operand's interval, as far as
// it is defined there.
func monotone(o *hlo.Op, in []Interval) (Interval, bool) {
	sign, from, to := o.Monotone()
	f := eval.Float(o.Name)
	if sign == 0 || f == nil {
		return Interval{}, false
	}
	x := in[0].max(point(from)).min(point(to)).monotone(f)
	if sign < 0 {
		x.Lo, x.Hi = x.Hi, x.Lo
	}
	return x, true
}

func one(x Interval) []Interval { return []Interval{x} }

func joined(in []Interval) Interval {
	out := in[0]
	for _, x := range in[1:] {
		out = out.join(x)
	}
	return out
}

// transcendental widens bounds by the last digit of a library's function, but not beyond values that the
// function reaches exactly.
func transcendental(x Interval, d tensor.DType) Interval {
	exact := func(v float64) bool { return v == 0 || math.Abs(v) == 1 || v == 2 || math.IsInf(v, 0) }
	u := max(unit(d), 0x1p-40)
	if !exact(x.Lo) {
		x.Lo -= math.Abs(x.Lo) * u
	}
	if !exact(x.Hi) {
		x.Hi += math.Abs(x.Hi) * u
	}
	return x
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// constantBounds returns the least and the largest element of a constant.
func constantBounds(o *hlo.Op) []Interval {
	c, ok := o.Constant()
	if !ok || c.Type.DType.IsComplex() || c.Elements.Len() == 0 {
		return nil
	}
	out := Interval{math.Inf(1), math.Inf(-1)}
	for _, v := range c.Elements.Floats() {
		if !math.IsNaN(v) {
			out = Interval{min(out.Lo, v), max(out.Hi, v)}
		}
	}
	if out.Lo > out.Hi {
		return nil // all elements are NaN
	}
	return one(out)
}

func convertBounds(x Interval, from, to tensor.DType) Interval {
	switch {
	case to == tensor.Bool:
		return Interval{0, 1}
	case to.IsInt() && from.IsFloat():
		return x.monotone(math.Trunc)
	}
	return x
}

// compared returns the bounds of a comparison of integers, whose operands' ranges may decide it. Floats may be NaN.
func compared(o *hlo.Op, in []Interval) []Interval {
	if !o.Operands[0].Type.DType.IsInt() {
		return nil
	}
	x, y, result := in[0], in[1], point(1)
	switch dir := o.Attrs.Str("comparison_direction"); dir {
	case "GT", "LE": // y < x, and its negation
		x, y = y, x
		if dir == "LE" {
			result = point(0)
		}
	case "GE":
		result = point(0)
	case "EQ", "NE":
		if dir == "EQ" {
			result = point(0)
		}
		switch {
		case x.Hi < y.Lo || y.Hi < x.Lo:
			return one(result)
		case x.Lo == x.Hi && x == y:
			return one(point(1).sub(result))
		}
		return nil
	}
	switch { // x < y
	case x.Hi < y.Lo:
		return one(result)
	case x.Lo >= y.Hi:
		return one(point(1).sub(result))
	}
	return nil
}

// scatter joins the bounds of the operand and the updates if the region returns the update.
func (c *analysis) scatter(o *hlo.Op, in []Interval) []Interval {
	b := o.Regions[0]
	if len(in) != 3 || len(b.Ops) != 1 || b.Return().Operands[0] != b.Params[1] {
		return nil
	}
	return one(in[0].join(in[2]))
}

// remainder returns the bounds of x mod y, which has x's sign and is below |y|; for integers it is x where y
// is 0.
func remainder(x, y Interval, d tensor.DType) Interval {
	m := min(x.abs().Hi, y.abs().Hi)
	if d.IsInt() && y.Lo <= 0 && y.Hi >= 0 {
		m = x.abs().Hi
	}
	out := Interval{-m, m}
	if x.Lo >= 0 {
		out.Lo = 0
	}
	if x.Hi <= 0 {
		out.Hi = 0
	}
	return out
}

// power bounds powers with constant exponents.
func (c *analysis) power(o *hlo.Op, in []Interval) Interval {
	x, y := in[0], in[1]
	if y.Lo != y.Hi || o.Results[0].Type.DType.IsInt() && y.Lo < 0 {
		if x.Lo >= 0 {
			return Interval{0, math.Inf(1)}
		}
		return all(o.Results[0].Type.DType)
	}
	d := o.Results[0].Type.DType
	k := y.Lo
	if math.Mod(k, 2) == 0 {
		x = x.abs()
	}
	f := func(v float64) float64 { return math.Pow(v, k) }
	switch {
	case x.Lo >= 0 && k >= 0, k > 0 && math.Abs(math.Mod(k, 2)) == 1:
		return transcendental(x.monotone(f), d)
	case x.Lo >= 0:
		return transcendental(Interval{f(x.Hi), f(math.Abs(x.Lo))}, d)
	case math.Mod(k, 1) != 0: // only x ≥ 0 has such a power
		return Interval{0, math.Inf(1)}
	}
	return all(d)
}

func (c *analysis) term(b *hlo.Block, o *hlo.Op, i int) term {
	return term{v: o.Operands[i], w: whole(o.Operands[i].Type.Shape)}
}

// difference uses x − max x ≤ 0.
func (c *analysis) difference(b *hlo.Block, o *hlo.Op, in []Interval) Interval {
	out := in[0].sub(in[1])
	a := c.attempt(b)
	if max, ok := a.max(c.term(b, o, 1)); ok && max.spread(o.Results[0].Type.Shape) && a.same(max.of, c.term(b, o, 0)) {
		out.Hi = min(out.Hi, 0)
		out.Lo = min(out.Lo, out.Hi)
	}
	return out
}

// quotient uses that a term of a sum of non-negative terms is at most the sum.
func (c *analysis) quotient(b *hlo.Block, o *hlo.Op, in []Interval) Interval {
	d := o.Results[0].Type.DType
	if !d.IsFloat() {
		if in[1].Lo <= 0 && in[1].Hi >= 0 {
			return all(d)
		}
		return in[0].div(in[1]).monotone(math.Trunc)
	}
	out := in[0].div(in[1])
	if in[0].Lo < 0 {
		return out
	}
	a := c.attempt(b)
	if sum, ok := a.reduce(c.term(b, o, 1), hlo.OpAdd); ok && sum.spread(o.Results[0].Type.Shape) && a.same(sum.of, c.term(b, o, 0)) {
		out = Interval{max(out.Lo, 0), min(out.Hi, 1)}
	}
	return out
}
