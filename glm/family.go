package glm

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// weigh returns values of rows times the prior weights.
func (w *writer) weigh(x build.Value) build.Value {
	if w.weighted() {
		return w.Mul(w.prior, x)
	}
	return x
}

// prioritised returns weights times the prior weights; a zero Value stands for ones.
func (w *writer) prioritised(weights build.Value) build.Value {
	if w.weighted() && weights.Rank() == 0 {
		return w.prior
	}
	return w.weigh(weights)
}

// summed returns the sum of values of rows times the prior weights.
func (w *writer) summed(x build.Value) build.Value {
	if w.weighted() {
		return w.Dot(w.prior, x)
	}
	return w.Sum(x)
}

// inner returns the sum of products of values of rows, times the prior weights.
func (w *writer) inner(x, y build.Value) build.Value { return w.Dot(w.weigh(x), y) }

// one is 1.
func (w *writer) one() build.Value { return w.Const(tensor.F64, 1.0) }

// start returns the weights of the first iteration, and weights times the working response, both without prior weights. The
// target's owner computes both alone. Weights of 1 are a zero Value.
func (w *writer) start() (weights, working build.Value) {
	if w.ys == nil {
		return w.startOf(w.y)
	}
	var all, parts []build.Value
	for _, y := range w.ys {
		of, part := w.startOf(y)
		all, parts = append(all, of), append(parts, part)
	}
	return w.Concat(0, all...), w.Concat(0, parts...)
}

// startOf is start of rows with this target.
func (w *writer) startOf(y build.Value) (weights, working build.Value) {
	b := w.Builder
	if w.centred() {
		return build.Value{}, y
	}
	mean := b.Mean(y)
	if w.moved() { // zeros where no row matches
		mean = b.Div(mean, b.Max(b.Mean(w.match), 1/float64(w.n)))
	}
	if w.ys != nil { // a party may have zeros alone
		mean = b.Max(mean, 1.0/64)
	}
	mu := b.Mul(b.Add(y, mean), 0.5)
	if w.Family == Binomial {
		mu = b.Mul(b.Add(y, 0.5), 0.5)
	}
	var eta, slope build.Value // the link of μ and its derivative
	switch w.Link {
	case Identity:
		eta, slope = mu, b.Const(tensor.F64, 1.0, y.Dim(0))
	case Logit:
		rest := b.Sub(w.one(), mu)
		eta, slope = b.Sub(b.Log(mu), b.Log(rest)), b.Div(w.one(), b.Mul(mu, rest))
	case Log:
		eta, slope = b.Log(mu), b.Div(w.one(), mu)
	case Inverse:
		eta = b.Div(w.one(), mu)
		slope = b.Neg(b.Mul(eta, eta))
	}
	var variance build.Value
	switch w.Family {
	case Gaussian:
		variance = b.Const(tensor.F64, 1.0, y.Dim(0))
	case Binomial:
		variance = b.Mul(mu, b.Sub(w.one(), mu))
	case Poisson:
		variance = mu
	case Gamma:
		variance = b.Mul(mu, mu)
	case Tweedie:
		variance = b.Exp(b.Mul(b.Log(mu), w.Power))
	case NegativeBinomial:
		variance = b.Add(mu, b.Mul(b.Mul(mu, mu), w.Alpha))
	}
	response := b.Add(eta, b.Mul(b.Sub(y, mu), slope))
	if w.Family == Gamma && w.Link == Log {
		return build.Value{}, response
	}
	weights = b.Div(w.one(), b.Mul(variance, b.Mul(slope, slope)))
	return weights, b.Mul(weights, response)
}

// clamp bounds the linear predictor of early iterations, which can be far off.
func (w *writer) clamp(eta build.Value) build.Value {
	switch {
	case w.Link == Log:
		return w.Clamp(-maxLog, eta, maxLog)
	case w.Link == Inverse, w.Link == Identity && w.Family == Gamma:
		return w.Clamp(1.0/64, eta, 64.0)
	case w.Link == Identity && w.Family == Poisson:
		return w.Clamp(1.0/64, eta, float64(maxCount))
	}
	return eta
}

