package exec

import (
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// logic returns the handler of and, or, xor: of booleans, and of integers bit by bit. It accepts more than
// two operands, for reductions.
func logic(name string) handler {
	return func(c *opRun, in []*value) ([]*value, error) {
		switch {
		case in[0].typ.DType != tensor.Bool:
			return c.bitwise(name, in[0], in[1])
		case name == hlo.OpAnd:
			return c.and(in...)
		case name == hlo.OpOr:
			return c.or(in...)
		}
		return c.sum(in)
	}
}

// not negates booleans; for integers it returns −x − 1.
func not(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType == tensor.Bool {
		return []*value{c.negated(in[0])}, nil
	}
	ones := make([]uint64, in[0].typ.Shape.Size())
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	minus := c.Arith.Neg(c.op, in[0].sec)
	return one(c.Arith.AddPublic(c.op, minus, tensor.FromWords(in[0].typ.DType, in[0].typ.Shape, ones)))
}

// negated returns the negation of booleans, whether public, known or secret.
func (c *opRun) negated(v *value) *value {
	switch {
	case v.sec != nil:
		return secret(c.Arith.Not(c.op, v.sec))
	case v.array() != nil:
		b := make([]bool, v.array().Len())
		for i, x := range v.array().Data.([]bool) {
			b[i] = !x
		}
		return &value{typ: v.typ, owner: v.owner, arr: &tensor.Array{Type: v.typ, Data: b}}
	}
	return &value{typ: v.typ, owner: v.owner}
}

// and returns the product of booleans; public ones cost nothing.
func (c *opRun) and(in ...*value) ([]*value, error) {
	var secrets []*fxp.Value
	var public []*value
	for _, v := range in {
		if v.owner == Public {
			public = append(public, v)
		} else {
			secrets = append(secrets, c.share(v, 0))
		}
	}
	out := secrets[0]
	if len(secrets) > 1 {
		out = c.Arith.And(c.op, secrets...)
	}
	for _, v := range public {
		out = c.Arith.MulPublic(c.op, out, v.array())
	}
	return one(out)
}

// or returns the negation of the product of negations.
func (c *opRun) or(in ...*value) ([]*value, error) {
	neg := make([]*value, len(in))
	for i, v := range in {
		neg[i] = c.negated(v)
	}
	out, err := first(c.and(neg...))
	if err != nil {
		return nil, err
	}
	return []*value{c.negated(out)}, nil
}
