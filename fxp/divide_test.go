package fxp

import (
	"math/big"
	"testing"
)

// TestReciprocals checks that quotients by reciprocals are right for all 8-bit numbers, for every largest
// divisor beside them, and at the limits of 64 bits.
func TestReciprocals(t *testing.T) {
	check := func(x, d uint64, m *big.Int, s int) {
		t.Helper()
		q := new(big.Int).Mul(m, new(big.Int).SetUint64(x))
		if q.Rsh(q, uint(s)); q.Uint64() != x/d || !q.IsUint64() {
			t.Fatalf("%d/%d is %v by %v/2^%d", x, d, q, m, s)
		}
	}
	for most := uint64(1); most < 256; most += 17 {
		for d := uint64(1); d <= most; d++ {
			m, s := reciprocals([]uint64{d, most}, 8)
			for x := range uint64(256) {
				check(x, d, m[0], s)
			}
		}
	}
	const all = ^uint64(0)
	for _, d := range []uint64{1, 2, 3, 7, 10, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, all - 1, all} {
		m, s := reciprocals([]uint64{d}, 64)
		for _, x := range []uint64{0, 1, d - 1, d, d + 1, 2*d - 1, 2 * d, all / d * d, all/d*d - 1, all - 1, all} {
			check(x, d, m[0], s)
		}
	}
	if m, _ := reciprocals([]uint64{0, 5}, 32); m[0].Sign() != 0 {
		t.Errorf("the reciprocal of zero is %v", m[0])
	}
}
