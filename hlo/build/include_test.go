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

// TestInclude includes a program with a function twice, and differentiates through it.
func TestInclude(t *testing.T) {
	p := network(t)
	b := build.New("twice")
	x, v, w := b.Arg("x", tensor.F32, 4, 8), b.Arg("v", tensor.F32, 8, 8), b.Arg("w", tensor.F32, 8, 8)
	first := b.Include("first", p, x, v, w)[0]
	second := b.Include("second", p, first, w, v)[0]
	loss := b.Sum(b.Square(second))
	b.Return(first, second, b.Gradient(loss, v)[0])
	q, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	args := []*tensor.Array{ramp(4, 8), ramp(8, 8), ramp(8, 8)}
	got, err := eval.Func(context.Background(), q.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	want, err := eval.Func(context.Background(), p.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range want[0].Floats() {
		if got[0].Floats()[i] != x {
			t.Fatalf("element %d is %v, want %v", i, got[0].Floats()[i], x)
		}
	}
	largest := 0.0
	for _, x := range got[2].Floats() {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 || math.IsNaN(largest) {
		t.Errorf("the gradient is %v", got[2].Floats())
	}
}

// ramp is a matrix with small elements of both signs.
func ramp(rows, columns int) *tensor.Array {
	f := make([]float64, rows*columns)
	for i := range f {
		f[i] = float64(i*7%11)/11 - 0.4
	}
	return tensor.FromFloats(tensor.F32, tensor.Shape{rows, columns}, f)
}

// TestIncludeRefuses: names that are taken, and no program.
func TestIncludeRefuses(t *testing.T) {
	p := network(t)
	for name, f := range map[string]func(b *build.Builder, x build.Value){
		"taken or empty": func(b *build.Builder, x build.Value) { b.Include("main", p, x, x, x) },
		`""`:             func(b *build.Builder, x build.Value) { b.Include("", p, x, x, x) },
		"nil":            func(b *build.Builder, x build.Value) { b.Include("model", nil, x) },
		"takes":          func(b *build.Builder, x build.Value) { b.Include("model", p, x) },
	} {
		b := build.New("refused")
		f(b, b.Arg("x", tensor.F32, 4, 8))
		if err := b.Err(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q in it", err, name)
		}
	}
}
