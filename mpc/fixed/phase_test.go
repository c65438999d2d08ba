package fixed

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// words are edge cases and random words.
func words(random int) []uint64 {
	ws := []uint64{0, 1, 2, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, ^uint64(0) - 1, ^uint64(0)}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range random {
		ws = append(ws, rng.Uint64()>>(i%64))
	}
	return ws
}

// integer is the number with the given words, low ones first.
func integer(ws ...uint64) *big.Int {
	x := new(big.Int)
	for i := len(ws) - 1; i >= 0; i-- {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(ws[i]))
	}
	return x
}

func (t Phase) integer() *big.Int { return integer(t.Lo, t.Hi) }

func modulo(x *big.Int, bits int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).Mod(x, m)
}

func TestPhaseOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ws := words(40)
	pick := func() uint64 { return ws[rng.IntN(len(ws))] }
	for range 20000 {
		width := 1 + rng.IntN(128)
		v, c := []uint64{pick(), pick()}, [2]uint64{pick(), pick()}
		if rng.IntN(2) == 0 {
			v = v[:1] // of a ring of one word
		}
		want := new(big.Int).Mul(integer(v...), integer(c[:]...))
		want.Lsh(modulo(want, width), uint(128-width))
		if got := PhaseOf(v, c, width); got.integer().Cmp(want) != 0 {
			t.Fatalf("PhaseOf(%x, %x, %d) = %x, want %x", v, c, width, got, want)
		}
	}
}

func TestPhasePlus(t *testing.T) {
	ws := words(8)
	for _, a := range ws {
		for _, b := range ws {
			for _, c := range ws {
				x, y := Phase{a, b}, Phase{c, a}
				want := modulo(new(big.Int).Add(x.integer(), y.integer()), 128)
				if got := x.Plus(y); got.integer().Cmp(want) != 0 {
					t.Fatalf("%x + %x = %x, want %x", x, y, got, want)
				}
			}
		}
	}
}

func TestSplit(t *testing.T) {
	ws := words(40)
	for _, q := range []uint64{1, 2, 128, 136, 160, 200, 240, 1<<32 - 1} {
		for _, hi := range ws {
			for _, lo := range ws {
				phase := Phase{hi, lo}
				whole, frac := phase.Split(q)
				// Split must be exact: ⌊phase·q·2^64⌋.
				want := new(big.Int).Mul(phase.integer(), new(big.Int).SetUint64(q))
				if want.Rsh(want, 64); integer(frac, whole).Cmp(want) != 0 {
					t.Fatalf("%x split by %d = %d, %x; want %x", phase, q, whole, frac, want)
				}
				if whole >= q {
					t.Fatalf("%x split by %d = %d", phase, q, whole)
				}
			}
		}
	}
}
