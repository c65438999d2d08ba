package glm

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// renews reports whether iteration i, the first is 0, computes the Hessian: the first ones do, and the last one, whose standard
// errors are results.
func (s *Shape) renews(i int) bool {
	return i < max(1, s.Hessians-1) || s.Hessians > 1 && i == s.Iterations-1
}

// long reports whether Hessians are computed from integers.
func (s *Shape) long() bool { return s.CG == nil && s.Hessians < s.Iterations }

// integers are the features, and a column of ones before them, as integers with fx fraction bits. Weights have fw. Sums over rows
// fit 64 bits if no feature is farther from its mean than Shape.farthest: owners check that.
type integers struct {
	blocks []build.Value // the ones, then the features of each party that has some: Rows × columns, i64
	ranks  []int         // of the blocks' owners; the first is -1
	fx, fw int
	level  build.Value // the mean of the first weights, which the target's owner knows
}

// roomBits are the bits of sums of integers above those of rows, features and weights of size 1; growthBits are those of them that are
// for weights whose mean is above that of the first ones.
const roomBits, growthBits = 14, 4

// sampleRows is the number of rows for each coefficient from which early Hessians are computed, if there are twice as many or more: their
// inverses are then off by some 7 %, and more where few rows have most of the weight. The next iterations, whose gradients are those of
// all rows, correct that. leastSample is the least number of all these rows: some 16 of them have the rarest level (farthest).
const sampleRows, leastSample = 800, 16 * farthest * farthest

// stride says that early Hessians, of all iterations but the last, are computed from one of stride rows. Its square is at most a hundredth
// of the rows.
func (s *Shape) stride() int {
	if !s.long() || s.Hessians < 3 { // without a Hessian of weights of the fit, iterations hardly converge as it is
		return 1
	}
	return max(1, min(s.Rows/max(sampleRows*s.coefficients(), leastSample), int(math.Sqrt(float64(s.Rows)))/10))
}

// sampled returns one of stride rows of x. With every stride-th row, a column that has stride as a period, such as the day of the week,
// would have one value. So it is another one of each stride rows in turn: of each stride² rows every (stride+1)-th. Of fewer rows
// at the end there is none.
func (w *writer) sampled(x build.Value, stride int) build.Value {
	if stride == 1 {
		return x
	}
	square, rest := stride*stride, x.Shape()[1:]
	n := x.Dim(0) / square
	dims := func(first ...int) []int { return slices.Concat(first, rest) }
	x = w.Reshape(w.Slice(x, make([]int, x.Rank()), dims(n*square)), dims(n, square)...)
	by := slices.Repeat([]int{1}, x.Rank())
	by[1] = stride + 1
	return w.Reshape(w.StridedSlice(x, make([]int, x.Rank()), x.Shape(), by), dims(n*stride)...)
}

// once reports whether features are shared as integers only, of which linear predictors and gradients are computed too: those of many rows
// of a model whose scores are not larger than its target's values. A fit is then one of features rounded to fx fraction bits.
func (s *Shape) once() bool {
	return s.long() && s.Rows >= 2*leastSample && !s.weighted() &&
		(s.Family == Poisson && s.Link == Log || s.Family == Binomial && s.Link == Logit)
}

// Fraction bits and rows of sums of features that are shared once. Sums of products with weights over onceRows rows fit 64 bits as those of
// all rows do with fewer bits (roomBits); each is converted, and the results are added.
const (
	onceFraction, onceWeight = 13, 10
	onceRows                 = 1 << (61 - roomBits - 2*onceFraction - onceWeight)
)

// scoreBits are the bits of the root of the mean square of scores, for which sums with features have room; the target's owner checks that
// that of the target is at most 2^-3 of it.
const scoreBits = 14

// scoreFraction returns the fraction bits of scores.
func (s *Shape) scoreFraction() int { return 61 - onceFraction - scoreBits - log2Ceil(s.Rows) }

// betaFraction returns the fraction bits of coefficients in linear predictors: their rounding is no step that keeps a fit from having
// converged, of some 2^-11 of a standard error among 77 coefficients. Those of early iterations, from which the next steps go on, have
// earlyFraction: few bits are compared.
func (s *Shape) betaFraction() int { return 14 + (log2Ceil(s.Rows)+1)/2 }

const earlyFraction = 8

func log2Ceil(n int) int { return int(math.Ceil(math.Log2(float64(n)))) }

// betaBits says that coefficients of standardised features are below 2^betaBits in magnitude.
const betaBits = 12

// mostBeta is the magnitude below which coefficients must be for linear predictors that fit 62 bits with an offset.
func (s *Shape) mostBeta() float64 {
	p := float64(s.coefficients())
	return min(math.Ldexp(1, betaBits), math.Ldexp(1, 61-onceFraction-s.betaFraction())/(farthest*p))
}

