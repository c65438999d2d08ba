package ring

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func checkMulAddSmall(t tb, r Ring, n int, rng *rand.Rand) {
	t.Helper()
	edges := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 40, -1 << 40}
	a, dst, c := random(r, n, rng), random(r, n, rng), make([]int64, n)
	for i := range c {
		if c[i] = int64(rng.Uint64()) >> rng.IntN(64); rng.IntN(3) == 0 {
			c[i] = edges[rng.IntN(len(edges))]
		}
	}
	x, d, a0 := unsigned(a), unsigned(dst), a.Clone()
	MulAddSmall(dst, a, c)
	same(t, "MulAddSmall", dst, fromBig(r, bigs(n, func(i int) *big.Int {
		y := new(big.Int).Mul(x[i], big.NewInt(c[i]))
		return y.Add(y, d[i])
	})))
	same(t, "operand", a, a0)
}

func TestMulAddSmall(t *testing.T) {
	rng := source(1)
	eachRing(t, func(t *testing.T, r Ring, n int) { checkMulAddSmall(t, r, n, rng) })
	for _, bits := range []int{192, 193, 256, 320, 511, 512} {
		checkMulAddSmall(t, Z(bits), 1000, rng)
	}
}

func TestMulAddSmallRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkMulAddSmall(t, drawEither(t, "bits"), drawLen(t, "n"), source(rapid.Uint64().Draw(t, "seed")))
	})
}

func TestMulAddSmallPanics(t *testing.T) {
	v := New(Z(104), 3)
	refuses(t, "few integers", "MulAddSmall of 2 integers with 3 of Z_2^104", func() { MulAddSmall(v, v, make([]int64, 2)) })
	refuses(t, "another ring", "3 of Z_2^8 with 3 of Z_2^104", func() { MulAddSmall(v, New(Z(8), 3), make([]int64, 3)) })
}
