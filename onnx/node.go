package onnx

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// has reports whether the node has input i.
func (x *node) has(i int) bool {
	return i >= 0 && i < len(x.in) && x.in[i] != nil && x.in[i].kind != isNothing
}

// value returns input i.
func (x *node) value(i int) *value {
	if !x.has(i) {
		x.fail("the file is damaged", "input %d is missing", i)
	}
	return x.in[i]
}

// v returns input i, a tensor, in the program.
func (x *node) v(i int) build.Value { return x.of1(x.value(i)) }

// of1 returns a value in the program that is being built.
func (x *node) of1(v *value) build.Value {
	if v.kind != isTensor {
		x.fail("the file is damaged", "an input is no tensor of numbers")
	}
	if !x.folding {
		return x.im.materialise(v)
	}
	if at, ok := x.local[v]; ok {
		return at
	}
	if !v.isKnown() { // a value that the operation has made while it is folded
		return *v.built
	}
	a := v.elements()
	at := x.b.Arg(fmt.Sprintf("v%d", len(x.args)), a.DType, a.Shape...)
	x.args = append(x.args, a)
	x.local[v] = at
	return at
}

// typ returns the type of input i.
func (x *node) typ(i int) tensor.Type {
	v := x.value(i)
	if v.kind != isTensor {
		x.fail("the file is damaged", "input %d is no tensor of numbers", i)
	}
	return v.typ
}

func (x *node) shape(i int) tensor.Shape { return x.typ(i).Shape }

// array returns the elements of input i, which must be known during the import.
func (x *node) array(i int) *tensor.Array {
	v := x.value(i)
	if !v.isKnown() || v.kind != isTensor {
		x.stop("unsupported", "make it a constant of the model, or give its value when the model is imported", "input %d (%s) depends on the model's inputs, and must be known",
			i, x.n.Inputs[i])
	}
	return v.elements()
}

// numbers returns the elements of input i, integers.
func (x *node) numbers(i int) []int {
	a := x.array(i)
	if !a.DType.IsInt() {
		x.fail("the file is damaged", "input %d has elements of type %v, want integers", i, a.DType)
	}
	return x.listed(a)
}

func (x *node) listed(a *tensor.Array) []int {
	out := make([]int, a.Len())
	if v, ok := a.Data.([]int64); ok {
		for i, n := range v {
			out[i] = x.small(n)
		}
		return out
	}
	for i, f := range a.Floats() {
		out[i] = int(f)
	}
	return out
}

// number returns the only element of input i, a number that is known.
func (x *node) number(i int) float64 {
	a := x.array(i)
	if a.Len() != 1 || a.DType.IsComplex() {
		x.fail("the file is damaged", "input %d has %d elements, want one number", i, a.Len())
	}
	return a.Floats()[0]
}

// one is a list of one result.
func one(v build.Value) []*value { return []*value{computed(v)} }

// several is a list of results.
func several(vs ...build.Value) []*value {
	out := make([]*value, len(vs))
	for i, v := range vs {
		out[i] = computed(v)
	}
	return out
}

// known is a list of one result with these elements.
func known(a *tensor.Array) []*value { return []*value{constant(a)} }

// int64s is a vector of integers.
func int64s(list ...int) *tensor.Array {
	out := make([]int64, len(list))
	for i, n := range list {
		out[i] = int64(n)
	}
	return &tensor.Array{Type: tensor.Type{DType: tensor.I64, Shape: tensor.Shape{len(out)}}, Data: out}
}

// axis is a dimension number counted from 0 on, of a tensor with this rank.
func (x *node) axis(a, rank int) int {
	out := a
	if out < 0 {
		out += rank
	}
	if out < 0 || out >= rank {
		x.fail("the file is damaged, or its inputs have other shapes", "there is no dimension %d in a tensor of %d dimensions", a, rank)
	}
	return out
}

// axes are dimension numbers, each one once.
func (x *node) axes(list []int, rank int) []int {
	out := make([]int, len(list))
	seen := make([]bool, rank)
	for i, a := range list {
		out[i] = x.axis(a, rank)
		if seen[out[i]] {
			x.fail("the file is damaged", "dimension %d is named twice", a)
		}
		seen[out[i]] = true
	}
	return out
}

// constant returns a constant in the program: a of rank 0 or more.
func (x *node) constant(a *tensor.Array) build.Value { return literal(x.b, a) }

// scalar returns a constant of rank 0.
func (x *node) scalar(d tensor.DType, number any) build.Value { return x.b.Const(d, number) }

// ensureDims fails unless input i has a rank from least to most.
func (x *node) ensureDims(i, least, most int) tensor.Shape {
	s := x.shape(i)
	if len(s) < least || len(s) > most {
		x.fail("the file is damaged, or its inputs have other shapes", "input %d has %d dimensions, want %d to %d", i, len(s), least, most)
	}
	return s
}

// few fails if an operation needs a list of more than maxFolded numbers during the import.
func (x *node) few(counts ...int) {
	n := 1
	for _, c := range counts {
		if c > 0 && n > maxFolded/c {
			x.unsupported("use smaller tensors", "the operation needs a list of %v numbers during the import", counts)
		}
		n *= max(1, c)
	}
}

// sized fails if a result would be larger than a program's tensors.
func (x *node) sized(shape []int) []int {
	n := 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > 1<<31/d {
			x.fail("the file is damaged, or its inputs have other shapes", "the result would have the shape %v", shape)
		}
		n *= d
	}
	return shape
}
