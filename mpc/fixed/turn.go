package fixed

import "math/bits"

// Turn is a fraction of a period, Hi·2^−64 + Lo·2^−128 of it. Sums and
// multiples wrap with the period.
type Turn struct{ Hi, Lo uint64 }

// TurnOf is c·v mod 2^width as a fraction of 2^width, for an element v of up
// to two words and 1 ≤ width ≤ 128: exact.
func TurnOf(v []uint64, c [2]uint64, width int) Turn {
	var v1 uint64
	if len(v) > 1 {
		v1 = v[1]
	}
	hi, lo := bits.Mul64(v[0], c[0])
	hi += v[0]*c[1] + v1*c[0]
	switch s := 128 - width; {
	case s >= 64:
		return Turn{lo << (s - 64), 0}
	case s > 0:
		return Turn{hi<<s | lo>>(64-s), lo << s}
	}
	return Turn{hi, lo}
}

// Plus is the sum.
func (t Turn) Plus(u Turn) Turn {
	lo, c := bits.Add64(t.Lo, u.Lo, 0)
	hi, _ := bits.Add64(t.Hi, u.Hi, c)
	return Turn{hi, lo}
}

// Split reads the turn as a number of [0, q): its integer part, and its
// fraction times 2^64, rounded down.
func (t Turn) Split(q uint64) (whole, frac uint64) {
	h0, _ := bits.Mul64(t.Lo, q)
	h1, l1 := bits.Mul64(t.Hi, q)
	frac, c := bits.Add64(l1, h0, 0)
	return h1 + c, frac
}
