package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// rowFunction is a function of rows of m, as it is measured: on normally
// distributed rows of a standard deviation.
type rowFunction struct {
	name   string
	m      int
	sd     float64
	f      func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret
	want   func(row []float64) []float64
	bars   [2]float64 // as function's
	mean   bool       // k = 64 rounds the mean first: a unit of it, too
	bytes  float64
	rounds int
	oracle string
	more   float64 // bits that it opens beyond the oracle's (testdata/functions_oracle.txt), on purpose
}

func (f rowFunction) bar(c settings) float64 {
	b := function{bars: f.bars}.bar(c)
	if f.mean && c.k == 64 {
		b += 1.1 * float64(c.n) / 2 * c.unit() / math.Sqrt(f.sd*f.sd+layerEpsilon) // rows of 768 vary by 8 %
	}
	return b
}

func (f rowFunction) String() string { return fmt.Sprintf("%s m=%d", f.name, f.m) }

func softmax(row []float64) []float64 {
	out := logSoftmax(row)
	for i, x := range out {
		out[i] = math.Exp(x)
	}
	return out
}

func logSoftmax(row []float64) []float64 {
	top, l := logSumExp(row)
	out := make([]float64, len(row))
	for i, x := range row {
		out[i] = x - top - l
	}
	return out
}

// logSumExp is a sum of two, of which the first may be large.
func logSumExp(row []float64) (top, l float64) {
	top = slices.Max(row)
	sum := 0.0
	for _, x := range row {
		sum += math.Exp(x - top)
	}
	return top, math.Log(sum)
}

const layerEpsilon = 1e-5

func normalize(row []float64) []float64 {
	mean, v := 0.0, 0.0
	for _, x := range row {
		mean += x / float64(len(row))
	}
	for _, x := range row {
		v += (x - mean) * (x - mean) / float64(len(row))
	}
	out := make([]float64, len(row))
	for i, x := range row {
		out[i] = (x - mean) / math.Sqrt(v+layerEpsilon)
	}
	return out
}

func softmaxRows(name string, kind mpc.RowKind, m int, sd float64, want func(row []float64) []float64) rowFunction {
	return rowFunction{
		name: name, m: m, sd: sd, want: want, bars: ofSin,
		f: func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret {
			return p.Softmax(op, x, f, m, kind)
		},
	}
}

// total is the softmax in the form that many elements take where the objective is the total cost.
func (f rowFunction) total(kind mpc.RowKind) rowFunction {
	f.name += ", total"
	f.f = func(p *Party, op *flow.Op, x mpc.Secret, fixed mpc.Fixed, m int) mpc.Secret {
		defer func(before flow.Objective) { op.Objective = before }(op.Objective)
		op.Objective = flow.ForTotal
		return p.softmax(op, p.share(x), fixed, m, kind, totalForm(m))
	}
	return f
}

// totalForm is the form with the fewest dealt bytes.
func totalForm(m int) softmaxForm {
	return softmaxForm{tree: slices.Repeat([]treeLevel{{fan: 2}}, bits.Len(uint(m-1))), selects: true, normalises: m > 64}
}

func layerNorm(m int, sd float64) rowFunction {
	return rowFunction{
		name: "layernorm", m: m, sd: sd, want: normalize, bars: ofSin, mean: m > maxMeanFreeRow,
		f: func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret {
			return p.Normalize(op, x, f, m, layerEpsilon, true)
		},
		more: 3 / float64(m),
	}
}

// rootMeanSquare is layernorm without the mean.
func rootMeanSquare(m int, sd float64) rowFunction {
	f := layerNorm(m, sd)
	f.name, f.mean = "rmsnorm", false
	f.want = func(row []float64) []float64 {
		v := 0.0
		for _, x := range row {
			v += x * x / float64(len(row))
		}
		out := make([]float64, len(row))
		for i, x := range row {
			out[i] = x / math.Sqrt(v+layerEpsilon)
		}
		return out
	}
	f.f = func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret {
		return p.Normalize(op, x, f, m, layerEpsilon, false)
	}
	return f
}

