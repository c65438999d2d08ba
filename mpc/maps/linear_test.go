package maps

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Rings of one, two and more words, full and not.
var rings = []ring.Ring{
	ring.Z(1), ring.Z(8), ring.Z(46), ring.Z(64), ring.Z(65), ring.Z(128), ring.Z(160),
	ring.M(3), ring.M(46), ring.M(64), ring.M(65), ring.M(128), ring.M(160),
}

// drawRing draws a ring of either kind.
func drawRing(t *rapid.T) ring.Ring {
	if rapid.Bool().Draw(t, "cyclic") {
		return ring.M(rapid.IntRange(2, 200).Draw(t, "bits"))
	}
	return ring.Z(rapid.IntRange(1, 200).Draw(t, "bits"))
}

// tb is the common part of *testing.T and *rapid.T.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

func random(r ring.Ring, n int, seed uint64) ring.Vec {
	rng := rand.New(rand.NewPCG(seed, 0))
	words := make([]uint64, n*r.Words())
	for i := range words {
		if words[i] = rng.Uint64(); rng.IntN(8) == 0 {
			words[i] = ^uint64(0)
		}
	}
	return ring.FromWords(r, words)
}

func randoms(r ring.Ring, lens []int, seed uint64) []ring.Vec {
	out := make([]ring.Vec, len(lens))
	for i, n := range lens {
		out[i] = random(r, n, seed+uint64(i))
	}
	return out
}

// ints are all elements of all vectors, concatenated, as signed integers.
func ints(vs ...ring.Vec) []*big.Int {
	var out []*big.Int
	for _, v := range vs {
		for i := range v.Len() {
			out = append(out, v.Int(i))
		}
	}
	return out
}

// same fails unless got holds the integers want, reduced into r.
func same(t tb, what string, got ring.Vec, want []*big.Int) {
	t.Helper()
	if got.Len() != len(want) || got.ShapeOnly() {
		t.Fatalf("%s: %d elements, want %d", what, got.Len(), len(want))
	}
	k := got.Ring().Words()
	mod := new(big.Int).Lsh(big.NewInt(1), uint(got.Ring().Bits))
	if got.Ring().Cyclic {
		mod.Sub(mod, big.NewInt(1))
	}
	word := new(big.Int).SetUint64(math.MaxUint64)
	for i, x := range want {
		x := new(big.Int).Mod(x, mod)
		for j := range k {
			if w := new(big.Int).And(x, word).Uint64(); got.Words()[i*k+j] != w {
				t.Fatalf("%s: %v: word %d of element %d is %#x, want %#x", what, got.Ring(), j, i, got.Words()[i*k+j], w)
			}
			x.Rsh(x, 64)
		}
	}
}

// apply applies a map to a destination with random contents, which must be overwritten.
func apply(m Linear, src ...ring.Vec) ring.Vec {
	dst := random(src[0].Ring(), m.Out(), 99)
	m.Apply(dst, src...)
	return dst
}

// A sample is a map with its definition: the results, as integers, for concatenated operands.
type sample struct {
	name   string
	m      Linear
	matrix func() [][]int64 // row i has result i's coefficients
}

// byIndex is the matrix of a map that sums operand elements, terms a row.
func byIndex(in, terms int, index []int32) [][]int64 {
	out := make([][]int64, len(index)/max(terms, 1))
	for i := range out {
		out[i] = make([]int64, in)
		for _, p := range index[i*terms : (i+1)*terms] {
			if p != tensor.Fill {
				out[i][p]++
			}
		}
	}
	return out
}

func view(name string, v tensor.View, lens ...int) sample {
	return sample{name, NewView(v, lens...), func() [][]int64 { return byIndex(v.In, 1, v.Index()) }}
}

func combine(name string, n int, coef ...int64) sample {
	return sample{name, Combine{n, coef}, func() [][]int64 {
		out := make([][]int64, n)
		for i := range out {
			out[i] = make([]int64, n*len(coef))
			for j, c := range coef {
				out[i][j*n+i] = c
			}
		}
		return out
	}}
}

func sum(outer, reduced, inner int) sample {
	return sample{fmt.Sprintf("sum %d×%d×%d", outer, reduced, inner), Sum{outer, reduced, inner}, func() [][]int64 {
		out := make([][]int64, outer*inner)
		for o := range outer {
			for i := range inner {
				row := make([]int64, outer*reduced*inner)
				for r := range reduced {
					row[(o*reduced+r)*inner+i] = 1
				}
				out[o*inner+i] = row
			}
		}
		return out
	}}
}

