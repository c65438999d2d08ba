package onnx

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var mlEncodeOps = map[string]operation{
	"ai.onnx.ml.Scaler":                {build: scaler},
	"ai.onnx.ml.Normalizer":            {build: normalizer},
	"ai.onnx.ml.Binarizer":             {build: binarizer},
	"ai.onnx.ml.Imputer":               {build: imputer},
	"ai.onnx.ml.OneHotEncoder":         {build: oneHotEncoder},
	"ai.onnx.ml.LabelEncoder":          {build: labelEncoder},
	"ai.onnx.ml.ArrayFeatureExtractor": {build: featureExtractor, whole: true},
	"ai.onnx.ml.FeatureVectorizer":     {build: featureVectorizer},
	// The probabilities stay a tensor: a column for each class.
	"ai.onnx.ml.ZipMap": {whole: true, build: func(x *node) []*value { return []*value{x.value(0)} }},
}

// perFeature is an attribute with a number for each feature, or one for all.
func (x *node) perFeature(name string, v build.Value) *build.Value {
	f := x.numbers64(name)
	if len(f) == 0 {
		return nil
	}
	if len(f) != 1 && len(f) != v.Dim(-1) {
		x.fail("the model does not take inputs of this shape", "%s has %d numbers for %d features", name, len(f), v.Dim(-1))
	}
	w := x.weightOf(name, v.DType(), tensor.Shape{len(f)}, f)
	if len(f) == 1 {
		w = x.b.Reshape(w)
	}
	return &w
}

// floatInput is the input as floats of at least 32 bits.
func (x *node) floatInput() build.Value {
	v := x.v(0)
	if !v.DType().IsFloat() || v.DType().Bits() < 32 {
		v = x.b.Convert(v, tensor.F32)
	}
	return v
}

func scaler(x *node) []*value {
	b, v := x.b, x.floatInput()
	if f := x.perFeature("offset", v); f != nil {
		v = b.Sub(v, *f)
	}
	if f := x.perFeature("scale", v); f != nil {
		v = b.Mul(v, *f)
	}
	return one(x.cast(v, tensor.F32))
}

func normalizer(x *node) []*value {
	b, v := x.b, x.floatInput()
	last := v.Rank() - 1
	var norm build.Value
	switch kind := upper(x.text("norm", "MAX")); kind {
	case "MAX":
		norm = b.ReduceMax(b.Abs(v), last)
	case "L1":
		norm = b.Sum(b.Abs(v), last)
	case "L2":
		norm = b.Sqrt(b.Sum(b.Mul(v, v), last))
	default:
		x.fail("the file is damaged", "norm is %q", kind)
	}
	return one(x.cast(b.Div(v, keepDims(b, norm, v, last)), tensor.F32))
}

func binarizer(x *node) []*value {
	v := x.v(0)
	return one(x.b.Convert(x.b.Greater(v, x.b.Convert(x.b.Const(tensor.F32, x.float("threshold", 0)), v.DType())), v.DType()))
}

// imputer replaces a number that stands for a missing one. Inputs that are shared have no NaN.
func imputer(x *node) []*value {
	b, v := x.b, x.v(0)
	if v.DType().IsInt() {
		list := x.ints("imputed_value_int64s")
		if len(list) == 0 || len(list) != 1 && len(list) != v.Dim(-1) {
			x.fail("the file is damaged", "imputed_value_int64s has %d numbers", len(list))
		}
		missing := b.Equal(v, b.Convert(b.Const(tensor.I64, x.int("replaced_value_int64", 0)), v.DType()))
		return one(b.Select(missing, b.Convert(b.Array(int64s(list...)), v.DType()), v))
	}
	with := x.perFeature("imputed_value_floats", v)
	if with == nil {
		x.fail("the file is damaged", "imputed_value_floats is missing")
	}
	replaced := x.float("replaced_value_float", 0)
	missing := b.NotEqual(v, v)
	if !math.IsNaN(replaced) {
		missing = b.Equal(v, replaced)
	}
	return one(b.Select(missing, *with, v))
}

