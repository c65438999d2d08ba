package exec

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// intPower returns x^e for integers and exponents that differ, or are secret: for each bit of e it multiplies
// with x^(2^i) or not, and squares. For negative exponents the result is 0, except for x = 1 and −1.
func (c *opRun) intPower(x, e *value) (*value, error) {
	d, shape := x.typ.DType, x.typ.Shape
	digits, negative := c.digits(e)
	f := &formula{c: c}
	ones := func(v uint64) *value {
		w := make([]uint64, shape.Size())
		for i := range w {
			w[i] = v
		}
		return &value{typ: x.typ, owner: Public, arr: tensor.FromWords(d, shape, w)}
	}
	result, power := ones(1), x
	for i, digit := range digits {
		if i > 0 {
			power = f.mul(power, power)
			c.open(power, result) // unopened, they would become polynomials of ever more masks
		}
		if digit == nil {
			continue
		}
		result = f.choose(digit, f.mul(result, power), result)
	}
	if negative != nil {
		one, err := c.compared(x, ones(1))
		if err != nil {
			return nil, err
		}
		minus, err := c.compared(x, ones(^uint64(0)))
		if err != nil {
			return nil, err
		}
		unit := f.choose(one, ones(1), ones(0))
		sign := ones(1)
		if digits[0] != nil {
			sign = f.choose(digits[0], ones(^uint64(0)), ones(1))
		}
		result = f.choose(negative, f.choose(minus, sign, unit), result)
	}
	return result, f.err
}

// open opens the secrets among some values.
func (c *opRun) open(in ...*value) {
	for _, v := range in {
		if v.sec != nil {
			c.Arith.Open(c.op, v.sec)
		}
	}
}

// compared returns the bit x = y.
func (c *opRun) compared(x, y *value) (*value, error) {
	return c.calcCompare("EQ", x, y)
}

// choose returns x where p is true and y elsewhere.
func (f *formula) choose(p, x, y *value) *value {
	if f.err != nil {
		return x
	}
	out, err := f.c.calc(hlo.OpSelect, x.typ.DType, []*value{p, x, y})
	if err != nil {
		f.err = err
		return x
	}
	return out
}

// digits returns the bits of exponents, lowest first, nil where a bit is publicly zero in all of them; and
// negative, whether an exponent is negative, nil if publicly none is.
func (c *opRun) digits(e *value) (digits []*value, negative *value) {
	d := e.typ.DType
	width := d.Bits()
	if e.owner != Public {
		for _, b := range c.Arith.Digits(c.op, c.share(e, 0)) {
			digits = append(digits, secret(b))
		}
		if d.IsSigned() {
			negative, digits = digits[width-1], digits[:width-1]
		}
		return digits, negative
	}
	plane := func(i int) *value {
		t := tensor.Type{DType: tensor.Bool, Shape: e.typ.Shape}
		b, any := make([]bool, e.array().Len()), false
		for k, w := range e.array().Words() {
			b[k] = w>>i&1 == 1
			any = any || b[k]
		}
		if !any {
			return nil
		}
		return &value{typ: t, owner: Public, arr: &tensor.Array{Type: t, Data: b}}
	}
	longest := 0
	for _, w := range e.array().Words() {
		if d.IsSigned() && int64(w) < 0 {
			negative = plane(width - 1)
			continue
		}
		longest = max(longest, bits.Len64(w))
	}
	for i := range max(1, longest) {
		digits = append(digits, plane(i))
	}
	return digits, negative
}
