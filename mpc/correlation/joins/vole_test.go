package joins

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

// TestField checks that multiplication is that of a field, and the tables against it.
func TestField(t *testing.T) {
	if got := Multiply(1<<63, 2); got != 0x1b {
		t.Errorf("x^64 is %x", got)
	}
	// x^(2^64 − 1) = 1, and x^((2^64 − 1)/q) ≠ 1 for the prime factors q: the polynomial is irreducible enough for x
	// to have full order or a divisor of it that no proper subfield has.
	power := func(a uint64, by uint64) uint64 {
		r := uint64(1)
		for ; by > 0; by >>= 1 {
			if by&1 != 0 {
				r = Multiply(r, a)
			}
			a = Multiply(a, a)
		}
		return r
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a, b, c := r.Uint64(), r.Uint64(), r.Uint64()
		if Multiply(a, b) != Multiply(b, a) || Multiply(a, Multiply(b, c)) != Multiply(Multiply(a, b), c) ||
			Multiply(a, b^c) != Multiply(a, b)^Multiply(a, c) {
			t.Fatal("multiplication is not that of a ring")
		}
		if a != 0 && Multiply(a, power(a, math.MaxUint64-1)) != 1 {
			t.Fatalf("%x has no inverse", a)
		}
		d := NewMultiplier(Block{b, c})
		if got, want := d.Times(a), (Block{Multiply(a, b), Multiply(a, c)}); got != want {
			t.Fatalf("times: got %x, want %x", got, want)
		}
	}
}

// TestVOLE: B = A·D + C.
func TestVOLE(t *testing.T) {
	const m = 5000
	sender, receiver := ring.NewSeed(), ring.NewSeed()
	b := VOLE(sender, receiver, m)
	d, c, a := Blocks(sender, Factor, 1)[0], Blocks(receiver, Offset, m), Stream(receiver, Mask, m)
	for i := range m {
		for j := range 2 {
			if got, want := binary.LittleEndian.Uint64(b[16*i+8*j:]), Multiply(a[i], d[j])^c[i][j]; got != want {
				t.Fatalf("entry %d: %x, want %x", i, got, want)
			}
		}
	}
	for bit := range 8 {
		ones := 0
		for _, x := range b {
			ones += int(x >> bit & 1)
		}
		if n := float64(len(b)); math.Abs(float64(ones)-n/2) > 5*math.Sqrt(n) {
			t.Errorf("bit %d is 1 in %d of %d bytes", bit, ones, len(b))
		}
	}
}