// predictorBits says that linear predictors are below 2^predictorBits in magnitude, and logarithms of means below 2^logBits, as functions
// of others are arbitrary; earlyBits is for early predictors. A fit whose result depends on others has not converged: writer.strayed.
const predictorBits, logBits, earlyBits = 7, 5, 26

// mostMean bounds the mean of means in the last iteration, and mostSpread the mean square of a feature weighted by them:
// then |Σ mean·feature| ≤ rows·√(mostMean·mostSpread), which with the targets that checkScores takes is below
// 2^scoreBits·rows.
const mostMean, mostSpread = 2900.0, 1 << 16

// mostWeight is the sum of weights, in units of the mean of the first ones, for which sums over onceRows rows fit, less a margin.
const mostWeight = 0.9 * onceRows * (1 << growthBits)

// checkScores refuses a target for whose scores sums of integers do not fit.
func (s *Shape) checkScores(d Data) error {
	sum := 0.0
	for _, v := range d.Target.Values {
		sum += v * v / float64(s.Rows)
	}
	if sum > 1<<(2*(scoreBits-3)) {
		return fmt.Errorf("%s has a mean square above 2^%d, for which a model with fewer hessians than iterations has no room (leave hessians out)",
			d.Target.Name, 2*(scoreBits-3))
	}
	return nil
}

// real returns integers as floats, divided by 2^scale, where integers are below 2^bits in magnitude.
func (w *writer) real(x build.Value, scale, bits int) build.Value {
	return w.Custom("tacet.real", []tensor.Type{{DType: tensor.F64, Shape: x.Shape()}}, realAttrs(scale, bits, bits), x)[0]
}

func realAttrs(scale, bits, below int) hlo.Attrs {
	return hlo.Attrs{"mhlo.attributes": map[string]any{"scale": int64(scale), "bits": int64(bits), "below": int64(below)}}
}

// predicted returns the linear predictor, clamped in early iterations, and the coefficients that it is of: rounded ones, if features are
// shared once. outside is then, for each row, whether the predictor is arbitrary, of which early ones have none.
func (w *writer) predicted(beta build.Value, early bool) (eta, of, outside build.Value) {
	if !w.once() {
		if eta = w.predictor(beta); early {
			eta = w.clamp(eta)
		}
		return eta, beta, outside
	}
	f := w.betaFraction()
	if early {
		f = earlyFraction
	}
	bi := w.integer(beta, f)
	var sum build.Value
	from := 0
	for k, x := range w.whole.blocks {
		to := from + x.Dim(1)
		part := w.Slice(bi, []int{from}, []int{to})
		from = to
		if k == 0 { // the column of ones
			sum = w.Broadcast(w.Mul(w.Reshape(part), w.Const(tensor.I64, 1<<w.whole.fx)), w.n)
			continue
		}
		sum = w.Add(sum, w.Dot(x, part))
	}
	if w.OffsetOwner >= 0 {
		sum = w.Add(sum, w.integer(w.off, w.whole.fx+f))
	}
	scale, of := w.whole.fx+f, w.real(bi, f, f+betaBits)
	if early {
		return w.clamp(w.real(sum, scale, scale+earlyBits)), of, outside
	}
	attrs := realAttrs(scale, scale+predictorBits, scale+predictorBits)
	if w.Link == Log {
		attrs = realAttrs(scale, scale+predictorBits, scale+logBits)
	}
	outside = w.Custom("tacet.outside", []tensor.Type{{DType: tensor.Bool, Shape: sum.Shape()}}, attrs, sum)[0]
	return w.Custom("tacet.real", []tensor.Type{{DType: tensor.F64, Shape: sum.Shape()}}, attrs, sum)[0], of, outside
}

// last is what the last iteration of features that are shared once computes: its step, and of a Poisson model its Hessian, a zero Value if
// there is none, and means.
type last struct{ step, hessian, means build.Value }

