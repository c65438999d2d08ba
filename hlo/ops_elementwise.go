package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the elementwise StableHLO operations.
const (
	OpAbs                  = "stablehlo.abs"
	OpAdd                  = "stablehlo.add"
	OpAnd                  = "stablehlo.and"
	OpAtan2                = "stablehlo.atan2"
	OpBitcastConvert       = "stablehlo.bitcast_convert"
	OpCbrt                 = "stablehlo.cbrt"
	OpCeil                 = "stablehlo.ceil"
	OpClamp                = "stablehlo.clamp"
	OpCompare              = "stablehlo.compare"
	OpComplex              = "stablehlo.complex"
	OpConvert              = "stablehlo.convert"
	OpCosine               = "stablehlo.cosine"
	OpCountLeadingZeros    = "stablehlo.count_leading_zeros"
	OpDivide               = "stablehlo.divide"
	OpExponential          = "stablehlo.exponential"
	OpExponentialMinusOne  = "stablehlo.exponential_minus_one"
	OpFloor                = "stablehlo.floor"
	OpImag                 = "stablehlo.imag"
	OpIsFinite             = "stablehlo.is_finite"
	OpLog                  = "stablehlo.log"
	OpLogPlusOne           = "stablehlo.log_plus_one"
	OpLogistic             = "stablehlo.logistic"
	OpMaximum              = "stablehlo.maximum"
	OpMinimum              = "stablehlo.minimum"
	OpMultiply             = "stablehlo.multiply"
	OpNegate               = "stablehlo.negate"
	OpNot                  = "stablehlo.not"
	OpOr                   = "stablehlo.or"
	OpPopcnt               = "stablehlo.popcnt"
	OpPower                = "stablehlo.power"
	OpReal                 = "stablehlo.real"
	OpReducePrecision      = "stablehlo.reduce_precision"
	OpRemainder            = "stablehlo.remainder"
	OpRoundNearestAfz      = "stablehlo.round_nearest_afz"
	OpRoundNearestEven     = "stablehlo.round_nearest_even"
	OpRsqrt                = "stablehlo.rsqrt"
	OpSelect               = "stablehlo.select"
	OpShiftLeft            = "stablehlo.shift_left"
	OpShiftRightArithmetic = "stablehlo.shift_right_arithmetic"
	OpShiftRightLogical    = "stablehlo.shift_right_logical"
	OpSign                 = "stablehlo.sign"
	OpSine                 = "stablehlo.sine"
	OpSqrt                 = "stablehlo.sqrt"
	OpSubtract             = "stablehlo.subtract"
	OpTan                  = "stablehlo.tan"
	OpTanh                 = "stablehlo.tanh"
	OpXor                  = "stablehlo.xor"
)

// accuracy declares the attribute for the required accuracy of a result; texts omit the default.
var accuracy = preset("result_accuracy", isAny, Opaque("#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>"))

// function is an elementwise operation of one operand and a result of the operand's type.
type function struct {
	name     string
	takes    class
	traits   Traits
	monotone direction
}

// accurateFunctions are the functions with an attribute for the accuracy of their results.
var accurateFunctions = []function{
	{OpCbrt, classField, Expensive, increasing(-inf, inf)},
	{OpCosine, classField, Expensive, direction{}},
	{OpExponential, classField, Expensive, increasing(-inf, inf)},
	{OpExponentialMinusOne, classField, Expensive, increasing(-inf, inf)},
	{OpLog, classField, Expensive, increasing(0, inf)},
	{OpLogPlusOne, classField, Expensive, increasing(-1, inf)},
	{OpLogistic, classField, Expensive, increasing(-inf, inf)},
	{OpRsqrt, classField, Expensive, decreasing(0, inf)},
	{OpSine, classField, Expensive, direction{}},
	{OpSqrt, classField, Expensive, increasing(0, inf)},
	{OpTan, classField, Expensive, direction{}},
	{OpTanh, classField, Expensive, increasing(-inf, inf)},
}

// otherFunctions are the functions without it.
var otherFunctions = []function{
	{OpCeil, classFloat, Expensive, increasing(-inf, inf)},
	{OpCountLeadingZeros, classInt, Expensive, direction{}},
	{OpFloor, classFloat, Expensive, increasing(-inf, inf)},
	{OpNot, classBits, 0, direction{}},
	{OpPopcnt, classInt, Expensive, direction{}},
	{OpRoundNearestAfz, classFloat, Expensive, increasing(-inf, inf)},
	{OpRoundNearestEven, classFloat, Expensive, increasing(-inf, inf)},
	{OpSign, classNumber, Expensive, increasing(-inf, inf)},
}

