package exec

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	unary := map[string]func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value{
		hlo.OpExponential: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.Exp(c.op, x, false, r, c.readsAlone())
		},
		hlo.OpExponentialMinusOne: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.AddConst(c.op, c.Arith.Exp(c.op, x, false, r, false), -1)
		},
		hlo.OpLog: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.Log(c.op, x, false, r)
		},
		hlo.OpLogPlusOne: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.Log(c.op, c.Arith.AddConst(c.op, x, 1), false, fxp.Range{Lo: r.Lo + 1, Hi: r.Hi + 1})
		},
		hlo.OpSqrt: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			if c.Facts != nil && c.Facts.Divisors[c.o.Results[0]] {
				return c.Arith.RootDivisor(c.op, x, r)
			}
			return c.Arith.RealPower(c.op, x, 0.5, false, r)
		},
		hlo.OpRsqrt: power2(-0.5),
		hlo.OpCbrt: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.RealPower(c.op, x, 1./3, true, r)
		},
		hlo.OpLogistic: tabled("sigmoid"),
		hlo.OpTanh:     tabled("tanh"),
		hlo.OpErf:      tabled("erf"),
		hlo.OpErfc:     tabled("erfc"),
		hlo.OpSine: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			s, _ := c.Arith.SinCos(c.op, x, c.Arith.Fraction)
			return s
		},
		hlo.OpCosine: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			_, s := c.Arith.SinCos(c.op, x, c.Arith.Fraction)
			return s
		},
		hlo.OpTan: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value { return c.Arith.Tan(c.op, x) },
		hlo.OpFloor: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.Arith.Floor(c.op, x, x.Type.DType)
		},
		hlo.OpCeil: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.Arith.Neg(c.op, c.Arith.Floor(c.op, c.Arith.Neg(c.op, x), x.Type.DType))
		},
		hlo.OpRoundNearestEven: roundEven,
		hlo.OpRoundNearestAfz:  roundAway,
		hlo.OpSinh: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			return halfOfExps(c, x, r, -1)
		},
		hlo.OpCosh: func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
			return halfOfExps(c, x, r, 1)
		},
		hlo.OpAtan: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.Arith.Atan2(c.op, x, c.Arith.Constant(c.op, x.Type, 1))
		},
		hlo.OpAsin: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.Arith.Atan2(c.op, x, c.leg(x))
		},
		hlo.OpAcos: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.Arith.Atan2(c.op, c.leg(x), x)
		},
		hlo.OpAsinh: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			negative := c.Arith.Negative(c.op, x)
			y := c.Arith.Signed(c.op, negative, x) // |x|, whose sum with the root loses nothing
			root := c.Arith.RealPower(c.op, c.Arith.AddConst(c.op, c.Arith.Mul(c.op, y, y), 1), 0.5, false, atLeast(1))
			return c.Arith.Signed(c.op, negative, c.Arith.Log(c.op, c.Arith.Add(c.op, y, root), false, atLeast(1)))
		},
		hlo.OpAcosh: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			root := c.Arith.RealPower(c.op, c.Arith.AddConst(c.op, c.Arith.Mul(c.op, x, x), -1), 0.5, false, atLeast(0))
			return c.Arith.Log(c.op, c.Arith.Add(c.op, x, root), false, atLeast(1))
		},
		hlo.OpAtanh: func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
			two := fxp.Range{Lo: 0, Hi: 2}
			up := c.Arith.Log(c.op, c.Arith.AddConst(c.op, x, 1), false, two)
			down := c.Arith.Log(c.op, c.Arith.AddConst(c.op, c.Arith.Neg(c.op, x), 1), false, two)
			return c.Arith.MulConst(c.op, c.Arith.Sub(c.op, up, down), 0.5)
		},
	}
	unary[hlo.OpErfInv] = func(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value { return c.Arith.ErfInv(c.op, x) }
	unary[hlo.OpLgamma] = func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value { return c.Arith.LogGamma(c.op, x, r) }
	unary[hlo.OpDigamma] = func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value { return c.Arith.Digamma(c.op, x, r) }
	for name, f := range unary {
		table.Add(name, func(c *opRun, in []*value) ([]*value, error) {
			if err := c.floatsOnly(in); err != nil {
				return nil, err
			}
			return one(f(c, c.share(in[0], 0), c.rangeOf(0)))
		})
	}
	table.Add(hlo.OpAtan2, func(c *opRun, in []*value) ([]*value, error) {
		if err := c.floatsOnly(in); err != nil {
			return nil, err
		}
		xs := c.shareAll(in)
		return one(c.Arith.Atan2(c.op, xs[0], xs[1]))
	})
}

