package glm

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// SGD says that a model is fitted by minibatch stochastic gradient descent instead of Fisher scoring (package comment, Wide tables).
type SGD struct {
	Epochs int     // passes over all rows; 0 for DefaultEpochs
	Batch  int     // rows of a step; 0 for DefaultBatch, or all rows if there are fewer
	Rate   float64 // by which the gradient is multiplied; 0 for DefaultRate
	Bits   int     // of a feature: 16 or 12; 0 for DefaultBits
}

// Solver is Result.Solver of a model that was fitted by SGD.
const Solver = "sgd"

// Defaults and bounds of fields of SGD, and of the number of features of a model with it.
const (
	DefaultEpochs, MaxEpochs = 10, 1000
	DefaultBatch, MinBatch   = 1024, 16
	DefaultRate, MaxRate     = 0.1, 16.0
	DefaultBits              = 16
	maxWide                  = 10_000
	maxSteps                 = 100_000 // of all epochs
)

// resolveSGD is Resolve of a model with SGD.
func (s Shape) resolveSGD() (*Shape, error) {
	g := *s.SGD
	s.SGD = &g
	switch {
	case s.CG != nil:
		return nil, fmt.Errorf("a model has one solver, sgd or cg")
	case s.Family != Binomial && !s.centred():
		return nil, fmt.Errorf("solver sgd is for families binomial and gaussian with link identity, not %s with link %s", s.Family, s.Link)
	case s.Hidden != nil || s.Stacked != nil:
		return nil, fmt.Errorf("solver sgd is for rows that belong together (joins aligned and psi), not for hidden joins and stacked tables")
	case s.OffsetOwner >= 0 || s.WeightsOwner >= 0 || s.L1 > 0:
		return nil, fmt.Errorf("solver sgd takes no offset, weights and l1")
	case s.Iterations != 0 || s.Hessians != 0 || s.Condition != 0:
		return nil, fmt.Errorf("solver sgd takes epochs instead of iterations, and no hessians and condition")
	}
	if err := s.resolveFamily(); err != nil {
		return nil, err
	}
	if s.Owner < 0 || s.Owner >= len(s.Parties) {
		return nil, fmt.Errorf("the target has no owner among the %d parties", len(s.Parties))
	}
	if len(s.Features) != len(s.Parties) || slices.Min(s.Features) < 0 || slices.Max(s.Features) >= maxWide {
		return nil, fmt.Errorf("want the numbers of features of %d parties, each below %d", len(s.Parties), maxWide)
	}
	switch p := s.coefficients(); {
	case p == 1:
		return nil, fmt.Errorf("the model has no features")
	case p > maxWide:
		return nil, fmt.Errorf("the model has %d features, more than %d", p-1, maxWide-1)
	case s.Rows > maxRows:
		return nil, fmt.Errorf("the tables have %d rows, more than %d", s.Rows, maxRows)
	case s.Rows <= p || s.Rows < MinBatch:
		return nil, fmt.Errorf("the tables have %d rows, too few for %d coefficients", s.Rows, p)
	}
	if g.Epochs == 0 {
		g.Epochs = DefaultEpochs
	}
	if g.Batch == 0 {
		g.Batch = min(DefaultBatch, s.Rows)
	}
	if g.Rate == 0 {
		g.Rate = DefaultRate
	}
	if g.Bits == 0 {
		g.Bits = DefaultBits
	}
	switch {
	case g.Epochs < 1 || g.Epochs > MaxEpochs:
		return nil, fmt.Errorf("epochs: want 1 to %d, got %d", MaxEpochs, g.Epochs)
	case g.Batch < MinBatch || g.Batch > s.Rows:
		return nil, fmt.Errorf("batch: want %d to the number of rows, %d, got %d", MinBatch, s.Rows, g.Batch)
	case !(g.Rate > 0 && g.Rate <= MaxRate):
		return nil, fmt.Errorf("rate: want a number above 0, at most %g, got %v", MaxRate, g.Rate)
	case g.Bits != 12 && g.Bits != 16:
		return nil, fmt.Errorf("bits: want 16 or 12, got %d", g.Bits)
	case g.Epochs*((s.Rows-1)/g.Batch+1) > maxSteps:
		return nil, fmt.Errorf("%d epochs of %d rows in batches of %d have more than %d steps (take larger batches or fewer epochs)",
			g.Epochs, s.Rows, g.Batch, maxSteps)
	}
	n := s.numbers()
	if most := 64 - n.ring - (n.fx + n.fr + leastRateBits - n.fw); n.fraction > 64-n.ring+n.fw {
		return nil, fmt.Errorf("rate %g is too small for batches of %d rows: want %.2g or more", g.Rate, g.Batch, float64(g.Batch)*math.Ldexp(1, -most))
	}
	return &s, nil
}