func (f rowFunction) like(oracle string, bytes float64, rounds int) rowFunction {
	f.oracle, f.bytes, f.rounds = oracle, bytes, rounds
	return f
}

var rowFunctions = []rowFunction{
	softmaxRows("softmax", mpc.Softmax, 10, 2, softmax).like("", 20.9, 14),
	softmaxRows("softmax", mpc.Softmax, 10, 30, softmax),
	softmaxRows("softmax", mpc.Softmax, 128, 2, softmax).like("", 21.3, 22),
	softmaxRows("softmax", mpc.Softmax, 128, 30, softmax),
	softmaxRows("softmax", mpc.Softmax, 300, 3, softmax),
	softmaxRows("softmax", mpc.Softmax, 2, 3, softmax),
	softmaxRows("softmax", mpc.Softmax, 1, 3, softmax),
	softmaxRows("softmax", mpc.Softmax, 1500, 2, softmax).total(mpc.Softmax),
	softmaxRows("softmax", mpc.Softmax, 128, 2, softmax).total(mpc.Softmax),
	softmaxRows("softmax", mpc.Softmax, 128, 30, softmax).total(mpc.Softmax),
	softmaxRows("softmax", mpc.Softmax, 10, 2, softmax).total(mpc.Softmax),
	softmaxRows("log softmax", mpc.LogSoftmax, 10, 5, logSoftmax),
	softmaxRows("log softmax", mpc.LogSoftmax, 10, 5, logSoftmax).total(mpc.LogSoftmax),
	softmaxRows("log sum exp", mpc.LogSumExp, 10, 5, func(row []float64) []float64 {
		top, l := logSumExp(row)
		return []float64{top + l}
	}),
	layerNorm(10, 5).like("layernorm m=10", 0, 0),
	layerNorm(128, 20).like("layernorm m=128", 8.3, 7),
	layerNorm(768, 20),
	layerNorm(768, 100),
	layerNorm(768, 0.01),
	layerNorm(128, 0),
	layerNorm(128, 0.01),
	rootMeanSquare(128, 20),
	rootMeanSquare(768, 20),
}

func (f rowFunction) build(c settings) func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return single(f.f(p, op, in[0], mpc.Fixed{In: c.fraction, Out: c.fraction}, f.m))
	}
}

// rows are normally distributed, in units.
func (f rowFunction) rows(n int, c settings) []int64 {
	rng := rand.New(rand.NewPCG(uint64(f.m), 2))
	out := make([]int64, n*f.m)
	for i := range out {
		out[i] = int64(math.RoundToEven(math.Ldexp(rng.NormFloat64()*f.sd+3, c.fraction)))
	}
	return out
}

func (f rowFunction) measured(t testing.TB, c settings, xs []int64) *deviation {
	r := ring.Z(c.k)
	o := trial{n: c.n, k: r, seed: 1, in: []operand{{v: ring.FromInts(r, xs)}}, build: f.build(c)}.run(t)
	got, d := decoded(o.out[0], c.fraction), &deviation{}
	for i := 0; i < len(xs); i += f.m {
		row := make([]float64, f.m)
		for j := range row {
			row[j] = math.Ldexp(float64(xs[i+j]), -c.fraction)
		}
		for j, want := range f.want(row) {
			d.add(row[j], got[0], want)
			got = got[1:]
		}
	}
	return d
}

func TestRows(t *testing.T) {
	for _, f := range rowFunctions {
		if raced && f.m > 10 && f.m != 300 {
			continue
		}
		t.Run(fmt.Sprintf("%v sd=%g", f, f.sd), func(t *testing.T) {
			t.Parallel()
			for _, c := range sweepSettings() {
				elements := 600
				switch {
				case raced:
					elements = 200
				case testing.Short():
				case c == settings{2, 64, 18}:
					elements = 10000
				}
				if d := f.measured(t, c, f.rows(1+elements/f.m, c)); d.error > f.bar(c) {
					t.Errorf("%+v: %v; at most %.3g", c, d, f.bar(c))
				} else {
					t.Logf("%+v: %v", c, d)
				}
			}
		})
	}
}