// rangeOf returns the range of operand i known from the program's text.
func (c *opRun) rangeOf(i int) fxp.Range { return c.known(c.o.Operands[i]) }

// known returns the range of a value known from the program's text, with a margin for the roundings of fixed
// point.
func (c *run) known(v *hlo.Value) fxp.Range {
	if c.Facts == nil {
		return fxp.Unknown
	}
	lo, hi := c.Facts.Ranges.Of(v)
	margin := func(x float64) float64 { return math.Abs(x)/1024 + math.Ldexp(16, -c.Arith.Fraction) }
	if lo < 0 {
		lo -= margin(lo)
	}
	return fxp.Range{Lo: lo, Hi: hi + margin(hi)}
}

func atLeast(x float64) fxp.Range { return fxp.Range{Lo: x, Hi: math.Inf(1)} }

func tabled(name string) func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
	return func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
		return c.Arith.EvalTableWithTails(c.op, x, name, r)
	}
}

func power2(e float64) func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
	return func(c *opRun, x *fxp.Value, r fxp.Range) *fxp.Value {
		return c.Arith.RealPower(c.op, x, e, false, r)
	}
}

// leg returns √((1−x)(1+x)).
func (c *opRun) leg(x *fxp.Value) *fxp.Value {
	up, down := c.Arith.AddConst(c.op, x, 1), c.Arith.AddConst(c.op, c.Arith.Neg(c.op, x), 1)
	return c.Arith.RealPower(c.op, c.Arith.Mul(c.op, up, down), 0.5, false, fxp.Range{Lo: 0, Hi: 1})
}

// halfOfExps returns (e^x + sign·e^(−x))/2.
func halfOfExps(c *opRun, x *fxp.Value, r fxp.Range, sign int64) *fxp.Value {
	up := c.Arith.Exp(c.op, x, false, r, false)
	down := c.Arith.Exp(c.op, c.Arith.Neg(c.op, x), false, fxp.Range{Lo: -r.Hi, Hi: -r.Lo}, false)
	return c.Arith.MulConst(c.op, c.Arith.Combine(c.op, []int64{1, sign}, up, down), 0.5)
}

// roundEven returns ⌊x + ½⌋, less one where x is a tie and x + ½ is odd: subtracting 2·⌊(x+½)/2⌋ from ⌊x + ½⌋
// gives its parity, and ⌈x − ½⌉ shows a tie.
func roundEven(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
	d := x.Type.DType
	up := c.Arith.Floor(c.op, c.Arith.AddConst(c.op, x, 0.5), d)
	down := c.Arith.Neg(c.op, c.Arith.Floor(c.op, c.Arith.AddConst(c.op, c.Arith.Neg(c.op, x), 0.5), d)) // ⌈x − ½⌉
	half := c.Arith.Floor(c.op, c.Arith.MulConst(c.op, up, 0.5), d)
	odd := c.Arith.Combine(c.op, []int64{1, -2}, up, half) // parity of the upper one: 0 or 1
	tie := c.Arith.Sub(c.op, up, down)                     // 1 at a tie
	return c.Arith.Sub(c.op, up, c.Arith.Mul(c.op, odd, tie))
}

// roundAway returns sgn(x)·⌊|x| + ½⌋.
func roundAway(c *opRun, x *fxp.Value, _ fxp.Range) *fxp.Value {
	negative := c.Arith.Negative(c.op, x)
	y := c.Arith.Floor(c.op, c.Arith.AddConst(c.op, c.Arith.Signed(c.op, negative, x), 0.5), x.Type.DType)
	return c.Arith.Signed(c.op, negative, y)
}