// numbers are the forms of numbers in the program of SGD. Features have fx fraction bits and are below nearest in magnitude, coefficients
// have fw in predictors, and scores fr; all are in the ring Z_2^ring. Coefficients are kept with so many fraction bits in Z_2^64.
type numbers struct {
	ring, fx, fw, fr int
	// block is the number of rows whose products are summed in the ring; sums are added in Z_2^64. The magnitudes of a feature's
	// integers add up to at most most in each, so that a sum with scores is below a quarter of half the ring.
	block, most int
	fraction    int
	rate        int64 // by which a whole batch's sum is multiplied
}

// nearest is the magnitude below which features are, in their owner's unit.
const nearest = 8

// farthestScore bounds scores of Gaussian models, in units of the target's standard deviation.
const farthestScore = 16

// rateBits are the bits of numbers.rate, fewer, down to leastRateBits, where Z_2^64 has no room.
const rateBits, leastRateBits = 12, 5

// numbers returns the forms of numbers.
func (s *Shape) numbers() numbers {
	n := numbers{ring: 32, fx: 12, fw: 14, fr: 7, block: 512}
	if s.SGD.Bits == 12 {
		n.ring, n.fx, n.fw, n.fr = 24, 8, 10, 3
	}
	score := 1<<n.fr + 2
	if s.Family == Gaussian {
		n.fw, n.fr, n.block = n.fw-2, n.fr-2, 128
		score = farthestScore<<n.fr + 2
	}
	n.most = (1<<(n.ring-3) - 1) / score
	_, e := math.Frexp(s.SGD.Rate / float64(s.SGD.Batch)) // below 2^e, and at least half of that
	bits := min(rateBits, max(leastRateBits, 64-n.ring+n.fw-n.fx-n.fr+e))
	n.fraction = n.fx + n.fr + bits - e
	n.rate = s.step(n, s.SGD.Batch)
	return n
}

// step returns the integer that the sum over a batch of so many rows is multiplied by.
func (s *Shape) step(n numbers, rows int) int64 {
	return int64(math.RoundToEven(math.Ldexp(s.SGD.Rate/float64(rows), n.fraction-n.fx-n.fr)))
}