// binaries are the elementwise operations of two operands and a result of their type.
var binaries = []struct {
	name   string
	takes  class
	traits Traits
	linear []int
}{
	{OpAdd, classAny, Commutative | Precise, all},
	{OpAnd, classBits, Commutative | Expensive, nil},
	{OpAtan2, classField, Expensive, nil},
	{OpDivide, classNumber, Expensive | Precise, []int{0}},
	{OpMaximum, classAny, Commutative | Expensive | Precise, nil},
	{OpMinimum, classAny, Commutative | Expensive | Precise, nil},
	{OpMultiply, classAny, Commutative | Precise, all},
	{OpOr, classBits, Commutative | Expensive, nil},
	{OpPower, classNumber, Expensive, nil},
	{OpRemainder, classNumber, Expensive, nil},
	{OpShiftLeft, classInt, Expensive, nil},
	{OpShiftRightArithmetic, classInt, Expensive, nil},
	{OpShiftRightLogical, classInt, Expensive, nil},
	{OpSubtract, classNumber, Precise, all},
	{OpXor, classBits, Commutative | Expensive, nil},
}

// elementwiseOps are elementwise operations.
func elementwiseOps() (ops []opDef) {
	for _, f := range accurateFunctions {
		ops = append(ops, f.def(accuracy))
	}
	for _, f := range otherFunctions {
		ops = append(ops, f.def())
	}
	for _, b := range binaries {
		d := elementwise(b.name, 2, b.takes)
		d.traits, d.linear = b.traits, b.linear
		ops = append(ops, d)
	}
	negate := elementwise(OpNegate, 1, classNumber)
	negate.traits, negate.monotone, negate.linear = Precise, decreasing(-inf, inf), all
	same := form(args(1), attributes, sameType)
	ops = append(
		ops,
		negate,
		opDef{name: OpAbs, operands: exactly(1), results: exactly(1), form: same, check: checkAbs, traits: Expensive | Precise},
		opDef{name: OpReal, operands: exactly(1), results: exactly(1), form: same, check: checkPart},
		opDef{name: OpImag, operands: exactly(1), results: exactly(1), form: same, check: checkPart},
		opDef{name: OpIsFinite, operands: exactly(1), results: exactly(1), form: same, check: checkPredicate},
		opDef{name: OpConvert, operands: exactly(1), results: exactly(1), form: same, check: checkConvert, free: true,
			traits: Expensive | Precise, linear: all},
		opDef{
			name:     OpBitcastConvert,
			operands: exactly(1),
			results:  exactly(1),
			form:     form(args(1), attributes, anyType),
			check:    checkBitcast,
			free:     true,
		},
		opDef{name: OpComplex, operands: exactly(2), results: exactly(1), form: form(args(2), attributes, complexType), check: checkComplex},
		opDef{name: OpClamp, operands: exactly(3), results: exactly(1), form: form(args(3), attributes, sameType), check: checkClamp,
			traits: Expensive | Precise},
		opDef{name: OpSelect, operands: exactly(3), results: exactly(1), form: form(args(3), attributes, selectTypes), check: checkSelect,
			traits: Expensive | Precise, linear: []int{1, 2}},
		opDef{name: OpCompare, operands: exactly(2), results: exactly(1), check: checkCompare, traits: Expensive,
			attrs: []attrDef{
				required("comparison_direction", enum("comparison_direction", "EQ", "NE", "GE", "GT", "LE", "LT")),
				{name: "compare_type", is: enum("comparison_type", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"), fill: compareType},
			},
			form: form(enumOf("comparison_direction"), word(","), args(2), maybe(",", enumOf("compare_type")), attributes, signature)},
		opDef{name: OpReducePrecision, operands: exactly(1), results: exactly(1), check: checkReducePrecision,
			attrs: []attrDef{required("exponent_bits", isInt32), required("mantissa_bits", isInt32)},
			form:  form(args(1), word(", format ="), format, attributes, sameType)},
	)
	return ops
}

// def returns the function's entry in the registry.
func (f function) def(attrs ...attrDef) opDef {
	d := elementwise(f.name, 1, f.takes, attrs...)
	d.traits, d.monotone = f.traits, f.monotone
	return d
}

// elementwise returns an operation of n operands and a result of one type.
func elementwise(name string, n int, c class, attrs ...attrDef) opDef {
	return opDef{
		name: name, operands: exactly(n), results: exactly(1), attrs: attrs,
		form: form(args(n), attributes, sameType),
		check: func(o *Op) error {
			return first(o.wants(0, c), o.alike(0, n), o.gives(o.in(0)))
		},
	}
}

// part returns the type of a complex type's real and imaginary parts.
func part(t tensor.Type) tensor.Type {
	switch t.DType {
	case tensor.C64:
		t.DType = tensor.F32
	case tensor.C128:
		t.DType = tensor.F64
	}
	return t
}

func checkAbs(o *Op) error {
	return first(o.wants(0, classNumber), o.gives(part(o.in(0))))
}

func checkPart(o *Op) error {
	return first(o.wants(0, classField), o.gives(part(o.in(0))))
}

func checkPredicate(o *Op) error {
	return first(o.wants(0, classFloat), o.gives(tensor.Type{DType: tensor.Bool, Shape: o.shape(0)}))
}

func checkConvert(o *Op) error {
	return o.gives(tensor.Type{DType: o.out(0).DType, Shape: o.shape(0)})
}

// checkBitcast: between types of different widths, an element of the wider type corresponds to the
// last dimension of the narrower one.
func checkBitcast(o *Op) error {
	in, out := o.in(0), o.out(0)
	if in.DType.IsComplex() != out.DType.IsComplex() {
		return fmt.Errorf("does not convert between %v and %v", in.DType, out.DType)
	}
	wide, narrow := in, out
	if in.DType.Bits() < out.DType.Bits() {
		wide, narrow = out, in
	}
	want := wide.Shape.Clone()
	if k := wide.DType.Bits() / narrow.DType.Bits(); k != 1 {
		want = append(want, k)
	}
	if !narrow.Shape.Equal(want) {
		return fmt.Errorf("does not convert %v to %v", in, out)
	}
	return nil
}

func checkComplex(o *Op) error {
	t := o.in(0)
	switch t.DType {
	case tensor.F32:
		t.DType = tensor.C64
	case tensor.F64:
		t.DType = tensor.C128
	default:
		return fmt.Errorf("takes f32 or f64, not %v", t.DType)
	}
	return first(o.alike(0, 2), o.gives(t))
}

func checkClamp(o *Op) error {
	for _, i := range []int{0, 2} {
		if t := o.in(i); t.DType != o.in(1).DType || len(t.Shape) != 0 && !t.Shape.Equal(o.shape(1)) {
			return fmt.Errorf("a bound has type %v, but the operand has %v", t, o.in(1))
		}
	}
	return o.gives(o.in(1))
}

func checkSelect(o *Op) error {
	p := o.in(0)
	if p.DType != tensor.Bool || len(p.Shape) != 0 && !p.Shape.Equal(o.shape(1)) {
		return fmt.Errorf("the predicate has type %v, but the values have %v", p, o.in(1))
	}
	return first(o.alike(1, 3), o.gives(o.in(1)))
}

// compareType returns the kind of comparison for the operands.
func compareType(o *Op) any {
	switch d := o.in(0).DType; {
	case d.IsFloat() || d.IsComplex():
		return Enum("FLOAT")
	case d.IsSigned():
		return Enum("SIGNED")
	}
	return Enum("UNSIGNED")
}

// MirroredDirection returns the comparison direction of y with x that asks the same as the given one of x with y: GT for LT, GE
// for LE, the same for EQ and NE.
func MirroredDirection(direction string) string {
	switch direction {
	case "LT", "LE":
		return "G" + direction[1:]
	case "GT", "GE":
		return "L" + direction[1:]
	}
	return direction
}

func checkCompare(o *Op) error {
	ok := map[string]class{"FLOAT": classField, "TOTALORDER": classFloat, "SIGNED": classSigned, "UNSIGNED": classBool | classUnsigned}
	kind, dir := o.Attrs.Str("compare_type"), o.Attrs.Str("comparison_direction")
	d := o.in(0).DType
	if !ok[kind].has(d) {
		return fmt.Errorf("a comparison of kind %s takes %v, not %v", kind, ok[kind], d)
	}
	if d.IsComplex() && dir != "EQ" && dir != "NE" {
		return fmt.Errorf("complex numbers cannot be ordered")
	}
	return first(o.alike(0, 2), o.gives(tensor.Type{DType: tensor.Bool, Shape: o.shape(0)}))
}

func checkReducePrecision(o *Op) error {
	if e, m := o.Attrs.Int("exponent_bits", 0), o.Attrs.Int("mantissa_bits", 0); e < 1 || m < 0 {
		return fmt.Errorf("no float format has %d exponent bits and %d mantissa bits", e, m)
	}
	return first(o.wants(0, classFloat), o.gives(o.in(0)))
}

func checkBarrier(o *Op) error { return o.gives(types(o.Operands)...) }
