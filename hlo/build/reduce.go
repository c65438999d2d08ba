package build

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Sum returns the sums of x's elements along the given dimensions, which the result does not have; along all
// dimensions if none is given. A negative dimension counts from the end: −1 is the last one.
func (b *Builder) Sum(x Value, dims ...int) Value { return b.fold(hlo.OpAdd, x, dims) }

// Prod returns the product of x's elements along the given dimensions, as Sum takes them.
func (b *Builder) Prod(x Value, dims ...int) Value { return b.fold(hlo.OpMultiply, x, dims) }

// ReduceMax returns the largest element along the given dimensions, as Sum takes them.
func (b *Builder) ReduceMax(x Value, dims ...int) Value {
	return b.fold(hlo.OpMaximum, x, dims)
}

// ReduceMin returns the smallest element along the given dimensions, as Sum takes them.
func (b *Builder) ReduceMin(x Value, dims ...int) Value {
	return b.fold(hlo.OpMinimum, x, dims)
}

// All returns the AND of bools along the given dimensions, as Sum takes them.
func (b *Builder) All(x Value, dims ...int) Value { return b.fold(hlo.OpAnd, x, dims) }

// Any returns the OR of bools along the given dimensions, as Sum takes them.
func (b *Builder) Any(x Value, dims ...int) Value { return b.fold(hlo.OpOr, x, dims) }

// Mean returns the mean of floats along the given dimensions, as Sum takes them.
func (b *Builder) Mean(x Value, dims ...int) Value {
	n := 1
	for _, d := range allDims(dims, x.Rank()) {
		n *= x.Dim(int(d))
	}
	return b.Div(b.Sum(x, dims...), n)
}

// allDims are dimension numbers from 0 on; all where none are given.
func allDims(dims []int, rank int) []int64 {
	if len(dims) > 0 {
		return fromEnds(dims, rank)
	}
	all := make([]int64, rank)
	for i := range all {
		all[i] = int64(i)
	}
	return all
}

// fold reduces x by an elementwise operation of two operands.
func (b *Builder) fold(name string, x Value, dims []int) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	init := b.identity(name, x.DType())
	return b.op(hlo.OpReduce, nil, []Value{x, init}, hlo.Attrs{"dimensions": allDims(dims, x.Rank())}, []Region{b.combine(name)})[0]
}

// combine is the region of an operation of two elements.
func (b *Builder) combine(name string) Region {
	return func(p []Value) []Value { return []Value{b.one(name, nil, p...)} }
}

// identity is the element that leaves others as they are.
func (b *Builder) identity(name string, d tensor.DType) Value {
	var x any = 0
	if d.IsComplex() && name != hlo.OpAdd && name != hlo.OpMultiply {
		b.fail(fmt.Sprintf("elements of type %v have no order and no bits", d), "reduce Real and Imag")
		return Value{}
	}
	switch name {
	case hlo.OpMultiply:
		x = 1
	case hlo.OpAnd:
		x = -1
		if !d.IsSigned() {
			x = uint64(math.MaxUint64) >> (64 - max(1, d.Bits()))
		}
	case hlo.OpMaximum:
		x = d.Extreme(-1)
	case hlo.OpMinimum:
		x = d.Extreme(1)
	}
	if d == tensor.Bool {
		x = name == hlo.OpMultiply || name == hlo.OpAnd || name == hlo.OpMinimum
	}
	return b.number(d, x)
}

// Reduce combines the elements of xs, which have one shape, along the dimensions dims, and returns a result for each
// of xs. body gets one element of each operand, then another one of each, all as scalars, and returns their
// combination, which must be associative. inits are the neutral elements, one for each operand: scalar Values or Go
// numbers.
func (b *Builder) Reduce(xs []Value, inits []any, dims []int, body func(x, y []Value) []Value) []Value {
	operands, ok := b.withInits(xs, inits)
	if !ok {
		return make([]Value, len(xs))
	}
	return b.op(hlo.OpReduce, nil, operands, hlo.Attrs{"dimensions": fromEnds(dims, xs[0].Rank())}, []Region{halves(body)})
}

// withInits are the operands of a reduction.
func (b *Builder) withInits(xs []Value, inits []any) ([]Value, bool) {
	if !b.writable() || b.use(xs) == nil {
		return nil, false
	}
	if len(xs) == 0 || len(inits) != len(xs) {
		b.fail("operands and initial values are not as many", "give an initial value for each operand")
		return nil, false
	}
	operands := slices.Clone(xs)
	for i, x := range inits {
		operands = append(operands, b.bound(x, xs[i].DType()))
	}
	return operands, b.m.err == nil
}

// halves is a region whose parameters are two halves.
func halves(body func(x, y []Value) []Value) Region {
	if body == nil {
		return nil
	}
	return func(p []Value) []Value { return body(p[:len(p)/2], p[len(p)/2:]) }
}

// pair is a region of two parameters.
func pair(body func(x, y Value) Value) Region {
	if body == nil {
		return nil
	}
	return func(p []Value) []Value { return []Value{body(p[0], p[1])} }
}
