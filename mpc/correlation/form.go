package correlation

import (
	"cmp"
	"crypto/sha256"
	"hash"
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

// Digest is a hash of the form's encoding, by which parties see that they ask
// for the same, and a dealer that all do: of all that is dealt, the maps'
// coefficients too, and not of where requests come from.
func (f *Form) Digest() [32]byte {
	sum, _ := f.Measure()
	return sum
}

// Measure gives the digest and how many bytes the encoding has.
func (f *Form) Measure() (digest [32]byte, bytes int64) {
	m := measure{Hash: sha256.New()}
	if err := f.Encode(&m); err != nil {
		panic("correlation: " + err.Error()) // a hash takes everything
	}
	return [32]byte(m.Sum(nil)), m.bytes
}

// measure is a hash that counts.
type measure struct {
	hash.Hash
	bytes int64
}

func (m *measure) Write(b []byte) (int, error) {
	m.bytes += int64(len(b))
	return m.Hash.Write(b)
}
