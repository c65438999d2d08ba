package onnx

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

// unary is an operation of one operand.
func unary(f func(b *build.Builder, x build.Value) build.Value) operation {
	return operation{build: func(x *node) []*value { return one(f(x.b, x.v(0))) }}
}

// named is an operation of one operand by its name in StableHLO.
func named(name string) operation {
	return unary(func(b *build.Builder, x build.Value) build.Value { return b.Op(name, []build.Value{x}, nil)[0] })
}

// binary is an operation of two operands that are broadcast.
func binary(f func(b *build.Builder, x, y any) build.Value) operation {
	return operation{build: func(x *node) []*value {
		return one(f(x.b, x.v(0), x.v(1)))
	}}
}

// variadic is an operation of one or more operands.
func variadic(f func(b *build.Builder, x, y any) build.Value) operation {
	return operation{build: func(x *node) []*value {
		out := x.v(0)
		for i := range x.in[1:] {
			out = f(x.b, out, x.v(i+1))
		}
		return one(out)
	}}
}

var elementwiseOps = map[string]operation{
	".Abs":   unary((*build.Builder).Abs),
	".Acos":  named(hlo.OpAcos),
	".Acosh": named(hlo.OpAcosh),
	".Asin":  named(hlo.OpAsin),
	".Asinh": named(hlo.OpAsinh),
	".Atan":  named(hlo.OpAtan),
	".Atanh": named(hlo.OpAtanh),
	".Ceil":  unary((*build.Builder).Ceil),
	".Cos":   unary((*build.Builder).Cos),
	".Cosh":  named(hlo.OpCosh),
	".Erf":   unary((*build.Builder).Erf),
	".Exp":   unary((*build.Builder).Exp),
	".Floor": unary((*build.Builder).Floor),
	".Log":   unary((*build.Builder).Log),
	".Neg":   unary((*build.Builder).Neg),
	".Reciprocal": unary(func(b *build.Builder, x build.Value) build.Value {
		return b.Div(b.Const(x.DType(), 1), x)
	}),
	".Round":      unary((*build.Builder).Round),
	".Sign":       unary((*build.Builder).Sign),
	".Sin":        unary((*build.Builder).Sin),
	".Sinh":       named(hlo.OpSinh),
	".Sqrt":       unary((*build.Builder).Sqrt),
	".Tan":        unary((*build.Builder).Tan),
	".Not":        unary((*build.Builder).Not),
	".BitwiseNot": unary((*build.Builder).Not),
	".IsNaN":      unary(func(b *build.Builder, x build.Value) build.Value { return b.NotEqual(x, x) }),
	".IsInf":      {build: isInf},

	".Add":        binary((*build.Builder).Add),
	".Sub":        binary((*build.Builder).Sub),
	".Mul":        binary((*build.Builder).Mul),
	".Div":        binary((*build.Builder).Div),
	".And":        binary((*build.Builder).And),
	".Or":         binary((*build.Builder).Or),
	".Xor":        binary((*build.Builder).Xor),
	".BitwiseAnd": binary((*build.Builder).And),
	".BitwiseOr":  binary((*build.Builder).Or),
	".BitwiseXor": binary((*build.Builder).Xor),

	".Equal":          binary((*build.Builder).Equal),
	".Less":           binary((*build.Builder).Less),
	".LessOrEqual":    binary((*build.Builder).LessEqual),
	".Greater":        binary((*build.Builder).Greater),
	".GreaterOrEqual": binary((*build.Builder).GreaterEqual),

	".Max":      variadic((*build.Builder).Max),
	".Min":      variadic((*build.Builder).Min),
	".Sum":      variadic((*build.Builder).Add),
	".Mean":     {build: mean},
	".Mod":      {build: mod},
	".Pow":      {build: pow},
	".BitShift": {build: bitShift},
	".Where":    {build: func(x *node) []*value { return one(x.b.Select(x.v(0), x.v(1), x.v(2))) }},
	".Clip":     {build: clip},
	".Cast":     {build: castNode},
	".CastLike": {build: func(x *node) []*value { return one(x.cast(x.v(0), x.typ(1).DType)) }},
	".BitCast": {build: func(x *node) []*value {
		d := x.dtype("to", tensor.Invalid)
		if x.typ(0).DType == tensor.Bool {
			return one(x.cast(x.cast(x.v(0), tensor.U8), d))
		}
		return one(x.b.BitcastConvert(x.v(0), tensor.Type{DType: d, Shape: x.shape(0)}))
	}},
	".Identity": {whole: true, build: func(x *node) []*value { return x.in }},
	".Dropout":  {build: dropout},
}

// castNode converts to another type. Texts, which only name classes, stay numbers.
func castNode(x *node) []*value {
	if x.int("to", 0) == model.ElemString && x.typ(0).DType.IsInt() {
		return one(x.v(0))
	}
	return one(x.cast(x.v(0), x.dtype("to", tensor.Invalid)))
}

