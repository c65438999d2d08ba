package ring

import (
	"encoding/binary"
	"fmt"
	"math/big"
)

// Ring is Z_2^Bits, or the integers modulo 2^Bits − 1 if Cyclic. The zero Ring is not a ring of any
// vector.
type Ring struct {
	Bits   int
	Cyclic bool
}

// Z is the ring of integers modulo 2^bits.
func Z(bits int) Ring { return Ring{Bits: bits} }

// M is the ring of integers modulo 2^q − 1, for q ≥ 2.
func M(q int) Ring {
	if q < 2 {
		panic(fmt.Sprintf("ring: integers modulo 2^%d-1", q))
	}
	return Ring{Bits: q, Cyclic: true}
}

// Words is the number of 64-bit words of an element in memory.
func (r Ring) Words() int { return (r.Bits + 63) / 64 }

// Drawn is the number of bytes of a pseudo-random stream for one element: 1, 2, 4, or whole words.
func (r Ring) Drawn() int {
	switch {
	case r.Bits <= 8:
		return 1
	case r.Bits <= 16:
		return 2
	case r.Bits <= 32:
		return 4
	}
	return 8 * r.Words()
}

func (r Ring) String() string {
	if r.Cyclic {
		return fmt.Sprintf("Z_(2^%d-1)", r.Bits)
	}
	return fmt.Sprintf("Z_2^%d", r.Bits)
}

// topBits is the number of used bits of an element's last word, 1 to 64.
func (r Ring) topBits() uint { return uint(r.Bits-1)%64 + 1 }

// topMask is the mask of the used bits of an element's last word.
func (r Ring) topMask() uint64 { return ^uint64(0) >> (64 - r.topBits()) }

// Vec is a vector over a ring. The zero Vec is empty and has the zero Ring.
type Vec struct {
	ring Ring
	n    int
	w    []uint64 // n·Words words, nil if shape-only
}

// New makes a vector of n zeros.
func New(r Ring, n int) Vec { return Vec{r, n, grab(n * r.Words())} }

// NewUninitialised makes a vector of n elements with arbitrary contents; the caller must write all
// elements.
func NewUninitialised(r Ring, n int) Vec {
	w, _ := reuse(n * r.Words())
	return Vec{r, n, w}
}

// ShapeOnly makes a vector of n elements without storage.
func ShapeOnly(r Ring, n int) Vec { return Vec{r, n, nil} }

// FromWords makes a vector of the elements in words, reduced into the ring. The vector owns words.
func FromWords(r Ring, words []uint64) Vec {
	if len(words)%r.Words() != 0 {
		panic(fmt.Sprintf("ring: %d words for %v", len(words), r))
	}
	if words == nil {
		words = []uint64{}
	}
	v := Vec{r, len(words) / r.Words(), words}
	v.reduce()
	return v
}

// FromInts makes a vector of signed integers, reduced into the ring.
func FromInts(r Ring, ints []int64) Vec {
	v := New(r, len(ints))
	SetInts(v, ints)
	return v
}

// SetInts sets dst to len(ints) signed integers, reduced into its ring. A shape-only dst is left
// unchanged.
func SetInts(dst Vec, ints []int64) {
	if len(ints) != dst.n {
		panic(fmt.Sprintf("ring: %d integers for %d of %v", len(ints), dst.n, dst.ring))
	}
	if dst.w == nil {
		return
	}
	k := dst.ring.Words()
	if dst.ring.Cyclic {
		c := dst.ring.cyclic()
		for i, x := range ints {
			c.fromInt(dst.w[i*k:(i+1)*k], x)
		}
		return
	}
	if k == 2 {
		m := dst.ring.topMask()
		for i, x := range ints {
			dst.w[2*i], dst.w[2*i+1] = uint64(x), uint64(x>>63)&m
		}
		return
	}
	for i, x := range ints {
		dst.w[i*k] = uint64(x)
		for j := 1; j < k; j++ {
			dst.w[i*k+j] = uint64(x >> 63)
		}
	}
	dst.reduce()
}

