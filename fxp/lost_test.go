package fxp_test

import (
	"testing"

	"github.com/tacet-mpc/tacet/mpc/plain"
)

// TestLostConstants: a constant that becomes 0 is named with the settings that keep it.
func TestLostConstants(t *testing.T) {
	for _, c := range []struct {
		bits, fraction int
		v              float64
		want           string
	}{
		{64, 18, 1e-8, "test.mlir:3:4: test.op: the constant 1e-08 becomes 0, as it has 18 fraction bits here: set ring: 128 and fraction: 27"},
		{64, 8, 1e-3, "the constant 0.001 becomes 0, as it has 8 fraction bits here: set fraction: 10"},
		{128, 26, 1e-9, "set fraction: 30"},
		{64, 18, -1e-30, "no ring holds it, so give the program larger numbers"},
		{32, 8, 1e-5, "set ring: 128"},
		{64, 18, 1e-3, ""}, {64, 18, 0, ""},
	} {
		m := form{"plain", plain.Party{}, c.bits, c.fraction}
		l := run(t, m, nil, func(l *lab) { l.AddPublic(l.op, l.in(1, 2), constant(2, c.v)) })
		if c.want == "" && len(l.lost) > 0 || c.want != "" && !contains(l.lost, c.want) {
			t.Errorf("%v in %d bits: %q, want %q", c.v, c.bits, l.lost, c.want)
		}
		l = run(t, m, nil, func(l *lab) { l.AddPublic(l.op, l.in(1, 2), floats(c.v, 1)) }) // data
		if len(l.lost) > 0 {
			t.Errorf("data: %q", l.lost)
		}
	}
}
