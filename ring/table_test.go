package ring

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// thermometers are the tables of digits l: bit v is [v < l].
func thermometers(d int, l []uint64) Vec {
	return fromBig(Z(1<<d-1), bigs(len(l), func(i int) *big.Int {
		x := pow2(int(l[i]))
		return x.Sub(x, big.NewInt(1))
	}))
}

// packedBits are a vector's elements, bit after bit.
func packedBits(v Vec) Bits {
	var w Writer
	w.Vec(v)
	return NewReader(w.Payload()).Bits(v.n * v.ring.Bits)
}

// shareXor splits bits into random ones that XOR to them.
func shareXor(b Bits, parties int, seed uint64) []Bits {
	rng := source(seed)
	sum := b.Clone()
	out := []Bits{sum}
	for range parties - 1 {
		s := randomBits(b.n, rng)
		Xor(sum, sum, s)
		out = append(out, s)
	}
	return out
}

// checkLookUpDigit looks up public digits in every party's share of the tables of l and compares
// the XOR of the results with the definition.
func checkLookUpDigit(t tb, l []uint64, public Vec, pos, d, parties int, seed uint64) {
	t.Helper()
	n := public.n
	lt, eq := NewBits(n), NewBits(n)
	for i, share := range shareXor(packedBits(thermometers(d, l)), parties, seed) {
		rng := source(seed + uint64(i))
		a, b := randomBits(n, rng), randomBits(n, rng) // must be overwritten
		LookUpDigit(a, b, share, public, pos, d, i == 0)
		Xor(lt, lt, a)
		Xor(eq, eq, b)
	}
	less, equal := make([]bool, n), make([]bool, n)
	for i, x := range unsigned(public) {
		c := x.Rsh(x, uint(pos)).Uint64() & (1<<d - 1)
		less[i], equal[i] = c < l[i], c == l[i]
	}
	sameBits(t, "c < l", lt, BitsOf(less))
	sameBits(t, "c = l", eq, BitsOf(equal))
}

// All pairs of digits, for every width up to six bits.
func TestLookUpDigitPairs(t *testing.T) {
	for d := 1; d <= 6; d++ {
		size := 1 << d
		l, c := make([]uint64, size*size), make([]uint64, size*size)
		for i := range l {
			l[i], c[i] = uint64(i/size), uint64(i%size)
		}
		for parties := 1; parties <= 3; parties++ {
			checkLookUpDigit(t, l, FromWords(Z(d), append([]uint64{}, c...)), 0, d, parties, uint64(d))
		}
	}
}

func TestLookUpDigit(t *testing.T) {
	for d := 1; d <= 8; d++ {
		for _, bits := range []int{46, 64, 65, 104, 128} {
			t.Run(fmt.Sprintf("%d/%d", d, bits), func(t *testing.T) {
				positions := []int{0, 1, 17, bits - d, bits - 1} // the last extends past the element's end
				if bits > 64 {
					positions = append(positions, 63, 64-d, 64-d/2, 64)
				}
				for _, pos := range positions {
					for _, n := range []int{0, 1, 63, 64, 65, 200} {
						rng := source(uint64(n))
						public, l := random(Z(bits), n, rng), make([]uint64, n)
						for i, x := range unsigned(public) {
							// Near the digit, where less and equal change, or anywhere.
							if l[i] = rng.Uint64() & (1<<d - 1); i%2 == 0 {
								c := x.Rsh(x, uint(pos)).Uint64()
								l[i] = (c + uint64(i/2%3) - 1) & (1<<d - 1)
							}
						}
						for parties := 2; parties <= 3; parties++ {
							checkLookUpDigit(t, l, public, pos, d, parties, uint64(pos))
						}
					}
				}
			})
		}
	}
}

func TestLookUpDigitRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 8).Draw(t, "d")
		r, n := drawRing(t, "bits"), drawLen(t, "n")
		l := make([]uint64, n)
		rng := source(rapid.Uint64().Draw(t, "digits"))
		for i := range l {
			l[i] = rng.Uint64() & (1<<d - 1)
		}
		checkLookUpDigit(t, l, drawVec(t, r, n, "public"), rapid.IntRange(0, r.Bits-1).Draw(t, "pos"), d, rapid.IntRange(1, 4).Draw(t, "parties"), 1)
	})
}

// TestThermometerTables packs tables of all digits.
func TestThermometerTables(t *testing.T) {
	for d := 1; d <= 8; d++ {
		l, secrets := make([]uint64, 150+3<<d), make([]uint64, 150+3<<d)
		for i := range l {
			l[i] = uint64(i*5) & (1<<d - 1)
			secrets[i] = l[i]<<7 | uint64(i)&127 | uint64(i)<<(7+d)
		}
		tables := NewUninitialisedPlanes(len(l) * (1<<d - 1))[0]
		for i := range tables.w {
			tables.w[i] = ^uint64(0)
		}
		ThermometerTables(tables, FromWords(Z(64), secrets), 7, d)
		sameBits(t, fmt.Sprintf("%d bits", d), tables, packedBits(thermometers(d, l)))
	}
}

// TestField reads fields at all positions.
func TestField(t *testing.T) {
	b := randomBits(200, source(3))
	for at := range b.n {
		for width := 1; width <= 64; width++ {
			var want uint64
			for i := range min(width, b.n-at) {
				want |= b.Get(at+i) << i
			}
			if got := b.Field(at, width); got != want {
				t.Fatalf("%d bits from %d on: %x, want %x", width, at, got, want)
			}
		}
	}
}

// TestCountDifferences shares the bits of digits and their product among three parties and adds up
// the results.
func TestCountDifferences(t *testing.T) {
	rng := source(21)
	for _, sums := range []Ring{Z(2), Z(6), Z(64)} {
		for _, k := range []Ring{Z(8), Z(64), Z(128)} {
			for _, n := range lengths {
				for d := 1; d <= 2; d++ {
					pos := rng.IntN(k.Bits - d + 1)
					public, secret := random(k, n, rng), random(Z(d), n, rng)
					bits := New(sums, (1<<d-1)*n)
					for i, l := range secret.Words() {
						bits.w[i] = l & 1
						if d == 2 {
							bits.w[n+i], bits.w[2*n+i] = l>>1, l>>1&l
						}
					}
					a, b := random(sums, bits.n, rng), random(sums, bits.n, rng)
					Sub(bits, bits, a)
					Sub(bits, bits, b)
					before := random(sums, n, rng)
					got := before.Clone()
					for i, share := range []Vec{a, bits, b} {
						CountDifferences(got, public, share, pos, d, i == 1)
					}
					digit := New(Z(d), n)
					Digit(digit, public, pos)
					x := unsigned(before)
					same(t, "CountDifferences", got, fromBig(sums, bigs(n, func(i int) *big.Int {
						if digit.w[i] != secret.w[i] {
							return new(big.Int).Add(x[i], big.NewInt(1))
						}
						return x[i]
					})))
				}
			}
		}
	}
	refuses(t, "three bits", "CountDifferences of 2 digits of 3 bits from 2 shares in Z_2^6 into 2 of Z_2^6", func() {
		CountDifferences(New(Z(6), 2), New(Z(64), 2), New(Z(6), 2), 0, 3, true)
	})
}
