package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names of the elementwise operations.
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
	OpOptimizationBarrier  = "stablehlo.optimization_barrier"
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

// elementwiseOps are elementwise operations.
func elementwiseOps() (ops []opDef) {
	for name, c := range map[string]class{
		OpCbrt: classField, OpCosine: classField, OpExponential: classField, OpExponentialMinusOne: classField, OpLog: classField,
		OpLogPlusOne: classField, OpLogistic: classField, OpRsqrt: classField, OpSine: classField, OpSqrt: classField, OpTan: classField, OpTanh: classField,
	} {
		ops = append(ops, elementwise(name, 1, c, accuracy))
	}
	for name, c := range map[string]class{
		OpCeil: classFloat, OpFloor: classFloat, OpRoundNearestAfz: classFloat, OpRoundNearestEven: classFloat, OpCountLeadingZeros: classInt,
		OpPopcnt: classInt, OpNot: classBits, OpNegate: classNumber, OpSign: classNumber,
	} {
		ops = append(ops, elementwise(name, 1, c))
	}
	for name, c := range map[string]class{
		OpAdd: classAny, OpSubtract: classNumber, OpMultiply: classAny, OpDivide: classNumber, OpRemainder: classNumber, OpPower: classNumber,
		OpMaximum: classAny, OpMinimum: classAny, OpAnd: classBits, OpOr: classBits, OpXor: classBits, OpAtan2: classField,
		OpShiftLeft: classInt, OpShiftRightArithmetic: classInt, OpShiftRightLogical: classInt,
	} {
		ops = append(ops, elementwise(name, 2, c))
	}
	same := form(args(1), attributes, sameType)
	ops = append(ops,
		opDef{name: OpAbs, operands: exactly(1), results: exactly(1), form: same, check: checkAbs},
		opDef{name: OpReal, operands: exactly(1), results: exactly(1), form: same, check: checkPart},
		opDef{name: OpImag, operands: exactly(1), results: exactly(1), form: same, check: checkPart},
		opDef{name: OpIsFinite, operands: exactly(1), results: exactly(1), form: same, check: checkPredicate},
		opDef{name: OpConvert, operands: exactly(1), results: exactly(1), form: same, check: checkConvert, free: true},
		opDef{name: OpBitcastConvert, operands: exactly(1), results: exactly(1), form: form(args(1), attributes, anyType), check: checkBitcast, free: true},
		opDef{name: OpComplex, operands: exactly(2), results: exactly(1), form: form(args(2), attributes, complexType), check: checkComplex},
		opDef{name: OpClamp, operands: exactly(3), results: exactly(1), form: form(args(3), attributes, sameType), check: checkClamp},
		opDef{name: OpSelect, operands: exactly(3), results: exactly(1), form: form(args(3), attributes, selectTypes), check: checkSelect},
		opDef{name: OpCompare, operands: exactly(2), results: exactly(1), check: checkCompare,
			attrs: []attrDef{
				required("comparison_direction", enum("comparison_direction", "EQ", "NE", "GE", "GT", "LE", "LT")),
				{name: "compare_type", is: enum("comparison_type", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"), fill: compareType},
			},
			form: form(enumOf("comparison_direction"), word(","), args(2), maybe(",", enumOf("compare_type")), attributes, signature)},
		opDef{name: OpReducePrecision, operands: exactly(1), results: exactly(1), check: checkReducePrecision,
			attrs: []attrDef{required("exponent_bits", isInt32), required("mantissa_bits", isInt32)},
			form:  form(args(1), word(", format ="), format, attributes, sameType)},
		opDef{name: OpOptimizationBarrier, operands: atLeast(0), results: atLeast(0), check: checkBarrier, infer: asOperands,
			form: form(barrierArgs, attributes, pairTypes)},
	)
	return ops
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
