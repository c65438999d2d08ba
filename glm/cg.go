package glm

import (
	"errors"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// CG says that the steps of the iterations are computed by conjugate gradients (package comment, Conjugate gradients).
type CG struct {
	Steps int // of conjugate gradients in each iteration; 0 for DefaultSteps
}

// SolverCG is Result.Solver of a model that was fitted by conjugate gradients.
const SolverCG = "cg"

// DefaultSteps is CG.Steps if it is 0, and MaxSteps its maximum.
const DefaultSteps, MaxSteps = 16, 1000

// errors reports whether the fit has standard errors.
func (s *Shape) errors() bool { return s.SGD == nil && s.CG == nil && s.L1 == 0 }

// resolveCG fills in and refuses settings of conjugate gradients.
func (s *Shape) resolveCG() error {
	g := *s.CG
	s.CG = &g
	if g.Steps == 0 {
		g.Steps = DefaultSteps
	}
	switch {
	case s.L1 > 0:
		return errors.New("solver cg takes no l1")
	case s.Hessians != 0:
		return errors.New("solver cg computes no Hessian (leave hessians out)")
	case g.Steps < 1 || g.Steps > MaxSteps:
		return fmt.Errorf("steps: want 1 to %d, got %d", MaxSteps, g.Steps)
	}
	return nil
}

// mostFeatures is the number below which the model has features.
func (s *Shape) mostFeatures() int {
	if s.CG != nil {
		return maxWide
	}
	return maxFeatures
}

// WideError says that a model has more features than Fisher scoring takes. Its text is a part of the error that Resolve returns.
type WideError struct {
	Most int  // features that the solver takes
	hint bool // whether solver cg would take more
}

// Error names the solver that takes more features, if there is one.
func (e *WideError) Error() string {
	if !e.hint {
		return ""
	}
	return fmt.Sprintf(" (solver cg takes up to %d, without standard errors)", maxWide-1)
}

// wider is the error of a model with too many features.
func (s *Shape) wider() *WideError { return &WideError{s.mostFeatures() - 1, s.errors()} }

// leastSquare is added to the square of a residual's length before its root and quotient, and leastCurvature to the curvature along a
// direction before the quotient. So factors are at most 2^12 and 2^28 if residual and curvature are 0 but for roundings.
const (
	leastSquare    = 1.0 / (1 << 24)
	leastCurvature = 1.0 / (1 << 28)
)

// conjugate is fit for a model with CG.
func (w *writer) conjugate() fitted {
	b := w.Builder
	weights, working := w.begin()
	beta := w.solve(weights, w.gradient(working)).x
	var gradient build.Value
	var last solution
	for i := 1; i < w.Iterations; i++ {
		eta := w.predictor(beta)
		if i < w.unclamped() {
			eta = w.clamp(eta)
		}
		var score build.Value
		score, weights = w.score(eta)
		gradient = w.gradient(w.weigh(score))
		if w.L2 > 0 {
			gradient = b.Sub(gradient, b.Mul(w.ridge, beta))
		}
		last = w.solve(w.prioritised(weights), gradient)
		beta = b.Add(beta, last.x)
	}
	f := fitted{beta: beta}
	f.deviance, f.dispersion, _ = w.dispersion(beta)
	// As in fit. The step of an exact solution is longer, by at most the root of n·Condition·(rest)²/dispersion.
	length := b.Mul(b.Dot(last.x, gradient), float64(w.n))
	rest := b.Mul(last.rest, math.Sqrt(float64(w.n)*w.Condition)/stepTolerance)
	if w.WeightsOwner >= 0 && !w.dispersed() {
		length, rest = b.Mul(length, w.total), b.Mul(rest, b.Sqrt(w.total))
	}
	f.converged = b.And(b.Less(length, b.Mul(f.dispersion, stepTolerance*stepTolerance)), b.Less(rest, b.Sqrt(f.dispersion)))
	return f
}

// solution is an approximate solution x of Ax = g, and rest = ‖g − Ax‖/√m, where m is the mean of the weights of A plus the penalty.
type solution struct{ x, rest build.Value }

// solve returns the solution of Ax = g after CG.Steps steps of conjugate gradients from 0, where A is the Hessian of these weights (p × p,
// never computed) and g has p elements; zero weights stand for ones.
//
// Let r be the residual, p the direction, ν = rᵀr. A step of conjugate gradients is
//
//	α = ν/pᵀAp;  x ← x + αp;  r ← r − αAp;  β = rᵀr/ν;  p ← r + βp
//
// Both r and p shrink by many orders of magnitude, which fixed point has no room for. So the program keeps r/σ and p/σ, and divides both
// by the root of ν, that of r/σ, in each step: s = 1/√ν and σ ← σ/s. Then β is the ν of the scaled residual. s is computed beside the
// products with X, so that the scaling takes no rounds. Once the true residual is 0 but for roundings, the scaling magnifies these, but σ
// is then near 0, and x hardly changes.
//
// The weights and g are divided by the mean of the weights plus the penalty. As features are standardised, the diagonal of A is near 1
// then. Dividing r by the diagonal (a Jacobi preconditioner) is not worth its cost: its diagonal takes the squares of all features, which
// their owners would have to share too, and in tables of 107 features, a quarter of them levels, it saved no step of binomial models and
// a third of the steps of Poisson models; the diagonal of a sample of 1,000 rows saved half of that or none.
func (w *writer) solve(weights, g build.Value) solution {
	b := w.Builder
	spread := func(x build.Value) build.Value { return b.Broadcast(x, w.p) }
	ridge, root, per := w.ridge, w.one(), 1/float64(w.n)
	if weights.Rank() > 0 {
		level := b.Add(b.Mean(weights), w.L2)
		unit := b.Div(w.one(), level)
		weights, g = b.Mul(weights, b.Broadcast(unit, w.n)), b.Mul(g, spread(unit))
		if root = b.Sqrt(level); w.L2 > 0 {
			ridge = b.Mul(ridge, spread(unit))
		}
	}
	// scaling returns √ν, for the residual's scaling, and s.
	scaling := func(square build.Value) (length, s build.Value) {
		square = b.Add(square, leastSquare)
		s = b.Rsqrt(square)
		return b.Mul(square, s), s
	}
	sigma, s := scaling(b.Dot(g, g))
	r := b.Mul(g, spread(s)) // once here, as g may be small
	start := []build.Value{b.Const(tensor.F64, 0.0, w.p), r, r, b.Dot(r, r), sigma}
	end := b.For(w.CG.Steps, start, func(_ build.Value, at []build.Value) []build.Value {
		x, r, p, square, sigma := at[0], at[1], at[2], at[3], at[4]
		xp := b.Dot(w.x, p)
		u := xp
		if weights.Rank() > 0 {
			u = b.Mul(weights, xp)
		}
		ap := b.Mul(b.Dot(u, w.x), per)
		if w.L2 > 0 {
			ap = b.Add(ap, b.Mul(ridge, p))
		}
		curvature := b.Dot(ap, p) // as the sum over rows of w·(Xp)² it would take a round less, and 16 bytes a row more
		length, s := scaling(square)
		alpha := b.Div(b.Mul(square, s), b.Add(curvature, leastCurvature)) // times s
		sigma = b.Mul(sigma, length)
		x = b.Add(x, b.Mul(spread(b.Mul(sigma, alpha)), p))
		r = b.Sub(b.Mul(spread(s), r), b.Mul(spread(alpha), ap))
		square = b.Dot(r, r)
		p = b.Add(r, b.Mul(spread(square), b.Mul(spread(s), p)))
		return []build.Value{x, r, p, square, sigma}
	})
	return solution{end[0], b.Mul(b.Mul(end[4], b.Sqrt(end[3])), root)}
}
