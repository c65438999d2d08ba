package build_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Each mistake gives one error of one line, of this file and the line of the
// call; what follows does nothing.
func TestMisuse(t *testing.T) {
	var line int // of the mistake
	here := func() {
		_, _, line, _ = runtime.Caller(1)
		line++
	}
	for _, c := range []struct {
		name, want string
		build      func(b *build.Builder, x, y build.Value)
	}{
		{"another program's value", "Add: operand 0 belongs to another program; build both with one Builder", func(b *build.Builder, x, y build.Value) {
			z := build.New("other").Arg("z", tensor.F32, 4, 6)
			here()
			b.Add(x, z)
		}},
		{"another function's value", "Tanh: operand 0 belongs to function main, not to f; pass it as an argument of Call", func(b *build.Builder, x, y build.Value) {
			f := b.Func("f")
			here()
			f.Tanh(x)
		}},
		{"a region's value outside", "Tanh: operand 0 belongs to a region that has ended; return it from the Go function that builds the region", func(b *build.Builder, x, y build.Value) {
			var inner build.Value
			b.For(3, []build.Value{x}, func(i build.Value, s []build.Value) []build.Value {
				inner = b.Add(s[0], 1)
				return s
			})
			here()
			b.Tanh(inner)
		}},
		{"a value from outside of a reduction", "Mul: operand 0 comes from outside of this region; XLA takes only constants from there: make it an operand, or build it within the region", func(b *build.Builder, x, y build.Value) {
			s, c := b.Sum(x), b.Const(tensor.F32, 2)
			b.Reduce([]build.Value{x}, []any{0}, []int{0}, func(x, y []build.Value) []build.Value {
				sum := b.Add(x[0], b.Mul(y[0], c)) // constants may
				here()
				return []build.Value{b.Mul(sum, s)}
			})
		}},
		{"a region's value in its sibling", "If: operand 0 belongs to a region that has ended", func(b *build.Builder, x, y build.Value) {
			p := b.Arg("p", tensor.Bool)
			var inner build.Value
			here()
			b.If(p, func() []build.Value { inner = b.Tanh(x); return []build.Value{inner} }, func() []build.Value { return []build.Value{inner} })
		}},
		{"a zero Value", "Dot: operand 1 is a zero Value; pass what a method of this package returned", func(b *build.Builder, x, y build.Value) {
			here()
			b.Dot(x, build.Value{})
		}},
		{"shapes that do not broadcast", "Add: operands have shapes [4 6] and [4]; dimensions must be equal or 1, aligned at the end: Reshape or Broadcast an operand", func(b *build.Builder, x, y build.Value) {
			here()
			b.Add(x, y)
		}},
		{"a wrong contraction", "Dot: cannot contract 6 elements of tensor<4x6xf32> with 4 of tensor<4xf32>; transpose or slice an operand", func(b *build.Builder, x, y build.Value) {
			here()
			b.Dot(x, y)
		}},
		{"a rule of the registry", "DotGeneral: dimensions [0] of tensor<4x6xf32> are incompatible with [1] of tensor<4x6xf32>; see https://openxla.org/stablehlo/spec#dot_general", func(b *build.Builder, x, y build.Value) {
			here()
			b.DotGeneral(x, x, hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{1}})
		}},
		{"element types", "Mul: operands have elements of types f32 and i32; Convert one of them", func(b *build.Builder, x, y build.Value) {
			here()
			b.Mul(x, b.Iota(tensor.I32, 0, 4, 6))
		}},
		{"an element type that an operation lacks", "Sigmoid: operand 0 has elements of type i32, but takes floats, complex numbers", func(b *build.Builder, x, y build.Value) {
			here()
			b.Sigmoid(b.Iota(tensor.I32, 0, 4))
		}},
		{"a fraction as an integer", "Add: 0.5 is no value of type i32; use a number of the operands' element type, or Convert", func(b *build.Builder, x, y build.Value) {
			here()
			b.Add(b.Iota(tensor.I32, 0, 4), 0.5)
		}},
		{"an integer that overflows", "Const: 128 is no value of type i8", func(b *build.Builder, x, y build.Value) {
			here()
			b.Const(tensor.I8, 128)
		}},
		{"a negative unsigned integer", "Const: -1 is no value of type ui8", func(b *build.Builder, x, y build.Value) {
			here()
			b.Const(tensor.U8, -1)
		}},
		{"a float that overflows", "Const: 70000 is no value of type f16", func(b *build.Builder, x, y build.Value) {
			here()
			b.Const(tensor.F16, 70000)
		}},
		{"a string as a number", "Add: one is no value of type f32", func(b *build.Builder, x, y build.Value) {
			here()
			b.Add(x, "one")
		}},
		{"nil as a number", "Max: <nil> is no value of type f32", func(b *build.Builder, x, y build.Value) {
			here()
			b.Max(nil, x)
		}},
		{"numbers only", "Add: no operand is a Value; make one of them with Const", func(b *build.Builder, x, y build.Value) {
			here()
			b.Add(1, 2)
		}},
		{"an argument's name twice", "Arg: there is an argument x; choose another name", func(b *build.Builder, x, y build.Value) {
			here()
			b.Arg("x", tensor.F32)
		}},
		{"an argument's name", `Arg: "my x" is no name of an argument; use letters, digits and _, a letter first`, func(b *build.Builder, x, y build.Value) {
			here()
			b.Arg("my x", tensor.F32)
		}},
		{"an argument's shape", "Arg: tensor: negative dimension -1", func(b *build.Builder, x, y build.Value) {
			here()
			b.Arg("z", tensor.F32, -1)
		}},
		{"an argument's element type", "Arg: there is no element type dtype(99)", func(b *build.Builder, x, y build.Value) {
			here()
			b.Arg("z", 99)
		}},
		{"a function's name twice", "Func: there is a function main; choose another name", func(b *build.Builder, x, y build.Value) {
			here()
			b.Func("main")
		}},
		{"a nil region", "While: the Go function of a region is nil; pass the function that builds the region", func(b *build.Builder, x, y build.Value) {
			here()
			b.While([]build.Value{x}, nil, nil)
		}},
		{"a nil loop", "For: the Go function of a region is nil", func(b *build.Builder, x, y build.Value) {
			here()
			b.For(3, []build.Value{x}, nil)
		}},
		{"a nil branch", "If: the Go function of a region is nil", func(b *build.Builder, x, y build.Value) {
			here()
			b.If(b.Const(tensor.Bool, true), func() []build.Value { return nil }, nil)
		}},
		{"a nil order", "Sort: the Go function of a region is nil", func(b *build.Builder, x, y build.Value) {
			here()
			b.Sort([]build.Value{x}, 0, nil)
		}},
		{"a nil reducer", "Reduce: the Go function of a region is nil", func(b *build.Builder, x, y build.Value) {
			here()
			b.Reduce([]build.Value{x}, []any{0}, []int{0}, nil)
		}},
		{"a nil scope", "Scope: the Go function is nil", func(b *build.Builder, x, y build.Value) {
			here()
			b.Scope("layer", nil)
		}},
		{"a scope without a name", "Scope: a scope has no name", func(b *build.Builder, x, y build.Value) {
			here()
			b.Scope("", func() {})
		}},
		{"a loop that changes a type", "For: region 1 returns [tensor<i32> tensor<f32>], but must return [tensor<i32> tensor<4xf32>]; see https://openxla.org/stablehlo/spec#while", func(b *build.Builder, x, y build.Value) {
			here()
			b.For(3, []build.Value{y}, func(i build.Value, s []build.Value) []build.Value { return []build.Value{b.Sum(s[0])} })
		}},
		{"a mistake within a region", "Tanh: operand 0 has elements of type i32", func(b *build.Builder, x, y build.Value) {
			b.For(3, []build.Value{y}, func(i build.Value, s []build.Value) []build.Value {
				here()
				b.Tanh(i)
				return s
			})
		}},
		{"too many values", "While: operand 0 belongs to another program", func(b *build.Builder, x, y build.Value) {
			here()
			b.While([]build.Value{build.New("z").Arg("z", tensor.F32)}, func(s []build.Value) build.Value { return s[0] },
				func(s []build.Value) []build.Value { return s })
		}},
		{"an unknown operation", "stablehlo.ad: unknown operation; Tacet knows the operations of StableHLO and chlo", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.ad", []build.Value{x}, nil)
		}},
		{"a refused operation", "stablehlo.infeed: not supported; a program's inputs are its arguments", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.infeed", nil, nil)
		}},
		{"an operation's return", "stablehlo.return: is written by this package; call Return", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.return", []build.Value{x}, nil)
		}},
		{"too few operands", "stablehlo.reduce: has 0 operands, but takes at least 2", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.reduce", nil, nil, func(p []build.Value) []build.Value { return p })
		}},
		{"an attribute that is not there", "stablehlo.transpose: unknown attribute dims; see https://openxla.org/stablehlo/spec#transpose", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.transpose", []build.Value{x}, hlo.Attrs{"dims": []int{1, 0}})
		}},
		{"an attribute's type", "stablehlo.transpose: attribute permutation must be a list of integers", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.transpose", []build.Value{x}, hlo.Attrs{"permutation": "10"})
		}},
		{"a nil attribute", "stablehlo.dot_general: attribute dot_dimension_numbers is nil", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.dot_general", []build.Value{x, x}, hlo.Attrs{"dot_dimension_numbers": (*hlo.DotDims)(nil)})
		}},
		{"a nil array", "Array: the array is nil; pass an array", func(b *build.Builder, x, y build.Value) {
			here()
			b.Array(nil)
		}},
		{"an array with other elements", "Array: attribute value holds elements of type []int8, but tensor<2xf32> takes []float32", func(b *build.Builder, x, y build.Value) {
			here()
			b.Array(&tensor.Array{Type: build.Tensor(tensor.F32, 2), Data: []int8{1, 2}})
		}},
		{"an array with few elements", "Array: attribute value holds 1 elements, but tensor<2xf32> has 2", func(b *build.Builder, x, y build.Value) {
			here()
			b.Array(&tensor.Array{Type: build.Tensor(tensor.F32, 2), Data: []float32{1}})
		}},
		{"an attribute of a foreign type", "stablehlo.custom_call: attribute backend_config holds func()", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.custom_call", nil, hlo.Attrs{"call_target_name": "f", "backend_config": func() {}})
		}},
		{"an enumeration without its name", "stablehlo.custom_call: an attribute of type hlo.Enum has no text; give the attribute as hlo.Opaque text", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.custom_call", nil, hlo.Attrs{"call_target_name": "f", "backend_config": hlo.Enum("LT")})
			b.Return()
		}},
		{"types that must be given", "stablehlo.convert: its operands do not determine the result types: give them; see https://openxla.org/stablehlo/spec#convert", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("stablehlo.convert", []build.Value{x}, nil)
		}},
		{"a type that does not follow", "stablehlo.tanh: result 0 has type tensor<f32>, but its operands and attributes give tensor<4xf32>", func(b *build.Builder, x, y build.Value) {
			here()
			b.TypedOp("stablehlo.tanh", []tensor.Type{{DType: tensor.F32}}, []build.Value{y}, nil)
		}},
		{"an unknown function", "func.call: there is no function f; begin it with Func", func(b *build.Builder, x, y build.Value) {
			here()
			b.Op("func.call", nil, hlo.Attrs{"callee": "f"})
		}},
		{"a nil function", "Call: the function is nil", func(b *build.Builder, x, y build.Value) {
			here()
			b.Call(nil, x)
		}},
		{"a function of another program", "Call: the function main belongs to another program", func(b *build.Builder, x, y build.Value) {
			here()
			b.Call(build.New("other"), x)
		}},
		{"recursion", "Call: function f has not returned; finish it with Return first; loops are written with While, not with recursion", func(b *build.Builder, x, y build.Value) {
			f := b.Func("f")
			here()
			f.Call(f)
		}},
		{"a call's arguments", "Call: passes [], but function @f takes [tensor<4xf32>]; pass what the function's Arg declares", func(b *build.Builder, x, y build.Value) {
			f := b.Func("f")
			f.Return(f.Arg("x", tensor.F32, 4))
			here()
			b.Call(f)
		}},
		{"a function without Return", "Func: function f does not return; end it with Return", func(b *build.Builder, x, y build.Value) {
			here()
			b.Func("f")
			b.Return(x)
		}},
		{"Return within a region", "Return: within a region; return the region's values from its Go function", func(b *build.Builder, x, y build.Value) {
			b.If(b.Const(tensor.Bool, true), func() []build.Value {
				here()
				b.Return(x)
				return nil
			}, func() []build.Value { return nil })
		}},
		{"an argument within a region", "Arg: within a region; declare arguments outside of regions", func(b *build.Builder, x, y build.Value) {
			b.If(b.Const(tensor.Bool, true), func() []build.Value {
				here()
				b.Arg("z", tensor.F32)
				return nil
			}, func() []build.Value { return nil })
		}},
		{"Return twice", "Return: function main has returned; call Return last", func(b *build.Builder, x, y build.Value) {
			b.Return(x)
			here()
			b.Return(x)
		}},
		{"an operation after Return", "Tanh: function main has returned; call Return last", func(b *build.Builder, x, y build.Value) {
			b.Return(x)
			here()
			b.Tanh(x)
		}},
		{"a shape of other elements", "Reshape: the 24 elements of tensor<4x6xf32> have no shape [5 -1]", func(b *build.Builder, x, y build.Value) {
			here()
			b.Reshape(x, 5, -1)
		}},
		{"a broadcast to less", "Broadcast: tensor<4x6xf32> does not broadcast to dimensions [4 1]", func(b *build.Builder, x, y build.Value) {
			here()
			b.Broadcast(x, 4, 1)
		}},
		{"a softmax along nothing", "Softmax: tensor<4x6xf32> has no dimension 2", func(b *build.Builder, x, y build.Value) {
			here()
			b.Softmax(x, 2)
		}},
		{"a reduction along nothing", "Sum: dimensions names dimension 5, but there are 2", func(b *build.Builder, x, y build.Value) {
			here()
			b.Sum(x, 5)
		}},
		{"a largest complex number", "ReduceMax: elements of type complex<f32> have no order and no bits; reduce Real and Imag", func(b *build.Builder, x, y build.Value) {
			z := b.Complex(x, x)
			here()
			b.ReduceMax(z)
		}},
		{"few initial values", "Reduce: operands and initial values are not as many", func(b *build.Builder, x, y build.Value) {
			here()
			b.Reduce([]build.Value{x}, nil, []int{0}, func(x, y []build.Value) []build.Value { return x })
		}},
		{"a dilated window", "SelectAndScatter: the window is dilated", func(b *build.Builder, x, y build.Value) {
			here()
			b.SelectAndScatter(x, x, 0, build.Window{Size: []int{1, 1}, Dilation: []int{2, 2}}, nil, nil)
		}},
		{"a huge result", "Broadcast: result 0: tensor: shape [1099511627776 4 6] holds more than 2^40 elements", func(b *build.Builder, x, y build.Value) {
			here()
			b.Broadcast(x, 1<<40, 4, 6)
		}},
		{"deep regions", "If: regions are nested too deep; put inner ones into functions", func(b *build.Builder, x, y build.Value) {
			p := b.Const(tensor.Bool, true)
			var deeper func() []build.Value
			deeper = func() []build.Value {
				if b.Err() != nil {
					return nil
				}
				here()
				return b.If(p, deeper, deeper)
			}
			deeper()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := build.New("misuse")
			x, y := b.Arg("x", tensor.F32, 4, 6), b.Arg("y", tensor.F32, 4)
			c.build(b, x, y)
			at := line
			if b.Err() != nil {
				b.Tanh(b.Const(tensor.I32, 1.5)) // a later mistake
			}
			p, err := b.Program()
			want := fmt.Sprintf("misuse_test.go:%d: %s", at, c.want)
			if p != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Fatalf("got %v\nwant %s", err, want)
			}
			var e *build.Error
			if !errors.As(err, &e) || e.Hint == "" || strings.Contains(err.Error(), "\n") || b.Err() != err {
				t.Errorf("got %#v, and %v", err, b.Err())
			}
		})
	}
}