// TestSpecialRows are rows with ties, with masked elements (the most negative
// number of the ring, or far out), and with nothing but these.
func TestSpecialRows(t *testing.T) {
	const m = 10
	for _, c := range []settings{{2, 64, 18}, {3, 64, 18}, {2, 128, 26}} {
		one, lowest := int64(1)<<c.fraction, int64(-1<<62)
		fill := func(x int64) []int64 { return slices.Repeat([]int64{x}, m) }
		var xs []int64
		for _, masked := range []int64{lowest, lowest + 1, -1e9 * 1 << 18, -25 * one} {
			for _, x := range []int64{0, 5 * one, 1000 * one, -1000 * one, 1 << 40} {
				row := fill(masked) // one, two that tie, and half of them stay
				row[3] = x
				xs = append(xs, row...)
				row[9] = x
				xs = append(xs, row...)
				for j := range m / 2 {
					row[j] = x + int64(j)*one/3
				}
				xs = append(xs, row...)
			}
			xs = append(xs, fill(masked)...)
		}
		xs = append(xs, fill(1<<62-1)...)
		ends := fill(lowest + 1) // differences of almost the ring
		ends[4] = 1<<62 - 1
		xs = append(xs, ends...)
		for _, x := range []int64{0, one, -one, 1, 1 << 51} {
			xs = append(xs, fill(x)...)
			row := fill(x)
			row[0], row[1] = x-1, x-2 // neighbours
			xs = append(xs, row...)
		}
		f := softmaxRows("softmax", mpc.Softmax, m, 0, softmax)
		for _, f := range []rowFunction{f, f.total(mpc.Softmax)} {
			if d := f.measured(t, c, xs); d.error > f.bar(c) {
				t.Errorf("%s %+v: %v; at most %.3g", f.name, c, d, f.bar(c))
			}
		}
	}
}

// levelKinds are all kinds of levels of trees.
func levelKinds() (out []treeLevel) {
	for fan := 2; fan <= widestFan; fan++ {
		for _, l := range []treeLevel{{fan: fan}, {fan: fan, fast: true}, {fan: fan, winners: true}, {fan: fan, winners: true, fast: true}} {
			if fan > 2 || !l.winners {
				out = append(out, l)
			}
		}
	}
	return out
}

// TestRowMax is exact with levels of every kind, at the ends of the ring too.
func TestRowMax(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	for _, w := range []int{1, 3, 4, 5, 13} {
		xs := make([]int64, 40*w)
		for i := range xs {
			xs[i] = rng.Int64N(1<<62) >> (i % 62)
			switch rng.IntN(8) {
			case 0:
				xs[i] = 1<<62 - 1
			case 1:
				xs[i] = 1 - 1<<62
			case 2, 3, 4:
				xs[i] = -xs[i]
			}
		}
		for i, level := range levelKinds() {
			n, tree := 2+i%2, []treeLevel(nil)
			for left := w; left > 1; left = (left + level.fan - 1) / level.fan {
				tree = append(tree, level)
			}
			build := func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				return single(p.rowMax(op, p.opened(op, in[0]), w, tree))
			}
			out := trial{n: n, seed: 4, in: []operand{{v: ring.FromInts(ring.Z(64), xs)}}, build: build}.run(t).out[0]
			for i := range out.Len() {
				if got, want := out.Int(i).Int64(), slices.Max(xs[i*w:(i+1)*w]); got != want {
					t.Fatalf("the maximum of %v is %d with levels %+v", xs[i*w:(i+1)*w], got, level)
				}
			}
		}
	}
}

// TestTreeCosts compares what trees are chosen by with what a level costs.
func TestTreeCosts(t *testing.T) {
	const rows = 64
	r := ring.Z(46)
	three, two := comparisonCostOf(r.Bits, 3), comparisonCostOf(r.Bits, 2)
	c := treeCosts{rows: 1, word: r.Bits, compared: three, pair: three, fast: two, opened: 1000}
	for _, level := range levelKinds() {
		for w := 2; w <= level.fan; w++ {
			build := func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				x := p.opened(op, in[0])
				top := p.rowMax(op, x, w, []treeLevel{level})
				p.open(op, top)
				return single(top)
			}
			_, dealt, cost, _ := trial{n: 2, in: []operand{{v: ring.ShapeOnly(r, rows*w)}}, build: build}.dryRun(0)
			opened := cost.Bytes.Load() - int64(rows*w*r.Bits)/8 // without the numbers themselves
			if want := 1000*opened + dealt.Bytes(); c.levelCost(level, []int{w})*rows != 8*want {
				t.Errorf("%+v of %d numbers: cost %d, %d bits opened and %d dealt", level, w, c.levelCost(level, []int{w}), opened*8/rows,
					dealt.Bytes()*8/rows)
			}
		}
	}
}

