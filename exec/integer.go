package exec

import (
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// bitwise applies and, or, xor to integers, bit by bit.
func (c *opRun) bitwise(name string, x, y *value) ([]*value, error) {
	x, y, _ = ordered([]*value{x, y})
	xs := c.share(x, 0)
	if y.owner == Public {
		switch name {
		case hlo.OpAnd:
			return one(c.Arith.BitAndPublic(c.op, xs, y.array()))
		case hlo.OpOr:
			return one(c.Arith.BitOrPublic(c.op, xs, y.array()))
		}
		return one(c.Arith.BitXorPublic(c.op, xs, y.array()))
	}
	ys := c.share(y, 0)
	switch name {
	case hlo.OpAnd:
		return one(c.Arith.BitAnd(c.op, xs, ys))
	case hlo.OpOr:
		return one(c.Arith.BitOr(c.op, xs, ys))
	}
	return one(c.Arith.BitXor(c.op, xs, ys))
}

// shift returns the handler of a shift. A public operand that is shifted by a secret is shared.
func shift(kind fxp.ShiftKind) handler {
	return func(c *opRun, in []*value) ([]*value, error) {
		x := c.share(in[0], 0)
		if in[1].owner == Public {
			return one(c.Arith.ShiftPublic(c.op, x, in[1].array(), kind))
		}
		return one(c.Arith.Shift(c.op, x, c.share(in[1], 0), kind))
	}
}

func popCount(c *opRun, in []*value) ([]*value, error) {
	return one(c.Arith.PopCount(c.op, in[0].sec))
}

func leadingZeros(c *opRun, in []*value) ([]*value, error) {
	return one(c.Arith.LeadingZeros(c.op, in[0].sec))
}

// divideInt returns the quotient of integers, or the remainder: a program that needs both divides once.
func (c *opRun) divideInt(in []*value, remainder bool) *fxp.Value {
	x, y := in[0], in[1]
	xs := c.share(x, 0)
	if y.owner == Public {
		q, r := c.Arith.DividePublic(c.op, xs, y.array())
		if remainder {
			return r
		}
		return q
	}
	if x.divided.by != y {
		x.divided = divided{y, c.Arith.DivideIntegers(c.op, xs, c.share(y, 0))}
	}
	if remainder {
		return x.divided.result.Remainder(c.op)
	}
	return x.divided.result.Quotient(c.op)
}

// divided memoises the last division of a value.
type divided struct {
	by     *value
	result *fxp.Division
}

func remainder(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType.IsFloat() {
		return c.floatRemainder(in)
	}
	return one(c.divideInt(in, true))
}

// maxPower is the largest number of exponents that are treated one by one.
const maxPower = 1 << 16

// power returns x^e for integers: for one public exponent by a chain of products.
func power(c *opRun, in []*value) ([]*value, error) {
	x, e := in[0], in[1]
	if x.typ.DType.IsFloat() {
		return c.floatPower(in)
	}
	if !x.typ.DType.IsInt() {
		return nil, refuse(c.o, "has no meaning for secrets of type "+x.typ.DType.String(), "")
	}
	if e.owner != Public {
		out, err := c.intPower(x, e)
		return []*value{out}, err
	}
	w := e.array().Words()
	for _, n := range w {
		if n != w[0] || n > maxPower {
			out, err := c.intPower(x, e)
			return []*value{out}, err
		}
	}
	if len(w) == 0 || w[0] == 0 {
		ones := make([]uint64, len(w))
		for i := range ones {
			ones[i] = 1
		}
		return []*value{{typ: x.typ, owner: Public, arr: tensor.FromWords(x.typ.DType, x.typ.Shape, ones)}}, nil
	}
	return one(c.Arith.Power(c.op, c.share(x, 0), w[0]))
}
