package wire

import (
	"encoding/binary"
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
)

// AppendWord appends the unsigned 64-bit number x to b.
func AppendWord(b []byte, x uint64) []byte { return binary.AppendUvarint(b, x) }

// AppendUint appends the non-negative number x to b.
func AppendUint(b []byte, x int) []byte { return AppendWord(b, uint64(x)) }

// AppendInt appends the signed number x to b.
func AppendInt(b []byte, x int) []byte { return binary.AppendVarint(b, int64(x)) }

// AppendInts appends the length of xs and its signed numbers to b.
func AppendInts(b []byte, xs []int) []byte {
	b = AppendUint(b, len(xs))
	for _, x := range xs {
		b = AppendInt(b, x)
	}
	return b
}

// AppendBool appends x to b as one byte, 0 or 1.
func AppendBool(b []byte, x bool) []byte {
	if x {
		return append(b, 1)
	}
	return append(b, 0)
}

// AppendRing appends the ring r to b; the zero Ring is allowed.
func AppendRing(b []byte, r ring.Ring) []byte {
	x := uint64(r.Bits) << 1
	if r.Cyclic {
		x |= 1
	}
	return AppendWord(b, x)
}

// AppendVec appends the vector v of public signed integers to b. A shape-only vector is encoded by its shape: such an
// encoding can be hashed, but Decoder.Vec refuses it.
func AppendVec(b []byte, v ring.Vec) []byte {
	b = AppendUint(AppendRing(b, v.Ring()), v.Len())
	if v.ShapeOnly() && v.Len() > 0 {
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
		low := ring.NewUninitialised(ring.Z(w), v.Len())
		ring.Low(low, v)
		packed.Vec(low)
		low.Free()
	}
	return append(b, packed.Payload().Data...)
}

// width is the number of bits, sign included, of the longest element: 0 if all are zero. In a
// cyclic ring, whose elements have no sign to extend, it is the ring's width.
func width(v ring.Vec) int {
	k, size := v.Ring().Words(), v.Ring().Bits
	if v.Ring().Cyclic {
		return size
	}
	top := uint(size-1) % 64 // bit of the sign in the last word
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
	sum[k-1] &= 1<<top - 1 // the sign, and the bits above it
	for j := k - 1; j >= 0; j-- {
		if sum[j] != 0 {
			return 64*j + bits.Len64(sum[j]) + 1
		}
	}
	return 1
}

// AppendBlob appends the length of blob and its bytes to b. Like all Append functions, it returns the extended slice.
func AppendBlob(b, blob []byte) []byte {
	return append(AppendUint(b, len(blob)), blob...)
}
