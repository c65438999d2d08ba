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
func (s *Shape) long() bool { return s.Hessians < s.Iterations }

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

// fractions returns fx and fw.
func (s *Shape) fractions() (fx, fw int) {
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
	of := func(k int) build.Value {
		if weighted[k] == (build.Value{}) {
			weighted[k] = w.Mul(blocks[k], w.Reshape(wi, n, 1))
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
			sums[k][l] = w.cross(of(k), blocks[l])
			if k != l {
				sums[l][k] = w.Transpose(sums[k][l])
			}
		}
	}
	rows := make([]build.Value, m)
	for i := range m {
		rows[i] = w.Concat(1, sums[i]...)
	}
	a := w.shrunk(w.Concat(0, rows...), math.Ldexp(1, -2*in.fx-in.fw)/float64(n))
	return w.penalised(w.Mul(a, w.Broadcast(in.level, w.p, w.p)))
}

// cross returns xᵀy. y is read as it is, so that what an owner shares of it serves other operations too.
func (w *writer) cross(x, y build.Value) build.Value {
	return w.DotGeneral(x, y, hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{0}})
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
