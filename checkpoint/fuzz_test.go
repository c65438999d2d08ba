package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"testing"
)

// FuzzDecode decodes files with arbitrary headers and shares and a valid hash. A file that is
// accepted must encode to the same checkpoint again.
func FuzzDecode(f *testing.F) {
	add := func(c *Checkpoint) {
		text, err := c.encode()
		if err != nil {
			f.Fatal(err)
		}
		n := int(binary.LittleEndian.Uint32(text[len(magic):]))
		at := len(magic) + 4 + n
		f.Add(text[len(magic)+4:at], text[at:len(text)-sha256.Size], uint32(n))
	}
	add(sample("a", 0, 9))
	add(&Checkpoint{Header: Header{ID: "none"}})
	f.Add([]byte(`{"values":[{"elements":1099511627776,"ring":1024}]}`), []byte{}, uint32(51))
	f.Add([]byte(`{"values":[{"elements":-1,"ring":64}]}`), []byte{1}, uint32(1<<32-1))
	f.Fuzz(func(t *testing.T, header, shares []byte, n uint32) {
		text := binary.LittleEndian.AppendUint32([]byte(magic), n)
		text = append(append(text, header...), shares...)
		sum := sha256.Sum256(text)
		c, err := decode(append(text, sum[:]...))
		if err != nil {
			return
		}
		again, err := c.encode()
		if err != nil {
			t.Fatal(err)
		}
		d, err := decode(again)
		if err != nil {
			t.Fatal(err)
		}
		if third, err := d.encode(); err != nil || !bytes.Equal(again, third) {
			t.Errorf("%v: %q and then %q", err, again, third)
		}
	})
}
