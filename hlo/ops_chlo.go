package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// OpArithConstant is the constant of the dialect arith, which torch-mlir prints beside StableHLO's.
const OpArithConstant = "arith.constant"

// Names (Op.Name) of the operations of the chlo dialect, except the broadcasting ones. OpChloTan and OpChloConstant
// have Chlo in their names because stablehlo has an operation of the same name: OpTan and OpConstant.
const (
	OpAcos         = "chlo.acos"
	OpAcosh        = "chlo.acosh"
	OpAsin         = "chlo.asin"
	OpAsinh        = "chlo.asinh"
	OpAtan         = "chlo.atan"
	OpAtanh        = "chlo.atanh"
	OpBesselI1e    = "chlo.bessel_i1e"
	OpConj         = "chlo.conj"
	OpChloConstant = "chlo.constant"
	OpCosh         = "chlo.cosh"
	OpDigamma      = "chlo.digamma"
	OpErf          = "chlo.erf"
	OpErfInv       = "chlo.erf_inv"
	OpErfc         = "chlo.erfc"
	OpIsInf        = "chlo.is_inf"
	OpIsNegInf     = "chlo.is_neg_inf"
	OpIsPosInf     = "chlo.is_pos_inf"
	OpLgamma       = "chlo.lgamma"
	OpMulhi        = "chlo.mulhi"
	OpNextAfter    = "chlo.next_after"
	OpPolygamma    = "chlo.polygamma"
	OpSinh         = "chlo.sinh"
	OpSquare       = "chlo.square"
	OpChloTan      = "chlo.tan"
	OpTopK         = "chlo.top_k"
	OpZeta         = "chlo.zeta"
)

// chloFunctions are functions that StableHLO lacks, and its tan under another name.
var chloFunctions = []function{
	{OpAcos, classField, Expensive, decreasing(-1, 1)},
	{OpAcosh, classField, Expensive, increasing(1, inf)},
	{OpAsin, classField, Expensive, increasing(-1, 1)},
	{OpAsinh, classField, Expensive, increasing(-inf, inf)},
	{OpAtan, classField, Expensive, increasing(-inf, inf)},
	{OpAtanh, classField, Expensive, increasing(-1, 1)},
	{OpBesselI1e, classField, Expensive, direction{}},
	{OpChloTan, classField, Expensive, direction{}},
	{OpConj, classNumber, 0, direction{}},
	{OpCosh, classField, Expensive, direction{}},
	{OpDigamma, classField, Expensive, direction{}},
	{OpErf, classField, Expensive, increasing(-inf, inf)},
	{OpErfInv, classField, Expensive, increasing(-1, 1)},
	{OpErfc, classField, Expensive, decreasing(-inf, inf)},
	{OpLgamma, classField, Expensive, direction{}},
	{OpSinh, classField, Expensive, increasing(-inf, inf)},
	{OpSquare, classNumber, Expensive, direction{}},
}

// chloOps are operations of the chlo dialect, which JAX prints for functions that StableHLO lacks.
func chloOps() (ops []opDef) {
	for _, f := range chloFunctions {
		d := chloElementwise(f.name, 1, f.takes, f.traits)
		d.monotone = f.monotone
		if f.name == OpChloTan {
			d.canonical = renamed(OpTan)
		}
		ops = append(ops, d)
	}
	ops = append(ops,
		chloElementwise(OpNextAfter, 2, classFloat, Expensive),
		chloElementwise(OpPolygamma, 2, classFloat, Expensive),
		chloElementwise(OpZeta, 2, classFloat, Expensive),
		chloElementwise(OpMulhi, 2, classInt, Expensive),
	)
	for _, name := range []string{OpIsInf, OpIsPosInf, OpIsNegInf} {
		ops = append(ops, opDef{name: name, operands: exactly(1), results: exactly(1), form: form(args(1), attributes, arrow),
			check:  checkPredicate,
			traits: Elementwise})
	}
	ops = append(ops,
		opDef{name: OpChloConstant, results: exactly(1), check: checkConstant, canonical: renamed(OpConstant),
			attrs: []attrDef{required("value", isValue)}, form: form(constantForm)},
		opDef{name: OpArithConstant, results: exactly(1), check: checkConstant, canonical: renamed(OpConstant),
			attrs: []attrDef{required("value", isValue)}, form: form(arithForm)},
		opDef{name: OpTopK, operands: exactly(1), results: exactly(2), check: checkTopK,
			attrs: []attrDef{required("k", isInt)},
			form:  form(word("("), args(1), word(", k ="), intOf("k"), word(")"), attributes, arrow)},
	)
	return ops
}

