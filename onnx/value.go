package onnx

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

// kind says what a value is.
type kind uint8

const (
	isTensor   kind = iota
	isSequence      // items
	isNothing       // an optional value that is absent
	isTexts         // a tensor of strings: texts
)

// value is a value of the graph: the result of a node, an input or an initialiser.
type value struct {
	kind  kind
	typ   tensor.Type
	items []*value // of a sequence
	texts []string // of a tensor of strings
	// array has the elements if they follow from the file alone. lazy computes them on the first use. Both are nil if
	// the elements depend on an input.
	array *tensor.Array
	lazy  func() *tensor.Array
	// weight says that the elements are the owner's, or computed from the owner's.
	weight bool
	source *model.Tensor // of a weight of the file: its content
	name   string        // of a weight: its name in the file
	built  *build.Value  // the value in the program, once there is one
}

// computed is a value of the program.
func computed(v build.Value) *value { return &value{typ: v.Type(), built: &v} }

// constant is a public constant.
func constant(a *tensor.Array) *value { return &value{typ: a.Type, array: a} }

// parameter is a weight with these elements.
func parameter(name string, a *tensor.Array) *value {
	return &value{typ: a.Type, array: a, weight: true, name: name}
}

// isKnown reports whether the elements follow from the file alone.
func (v *value) isKnown() bool {
	switch v.kind {
	case isSequence:
		for _, x := range v.items {
			if !x.isKnown() {
				return false
			}
		}
		return true
	case isNothing, isTexts:
		return true
	}
	return v.array != nil || v.lazy != nil
}

// isWeight reports whether an element is the owner's.
func (v *value) isWeight() bool {
	for _, x := range v.items {
		if x.isWeight() {
			return true
		}
	}
	return v.weight
}

// elements returns the elements of a known value.
func (v *value) elements() *tensor.Array {
	if v.array == nil && v.lazy != nil {
		v.array = v.lazy()
	}
	return v.array
}

// Limits of what is looked at and folded.
const (
	maxMask    = 1 << 20 // elements of an initialiser that may be a mask
	tooLarge   = 1 << 40 // magnitude of floats that no weight has
	maxFolded  = 1 << 22 // elements of a result that is computed during the import
	maxFolding = 1 << 26 // elements of all of them
	maxNodes   = 1 << 18 // nodes that an import builds, with those of loops that are written out
	maxGraphs  = 32      // graphs and functions within each other
	maxEntries = 1 << 21 // entries of graphs and functions within the model, those of loops in each iteration
)

// ownedType reports whether several elements of a type are a weight.
func ownedType(d tensor.DType) bool {
	return d.IsFloat() || d.IsComplex() || d == tensor.I8 || d == tensor.U8
}

// initializer returns the value of a tensor of the file. A loop's iterations have one value of the same tensor.
func (im *importer) initializer(t *model.Tensor, name string) (*value, error) {
	if v := im.initial[t]; v != nil {
		return v, nil
	}
	v, err := im.newInitializer(t, name)
	if err == nil {
		im.initial[t] = v
	}
	return v, err
}

// newInitializer makes a value of a tensor of the file.
func (im *importer) newInitializer(t *model.Tensor, name string) (*value, error) {
	if t.Elem == model.ElemString {
		shape := tensor.Shape{}
		for _, n := range t.Dims {
			if n < 0 || n > math.MaxInt32 {
				return nil, fmt.Errorf("the shape %v is too large", t.Dims)
			}
			shape = append(shape, int(n))
		}
		return &value{kind: isTexts, typ: tensor.Type{Shape: shape}, texts: t.Strings}, nil
	}
	if err := im.f.locate(t); err != nil {
		return nil, err
	}
	typ, err := t.Type()
	if err != nil {
		return nil, err
	}
	n := typ.Shape.Size()
	if n <= 1 || !ownedType(typ.DType) {
		a, err := t.Array()
		if err != nil {
			return nil, err
		}
		return constant(a), nil
	}
	if typ.DType.IsFloat() && n <= maxMask {
		a, err := t.Array()
		if err != nil {
			return nil, err
		}
		if !shareable(a) {
			return constant(a), nil
		}
	} else if have := t.Elements(); have != n {
		return nil, fmt.Errorf("the shape %v has %d elements, and the content %d", t.Dims, n, have)
	}
	v := &value{typ: typ, weight: true, source: t, name: name}
	v.lazy = func() *tensor.Array {
		a, err := t.Array()
		if err != nil {
			im.fail("usage", "the file is damaged", "initialiser %q: %w", name, err)
		}
		return a
	}
	return v, nil
}

// shareable reports whether all elements are numbers that can be shared.
func shareable(a *tensor.Array) bool {
	if v, ok := a.Data.([]float32); ok {
		for _, x := range v {
			if !(x < tooLarge && x > -tooLarge) {
				return false
			}
		}
		return true
	}
	for _, x := range a.Floats() {
		if !(math.Abs(x) < tooLarge) {
			return false
		}
	}
	return true
}

// materialise returns the value in the program.
func (im *importer) materialise(v *value) build.Value {
	if v.built != nil {
		return *v.built
	}
	var out build.Value
	if v.weight && (v.source != nil || v.name != "") {
		out = im.weight(v)
	} else {
		out = literal(im.b, v.elements())
	}
	v.built = &out
	return out
}

// literal is a constant of the program.
func literal(b *build.Builder, a *tensor.Array) build.Value {
	if a.Len() > 1 && !a.DType.IsComplex() {
		if one := uniform(a); one != nil {
			return b.Broadcast(b.Array(one), a.Shape...)
		}
	}
	return b.Array(a)
}

// uniform is the only element of an array whose elements are equal, as a scalar; nil if they are not.
func uniform(a *tensor.Array) *tensor.Array {
	if a.DType.IsFloat() {
		if x, ok := a.Uniform(); ok {
			return tensor.FromFloats(a.DType, tensor.Shape{}, []float64{x})
		}
		return nil
	}
	words := a.Words()
	for _, w := range words {
		if w != words[0] {
			return nil
		}
	}
	return tensor.FromWords(a.DType, tensor.Shape{}, words[:1])
}

// weight makes an argument of a weight.
func (im *importer) weight(v *value) build.Value {
	name := freeName(im.weightNames, v.name)
	w := Weight{Name: name, Type: v.typ, tensor: v.source, array: v.array}
	if v.source != nil {
		w.array = nil
	}
	im.m.Weights = append(im.m.Weights, w)
	return im.b.Arg(im.argument(name), v.typ.DType, v.typ.Shape...)
}
