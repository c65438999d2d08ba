package ring

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// Payload is the content of one message: vectors and bits packed without gaps, least significant bit first. The last
// byte is padded with zero bits. Len is the length in bytes; Data has that length, or is nil if something shape-only
// was written.
type Payload struct {
	Len  int    // in bytes
	Data []byte // nil in a dry run
}

// Writer packs vectors into a Payload. The zero Writer is ready for use. If something shape-only is written, the
// payload has a length and no data.
type Writer struct {
	buf       []byte
	acc       uint64 // bits not yet in buf
	nacc      uint
	bits      int
	shapeOnly bool // something shape-only was written
}

// Reset starts another payload in the memory of the last one, which becomes invalid.
func (w *Writer) Reset() { *w = Writer{buf: w.buf[:0]} }

// Grow reserves memory for the given number of further bits. It is never necessary.
func (w *Writer) Grow(bits int) {
	if !w.shapeOnly {
		n := bits/8 + 16
		if cap(w.buf) == 0 {
			w.buf = uninitialised(n)[:0]
			adviseHuge(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(w.buf))), n/8))
		}
		w.buf = slices.Grow(w.buf, n)
	}
}

// Vec appends the elements of v, each with as many bits as its ring's width.
func (w *Writer) Vec(v Vec) {
	w.bits += v.n * v.ring.Bits
	if v.w == nil && v.n > 0 || w.shapeOnly {
		w.shapeOnly = true
		return
	}
	w.Grow(v.n * v.ring.Bits)
	w.put(v.w, v.ring.Words(), v.ring.topBits())
}

// Bits appends the bits of b.
func (w *Writer) Bits(b Bits) {
	w.bits += b.n
	if b.w == nil && b.n > 0 || w.shapeOnly {
		w.shapeOnly = true
		return
	}
	w.Grow(b.n)
	full := b.n / 64
	w.put(b.w[:full], 1, 64)
	w.put(b.w[full:], 1, uint(b.n%64))
}

// put appends elements of k words, of whose last word the low top bits are used and the others are
// zero. The caller has reserved space, including that for the unused bits of elements that are
// written as whole words.
func (w *Writer) put(words []uint64, k int, top uint) {
	buf, at := w.buf[:cap(w.buf)], len(w.buf)
	acc, nacc := w.acc, w.nacc
	if k == 1 && nacc == 0 && top >= 8 && top <= 57 && !bigEndian {
		done := inUse.pack(buf[at:], words, top)
		words, at = words[done:], at+done*int(top)/8
	}
	switch {
	case top == 64 && nacc == 0 && !bigEndian:
		at += copy(buf[at:], asBytes(words))
	case top%8 == 0 && nacc == 0:
		last := int(top) / 8 // used bytes of the last word
		for i := 0; i < len(words); i += k {
			for _, x := range words[i : i+k] {
				binary.LittleEndian.PutUint64(buf[at:], x)
				at += 8
			}
			at += last - 8
		}
	case k == 1:
		for _, x := range words {
			acc |= x << (nacc & 63)
			if nacc += top; nacc >= 64 {
				binary.LittleEndian.PutUint64(buf[at:], acc)
				at += 8
				nacc -= 64
				acc = x >> ((top - nacc) & 63) // top − nacc is 64 if no bits are left over, which the cases above handle
			}
		}
	default:
		for i := 0; i < len(words); i += k {
			for _, x := range words[i : i+k-1] {
				binary.LittleEndian.PutUint64(buf[at:], acc|x<<nacc)
				at += 8
				acc = x >> (64 - nacc)
			}
			x := words[i+k-1]
			acc |= x << nacc
			if nacc += top; nacc >= 64 {
				binary.LittleEndian.PutUint64(buf[at:], acc)
				at += 8
				nacc -= 64
				acc = x >> (top - nacc)
			}
		}
	}
	w.buf, w.acc, w.nacc = buf[:at], acc, nacc
}

// Payload returns what was written. The payload uses the Writer's memory: Reset the Writer before it is used again,
// when the payload is no longer read.
func (w *Writer) Payload() Payload {
	n := (w.bits + 7) / 8
	if w.shapeOnly {
		return Payload{Len: n}
	}
	if w.nacc > 0 {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, w.acc)
		w.acc, w.nacc = 0, 0
	}
	if w.buf == nil {
		w.buf = []byte{}
	}
	return Payload{Len: n, Data: w.buf[:n]}
}

// PayloadOf returns the payload that a Writer makes of v alone. Where memory has the payload's layout, the payload is v's own
// memory: v must not change while the payload is used.
func PayloadOf(v Vec) Payload {
	if v.w != nil && v.ring.laidOut() {
		return Payload{Len: 8 * len(v.w), Data: asBytes(v.w)}
	}
	var w Writer
	w.Vec(v)
	return w.Payload()
}

// IntoPayload is PayloadOf for a vector that is not used afterwards: its memory becomes the payload's, or is freed.
func (v Vec) IntoPayload() Payload {
	p := PayloadOf(v)
	if !v.ring.laidOut() {
		v.Free()
	}
	return p
}

