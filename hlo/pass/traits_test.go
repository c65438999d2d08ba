package pass

import (
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// functions returns the canonical elementwise operations of one operand with a trait.
func functions(t *testing.T, trait hlo.Traits) (names []string) {
	t.Helper()
	for _, name := range hlo.With(hlo.Elementwise | trait) {
		if eval.Float(name) != nil && !hlo.Has(name, hlo.Alias) {
			names = append(names, name)
		}
	}
	if len(names) < 10 {
		t.Fatalf("only %v have the trait", names)
	}
	return names
}

func printedAs(name string) string {
	if strings.HasPrefix(name, "chlo.") {
		return name + " %0 : tensor<6x6xf32> -> tensor<6x6xf32>"
	}
	return name + " %0 : tensor<6x6xf32>"
}

// Every increasing function is moved behind a max-pool, and no other.
func TestMonotoneFunctions(t *testing.T) {
	for _, name := range functions(t, 0) {
		sign, _, _ := (&hlo.Op{Name: name}).Monotone()
		want := "tensor<6x6xf32>"
		if sign > 0 {
			want = "tensor<3x3xf32>"
		}
		before := "%0 = stablehlo.add %a, %b : tensor<6x6xf32>\n %x = " + printedAs(name)
		c := sample{name: name, args: "6x6xf32@0 6x6xf32@1", body: pooled(before, "0xFF800000", "0", "3x3xf32"), outs: "3x3xf32"}
		p, o := c.parsed(t)
		q := monotone.Apply(p, o)
		if err := q.Verify(); err != nil {
			t.Fatal(err)
		}
		if n := counts(q); n[strings.TrimPrefix(name, "stablehlo.")+" "+want] != 1 {
			t.Errorf("%s (monotone %d) is not computed once on %s: %v", name, sign, want, n)
		}
	}
}

// A function that increases from … to does so: f(x) ≤ f(y) for x < y. One that decreases, likewise.
func TestMonotoneHolds(t *testing.T) {
	for _, name := range functions(t, 0) {
		sign, from, to := (&hlo.Op{Name: name}).Monotone()
		if sign == 0 {
			continue
		}
		f, last := eval.Float(name), math.NaN()
		for x := max(from, -6); x <= min(to, 6); x += 1. / 64 {
			y := f(x)
			if math.IsNaN(y) || float64(sign)*(y-last) < 0 {
				t.Errorf("%s(%v) is %v, after %v", name, x, y, last)
				break
			}
			last = y
		}
	}
}

// Every expensive function is moved before a broadcast.
func TestExpensiveFunctions(t *testing.T) {
	for _, name := range functions(t, hlo.Expensive) {
		c := sample{name: name, args: "6xf32@0 6xf32@1", outs: "6x6xf32", body: `
 %x = stablehlo.add %a, %b : tensor<6xf32>
 %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<6xf32>) -> tensor<6x6xf32>
 %r = ` + printedAs(name) + `
 return %r : tensor<6x6xf32>`}
		p, o := c.parsed(t)
		q := views.Apply(p, o)
		if err := q.Verify(); err != nil {
			t.Fatal(err)
		}
		if n := counts(q); n[strings.TrimPrefix(name, "stablehlo.")+" tensor<6xf32>"] != 1 {
			t.Errorf("%s is not computed before the broadcast: %v", name, n)
		}
	}
}

// A select and a clamp whose bounds or predicate are scalars stay valid when they are moved before a broadcast.
func TestExpensiveWithScalars(t *testing.T) {
	c := sample{args: "6xf32@0 6xf32@1", outs: "6x6xf32", body: `
 %x = stablehlo.add %a, %b : tensor<6xf32>
 %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<6xf32>) -> tensor<6x6xf32>
 %l = stablehlo.constant dense<-1.0> : tensor<f32>
 %h = stablehlo.constant dense<1.0> : tensor<f32>
 %p = stablehlo.constant dense<true> : tensor<i1>
 %k = stablehlo.constant dense<2.0> : tensor<6x6xf32>
 %c = stablehlo.clamp %l, %0, %h : (tensor<f32>, tensor<6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
 %r = stablehlo.select %p, %c, %k : tensor<i1>, tensor<6x6xf32>
 return %r : tensor<6x6xf32>`}
	p, o := c.parsed(t)
	q := views.Apply(p, o)
	if err := q.Verify(); err != nil {
		t.Fatal(err)
	}
	if n := counts(q); n["clamp tensor<6xf32>"] != 1 {
		t.Errorf("the clamp is not computed before the broadcast: %v", n)
	}
	args := []*tensor.Array{
		tensor.FromFloats(tensor.F32, tensor.Shape{6}, []float64{-3, -1, 0, 0.25, 1, 3}),
		tensor.FromFloats(tensor.F32, tensor.Shape{6}, []float64{0, 0.5, 0, 0, 0, 0}),
	}
	want, err := eval.Func(t.Context(), p.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	got, err := eval.Func(t.Context(), q.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range want[0].Floats() {
		if y := got[0].Floats()[i]; x != y {
			t.Errorf("element %d is %v, want %v", i, y, x)
		}
	}
}

// Constants are seen through every operation that only moves elements.
func TestSplatThroughViews(t *testing.T) {
	c := sample{args: "3xf32@0 3xf32@1", outs: "3xf32", body: `
 %x = stablehlo.add %a, %b : tensor<3xf32>
 %k = stablehlo.constant dense<4.0> : tensor<5xf32>
 %1 = stablehlo.reverse %k, dims = [0] : tensor<5xf32>
 %2 = stablehlo.slice %1 [1:4] : (tensor<5xf32>) -> tensor<3xf32>
 %y = stablehlo.divide %x, %2 : tensor<3xf32>
 %r = stablehlo.negate %y : tensor<3xf32>
 return %r : tensor<3xf32>`}
	p, o := c.parsed(t)
	if n := counts(constants.Apply(p, o)); n["divide"] != 0 || n["multiply"] != 1 {
		t.Errorf("a negated quotient by a sliced constant is not one product: %v", n)
	}
}
