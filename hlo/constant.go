package hlo

import "github.com/tacet-mpc/tacet/tensor"

// Constant is the value of a constant operation: its elements, or one element that is repeated.
type Constant struct {
	Type tensor.Type // the type of the constant's tensor
	// Elements holds the elements, or, if Repeated, the only one in an array of rank 0.
	Elements *tensor.Array
	Repeated bool // whether the constant repeats one element
}

// Splat is the value of an attribute dense<x> : tensor<…> in which one element stands for all elements of a tensor
// that is not a scalar. Its memory does not depend on the tensor's size.
type Splat struct {
	Type tensor.Type   // the tensor's type
	One  *tensor.Array // the element, in an array of rank 0
}

// Constant returns the value of a constant operation; ok is false for another operation, and for a constant
// without a value.
func (o *Op) Constant() (c Constant, ok bool) {
	if o.Name != OpConstant {
		return Constant{}, false
	}
	return constantOf(o.Attrs["value"])
}

func constantOf(value any) (c Constant, ok bool) {
	switch v := value.(type) {
	case *tensor.Array:
		return Constant{Type: v.Type, Elements: v}, true
	case *Splat:
		return Constant{Type: v.Type, Elements: v.One, Repeated: true}, true
	}
	return Constant{}, false
}

// Array returns all elements. If one element is repeated, it allocates them: the caller must have checked that
// there is room for Type.
func (c Constant) Array() *tensor.Array {
	if !c.Repeated {
		return c.Elements
	}
	return c.Elements.View(tensor.Broadcast(tensor.Shape{}, nil, c.Type.Shape))
}

// Uniform returns the real number that all elements are equal to, if there is one. Complex and empty constants
// have none, nor has a NaN, which differs from itself.
func (c Constant) Uniform() (x float64, ok bool) {
	if c.Elements == nil || c.Type.DType.IsComplex() {
		return 0, false
	}
	return c.Elements.Uniform()
}

// maxSpelled is the largest number of elements of a splat that is given for a list of integers or booleans, or
// for another attribute that is no constant's value.
const maxSpelled = 4 * maxRank

// spelled returns v with a small splat as an array.
func spelled(v any) any {
	if s, ok := v.(*Splat); ok && s.Type.Shape.Size() <= maxSpelled {
		return Constant{s.Type, s.One, true}.Array()
	}
	return v
}

// repeated returns a constant's value: t filled with the element of one, an array of rank 0. It is a Splat unless t has
// no elements or no more than one.
func repeated(one *tensor.Array, t tensor.Type) any {
	switch {
	case len(t.Shape) == 0:
		return one
	case t.Shape.Size() <= 1:
		return Constant{t, one, true}.Array()
	}
	return &Splat{t, one}
}