// truncated returns sgn(x)·⌊|x|⌋ as a value of type t; 0 for negative numbers if t is unsigned.
func (c *opRun) truncated(x *fxp.Value, t tensor.DType) *fxp.Value {
	if c.rangeOf(0).Lo >= 0 {
		return c.Arith.Floor(c.op, x, t)
	}
	negative := c.Arith.Negative(c.op, x)
	if !t.IsSigned() {
		return c.Arith.Floor(c.op, c.Arith.Kept(c.op, c.Arith.Not(c.op, negative), x), t)
	}
	return c.Arith.Signed(c.op, negative, c.Arith.Floor(c.op, c.Arith.Signed(c.op, negative, x), t))
}

// quotient divides floats by a divisor that is not public.
func (c *opRun) quotient(in []*value) ([]*value, error) {
	r := c.rangeOf(1)
	x := c.share(in[1], 0)
	if in[0].owner == Public {
		if v, ok := uniform(in[0].array()); ok && v == 1 && !c.guarded() && !(c.rooted() && c.Arith.HasFine()) {
			return one(c.Arith.RealPower(c.op, x, -1, true, r))
		}
	}
	if d := in[1].copied; d != nil && !c.guarded() {
		if order := rowsOf(d.index(), d.of.typ.Shape.Size()); order != nil {
			return []*value{c.byRows(in[0], d.of.sec, order, r, false)}, nil
		}
	}
	y := c.share(in[0], c.Arith.Fraction)
	if c.guarded() {
		return one(c.Arith.QuotientGuarded(c.op, y, x, r))
	}
	if c.rooted() && c.Arith.HasFine() {
		return one(c.Arith.QuotientFine(c.op, y, x, r, false))
	}
	if c.finelyKnown() {
		return one(c.Arith.QuotientSmall(c.op, y, x, r))
	}
	return one(c.Arith.Quotient(c.op, y, x, r))
}

// uniform reports whether all elements are one number, and returns it.
func uniform(a *tensor.Array) (float64, bool) {
	f := a.Floats()
	if len(f) == 0 {
		return 0, false
	}
	for _, x := range f {
		if x != f[0] {
			return 0, false
		}
	}
	return f[0], true
}

// floatPower returns x^y: by products for small integers y, else by the logarithm. A negative x has powers
// with public integer exponents only.
func (c *opRun) floatPower(in []*value) ([]*value, error) {
	r := c.rangeOf(0)
	a := c.Arith
	if in[1].owner == Public {
		e, ok := uniform(in[1].array())
		if !ok && naturals(in[1].array()) {
			return one(c.naturalPower(c.share(in[0], 0), in[1].array()))
		}
		if !ok {
			return one(a.PowerSecret(c.op, c.share(in[0], 0), c.share(in[1], a.Fraction), r))
		}
		x := c.share(in[0], 0)
		switch {
		case e == 0:
			return one(c.Arith.Constant(c.op, x.Type, 1))
		case e == 1:
			return one(x)
		case e == 2:
			return one(a.Mul(c.op, x, x))
		case e == 3:
			return one(a.Mul(c.op, a.Mul(c.op, x, x), x))
		case e == -1:
			return one(a.RealPower(c.op, x, -1, true, r))
		case e != math.Trunc(e) || r.Lo >= 0:
			return one(a.RealPower(c.op, x, e, false, r))
		case math.Mod(e, 2) == 0 && e < 0: // x² may be far below the last place
			y := a.RealPower(c.op, x, e/2, true, r)
			return one(a.Mul(c.op, y, y))
		case math.Mod(e, 2) == 0: // a power of x², which is not negative
			return one(a.RealPower(c.op, a.Mul(c.op, x, x), e/2, false, atLeast(0)))
		}
		return one(a.RealPower(c.op, x, e, true, r))
	}
	if in[0].owner == Public {
		if v, ok := uniform(in[0].array()); ok && v > 0 {
			return one(a.Exp(c.op, a.MulConst(c.op, c.share(in[1], 0), math.Log2(v)), true, fxp.Unknown, false))
		}
	}
	x, y := c.share(in[0], a.Fraction), c.share(in[1], a.Fraction)
	if y.Scale == 0 && r.Lo < 0 { // an integer exponent: negative numbers have such powers
		return one(a.PowerWhole(c.op, x, y, r))
	}
	return one(a.PowerSecret(c.op, x, y, r))
}

