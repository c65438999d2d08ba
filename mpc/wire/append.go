package wire

import (
	"encoding/binary"
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
)

// AppendWord appends a number of 64 bits.
func AppendWord(b []byte, x uint64) []byte { return binary.AppendUvarint(b, x) }

// AppendUint appends a number that is not negative.
func AppendUint(b []byte, x int) []byte { return AppendWord(b, uint64(x)) }

// AppendInt appends a number of any sign.
func AppendInt(b []byte, x int) []byte { return binary.AppendVarint(b, int64(x)) }

// AppendInts appends how many numbers there are, and the numbers.
func AppendInts(b []byte, xs []int) []byte {
	b = AppendUint(b, len(xs))
	for _, x := range xs {
		b = AppendInt(b, x)
	}
	return b
}

// AppendBool appends one byte.
func AppendBool(b []byte, x bool) []byte {
	if x {
		return append(b, 1)
	}
	return append(b, 0)
}

// AppendRing appends a ring.
func AppendRing(b []byte, r ring.Ring) []byte {
	x := uint64(r.Bits) << 1
	if r.Cyclic {
		x |= 1
	}
	return AppendWord(b, x)
}

// AppendVec appends a vector of public integers. Of a weightless one it says
// so: nobody can read that back, but it has a digest.
func AppendVec(b []byte, v ring.Vec) []byte {
	b = AppendUint(AppendRing(b, v.Ring()), v.Len())
	if v.Weightless() && v.Len() > 0 {
		return AppendUint(b, v.Ring().Bits+1)
	}
	w := width(v)
	if b = AppendUint(b, w); w == 0 {
		return b
	}
	var packed ring.Writer
	if w == v.Ring().Bits {
		packed.Vec(v)
	} else {
		low := ring.Blank(ring.Z(w), v.Len())
		ring.Low(low, v)
		packed.Vec(low)
		low.Free()
	}
	return append(b, packed.Payload().Data...)
}

// width is how many bits, with the sign's, the longest element takes: 0 if all
// are zero. In a cyclic ring, of which no bits are left away, it is the ring's
// own.
func width(v ring.Vec) int {
	k, size := v.Ring().Words(), v.Ring().Bits
	if v.Ring().Cyclic {
		return size
	}
	top := uint(size-1) % 64 // the sign's bit in the last word
	sum, zero := make([]uint64, k), uint64(0)
	for w := v.Words(); len(w) > 0; w = w[k:] {
		neg := -(w[k-1] >> top & 1)
		for j, x := range w[:k] {
			sum[j] |= x ^ neg
			zero |= x
		}
	}
	if zero == 0 {
		return 0
	}
	sum[k-1] &= 1<<top - 1 // the sign itself, and what is above it
	for j := k - 1; j >= 0; j-- {
		if sum[j] != 0 {
			return 64*j + bits.Len64(sum[j]) + 1
		}
	}
	return 1
}

// AppendBlob appends bytes and before them how many they are.
func AppendBlob(b, blob []byte) []byte {
	return append(AppendUint(b, len(blob)), blob...)
}
