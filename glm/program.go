package glm

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// coefficients is the number of coefficients, the intercept included.
func (s *Shape) coefficients() int {
	p := 1
	for _, k := range s.Features {
		p += k
	}
	return p
}

// dispersed reports whether the family has a dispersion to be estimated.
func (s *Shape) dispersed() bool { return s.Family == Gaussian || s.Family == Gamma }

// writer writes the program of a model.
type writer struct {
	*build.Builder
	*Shape
	n, p int
	x    build.Value // n × p, the first column is 1
	y    build.Value // n, in the owner's scale
	off  build.Value // n; a zero Value without an offset
	eye  build.Value // p × p, the identity
}

// program returns the program. Its arguments are, for each party with features, the standardised features (a
// row for each row), mean/sd and 1/sd of each; then the offset, if there is one; the target; and of Gaussian and
// Gamma targets their mean and unit. Its results are those of Outputs.
func (s *Shape) program() (*hlo.Program, error) {
	b := build.New("glm")
	w := &writer{Builder: b, Shape: s, n: s.Rows, p: s.coefficients()}
	one := make([]float64, w.p*w.p)
	for i := range w.p {
		one[i*w.p+i] = 1
	}
	w.eye = b.Array(tensor.FromFloats(tensor.F64, tensor.Shape{w.p, w.p}, one))
	columns := []build.Value{b.Const(tensor.F64, 1.0, w.n, 1)}
	shift := []build.Value{b.Const(tensor.F64, 1.0, 1)} // u
	scale := []build.Value{}
	for rank, k := range s.Features {
		if k == 0 {
			continue
		}
		columns = append(columns, b.Arg(fmt.Sprintf("x%d", rank), tensor.F64, w.n, k))
		shift = append(shift, b.Neg(b.Arg(fmt.Sprintf("shift%d", rank), tensor.F64, k)))
		scale = append(scale, b.Arg(fmt.Sprintf("scale%d", rank), tensor.F64, k))
	}
	if s.OffsetOwner >= 0 {
		w.off = b.Arg("offset", tensor.F64, w.n)
	}
	w.x, w.y = b.Concat(1, columns...), b.Arg("y", tensor.F64, w.n)
	var mean, unit build.Value
	if s.dispersed() {
		mean, unit = b.Arg("mean", tensor.F64), b.Arg("unit", tensor.F64)
	}
	f := w.fit()
	u, slopes := b.Concat(0, shift...), b.Concat(0, scale...)
	// A coefficient is multiplied by the target's unit before the feature's: the later factor rounds.
	b0 := b.Dot(u, f.beta)
	bs := b.Slice(f.beta, []int{1}, []int{w.p})
	root := b.Mul(b.Sqrt(f.dispersion), b.Const(tensor.F64, 1/math.Sqrt(float64(w.n))))
	se0 := b.Mul(b.Sqrt(b.Dot(u, b.Dot(f.inverse, u))), root)
	ses := b.Mul(b.Sqrt(b.Slice(w.diagonal(f.inverse), []int{1}, []int{w.p})), root)
	deviance, dispersion := f.deviance, f.dispersion
	switch {
	case s.Family == Gaussian:
		b0, bs = b.Add(b.Mul(b0, unit), mean), b.Mul(bs, unit)
		se0, ses = b.Mul(se0, unit), b.Mul(ses, unit)
		deviance, dispersion = b.Mul(b.Mul(deviance, unit), unit), b.Mul(b.Mul(dispersion, unit), unit)
	case s.Family == Gamma && s.Link == Log:
		b0 = b.Add(b0, b.Log(unit)) // the owner's
	case s.Family == Gamma:
		per := b.Div(b.Const(tensor.F64, 1.0), unit)
		b0, bs, se0, ses = b.Mul(b0, per), b.Mul(bs, per), b.Mul(se0, per), b.Mul(ses, per)
	}
	joined := func(first, rest build.Value) build.Value {
		return b.Concat(0, b.Reshape(first, 1), b.Mul(rest, slopes))
	}
	results := []build.Value{joined(b0, bs), joined(se0, ses), deviance}
	if s.dispersed() {
		results = append(results, dispersion)
	}
	b.Return(append(results, f.converged, f.inverted)...)
	return b.Program()
}

// fitted is a model in the scale of its arguments.
type fitted struct {
	beta, inverse        build.Value // p; p × p, the inverse of XᵀWX/n
	deviance, dispersion build.Value
	converged, inverted  build.Value // bits
}

