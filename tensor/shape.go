package tensor

import (
	"fmt"
	"strconv"
	"strings"
)

// Shape lists the sizes of a tensor's dimensions. It is empty for a scalar.
type Shape []int

// MaxElements is the largest number of elements of a shape that a program or a file may have.
const MaxElements = 1 << 40

// Size returns the number of elements: the product of the dimensions, 1 for a scalar.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// Check returns an error if a dimension is negative or the shape has more than MaxElements elements.
func (s Shape) Check() error {
	n := 1
	for _, d := range s {
		if d < 0 {
			return fmt.Errorf("tensor: negative dimension %d in shape %v", d, []int(s))
		}
		if d != 0 && n > MaxElements/d {
			return fmt.Errorf("tensor: shape %v holds more than 2^40 elements", []int(s))
		}
		n *= d
	}
	return nil
}

// Equal reports whether both shapes have the same dimensions.
func (s Shape) Equal(t Shape) bool {
	if len(s) != len(t) {
		return false
	}
	for i := range s {
		if s[i] != t[i] {
			return false
		}
	}
	return true
}

// Strides returns the row-major strides: for each dimension the distance, in elements, of neighbours along it.
func (s Shape) Strides() []int {
	st := make([]int, len(s))
	n := 1
	for i := len(s) - 1; i >= 0; i-- {
		st[i] = n
		n *= s[i]
	}
	return st
}

// Clone returns a copy of the shape.
func (s Shape) Clone() Shape { return append(Shape{}, s...) }

// CommonShape returns the shape to which both shapes broadcast by NumPy's rules: dimensions are aligned at the end, and one of size 1,
// or a missing one, takes the other's size. It returns false if the sizes of a dimension differ otherwise.
func CommonShape(s, t Shape) (Shape, bool) {
	if len(s) < len(t) {
		s, t = t, s
	}
	out := s.Clone()
	for i, n := range t {
		d := len(s) - len(t) + i
		switch {
		case out[d] == 1:
			out[d] = n
		case n != 1 && n != out[d]:
			return nil, false
		}
	}
	return out, true
}

// String returns the dimensions in the form "4x5", and "" for a scalar.
func (s Shape) String() string {
	parts := make([]string, len(s))
	for i, d := range s {
		parts[i] = strconv.Itoa(d)
	}
	return strings.Join(parts, "x")
}

// Type is a tensor's type: element type and shape.
type Type struct {
	DType DType
	Shape Shape
}

// Equal reports whether element type and shape agree.
func (t Type) Equal(u Type) bool { return t.DType == u.DType && t.Shape.Equal(u.Shape) }

// String returns the type in the form "tensor<4x5xf32>".
func (t Type) String() string {
	if len(t.Shape) == 0 {
		return "tensor<" + t.DType.String() + ">"
	}
	return "tensor<" + t.Shape.String() + "x" + t.DType.String() + ">"
}
