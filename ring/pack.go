package ring

import (
	"encoding/binary"
	"fmt"
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

// Grow makes room for the given number of bits.
func (w *Writer) Grow(bits int) {
	if need := bits/8 + 16; cap(w.buf)-len(w.buf) < need && !w.empty {
		w.buf = append(make([]byte, 0, len(w.buf)+need), w.buf...)
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
	k, top := v.ring.Words(), uint(v.ring.Bits-1)%64+1
	if k == 1 {
		if top == 64 && w.nacc == 0 {
			for _, x := range v.w {
				w.buf = binary.LittleEndian.AppendUint64(w.buf, x)
			}
			return
		}
		for _, x := range v.w {
			w.put(x, top)
		}
		return
	}
	for i := 0; i < len(v.w); i += k {
		for j := i; j < i+k-1; j++ {
			w.put(v.w[j], 64)
		}
		w.put(v.w[i+k-1], top)
	}
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
	for _, x := range b.w[:full] {
		w.put(x, 64)
	}
	if r := uint(b.n % 64); r > 0 {
		w.put(b.w[full], r)
	}
}

// put appends the low n bits of x, whose other bits are zero.
func (w *Writer) put(x uint64, n uint) {
	w.acc |= x << w.nacc
	if w.nacc+n < 64 {
		w.nacc += n
		return
	}
	w.buf = binary.LittleEndian.AppendUint64(w.buf, w.acc)
	used := 64 - w.nacc
	w.nacc = w.nacc + n - 64
	if w.nacc == 0 {
		w.acc = 0
	} else {
		w.acc = x >> used
	}
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

// Vec takes n elements of the ring.
func (r *Reader) Vec(k Ring, n int) Vec {
	if !r.take(n*k.Bits) || r.p.Data == nil {
		return Weightless(k, n)
	}
	v := New(k, n)
	words, top := k.Words(), uint(k.Bits-1)%64+1
	at := r.at - n*k.Bits
	if words == 1 && top == 64 && at%8 == 0 {
		b := r.p.Data[at/8:]
		for i := range v.w {
			v.w[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		return v
	}
	for i := 0; i < len(v.w); i += words {
		for j := i; j < i+words-1; j++ {
			v.w[j] = r.get(at, 64)
			at += 64
		}
		v.w[i+words-1] = r.get(at, top)
		at += int(top)
	}
	return v
}

// Bits takes n bits.
func (r *Reader) Bits(n int) Bits {
	if !r.take(n) || r.p.Data == nil {
		return WeightlessBits(n)
	}
	b := NewBits(n)
	at := r.at - n
	for i := range b.w {
		b.w[i] = r.get(at+64*i, uint(min(64, n-64*i)))
	}
	return b
}

// Close reports an error if the payload was longer or shorter than what was
// taken from it.
func (r *Reader) Close() error {
	if r.err == nil && (r.at+7)/8 != r.p.Len {
		r.err = fmt.Errorf("ring: message of %d bytes where %d were expected", r.p.Len, (r.at+7)/8)
	}
	return r.err
}

func (r *Reader) take(bits int) bool {
	r.at += bits
	if (r.at+7)/8 > r.p.Len || r.p.Data != nil && len(r.p.Data) != r.p.Len {
		r.err = fmt.Errorf("ring: message of %d bytes where at least %d were expected", r.p.Len, (r.at+7)/8)
	}
	return r.err == nil
}

// get reads n ≤ 64 bits from bit position at.
func (r *Reader) get(at int, n uint) uint64 {
	i, sh := at/8, uint(at%8)
	var x uint64
	if i+8 <= len(r.p.Data) {
		x = binary.LittleEndian.Uint64(r.p.Data[i:])
	} else {
		for j := len(r.p.Data) - 1; j >= i; j-- {
			x = x<<8 | uint64(r.p.Data[j])
		}
	}
	x >>= sh
	if sh+n > 64 {
		x |= uint64(r.p.Data[i+8]) << (64 - sh)
	}
	if n < 64 {
		x &= 1<<n - 1
	}
	return x
}
