package correlation

import (
	"cmp"
	"crypto/sha256"
	"hash"
	"slices"
)

// Manifest is a correlation manifest: all correlation requests of a session, or of one part of it (ManifestSequence).
type Manifest struct {
	Requests []*Request // in the order in which they are used, which is that of ids
}

func (m *Manifest) sorted() *Manifest {
	slices.SortFunc(m.Requests, func(a, b *Request) int { return cmp.Compare(a.ID, b.ID) })
	return m
}

// Bytes returns the total length of the corrections in bytes.
func (m *Manifest) Bytes() int64 {
	var n int64
	for _, r := range m.Requests {
		n += r.Bytes()
	}
	return n
}

// Later returns the manifest of a later walk of the same program: the ids of operation instances from first on are higher by the given
// number of instances. Ids below first, which are those of masks that stay, are the same.
func (m *Manifest) Later(first, by uint32) *Manifest {
	id := func(id ID) ID {
		if id.Op() < first {
			return id
		}
		return id + ID(by)<<32
	}
	masks := map[*Mask]*Mask{}
	var later func(m *Mask) *Mask
	later = func(m *Mask) *Mask {
		if out, ok := masks[m]; ok {
			return out
		}
		out := *m
		out.ID = id(m.ID)
		if m.Kind == Shuffled {
			out.Order = id(m.Order)
		}
		if len(m.Of) > 0 {
			out.Of = make([]*Mask, len(m.Of))
		}
		for i, o := range m.Of {
			out.Of[i] = later(o)
		}
		masks[m] = &out
		return &out
	}
	out := &Manifest{Requests: make([]*Request, len(m.Requests))}
	for i, r := range m.Requests {
		x := *r
		x.ID, x.Factors = id(r.ID), slices.Clone(r.Factors)
		for j := range x.Factors {
			x.Factors[j].Mask = later(x.Factors[j].Mask)
		}
		out.Requests[i] = &x
	}
	return out
}

// Digest returns a hash of the manifest's encoding. It covers everything that determines the correlations, with the
// coefficients of maps, and not Request.Op. Parties compare digests with one another and with the dealer.
func (m *Manifest) Digest() [32]byte {
	sum, _ := m.Measure()
	return sum
}

// Measure returns the manifest's digest and the length of its encoding in bytes.
func (m *Manifest) Measure() (digest [32]byte, bytes int64) {
	h := countingHash{Hash: sha256.New()}
	if err := m.Encode(&h); err != nil {
		panic("correlation: " + err.Error()) // writing to a hash does not fail
	}
	return [32]byte(h.Sum(nil)), h.bytes
}

// countingHash is a hash that counts the bytes written to it.
type countingHash struct {
	hash.Hash
	bytes int64
}

func (m *countingHash) Write(b []byte) (int, error) {
	m.bytes += int64(len(b))
	return m.Hash.Write(b)
}
