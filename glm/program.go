package glm

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hidden"
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
	if s.left() {
		p++ // whether the row matches
	}
	return p
}

// dispersed reports whether the family has a dispersion to be estimated. Its target is in its owner's units.
func (s *Shape) dispersed() bool {
	return s.Family == Gaussian || s.Family == Gamma || s.Family == Tweedie
}

// writer writes the program of a model.
type writer struct {
	*build.Builder
	*Shape
	n, p int
	x    build.Value   // n × p, the first column is 1
	y    build.Value   // n, in the owner's scale
	ys   []build.Value // of stacked tables whose targets have no unit, the parties' parts of y; nil otherwise
	off  build.Value   // n; a zero Value without an offset
	eye  build.Value   // p × p, the identity
	// prior are the rows' weights, of mean 1, and total is their mean before; zero Values without weights.
	prior, total build.Value
	match        build.Value // n, the weights of a hidden join; a zero Value without one
	unit         build.Value // of the target, for families with a dispersion
	// ridge has L2 for the coefficients that are penalised, and 0 for the intercept.
	ridge build.Value
	// whole are the features as integers, of models of which not every iteration computes a Hessian.
	whole *integers
	// products is Xᵀy of features that are shared once.
	products build.Value
	parts    []build.Value // the features of each party that has some
	ranks    []int         // of the parts' owners
}

