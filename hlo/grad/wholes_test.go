package grad_test

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/grad"
	"github.com/tacet-mpc/tacet/tensor"
)

// normal is x normalised along its last dimension: by a quotient, or by a product with 1/√(v + 1e-3).
func normal(b *build.Builder, x build.Value, centred, quotient bool) build.Value {
	mean := func(v build.Value) build.Value {
		return b.BroadcastInDim(b.Reshape(b.Mean(v, -1), 2, 3, 1), []int{0, 1, 2}, 2, 3, 4)
	}
	d := x
	if centred {
		d = b.Sub(x, mean(x))
	}
	v := b.Add(mean(b.Mul(d, d)), 1e-3)
	if quotient {
		return b.Div(d, b.Sqrt(v))
	}
	return b.Mul(d, b.Rsqrt(v))
}

// wholeCases are functions that are differentiated as wholes.
var wholeCases = []struct {
	name string
	f    func(b *build.Builder, x build.Value) build.Value
}{
	{"layer norm", func(b *build.Builder, x build.Value) build.Value { return normal(b, x, true, false) }},
	{"layer norm by a quotient", func(b *build.Builder, x build.Value) build.Value { return normal(b, x, true, true) }},
	{"RMS norm", func(b *build.Builder, x build.Value) build.Value { return normal(b, x, false, false) }},
	{"gelu by tanh", func(b *build.Builder, x build.Value) build.Value {
		u := b.Mul(0.7978845608028654, b.Add(x, b.Mul(0.044715, b.Mul(x, b.Mul(x, x)))))
		return b.Mul(b.Mul(0.5, x), b.Add(1.0, b.Tanh(u)))
	}},
	{"gelu by erf", func(b *build.Builder, x build.Value) build.Value {
		return b.Mul(b.Mul(0.5, x), b.Add(1.0, b.Erf(b.Mul(x, math.Sqrt2/2))))
	}},
}

// TestWholes compares the derivatives of functions recognised as wholes with differences.
func TestWholes(t *testing.T) {
	for _, c := range wholeCases {
		t.Run(c.name, func(t *testing.T) {
			b := build.New("whole")
			b.Return(c.f(b, b.Arg("x", tensor.F64, 2, 3, 4)))
			p, err := b.Program()
			if err != nil {
				t.Fatal(err)
			}
			if n := grad.Wholes(p); n != 1 {
				t.Fatalf("%d functions have a derivative as a whole, want 1", n)
			}
			check(t, p, -1.5, 1.5, true)
		})
	}
}
