package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

// guarded reports whether the operation's result is a cotangent or an update with guard bits (fxp.Arith.Guard).
func (c *opRun) guarded() bool { return c.cotangent() || c.updates() }

// cotangent reports whether the operation's result is a cotangent with guard bits.
func (c *opRun) cotangent() bool {
	return c.Facts != nil && len(c.o.Results) == 1 && c.Facts.Cotangents[c.o.Results[0]] && c.Arith.Guard() > 0
}

// updates reports whether the operation's result is an update with guard bits, or a parameter.
func (c *opRun) updates() bool {
	return c.Facts != nil && len(c.o.Results) == 1 && c.Facts.Updates[c.o.Results[0]] && c.Arith.Guard() > 0
}

// withoutGuard returns the operands of an operation whose result is no update, those that are updates rounded to the
// fraction: all readers of a parameter but its updates read one rounded value.
func (c *opRun) withoutGuard(in []*value) []*value {
	if c.Facts == nil || len(c.Facts.Updates) == 0 || c.updates() || len(in) != len(c.o.Operands) {
		return in
	}
	out := slices.Clone(in)
	for i, v := range in {
		if v.owner != Secret || v.sec == nil || !v.typ.DType.IsFloat() || !c.Facts.Updates[c.o.Operands[i]] || c.Arith.Fine(v.sec) {
			continue
		}
		out[i] = secret(c.Arith.Rescale(c.op, v.sec))
		out[i].repeats, out[i].copied = v.repeats, v.copied
	}
	return out
}

// guardedOperand reports whether operand i and the result are cotangents with guard bits.
func (c *opRun) guardedOperand(i int) bool {
	return c.cotangent() && i < len(c.o.Operands) && c.Facts.Cotangents[c.o.Operands[i]]
}

// gradient returns x, operand i, with its guard bits if it is a cotangent that is right only modulo the job's
// ring.
func (c *opRun) gradient(i int, x *fxp.Value) *fxp.Value {
	if c.Facts != nil && c.Arith.Guard() > 0 && !x.Contraction() && c.Facts.Cotangents[c.o.Operands[i]] {
		return c.Arith.Guarded(c.op, x)
	}
	return x
}

// inParts applies f, which is bilinear in two operands, to the parts (fxp.Arith.SplitScale) of those that are
// cotangents. With two cotangents the product of both low parts is left out; it is below the results' guard
// bits.
func (c *opRun) inParts(in []*value, f func(in []*value) (*value, error)) ([]*value, error) {
	type part struct {
		low *fxp.Value
		by  int
	}
	high, parts := []*value{in[0], in[1]}, [2]part{}
	for i, v := range high {
		if v.owner == Secret && v.sec != nil && c.guardedOperand(i) {
			h, low, by := c.Arith.SplitScale(c.op, v.sec)
			if parts[i] = (part{low, by}); low != nil {
				high[i] = secret(h)
			}
		}
	}
	out, err := f(high)
	if err != nil {
		return nil, err
	}
	for i, p := range parts {
		if p.low == nil {
			continue
		}
		operands := []*value{high[0], high[1]}
		operands[i] = secret(p.low)
		low, err := f(operands)
		if err != nil {
			return nil, err
		}
		out = secret(c.Arith.JoinScale(c.op, out.sec, low.sec, p.by))
	}
	return []*value{out}, nil
}

// sumOf returns x + sign·y for two secrets.
func (c *opRun) sumOf(sign int64, x, y *fxp.Value) *fxp.Value {
	if c.guarded() {
		return c.Arith.CombineGuarded(c.op, []int64{1, sign}, x, y)
	}
	return c.Arith.Combine(c.op, []int64{1, sign}, x, y)
}

// plusPublic returns x + y for public y.
func (c *opRun) plusPublic(x *fxp.Value, y *tensor.Array) *fxp.Value {
	if c.guarded() {
		return c.Arith.AddPublicGuarded(c.op, x, y)
	}
	return c.Arith.AddPublic(c.op, x, y)
}

// keep returns x where b is true and 0 elsewhere.
func (c *opRun) keep(b, x *fxp.Value) *fxp.Value {
	if c.guarded() {
		return c.Arith.KeptGuarded(c.op, b, x)
	}
	return c.Arith.Kept(c.op, b, x)
}

// sumBy adds up the last dimension of an outer×reduced tensor.
func (c *opRun) sumBy(x *fxp.Value, outer, reduced int, shape tensor.Shape) *fxp.Value {
	if c.guarded() {
		return c.Arith.SumGuarded(c.op, x, outer, reduced, 1, shape)
	}
	return c.Arith.Sum(c.op, x, outer, reduced, 1, shape)
}

// viewOf copies elements of several values by a view of them laid end to end.
func (c *opRun) viewOf(v tensor.View, xs []*fxp.Value) *fxp.Value {
	if c.guarded() {
		return c.Arith.ViewGuarded(c.op, v, xs...)
	}
	if len(xs) > 1 && slices.ContainsFunc(xs, c.Arith.Fine) {
		for i, x := range xs {
			if c.finely() {
				xs[i] = c.Arith.ToFine(c.op, x)
			} else {
				xs[i] = c.Arith.Coarse(c.op, x)
			}
		}
	}
	return c.Arith.View(c.op, v, xs...)
}