// PlanesIntoPayload is the payload of the bits of planes, one after the other, for vectors that one call of NewPlanes returned and
// that are not used afterwards: their memory becomes the payload's where it has its layout, or is freed.
func PlanesIntoPayload(planes []Bits) Payload {
	packed := !bigEndian && len(planes) > 0
	for i, b := range planes {
		packed = packed && b.w != nil && (b.n%64 == 0 || i == len(planes)-1)
	}
	if packed {
		bits := 64*planeWords(planes[:len(planes)-1]) + planes[len(planes)-1].n
		return Payload{Len: (bits + 7) / 8, Data: asBytes(planes[0].w[:planeWords(planes)])[:(bits+7)/8]}
	}
	var w Writer
	for _, b := range planes {
		w.Bits(b)
	}
	FreePlanes(planes)
	return w.Payload()
}

// laidOut reports whether vectors over the ring are packed as they lie in memory.
func (r Ring) laidOut() bool { return r.topBits() == 64 && !bigEndian }

// Reader unpacks the vectors of a Payload in the order in which they were written. From a payload without data it
// returns shape-only vectors. A payload that is too short makes Close return an error; it never causes a panic.
type Reader struct {
	p   Payload
	at  int // position in bits
	err error
}

// NewReader returns a Reader at the beginning of p.
func NewReader(p Payload) *Reader { return &Reader{p: p} }

// Vec reads n elements of k into a new vector; over M(q) the value 2^q − 1 is read as 0. The vector is shape-only if
// the payload has no data or after an error, which Close returns.
func (r *Reader) Vec(k Ring, n int) Vec {
	at, ok := r.take(n, k.Bits)
	if !ok {
		return ShapeOnly(k, n)
	}
	v := NewUninitialised(k, n)
	inUse.unpack(v.w, r.p.Data, k.Words(), k.topBits(), at)
	if k.Cyclic {
		v.trim()
	}
	return v
}

// View is Vec, but where memory has the payload's layout, the vector is the payload's own memory: neither may be changed afterwards.
func (r *Reader) View(k Ring, n int) Vec {
	s := r.Stream(k, n)
	if w := s.words(); w != nil {
		return Vec{k, n, w}
	}
	return s.Vec()
}

// Bits reads n bits. The result is shape-only if the payload has no data or after an error.
func (r *Reader) Bits(n int) Bits {
	at, ok := r.take(n, 1)
	if !ok {
		return ShapeOnlyBits(n)
	}
	b := NewBits(n)
	r.bits(b, at)
	return b
}

// BitsInto reads b.Len() bits into b. It leaves b unchanged if the payload has no data or after an error.
func (r *Reader) BitsInto(b Bits) {
	if at, ok := r.take(b.n, 1); ok {
		r.bits(b, at)
	}
}

// ViewBits is Bits, but where memory has the payload's layout, the vector is the payload's own memory: neither may be changed or
// freed afterwards.
func (r *Reader) ViewBits(n int) Bits {
	at, ok := r.take(n, 1)
	if !ok {
		return ShapeOnlyBits(n)
	}
	if n > 0 && n%64 == 0 && at%64 == 0 && !bigEndian {
		if first := unsafe.Pointer(&r.p.Data[at/8]); uintptr(first)%8 == 0 {
			return Bits{n, unsafe.Slice((*uint64)(first), n/64)}
		}
	}
	b := Bits{n, reuse((n + 63) / 64)}
	r.bits(b, at)
	return b
}

func (r *Reader) bits(b Bits, at int) {
	full := b.n / 64
	inUse.unpack(b.w[:full], r.p.Data, 1, 64, at)
	inUse.unpack(b.w[full:], r.p.Data, 1, uint(b.n%64), at+64*full)
}

// Close returns the first error of reading. It also returns an error if the payload is longer than what was read.
func (r *Reader) Close() error {
	if r.take(0, 1); r.err == nil && (r.at+7)/8 != r.p.Len {
		r.err = fmt.Errorf("ring: message of %d bytes where %d were expected", r.p.Len, (r.at+7)/8)
	}
	return r.err
}

// take advances by n elements of the given width and returns the bit position at which they start.
// ok is false if there is no data to read. Lengths are checked before anything is allocated.
func (r *Reader) take(n, width int) (at int, ok bool) {
	switch {
	case r.err != nil:
		return 0, false
	case r.p.Data != nil && len(r.p.Data) != r.p.Len:
		r.err = fmt.Errorf("ring: message of %d bytes announced with %d", len(r.p.Data), r.p.Len)
		return 0, false
	case n > (8*r.p.Len-r.at)/width:
		r.err = fmt.Errorf("ring: message of %d bytes ends before %d elements of %d bits from bit %d on", r.p.Len, n, width, r.at)
		return 0, false
	}
	at = r.at
	r.at += n * width
	return at, r.p.Data != nil
}

// word reads 64 bits from bit position at; bits beyond the end are zero.
func word(data []byte, at int) uint64 {
	data, sh := data[at>>3:], uint(at&7)
	if len(data) > 8 {
		return binary.LittleEndian.Uint64(data)>>sh | uint64(data[8])<<1<<(63-sh)
	}
	var b [8]byte
	copy(b[:], data)
	return binary.LittleEndian.Uint64(b[:]) >> sh
}