// TestTreeOf: the default takes the rounds of the fewest levels, and where rounds are minimised a tree takes fewer. Where the
// total cost is minimised, rows of many elements take more levels.
func TestTreeOf(t *testing.T) {
	op := &flow.Op{}
	tree := func(rows, w int) []treeLevel { return treeOf(op, ring.Z(46), 44, 2, rows, w) }
	want := []treeLevel{{fan: 2}, {fan: 4, winners: true}, {fan: 4}, {fan: 4, fast: true}}
	for _, rows := range []int{1, 1 << 15} {
		if got := tree(rows, 128); !slices.Equal(got, want) {
			t.Errorf("%+v for the online cost", got)
		}
	}
	for w := 1; w < 300; w++ {
		rounds, left := 0, w
		for _, l := range tree(10, w) {
			rounds, left = rounds+l.rounds(), (left+l.fan-1)/l.fan
		}
		if rounds > 4*fewestLevels(w) || left > 1 {
			t.Errorf("rows of %d take %d rounds, and leave %d", w, rounds, left)
		}
	}
	op.Objective = flow.ForRounds
	if got := tree(1<<15, 128); !slices.Equal(got, []treeLevel{{fan: 3}, {fan: 3}, {fan: 4}, {fan: 4}}) {
		t.Errorf("%+v for the fewest rounds", got)
	}
	op.Objective = flow.ForTotal
	if got := tree(1<<15, 128); !slices.Equal(got, totalForm(128).tree) {
		t.Errorf("%+v for the total cost of many rows", got)
	}
	if got := tree(1, 128); len(got) != 4 {
		t.Errorf("%+v for the total cost of one row", got)
	}
	z := small
	if f := (mpc.Fixed{In: 8, Out: 8}); selectsExponents(op, ring.Z(32), 2, 1<<20, f, z) {
		t.Error("numbers of 32 bits open exponents, which costs as much as it saves")
	}
	f := mpc.Fixed{In: 18, Out: 18}
	form := func(n, w int) softmaxForm { return softmaxFormOf(op, ring.Z(64), 2, n, w, f, z) }
	if form(1<<14, 128).normalises || !form(1<<20, 128).normalises || form(1<<20, 10).normalises || !form(129, 129).normalises {
		t.Error("sums of few or short rows are normalised, or those of many or long rows are not")
	}
	if selectsExponents(op, ring.Z(64), 5, 1<<20, f, z) || !selectsExponents(op, ring.Z(64), 2, 1<<20, f, z) {
		t.Error("exponents are opened where that costs more than it saves, or not where it pays")
	}
}