// A program without Return is refused at New.
func TestNoReturn(t *testing.T) {
	b := build.New("empty")
	_, err := b.Program()
	if want := "New: function main does not return; end it with Return"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

// After a mistake methods return as many zero Values as ever, so that programs
// which index them do not panic.
func TestAfterMistake(t *testing.T) {
	b := build.New("mistaken")
	x := b.Arg("x", tensor.F32, 4, 6)
	f := b.Func("f")
	f.Return(f.Arg("y", tensor.F32), f.Const(tensor.F32, 1))
	b.Add(x, "one")
	zeros := b.Sort([]build.Value{x, x}, 0, nil)
	zeros = append(zeros, b.While([]build.Value{x}, nil, nil)[0], b.For(3, []build.Value{x}, nil)[0], b.Call(f)[1])
	zeros = append(zeros, b.If(x, func() []build.Value { return []build.Value{x, x} }, nil)[1])
	zeros = append(zeros, b.Reduce([]build.Value{x, x}, nil, nil, nil)[1], b.ReduceWindow([]build.Value{x}, nil, build.Window{}, nil)[0])
	zeros = append(
		zeros,
		b.Op("stablehlo.batch_norm_training", nil, nil)[2],
		b.Custom("f", []tensor.Type{x.Type()}, nil)[0],
		b.Arg("z", tensor.F32, 3),
	)
	zeros = append(
		zeros,
		b.Select(x, 1, 2),
		b.Clamp(0, x, 1),
		b.Softmax(x, 9),
		b.Silu(x), b.Gelu(x), b.GeluTanh(x),
		b.Take(x, x, 7),
		b.Mean(x, 8),
		b.Concat(3),
		b.Const(99, 1),
		b.Reveal(x),
	)
	for i, v := range zeros {
		if v != (build.Value{}) || v.Dim(0) != 0 || v.Rank() != 0 || v.String() != "no value" {
			t.Errorf("%d: got %v", i, v)
		}
	}
	if err := b.Err(); err == nil || !strings.Contains(err.Error(), "Add: one is no value of type f32") {
		t.Errorf("got %v", err)
	}
}
