package party_test

import (
	"fmt"
	"testing"
)

// TestRepairedPrograms runs random programs that went wrong once.
func TestRepairedPrograms(t *testing.T) {
	for seed, what := range map[uint64]string{
		9048398:  "a dividend of 10^29",
		10000585: "a concatenation with a public number beside a multiple of a contraction",
		10011109: "a divisor with guard bits in a ring of 32 bits",
		10030759: "a clamp of numbers below one unit",
		12071824: "a divisor that is a large multiple of a contraction",
		12123502: "a clamp of a quotient below one unit",
		12124459: "a division by more than the ring's bits",
		12128912: "a square below one unit that is rounded to one",
		12217291: "a minimum with a product below one unit",
		12235692: "a clamp of a quotient of a large number",
		14106480: "a clamp of a number at a negative scale",
	} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := newRandomCase(seed, allRandomSettings(), 0)
			if w := c.run(); w != nil {
				t.Errorf("%s: %s", what, c.describe(w))
			}
		})
	}
}
