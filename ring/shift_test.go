package ring

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// shifts are distances around an element's and a word's ends.
func shifts(r Ring) []int {
	s := []int{0, 1, 5, r.Bits / 2, r.Bits - 1, r.Bits, r.Bits + 1, 63, 64, 65, 127, 128, 129, 199, 300}
	slices.Sort(s)
	return slices.Compact(s)
}

func TestShifts(t *testing.T) {
	ops := []struct {
		name string
		run  func(dst, a Vec, s int)
		want func(x *big.Int, bits, s int) *big.Int
	}{
		{"Lsh", Lsh, func(x *big.Int, _, s int) *big.Int { return new(big.Int).Lsh(x, uint(s)) }},
		{"Rsh", Rsh, func(x *big.Int, _, s int) *big.Int { return new(big.Int).Rsh(x, uint(s)) }},
		{"Arsh", Arsh, func(x *big.Int, bits, s int) *big.Int { return new(big.Int).Rsh(signed(x, bits), uint(s)) }},
	}
	for _, op := range ops {
		t.Run(op.name, func(t *testing.T) {
			rng := source(1)
			eachRing(t, func(t *testing.T, r Ring, n int) {
				if r.Cyclic && op.name != "Lsh" {
					return
				}
				if n == 1000 {
					n = 200 // time
				}
				a, dst := random(r, n, rng), random(r, n, rng)
				x, a0 := unsigned(a), a.Clone()
				for _, s := range shifts(r) {
					want := fromBig(r, bigs(n, func(i int) *big.Int { return op.want(x[i], r.Bits, s) }))
					op.run(dst, a, s)
					same(t, op.name, dst, want)
					same(t, "operand", a, a0)
					in := a.Clone()
					op.run(in, in, s)
					same(t, op.name+" in place", in, want)
				}
			})
		})
	}
}

// Functions from one ring into another.
func TestBetweenRings(t *testing.T) {
	rng := source(2)
	for _, from := range widths {
		for _, to := range widths {
			for _, n := range []int{0, 1, 64, 65} {
				a, dst := random(Z(from), n, rng), random(Z(to), n, rng)
				x, a0 := unsigned(a), a.Clone()
				for _, s := range shifts(a.ring) {
					want := fromBig(dst.ring, bigs(n, func(i int) *big.Int { return new(big.Int).Rsh(x[i], uint(s)) }))
					Rsh(dst, a, s)
					same(t, "Rsh", dst, want)
					Digit(dst, a, s)
					same(t, "Digit", dst, want)
				}
				Low(dst, a)
				same(t, "Low", dst, fromBig(dst.ring, x))
				if to >= from {
					SignExtend(dst, a)
					same(t, "SignExtend", dst, fromBig(dst.ring, bigs(n, func(i int) *big.Int { return signed(x[i], from) })))
				}
				same(t, "operand", a, a0)
			}
		}
	}
}

func TestBitAndFromBits(t *testing.T) {
	rng := source(3)
	eachSize(t, func(t *testing.T, r Ring, n int) {
		a := random(r, n, rng)
		x, back := unsigned(a), New(r, n)
		for p := range r.Bits {
			b, want := Bit(a, p), make([]bool, n)
			for i := range want {
				want[i] = x[i].Bit(p) == 1
			}
			sameBits(t, "Bit", b, BitsOf(want))
			dst := New(r, n)
			for i := range dst.w {
				dst.w[i] = r.topMask()
			}
			FromBits(dst, b)
			same(t, "FromBits", dst, fromBig(r, bigs(n, func(i int) *big.Int { return big.NewInt(int64(x[i].Bit(p))) })))
			Lsh(dst, dst, p)
			Add(back, back, dst)
		}
		same(t, "Σ 2^p·bit p", back, a)
	})
}

// The bits of b as elements 0 and 1 of a cyclic ring.
func TestFromBitsCyclic(t *testing.T) {
	rng := source(4)
	eachCyclic(t, func(t *testing.T, r Ring, n int) {
		b, dst := randomBits(n, rng), random(r, n, rng)
		FromBits(dst, b)
		same(t, "FromBits", dst, fromBig(r, bigs(n, func(i int) *big.Int { return new(big.Int).SetUint64(b.Get(i)) })))
	})
}

func TestShiftLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, n := drawRing(t, "bits"), drawLen(t, "n")
		a := drawVec(t, r, n, "a")
		s := rapid.IntRange(0, r.Bits).Draw(t, "s")
		wider := Z(r.Bits + rapid.IntRange(0, 130).Draw(t, "more"))

		wide, back := New(wider, n), New(r, n)
		SignExtend(wide, a)
		Low(back, wide)
		same(t, "Low(SignExtend(a)) = a", back, a)
		for i := range n {
			if wide.Int(i).Cmp(a.Int(i)) != 0 {
				t.Fatalf("SignExtend: element %d is %v, was %v", i, wide.Int(i), a.Int(i))
			}
		}
		Low(wide, a)
		Low(back, wide)
		same(t, "Low(Low(a)) = a", back, a)

		// a = 2^s·⌊a/2^s⌋ + (a mod 2^s), for signed and unsigned a.
		for name, shift := range map[string]func(dst, a Vec, s int){"Rsh": Rsh, "Arsh": Arsh} {
			high, low := New(r, n), New(r, n)
			shift(high, a, s)
			Lsh(high, high, s)
			Lsh(low, a, r.Bits-s)
			Rsh(low, low, r.Bits-s)
			Add(high, high, low)
			same(t, name, high, a)
		}

		// Consecutive digits recombine to the element.
		d := Z(rapid.IntRange(1, 70).Draw(t, "digit"))
		sum, digit, part := New(r, n), New(d, n), New(r, n)
		for p := 0; p < r.Bits; p += d.Bits {
			Digit(digit, a, p)
			Low(part, digit)
			Lsh(part, part, p)
			Add(sum, sum, part)
		}
		same(t, "Σ digits", sum, a)
	})
}

func TestChoose(t *testing.T) {
	rng := source(12)
	eachRing(t, func(t *testing.T, r Ring, n int) {
		a, b, bits := random(r, n, rng), random(r, n, rng), randomBits(n, rng)
		dst := random(r, n, rng)
		Choose(dst, a, b, bits)
		x, y := unsigned(a), unsigned(b)
		same(t, "Choose", dst, fromBig(r, bigs(n, func(i int) *big.Int {
			if bits.Get(i) == 1 {
				return x[i]
			}
			return y[i]
		})))
	})
	refuses(t, "few bits", "2 bits choose 3 elements", func() { Choose(New(Z(8), 3), New(Z(8), 3), New(Z(8), 3), NewBits(2)) })
}
