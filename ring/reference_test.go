package ring

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// The widths and lengths at which every function is compared with math/big: below, at and above
// multiples of words.
var (
	widths  = []int{1, 2, 3, 7, 8, 15, 18, 31, 32, 46, 63, 64, 65, 104, 127, 128, 160, 200}
	cycles  = []int{2, 3, 7, 8, 31, 32, 33, 46, 63, 64, 65, 104, 127, 128, 129, 160, 192, 200, 224, 240, 256, 320, 512}
	lengths = []int{0, 1, 63, 64, 65, 1000}
)

// eachSize runs f for every width and length.
func eachSize(t *testing.T, f func(t *testing.T, r Ring, n int)) {
	for _, bits := range widths {
		t.Run(fmt.Sprint(bits), func(t *testing.T) {
			for _, n := range lengths {
				f(t, Z(bits), n)
			}
		})
	}
}

// eachRing runs f for every ring, of either kind, and length.
func eachRing(t *testing.T, f func(t *testing.T, r Ring, n int)) {
	eachSize(t, f)
	eachCyclic(t, f)
}

// eachCyclic runs f for every cyclic ring and length.
func eachCyclic(t *testing.T, f func(t *testing.T, r Ring, n int)) {
	for _, q := range cycles {
		t.Run(M(q).String(), func(t *testing.T) {
			for _, n := range lengths {
				f(t, M(q), n)
			}
		})
	}
}

// tb is the common part of *testing.T and *rapid.T.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// random is n elements, a fifth of them at an end of the ring or in its middle.
func random(r Ring, n int, rng *rand.Rand) Vec {
	v := New(r, n)
	k := r.Words()
	for i := range n {
		e := v.w[i*k : (i+1)*k]
		switch rng.IntN(20) {
		case 0: // zero
		case 1: // one
			e[0] = 1
		case 2, 3: // the largest element, −1, and the largest positive one
			for j := range e {
				e[j] = ^uint64(0)
			}
			if rng.IntN(2) == 0 {
				e[k-1] &= r.topMask() >> 1
			} else if r.Cyclic {
				e[0]--
			}
		case 4: // the most negative one
			e[k-1] = 1 << (r.topBits() - 1)
		default:
			for j := range e {
				e[j] = rng.Uint64()
			}
		}
		e[k-1] &= r.topMask()
	}
	if r.Cyclic {
		return fromBig(r, unsigned(v))
	}
	return v
}

func randomBits(n int, rng *rand.Rand) Bits {
	b := NewBits(n)
	for i := range b.w {
		b.w[i] = rng.Uint64()
	}
	b.trim()
	return b
}

// drawVec draws a vector with a drawn seed for its elements.
func drawVec(t *rapid.T, r Ring, n int, name string) Vec {
	return random(r, n, source(rapid.Uint64().Draw(t, name)))
}

func drawRing(t *rapid.T, name string) Ring { return Z(rapid.IntRange(1, 200).Draw(t, name)) }

// drawEither draws a ring of either kind.
func drawEither(t *rapid.T, name string) Ring {
	if rapid.Bool().Draw(t, name+", cyclic") {
		return M(rapid.IntRange(2, 330).Draw(t, name))
	}
	return drawRing(t, name)
}

func drawLen(t *rapid.T, name string) int { return rapid.IntRange(0, 130).Draw(t, name) }

func pow2(e int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(e)) }

// modulo is the number of the ring's elements.
func modulo(r Ring) *big.Int {
	if r.Cyclic {
		return pow2(r.Bits).Sub(pow2(r.Bits), big.NewInt(1))
	}
	return pow2(r.Bits)
}

// unsigned is the elements as integers in [0, 2^k), or [0, 2^k − 1).
func unsigned(v Vec) []*big.Int {
	out := make([]*big.Int, v.n)
	k := v.ring.Words()
	for i := range out {
		x := new(big.Int)
		for j := k - 1; j >= 0; j-- {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(v.w[i*k+j]))
		}
		out[i] = x
	}
	return out
}

// signed is x in [0, 2^k) read as a signed integer.
func signed(x *big.Int, bits int) *big.Int {
	if x.Bit(bits-1) == 0 {
		return x
	}
	return new(big.Int).Sub(x, pow2(bits))
}

// fromBig reduces integers into a ring.
func fromBig(r Ring, xs []*big.Int) Vec {
	v := New(r, len(xs))
	k, word := r.Words(), pow2(64)
	for i, x := range xs {
		x := new(big.Int).Mod(x, modulo(r))
		for j := range k {
			v.w[i*k+j] = new(big.Int).Mod(x, word).Uint64()
			x.Rsh(x, 64)
		}
	}
	return v
}

// bigs is f of every index below n.
func bigs(n int, f func(i int) *big.Int) []*big.Int {
	out := make([]*big.Int, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// same fails unless got and want are equal word for word, in ring and length.
func same(t tb, what string, got, want Vec) {
	t.Helper()
	if got.ring != want.ring || got.n != want.n || len(got.w) != len(want.w) || got.ShapeOnly() != want.ShapeOnly() {
		t.Fatalf("%s: %d of %v in %d words, want %d of %v in %d", what, got.n, got.ring, len(got.w), want.n, want.ring, len(want.w))
	}
	for i := range got.w {
		if got.w[i] != want.w[i] {
			k := got.ring.Words()
			t.Fatalf("%s: %v: word %d of element %d of %d is %#x, want %#x", what, got.ring, i%k, i/k, got.n, got.w[i], want.w[i])
		}
	}
}

func sameBits(t tb, what string, got, want Bits) {
	t.Helper()
	if got.n != want.n || len(got.w) != len(want.w) || got.ShapeOnly() != want.ShapeOnly() {
		t.Fatalf("%s: %d bits in %d words, want %d in %d", what, got.n, len(got.w), want.n, len(want.w))
	}
	for i := range got.w {
		if got.w[i] != want.w[i] {
			t.Fatalf("%s: word %d of %d bits is %#x, want %#x", what, i, got.n, got.w[i], want.w[i])
		}
	}
}

func panics(t tb, what string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if recover() == nil {
			t.Fatalf("%s did not panic", what)
		}
	}()
	f()
}