// order returns the order in which SGD takes rows: those i·k modulo their number, where k is the whole number nearest to 0.618 times that
// has no factor in common with it. Rows that follow each other are far apart in the table, and so each batch is like the whole.
func order(rows int) []int {
	k := int(math.RoundToEven(0.6180339887498949 * float64(rows)))
	for by := 0; by <= rows; by++ {
		if gcd(k-by, rows) == 1 {
			k -= by
			break
		} else if gcd(k+by, rows) == 1 {
			k += by
			break
		}
	}
	out := make([]int, rows)
	for i := range out {
		out[i] = i * k % rows
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// blocks calls f for each block of rows, in the order of SGD.
func (s *Shape) blocks(n numbers, f func(from, to int)) {
	for at := 0; at < s.Rows; at += s.SGD.Batch {
		end := min(at+s.SGD.Batch, s.Rows)
		for from := at; from < end; from += n.block {
			f(from, min(from+n.block, end))
		}
	}
}

// whole returns a party's features as integers in the order of SGD, row by row, and their mean/unit and 1/unit. A feature's unit is
// its standard deviation, or an eighth of the largest distance from its mean if that is larger; it is doubled until sums over each block
// are small enough.
func (s *Shape) whole(d Data) (x []int32, shift, scale []float64, err error) {
	n, k, rows := s.numbers(), len(d.Features), order(s.Rows)
	x, shift, scale = make([]int32, k*s.Rows), make([]float64, k), make([]float64, k)
	for j, f := range d.Features {
		mean, unit, err := scales(f)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, v := range f.Values {
			unit = max(unit, math.Abs(v-mean)/(nearest-0.01))
		}
		for fits := false; !fits; {
			for i, row := range rows {
				x[i*k+j] = int32(math.RoundToEven(math.Ldexp((f.Values[row]-mean)/unit, n.fx)))
			}
			fits = true
			s.blocks(n, func(from, to int) {
				sum := 0
				for i := from; i < to; i++ {
					sum += max(int(x[i*k+j]), -int(x[i*k+j]))
				}
				fits = fits && sum <= n.most
			})
			if !fits {
				unit *= 2
			}
		}
		shift[j], scale[j] = mean/unit, 1/unit
	}
	return x, shift, scale, nil
}

// sgdOwners is Owners of a model with SGD.
func (s *Shape) sgdOwners() []int {
	var out []int
	for rank, k := range s.Features {
		if k > 0 {
			out = append(out, rank, rank, rank)
		}
	}
	out = append(out, s.Owner)
	if s.dispersed() {
		out = append(out, s.Owner, s.Owner)
	}
	return out
}

// sgdArgs is Args of a model with SGD.
func (s *Shape) sgdArgs(rank int, d Data) ([]*tensor.Array, error) {
	var out []*tensor.Array
	floats := func(values ...float64) *tensor.Array {
		return tensor.FromFloats(tensor.F64, tensor.Shape{len(values)}, values)
	}
	for owner, k := range s.Features {
		switch {
		case k == 0:
		case owner != rank:
			out = append(out, nil, nil, nil)
		default:
			x, shift, scale, err := s.whole(d)
			if err != nil {
				return nil, err
			}
			whole := &tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: tensor.Shape{s.Rows, k}}, Data: x}
			out = append(out, whole, floats(shift...), floats(scale...))
		}
	}
	if rank != s.Owner {
		out = append(out, nil)
		if s.dispersed() {
			out = append(out, nil, nil)
		}
		return out, nil
	}
	y, mean, unit, err := s.target(d)
	if err != nil {
		return nil, err
	}
	ordered := make([]float64, len(y))
	for i, row := range order(s.Rows) {
		ordered[i] = y[row]
	}
	out = append(out, floats(ordered...))
	if s.dispersed() {
		out = append(out, tensor.FromFloats(tensor.F64, nil, []float64{mean}), tensor.FromFloats(tensor.F64, nil, []float64{unit}))
	}
	return out, nil
}

// descent writes the program of SGD.
type descent struct {
	*build.Builder
	*Shape
	numbers
	p      int
	xs     []build.Value // of each party with features, Rows × features
	y      build.Value   // the target, as integers of the scale of what it is subtracted from
	target build.Value
	ridge  build.Value // p, what coefficients are multiplied by for the penalty's step; a zero Value without one
}

// custom returns the result of a call of @tacet.narrow, @tacet.wide or @tacet.sigmoid.
func (d *descent) custom(target string, t tensor.DType, x build.Value, by, bits, fraction int) build.Value {
	attrs := hlo.Attrs{"mhlo.attributes": map[string]any{"by": int64(by), "bits": int64(bits), "fraction": int64(fraction)}}
	return d.Custom(target, []tensor.Type{{DType: t, Shape: x.Shape()}}, attrs, x)[0]
}

// narrow returns integers x·2^−by in the ring.
func (d *descent) narrow(x build.Value, by int) build.Value {
	return d.custom(hlo.NarrowTarget, tensor.I32, x, by, d.ring, 0)
}

// wide returns integers of the ring, below an eighth of its size, in Z_2^64.
func (d *descent) wide(x build.Value) build.Value {
	return d.custom(hlo.WideTarget, tensor.I64, x, 0, d.ring-3, 0)
}

// real returns integers of Z_2^64 as floats.
func (d *descent) real(x build.Value) build.Value {
	return d.Custom("tacet.real", []tensor.Type{{DType: tensor.F64, Shape: x.Shape()}}, realAttrs(d.fraction, 61, 61), x)[0]
}

// whole returns what the target's owner has as integers with f fraction bits.
func (d *descent) whole(x build.Value, f int) build.Value {
	return d.Convert(d.Floor(d.Add(d.Mul(x, math.Ldexp(1, f)), 0.5)), tensor.I32)
}