// strayed returns a bit: whether a fit of features that are shared once depends on numbers that do not fit. outside is for each row whether
// the predictor of the resulting coefficients beta is arbitrary. If none is and the last step is short, those of the last iteration,
// which are of coefficients before that step, were not either, as outside has a margin.
func (w *writer) strayed(outside, beta build.Value, l last) build.Value {
	b := w.Builder
	bad := []build.Value{
		outside,
		b.Not(b.Less(b.Abs(beta), w.mostBeta())),
		b.Not(b.Less(b.Abs(l.step), 1/float64(farthest*w.p))), // predictors move by less than 1
	}
	if w.Family == Poisson { // scores and weights of others are at most 1
		mean := b.Reshape(b.Mean(l.means), 1)
		if l.hessian.Rank() > 0 {
			bad = append(bad, b.Not(b.Less(mean, mostMean)), b.Not(b.Less(w.diagonal(l.hessian), mostSpread+w.L2)))
			d, most := w.divide(b.Reshape(l.means, w.n, 1), false), b.Mul(w.whole.level, mostWeight)
			for _, x := range []build.Value{d.sums, d.rest} {
				if x.Rank() > 0 {
					x = b.Sum(b.Reshape(x, -1, x.Dim(x.Rank()-2)), 1)
					bad = append(bad, b.Not(b.Less(x, b.Broadcast(most, x.Dim(0)))))
				}
			}
		} else {
			bad = append(bad, b.Not(b.Less(mean, float64(int(1)<<(scoreBits-1))/farthest)))
		}
	}
	return b.Greater(b.Sum(b.Convert(b.Concat(0, bad...), tensor.I32)), b.Const(tensor.I32, 0))
}

// gathered returns Xᵀr of integers, of one of stride rows, where r are floats of these rows.
func (w *writer) gathered(r build.Value, stride int) build.Value {
	f := w.scoreFraction()
	ri := w.integer(r, f)
	var sums []build.Value
	for _, x := range w.whole.blocks {
		sums = append(sums, w.Dot(ri, w.sampled(x, stride)))
	}
	return w.real(w.Concat(0, sums...), w.whole.fx+f, 61)
}

// fractions returns fx and fw.
func (s *Shape) fractions() (fx, fw int) {
	if s.once() {
		return onceFraction, onceWeight
	}
	bits := 62 - roomBits - int(math.Ceil(math.Log2(float64(s.Rows))))
	fx = min(bits/3, 16)
	return fx, min(bits-2*fx, 16)
}

// farthest is the largest magnitude x of a standardised feature for which sums of integers fit: |Σ w·x·x'| is at most x² times the
// sum of the weights.
const farthest = 1 << ((roomBits - growthBits) / 2)

// checkFarthest refuses standardised features, row by row, for which sums of integers do not fit.
func (d Data) checkFarthest(x []float64) error {
	for i, v := range x {
		if math.Abs(v) > farthest {
			return fmt.Errorf("%s has a value more than %d standard deviations from its mean, for which a model with fewer hessians than iterations has no room (leave hessians out)",
				d.Features[i%len(d.Features)].Name, farthest)
		}
	}
	return nil
}

// integer returns x as integers with f fraction bits that are less than n/2 units off among n computing parties.
func (w *writer) integer(x build.Value, f int) build.Value {
	return w.Custom("tacet.integer", []tensor.Type{{DType: tensor.I64, Shape: x.Shape()}}, nil, w.Mul(x, math.Ldexp(1, f)))[0]
}

// integers makes the integers of features, each at its owner.
func (w *writer) integers(features []build.Value, ranks []int, level build.Value) *integers {
	in := &integers{level: level}
	in.fx, in.fw = w.fractions()
	in.blocks = []build.Value{w.Const(tensor.I64, 1<<in.fx, w.n, 1)}
	in.ranks = append([]int{-1}, ranks...)
	for _, x := range features {
		in.blocks = append(in.blocks, w.Convert(w.Floor(w.Add(w.Mul(x, math.Ldexp(1, in.fx)), 0.5)), tensor.I64))
	}
	return in
}

// longHessian returns XᵀWX/n from integers: products of weights and features are exact and opened in 64 bits, and the sums are
// not truncated in between. Of two parties' features those are weighted that are not the target's owner's: in the first iteration
// that owner weights its own alone. They are sums over one of stride rows.
func (w *writer) longHessian(weights build.Value, stride int) build.Value {
	in, blocks := w.whole, slices.Clone(w.whole.blocks)
	for k := range blocks {
		blocks[k] = w.sampled(blocks[k], stride)
	}
	weights = w.sampled(weights, stride)
	n := weights.Dim(0)
	wi := w.integer(w.Mul(weights, w.Div(w.one(), in.level)), in.fw)
	weighted := make([]build.Value, len(blocks))
	dividedX, dividedW := make([]divided, len(blocks)), make([]divided, len(blocks))
	of := func(k int) build.Value {
		if weighted[k] == (build.Value{}) {
			if weighted[k] = w.Mul(blocks[k], w.Reshape(wi, n, 1)); w.once() {
				dividedW[k] = w.divide(weighted[k], true)
			}
		}
		return weighted[k]
	}
	m := len(blocks)
	sums := make([][]build.Value, m)
	for i := range m {
		sums[i] = make([]build.Value, m)
	}
	for i := range m {
		for j := range i + 1 {
			k, l := j, i
			if in.ranks[j] == w.Owner { // the other one is weighted
				k, l = i, j
			}
			if w.once() && dividedX[l] == (divided{}) {
				dividedX[l] = w.divide(blocks[l], false)
			}
			switch {
			case w.once() && k == l && in.ranks[k] == w.Owner: // whose products with weights serve nothing else
				sums[k][l] = w.squares(dividedX[k], w.divide(w.Reshape(wi, n, 1), false))
			case w.once():
				of(k)
				sums[k][l] = w.crossed(dividedW[k], dividedX[l])
			default:
				sums[k][l] = w.cross(of(k), blocks[l])
			}
			if k != l {
				sums[l][k] = w.Transpose(sums[k][l])
			}
		}
	}
	rows := make([]build.Value, m)
	for i := range m {
		rows[i] = w.Concat(1, sums[i]...)
	}
	a := w.Concat(0, rows...)
	if w.once() {
		a = w.Mul(a, 1/float64(n))
	} else {
		a = w.shrunk(a, math.Ldexp(1, -2*in.fx-in.fw)/float64(n))
	}
	return w.penalised(w.Mul(a, w.Broadcast(in.level, w.p, w.p)))
}

