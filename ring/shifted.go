package ring

import (
	"fmt"
	"math/bits"
)

// AddShifted sets dst += a·2^by, or dst −= a·2^by if minus, for elements of a
// read as integers in [0, 2^k), k the width of its ring, which is no wider than
// dst's.
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
		part := Blank(dst.ring, dst.n)
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

// MulAddShifted sets dst += c·a·2^by, element by element, for a as in
// AddShifted.
func MulAddShifted(dst, c, a Vec, by int) {
	if noneShifted(dst, a) || weightless(dst, c) {
		return
	}
	d, m := dst.w, dst.ring.topMask()
	f := c.w[:len(d)]
	switch ka, kd := a.ring.Words(), dst.ring.Words(); {
	case by == 0 && a.ring == dst.ring:
		MulAdd(dst, c, a)
	case kd == 1:
		x := a.w[:len(d)]
		for i := range d {
			d[i] = (d[i] + f[i]*x[i]<<uint(by)) & m
		}
	case kd == 2 && ka == 1 && by >= 64:
		s := uint(by - 64)
		for i, x := range a.w[:len(d)/2] {
			d[2*i+1] = (d[2*i+1] + f[2*i]*x<<s) & m
		}
	case kd == 2 && ka == 1:
		s := uint(by)
		for i, x := range a.w[:len(d)/2] {
			hi, lo := bits.Mul64(f[2*i], x)
			hi += f[2*i+1] * x
			hi = hi<<s | lo>>1>>(63-s)
			lo, carry := bits.Add64(d[2*i], lo<<s, 0)
			d[2*i], d[2*i+1] = lo, (d[2*i+1]+hi+carry)&m
		}
	default:
		part := Blank(dst.ring, dst.n)
		Low(part, a)
		Lsh(part, part, by)
		MulAdd(dst, c, part)
		part.Free()
	}
}

// noneShifted reports whether there is nothing to compute on, and checks that a
// fits dst.
func noneShifted(dst, a Vec) bool {
	powerOfTwo("AddShifted", dst.ring, a.ring)
	if dst.n != a.n || a.ring.Bits > dst.ring.Bits {
		panic(fmt.Sprintf("ring: %d of %v shifted onto %d of %v", a.n, a.ring, dst.n, dst.ring))
	}
	return dst.w == nil || a.w == nil
}
