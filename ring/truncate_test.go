package ring

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func checkTruncateReduce(t tb, from Ring, k, bits, n int, bias int64, rng *rand.Rand) {
	t.Helper()
	a, dst := random(from, n, rng), random(Z(k), n, rng) // must be overwritten
	x, a0 := unsigned(a), a.Clone()
	TruncateReduce(dst, a, bits, bias)
	same(t, "TruncateReduce", dst, fromBig(Z(k), bigs(n, func(i int) *big.Int {
		y := new(big.Int).Add(x[i], pow2(bits-1))
		y.Add(y, big.NewInt(bias))
		return y.Rsh(y, uint(bits)) // towards −∞
	})))
	same(t, "operand", a, a0)
}

func TestTruncateReduce(t *testing.T) {
	rng := source(1)
	var from []Ring
	for _, bits := range widths {
		from = append(from, Z(bits))
	}
	for _, q := range cycles {
		from = append(from, M(q))
	}
	for _, r := range from {
		for _, bits := range []int{1, 2, 18, 40, 63, 64, 65, 127, 128, 129} {
			for _, k := range []int{1, 8, 46, 63, 64, 65, 104, 128, 129, r.Bits - bits} {
				if k < 1 || k+bits > r.Bits {
					continue
				}
				for _, bias := range []int64{0, -1, 1, math.MaxInt64, math.MinInt64} {
					checkTruncateReduce(t, r, k, bits, 65, bias, rng)
				}
			}
		}
	}
	checkTruncateReduce(t, Z(104), 64, 40, 0, 0, rng)
}

func TestTruncateReduceRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawEither(t, "bits")
		if r.Bits < 2 {
			r = Z(2)
		}
		bits := rapid.IntRange(1, r.Bits-1).Draw(t, "dropped")
		k := rapid.IntRange(1, r.Bits-bits).Draw(t, "kept")
		checkTruncateReduce(t, r, k, bits, drawLen(t, "n"), rapid.Int64().Draw(t, "bias"), source(rapid.Uint64().Draw(t, "seed")))
	})
}

// The use in protocols: shares that are truncated separately, the second with bias −1, add up to
// the value rounded to a neighbour if they do not wrap. If they do, the sum is less by 2^(K−t),
// which is 0 modulo 2^k, and over M(q) by a further 2^−t.
func TestTruncateReduceOfShares(t *testing.T) {
	const n, bits = 1000, 20
	for _, r := range []Ring{Z(104), Z(128), M(104), M(128), M(192)} {
		rng := source(uint64(r.Bits))
		mask, a, b := random(r, n, rng), New(r, n), New(r, n)
		x := make([]int64, n)
		for i := range x {
			x[i] = rng.Int64N(1 << 40)
		}
		value := FromInts(r, x)
		copy(a.w, mask.w)
		Sub(b, value, mask)
		da, db := New(Z(64), n), New(Z(64), n)
		TruncateReduce(da, a, bits, 0)
		TruncateReduce(db, b, bits, -1)
		Add(da, da, db)
		for i := range x {
			got, exact := da.Int(i).Int64(), float64(x[i])/(1<<bits)
			if d := float64(got) - exact; math.Abs(d) > 1.01 {
				t.Fatalf("%v: shares of %d make %d, exactly %v", r, x[i], got, exact)
			}
		}
	}
}

func TestTruncateReducePanics(t *testing.T) {
	refuses(t, "too narrow a ring", "TruncateReduce of 41 bits from 2 of Z_2^104 into 2 of Z_2^64", func() { TruncateReduce(New(Z(64), 2), New(Z(104), 2), 41, 0) })
	refuses(t, "too narrow a cyclic ring", "TruncateReduce of 65 bits from 2 of Z_(2^128-1)", func() { TruncateReduce(New(Z(64), 2), New(M(128), 2), 65, 0) })
	refuses(t, "no bits", "TruncateReduce of 0 bits", func() { TruncateReduce(New(Z(64), 2), New(Z(104), 2), 0, 0) })
	refuses(t, "lengths", "from 2 of Z_2^104 into 3 of Z_2^64", func() { TruncateReduce(New(Z(64), 3), New(Z(104), 2), 40, 0) })
	refuses(t, "lengths, shapeOnly", "from 2 of Z_2^104 into 3 of Z_2^64", func() { TruncateReduce(ShapeOnly(Z(64), 3), ShapeOnly(Z(104), 2), 40, 0) })
}

// TestOffset: an element of one word, shifted, is added to and subtracted from words; over M(q)
// TruncateReduce reads the integer that they are.
func TestOffset(t *testing.T) {
	rng := source(2)
	rings := []Ring{Z(1), Z(18), Z(46), Z(63), Z(64), Z(82), Z(104), Z(128), Z(140), Z(192), M(152), M(201)}
	for _, from := range rings {
		for _, bits := range []int{1, 8, 18, 64} {
			for _, by := range []int{0, 1, 5, 63, 64, 70, from.Bits - bits} {
				if by < 0 || by+bits > from.Bits {
					continue
				}
				for _, minus := range []bool{false, true} {
					dst, a := random(from, 65, rng), random(Z(bits), 65, rng)
					sum := bigs(65, func(i int) *big.Int {
						x := new(big.Int).Lsh(unsigned(a)[i], uint(by))
						if minus {
							x.Neg(x)
						}
						return x.Add(x, unsigned(dst)[i])
					})
					Offset(dst, a, by, minus)
					if !from.Cyclic {
						same(t, "Offset", dst, fromBig(from, sum))
						continue
					}
					low := New(Z(from.Bits-61), 65)
					TruncateReduce(low, dst, 61, 0)
					same(t, "TruncateReduce of what is offset", low, fromBig(low.Ring(), bigs(65, func(i int) *big.Int {
						x := new(big.Int).Add(sum[i], pow2(60))
						return x.Rsh(x, 61)
					})))
				}
			}
		}
	}
}