// cross returns xᵀy. y is read as it is, so that what an owner shares of it serves other operations too.
func (w *writer) cross(x, y build.Value) build.Value {
	return w.DotGeneral(x, y, hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{0}})
}

// divided are integers of rows, in two parts: rows that are spread evenly over the table, so that those of a sorted one are alike, onceRows
// of them for each sum, and the rest at the end. A zero Value stands for no rows.
type divided struct{ sums, rest build.Value }

// divide divides integers, a row for each row; their rows are the last dimension if they are to be the left factor of contractions, so that
// these read them as they are.
func (w *writer) divide(x build.Value, left bool) (d divided) {
	n, k := x.Dim(0), x.Dim(1)
	sums := n / onceRows
	whole := sums * onceRows
	if sums > 0 {
		order := []int{1, 0, 2}
		if left {
			order = []int{1, 2, 0}
		}
		d.sums = w.Transpose(w.Reshape(w.Slice(x, []int{0, 0}, []int{whole, k}), onceRows, sums, k), order...)
	}
	if whole < n {
		if d.rest = w.Slice(x, []int{whole, 0}, []int{n, k}); left {
			d.rest = w.Transpose(d.rest)
		}
	}
	return d
}

// squares returns xᵀ·diag(v)·x of features that are shared once, as floats.
func (w *writer) squares(x, v divided) build.Value {
	of := func(x, v build.Value, batch int) build.Value {
		rows, k := x.Dim(x.Rank()-2), x.Dim(x.Rank()-1)
		t := []tensor.Type{{DType: tensor.I64, Shape: tensor.Shape{batch, k, k}}}
		return w.Custom("tacet.squares", t, nil, w.Reshape(x, batch, rows, k), w.Reshape(v, batch, rows))[0]
	}
	return w.sum(x, v, of)
}

// sum returns the sum of what of makes of both parts of x and y, the sums or the one of the rest, as floats.
func (w *writer) sum(x, y divided, of func(x, y build.Value, batch int) build.Value) (sum build.Value) {
	scale := 2*w.whole.fx + w.whole.fw
	if x.sums.Rank() > 0 {
		sum = w.Sum(w.real(of(x.sums, y.sums, x.sums.Dim(0)), scale, 61), 0)
	}
	if x.rest.Rank() > 0 {
		rest := w.Sum(w.real(of(x.rest, y.rest, 1), scale, 61), 0)
		if sum.Rank() == 0 {
			return rest
		}
		sum = w.Add(sum, rest)
	}
	return sum
}

// crossed returns cross of weighted features and features, which are shared once, as floats: each sum is converted, and all are added.
func (w *writer) crossed(x, y divided) build.Value {
	return w.sum(x, y, func(x, y build.Value, batch int) build.Value {
		x, y = w.Reshape(x, batch, x.Dim(x.Rank()-2), x.Dim(x.Rank()-1)), w.Reshape(y, batch, y.Dim(y.Rank()-2), y.Dim(y.Rank()-1))
		return w.DotGeneral(x, y, hlo.DotDims{LHSBatch: []int{0}, RHSBatch: []int{0}, LHSContract: []int{2}, RHSContract: []int{1}})
	})
}

// shrunk returns integers times a factor below 1, of which a constant would keep too few digits.
func (w *writer) shrunk(x build.Value, factor float64) build.Value {
	m, e := math.Frexp(factor)
	x = w.Mul(w.Convert(x, tensor.F64), m)
	for e < 0 {
		by := max(e, -20)
		x, e = w.Mul(x, math.Ldexp(1, by)), e-by
	}
	return x
}
