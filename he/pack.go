package he

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// packer appends numbers of any number of bits, lowest bit first.
type packer struct {
	out  []byte
	acc  uint64
	held int // bits of acc
}

func (p *packer) put(words []uint64, size int) {
	for i := 0; size > 0; i++ {
		n := min(size, 64)
		w := words[i]
		p.acc |= w << p.held
		if p.held+n >= 64 {
			p.out = binary.LittleEndian.AppendUint64(p.out, p.acc)
			used := 64 - p.held
			p.acc = w >> used // 0 if used is 64
			p.held = n - used
		} else {
			p.held += n
		}
		size -= n
	}
}

// append puts what was put to q.
func (p *packer) append(q *packer) {
	if p.held == 0 {
		p.out, p.acc, p.held = append(p.out, q.out...), q.acc, q.held
		return
	}
	for _, b := range q.out {
		p.put([]uint64{uint64(b)}, 8)
	}
	p.put([]uint64{q.acc}, q.held)
}

// bytes returns all that was put, with zeros up to a whole byte.
func (p *packer) bytes() []byte {
	for ; p.held > 0; p.held -= 8 {
		p.out = append(p.out, byte(p.acc))
		p.acc >>= 8
	}
	p.held = 0
	return p.out
}

// unpacker is the inverse of packer.
type unpacker struct {
	in  []byte
	bit int
}

// get sets words to the next number.
func (u *unpacker) get(words []uint64, size int) {
	for i := 0; size > 0; i++ {
		n := min(size, 64)
		words[i] = u.word(n)
		size -= n
	}
}

func (u *unpacker) word(n int) uint64 {
	at, shift := u.bit/8, u.bit%8
	u.bit += n
	var low [16]byte
	copy(low[:], u.in[at:min(at+9, len(u.in))])
	w := binary.LittleEndian.Uint64(low[:]) >> shift
	if shift > 0 {
		w |= uint64(low[8]) << (64 - shift)
	}
	return w & (1<<(n-1)<<1 - 1)
}

// Bytes returns the length in bytes of a message of n numbers of size bits each.
func Bytes(n, size int) int { return (n*size + 7) / 8 }

// checked returns an unpacker of a message of n numbers, or an error if it has another length, or bits that the last
// byte should not have.
func checked(what string, data []byte, n, size int) (*unpacker, error) {
	want := Bytes(n, size)
	switch {
	case len(data) != want:
		return nil, fmt.Errorf("he: malformed %s: %d bytes, want %d", what, len(data), want)
	case n*size%8 != 0 && data[want-1]>>(n*size%8) != 0:
		return nil, fmt.Errorf("he: malformed %s: the last byte has bits beyond its numbers", what)
	}
	return &unpacker{in: data}, nil
}

// rounded appends the coefficients of p at the given places (all if nil), as fractions of so many bits.
func (b *basis) rounded(to *packer, p poly, at []int32, size int) {
	n := places(at, b.n)
	parts := make([]packer, (n+together-1)/together)
	to.out = slices.Grow(to.out, Bytes(n, size)+8)
	inParts(n, func(part, lo, hi int) {
		var words [mostLimbs]uint64
		parts[part].out = make([]byte, 0, Bytes(hi-lo, size)+8)
		for i := lo; i < hi; i++ {
			b.fraction(words[:], p, place(at, i), size)
			parts[part].put(words[:], size)
		}
	})
	for i := range parts {
		to.append(&parts[i])
	}
}

// read returns the polynomial of which rounded wrote n coefficients at the given places (all if nil); others are 0.
func (b *basis) read(from *unpacker, at []int32, size int) poly {
	n, p, r := places(at, b.n), b.room(), b.restorer(size)
	if at != nil {
		for _, v := range p {
			clear(v)
		}
	}
	inParts(n, func(_, lo, hi int) {
		var words [mostLimbs]uint64
		u := unpacker{in: from.in, bit: from.bit + lo*size}
		for i := lo; i < hi; i++ {
			u.get(words[:], size)
			r.restore(p, place(at, i), words[:])
		}
	})
	from.bit += n * size
	return p
}