// FromBig makes a vector of integers, reduced into the ring. It is for a dealer's constants and
// tests; its time depends on the integers.
func FromBig(r Ring, ints []*big.Int) Vec {
	v := New(r, len(ints))
	k, m, x := r.Words(), r.modulus(), new(big.Int)
	buf := make([]byte, 8*k)
	for i, y := range ints {
		x.Mod(y, m).FillBytes(buf)
		for j := range k {
			v.w[i*k+j] = binary.BigEndian.Uint64(buf[8*(k-1-j):])
		}
	}
	return v
}

// Ring is the vector's ring.
func (v Vec) Ring() Ring { return v.ring }

// Len is the number of elements.
func (v Vec) Len() int { return v.n }

// ShapeOnly reports whether the vector has no storage.
func (v Vec) ShapeOnly() bool { return v.w == nil }

// Words is the vector's storage: Len·Ring().Words() words, nil if shape-only. Code that writes to
// it must keep elements reduced.
func (v Vec) Words() []uint64 { return v.w }

// Bytes is the size of the storage in bytes, also if shape-only.
func (v Vec) Bytes() int64 { return int64(v.n) * int64(v.ring.Words()) * 8 }

// Like makes a vector of n zeros in r, with storage if v has.
func (v Vec) Like(r Ring, n int) Vec {
	if v.w == nil {
		return ShapeOnly(r, n)
	}
	return New(r, n)
}

// UninitialisedLike is Like with arbitrary contents; the caller must write all elements.
func (v Vec) UninitialisedLike(r Ring, n int) Vec {
	if v.w == nil {
		return ShapeOnly(r, n)
	}
	return NewUninitialised(r, n)
}

// Clone copies the vector.
func (v Vec) Clone() Vec {
	c := v.UninitialisedLike(v.ring, v.n)
	copy(c.w, v.w)
	return c
}

// Slice is elements [lo, hi) of v; it shares v's storage.
func (v Vec) Slice(lo, hi int) Vec {
	if lo < 0 || hi < lo || hi > v.n {
		panic(fmt.Sprintf("ring: slice [%d:%d] of %d", lo, hi, v.n))
	}
	if v.w == nil {
		return ShapeOnly(v.ring, hi-lo)
	}
	k := v.ring.Words()
	return Vec{v.ring, hi - lo, v.w[lo*k : hi*k]}
}

// Free returns the storage to the pool. No other vector or slice may use it afterwards.
func (v Vec) Free() { release(v.w) }

// Int is element i as a signed integer in [−2^(k−1), 2^(k−1)), over M(k) in (−2^(k−1), 2^(k−1)). It
// is for the protocol plain, opened values and tests.
func (v Vec) Int(i int) *big.Int {
	k := v.ring.Words()
	x := new(big.Int)
	for j := k - 1; j >= 0; j-- {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(v.w[i*k+j]))
	}
	if x.Bit(v.ring.Bits-1) == 1 {
		x.Sub(x, v.ring.modulus())
	}
	return x
}

// reduce makes elements of arbitrary words reduced.
func (v Vec) reduce() {
	if !v.ring.Cyclic {
		v.trim()
		return
	}
	c := v.ring.cyclic()
	for i := 0; i < len(v.w); i += c.k {
		c.reduce(v.w[i : i+c.k])
	}
}

// trim clears the bits from the ring's width on. Over M(q) it also replaces 2^q − 1 by 0.
func (v Vec) trim() {
	m, k := v.ring.topMask(), v.ring.Words()
	if v.ring.Cyclic {
		c := v.ring.cyclic()
		for i := 0; i < len(v.w); i += k {
			v.w[i+k-1] &= m
			c.canonicalize(v.w[i : i+k])
		}
		return
	}
	if m == ^uint64(0) {
		return
	}
	if k == 1 {
		inUse.rsh(v.w, v.w, 0, m)
		return
	}
	for i := k - 1; i < len(v.w); i += k {
		v.w[i] &= m
	}
}

// shapeOnly reports whether any operand is shape-only. It panics unless all have dst's ring and
// length.
func shapeOnly(dst Vec, ops ...Vec) bool {
	none := dst.w == nil
	for _, o := range ops {
		if o.ring != dst.ring || o.n != dst.n {
			panic(fmt.Sprintf("ring: %d of %v with %d of %v", o.n, o.ring, dst.n, dst.ring))
		}
		none = none || o.w == nil
	}
	return none && dst.n > 0
}
