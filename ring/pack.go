package ring

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Payload is the content of one message: vectors and bits packed one after
// the other without gaps, least significant bit first, the last byte filled up
// with zeros. Data is nil if it is weightless.
type Payload struct {
	Len  int // bytes
	Data []byte
}

// Writer packs vectors into a Payload. The zero Writer is ready for use.
type Writer struct {
	buf   []byte
	acc   uint64 // bits not yet in buf
	nacc  uint
	bits  int
	empty bool // something weightless was written
}

// Reset begins another payload in the memory of the last one, which then is no
// longer valid.
func (w *Writer) Reset() { *w = Writer{buf: w.buf[:0]} }

// Grow makes room for the given number of bits.
func (w *Writer) Grow(bits int) {
	if !w.empty {
		w.buf = slices.Grow(w.buf, bits/8+16)
	}
}

// Vec appends every element of v with its ring's width.
func (w *Writer) Vec(v Vec) {
	w.bits += v.n * v.ring.Bits
	if v.w == nil && v.n > 0 || w.empty {
		w.empty = true
		return
	}
	w.Grow(v.n * v.ring.Bits)
	w.put(v.w, v.ring.Words(), v.ring.topBits())
}

// Bits appends a bit vector.
func (w *Writer) Bits(b Bits) {
	w.bits += b.n
	if b.w == nil && b.n > 0 || w.empty {
		w.empty = true
		return
	}
	w.Grow(b.n)
	full := b.n / 64
	w.put(b.w[:full], 1, 64)
	w.put(b.w[full:], 1, uint(b.n%64))
}

// put appends elements of k words, of whose last word the low top bits count
// and the others are zero. There is room for them, and for what elements that
// are written as whole words have too much.
func (w *Writer) put(words []uint64, k int, top uint) {
	buf, at := w.buf[:cap(w.buf)], len(w.buf)
	acc, nacc := w.acc, w.nacc
	switch {
	case top == 64 && nacc == 0 && !bigEndian:
		at += copy(buf[at:], asBytes(words))
	case top%8 == 0 && nacc == 0:
		last := int(top) / 8 // bytes of the last word
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
				acc = x >> ((top - nacc) & 63) // top−nacc is 64 for none: see the first cases
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

// Payload ends the message.
func (w *Writer) Payload() Payload {
	n := (w.bits + 7) / 8
	if w.empty {
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

// Reader unpacks a Payload in the order in which it was written. From a
// weightless payload it gives weightless vectors.
type Reader struct {
	p   Payload
	at  int // bit
	err error
}

// NewReader starts at the payload's beginning.
func NewReader(p Payload) *Reader { return &Reader{p: p} }

// Vec takes n elements of the ring; over M(q) the value 2^q − 1 is taken for 0.
// The vector is weightless if the payload is or if there is an error, which
// Close reports.
func (r *Reader) Vec(k Ring, n int) Vec {
	at, ok := r.take(n, k.Bits)
	if !ok {
		return Weightless(k, n)
	}
	v := Blank(k, n)
	inUse.unpack(v.w, r.p.Data, k.Words(), k.topBits(), at)
	if k.Cyclic {
		v.trim()
	}
	return v
}

// Bits takes n bits, like Vec.
func (r *Reader) Bits(n int) Bits {
	at, ok := r.take(n, 1)
	if !ok {
		return WeightlessBits(n)
	}
	b := NewBits(n)
	r.bits(b, at)
	return b
}

// BitsInto takes as many bits as b has and writes them there, if there are any to
// read.
func (r *Reader) BitsInto(b Bits) {
	if at, ok := r.take(b.n, 1); ok {
		r.bits(b, at)
	}
}

func (r *Reader) bits(b Bits, at int) {
	full := b.n / 64
	inUse.unpack(b.w[:full], r.p.Data, 1, 64, at)
	inUse.unpack(b.w[full:], r.p.Data, 1, uint(b.n%64), at+64*full)
}

// Close reports an error if the payload was longer or shorter than what was
// taken from it.
func (r *Reader) Close() error {
	if r.take(0, 1); r.err == nil && (r.at+7)/8 != r.p.Len {
		r.err = fmt.Errorf("ring: message of %d bytes where %d were expected", r.p.Len, (r.at+7)/8)
	}
	return r.err
}

// take moves past n elements of the given width and gives the bit at which
// they start. It is false if there is nothing to read. Nothing is allocated
// before the payload is known to hold it.
func (r *Reader) take(n, width int) (at int, ok bool) {
	switch {
	case r.err != nil:
		return 0, false
	case r.p.Data != nil && len(r.p.Data) != r.p.Len:
		r.err = fmt.Errorf("ring: message of %d bytes said to have %d", len(r.p.Data), r.p.Len)
		return 0, false
	case n > (8*r.p.Len-r.at)/width:
		r.err = fmt.Errorf("ring: message of %d bytes ends before %d elements of %d bits from bit %d on", r.p.Len, n, width, r.at)
		return 0, false
	}
	at = r.at
	r.at += n * width
	return at, r.p.Data != nil
}

// word reads 64 bits from bit position at, zeros from the end on.
func word(data []byte, at int) uint64 {
	data, sh := data[at>>3:], uint(at&7)
	if len(data) > 8 {
		return binary.LittleEndian.Uint64(data)>>sh | uint64(data[8])<<1<<(63-sh)
	}
	var b [8]byte
	copy(b[:], data)
	return binary.LittleEndian.Uint64(b[:]) >> sh
}