// score returns the score with respect to the linear predictor, and the weights, both without prior weights; weights that are
// 1 are a zero Value.
func (w *writer) score(eta build.Value) (score, weights build.Value) {
	b, y := w.Builder, w.y
	switch w.Family {
	case Gaussian:
		switch w.Link {
		case Log: // (y − μ)·μ, μ²
			mu := b.Exp(eta)
			return b.Mul(b.Sub(y, mu), mu), b.Mul(mu, mu)
		case Inverse: // (μ − y)·μ², μ⁴
			mu := b.Div(w.one(), eta)
			square := b.Mul(mu, mu)
			return b.Mul(b.Sub(mu, y), square), b.Mul(square, square)
		}
		return b.Sub(y, eta), build.Value{}
	case Binomial:
		mu := b.Sigmoid(eta)
		return b.Sub(y, mu), b.Mul(mu, b.Sub(w.one(), mu))
	case Poisson:
		if w.Link == Identity { // y/μ − 1, 1/μ
			per := b.Div(w.one(), eta)
			return b.Sub(b.Mul(y, per), 1.0), per
		}
		mu := b.Exp(eta)
		return b.Sub(y, mu), mu
	case Tweedie: // y·μ^(1−p) − μ^(2−p), μ^(2−p)
		weights = b.Exp(b.Mul(eta, 2-w.Power))
		return b.Sub(b.Mul(y, b.Exp(b.Mul(eta, 1-w.Power))), weights), weights
	case NegativeBinomial: // with s = αμ/(1+αμ): ((1+αy)·(1−s) − 1)/α, s/α
		s := b.Sigmoid(b.Add(eta, math.Log(w.Alpha)))
		own := b.Add(b.Mul(y, w.Alpha), 1.0)
		return b.Mul(b.Sub(b.Mul(own, b.Sub(w.one(), s)), 1.0), 1/w.Alpha), b.Mul(s, 1/w.Alpha)
	}
	switch w.Link { // of Gamma
	case Log:
		return b.Sub(b.Mul(y, b.Exp(b.Neg(eta))), 1.0), build.Value{}
	case Identity: // (y − μ)/μ², 1/μ²
		per := b.Div(w.one(), eta)
		return b.Mul(per, b.Sub(b.Mul(y, per), 1.0)), b.Mul(per, per)
	}
	mu := b.Div(w.one(), eta)
	return b.Sub(mu, y), b.Mul(mu, mu)
}

// deviance returns the deviance and, for families with a dispersion, Pearson's statistic, of the linear predictor of coefficients beta.
// Terms of the target alone are its owner's.
func (w *writer) deviance(eta, beta build.Value) (deviance, pearson build.Value) {
	b, y := w.Builder, w.y
	twice := func(terms ...build.Value) build.Value {
		sum := terms[0]
		for _, t := range terms[1:] {
			sum = b.Add(sum, t)
		}
		return b.Mul(sum, 2.0)
	}
	softplus := func(x build.Value) build.Value {
		return b.Add(b.Max(x, 0.0), b.Log1p(b.Exp(b.Neg(b.Abs(x)))))
	}
	product := func() build.Value { // Σ yη
		if w.once() && w.OffsetOwner < 0 {
			return b.Dot(w.products, beta)
		}
		return w.inner(y, eta)
	}
	log := func(x build.Value) build.Value { return b.Log(b.Max(x, w.least())) }
	entropy := func(x build.Value) build.Value { return b.Mul(x, log(x)) } // 0 at 0
	switch w.Family {
	case Gaussian:
		r := b.Sub(y, Mean(b, w.Link, eta))
		rr := w.inner(r, r)
		return rr, rr
	case Binomial:
		terms := []build.Value{w.summed(softplus(eta)), b.Neg(product())}
		if w.WeightsOwner >= 0 { // proportions
			terms = append(terms, w.summed(w.each(func(y build.Value) build.Value { return b.Add(entropy(y), entropy(b.Sub(w.one(), y))) })))
		}
		return twice(terms...), build.Value{}
	case Poisson:
		own := w.summed(w.each(func(y build.Value) build.Value { return b.Sub(entropy(y), y) }))
		if w.Link == Identity {
			return twice(w.summed(eta), b.Neg(w.inner(y, b.Log(eta))), own), build.Value{}
		}
		return twice(w.summed(b.Exp(eta)), b.Neg(product()), own), build.Value{}
	case NegativeBinomial: // y·log y − (y + 1/α)·log(1+αy) + (y + 1/α)·log(1+αμ) − yη
		own := b.Add(y, 1/w.Alpha)
		alone := w.each(func(y build.Value) build.Value {
			return b.Sub(entropy(y), b.Mul(b.Add(y, 1/w.Alpha), b.Log1p(b.Mul(y, w.Alpha))))
		})
		return twice(w.inner(own, softplus(b.Add(eta, math.Log(w.Alpha)))), b.Neg(w.inner(y, eta)), w.summed(alone)), build.Value{}
	case Tweedie:
		p := w.Power
		first, second := b.Exp(b.Mul(eta, 1-p)), b.Exp(b.Mul(eta, 2-p))
		alone := b.Mul(b.Exp(b.Mul(log(y), 2-p)), 1/((1-p)*(2-p)))
		r := b.Sub(b.Mul(y, first), second)
		ratio := b.Sub(b.Mul(y, b.Exp(b.Neg(eta))), 1.0)
		terms := []build.Value{b.Mul(w.inner(y, first), 1/(p-1)), b.Mul(w.summed(second), 1/(2-p)), w.summed(alone)}
		return twice(terms...), w.inner(r, ratio)
	}
	var ratio, logMean build.Value // y/μ and log μ
	switch w.Link {
	case Log:
		ratio, logMean = b.Mul(y, b.Exp(b.Neg(eta))), eta
	case Identity:
		ratio, logMean = b.Div(y, eta), b.Log(eta)
	default:
		ratio, logMean = b.Mul(y, eta), b.Neg(b.Log(eta))
	}
	own := b.Neg(w.summed(b.Add(log(y), 1.0)))
	r := b.Sub(ratio, 1.0)
	return twice(w.summed(logMean), w.summed(ratio), own), w.inner(r, r)
}