func gathered(name string, from, to, terms int, index ...int32) sample {
	return sample{name, Gathered{from, to, terms, func() []int32 { return index }}, func() [][]int64 {
		if terms == 0 {
			return byIndex(from, 1, slices.Repeat([]int32{tensor.Fill}, to))
		}
		return byIndex(from, terms, index)
	}}
}

func samples() []sample {
	const fill = tensor.Fill
	listed := func(in int, index ...int32) tensor.View {
		return tensor.Listed(tensor.Shape{len(index)}, in, func() []int32 { return index })
	}
	diagonal := func(by ...int64) func() [][]int64 {
		return func() [][]int64 {
			out := make([][]int64, len(by))
			for i, x := range by {
				out[i] = make([]int64, len(by))
				out[i][i] = x
			}
			return out
		}
	}
	rect := tensor.Shape{3, 4}
	return []sample{
		view("reshape", tensor.Reshaped(rect, tensor.Shape{12}), 12),
		view("transpose", tensor.Transposed(tensor.Shape{2, 3, 4}, []int{2, 0, 1}), 24),
		view("slice", tensor.Sliced(rect, []int{1, 0}, []int{3, 4}, []int{1, 3}), 12),
		view("reverse", tensor.Reversed(rect, []int{1}), 12),
		view("broadcast", tensor.Broadcast(tensor.Shape{3}, []int{1}, tensor.Shape{4, 3}), 3),
		view("scalar", tensor.Broadcast(tensor.Shape{}, nil, tensor.Shape{5}), 1),
		view("of a scalar", tensor.Reshaped(tensor.Shape{1, 1}, tensor.Shape{}), 1),
		view("empty", tensor.Reshaped(tensor.Shape{0, 4}, tensor.Shape{4, 0}), 0),
		view("pad", tensor.Padded(rect, []int{1, -1}, []int{2, 1}, []int{0, 1}), 12),
		view("pad nothing", tensor.Padded(tensor.Shape{0}, []int{2}, []int{1}, []int{0}), 0),
		view("concatenate", tensor.Concatenated([]tensor.Shape{{2, 3}, {2, 1}, {2, 2}}, 1), 6, 2, 4),
		view("strided over two operands", tensor.Reversed(rect, []int{0, 1}), 5, 7),
		view("strided over two operands, one empty", tensor.Transposed(rect, []int{1, 0}), 0, 12),
		view("listed", listed(4, 3, fill, 0, 0, 3, fill), 4),
		view("listed over operands, to and fro", listed(7, 6, 0, fill, 3, 2, 6, fill, 1, 5), 2, 0, 1, 4),
		view("fill alone", listed(0, fill, fill, fill)),
		combine("identity", 5, 1),
		combine("difference", 5, 1, -1),
		combine("combination", 5, -3, 1, 0, 7, -1),
		combine("zero", 5, 0),
		combine("extremes", 3, math.MaxInt64, math.MinInt64),
		combine("two extremes", 3, math.MinInt64, math.MinInt64),
		combine("three extremes", 3, math.MinInt64, math.MinInt64, -1),
		combine("empty", 0, 1, 2),
		combine("no operands", 3),
		{"shift", Shift{3, 5}, diagonal(32, 32, 32)},
		{"shift by none", Shift{3, 0}, diagonal(1, 1, 1)},
		{"times", Times{ring.FromInts(ring.Z(32), []int64{3, -4, 0, 1}), 2}, diagonal(3, -4, 0, 1)},
		sum(2, 3, 4), sum(1, 7, 1), sum(5, 1, 2), sum(3, 5, 1), sum(1, 4, 6), sum(2, 0, 3), sum(0, 3, 2), sum(2, 3, 0),
		gathered("gathered", 4, 3, 2, 0, 3, fill, 1, 2, 2),
		gathered("gathered one", 4, 3, 1, 2, fill, 0),
		gathered("gathered none", 4, 3, 0),
		gathered("gathered to nothing", 4, 0, 2),
		gathered("gathered many", 3, 2, 5, 0, 1, 2, 0, 1, fill, fill, fill, fill, fill),
		{"public left", With{B: MatMul{1, 2, 3, 1}, Public: ring.FromInts(ring.Z(8), []int64{1, -2, 3, 0, 5, -6}), Bits: 4}, func() [][]int64 {
			return [][]int64{{1, -2, 3}, {0, 5, -6}}
		}},
		{
			"public right",
			With{B: MatMul{1, 1, 2, 3}, Public: ring.FromInts(ring.Z(200), []int64{1, -2, 3, 0, 5, -6}), Right: true, Bits: 4},
			func() [][]int64 {
				return [][]int64{{1, 0}, {-2, 5}, {3, -6}}
			},
		},
	}
}