// chloElementwise returns an elementwise operation with chlo's pretty form.
func chloElementwise(name string, n int, c class, t Traits) opDef {
	d := elementwise(name, n, c)
	d.form, d.traits = form(args(n), attributes, arrow), Elementwise|t
	return d
}

func checkTopK(o *Op) error {
	s, k := o.shape(0).Clone(), o.Attrs.Int("k", 0)
	if len(s) == 0 || k < 0 || k > s[len(s)-1] {
		return fmt.Errorf("k is %d, which exceeds the last dimension of %v", k, o.in(0))
	}
	s[len(s)-1] = k
	return first(
		o.wants(0, classBool|classReal),
		o.gives(tensor.Type{DType: o.in(0).DType, Shape: s}, tensor.Type{DType: tensor.I32, Shape: s}),
	)
}

// broadcastOps are chlo's operations that broadcast their operands. They are derived from the plain
// operations, which must be registered before.
func broadcastOps() (ops []opDef) {
	for _, name := range []string{
		OpAdd, OpSubtract, OpMultiply, OpDivide, OpRemainder, OpPower, OpMaximum, OpMinimum, OpAnd, OpOr, OpXor, OpAtan2,
		OpShiftLeft, OpShiftRightArithmetic, OpShiftRightLogical, OpNextAfter, OpPolygamma, OpZeta, OpComplex, OpCompare,
	} {
		ops = append(ops, broadcasting(name))
	}
	return ops
}

// broadcasting returns chlo.broadcast_x: operation x of StableHLO or chlo, whose name is given, on operands that
// are first broadcast to one shape. broadcast_dimensions are the result dimensions of the operand of lower rank;
// the default is the last ones.
func broadcasting(name string) opDef {
	plain := registry[name]
	_, base, _ := strings.Cut(name, ".")
	d := opDef{name: "chlo.broadcast_" + base, operands: exactly(2), results: exactly(1), form: form(args(2), attributes, signature)}
	d.canonical = func(o *Op) []*Op { return o.broadcastOperands(name) }
	d.attrs = append(slices.Clone(plain.attrs), attrDef{name: "broadcast_dimensions", is: isInts, fill: lastDims})
	d.check = func(o *Op) error {
		shape, err := broadcastShape(o.shape(0), o.shape(1), o.Attrs.Ints("broadcast_dimensions"))
		if err != nil {
			return err
		}
		// The rules of the plain operation apply to operands of the common shape.
		wide := *o
		wide.Name = name
		wide.Operands = make([]*Value, 2)
		for i, v := range o.Operands {
			wide.Operands[i] = &Value{Type: tensor.Type{DType: v.Type.DType, Shape: shape}}
		}
		return plain.check(&wide)
	}
	return d
}

// lastDims returns the last dimensions of the operand of higher rank, as many as the other operand
// has.
func lastDims(o *Op) any {
	low, high := rank(o), len(o.shape(1))
	if low > high {
		low, high = high, low
	}
	return lastOf(low, high)
}

// broadcastShape returns the common shape of a and b after broadcasting, where the operand of lower
// rank is placed along dims.
func broadcastShape(a, b tensor.Shape, dims []int) (tensor.Shape, error) {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(dims) != len(a) || !slices.IsSorted(dims) {
		return nil, fmt.Errorf("broadcast_dimensions %v is incompatible with shapes %v and %v", dims, []int(a), []int(b))
	}
	if err := dimList("broadcast_dimensions", dims, len(b)); err != nil {
		return nil, err
	}
	out := b.Clone()
	for i, d := range dims {
		switch {
		case out[d] == 1:
			out[d] = a[i]
		case a[i] != 1 && a[i] != out[d]:
			return nil, fmt.Errorf("shapes %v and %v are incompatible", []int(a), []int(b))
		}
	}
	return out, nil
}
