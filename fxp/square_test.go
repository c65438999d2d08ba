package fxp

import (
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

// TestSquareBits checks the range of squares under roots in the usual rings, on which a rewrite pass depends.
func TestSquareBits(t *testing.T) {
	want := map[int]int{32: 16, 64: 28, 128: 0}
	for _, u := range Usual {
		if got := SquareBits(ring.Z(u.Bits), u.Fraction); got != want[u.Bits] {
			t.Errorf("ring %d: %d bits, want %d", u.Bits, got, want[u.Bits])
		}
	}
}