// equalTo says for each element which of some numbers it is: a dimension more.
func (x *node) equalTo(v build.Value, keys []float64) build.Value {
	b := x.b
	shape := append(v.Shape(), len(keys))
	var at []int
	for d := range v.Rank() {
		at = append(at, d)
	}
	list := b.Convert(b.Array(tensor.FromFloats(tensor.F64, tensor.Shape{len(keys)}, keys)), v.DType())
	return b.Equal(b.BroadcastInDim(v, at, shape...), b.BroadcastInDim(list, []int{v.Rank()}, shape...))
}

func oneHotEncoder(x *node) []*value {
	cats := x.ints("cats_int64s")
	if cats == nil {
		x.unsupported("encode texts as numbers before the model", "categories that are texts are not supported")
	}
	keys := make([]float64, len(cats))
	for i, c := range cats {
		keys[i] = float64(c)
	}
	if len(keys) == 0 {
		x.fail("the file is damaged", "there are no categories")
	}
	return one(x.b.Convert(x.equalTo(x.v(0), keys), tensor.F32))
}

// labelEncoder replaces numbers by other ones.
func labelEncoder(x *node) []*value {
	b, v := x.b, x.v(0)
	list := func(name string) (f []float64, d tensor.DType) {
		if a := x.attr(name + "_tensor"); a != nil && a.Tensor != nil {
			t := x.tensorAttr(name + "_tensor")
			return t.Floats(), t.DType
		}
		if ints := x.ints(name + "_int64s"); ints != nil {
			for _, n := range ints {
				f = append(f, float64(n))
			}
			return f, tensor.I64
		}
		return x.numbers64(name + "_floats"), tensor.F32
	}
	keys, _ := list("keys")
	values, d := list("values")
	if len(keys) == 0 || len(keys) != len(values) {
		x.unsupported("encode texts as numbers before the model", "only numbers are replaced by numbers")
	}
	otherwise := -1.0
	if a := x.tensorAttr("default_tensor"); a != nil && a.Len() == 1 {
		otherwise = a.Floats()[0]
	} else if d.IsInt() {
		otherwise = float64(x.int("default_int64", -1))
	} else {
		otherwise = x.float("default_float", math.Copysign(0, -1))
	}
	// The differences from the default are added, so that numbers without a key have the default.
	for i := range values {
		values[i] -= otherwise
	}
	hot := x.equalTo(v, keys)
	table := b.Convert(b.Array(tensor.FromFloats(tensor.F64, tensor.Shape{len(values)}, values)), d)
	wide := b.BroadcastInDim(table, []int{v.Rank()}, hot.Shape()...)
	sum := b.Sum(b.Select(hot, wide, 0), v.Rank())
	if otherwise == 0 {
		return one(sum)
	}
	return one(b.Add(sum, b.Convert(b.Const(tensor.F64, otherwise), d)))
}

// featureExtractor takes columns by their numbers. Of texts the result has the numbers themselves.
func featureExtractor(x *node) []*value {
	b := x.b
	if t := x.value(0); t.kind == isTexts {
		x.im.noteTexts(x.n.Outputs[0], t.texts)
		at := x.v(1)
		return one(b.Reshape(b.Convert(at, tensor.I64), 1, at.Shape().Size()))
	}
	v := x.v(0)
	if v.Rank() == 0 {
		x.fail("the file is damaged", "a number has no columns")
	}
	at := x.index(1, v.Dim(-1))
	flat := b.Reshape(at, at.Shape().Size())
	out := b.Take(v, flat, v.Rank()-1)
	if v.Rank() == 1 {
		out = b.Reshape(out, 1, out.Shape().Size())
	}
	return one(out)
}

func featureVectorizer(x *node) []*value {
	b := x.b
	var vs []build.Value
	for i := range x.in {
		v := b.Convert(x.v(i), tensor.F32)
		if v.Rank() == 1 {
			v = b.Reshape(v, v.Dim(0), 1)
		}
		vs = append(vs, v)
	}
	return one(b.Concat(1, vs...))
}