// define is matrix times vector.
func define(matrix [][]int64, x []*big.Int) []*big.Int {
	out := make([]*big.Int, len(matrix))
	for i, row := range matrix {
		out[i] = new(big.Int)
		for j, c := range row {
			out[i].Add(out[i], new(big.Int).Mul(big.NewInt(c), x[j]))
		}
	}
	return out
}

// Every map against its matrix, over every ring.
func TestLinear(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			matrix := s.matrix()
			if s.m.Out() != len(matrix) {
				t.Fatalf("Out is %d, want %d", s.m.Out(), len(matrix))
			}
			for _, r := range rings {
				src := randoms(r, s.m.In(), 1)
				before := ints(src...)
				dst := random(r, s.m.Out(), 99) // must be overwritten
				s.m.Apply(dst, src...)
				same(t, "result", dst, define(matrix, before))
				for i, x := range ints(src...) {
					if x.Cmp(before[i]) != 0 {
						t.Fatalf("operand element %d was written to", i)
					}
				}
			}
		})
	}
}

// M(a+b) = M(a)+M(b) and M(−a) = −M(a), which masking relies on.
func TestLinearity(t *testing.T) {
	all := samples()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(all).Draw(t, "map")
		r := drawRing(t)
		a := randoms(r, s.m.In(), rapid.Uint64().Draw(t, "a"))
		b := randoms(r, s.m.In(), rapid.Uint64().Draw(t, "b"))
		ab, minus := make([]ring.Vec, len(a)), make([]ring.Vec, len(a))
		for i := range a {
			ab[i], minus[i] = ring.Sum(a[i], b[i]), a[i].Clone()
			ring.Neg(minus[i], minus[i])
		}
		to := func(src []ring.Vec) ring.Vec {
			dst := ring.New(r, s.m.Out())
			s.m.Apply(dst, src...)
			return dst
		}
		ma, mb := to(a), to(b)
		same(t, s.name+": M(a+b)", to(ab), ints(ring.Sum(ma, mb)))
		ring.Neg(ma, ma)
		same(t, s.name+": M(−a)", to(minus), ints(ma))
	})
}

// Growth is log2 of the largest row sum of magnitudes, so that results of operands below 2^b are at
// most 2^(b+Growth); it is larger only where the caller gives it.
func TestGrowth(t *testing.T) {
	for _, s := range samples() {
		var most big.Int
		for _, row := range s.matrix() {
			sum := new(big.Int)
			for _, c := range row {
				sum.Add(sum, new(big.Int).Abs(big.NewInt(c)))
			}
			if sum.Cmp(&most) > 0 {
				most.Set(sum)
			}
		}
		g := s.m.Growth()
		if new(big.Int).Lsh(big.NewInt(1), uint(g)).Cmp(&most) < 0 {
			t.Errorf("%s: growth %d for a row of magnitude %v", s.name, g, &most)
		}
		if c, ok := s.m.(Combine); ok && c.N > 0 && g > 0 && new(big.Int).Lsh(big.NewInt(1), uint(g-1)).Cmp(&most) >= 0 {
			t.Errorf("%s: growth %d is more than a row of magnitude %v needs", s.name, g, &most)
		}
	}
	for terms, want := range map[int]int{0: 0, 1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4, 1 << 20: 20, 1<<20 + 1: 21} {
		if g := (Sum{1, terms, 1}).Growth(); g != want {
			t.Errorf("sum of %d grows by %d, want %d", terms, g, want)
		}
		if g := (Gathered{Terms: terms}).Growth(); g != want {
			t.Errorf("%d gathered terms grow by %d, want %d", terms, g, want)
		}
	}
}

// Results of extreme operands stay within Growth, in a ring wide enough to hold them.
func TestGrowthBoundsResults(t *testing.T) {
	const bits = 20
	r := ring.Z(200)
	for _, s := range samples() {
		for _, x := range []int64{1 << bits, -1 << bits} {
			var src []ring.Vec
			for _, n := range s.m.In() {
				src = append(src, ring.FromInts(r, slices.Repeat([]int64{x}, n)))
			}
			dst := ring.New(r, s.m.Out())
			s.m.Apply(dst, src...)
			bound := new(big.Int).Lsh(big.NewInt(1), uint(bits+s.m.Growth()))
			for i, y := range ints(dst) {
				if y.CmpAbs(bound) > 0 {
					t.Errorf("%s: result %d of operands %d is %v, more than %d bits longer", s.name, i, x, y, s.m.Growth())
				}
			}
		}
	}
}

