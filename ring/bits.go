package ring

import "fmt"

// Bits is a vector of bits, 64 to a word; unused bits of the last word are zero.
type Bits struct {
	n int
	w []uint64 // nil if shape-only
}

// NewBits makes a vector of n zero bits.
func NewBits(n int) Bits { return Bits{n, grab((n + 63) / 64)} }

// NewPlanes makes vectors of zero bits of the given lengths, consecutive in one buffer.
func NewPlanes(lens ...int) []Bits {
	words := 0
	for _, n := range lens {
		words += (n + 63) / 64
	}
	buf := grab(words)
	out := make([]Bits, len(lens))
	for i, n := range lens {
		out[i] = Bits{n, buf[:(n+63)/64]}
		buf = buf[(n+63)/64:]
	}
	return out
}

// ShapeOnlyPlanes is NewPlanes without storage.
func ShapeOnlyPlanes(lens ...int) []Bits {
	out := make([]Bits, len(lens))
	for i, n := range lens {
		out[i].n = n
	}
	return out
}

// ShapeOnlyBits makes a bit vector of length n without storage.
func ShapeOnlyBits(n int) Bits { return Bits{n, nil} }

// LikeBits makes n zero bits, with storage if v has.
func LikeBits(v Vec, n int) Bits {
	if v.w == nil {
		return ShapeOnlyBits(n)
	}
	return NewBits(n)
}

// BitsOf packs a slice of booleans.
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

// Len is the number of bits.
func (b Bits) Len() int { return b.n }

// ShapeOnly reports whether the vector has no storage.
func (b Bits) ShapeOnly() bool { return b.w == nil }

// Words is the storage, nil if shape-only.
func (b Bits) Words() []uint64 { return b.w }

// Bytes is the size of the storage in bytes, also if shape-only.
func (b Bits) Bytes() int64 { return int64(b.n+63) / 64 * 8 }

// Get is bit i, 0 or 1.
func (b Bits) Get(i int) uint64 { return b.w[i>>6] >> (uint(i) & 63) & 1 }

// Like makes n zero bits, with storage if b has.
func (b Bits) Like(n int) Bits {
	if b.w == nil {
		return ShapeOnlyBits(n)
	}
	return NewBits(n)
}

// LikeVec makes a vector of n zeros in r, with storage if b has.
func (b Bits) LikeVec(r Ring, n int) Vec {
	if b.w == nil {
		return ShapeOnly(r, n)
	}
	return New(r, n)
}

// Clone copies the vector.
func (b Bits) Clone() Bits {
	c := b.Like(b.n)
	copy(c.w, b.w)
	return c
}

// Field reads width ≤ 64 bits from bit at on, the lowest first; bits beyond the end are zero.
func (b Bits) Field(at, width int) uint64 {
	w, s := at>>6, uint(at&63)
	x := b.w[w] >> s
	if w+1 < len(b.w) {
		x |= b.w[w+1] << 1 << (63 - s)
	}
	return x & (^uint64(0) >> (64 - uint(width)))
}

// Slice is bits [lo, hi) of b; it shares b's storage. lo and hi are multiples of 64 or the length.
func (b Bits) Slice(lo, hi int) Bits {
	if lo < 0 || hi < lo || hi > b.n || lo%64 != 0 && lo != b.n || hi%64 != 0 && hi != b.n {
		panic(fmt.Sprintf("ring: slice [%d:%d] of %d bits", lo, hi, b.n))
	}
	if b.w == nil {
		return ShapeOnlyBits(hi - lo)
	}
	return Bits{hi - lo, b.w[(lo+63)/64 : (hi+63)/64]}
}

// CopyBits copies bits [lo, lo+n) of src to bits [at, at+n) of dst, which must be zero.
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

// XorAnd sets dst ⊕= a ∧ b.
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