// tolerances of the two bits: a step below 10^-3 standard errors, and ‖I − SV‖ below 2^-10 for the scaled Hessian S.
const (
	stepTolerance     = 1e-3
	residualTolerance = 1.0 / 1024
)

// unclamped is the iteration from which on linear predictors are not clamped.
const unclamped = 4

// fit iterates.
func (w *writer) fit() fitted {
	b := w.Builder
	weights, working := w.start()
	if w.OffsetOwner >= 0 {
		shift := w.off
		if weights.Rank() > 0 {
			shift = b.Mul(weights, shift)
		}
		working = b.Sub(working, shift)
	}
	in := w.invert(w.hessian(weights))
	beta := b.Dot(in.inverse, w.gradient(working))
	var gradient, step build.Value
	for i := 1; i < w.Iterations; i++ {
		eta := w.predictor(beta)
		if i < unclamped {
			eta = w.clamp(eta)
		}
		var score build.Value
		if score, weights = w.score(eta); weights.Rank() > 0 {
			in = w.invert(w.hessian(weights))
		}
		gradient = w.gradient(score)
		step = b.Dot(in.inverse, gradient)
		beta = b.Add(beta, step)
	}
	f := fitted{beta: beta, inverse: in.inverse}
	var pearson build.Value
	f.deviance, pearson = w.deviance(w.predictor(beta))
	f.dispersion = b.Const(tensor.F64, 1.0)
	if w.dispersed() {
		f.dispersion = b.Mul(pearson, 1/float64(w.n-w.p))
	}
	// No step is longer, in standard errors, than the root of n·step·gradient/dispersion.
	f.converged = b.Less(b.Mul(b.Dot(step, gradient), float64(w.n)), b.Mul(f.dispersion, stepTolerance*stepTolerance))
	f.inverted = b.Less(in.residual, residualTolerance*residualTolerance)
	return f
}

// predictor returns the linear predictor.
func (w *writer) predictor(beta build.Value) build.Value {
	eta := w.Dot(w.x, beta)
	if w.OffsetOwner >= 0 {
		eta = w.Add(eta, w.off)
	}
	return eta
}

// start returns the weights of the first iteration, and weights times the working response. The target's owner
// computes both alone. Weights of 1 are a zero Value.
func (w *writer) start() (weights, working build.Value) {
	b, y := w.Builder, w.y
	mu := b.Mul(b.Add(y, b.Mean(y)), 0.5)
	switch {
	case w.Family == Gaussian:
		return build.Value{}, y
	case w.Family == Binomial:
		mu = b.Mul(b.Add(y, 0.5), 0.5)
		weights = b.Mul(mu, b.Sub(b.Const(tensor.F64, 1.0), mu))
		eta := b.Sub(b.Log(mu), b.Log(b.Sub(b.Const(tensor.F64, 1.0), mu)))
		return weights, b.Add(b.Mul(weights, eta), b.Sub(y, mu))
	case w.Family == Poisson:
		return mu, b.Add(b.Mul(mu, b.Log(mu)), b.Sub(y, mu))
	case w.Link == Log:
		return build.Value{}, b.Add(b.Log(mu), b.Div(b.Sub(y, mu), mu))
	}
	return b.Mul(mu, mu), b.Sub(mu, b.Sub(y, mu))
}

// clamp bounds the linear predictor of early iterations, which can be far off.
func (w *writer) clamp(eta build.Value) build.Value {
	switch w.Link {
	case Log:
		return w.Clamp(-maxLog, eta, maxLog)
	case Inverse:
		return w.Clamp(1.0/64, eta, 64.0)
	}
	return eta
}

// score returns the score with respect to the linear predictor, and the weights; weights that are 1 are a zero
// Value.
func (w *writer) score(eta build.Value) (score, weights build.Value) {
	b, y := w.Builder, w.y
	switch {
	case w.Family == Gaussian:
		return b.Sub(y, eta), build.Value{}
	case w.Family == Binomial:
		mu := b.Sigmoid(eta)
		return b.Sub(y, mu), b.Mul(mu, b.Sub(b.Const(tensor.F64, 1.0), mu))
	case w.Family == Poisson:
		mu := b.Exp(eta)
		return b.Sub(y, mu), mu
	case w.Link == Log:
		return b.Sub(b.Mul(y, b.Exp(b.Neg(eta))), 1.0), build.Value{}
	}
	mu := b.Div(b.Const(tensor.F64, 1.0), eta)
	return b.Sub(mu, y), b.Mul(mu, mu)
}

