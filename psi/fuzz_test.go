package psi

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// FuzzMessages gives what reads a peer's messages bytes of somebody who may send anything, in the sizes of messages, which
// links check: an error, or results within their bounds, but no panic.
func FuzzMessages(f *testing.F) {
	secret := ot.Curve().RandomNonZeroScalar(rand.Reader)
	point, err := ot.Curve().NewElement().MulGen(secret).MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(point, uint8(3))
	f.Add(make([]byte, ot.PointBytes), uint8(1))
	f.Add(bytes.Repeat([]byte{255}, 64), uint8(200))
	keys := []Key{{1}, {2}, {3, 4}}
	f.Fuzz(func(t *testing.T, data []byte, count uint8) {
		n := 1 + int(count)
		whole := func(size int) []byte { return bytes.Repeat(append(data, 0), size)[:size] }
		if out, err := commonValues(secret, whole(n*ot.PointBytes), 11, 0, "bob"); err == nil && len(out) != 11*n {
			t.Errorf("%d bytes of %d values", len(out), n)
		}
		found, err := find(whole(n*11), whole(3*11), 11, "bob")
		if err != nil && !strings.Contains(err.Error(), "bob") {
			t.Error(err)
		}
		for i, at := range found {
			if at < -1 || int(at) >= n {
				t.Errorf("value %d is at place %d of %d", i, at, n)
			}
		}
		entries := entries(len(keys))
		rows, err := newHasher(ring.Seed(whole(len(ring.Seed{}))), entries).rows(keys, entries)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := encode(rows, entries, nil); err == nil && len(out) != entries { // a seed of the peer's choice may have no encoding
			t.Errorf("%d entries, want %d", len(out), entries)
		}
	})
}
