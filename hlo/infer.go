package hlo

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// class is a set of element types.
type class uint8

const (
	classBool class = 1 << iota
	classSigned
	classUnsigned
	classFloat
	classComplex

	classInt    = classSigned | classUnsigned
	classBits   = classBool | classInt
	classReal   = classInt | classFloat
	classField  = classFloat | classComplex
	classNumber = classReal | classComplex
	classAny    = classBool | classNumber
)

var classNames = map[class]string{
	classBool: "booleans", classSigned: "signed integers", classUnsigned: "unsigned integers", classFloat: "floats", classComplex: "complex numbers",
}

// has reports whether d belongs to the class.
func (c class) has(d tensor.DType) bool {
	switch {
	case d == tensor.Bool:
		return c&classBool != 0
	case d.IsFloat():
		return c&classFloat != 0
	case d.IsComplex():
		return c&classComplex != 0
	case d.IsSigned():
		return c&classSigned != 0
	}
	return c&classUnsigned != 0
}

func (c class) String() string {
	s := ""
	for bit := classBool; bit <= classComplex; bit <<= 1 {
		if c&bit == 0 {
			continue
		}
		if s != "" {
			s += ", "
		}
		s += classNames[bit]
	}
	return s
}

// in returns the type of operand i, out that of result i.
func (o *Op) in(i int) tensor.Type  { return o.Operands[i].Type }
func (o *Op) out(i int) tensor.Type { return o.Results[i].Type }

// shape returns the shape of operand i.
func (o *Op) shape(i int) tensor.Shape { return o.Operands[i].Type.Shape }

// rank returns the number of dimensions of operand 0.
func rank(o *Op) int { return len(o.shape(0)) }

// scalar returns the scalar type with element type d.
func scalar(d tensor.DType) tensor.Type { return tensor.Type{DType: d, Shape: tensor.Shape{}} }

// gives checks the result types against those that follow from the operands
// and attributes. A result of zero type gets the type that follows.
func (o *Op) gives(want ...tensor.Type) error {
	if len(want) != len(o.Results) {
		return fmt.Errorf("has %d results, but %d follow from its operands", len(o.Results), len(want))
	}
	for i, t := range want {
		if o.out(i).DType == tensor.Invalid {
			o.Results[i].Type = t
		}
		if !o.out(i).Equal(t) {
			return fmt.Errorf("result %d has type %v, but its operands and attributes give %v", i, o.out(i), t)
		}
	}
	return nil
}

// givesShape checks that the only result has operand 0's element type and shape s.
func (o *Op) givesShape(s tensor.Shape) error {
	return o.gives(tensor.Type{DType: o.in(0).DType, Shape: s})
}

// wants checks operand i's element type.
func (o *Op) wants(i int, c class) error {
	if d := o.in(i).DType; !c.has(d) {
		return fmt.Errorf("operand %d has elements of type %v, but takes %v", i, d, c)
	}
	return nil
}

// wantsScalar checks that operand i is a scalar.
func (o *Op) wantsScalar(i int) error {
	if len(o.shape(i)) != 0 {
		return fmt.Errorf("operand %d has type %v, but must be a scalar", i, o.in(i))
	}
	return nil
}

// alike checks that the operands from … below have one type.
func (o *Op) alike(from, below int) error {
	for i := from + 1; i < below; i++ {
		if !o.in(i).Equal(o.in(from)) {
			return fmt.Errorf("operand %d has type %v, but operand %d has %v", i, o.in(i), from, o.in(from))
		}
	}
	return nil
}

// first returns the first error of several.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// dimList checks a list of dimension numbers: each below rank, no duplicates.
func dimList[T int | int64](name string, dims []T, rank int) error {
	seen := make([]bool, rank)
	for _, d := range dims {
		if d < 0 || int64(d) >= int64(rank) {
			return fmt.Errorf("%s names dimension %d, but there are %d", name, d, rank)
		}
		if seen[d] {
			return fmt.Errorf("%s names dimension %d twice", name, d)
		}
		seen[d] = true
	}
	return nil
}

// oneDim checks that the attribute is a dimension number below rank.
func (o *Op) oneDim(name string, rank int) error {
	return dimList(name, []int{o.Attrs.Int(name, 0)}, rank)
}

// lengths checks that integer lists have n numbers each, none above 2^40.
func (o *Op) lengths(n int, names ...string) error {
	for _, name := range names {
		v := o.Attrs.Ints(name)
		if len(v) != n {
			return fmt.Errorf("%s has %d numbers, but takes %d", name, len(v), n)
		}
		for _, x := range v {
			if x > tensor.MaxElements || x < -tensor.MaxElements {
				return fmt.Errorf("%s holds %d, which is beyond 2^40", name, x)
			}
		}
	}
	return nil
}

// positive checks that all numbers of integer lists are at least 1.
func (o *Op) positive(names ...string) error {
	for _, name := range names {
		for _, x := range o.Attrs.Ints(name) {
			if x < 1 {
				return fmt.Errorf("%s holds %d, but takes positive numbers", name, x)
			}
		}
	}
	return nil
}

// without returns shape s without the given dimensions.
func without(s tensor.Shape, dims []int) tensor.Shape {
	out := tensor.Shape{}
	for i, n := range s {
		if !slices.Contains(dims, i) {
			out = append(out, n)
		}
	}
	return out
}

// pick returns the sizes of the given dimensions of s.
func pick(s tensor.Shape, dims []int) tensor.Shape {
	out := make(tensor.Shape, len(dims))
	for i, d := range dims {
		out[i] = s[d]
	}
	return out
}

// times multiplies sizes and stops far above the largest tensor size.
func times(a, b int) int {
	const most = 1 << 60
	if a > 0 && b > most/a {
		return most
	}
	return a * b
}
