package ring

import (
	"fmt"
	"unsafe"
)

// Stream is a vector whose elements are read in blocks, where they are used: they are expanded from a seed
// (PRG.Stream), unpacked from a payload (Reader.Stream), or those of a Vec (StreamOf). Goroutines may read a Stream
// concurrently.
type Stream struct {
	ring   Ring
	n      int
	vec    Vec    // the elements, unless packed or prg is set
	packed []byte // a Writer's encoding, from bit at on
	at     int
	prg    *PRG // generator of the elements of (id, lane)
	id     uint64
	lane   uint8
}

// StreamOf returns the elements of v as a stream, without a copy.
func StreamOf(v Vec) Stream { return Stream{ring: v.ring, n: v.n, vec: v} }

// Stream returns n elements of r, equal to those that Vec gives for (id, lane), which are expanded when they are
// read.
func (p *PRG) Stream(r Ring, n int, id uint64, lane uint8) Stream {
	return Stream{ring: r, n: n, prg: p, id: id, lane: lane}
}

// Stream reads n elements of k like Vec, but leaves them in the payload's data, which must not change while the
// Stream is used.
func (r *Reader) Stream(k Ring, n int) Stream {
	at, ok := r.take(n, k.Bits)
	if !ok {
		return StreamOf(ShapeOnly(k, n))
	}
	return Stream{ring: k, n: n, packed: r.p.Data, at: at}
}

// Ring returns the elements' ring.
func (s Stream) Ring() Ring { return s.ring }

// Len returns the number of elements.
func (s Stream) Len() int { return s.n }

// ShapeOnly reports whether the stream has a length but no elements to read.
func (s Stream) ShapeOnly() bool { return s.prg == nil && s.packed == nil && s.vec.w == nil }

// Like returns a vector of n zeros in r, with storage unless the stream is shape-only.
func (s Stream) Like(r Ring, n int) Vec {
	if s.ShapeOnly() {
		return ShapeOnly(r, n)
	}
	return New(r, n)
}

// Vec returns the elements as a vector: for StreamOf its argument, otherwise a new vector.
func (s Stream) Vec() Vec {
	if s.prg == nil && s.packed == nil {
		return s.vec
	}
	v := NewUninitialised(s.ring, s.n)
	s.Read(v, 0)
	return v
}

// Payload returns the payload from which all elements are read, without a copy where it begins at a byte.
func (s Stream) Payload() Payload {
	if s.packed == nil || s.at%8 != 0 || s.n*s.ring.Bits%8 != 0 {
		return PayloadOf(s.Vec())
	}
	n := s.n * s.ring.Bits / 8
	return Payload{Len: n, Data: s.packed[s.at/8 : s.at/8+n]}
}

// Part returns elements [lo, hi), which the caller must not change. They lie in the stream's own memory, or in room,
// which must have the same ring and at least hi − lo elements.
func (s Stream) Part(room Vec, lo, hi int) Vec {
	if s.prg == nil && s.packed == nil {
		return s.vec.Slice(lo, hi)
	}
	if w := s.words(); w != nil {
		return Vec{s.ring, s.n, w}.Slice(lo, hi)
	}
	room = room.Slice(0, hi-lo)
	s.Read(room, lo)
	return room
}

// words is the packed elements as words, if they are aligned and byte-compatible with a vector's
// storage; else nil.
func (s Stream) words() []uint64 {
	if s.packed == nil || s.ring.Cyclic || !s.ring.laidOut() || s.at%64 != 0 || s.n == 0 {
		return nil
	}
	first := unsafe.Pointer(&s.packed[s.at/8])
	if uintptr(first)%8 != 0 {
		return nil
	}
	return unsafe.Slice((*uint64)(first), s.n*s.ring.Words())
}

// Read sets dst to the elements from number lo on. A shape-only dst is left unchanged.
func (s Stream) Read(dst Vec, lo int) {
	if dst.ring != s.ring || lo < 0 || lo+dst.n > s.n {
		panic(fmt.Sprintf("ring: %d of %v from place %d of %d of %v", dst.n, dst.ring, lo, s.n, s.ring))
	}
	switch {
	case dst.w == nil:
	case s.prg != nil:
		s.prg.read(dst, s.id, s.lane, lo)
	case s.packed != nil:
		inUse.unpack(dst.w, s.packed, s.ring.Words(), s.ring.topBits(), s.at+lo*s.ring.Bits)
		if s.ring.Cyclic {
			dst.trim()
		}
	default:
		copy(dst.w, s.vec.Slice(lo, lo+dst.n).w)
	}
}

// AddStream sets dst += s in blocks, so that the expanded elements of s stay in the cache.
func AddStream(dst Vec, s Stream) { eachPart(dst, s, Add) }

// SubStream sets dst −= s in blocks, as AddStream adds it.
func SubStream(dst Vec, s Stream) { eachPart(dst, s, Sub) }

func eachPart(dst Vec, s Stream, f func(dst, a, b Vec)) {
	if s.n != dst.n || s.ring != dst.ring {
		panic(fmt.Sprintf("ring: stream of %d of %v with %d of %v", s.n, s.ring, dst.n, dst.ring))
	}
	if dst.w == nil || s.ShapeOnly() {
		return
	}
	room := NewUninitialised(s.ring, min(s.n, partLength))
	for lo := 0; lo < s.n; lo += partLength {
		hi := min(lo+partLength, s.n)
		part := dst.Slice(lo, hi)
		f(part, part, s.Part(room, lo, hi))
	}
	room.Free()
}

// partLength is the number of elements of a stream that are read at a time.
const partLength = 1024
