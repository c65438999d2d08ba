package fixed

import "math/bits"

// Phase is a fraction of a period: Hi·2^−64 + Lo·2^−128.
type Phase struct{ Hi, Lo uint64 }

// PhaseOf returns c·v mod 2^width as a fraction of 2^width, exactly. v is an element of one or two words and c a
// 128-bit integer, both with the low word first; 1 ≤ width ≤ 128.
func PhaseOf(v []uint64, c [2]uint64, width int) Phase {
	var v1 uint64
	if len(v) > 1 {
		v1 = v[1]
	}
	hi, lo := bits.Mul64(v[0], c[0])
	hi += v[0]*c[1] + v1*c[0]
	switch s := 128 - width; {
	case s >= 64:
		return Phase{lo << (s - 64), 0}
	case s > 0:
		return Phase{hi<<s | lo>>(64-s), lo << s}
	}
	return Phase{hi, lo}
}

// Plus returns t + u modulo the period.
func (t Phase) Plus(u Phase) Phase {
	lo, c := bits.Add64(t.Lo, u.Lo, 0)
	hi, _ := bits.Add64(t.Hi, u.Hi, c)
	return Phase{hi, lo}
}

// Split returns the integer part of t·q, which is below q, and the fraction of t·q in units of 2^-64, rounded down.
func (t Phase) Split(q uint64) (whole, frac uint64) {
	h0, _ := bits.Mul64(t.Lo, q)
	h1, l1 := bits.Mul64(t.Hi, q)
	frac, c := bits.Add64(l1, h0, 0)
	return h1 + c, frac
}
