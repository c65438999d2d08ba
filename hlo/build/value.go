package build

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Value is a tensor of a program that is being built: an argument, a result of an operation or a region's parameter.
// It may be used only in the function in which it was made, and inside the region in which it was made. The zero
// Value is what methods return after a mistake.
type Value struct {
	v        *hlo.Value
	in       *block
	constant bool // the result of stablehlo.constant
}

// Type returns the value's type; the zero Type for a zero Value.
func (v Value) Type() tensor.Type {
	if v.v == nil {
		return tensor.Type{}
	}
	return tensor.Type{DType: v.v.Type.DType, Shape: v.v.Type.Shape.Clone()}
}

// DType returns the value's element type.
func (v Value) DType() tensor.DType { return v.Type().DType }

// Shape returns a copy of the value's shape.
func (v Value) Shape() tensor.Shape { return v.Type().Shape }

// Rank returns the number of dimensions.
func (v Value) Rank() int { return len(v.Type().Shape) }

// Dim returns the size of dimension d, counted from the end if d is negative. It is 0 if there is no such dimension.
func (v Value) Dim(d int) int {
	s := v.Type().Shape
	if d < 0 {
		d += len(s)
	}
	if d < 0 || d >= len(s) {
		return 0
	}
	return s[d]
}

// String returns the value's type as StableHLO prints it.
func (v Value) String() string {
	if v.v == nil {
		return "no value"
	}
	return v.v.Type.String()
}

// Tensor returns the type of tensors with element type d and the given dimensions; none for a scalar.
func Tensor(d tensor.DType, dims ...int) tensor.Type {
	return tensor.Type{DType: d, Shape: append(tensor.Shape{}, dims...)}
}

// block is a function's body or a region that is being built.
type block struct {
	*hlo.Block
	b      *Builder
	outer  *block // the block that a region stands in
	depth  int    // of regions within each other
	closed bool
	scoped bool // its operations have names of scopes
	alone  bool // it takes no values from outside but constants
}

// use returns the values to use as operands at this place; nil where one
// cannot be used.
func (b *Builder) use(vs []Value) []*hlo.Value {
	if b.m.err != nil {
		return nil
	}
	out := make([]*hlo.Value, len(vs))
	for i, v := range vs {
		if what, remedy := b.unusable(v); what != "" {
			b.fail(fmt.Sprintf("operand %d %s", i, what), remedy)
			return nil
		}
		out[i] = v.v
	}
	return out
}

// unusable says why a value cannot be used here, and what can be done.
func (b *Builder) unusable(v Value) (what, remedy string) {
	switch {
	case v.v == nil:
		return "is a zero Value", "pass what a method of this package returned"
	case v.in.b.m != b.m:
		return "belongs to another program", "build both with one Builder"
	case v.in.b != b:
		return fmt.Sprintf("belongs to function %s, not to %s", v.in.b.fn.Name, b.fn.Name), "pass it as an argument of Call"
	case v.in.closed && v.in.outer != nil:
		return "belongs to a region that has ended", "return it from the Go function that builds the region"
	}
	alone := false
	for at := b.at; at != nil; at = at.outer {
		switch {
		case at == v.in && alone && !v.constant:
			return "comes from outside of this region", "XLA takes only constants from there: make it an operand, or build it within the region"
		case at == v.in:
			return "", ""
		}
		alone = alone || at.alone
	}
	return "cannot be used in this region", "use it in the region that it was made in"
}
