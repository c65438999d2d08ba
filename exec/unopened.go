package exec

import "github.com/tacet-mpc/tacet/fxp"

// unopenedTarget is the custom call that returns its operands as secrets that have not been opened, like
// results of other operations: a benchmark then measures an operation's cost in the middle of a program.
const unopenedTarget = "tacet.unopened"

func init() { customs.Add(unopenedTarget, unopened) }

func unopened(c *opRun, in []*value) ([]*value, error) {
	out := make([]*value, len(in))
	for i, v := range in {
		out[i] = c.eachPart(v, func(x *fxp.Value) *fxp.Value {
			return c.Arith.Unopened(c.op, x)
		})
	}
	return out, nil
}

// eachPart applies f to a value as a secret, or to the real and the imaginary part of a complex value.
func (c *opRun) eachPart(v *value, f func(*fxp.Value) *fxp.Value) *value {
	if !v.typ.DType.IsComplex() {
		return secret(f(c.share(v, c.Arith.Fraction)))
	}
	re, im := c.parts(v)
	return paired(v.typ.DType, c.eachPart(re, f), c.eachPart(im, f))
}