// sgdProgram is program of a model with SGD. Its arguments are, for each party with features, the features as integers, mean/unit and
// 1/unit of each; the target; and its mean and unit if the family is Gaussian. Its results are those of Outputs.
func (s *Shape) sgdProgram() (*hlo.Program, error) {
	b := build.New("sgd")
	d := &descent{Builder: b, Shape: s, numbers: s.numbers(), p: s.coefficients()}
	var shifts, scales []build.Value
	for rank, k := range s.Features {
		if k > 0 {
			d.xs = append(d.xs, d.narrow(b.Arg(fmt.Sprintf("x%d", rank), tensor.I32, s.Rows, k), 0))
			shifts = append(shifts, b.Arg(fmt.Sprintf("shift%d", rank), tensor.F64, k))
			scales = append(scales, b.Arg(fmt.Sprintf("scale%d", rank), tensor.F64, k))
		}
	}
	d.target = b.Arg("y", tensor.F64, s.Rows)
	var mean, unit build.Value
	if d.y = d.whole(d.target, d.fr); s.dispersed() {
		d.y = d.whole(d.target, d.fx+d.fw)
		mean, unit = b.Arg("mean", tensor.F64), b.Arg("unit", tensor.F64)
	}
	if s.L2 > 0 {
		l2 := slices.Repeat([]uint64{uint64(math.RoundToEven(math.Ldexp(s.SGD.Rate*s.L2, d.fraction-d.fw)))}, d.p)
		l2[0] = 0
		d.ridge = b.Array(tensor.FromWords(tensor.I64, tensor.Shape{d.p}, l2))
	}
	zeros := b.Const(tensor.I64, 0, d.p)
	batch := s.SGD.Batch
	// A step begins before the last one's move is known, so that the rounds of two steps run side by side (package comment). Values of
	// the loops are the coefficients without the last step's move, that move, and the coefficients with it when the epoch began.
	end := b.For(s.SGD.Epochs, []build.Value{zeros, zeros, zeros}, func(_ build.Value, at []build.Value) []build.Value {
		next := b.For(s.Rows/batch, at[:2], func(i build.Value, at []build.Value) []build.Value {
			return []build.Value{b.Add(at[0], at[1]), d.step(at[0], b.Mul(i, batch), batch)}
		})
		if rest := s.Rows % batch; rest > 0 {
			next = []build.Value{b.Add(next[0], next[1]), d.step(next[0], b.Const(tensor.I32, s.Rows-rest), rest)}
		}
		return []build.Value{next[0], next[1], b.Add(at[0], at[1])}
	})
	last := b.Add(end[0], end[1])
	beta, moved := d.real(last), d.real(b.Sub(last, end[2]))
	slopes := b.Slice(beta, []int{1}, []int{d.p})
	first := b.Sub(b.Reshape(b.Slice(beta, []int{0}, []int{1})), b.Dot(b.Concat(0, shifts...), slopes))
	slopes = b.Mul(slopes, b.Concat(0, scales...))
	if s.dispersed() {
		slopes, first = b.Mul(slopes, unit), b.Add(b.Mul(first, unit), mean)
	}
	settled := b.Less(b.Dot(moved, moved), b.Mul(b.Dot(beta, beta), settledBelow*settledBelow))
	b.Return(b.Concat(0, b.Reshape(first, 1), slopes), b.And(settled, b.Not(d.strayed(beta))))
	return b.Program()
}

// settledBelow is the length of the last epoch's move below which coefficients have converged, in units of their own length.
const settledBelow = 0.05

// rows returns so many rows of values from a start on, a scalar.
func (d *descent) rows(x, start build.Value, rows int) build.Value {
	if rows == d.Rows {
		return x
	}
	starts, sizes := []build.Value{start}, slices.Clone([]int(x.Shape()))
	for range x.Rank() - 1 {
		starts = append(starts, d.Const(tensor.I32, 0))
	}
	sizes[0] = rows
	return d.DynamicSlice(x, starts, sizes...)
}

