package exec

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Functions of complex secrets by their definitions in terms of the
// exponential, the logarithm and the square root, all on their principal
// branches.

func init() {
	for name, f := range map[string]func(z *complexes, x *value) *value{
		hlo.OpExponentialMinusOne: func(z *complexes, x *value) *value { return z.plus(z.exp(x), -1) },
		hlo.OpLogPlusOne:          func(z *complexes, x *value) *value { return z.log(z.plus(x, 1)) },
		hlo.OpSine:                func(z *complexes, x *value) *value { return z.timesI(z.halves(z.timesI(x, 1), -1), -1) },
		hlo.OpCosine:              func(z *complexes, x *value) *value { return z.halves(z.timesI(x, 1), 1) },
		hlo.OpTan:                 func(z *complexes, x *value) *value { return z.timesI(z.do(complexTanh, z.timesI(x, 1)), -1) },
		hlo.OpCbrt:                func(z *complexes, x *value) *value { return z.do(complexRoot(1./3), x) },
		hlo.OpSinh:                func(z *complexes, x *value) *value { return z.halves(x, -1) },
		hlo.OpCosh:                func(z *complexes, x *value) *value { return z.halves(x, 1) },
		hlo.OpAsinh:               (*complexes).asinh,
		hlo.OpAsin:                (*complexes).asin,
		hlo.OpAcos: func(z *complexes, x *value) *value {
			return z.plus(z.times(z.asin(x), -1), math.Pi/2)
		},
		hlo.OpAcosh: func(z *complexes, x *value) *value {
			root := z.do(complexProduct, z.root(z.plus(x, 1)), z.root(z.plus(x, -1)))
			return z.log(z.add(x, root, 1))
		},
		hlo.OpAtanh: (*complexes).atanh,
		hlo.OpAtan:  func(z *complexes, x *value) *value { return z.timesI(z.atanh(z.timesI(x, 1)), -1) },
	} {
		complexOps.Add(name, func(c *opRun, in []*value) ([]*value, error) {
			z := &complexes{formula{c: c}}
			out := f(z, in[0])
			return []*value{out}, z.err
		})
	}
	complexOps.Add(hlo.OpAtan2, complexAngle)
	complexOps.Add(hlo.OpMaximum, complexExtreme(false))
	complexOps.Add(hlo.OpMinimum, complexExtreme(true))
}

// complexes is a formula of complex values.
type complexes struct{ formula }

func (z *complexes) do(f handler, in ...*value) *value {
	if z.err != nil {
		return in[0]
	}
	out, err := first(f(z.c, in))
	if err != nil {
		z.err = err
		return in[0]
	}
	return out
}

func (z *complexes) exp(x *value) *value  { return z.do(complexExp, x) }
func (z *complexes) log(x *value) *value  { return z.do(complexLog, x) }
func (z *complexes) root(x *value) *value { return z.do(complexRoot(0.5), x) }

// each applies a function to both parts.
func (z *complexes) each(x *value, f func(part *value) *value) *value {
	re, im := z.c.parts(x)
	return paired(x.typ.DType, f(re), f(im))
}

func (z *complexes) times(x *value, by float64) *value {
	return z.each(x, func(part *value) *value { return z.mul(part, constantly(part, by)) })
}

// add returns x + sign·y.
func (z *complexes) add(x, y *value, sign int) *value {
	a, b := z.c.parts(x)
	p, q := z.c.parts(y)
	return paired(x.typ.DType, z.formula.plus(a, p, sign), z.formula.plus(b, q, sign))
}

// plus returns x + v for a real number v.
func (z *complexes) plus(x *value, v float64) *value {
	re, im := z.c.parts(x)
	return paired(x.typ.DType, z.formula.add(re, constantly(re, v)), im)
}

// timesI returns i·x, or −i·x if sign is −1.
func (z *complexes) timesI(x *value, sign int) *value {
	re, im := z.c.parts(x)
	if sign > 0 {
		return paired(x.typ.DType, z.of(hlo.OpNegate, im), re)
	}
	return paired(x.typ.DType, im, z.of(hlo.OpNegate, re))
}

// halves returns (e^x + sign·e^(−x))/2.
func (z *complexes) halves(x *value, sign int) *value {
	opposite := z.each(x, func(part *value) *value { return z.of(hlo.OpNegate, part) })
	return z.times(z.add(z.exp(x), z.exp(opposite), sign), 0.5)
}

// asinh returns log(x + √(x² + 1)).
func (z *complexes) asinh(x *value) *value {
	return z.log(z.add(x, z.root(z.plus(z.do(complexProduct, x, x), 1)), 1))
}

func (z *complexes) asin(x *value) *value { return z.timesI(z.asinh(z.timesI(x, 1)), -1) }

// atanh returns (log(1 + x) − log(1 − x))/2.
func (z *complexes) atanh(x *value) *value {
	return z.times(z.add(z.log(z.plus(x, 1)), z.log(z.plus(z.times(x, -1), 1)), -1), 0.5)
}

// complexAngle returns −i·log((x + iy)/√(x² + y²)).
func complexAngle(c *opRun, in []*value) ([]*value, error) {
	z := &complexes{formula{c: c}}
	y, x := in[0], in[1]
	size := z.root(z.add(z.do(complexProduct, x, x), z.do(complexProduct, y, y), 1))
	out := z.timesI(z.log(z.do(complexQuotient, z.add(x, z.timesI(y, 1), 1), size)), -1)
	return []*value{out}, z.err
}

// complexExtreme returns the larger, or the smaller if least, of two values: by real parts, then by imaginary
// parts.
func complexExtreme(least bool) handler {
	return func(c *opRun, in []*value) ([]*value, error) {
		x, y := in[0], in[1]
		if least {
			x, y = y, x
		}
		a, b := c.parts(x)
		p, q := c.parts(y)
		var is [3]*value
		for i, v := range []struct {
			direction string
			x, y      *value
		}{{"LT", a, p}, {"EQ", a, p}, {"LT", b, q}} {
			var err error
			if is[i], err = c.calcCompare(v.direction, v.x, v.y); err != nil {
				return nil, err
			}
		}
		tie, err := c.calc(hlo.OpAnd, tensor.Bool, is[1:])
		if err != nil {
			return nil, err
		}
		less, err := c.calc(hlo.OpOr, tensor.Bool, []*value{is[0], tie})
		if err != nil {
			return nil, err
		}
		return c.pick(less, in[1], in[0])
	}
}