// deviance returns the deviance and, for families with a dispersion, Pearson's statistic. Terms of the target alone
// are its owner's.
func (w *writer) deviance(eta build.Value) (deviance, pearson build.Value) {
	b, y := w.Builder, w.y
	twice := func(terms ...build.Value) build.Value {
		sum := terms[0]
		for _, t := range terms[1:] {
			sum = b.Add(sum, t)
		}
		return b.Mul(sum, 2.0)
	}
	switch {
	case w.Family == Gaussian:
		r := b.Sub(y, eta)
		rr := b.Dot(r, r)
		return rr, rr
	case w.Family == Binomial:
		softplus := b.Add(b.Max(eta, 0.0), b.Log1p(b.Exp(b.Neg(b.Abs(eta)))))
		return twice(b.Sum(softplus), b.Neg(b.Dot(y, eta))), build.Value{}
	case w.Family == Poisson:
		own := b.Sum(b.Sub(b.Mul(y, b.Log(b.Max(y, 1e-300))), y)) // y·log y is 0 at 0
		return twice(b.Sum(b.Exp(eta)), b.Neg(b.Dot(y, eta)), own), build.Value{}
	}
	ratio, log := build.Value{}, eta // y/μ and log μ
	if w.Link == Log {
		ratio = b.Mul(y, b.Exp(b.Neg(eta)))
	} else {
		ratio, log = b.Mul(y, eta), b.Neg(b.Log(eta))
	}
	own := b.Neg(b.Sum(b.Add(b.Log(y), 1.0)))
	r := b.Sub(ratio, 1.0)
	return twice(b.Sum(log), b.Sum(ratio), own), b.Dot(r, r)
}

// hessian returns XᵀWX/n; zero weights stand for ones.
func (w *writer) hessian(weights build.Value) build.Value {
	b, weighted := w.Builder, w.x
	if weights.Rank() > 0 {
		weighted = b.Mul(w.x, b.Reshape(weights, w.n, 1))
	}
	return b.Mul(b.Dot(b.Transpose(w.x), weighted), 1/float64(w.n))
}

// gradient returns Xᵀr/n.
func (w *writer) gradient(r build.Value) build.Value {
	return w.Mul(w.Dot(r, w.x), 1/float64(w.n))
}

// diagonal returns a matrix's diagonal.
func (w *writer) diagonal(a build.Value) build.Value { return w.Sum(w.Mul(a, w.eye), 1) }

// inversion is the inverse of a matrix, and ‖I − SV‖² of its scaled form.
type inversion struct{ inverse, residual build.Value }

// invert returns the inverse of a symmetric positive definite matrix by Newton–Schulz iterations (see the
// package's comment). The number of iterations and all factors are public.
func (w *writer) invert(a build.Value) inversion {
	b, eye := w.Builder, w.eye
	d := b.Rsqrt(w.diagonal(a))
	scale := func(m build.Value) build.Value {
		return b.Mul(b.Mul(m, b.Reshape(d, w.p, 1)), b.Reshape(d, 1, w.p))
	}
	s := scale(a)
	factors := schedule(w.Condition, w.p)
	norm := b.Rsqrt(b.Sum(b.Mul(s, s))) // at least the inverse of the largest eigenvalue
	v := b.Mul(b.Mul(eye, factors[0]), b.Broadcast(norm, w.p, w.p))
	for _, g := range factors[1:] {
		v = b.Dot(v, b.Sub(b.Mul(eye, 2.0), b.Dot(s, v)))
		v = b.Mul(b.Add(v, b.Transpose(v)), g/2)
	}
	r := b.Sub(eye, b.Dot(s, v))
	return inversion{scale(v), b.Sum(b.Mul(r, r))}
}

// schedule returns the factor of the first approximation and those of all iterations, for matrices of p rows with
// ones on the diagonal and a condition number of at most κ.
func schedule(condition float64, p int) []float64 {
	l := 1 / (condition * math.Sqrt(float64(p))) // the least eigenvalue of V·S
	factors := []float64{2 / (1 + l)}
	for l = 2 * l / (1 + l); 1-l >= 2e-6; {
		q, g := l*(2-l), 1.0
		if q < 0.9 {
			g = 2 / (1 + q)
		}
		l = g * q
		factors = append(factors, g)
	}
	return factors
}
