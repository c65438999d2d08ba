package ring

import (
	"encoding/binary"
	"fmt"
	"math/big"
)

// Ring is Z_2^Bits, the integers modulo 2^Bits, or if Cyclic the integers modulo 2^Bits − 1. The zero Ring is the
// ring of the zero Vec only.
type Ring struct {
	Bits   int
	Cyclic bool
}

// Z returns the ring of integers modulo 2^bits.
func Z(bits int) Ring { return Ring{Bits: bits} }

// M returns the ring of integers modulo 2^q − 1. It panics if q < 2.
func M(q int) Ring {
	if q < 2 {
		panic(fmt.Sprintf("ring: integers modulo 2^%d-1", q))
	}
	return Ring{Bits: q, Cyclic: true}
}

// Words returns the number of 64-bit words of an element in memory.
func (r Ring) Words() int { return (r.Bits + 63) / 64 }

// Drawn returns the number of bytes of a pseudo-random stream that make one element: 1, 2, 4, or a multiple of 8.
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

// String returns the ring's name, such as "Z_2^64" or "Z_(2^127-1)".
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

// Vec is a vector over a ring. The zero Vec is empty and has the zero Ring. A copy of a Vec shares its storage.
type Vec struct {
	ring Ring
	n    int
	w    []uint64 // n·Words words, nil if shape-only
}

// New returns a vector of n zeros with storage.
func New(r Ring, n int) Vec { return Vec{r, n, grab(n * r.Words())} }

// NewUninitialised returns a vector of n elements with arbitrary contents; the caller must write all elements before
// it reads any.
func NewUninitialised(r Ring, n int) Vec {
	return Vec{r, n, reuse(n * r.Words())}
}

// ShapeOnly returns a vector of n elements without storage.
func ShapeOnly(r Ring, n int) Vec { return Vec{r, n, nil} }

// FromWords returns a vector of the elements in words, r.Words() words for each, least significant first. It reduces
// them in place: the vector owns words afterwards. It panics if the number of words is not a multiple.
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

// FromReduced returns a vector of the elements in words, which it does not change: several vectors may have the same
// words. It panics if they are not [Reduced].
func FromReduced(r Ring, words []uint64) Vec {
	if words == nil || !Reduced(r, words) {
		panic(fmt.Sprintf("ring: %d words are no elements of %v", len(words), r))
	}
	return Vec{r, len(words) / r.Words(), words}
}

// FromZeros returns a vector of the elements in words, all of which are 0, without a look at them: pages of words that the system has
// yet to clear take no memory.
func FromZeros(r Ring, words []uint64) Vec {
	if words == nil || len(words)%r.Words() != 0 {
		panic(fmt.Sprintf("ring: %d words for %v", len(words), r))
	}
	return Vec{r, len(words) / r.Words(), words}
}

// Reduced reports whether words holds elements of r: r.Words() words each, the lowest first, all below 2^r.Bits and,
// for a ring M(q), none equal to the modulus.
func Reduced(r Ring, words []uint64) bool {
	k, mask := r.Words(), r.topMask()
	if len(words)%k != 0 {
		return false
	}
	if mask == ^uint64(0) && !r.Cyclic {
		return true
	}
	var above uint64 // bits above the ring's width
	modulus := false
	for i := 0; i < len(words); i += k {
		above |= words[i+k-1] &^ mask
		if r.Cyclic {
			ones := words[i+k-1] | ^mask
			for _, w := range words[i : i+k-1] {
				ones &= w
			}
			modulus = modulus || ones == ^uint64(0)
		}
	}
	return above == 0 && !modulus
}

// FromInts returns a vector of the signed integers ints, reduced into r.
func FromInts(r Ring, ints []int64) Vec {
	v := New(r, len(ints))
	SetInts(v, ints)
	return v
}

// SetInts sets the elements of dst to the signed integers ints, reduced into its ring. It panics if the lengths
// differ.
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

// FromBig returns a vector of the integers ints, reduced into r. It is for a dealer's constants and tests: its time
// depends on the integers.
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

// Ring returns the vector's ring.
func (v Vec) Ring() Ring { return v.ring }

// Len returns the number of elements.
func (v Vec) Len() int { return v.n }

// ShapeOnly reports whether the vector was made without storage, for a dry run. It is true for the zero Vec and false
// for an empty vector that New made.
func (v Vec) ShapeOnly() bool { return v.w == nil }

// Words returns the vector's storage, without a copy: Ring().Words() words for each element, least significant first.
// It is nil for a shape-only vector. Code that writes to it must keep elements reduced.
func (v Vec) Words() []uint64 { return v.w }

// Bytes returns the size of the storage in bytes; for a shape-only vector, the size that its storage would have.
func (v Vec) Bytes() int64 { return int64(v.n) * int64(v.ring.Words()) * 8 }

// Like returns a vector of n zeros in r, with storage if v has storage and shape-only otherwise.
func (v Vec) Like(r Ring, n int) Vec {
	if v.w == nil {
		return ShapeOnly(r, n)
	}
	return New(r, n)
}

// UninitialisedLike is Like with arbitrary contents; the caller must write all elements before it reads any.
func (v Vec) UninitialisedLike(r Ring, n int) Vec {
	if v.w == nil {
		return ShapeOnly(r, n)
	}
	return NewUninitialised(r, n)
}

// Clone returns a copy of the vector with its own storage.
func (v Vec) Clone() Vec {
	c := v.UninitialisedLike(v.ring, v.n)
	copy(c.w, v.w)
	return c
}

// Slice returns elements [lo, hi) of v, which share v's storage. It panics if they are out of range.
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

// Free gives the storage back for reuse by later vectors. Afterwards neither v nor any vector that shares its storage
// may be used. It does nothing for a shape-only vector.
func (v Vec) Free() { release(v.w) }

// Int returns element i as a signed integer in [−2^(k−1), 2^(k−1)), where k is the ring's width; over M(k) in
// (−2^(k−1), 2^(k−1)). It is for the protocol plain, opened values and tests, because its time depends on the value.
// It panics on a shape-only vector.
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
		if c.threeWords() {
			c.trim3(v.w)
			return
		}
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