// Of all maps only views are Copies, and their view is the given one.
func TestCopies(t *testing.T) {
	for _, s := range samples() {
		c, ok := s.m.(Copies)
		if _, isView := s.m.(View); ok != isView {
			t.Errorf("%s: is it Copies? %v", s.name, ok)
		}
		if ok && !slices.Equal(c.View().Index(), s.m.(View).Rule.Index()) {
			t.Errorf("%s: View is another one", s.name)
		}
	}
}

func TestNewViewPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a view over 12 elements takes operands of 11")
		}
	}()
	NewView(tensor.Reshaped(tensor.Shape{12}, tensor.Shape{3, 4}), 5, 6)
}

// Operands of another ring are a programmer's error.
func TestRingMismatchPanics(t *testing.T) {
	for _, s := range samples() {
		if len(s.m.In()) == 0 || s.m.In()[0] == 0 {
			continue
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes operands of another ring", s.name)
				}
			}()
			s.m.Apply(ring.New(ring.Z(64), s.m.Out()), randoms(ring.Z(63), s.m.In(), 1)...)
		}()
	}
}

// With a shape-only operand or destination Apply does nothing.
func TestLinearShapeOnly(t *testing.T) {
	for _, s := range samples() {
		in := s.m.In()
		for mix := 1; mix < 1<<(len(in)+1); mix++ {
			r := ring.Z(65)
			src := randoms(r, in, 1)
			effective := mix&1 == 1 && s.m.Out() > 0
			for i, n := range in {
				if mix>>(i+1)&1 == 1 {
					src[i] = ring.ShapeOnly(r, n)
					effective = effective || n > 0
				}
			}
			dst := random(r, s.m.Out(), 99)
			before := ints(dst)
			if mix&1 == 1 {
				s.m.Apply(ring.ShapeOnly(r, s.m.Out()), src...)
				continue
			}
			if s.m.Apply(dst, src...); effective {
				same(t, fmt.Sprintf("%s, shape-only %b", s.name, mix), dst, before)
			}
		}
	}
	public := ring.ShapeOnly(ring.Z(8), 6)
	for _, m := range []Linear{
		Times{By: public, Bits: 3},
		With{B: MatMul{1, 2, 3, 2}, Public: public},
		With{B: MatMul{1, 2, 3, 2}, Public: public, Right: true},
	} {
		for _, r := range rings {
			dst := random(r, m.Out(), 99)
			before := ints(dst)
			m.Apply(dst, random(r, 6, 1))
			same(t, fmt.Sprintf("%T with a shape-only public operand", m), dst, before)
		}
	}
}

// Times and With convert public signed integers from any ring in which they fit: a narrower, the
// same, or a wider one.
func TestPublicOperands(t *testing.T) {
	values := []int64{1, -1, 3, -4, 0, 3}
	for _, own := range []ring.Ring{ring.Z(3), ring.Z(8), ring.Z(64), ring.Z(65), ring.Z(200), ring.M(8), ring.M(128)} {
		for _, use := range rings {
			public := ring.FromInts(own, values)
			if use.Bits < 3 || use == ring.M(3) {
				continue // the values do not fit
			}
			x := random(use, 6, 1)
			want := make([]*big.Int, 6)
			for i, y := range ints(x) {
				want[i] = y.Mul(y, big.NewInt(values[i]))
			}
			same(t, fmt.Sprintf("Times by %v", own), apply(Times{public, 2}, x), want)

			b := MatMul{1, 2, 3, 2}
			for _, right := range []bool{false, true} {
				m := With{B: b, Public: public, Right: right, Bits: 4}
				if len(m.In()) != 1 || m.In()[0] != 6 || m.Out() != 4 || m.Growth() != 4 {
					t.Fatalf("With: in %v, out %d, growth %d", m.In(), m.Out(), m.Growth())
				}
				left, other := ring.FromInts(use, values), x
				if right {
					left, other = other, left
				}
				direct := ring.New(use, 4)
				b.Apply(direct, left, other)
				same(t, fmt.Sprintf("With %v, right %v", own, right), apply(m, x), ints(direct))
			}
			same(t, "the public operand", public, ints(ring.FromInts(own, values)))
		}
	}
	// In and Out are not exchanged for operands of different lengths.
	m := With{B: MatMul{1, 2, 3, 5}}
	if m.In()[0] != 15 || m.Out() != 10 {
		t.Errorf("public left: in %v, out %d", m.In(), m.Out())
	}
	if m.Right = true; m.In()[0] != 6 {
		t.Errorf("public right: in %v", m.In())
	}
}
