package correlation

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Form is an order form: all requests of a session.
type Form struct {
	Requests []*Request
}

func (f *Form) sorted() *Form {
	slices.SortFunc(f.Requests, func(a, b *Request) int { return cmp.Compare(a.ID, b.ID) })
	return f
}

// Bytes is how many bytes of corrections the form asks for.
func (f *Form) Bytes() int64 {
	var n int64
	for _, r := range f.Requests {
		n += r.Bytes()
	}
	return n
}

// Digest is a hash over ids, kinds, widths and lengths, by which parties see
// that they will ask for the same.
func (f *Form) Digest() [32]byte {
	h := sha256.New()
	var b [8]byte
	put := func(x uint64) {
		binary.LittleEndian.PutUint64(b[:], x)
		h.Write(b[:])
	}
	for _, r := range f.Requests {
		put(uint64(r.ID))
		put(uint64(r.Kind))
		put(uint64(r.Out.Bits))
		put(uint64(r.N))
		put(uint64(r.Pos)<<32 | uint64(r.Zeros))
		for _, x := range r.Factors {
			put(uint64(x.Mask.ID))
			put(uint64(x.Part)<<48 | uint64(x.Width)<<24 | uint64(x.Shift))
		}
	}
	return [32]byte(h.Sum(nil))
}