// program returns the program. Its arguments are the weights of a hidden join, if there is one; for each party with features, the
// standardised features (a row for each row), mean/sd and 1/sd of each; then the offset, if there is one; the weights and their
// mean, if there are weights; the target; its mean and unit if the family has a dispersion; and the statistics of the target alone
// that are revealed (own). Its results are those of Outputs.
func (s *Shape) program() (*hlo.Program, error) {
	if s.SGD != nil {
		return s.sgdProgram()
	}
	b := build.New("glm")
	w := &writer{Builder: b, Shape: s, n: s.Rows, p: s.coefficients()}
	if s.CG == nil {
		one := make([]float64, w.p*w.p)
		for i := range w.p {
			one[i*w.p+i] = 1
		}
		w.eye = b.Array(tensor.FromFloats(tensor.F64, tensor.Shape{w.p, w.p}, one))
	}
	if s.Hidden != nil {
		w.match = b.Arg("match", tensor.F64, w.n)
	}
	if s.joins() {
		w.prior = w.match
	}
	columns := []build.Value{b.Const(tensor.F64, 1.0, w.n, 1)}
	shift := []build.Value{b.Const(tensor.F64, 1.0, 1)} // u
	scale := []build.Value{}
	var moved []build.Value // u of the feature of a left join
	if s.left() {
		moved = append(moved, b.Const(tensor.F64, 0.0, 1))
	}
	var mean, unit, own build.Value
	if s.Stacked != nil {
		of := w.stackedColumns()
		columns, shift, scale = append(columns, of.x), append(shift, of.shift), append(scale, of.scale)
		own, mean, unit = of.own, of.mean, of.unit
	}
	for rank, k := range s.Features {
		if k == 0 || s.piece(rank) {
			continue
		}
		x := b.Arg(fmt.Sprintf("x%d", rank), tensor.F64, w.n, k)
		columns, w.parts, w.ranks = append(columns, x), append(w.parts, x), append(w.ranks, rank)
		minus := b.Neg(b.Arg(fmt.Sprintf("shift%d", rank), tensor.F64, k))
		if s.left() {
			zeros := b.Const(tensor.F64, 0.0, k)
			if moved = append(moved, zeros); rank != s.Hidden.Keeper { // columns that are zeros in some rows
				minus, moved[len(moved)-1] = zeros, minus
			}
		}
		shift = append(shift, minus)
		scale = append(scale, b.Arg(fmt.Sprintf("scale%d", rank), tensor.F64, k))
	}
	if s.OffsetOwner >= 0 && !s.piece(s.OffsetOwner) {
		w.off = b.Arg("offset", tensor.F64, w.n)
	}
	if s.WeightsOwner >= 0 && !s.piece(s.WeightsOwner) {
		w.prior, w.total = b.Arg("weights", tensor.F64, w.n), b.Arg("weight", tensor.F64)
		if s.joins() {
			w.prior = b.Mul(w.prior, w.match)
		}
	}
	if s.L2 > 0 {
		l2 := make([]float64, w.p)
		for i := 1; i < w.p; i++ {
			l2[i] = s.L2
		}
		w.ridge = b.Array(tensor.FromFloats(tensor.F64, tensor.Shape{w.p}, l2))
		if s.joins() { // sums over rows are divided by the number of all, not of those that match
			w.ridge = b.Mul(w.ridge, b.Mean(w.prior))
		}
	}
	if s.left() {
		columns = append(columns, b.Reshape(w.match, w.n, 1))
		shift, scale = append(shift, b.Const(tensor.F64, 0.0, 1)), append(scale, b.Const(tensor.F64, 1.0, 1))
		moved = append(moved, b.Const(tensor.F64, 1.0, 1))
	}
	if !s.once() {
		w.x = b.Concat(1, columns...)
	}
	if !s.piece(s.Owner) {
		w.y = b.Arg("y", tensor.F64, w.n)
		if s.dispersed() {
			mean, unit = b.Arg("mean", tensor.F64), b.Arg("unit", tensor.F64)
		}
		if k := len(s.own()); k > 0 {
			own = b.Arg("own", tensor.F64, k)
		}
	}
	w.unit = unit
	f := w.fit()
	u, slopes := b.Concat(0, shift...), b.Concat(0, scale...)
	// A coefficient is multiplied by the target's unit before the feature's: the later factor rounds.
	b0 := b.Dot(u, f.beta)
	bs := b.Slice(f.beta, []int{1}, []int{w.p})
	replaced := func(all, last build.Value) build.Value { // the last coefficient of a left join has a shift, as the intercept has
		return b.Concat(0, b.Slice(all, []int{0}, []int{w.p - 2}), b.Reshape(last, 1))
	}
	if s.left() {
		bs = replaced(bs, b.Dot(b.Concat(0, moved...), f.beta))
	}
	se0, ses := b0, bs // without standard errors, they are not used
	if s.errors() {
		root := b.Mul(b.Sqrt(f.dispersion), b.Const(tensor.F64, 1/math.Sqrt(float64(w.n))))
		se0 = b.Mul(b.Sqrt(b.Dot(u, b.Dot(f.inverse, u))), root)
		ses = b.Mul(b.Sqrt(b.Slice(w.diagonal(f.inverse), []int{1}, []int{w.p})), root)
		if s.left() {
			u := b.Concat(0, moved...)
			ses = replaced(ses, b.Mul(b.Sqrt(b.Dot(u, b.Dot(f.inverse, u))), root))
		}
		if s.WeightsOwner >= 0 && !s.dispersed() {
			se0, ses = b.Mul(se0, b.Rsqrt(w.total)), b.Mul(ses, b.Rsqrt(w.total))
		}
	}
	deviance, dispersion := f.deviance, f.dispersion
	switch {
	case s.Family == Gaussian:
		deviance, dispersion = b.Mul(b.Mul(deviance, unit), unit), b.Mul(b.Mul(dispersion, unit), unit)
	case s.Family == Tweedie:
		power := b.Exp(b.Mul(b.Log(unit), 2-s.Power)) // the owner's
		deviance, dispersion = b.Mul(deviance, power), b.Mul(dispersion, power)
	}
	if s.dispersed() {
		switch s.Link {
		case Identity:
			b0, bs = b.Mul(b0, unit), b.Mul(bs, unit)
			se0, ses = b.Mul(se0, unit), b.Mul(ses, unit)
			if s.centred() {
				b0 = b.Add(b0, mean)
			}
		case Log:
			b0 = b.Add(b0, b.Log(unit)) // the owner's
		case Inverse:
			per := b.Div(b.Const(tensor.F64, 1.0), unit)
			b0, bs, se0, ses = b.Mul(b0, per), b.Mul(bs, per), b.Mul(se0, per), b.Mul(ses, per)
		}
	}
	if s.WeightsOwner >= 0 {
		deviance = b.Mul(deviance, w.total)
		if s.dispersed() {
			dispersion = b.Mul(dispersion, w.total)
		}
	}
	joined := func(first, rest build.Value) build.Value {
		return b.Concat(0, b.Reshape(first, 1), b.Mul(rest, slopes))
	}
	coefficients := joined(b0, bs)
	if s.L1 > 0 { // thresholds and products are a few units off, and a coefficient that is 0 shall be 0
		zero := b.Less(b.Abs(b.Slice(f.beta, []int{1}, []int{w.p})), noCoefficient)
		all := b.Concat(0, b.Const(tensor.Bool, false, 1), zero)
		coefficients = b.Select(all, b.Const(tensor.F64, 0.0, w.p), coefficients)
	}
	results := []build.Value{coefficients}
	if s.errors() {
		results = append(results, joined(se0, ses))
	}
	results = append(results, deviance)
	if s.dispersed() {
		results = append(results, dispersion)
	}
	if results = append(results, f.converged); s.errors() {
		results = append(results, f.inverted)
	}
	if s.Hidden != nil {
		results = hidden.Withhold(b, w.match, s.leastMatches(), results)
	}
	if len(s.own()) > 0 {
		results = append(results, own)
	}
	b.Return(results...)
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

// unclamped returns the iteration from which on linear predictors are not clamped. If features are shared once, comparisons would be
// much of the cost: predictors are clamped where weights of a Hessian come from them.
func (s *Shape) unclamped() int {
	if s.once() {
		return min(s.Hessians-1, 4)
	}
	return 4
}

// fit iterates.
func (w *writer) fit() fitted {
	b := w.Builder
	if w.L1 > 0 {
		return w.sparse()
	}
	if w.CG != nil {
		return w.conjugate()
	}
	weights, working := w.begin()
	stride := w.stride()
	in := w.invert(w.hessian(weights, stride), inversion{})
	r := w.sampled(working, stride) // the first coefficients are a fit of these rows
	var first build.Value
	if w.once() {
		first = w.gathered(r, stride)
	} else {
		first = b.Dot(r, w.sampled(w.x, stride))
	}
	beta := b.Dot(in.inverse, b.Mul(first, 1/float64(r.Dim(0))))
	var gradient, step build.Value
	var l last
	for i := 1; i < w.Iterations; i++ {
		var eta, score build.Value
		eta, beta, _ = w.predicted(beta, i < w.unclamped())
		score, weights = w.score(eta)
		l.means = weights
		if weights.Rank() > 0 && w.renews(i) {
			early := inversion{}
			if i == w.Iterations-1 {
				if stride = 1; w.long() {
					early = in
				}
			}
			l.hessian = w.hessian(w.prioritised(weights), stride)
			in = w.invert(l.hessian, early)
		}
		gradient = w.gradient(w.weigh(score))
		if w.L2 > 0 {
			gradient = b.Sub(gradient, b.Mul(w.ridge, beta))
		}
		step = b.Dot(in.inverse, gradient)
		beta = b.Add(beta, step)
	}
	f := fitted{beta: beta, inverse: in.inverse}
	if w.L2 > 0 { // V·(A − L2)·V, where V is the inverse of A, which has the penalty
		f.inverse = b.Sub(f.inverse, b.Dot(b.Mul(f.inverse, b.Reshape(w.ridge, 1, w.p)), f.inverse))
	}
	var outside build.Value
	f.deviance, f.dispersion, outside = w.dispersion(beta)
	// No step is longer, in standard errors, than the root of n·step·gradient/dispersion.
	length := b.Mul(b.Dot(step, gradient), float64(w.n))
	if w.WeightsOwner >= 0 && !w.dispersed() {
		length = b.Mul(length, w.total)
	}
	f.converged = b.Less(length, b.Mul(f.dispersion, stepTolerance*stepTolerance))
	if w.once() {
		l.step = step
		f.converged = b.And(f.converged, b.Not(w.strayed(outside, beta, l)))
	}
	f.inverted = b.Less(in.residual, residualTolerance*residualTolerance)
	return f
}

// begin returns the weights of the first iteration, and weights times the working response without the offset.
func (w *writer) begin() (weights, working build.Value) {
	b := w.Builder
	weights, working = w.start()
	if w.long() && weights.Rank() > 0 {
		w.whole = w.integers(w.parts, w.ranks, b.Mean(weights))
		if w.once() { // first, so that owners share all features, of which others read parts
			w.products = w.gathered(w.y, 1)
		}
	}
	if w.OffsetOwner >= 0 {
		shift := w.off
		if weights.Rank() > 0 {
			shift = b.Mul(weights, shift)
		}
		working = b.Sub(working, shift)
	}
	return w.prioritised(weights), w.weigh(working)
}

// dispersion returns the deviance and the dispersion of a fit, and outside of its predictor (predicted).
func (w *writer) dispersion(beta build.Value) (deviance, dispersion, outside build.Value) {
	eta, beta, outside := w.predicted(beta, false)
	deviance, pearson := w.deviance(eta, beta)
	if w.dispersed() && w.joins() { // of as many rows as match
		free := w.Sub(w.Mean(w.match), float64(w.p)/float64(w.n))
		return deviance, w.Div(w.Mul(pearson, 1/float64(w.n)), free), outside
	}
	if w.dispersed() {
		return deviance, w.Mul(pearson, 1/float64(w.n-w.p)), outside
	}
	return deviance, w.Const(tensor.F64, 1.0), outside
}

// predictor returns the linear predictor.
func (w *writer) predictor(beta build.Value) build.Value {
	eta := w.Dot(w.x, beta)
	if w.OffsetOwner >= 0 {
		eta = w.Add(eta, w.off)
	}
	return eta
}

// hessian returns XᵀWX/n; zero weights stand for ones. That of integers is of one of stride rows.
func (w *writer) hessian(weights build.Value, stride int) build.Value {
	b, weighted := w.Builder, w.x
	if w.whole != nil && weights.Rank() > 0 {
		return w.longHessian(weights, stride)
	}
	if weights.Rank() > 0 {
		weighted = b.Mul(w.x, b.Reshape(weights, w.n, 1))
	}
	product := w.symmetric
	if w.Hidden != nil || w.Stacked != nil { // w.x is not made of inputs
		product = b.Dot
	}
	return w.penalised(b.Mul(product(b.Transpose(w.x), weighted), 1/float64(w.n)))
}

// blockColumns is the least number of columns of a block of symmetric, below which the kernels of contractions are slower.
const blockColumns = 64

// symmetric returns the product of a (p × k) and c (k × p), which is known to be symmetric. Only blocks on and above the diagonal are
// computed; those below it are the same, transposed. A column of c is in one product. A row of a is in several, so that a must be made of
// inputs: each product would open its rows anew (in a Poisson fit of stacked tables of 200 columns, 5 % more bytes).
func (w *writer) symmetric(a, c build.Value) build.Value {
	b, k := w.Builder, a.Dim(1)
	blocks := max(1, w.p/blockColumns)
	if blocks == 1 {
		return b.Dot(a, c)
	}
	at := func(i int) int { return i * w.p / blocks }
	columns := make([]build.Value, blocks) // each down to the diagonal
	for i := blocks - 1; i >= 0; i-- {
		columns[i] = b.Dot(b.Slice(a, []int{0, 0}, []int{at(i + 1), k}), b.Slice(c, []int{0, at(i)}, []int{k, at(i + 1)}))
	}
	whole := make([]build.Value, blocks)
	for i := range blocks {
		parts := []build.Value{columns[i]}
		for j := i + 1; j < blocks; j++ {
			parts = append(parts, b.Transpose(b.Slice(columns[j], []int{at(i), 0}, []int{at(i + 1), at(j+1) - at(j)})))
		}
		whole[i] = b.Concat(0, parts...)
	}
	return b.Concat(1, whole...)
}

// penalised returns a Hessian with the penalty.
func (w *writer) penalised(a build.Value) build.Value {
	if w.L2 > 0 {
		a = w.Add(a, w.Mul(w.eye, w.Reshape(w.ridge, 1, w.p)))
	}
	return a
}

// gradient returns Xᵀr/n.
func (w *writer) gradient(r build.Value) build.Value {
	if w.once() {
		return w.Mul(w.gathered(r, 1), 1/float64(w.n))
	}
	return w.Mul(w.Dot(r, w.x), 1/float64(w.n))
}

// diagonal returns a matrix's diagonal.
func (w *writer) diagonal(a build.Value) build.Value { return w.Sum(w.Mul(a, w.eye), 1) }
