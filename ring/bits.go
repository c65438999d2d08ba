package ring

import "fmt"

// Bits is a vector of bits. Bit i is bit i mod 64, counted from the least significant, of word i/64; the bits of the
// last word beyond the length are zero. The zero Bits is empty and shape-only. A copy of a Bits shares its storage.
type Bits struct {
	n int
	w []uint64 // nil if shape-only
}

// NewBits returns a vector of n zero bits with storage.
func NewBits(n int) Bits { return Bits{n, grab((n + 63) / 64)} }

// NewPlanes returns vectors of zero bits, one of each given length, whose storage is consecutive in one buffer.
func NewPlanes(lens ...int) []Bits {
	planes := NewUninitialisedPlanes(lens...)
	for _, b := range planes {
		clear(b.w)
	}
	return planes
}

// NewUninitialisedPlanes is NewPlanes with arbitrary contents; the caller must write all words before it reads any.
func NewUninitialisedPlanes(lens ...int) []Bits {
	words := 0
	for _, n := range lens {
		words += (n + 63) / 64
	}
	buf := reuse(words)
	out := make([]Bits, len(lens))
	for i, n := range lens {
		out[i] = Bits{n, buf[:(n+63)/64]}
		buf = buf[(n+63)/64:]
	}
	return out
}

// FreePlanes gives back the storage of vectors that one call of NewPlanes returned, as Vec.Free does.
func FreePlanes(planes []Bits) {
	if len(planes) > 0 {
		release(planes[0].w) // its capacity is that of the buffer
	}
}

// ShapeOnlyPlanes returns bit vectors without storage, one of each given length.
func ShapeOnlyPlanes(lens ...int) []Bits {
	out := make([]Bits, len(lens))
	for i, n := range lens {
		out[i].n = n
	}
	return out
}

// ShapeOnlyBits returns a bit vector of length n without storage.
func ShapeOnlyBits(n int) Bits { return Bits{n, nil} }

// LikeBits returns n zero bits, with storage if v has storage and shape-only otherwise.
func LikeBits(v Vec, n int) Bits {
	if v.w == nil {
		return ShapeOnlyBits(n)
	}
	return NewBits(n)
}

// BitsOf returns a new vector with bit i = 1 where v[i] is true. Its time does not depend on v.
func BitsOf(v []bool) Bits {
	b := NewBits(len(v))
	for i, x := range v {
		var bit uint64
		if x { // compiles to a conditional move, not to a branch
			bit = 1
		}
		b.w[i>>6] |= bit << (i & 63)
	}
	return b
}

// Len returns the number of bits.
func (b Bits) Len() int { return b.n }

// ShapeOnly reports whether the vector was made without storage. It is true for the zero Bits and false for an empty
// vector that NewBits made.
func (b Bits) ShapeOnly() bool { return b.w == nil }

// Words returns the vector's storage, without a copy: bit i is bit i mod 64 of word i/64. It is nil for a shape-only
// vector. Code that writes to it must keep the bits beyond the length zero.
func (b Bits) Words() []uint64 { return b.w }

// Bytes returns the size of the storage in bytes; for a shape-only vector, the size that its storage would have.
func (b Bits) Bytes() int64 { return int64(b.n+63) / 64 * 8 }

// Free gives the storage back for reuse, as Vec.Free does. Vectors of NewPlanes share a buffer, which FreePlanes gives back.
func (b Bits) Free() { release(b.w) }

// Get returns bit i, 0 or 1. It panics on a shape-only vector.
func (b Bits) Get(i int) uint64 { return b.w[i>>6] >> (uint(i) & 63) & 1 }

// Like returns n zero bits, with storage if b has storage and shape-only otherwise.
func (b Bits) Like(n int) Bits {
	if b.w == nil {
		return ShapeOnlyBits(n)
	}
	return NewBits(n)
}

