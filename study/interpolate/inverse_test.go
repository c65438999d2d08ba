package interpolate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

// covariances returns a matrix of covariances of n random places, with a small variance of noise.
func covariances(n int) (a []float64) {
	r := rand.New(rand.NewPCG(5, 6))
	var x []float64
	for range n {
		x = append(x, r.NormFloat64(), r.NormFloat64())
	}
	for i := range n {
		for j := range n {
			v := math.Exp(-math.Pow(x[2*i]-x[2*j], 2) - math.Pow(x[2*i+1]-x[2*j+1], 2))
			if i == j {
				v += 0.1
			}
			a = append(a, v)
		}
	}
	return a
}

// logDet returns the logarithm of the determinant of a positive definite n×n matrix.
func logDet(a []float64, n int) (sum float64) {
	a = slices.Clone(a)
	for k := range n {
		sum += math.Log(a[k*n+k])
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				a[i*n+j] -= a[i*n+k] * a[k*n+j] / a[k*n+k]
			}
		}
	}
	return sum
}

// TestInverse: the product of a matrix and its inverse is the identity, and the determinant is right, for one block and for blocks
// of different sizes, in the clear and privately.
func TestInverse(t *testing.T) {
	const n = 11
	a := covariances(n)
	for _, rows := range []int{n, 4} {
		w := &writer{Builder: build.New("inverse")}
		most := func(rows int) build.Value { return w.Const(tensor.F32, float64(rows)+0.1) }
		inverse, log := w.inverse(w.Arg("a", tensor.F32, n, n), rows, most)
		w.Return(inverse, log)
		p, err := w.Program()
		if err != nil {
			t.Fatal(err)
		}
		data := []*tensor.Array{tensor.FromFloats(tensor.F32, tensor.Shape{n, n}, a)}
		clear, err := eval.Func(context.Background(), p.Main, data)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := p.Print(&text); err != nil {
			t.Fatal(err)
		}
		l := &study.Lab{Machine: timing.Default}
		private, err := l.Run(context.Background(), study.Trial{Name: "inverse", Text: text.String(), Owners: []int{0}, Data: data,
			Ring: 64, Fraction: models[nameGPR].fraction, Parties: 2}, "none", 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			out  []*tensor.Array
		}{{"in the clear", clear}, {"privately", private.Results}} {
			x := c.out[0].Floats()
			for i := range n {
				for j := range n {
					sum := 0.0
					for k := range n {
						sum += a[i*n+k] * x[k*n+j]
					}
					if i == j {
						sum--
					}
					if math.Abs(sum) > 1e-5 {
						t.Errorf("blocks of %d rows, %s: row %d and column %d of the product with the inverse are off by %.2g", rows, c.name, i, j, sum)
					}
				}
			}
			if got, want := c.out[1].Floats()[0], logDet(a, n); math.Abs(got-want) > 2e-4 {
				t.Errorf("blocks of %d rows, %s: the logarithm of the determinant is %v, want %v", rows, c.name, got, want)
			}
		}
	}
}

// TestStepGradients: the derivatives that steps of Gaussian processes take are differences of their losses, times the number of sites.
func TestStepGradients(t *testing.T) {
	d, err := Generate(Set{"small", 30, 2, Sets[0].Every}, 1).Hourly()
	if err != nil {
		t.Fatal(err)
	}
	p := newProblem(d, 1)
	for _, c := range []struct {
		name string
		step func(w *writer) (loss build.Value, gradients []build.Value)
		at   []float64
	}{
		{nameGPR, func(w *writer) (build.Value, []build.Value) {
			return w.likelihood(w.arg("trained", party.Public, p.squaredDistances(p.train, p.train))).step(build.Value{})
		}, []float64{0.25, 0.125, -0.25, 0}},
		{nameVGPR, func(w *writer) (build.Value, []build.Value) {
			points := p.spread(3)
			within := w.arg("inducing", party.Public, p.squaredDistances(points, points))
			near := w.arg("trained", party.Public, p.squaredDistances(points, p.train))
			g := w.variational(within, points)
			// Within a training L is fixed; here it would follow the parameters.
			g.l = w.Array(tensor.FromFloats(tensor.F32, tensor.Shape{3, 3}, []float64{1, 0, 0, 0.5, 0.75, 0, 0.25, 0.5, 0.5}))
			g.logs = w.Log(w.diagonalOf(g.l))
			return g.step(w.Reshape(w.trained(w.y), len(p.train), 1), near, g.apart(g.at, w.trained))
		}, []float64{0.25, 0.125, -0.25, 0, 0.5, -0.25, 1, -0.5, 0.125, -1, 0.25, -0.5, 0.5}},
	} {
		w := &writer{Builder: build.New("step"), p: p, job: job{model: c.name, parties: 2}, trial: &study.Trial{}}
		w.m = nn.New(w.Builder)
		w.readings()
		loss, gradients := c.step(w)
		w.Return(append([]build.Value{loss}, gradients...)...)
		program, err := w.Program()
		if err != nil {
			t.Fatal(err)
		}
		results := func(element int, by float64) []*tensor.Array {
			at := slices.Clone(c.at)
			at[element] += by
			args := append(slices.Clone(w.trial.Data), tensor.FromFloats(tensor.F32, tensor.Shape{len(at)}, at))
			out, err := eval.Func(context.Background(), program.Main, args)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		const by = 1.0 / 32
		for i, got := range results(0, 0)[1].Floats() {
			want := float64(len(p.train)) * (results(i, by)[0].Floats()[0] - results(i, -by)[0].Floats()[0]) / (2 * by)
			if math.Abs(got-want) > 0.01*math.Abs(want)+0.01 {
				t.Errorf("%s: derivative by parameter %d is %v, differences say %v", c.name, i, got, want)
			}
		}
	}
}
