package glm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/tensor"
)

// heavy returns a model with 33,000 rows, of which one of 1,000 has a first feature of 25 or −25 (of −25 for Poisson), some 30 standard
// deviations. The linear predictor is slope times that feature, and 0.3 times another one.
func heavy(family Family, slope float64) *Model {
	m := random(7, 33_000, 1)
	m.Family = family
	r := rand.New(rand.NewPCG(8, 1))
	f, g := m.Parties[0].Features[0].Values, m.Parties[1].Features[0].Values
	for i := range f {
		if f[i] *= 0.3; i%1000 == 7 {
			f[i] = -25
			if family == Binomial && i%2000 == 7 {
				f[i] = 25
			}
		}
		eta := slope*f[i] + 0.3*g[i]
		y := 0.0
		if family == Binomial {
			if r.Float64() < 1/(1+math.Exp(-eta)) {
				y = 1
			}
		} else {
			for at := r.ExpFloat64(); at < math.Exp(eta); at += r.ExpFloat64() {
				y++
			}
		}
		m.Target.Values[i] = y
	}
	return m
}

// TestFarPredictors: fits of features that are shared once are right where some linear predictors are some 60 or −60, and say that they
// have not converged where some are beyond the range of the exponential, instead of giving wrong coefficients.
func TestFarPredictors(t *testing.T) {
	next := testcases.OneOf(t, 2)
	for _, c := range []struct {
		family Family
		slope  float64
		fits   bool
	}{{Binomial, 2.5, true}, {Poisson, 2.4, true}, {Binomial, 6, false}} {
		if !next() {
			continue
		}
		name := fmt.Sprint(c.family, " ", c.slope)
		m := heavy(c.family, c.slope)
		m.Iterations, m.Hessians = 9, 6
		s, err := m.Shape()
		if err != nil || !s.once() {
			t.Fatal(name, err)
		}
		got, _ := run(t, m, "semi2k")
		if !c.fits {
			if warnings := strings.Join(got.Warnings(), ""); got.Converged || !strings.Contains(warnings, "leave hessians out") {
				t.Errorf("%s: converged %v, warnings %s: %+v", name, got.Converged, warnings, got.Coefficients)
			}
			continue
		}
		m.Hessians = 0
		want, _ := run(t, m, "plain")
		if !got.Converged || !want.Converged || !got.Inverted || math.Abs(got.Deviance-want.Deviance) > 1e-5*want.Deviance {
			t.Errorf("%s: converged %v, inverted %v, deviance %v, want %v, %v", name, got.Converged, got.Inverted, got.Deviance, want.Converged, want.Deviance)
		}
		for i, c := range got.Coefficients {
			w := want.Coefficients[i]
			if !(math.Abs(c.Value-w.Value) <= 2e-3*w.Error) || !(math.Abs(c.Error-w.Error) <= 2e-3*w.Error) {
				t.Errorf("%s: %s is %v ± %v, want %v ± %v", name, c.Name, c.Value, c.Error, w.Value, w.Error)
			}
		}
	}
}

// TestStrayed: each number that does not fit makes a fit one that has not converged.
func TestStrayed(t *testing.T) {
	const n, p = 33_000, 3
	type numbers struct{ outside, beta, step, diagonal, means []float64 }
	base := func() numbers {
		ones := slices.Repeat([]float64{1}, n)
		return numbers{make([]float64, n), []float64{1, -2, 3}, []float64{1e-3, -1e-3, 0}, []float64{1, 60_000, 1}, ones}
	}
	for i, c := range []struct {
		family   Family
		hessians int
		change   func(x numbers)
		want     bool
	}{
		{Poisson, 3, func(numbers) {}, false},
		{Poisson, 3, func(x numbers) { x.outside[n-1] = 1 }, true},
		{Poisson, 3, func(x numbers) { x.beta[1] = -5000 }, true},
		{Poisson, 3, func(x numbers) { x.step[2] = -0.02 }, true},
		{Poisson, 3, func(x numbers) { x.diagonal[1] = 70_000 }, true},
		{Poisson, 3, func(x numbers) { x.means[0] = 40_000 }, true},       // the sum over one of 16 sets of rows
		{Poisson, 3, func(x numbers) { x.means[n-1] = 40_000 }, true},     // and over the rest
		{Poisson, 3, func(x numbers) { x.means[0] = 20_000 }, false},      // which fits
		{Poisson, 3, func(x numbers) { x.means[n-1] = 3000 * n }, true},   // the mean
		{Poisson, 1, func(x numbers) { x.diagonal[1] = 70_000 }, false},   // without a Hessian, there are no sums of weights
		{Poisson, 1, func(x numbers) { x.means[n-1] = 200 * n }, false},   // the mean may be below 256
		{Poisson, 1, func(x numbers) { x.means[n-1] = 300 * n }, true},    // and not above
		{Binomial, 3, func(x numbers) { x.outside[0] = 1 }, true},         // a binomial fit has fewer conditions
		{Binomial, 3, func(x numbers) { x.means[n-1] = 3000 * n }, false}, // of which this one is none
	} {
		s, err := Shape{
			Family: c.family, Parties: []string{"a", "b"}, Features: []int{1, 1}, Rows: n, OffsetOwner: -1, WeightsOwner: -1, Hessians: c.hessians,
		}.Resolve()
		if err != nil || !s.once() {
			t.Fatal(err)
		}
		x := base()
		c.change(x)
		b := build.New("strayed")
		w := &writer{Builder: b, Shape: s, n: n, p: p, whole: &integers{level: b.Const(tensor.F64, 1.0)}, eye: b.Arg("eye", tensor.F64, p, p)}
		outside, beta := b.Arg("outside", tensor.F64, n), b.Arg("beta", tensor.F64, p)
		l := last{step: b.Arg("step", tensor.F64, p), means: b.Arg("means", tensor.F64, n)}
		if hessian := b.Mul(w.eye, b.Reshape(b.Arg("diagonal", tensor.F64, p), 1, p)); c.hessians > 1 {
			l.hessian = hessian
		}
		b.Return(w.strayed(b.Greater(outside, b.Const(tensor.F64, 0.5)), beta, l))
		program, err := b.Program()
		if err != nil {
			t.Fatal(err)
		}
		args := []*tensor.Array{tensor.FromFloats(tensor.F64, tensor.Shape{p, p}, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})}
		for _, v := range [][]float64{x.outside, x.beta, x.step, x.means, x.diagonal} {
			args = append(args, tensor.FromFloats(tensor.F64, tensor.Shape{len(v)}, v))
		}
		out, err := eval.Func(t.Context(), program.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].Words()[0] == 1; got != c.want {
			t.Errorf("case %d: strayed %v", i, got)
		}
	}
}
