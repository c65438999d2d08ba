package build_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// evaluate runs a builder's program.
func evaluate(t *testing.T, b *build.Builder, args ...*tensor.Array) []*tensor.Array {
	t.Helper()
	p, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	out, err := eval.Func(context.Background(), p.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func number(x float64) *tensor.Array {
	return tensor.FromFloats(tensor.F64, tensor.Shape{}, []float64{x})
}

func near(t *testing.T, got *tensor.Array, want float64) {
	t.Helper()
	if x := got.Floats()[0]; math.Abs(x-want) > 1e-9*(1+math.Abs(want)) {
		t.Errorf("%v, want %v", x, want)
	}
}

// TestGradients differentiates through a call and a loop, differentiates a gradient again, and uses a loss for two
// gradients: nothing is used up, and no graph need be retained.
func TestGradients(t *testing.T) {
	b := build.New("gradients")
	x, y := b.Arg("x", tensor.F64), b.Arg("y", tensor.F64)
	f := b.Func("cube")
	z := f.Arg("z", tensor.F64)
	f.Return(f.Mul(z, f.Mul(z, z)), z)
	cube := b.Call(f, x)
	power := b.For(3, []build.Value{cube[0]}, func(_ build.Value, s []build.Value) []build.Value {
		return []build.Value{b.Mul(s[0], y)}
	})[0] // x³·y³
	first := b.Gradient(power, x, y)
	again := b.Gradient(power, x)
	second := b.Gradient(b.Add(first[0], cube[1]), y, x)
	b.Return(first[0], first[1], again[0], second[0], second[1])
	out := evaluate(t, b, number(2), number(3))
	near(t, out[0], 3*4*27)
	near(t, out[1], 8*3*9)
	near(t, out[2], 3*4*27)
	near(t, out[3], 3*4*3*9)
	near(t, out[4], 6*2*27+1)
}

// TestGradientInLoop has a loop's body differentiate a loss by what the loop carries: five steps of Newton's method.
func TestGradientInLoop(t *testing.T) {
	b := build.New("newton")
	a := b.Arg("a", tensor.F64)
	root := b.For(5, []build.Value{b.Const(tensor.F64, 1.0)}, func(_ build.Value, s []build.Value) []build.Value {
		f := b.Sub(b.Mul(s[0], s[0]), a)
		return []build.Value{b.Sub(s[0], b.Div(f, b.Gradient(f, s[0])[0]))}
	})[0]
	b.Return(root, b.Gradient(root, a)[0])
	out := evaluate(t, b, number(2))
	near(t, out[0], math.Sqrt2)
	if d := out[1].Floats()[0]; math.Abs(d-1/(2*math.Sqrt2)) > 1e-6 {
		t.Errorf("the root's derivative is %v", d)
	}
}

// TestGradientMistakes names what cannot be differentiated.
func TestGradientMistakes(t *testing.T) {
	for want, body := range map[string]func(b *build.Builder, x build.Value){
		"Gradient: tensor<2xf64> is no scalar float; differentiate a loss: Sum or Mean of a tensor": func(b *build.Builder, x build.Value) {
			b.Gradient(x, x)
		},
		"Gradient: value 0 is tensor<2xi32>: only floats have derivatives; Convert it first": func(b *build.Builder, x build.Value) {
			b.Gradient(b.Sum(x), b.Convert(x, tensor.I32))
		},
		"Gradient: chlo.next_after at gradient_test.go:": func(b *build.Builder, x build.Value) {
			b.Gradient(b.Sum(b.Op("chlo.next_after", []build.Value{x, x}, nil)[0]), x)
		},
	} {
		b := build.New("mistake")
		x := b.Arg("x", tensor.F64, 2)
		body(b, x)
		if err := b.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
