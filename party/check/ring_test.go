package check

import "testing"

func TestRingFor(t *testing.T) {
	for _, c := range []struct {
		scale          int
		largest        float64
		bits, fraction int
		want           int
	}{
		{0, 1, 64, 18, 32},
		{0, 1 << 22, 64, 18, 64},    // 32 bits hold less than 2^22 with 8 fraction bits
		{0, 1 << 44, 64, 18, 128},   // 64 bits hold less than 2^44 with 18
		{0, 1 << 44, 64, 12, 64},    // and less than 2^50 with 12
		{36, 1 << 26, 64, 18, 128},  // of a contraction, less than 2^26
		{36, 1<<26 - 1, 64, 18, 64}, //
		{0, 1.0e300, 64, 18, 0},     // no ring holds it
		{0, 1<<21 + 0.5, 32, 9, 64}, // 32 bits hold less than 2^21 with 9 fraction bits
		{0, 1<<21 - 0.5, 32, 9, 32}, //
	} {
		if got := ringFor(c.scale, c.largest, c.bits, c.fraction); got != c.want {
			t.Errorf("%+v: ring of %d bits", c, got)
		}
	}
}
