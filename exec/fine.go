package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// Products of small numbers are in the fine form (package fxp) from the product to the root or the quotient. Loops and
// calls pass it on. Operations that are not listed here take the results of fxp's Coarse.

// fineHandlers are the operations whose handlers accept operands in the fine form.
var fineHandlers = []string{
	hlo.OpAdd, hlo.OpSubtract, hlo.OpNegate, hlo.OpMultiply, hlo.OpDivide, hlo.OpMaximum, hlo.OpMinimum, hlo.OpSelect, hlo.OpSqrt,
	hlo.OpRsqrt, hlo.OpCbrt, hlo.OpCompare, hlo.OpConvert, hlo.OpOptimizationBarrier, hlo.OpAbs, hlo.OpSquare, hlo.OpDotGeneral,
	hlo.OpConcatenate,
}

// takesFine reports whether the operation accepts operands in the fine form: its handler does, or it is a view of
// its only operand.
func takesFine(o *hlo.Op) bool {
	return slices.Contains(fineHandlers, o.Name) || o.Is(hlo.Moving) && len(o.Operands) == 1
}

// operable returns the operands in the forms that the operation's handler accepts.
func (c *opRun) operable(in []*value) []*value {
	in = c.withoutGuard(in)
	if c.o.Name == hlo.OpConvert && !c.o.Results[0].Type.DType.IsFloat() {
		return c.coarse(in)
	}
	sums := c.o.Name == hlo.OpReduce && algo.Reducer(c.o.Regions[0]) == hlo.OpAdd
	if c.handlesFine = takesFine(c.o) || sums && in[1].owner == Public; c.handlesFine {
		return in
	}
	return c.coarse(in)
}

// usesFine reports whether the operation's handler accepts operands in the fine form, and their digits matter in the
// result.
func (c *opRun) usesFine() bool {
	if !c.handlesFine {
		return false
	}
	switch c.o.Name {
	case hlo.OpDivide, hlo.OpSqrt, hlo.OpRsqrt, hlo.OpCbrt:
		return true
	case hlo.OpMultiply:
		return c.finely() || c.inverse(0) || c.inverse(1)
	}
	return c.finely()
}

// fine reports whether one of the values is in the fine form, or is a known value that will be.
func (c *opRun) fine(in ...*value) bool {
	return slices.ContainsFunc(in, func(v *value) bool { return c.inFineForm(v) || v.sec == nil && c.knownFine(v) && c.usesFine() })
}

// inFineForm reports whether a value is a secret, or has been shared, in the fine form.
func (c *opRun) inFineForm(v *value) bool { return v.sec != nil && c.Arith.Fine(v.sec) }

// knownFine reports whether one party knows a value that is shared in the fine form.
func (c *opRun) knownFine(v *value) bool {
	return v.fine && !v.raw && !v.guarded && v.owner != Public && v.owner != Secret && v.typ.DType.IsFloat() && c.Arith.HasFine()
}

// coarse converts values in the fine form by Coarse.
func (c *opRun) coarse(in []*value) []*value {
	if !slices.ContainsFunc(in, c.inFineForm) {
		return in
	}
	out := make([]*value, len(in))
	for i, v := range in {
		if out[i] = v; c.inFineForm(v) {
			out[i] = secret(c.Arith.Coarse(c.op, v.sec))
			out[i].repeats, out[i].copied = v.repeats, v.copied
		}
	}
	return out
}

// finerKnown reports whether y is a known value that is shared in the fine form, and its sum with x, an elementwise
// product, needs the digits of both. Contractions stay as they are: added to a bias, they are seldom that small.
func (c *opRun) finerKnown(x *fxp.Value, y *value) bool {
	return c.knownFine(y) && !y.spread && c.finely() && !c.guarded() && c.Arith.Small(x)
}

