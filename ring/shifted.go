package ring

import "fmt"

// AddShifted sets dst += a·2^by, or dst −= a·2^by if minus. Elements of a are read as integers in [0, 2^k), where k
// is the width of a's ring, which is at most as wide as dst's.
func AddShifted(dst, a Vec, by int, minus bool) {
	if noneShifted(dst, a) {
		return
	}
	switch {
	case by == 0 && a.ring == dst.ring && minus:
		Sub(dst, dst, a)
	case by == 0 && a.ring == dst.ring:
		Add(dst, dst, a)
	default:
		part := NewUninitialised(dst.ring, dst.n)
		Low(part, a)
		Lsh(part, part, by)
		if minus {
			Sub(dst, dst, part)
		} else {
			Add(dst, dst, part)
		}
		part.Free()
	}
}

// MulAddShifted sets dst += c·a·2^by, element by element. c is over dst's ring. Elements of a are read as integers in
// [0, 2^k), where k is the width of a's ring, which is at most as wide as dst's.
func MulAddShifted(dst, c, a Vec, by int) {
	if noneShifted(dst, a) || shapeOnly(dst, c) {
		return
	}
	m := dst.ring.topMask()
	switch ka, kd := a.ring.Words(), dst.ring.Words(); {
	case by == 0 && a.ring == dst.ring:
		MulAdd(dst, c, a)
	case kd == 1:
		inUse.mulAdd(dst.w, c.w, a.w, uint(by), m)
	case kd == 2 && ka == 1:
		inUse.mulAddShort(dst.w, c.w, a.w, uint(by), m)
	default:
		part := NewUninitialised(dst.ring, dst.n)
		Low(part, a)
		Lsh(part, part, by)
		MulAdd(dst, c, part)
		part.Free()
	}
}

// noneShifted checks that a fits dst, and reports whether one of them is shape-only.
func noneShifted(dst, a Vec) bool {
	powerOfTwo("AddShifted", dst.ring, a.ring)
	if dst.n != a.n || a.ring.Bits > dst.ring.Bits {
		panic(fmt.Sprintf("ring: %d of %v shifted onto %d of %v", a.n, a.ring, dst.n, dst.ring))
	}
	return dst.w == nil || a.w == nil
}
