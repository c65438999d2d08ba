package grad_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/grad"
	"github.com/tacet-mpc/tacet/tensor"
)

// parse reads a program.
func parse(t testing.TB, text string) *hlo.Program {
	t.Helper()
	p, err := hlo.Parse("test.mlir", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// run evaluates a program.
func run(t testing.TB, p *hlo.Program, args []*tensor.Array) []*tensor.Array {
	t.Helper()
	out, err := eval.Func(context.Background(), p.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// floats lists the numbers of main's float arguments.
func floats(p *hlo.Program) (wrt []int) {
	for i, v := range p.Main.Body.Params {
		if v.Type.DType.IsFloat() {
			wrt = append(wrt, i)
		}
	}
	return wrt
}

// random returns an array of type t: floats between lo and hi, integers between 0 and 3.
func random(r *rand.Rand, t tensor.Type, lo, hi float64) *tensor.Array {
	n := t.Shape.Size()
	if !t.DType.IsFloat() {
		w := make([]uint64, n)
		for i := range w {
			w[i] = uint64(r.IntN(4))
			if t.DType == tensor.Bool {
				w[i] &= 1
			}
		}
		return tensor.FromWords(t.DType, t.Shape, w)
	}
	f := make([]float64, n)
	for i := range f {
		f[i] = lo + (hi-lo)*r.Float64()
	}
	return tensor.FromFloats(t.DType, t.Shape, f)
}

// numeric returns the derivative of the sum of result k times ct along one element of argument a, by differences.
func numeric(t testing.TB, p *hlo.Program, args []*tensor.Array, k int, ct []float64, a, element int) float64 {
	const h = 1e-5
	at := func(by float64) float64 {
		moved := slices.Clone(args)
		f := slices.Clone(args[a].Floats())
		f[element] += by
		moved[a] = tensor.FromFloats(args[a].DType, args[a].Shape, f)
		sum := 0.0
		for i, x := range run(t, p, moved)[k].Floats() {
			if ct[i] != 0 {
				sum += ct[i] * x
			}
		}
		return sum
	}
	// The second of these removes the error of order h².
	return (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
}

// near reports whether two derivatives agree.
func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*(1+math.Abs(want))
}

// gradientOf differentiates result k of p, of any shape, by its float arguments.
func gradientOf(t testing.TB, p *hlo.Program, k int, memory int64) *hlo.Program {
	t.Helper()
	g, err := grad.Gradient(context.Background(), p, grad.Options{Wrt: floats(p), Result: k, Cotangent: true, Only: true, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	return reread(t, g)
}

// reread is the program that the text of p gives.
func reread(t testing.TB, p *hlo.Program) *hlo.Program {
	t.Helper()
	var text bytes.Buffer
	if err := p.Print(&text); err != nil {
		t.Fatal(err)
	}
	return parse(t, text.String())
}

// checkReverse compares the gradient of result k with differences.
func checkReverse(t testing.TB, r *rand.Rand, p *hlo.Program, args []*tensor.Array, k int, memory int64) *hlo.Program {
	t.Helper()
	g := gradientOf(t, p, k, memory)
	ct := random(r, p.Main.Results[k], -1, 1)
	got := run(t, g, append(slices.Clone(args), ct))
	for i, a := range floats(p) {
		for e, x := range got[i].Floats() {
			if want := numeric(t, p, args, k, ct.Floats(), a, e); !near(x, want, 2e-6) {
				t.Errorf("result %d by argument %d, element %d: %v, by differences %v", k, a, e, x, want)
				return g
			}
		}
	}
	return g
}

// checkForward compares tangents with the gradient: they are transposes of each other.
func checkForward(t testing.TB, r *rand.Rand, p *hlo.Program, args []*tensor.Array) {
	t.Helper()
	wrt := floats(p)
	f, err := grad.Tangents(context.Background(), p, grad.Options{Wrt: wrt, Only: true})
	if err != nil {
		t.Fatal(err)
	}
	in := slices.Clone(args)
	for _, a := range wrt {
		in = append(in, random(r, args[a].Type, -1, 1))
	}
	dots := run(t, reread(t, f), in)
	next := 0
	for k, result := range p.Main.Results {
		if !result.DType.IsFloat() {
			continue
		}
		ct := random(r, result, -1, 1)
		g := run(t, gradientOf(t, p, k, 0), append(slices.Clone(args), ct))
		left, right := product(ct, dots[next]), 0.0
		for i := range wrt {
			right += product(g[i], in[len(args)+i])
		}
		if !near(left, right, 1e-9) {
			t.Errorf("result %d: cotangent·tangent is %v, gradient·direction %v", k, left, right)
		}
		next++
	}
}

func product(a, b *tensor.Array) float64 {
	sum := 0.0
	y := b.Floats()
	for i, x := range a.Floats() {
		sum += x * y[i]
	}
	return sum
}

// check checks the gradients of all float results, tangents, and, if second is set, the gradient of the gradient.
func check(t testing.TB, p *hlo.Program, lo, hi float64, second bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var args []*tensor.Array
	for _, v := range p.Main.Body.Params {
		args = append(args, random(r, v.Type, lo, hi))
	}
	for k, result := range p.Main.Results {
		if !result.DType.IsFloat() {
			continue
		}
		g := checkReverse(t, r, p, args, k, 0)
		if second {
			ct := random(r, p.Main.Results[k], -1, 1)
			for j := range g.Main.Results {
				checkReverse(t, r, g, append(slices.Clone(args), ct), j, 0)
			}
			checkForward(t, r, g, append(slices.Clone(args), ct))
		}
	}
	checkForward(t, r, p, args)
}
