package exec

import (
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// opRun is an operation instance on secrets.
type opRun struct {
	*run
	op    *flow.Op
	o     *hlo.Op
	scope *scope
	// handlesFine says that the operation's handler accepts operands in the fine form.
	handlesFine bool
}

// handler builds the steps of an operation with a secret operand, or with operands that different parties
// know.
type handler func(c *opRun, in []*value) ([]*value, error)

// table holds the operations that are not views, by name. An operation is added here, or where it is defined.
var table = hlo.Table[handler]{}

func init() { table.AddAll(basic) } // in init, because some handlers look others up

var basic = map[string]handler{
	hlo.OpAdd:                  add,
	hlo.OpSubtract:             subtract,
	hlo.OpMultiply:             multiply,
	hlo.OpDivide:               divide,
	hlo.OpNegate:               negate,
	hlo.OpAbs:                  abs,
	hlo.OpMaximum:              maximum,
	hlo.OpMinimum:              minimum,
	hlo.OpClamp:                clamp,
	hlo.OpSelect:               choose,
	hlo.OpCompare:              compare,
	hlo.OpAnd:                  logic(hlo.OpAnd),
	hlo.OpOr:                   logic(hlo.OpOr),
	hlo.OpXor:                  logic(hlo.OpXor),
	hlo.OpNot:                  not,
	hlo.OpSign:                 sign,
	hlo.OpShiftLeft:            shift(fxp.ShiftLeft),
	hlo.OpShiftRightLogical:    shift(fxp.ShiftRight),
	hlo.OpShiftRightArithmetic: shift(fxp.ShiftRightArithmetic),
	hlo.OpPopcnt:               popCount,
	hlo.OpCountLeadingZeros:    leadingZeros,
	hlo.OpRemainder:            remainder,
	hlo.OpPower:                power,
	hlo.OpIsFinite:             isFinite,
	hlo.OpConvert:              convert,
	hlo.OpDotGeneral:           dotGeneral,
	hlo.OpConvolution:          convolution,
	hlo.OpOptimizationBarrier:  barrier,
	hlo.OpSquare:               square,
}

// share returns a value as a secret: a known value is shared, once; a public value is encoded at the given
// scale. A known value in the fine form becomes one by Coarse unless the operation uses the form's digits.
func (c *opRun) share(v *value, scale int) *fxp.Value {
	s := c.shared(v, scale)
	if v.owner != Secret && c.Arith.Fine(s) && !c.usesFine() {
		return c.Arith.Coarse(c.op, s)
	}
	return s
}

// shared is share without a conversion.
func (c *opRun) shared(v *value, scale int) *fxp.Value {
	if v.owner == Public {
		return c.Arith.Public(c.op, v.array(), scale)
	}
	switch {
	case v.later != nil:
		v.sec, v.later = v.later(c), nil
		c.inRange(v)
	case v.sec == nil:
		c.shareKnown(v)
	}
	return v.sec
}

// shareAll returns values as secrets; public ones at the largest scale of the secrets among them, if they fit
// there.
func (c *opRun) shareAll(in []*value) []*fxp.Value { return c.allBy(c.share, in) }

// allBy is shareAll, with a function that returns one value as a secret.
func (c *opRun) allBy(share func(v *value, scale int) *fxp.Value, in []*value) []*fxp.Value {
	scale := c.Arith.Fraction
	for _, v := range in {
		if v.sec != nil {
			scale = max(scale, v.sec.Scale)
		}
	}
	out := make([]*fxp.Value, len(in))
	for i, v := range in {
		if v.owner == Public {
			out[i] = c.Arith.PublicBeside(c.op, v.array(), scale)
		} else {
			out[i] = share(v, scale)
		}
	}
	return out
}

// view applies a view of one operand, whether it is public, known or secret.
func (c *opRun) view(x *value, v tensor.View) *value {
	if v.Identity() && v.Shape.Equal(x.typ.Shape) {
		return x
	}
	t := tensor.Type{DType: x.typ.DType, Shape: v.Shape}
	if x.re != nil {
		return paired(x.typ.DType, c.view(x.re, v), c.view(x.im, v))
	}
	if x.later != nil {
		return c.laterNumber(t, c.movedByView(v, []*value{x}), func(c *opRun) *fxp.Value { return c.Arith.View(c.op, v, c.share(x, 0)) })
	}
	if x.owner == Secret {
		out := secret(c.Arith.View(c.op, v, x.sec))
		out.hot = x.hot.view(c, v)
		out.repeats, out.copied = v.Expands(), copiedBy(x, v)
		out.moved = c.movedByView(v, []*value{x})
		if x.bits != nil {
			out.bits = c.Arith.View(c.op, v, x.bits)
		}
		return out
	}
	if kept := c.rearranged.get(x, v); kept != nil {
		return kept
	}
	out := &value{typ: t, owner: x.owner}
	if x.owner != Public && !t.DType.IsComplex() {
		out.moved = c.movedByView(v, []*value{x})
		out.made = making([]*value{x}, v.Shape.Size(), true, func(c *opRun) *fxp.Value { return c.Arith.View(c.op, v, x.sec) })
	}
	out.evaluate([]*value{x}, func() *tensor.Array {
		if x.array() == nil {
			return nil
		}
		return eval.Copy(v, x.array())
	})
	if x.owner != Public {
		c.rearranged.put(x, v, out)
	}
	return out
}

// floatsOnly returns an error for an operation with a secret operand that is not a float.
func (c *opRun) floatsOnly(in []*value) error {
	for _, v := range in {
		if v.owner != Public && !v.typ.DType.IsFloat() {
			return refuse(c.o, "is not built yet for secrets of type "+v.typ.DType.String(), "use a float type")
		}
	}
	return nil
}

func one(v *fxp.Value) ([]*value, error) { return []*value{secret(v)}, nil }

// Operations returns the sorted names of the operations that accept secret operands.
func Operations() []string {
	names := map[string]bool{}
	for name := range table {
		names[name] = true
	}
	for name := range complexOps {
		names[name] = true
	}
	for name := range control {
		names[name] = true
	}
	for _, name := range hlo.With(hlo.Structured) {
		names[name] = !hlo.Has(name, hlo.Alias)
	}
	maps.DeleteFunc(names, func(name string, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(names))
}