// maxNatural is the largest exponent for which powers are computed by products.
const maxNatural = 16

// naturals reports whether all elements are small natural numbers.
func naturals(a *tensor.Array) bool {
	for _, x := range a.Floats() {
		if x != math.Trunc(x) || x < 0 || x > maxNatural {
			return false
		}
	}
	return true
}

// naturalPower returns x^e for public natural numbers e that differ: for each bit of the exponents it
// multiplies with a square of x where the bit is set, and with 1 elsewhere.
func (c *opRun) naturalPower(x *fxp.Value, e *tensor.Array) *fxp.Value {
	exponents := e.Floats()
	var out *fxp.Value
	for bit := 1; ; bit *= 2 {
		set, unset, more := make([]float64, len(exponents)), make([]float64, len(exponents)), false
		for i, v := range exponents {
			set[i] = float64(int(v) / bit % 2)
			unset[i] = 1 - set[i]
			more = more || int(v) >= 2*bit
		}
		mask := tensor.FromFloats(tensor.F64, e.Shape, set)
		f := c.Arith.AddPublic(c.op, c.Arith.MulPublic(c.op, x, mask), tensor.FromFloats(x.Type.DType, e.Shape, unset))
		if out == nil {
			out = f
		} else {
			out = c.Arith.Mul(c.op, out, f)
		}
		if !more {
			return out
		}
		x = c.Arith.Mul(c.op, x, x)
	}
}

// floatRemainder returns x − y·trunc(x/y), computed on magnitudes, with x's sign. A quotient near an integer
// may be off by one; then the remainder is corrected to lie between 0 and |y|.
func (c *opRun) floatRemainder(in []*value) ([]*value, error) {
	a := c.Arith
	x := c.share(in[0], a.Fraction)
	negative := a.Negative(c.op, x)
	x = a.Signed(c.op, negative, x)
	var q *fxp.Value
	var times, below func(v *fxp.Value) *fxp.Value // v·|y|, [v < |y|]
	if in[1].owner == Public {
		size, inverse := slices.Clone(in[1].array().Floats()), make([]float64, in[1].array().Len())
		for i, y := range size {
			size[i], inverse[i] = math.Abs(y), 1/math.Abs(y)
		}
		y := tensor.FromFloats(tensor.F64, in[1].typ.Shape, size)
		q = a.Rescale(c.op, a.MulPublic(c.op, x, tensor.FromFloats(tensor.F64, in[1].typ.Shape, inverse)))
		times = func(v *fxp.Value) *fxp.Value { return a.MulPublic(c.op, v, y) }
		below = func(v *fxp.Value) *fxp.Value { return a.LessPublic(c.op, v, y, false) }
	} else {
		y := c.share(in[1], a.Fraction)
		if c.rangeOf(1).Lo < 0 {
			y = a.Signed(c.op, a.Negative(c.op, y), y)
		}
		q = a.Quotient(c.op, x, y, atLeast(0))
		times = func(v *fxp.Value) *fxp.Value { return a.Mul(c.op, v, y) }
		below = func(v *fxp.Value) *fxp.Value { return a.Less(c.op, v, y) }
	}
	d := x.Type.DType
	rest := a.Sub(c.op, x, times(a.Floor(c.op, q, d)))
	low := a.Number(c.op, a.Negative(c.op, rest), d)
	high := a.Number(c.op, a.Not(c.op, below(rest)), d)
	rest = a.Add(c.op, rest, times(a.Sub(c.op, low, high)))
	return one(a.Signed(c.op, negative, rest))
}
