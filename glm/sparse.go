package glm

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Proximal steps of a model with L1: of each iteration, and of the last one.
const (
	proximalSteps = 15
	lastSteps     = 100
)

// noCoefficient is the magnitude below which coefficients of standardised features are 0: 64 units of the last place.
const noCoefficient = 1.0 / (1 << (fraction - 6))

// sparse is fit for a model with L1. Each iteration minimises the quadratic model of the loss at β plus L1·Σ|β| by accelerated
// proximal steps (FISTA): no inverse is needed, and there are no standard errors. The intercept has no penalty.
func (w *writer) sparse() fitted {
	b := w.Builder
	l1 := make([]float64, w.p)
	for i := 1; i < w.p; i++ {
		l1[i] = w.L1
	}
	penalty := b.Array(tensor.FromFloats(tensor.F64, tensor.Shape{w.p}, l1))
	if w.joins() { // as L2
		penalty = b.Mul(penalty, b.Mean(w.prior))
	}
	if w.centred() { // coefficients are in the target's units
		penalty = b.Mul(penalty, b.Div(w.one(), w.unit))
	}
	weights, working := w.begin()
	a := w.hessian(weights, 1)
	per, c := w.steps(a)
	beta, step := w.proximal(a, per, b.Mul(per, penalty), b.Const(tensor.F64, 0.0, w.p), w.gradient(working), proximalSteps)
	for i := 1; i < w.Iterations; i++ {
		eta := w.predictor(beta)
		if i < w.unclamped() {
			eta = w.clamp(eta)
		}
		var score build.Value
		if score, weights = w.score(eta); weights.Rank() > 0 {
			a = w.hessian(w.prioritised(weights), 1)
			per, c = w.steps(a)
		}
		g := w.gradient(w.weigh(score))
		if w.L2 > 0 {
			g = b.Sub(g, b.Mul(w.ridge, beta))
		}
		n := proximalSteps
		if i == w.Iterations-1 {
			n = lastSteps
		}
		beta, step = w.proximal(a, per, b.Mul(per, penalty), beta, g, n)
	}
	f := fitted{beta: beta}
	f.deviance, f.dispersion, _ = w.dispersion(beta)
	// A step moves by the gradient times c/diag(A); in units of standard errors without the other features it moved by this.
	length := b.Mul(b.Dot(b.Mul(step, step), w.diagonal(a)), float64(w.n))
	if w.WeightsOwner >= 0 && !w.dispersed() {
		length = b.Mul(length, w.total)
	}
	f.converged = b.Less(length, b.Mul(b.Mul(b.Mul(c, c), f.dispersion), stepTolerance*stepTolerance))
	return f
}

// steps returns the sizes of proximal steps, c/diag(A): c is at most the inverse of the largest eigenvalue of A scaled to a
// diagonal of ones.
func (w *writer) steps(a build.Value) (per, c build.Value) {
	b := w.Builder
	d := b.Rsqrt(w.diagonal(a))
	s := b.Mul(b.Mul(a, b.Reshape(d, w.p, 1)), b.Reshape(d, 1, w.p))
	c = b.Rsqrt(b.Sum(b.Mul(s, s)))
	return b.Mul(b.Mul(d, d), c), c
}

// proximal returns the point after n accelerated steps from β that minimise (z−β)ᵀA(z−β)/2 − (z−β)ᵀg + Σ penalty·|z|, and
// the last step. threshold is the penalty times the sizes of steps.
func (w *writer) proximal(a, per, threshold, beta, g build.Value, n int) (z, step build.Value) {
	b := w.Builder
	z, y := beta, beta
	momentum := 1.0
	for range n {
		u := b.Add(y, b.Mul(per, b.Sub(g, b.Dot(a, b.Sub(y, beta)))))
		next := b.Sub(u, b.Max(b.Min(u, threshold), b.Neg(threshold)))
		step = b.Sub(next, z)
		after := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		y = b.Add(next, b.Mul(step, (momentum-1)/after))
		z, momentum = next, after
	}
	return z, step
}