// smallProducts reports whether one of the values is an elementwise product, or is in the fine form, and its digits matter in
// the operation's result.
func (c *opRun) smallProducts(in ...*value) bool {
	return c.finely() && !c.guarded() && slices.ContainsFunc(in, func(v *value) bool { return v.sec != nil && c.Arith.Small(v.sec) })
}

// fineShare returns a value as a secret in the fine form.
func (c *opRun) fineShare(v *value) *fxp.Value {
	if v.owner == Public {
		return c.Arith.PublicFine(c.op, v.array())
	}
	return c.Arith.ToFine(c.op, c.share(v, 0))
}

// fineSum returns in[0] + sign·in[1], at least one of them in the fine form.
func (c *opRun) fineSum(in []*value, sign int64) *fxp.Value {
	x, y, swapped := ordered(in)
	if y.owner != Public {
		return c.Arith.SumFine(c.op, []int64{1, sign}, c.fineShare(in[0]), c.fineShare(in[1]))
	}
	xs, term := x.sec, y.array()
	switch {
	case sign < 0 && swapped:
		xs = c.Arith.SumFine(c.op, []int64{-1}, xs)
	case sign < 0:
		term = negated(term)
	}
	return c.Arith.AddFine(c.op, xs, term)
}

// fineLess returns the bit x < y, at least one of them in the fine form.
func (c *opRun) fineLess(x, y *value) *value {
	return secret(c.Arith.Negative(c.op, c.fineSum([]*value{x, y}, -1)))
}

// addPublic returns x + y for public y; r is x's known range.
func (c *opRun) addPublic(x *fxp.Value, y *tensor.Array, r fxp.Range) *fxp.Value {
	if c.finely() && !c.guarded() {
		return c.Arith.AddSmall(c.op, x, y, r)
	}
	return c.plusPublic(x, y)
}

// timesPublic returns x·y for public y.
func (c *opRun) timesPublic(x *fxp.Value, y *tensor.Array) *fxp.Value {
	switch {
	case c.updates() && !c.cotangent() && !c.Arith.Fine(x):
		return c.Arith.TimesUpdate(c.op, x, y)
	case c.guarded() && !c.Arith.Fine(x):
		return c.Arith.TimesGuarded(c.op, x, y)
	case c.finely() || c.Arith.Fine(x):
		return c.Arith.MulFine(c.op, x, y)
	}
	return c.Arith.MulPublic(c.op, x, y)
}

// rooted reports whether the operation's result ends under a root.
func (c *opRun) rooted() bool {
	return c.Facts != nil && len(c.o.Results) == 1 && c.Facts.Roots[c.o.Results[0]]
}

// finely reports whether bits below the fraction matter in the operation's result: it ends under a root, or
// is a dividend or a divisor.
func (c *opRun) finely() bool {
	return c.rooted() || c.Facts != nil && len(c.o.Results) == 1 && c.Facts.Quotients[c.o.Results[0]]
}

// finelyKnown is finely for results that are known to be small enough for a quotient's guard bits.
func (c *opRun) finelyKnown() bool {
	most := c.Arith.LargestSmallQuotient()
	return c.finely() && c.known(c.o.Results[0]).Within(-most, most)
}

// inverse reports whether operand i is a reciprocal root.
func (c *opRun) inverse(i int) bool {
	return c.Facts != nil && len(c.o.Operands) > i && c.Facts.Inverses[c.o.Operands[i]]
}

// kept returns a result in the form in which it is stored, finalized.
func (c *opRun) kept(of *hlo.Value, v *value) *fxp.Value {
	small := c.Facts != nil && (c.Facts.Roots[of] || c.Facts.Quotients[of])
	out := c.Arith.ToStore(c.op, c.share(v, c.Arith.Fraction), small)
	c.Arith.P.Finalize(c.op, out.S)
	if _, ok := out.S.(mpc.Revealed); ok { // it is kept in its whole ring
		flow.Force(c.op, c.Arith.P.AdditiveShare(c.op, out.S))
	}
	return out
}
