package exec

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	table.Add(hlo.OpZeta, func(c *opRun, in []*value) ([]*value, error) {
		if err := c.floatsOnly(in); err != nil {
			return nil, err
		}
		out, err := c.zeta(in[0], in[1])
		return []*value{out}, err
	})
	table.Add(hlo.OpPolygamma, polygamma)
	table.Add(hlo.OpBesselI1e, func(c *opRun, in []*value) ([]*value, error) {
		if err := c.floatsOnly(in); err != nil {
			return nil, err
		}
		return one(c.Arith.BesselI1e(c.op, c.share(in[0], 0)))
	})
}

// zetaTerms is the number of terms of ζ that are summed before the rest is estimated.
const zetaTerms = 6

// zeta returns Σ_k (q + k)^−s, s > 1 and q > 0, by the Euler-Maclaurin formula: with a = q + zetaTerms the
// terms from there on are
//
//	a^−s·(a/(s−1) + 1/2 + s/(12a) − s(s+1)(s+2)/(720a³)) + O(a^(−s−5)).
//
// All powers are computed at once.
func (c *opRun) zeta(s, q *value) (*value, error) {
	f := &formula{c: c}
	shape := q.typ.Shape
	n := shape.Size()
	plus := func(x *value, v float64) *value { return f.add(x, constantly(x, v)) }
	times := func(x *value, v float64) *value { return f.mul(x, constantly(x, v)) }
	row := func(x *value) *value { return c.view(x, tensor.Reshaped(shape, tensor.Shape{1, n})) }
	var bases, exponents []*value
	minus := row(f.of(hlo.OpNegate, s))
	for k := range zetaTerms + 1 {
		bases, exponents = append(bases, row(plus(q, float64(k)))), append(exponents, minus)
	}
	powers := c.positivePower(f, c.concatenated(bases), c.concatenated(exponents))
	term := func(k int) *value {
		t := c.view(powers, tensor.View{Shape: tensor.Shape{n}, In: (zetaTerms + 1) * n, Offset: k * n, Strides: []int{1}})
		return c.view(t, tensor.Reshaped(t.typ.Shape, shape))
	}
	sum := term(0)
	for k := 1; k < zetaTerms; k++ {
		sum = f.add(sum, term(k))
	}
	a := plus(q, zetaTerms)
	inverse := f.of(hlo.OpDivide, constantly(a, 1), a)
	cubed := f.mul(f.mul(inverse, inverse), inverse)
	rising := f.mul(f.mul(s, plus(s, 1)), plus(s, 2))
	rest := plus(f.of(hlo.OpDivide, a, plus(s, -1)), 0.5)
	rest = f.add(rest, times(f.mul(s, inverse), 1./12))
	rest = f.sub(rest, times(f.mul(rising, cubed), 1./720))
	return f.add(sum, f.mul(term(zetaTerms), rest)), f.err
}

// positivePower returns x^y for positive x.
func (c *opRun) positivePower(f *formula, x, y *value) *value {
	if x.owner != Public && y.owner == Public {
		if e, ok := uniform(y.array()); ok && e < 0 {
			return secret(c.Arith.RealPower(c.op, c.share(x, 0), e, false, atLeast(0)))
		}
	}
	return f.of(hlo.OpPower, x, y)
}

// polygamma of a public order n returns (−1)^(n+1)·n!·ζ(n+1, x), and digamma for n = 0.
func polygamma(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	if in[0].owner != Public {
		return nil, refuse(c.o, "has a secret order", "make the order public")
	}
	orders := in[0].array().Floats()
	s, factor := make([]float64, len(orders)), make([]float64, len(orders))
	none := 0
	for i, n := range orders {
		if n == 0 {
			none++
		}
		s[i], factor[i] = n+1, math.Gamma(n+1)*(2*math.Mod(n, 2)-1)
	}
	switch {
	case none == len(orders):
		out, err := c.calc(hlo.OpDigamma, in[1].typ.DType, in[1:])
		return []*value{out}, err
	case none > 0:
		return nil, refuse(c.o, "has orders of 0 and other orders", "use digamma where the order is 0")
	}
	t := in[1].typ
	array := func(x []float64) *value {
		return &value{typ: t, owner: Public, arr: tensor.FromFloats(t.DType, t.Shape, x)}
	}
	z, err := c.zeta(array(s), in[1])
	if err != nil {
		return nil, err
	}
	f := &formula{c: c}
	return []*value{f.mul(z, array(factor))}, f.err
}