// LikeVec returns a vector of n zeros in r, with storage if b has storage and shape-only otherwise.
func (b Bits) LikeVec(r Ring, n int) Vec {
	if b.w == nil {
		return ShapeOnly(r, n)
	}
	return New(r, n)
}

// Clone returns a copy of the vector with its own storage.
func (b Bits) Clone() Bits {
	c := b.Like(b.n)
	copy(c.w, b.w)
	return c
}

// Field returns the width ≤ 64 bits from bit at on as an integer, bit at lowest. Bits beyond the vector's end are
// zero; at itself must lie in the vector.
func (b Bits) Field(at, width int) uint64 {
	w, s := at>>6, uint(at&63)
	x := b.w[w] >> s
	if w+1 < len(b.w) {
		x |= b.w[w+1] << 1 << (63 - s)
	}
	return x & (^uint64(0) >> (64 - uint(width)))
}

// Slice returns bits [lo, hi) of b, which share b's storage. It panics unless lo and hi are multiples of 64 or the
// length.
func (b Bits) Slice(lo, hi int) Bits {
	if lo < 0 || hi < lo || hi > b.n || lo%64 != 0 && lo != b.n || hi%64 != 0 && hi != b.n {
		panic(fmt.Sprintf("ring: slice [%d:%d] of %d bits", lo, hi, b.n))
	}
	if b.w == nil {
		return ShapeOnlyBits(hi - lo)
	}
	return Bits{hi - lo, b.w[(lo+63)/64 : (hi+63)/64]}
}

// CopyBits copies bits [lo, lo+n) of src to bits [at, at+n) of dst, which must be zero before. It panics if a range
// is not inside its vector.
func CopyBits(dst Bits, at int, src Bits, lo, n int) {
	if n < 0 || at < 0 || lo < 0 || at+n > dst.n || lo+n > src.n {
		panic(fmt.Sprintf("ring: %d bits from %d of %d to %d of %d", n, lo, src.n, at, dst.n))
	}
	if dst.w == nil || src.w == nil {
		return
	}
	for n > 0 {
		x, off := src.w[lo/64]>>(lo%64), at%64
		if lo%64 != 0 && lo/64+1 < len(src.w) {
			x |= src.w[lo/64+1] << (64 - lo%64)
		}
		m := min(n, 64-off)
		if m < 64 {
			x &= 1<<m - 1
		}
		dst.w[at/64] |= x << off
		at, lo, n = at+m, lo+m, n-m
	}
}

func bitsShapeOnly(dst Bits, ops ...Bits) bool {
	none := dst.w == nil
	for _, o := range ops {
		if o.n != dst.n {
			panic(fmt.Sprintf("ring: %d bits with %d", o.n, dst.n))
		}
		none = none || o.w == nil
	}
	return none && dst.n > 0
}

// Xor sets dst = a ⊕ b. dst may be a or b.
func Xor(dst, a, b Bits) {
	if bitsShapeOnly(dst, a, b) {
		return
	}
	inUse.xor(dst.w, a.w, b.w)
}

// And sets dst = a ∧ b. dst may be a or b.
func And(dst, a, b Bits) {
	if bitsShapeOnly(dst, a, b) {
		return
	}
	inUse.and(dst.w, a.w, b.w)
}

// XorAnd sets dst ⊕= a ∧ b. dst must be neither a nor b.
func XorAnd(dst, a, b Bits) {
	if bitsShapeOnly(dst, a, b) {
		return
	}
	inUse.xorAnd(dst.w, a.w, b.w)
}

// Not sets dst = ¬a. dst may be a.
func Not(dst, a Bits) {
	if bitsShapeOnly(dst, a) {
		return
	}
	for i := range dst.w {
		dst.w[i] = ^a.w[i]
	}
	dst.trim()
}

func (b Bits) trim() {
	if r := uint(b.n) & 63; r != 0 && len(b.w) > 0 {
		b.w[len(b.w)-1] &= 1<<r - 1
	}
}