// TestRowMaximum: found from numbers without their low bits, a row's maximum is exceeded by no more than these may make up, and
// by nothing where a ring has no room, a mask is not that of one vector, or numbers have no upper bits. It stays below twice the
// numbers' bound.
func TestRowMaximum(t *testing.T) {
	const w, by = 5, 11
	rng := rand.New(rand.NewPCG(8, 9))
	r := ring.Z(46)
	xs := make([]int64, 200*w)
	for i := range xs {
		if xs[i] = rng.Int64N(1<<43) >> (i % 44); i%3 == 0 {
			xs[i] = -xs[i]
		}
	}
	for _, c := range []struct {
		n, bound int
		narrower bool
		of       string
		exact    bool
	}{
		{2, 43, false, "", false}, {3, 43, false, "view", false}, {5, 43, false, "shifted", false}, {2, 44, true, "", false},
		{2, 44, false, "", true}, {2, 43, false, "sum", true}, {2, 2, false, "", true}, {5, 4, false, "", false}, {3, 12, false, "", false},
	} {
		xs, dropped := slices.Clone(xs), max(0, min(by, c.bound-bits.Len(uint(c.n))))
		for i, x := range xs {
			xs[i] = x % (1 << c.bound)
		}
		build := func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			x := p.opened(op, p.Unopened(op, in[0]))
			switch c.of {
			case "view":
				x = p.Linear(op, maps.NewView(tensor.Transposed(tensor.Shape{x.n}, []int{0}), x.n), x).(*share)
			case "shifted":
				x = p.plusConst(op, x, big.NewInt(0))
			case "sum":
				zero := p.opened(op, p.Public(op, ring.FromInts(r, make([]int64, x.n)), 1))
				x = p.Linear(op, maps.Combine{N: x.n, Coef: []int64{1, 1}}, x, zero).(*share)
			}
			x.bound = c.bound
			return single(p.rowMaximum(op, x, w, by, c.narrower, nil))
		}
		out := trial{n: c.n, seed: 5, in: []operand{{v: ring.FromInts(r, xs)}}, build: build}.run(t).out[0]
		for i := range out.Len() {
			top, want := out.Int(i).Int64(), slices.Max(xs[i*w:(i+1)*w])
			if off := top - want; off < 0 || top > 2<<c.bound || c.exact && off > 0 || !c.exact && (off == 0 || off > int64(c.n+1)<<dropped) {
				t.Fatalf("%+v: the maximum of %v is %d", c, xs[i*w:(i+1)*w], top)
			}
		}
	}
}

// TestSoftmaxBounded: elements below a bound are opened and compared in a narrower ring; the costs are of rows of 128.
func TestSoftmaxBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		settings
		bound         int
		total         bool
		opened, dealt float64 // bytes of an element
	}{
		{settings{2, 64, 18}, 44, false, 15.4, 230.1}, {settings{2, 64, 18}, 44, true, 18.6, 91.1}, {settings{3, 64, 18}, 44, true, 37.2, 91.1},
		{settings{2, 64, 18}, 30, true, 15.5, 76.7}, {settings{2, 64, 18}, 61, true, 23.4, 123.5}, {settings{2, 64, 18}, 60, true, 23.3, 121.2},
		{settings{2, 64, 25}, 37, true, 0, 0}, {settings{2, 128, 26}, 100, true, 0, 0}, {settings{2, 128, 26}, 100, false, 0, 0},
		{settings{2, 64, 5}, 20, true, 0, 0},
	} {
		const m = 6
		f := softmaxRows("softmax", mpc.Softmax, m, 2, softmax)
		if c.total {
			f = f.total(mpc.Softmax)
		}
		bounded := f.f
		f.f = func(p *Party, op *flow.Op, x mpc.Secret, fixed mpc.Fixed, m int) mpc.Secret {
			p.share(x).bound = c.bound
			return bounded(p, op, x, fixed, m)
		}
		xs := f.rows(300, c.settings)
		for _, x := range []int64{1, 1 << min(c.bound, 62) >> 1, 1<<min(c.bound, 62) - 1} {
			xs = append(xs, x, -x, x, 0, x-1, x/2, -x, -x, -x, 1-x, -x, -x)
		}
		bar := max(f.bar(c.settings), 2*c.unit()+float64(c.n-2)/2*c.unit())
		if d := f.measured(t, c.settings, xs); d.error > bar {
			t.Errorf("%+v: %v; at most %.3g", c, d, bar)
		}
		if c.opened == 0 || raced {
			continue
		}
		const rows, w = 64, 128
		tr := trial{n: c.n, in: []operand{{v: ring.ShapeOnly(ring.Z(c.k), rows*w)}}}
		f.m = w
		tr.build = f.build(c.settings)
		_, form, cost, _ := tr.dryRun(0)
		opened := float64(cost.Bytes.Load()) / (rows * w)
		if dealt := float64(form.Bytes()) / (rows * w); opened > c.opened || dealt > c.dealt {
			t.Errorf("%+v: %.2f bytes, %.1f dealt", c, opened, dealt)
		}
	}
}
