package ring

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Sums and products of elements at the ends of the ring, all pairs.
func TestCyclicCorners(t *testing.T) {
	for _, q := range cycles {
		r := M(q)
		var corners []*big.Int
		for _, e := range []int{0, 1, q / 2, q - 1, q, 63, 64} {
			for d := range int64(5) {
				corners = append(corners, new(big.Int).Add(pow2(e), big.NewInt(d-3)))
			}
		}
		var xs, ys []*big.Int
		for _, x := range corners {
			for _, y := range corners {
				xs, ys = append(xs, x), append(ys, y)
			}
		}
		a, b := fromBig(r, xs), fromBig(r, ys)
		for _, op := range elementwise {
			d := fromBig(r, ys)
			op.run(d, a, b)
			same(t, op.name, d, fromBig(r, bigs(len(xs), func(i int) *big.Int { return op.want(ys[i], xs[i], ys[i]) })))
		}
	}
}

// Small rings have few elements: all pairs of them.
func TestCyclicExhaustive(t *testing.T) {
	for q := 2; q <= 6; q++ {
		r, n := M(q), 1<<q-1
		x, y := make([]int64, n*n), make([]int64, n*n)
		for i := range x {
			x[i], y[i] = int64(i/n), int64(i%n)
		}
		a, b := FromInts(r, x), FromInts(r, y)
		for name, op := range map[string]struct {
			run  func(dst, a, b Vec)
			want func(x, y int64) int64
		}{
			"Add": {Add, func(x, y int64) int64 { return x + y }},
			"Sub": {Sub, func(x, y int64) int64 { return x - y }},
			"Mul": {Mul, func(x, y int64) int64 { return x * y }},
			"Lsh": {func(dst, a, _ Vec) { Lsh(dst, a, q-1) }, func(x, _ int64) int64 { return x << (q - 1) }},
		} {
			dst := New(r, n*n)
			op.run(dst, a, b)
			for i, got := range dst.w {
				if want := ((op.want(x[i], y[i]) % int64(n)) + int64(n)) % int64(n); got != uint64(want) {
					t.Fatalf("%v: %s of %d and %d is %d, want %d", r, name, x[i], y[i], got, want)
				}
			}
		}
	}
}

// Elements of M(q) are uniform except for 0, which is drawn twice as often as others.
func TestCyclicPRGIsUniform(t *testing.T) {
	v := New(M(3), 1<<16)
	NewPRG(Seed{7}).Vec(v, 1, 2)
	var count [8]int
	for _, x := range v.w {
		count[x]++
	}
	for x, n := range count {
		want := []int{1 << 14, 1 << 13, 1 << 13, 1 << 13, 1 << 13, 1 << 13, 1 << 13, 0}[x]
		if d := n - want; d < -600 || d > 600 { // the standard deviation is at most 111
			t.Errorf("%d is drawn %d times, want about %d", x, n, want)
		}
	}
}

// Functions of elements' bits name the reason for which they panic.
func TestCyclicPanics(t *testing.T) {
	m, z, n := New(M(65), 3), New(Z(65), 3), ShapeOnly(M(65), 3)
	for name, f := range map[string]func(){
		"Rsh":                   func() { Rsh(m, m, 1) },
		"Rsh from":              func() { Rsh(z, m, 1) },
		"Rsh into":              func() { Rsh(m, z, 1) },
		"Low":                   func() { Low(z, m) },
		"Digit":                 func() { Digit(z, m, 1) },
		"SignExtend":            func() { SignExtend(z, m) },
		"Arsh":                  func() { Arsh(m, m, 1) },
		"Bit":                   func() { Bit(m, 1) },
		"shapeOnly":             func() { Low(ShapeOnly(Z(8), 3), n) },
		"LookUpDigit's operand": func() { LookUpDigit(NewBits(3), NewBits(3), NewBits(21), New(M(64), 3), 0, 3, true) },
		"Thermometers' digits":  func() { ThermometerTables(NewBits(21), New(M(7), 3), 0, 3) },
		"TruncateReduce":        func() { TruncateReduce(New(M(8), 3), m, 8, 0) },
	} {
		refuses(t, name, "functions of elements' bits are not defined", f)
	}
	refuses(t, "MulAddRotated", "which is not cyclic", func() { MulAddRotated(z, z, make([]uint64, 3), make([]uint16, 3)) })
	refuses(t, "Powers", "which is not cyclic", func() { Powers(Z(8), nil, nil) })
	refuses(t, "Add", "3 of Z_2^65 with 3 of Z_(2^65-1)", func() { Add(m, z, m) })
}

// refuses fails unless f panics with the text.
func refuses(t tb, what, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, text) {
			t.Fatalf("%s says %q, want %q in it", what, got, text)
		}
	}()
	f()
}

// Any word modulo 2^q − 1 has q bits.
func TestCyclicFoldWord(t *testing.T) {
	rng := source(5)
	for q := 2; q <= 64; q++ {
		c := M(q).cyclic()
		for i := range 200 {
			x := []uint64{0, 1, 1<<64 - 1, 1<<64 - 2, 1 << 63, c.mask, c.mask - 1, c.mask + 1, rng.Uint64(), rng.Uint64() | c.mask}[i%10]
			if got := c.foldWord(x); got > c.mask || got%c.mask != x%c.mask {
				t.Fatalf("%#x modulo 2^%d - 1 is %#x", x, q, got)
			}
		}
	}
}

// reduce makes elements of arbitrary words canonical.
func TestCyclicReduce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := M(rapid.IntRange(2, 330).Draw(t, "q"))
		edge := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 63, 1<<64 - 1, 1<<64 - 2}))
		words := rapid.SliceOfN(edge, r.Words(), r.Words()).Draw(t, "words")
		x := unsigned(Vec{Z(64 * r.Words()), 1, words})
		want := fromBig(r, x)
		same(t, "FromWords", FromWords(r, words), want)
	})
}

// Sums of runs, of elements at the ends of the ring and of random ones, against big integers; so many that carries leave the top word.
func TestSumRuns(t *testing.T) {
	rng := source(3)
	for _, q := range append([]int{129, 190, 191}, cycles...) {
		r := M(q)
		for _, n := range []int{0, 1, 2, 7, 300} {
			a := random(r, 3*n, rng)
			for i := range n { // 2^q − 2, the largest element, n times; and of the last run a sum of 2^q − 1
				Neg(a.Slice(i, i+1), FromInts(r, []int64{1}))
				copy(a.Slice(2*n+i, 2*n+i+1).w, FromInts(r, []int64{[]int64{1, -1, 0}[min(i, 2)]}).w)
			}
			sums := make([]*big.Int, 3)
			for i := range sums {
				sums[i] = new(big.Int)
				for j := range n {
					sums[i].Add(sums[i], unsigned(a.Slice(i*n+j, i*n+j+1))[0])
				}
			}
			got := random(r, 3, rng)
			SumRuns(got, a, n)
			same(t, fmt.Sprintf("%v: sums of %d", r, n), got, fromBig(r, sums))
		}
	}
}