// cast converts to the elements of type d. ONNX's bools of numbers are whether they are not 0.
func (x *node) cast(v build.Value, d tensor.DType) build.Value {
	switch {
	case d == tensor.Invalid:
		x.fail("the file is damaged", "attribute to is missing")
	case v.DType() == d:
		return v
	}
	return x.b.Convert(v, d)
}

func isInf(x *node) []*value {
	v := x.v(0)
	names := map[[2]bool]string{{true, true}: hlo.OpIsInf, {true, false}: hlo.OpIsNegInf, {false, true}: hlo.OpIsPosInf}
	name := names[[2]bool{x.int("detect_negative", 1) != 0, x.int("detect_positive", 1) != 0}]
	if name == "" {
		return one(x.b.Const(tensor.Bool, false, x.shape(0)...))
	}
	return one(x.b.Op(name, []build.Value{v}, nil)[0])
}

func mean(x *node) []*value {
	sum := x.v(0)
	for i := range x.in[1:] {
		sum = x.b.Add(sum, x.v(i+1))
	}
	return one(x.b.Div(sum, len(x.in)))
}

// mod is the remainder with the sign of the dividend (fmod) or of the divisor.
func mod(x *node) []*value {
	b := x.b
	p, q := x.v(0), x.v(1)
	r := b.Rem(p, q)
	d := r.DType()
	if x.int("fmod", 0) != 0 || d.IsInt() && !d.IsSigned() {
		return one(r)
	}
	// Of two signs, one is known where the divisor is.
	if x.value(1).isKnown() && !x.value(1).isWeight() {
		negative := b.Less(q, 0)
		wrong := b.Select(b.Broadcast(negative, r.Shape()...), b.Greater(r, 0), b.Less(r, 0))
		return one(b.Select(wrong, b.Add(r, q), r))
	}
	differ := b.NotEqual(b.Less(r, 0), b.Less(q, 0))
	return one(b.Select(b.And(b.NotEqual(r, 0), differ), b.Add(r, q), r))
}

// pow is a power. Small whole exponents that are constants become products.
func pow(x *node) []*value {
	b := x.b
	p := x.v(0)
	d := p.DType()
	if e := x.value(1); e.isKnown() && !e.isWeight() && e.typ.Shape.Size() >= 1 && len(e.typ.Shape) <= p.Rank() {
		if k, ok := e.elements().Uniform(); ok && broadcastsTo(e.typ.Shape, p.Shape()) {
			switch {
			case k == 1:
				return one(p)
			case k == 2:
				return one(b.Mul(p, p))
			case k == 3:
				return one(b.Mul(b.Mul(p, p), p))
			case k == 0.5 && d.IsFloat():
				return one(b.Sqrt(p))
			}
		}
	}
	e := x.v(1)
	switch {
	case e.DType() == d:
		return one(b.Pow(p, e))
	case d.IsInt() && e.DType().IsInt() || d.IsFloat():
		return one(b.Pow(p, b.Convert(e, d)))
	}
	return one(b.Convert(b.Pow(b.Convert(p, e.DType()), e), d))
}

// broadcastsTo reports whether a shape broadcasts to another one.
func broadcastsTo(s, to tensor.Shape) bool {
	if len(s) > len(to) {
		return false
	}
	for i, n := range s {
		if m := to[len(to)-len(s)+i]; n != 1 && n != m {
			return false
		}
	}
	return true
}

func bitShift(x *node) []*value {
	switch x.text("direction", "") {
	case "LEFT":
		return one(x.b.ShiftLeft(x.v(0), x.v(1)))
	case "RIGHT":
		if x.typ(0).DType.IsSigned() {
			return one(x.b.ShiftRightArithmetic(x.v(0), x.v(1)))
		}
		return one(x.b.ShiftRightLogical(x.v(0), x.v(1)))
	}
	x.fail("the file is damaged", "direction is %q, want LEFT or RIGHT", x.text("direction", ""))
	return nil
}

// clip limits numbers; each of the bounds may be missing.
func clip(x *node) []*value {
	v, d := x.v(0), x.typ(0).DType
	var low, high *build.Value
	bound := func(i int, name string) *build.Value {
		if x.has(i) {
			s := x.v(i)
			if s.Rank() > 0 {
				s = x.b.Reshape(s)
			}
			return &s
		}
		if x.attr(name) != nil {
			s := x.scalar(d, x.float(name, 0))
			return &s
		}
		return nil
	}
	low, high = bound(1, "min"), bound(2, "max")
	switch {
	case low != nil && high != nil:
		return one(x.b.Clamp(*low, v, *high))
	case low != nil:
		return one(x.b.Max(v, *low))
	case high != nil:
		return one(x.b.Min(v, *high))
	}
	return one(v)
}

// dropout is that of inference: nothing is dropped.
func dropout(x *node) []*value {
	if x.has(2) && x.array(2).Floats()[0] != 0 {
		if !x.has(1) && x.n.Inputs[2] != "" || x.has(1) && x.number(1) != 0 {
			x.unsupported("export the model for inference", "it drops elements at random (training_mode)")
		}
	}
	v := x.v(0)
	return several(v, x.b.Const(tensor.Bool, true, v.Shape()...))
}