// predictor returns the linear predictor of rows, as integers of the scale fx and that of the coefficients w.
func (d *descent) predictor(xs []build.Value, w build.Value) build.Value {
	ones := d.Const(tensor.I32, 1<<d.fx, xs[0].Dim(0), 1)
	sum, from := d.Dot(ones, d.Slice(w, []int{0}, []int{1})), 1
	for _, x := range xs {
		to := from + x.Dim(1)
		sum, from = d.Add(sum, d.Dot(x, d.Slice(w, []int{from}, []int{to}))), to
	}
	return sum
}

// step returns by how much so many rows from a start on move the coefficients.
func (d *descent) step(beta, start build.Value, rows int) build.Value {
	xs := make([]build.Value, len(d.xs))
	for i, x := range d.xs {
		xs[i] = d.rows(x, start, rows)
	}
	w := d.narrow(beta, d.fraction-d.fw)
	eta, y := d.predictor(xs, w), d.rows(d.y, start, rows)
	var score build.Value // μ − y
	if d.Family == Binomial {
		score = d.Sub(d.custom(hlo.SigmoidTarget, tensor.I32, eta, d.fx+d.fw, d.ring, d.fr), y)
	} else {
		score = d.narrow(d.wide(d.Sub(eta, y)), d.fx+d.fw-d.fr)
	}
	move := d.Neg(d.Mul(d.gradient(xs, score), d.Const(tensor.I64, d.Shape.step(d.numbers, rows), d.p)))
	if d.L2 > 0 {
		move = d.Sub(move, d.Mul(d.wide(w), d.ridge))
	}
	return move
}

// gradient returns Xᵀr of integers. Blocks of rows are summed in the ring, and their sums in Z_2^64.
func (d *descent) gradient(xs []build.Value, r build.Value) build.Value {
	n := r.Dim(0)
	var parts []build.Value
	sum := func(from, blocks, rows int) {
		of := func(x build.Value) build.Value {
			lo, hi := make([]int, x.Rank()), slices.Clone([]int(x.Shape()))
			lo[0], hi[0] = from, from+blocks*rows
			return d.Reshape(d.Slice(x, lo, hi), append([]int{blocks, rows}, x.Shape()[1:]...)...)
		}
		rs := of(r)
		rowsOf := hlo.DotDims{LHSBatch: []int{0}, RHSBatch: []int{0}, LHSContract: []int{1}, RHSContract: []int{1}}
		sums := []build.Value{d.Dot(rs, d.Const(tensor.I32, 1<<d.fx, rows, 1))}
		for _, x := range xs {
			sums = append(sums, d.DotGeneral(rs, of(x), rowsOf))
		}
		parts = append(parts, d.Concat(1, sums...))
	}
	blocks := n / d.block
	if blocks > 0 {
		sum(0, blocks, d.block)
	}
	if rest := n % d.block; rest > 0 {
		sum(blocks*d.block, 1, rest)
	}
	return d.Sum(d.wide(d.Concat(0, parts...)), 0)
}

// mostWide is the magnitude below which coefficients of standardised features must be, and coarser the number of fraction bits that
// strayed leaves out of them: its linear predictors fit ±2,048.
const mostWide, coarser = 64.0, 6

// strayed returns a bit: whether a number of the resulting coefficients does not fit. Those of earlier steps do not matter if the
// coefficients have settled, as the last ones then give a gradient near 0.
func (d *descent) strayed(beta build.Value) build.Value {
	b := d.Builder
	f := d.fw - coarser
	if d.Family == Gaussian {
		f = d.fw - coarser + 2
	}
	w := d.narrow(d.Custom("tacet.integer", []tensor.Type{{DType: tensor.I32, Shape: beta.Shape()}}, nil, d.Mul(beta, math.Ldexp(1, f)))[0], 0)
	x, scale, bits := d.predictor(d.xs, w), d.fx+f, 5 // the sigmoid is right for predictors up to 24 in magnitude
	if d.Family == Gaussian {
		x, bits = d.Sub(x, d.whole(d.target, scale)), 4 // farthestScore
	}
	outside := d.Custom("tacet.outside", []tensor.Type{{DType: tensor.Bool, Shape: x.Shape()}}, realAttrs(scale, scale+bits, scale+bits), x)[0]
	bad := []build.Value{outside, b.Not(b.Less(b.Abs(beta), mostWide))}
	return b.Greater(b.Sum(b.Convert(b.Concat(0, bad...), tensor.I32)), b.Const(tensor.I32, 0))
}
