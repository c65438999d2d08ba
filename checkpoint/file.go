package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/ring"
)

// Checkpoint is one party's part of what a run carried at a place.
type Checkpoint struct {
	Header
	Shares []ring.Vec // one for each of Values
}

// Header says what a checkpoint is.
type Header struct {
	// ID is the same at all parties, and another for each place of each run.
	ID string `json:"id"`
	// Loop and Turn are the place: before a turn of one of the program's loops,
	// or, where Turn is 0, before the loop.
	Loop int `json:"loop"`
	Turn int `json:"turn"`
	// Fits are what a run must have in common with the one that wrote this, by
	// name.
	Fits   map[string]string `json:"fits"`
	Values []Value           `json:"values"`
}

// Value is the form of a secret, which all parties know.
type Value struct {
	At       int `json:"at"`       // of what is carried at the place
	Elements int `json:"elements"` // of a vector
	Ring     int `json:"ring"`     // bits
	Scale    int `json:"scale"`    // bits after the point
	Bound    int `json:"bound"`    // |x| < 2^bound, as an integer
}

// size is how many bytes a share takes.
func (v Value) size() int { return (v.Elements*v.Ring + 7) / 8 }

// What bounds a header: a vector has no more elements than memory has bytes, and
// no ring more bits than protocols use.
const (
	magic       = "TACETCP\x01"
	maxHeader   = 16 << 20
	maxElements = 1 << 40
	maxRing     = 1 << 10
)

// ErrDamaged says that a file is not what was written.
var ErrDamaged = errors.New("damaged file")

// encode is the text of a file: the header with its length before it, shares in
// as many bits as their rings have, and the hash of all that.
func (c *Checkpoint) encode() ([]byte, error) {
	text, err := json.Marshal(c.Header)
	if err != nil {
		return nil, err
	}
	size := len(magic) + 4 + len(text) + sha256.Size
	for _, v := range c.Values {
		size += v.size()
	}
	out := append(make([]byte, 0, size), magic...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	out = append(out, text...)
	for _, v := range c.Shares {
		var w ring.Writer
		w.Vec(v)
		out = append(out, w.Payload().Data...)
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// decode reads a file's text.
func decode(text []byte) (*Checkpoint, error) {
	body := len(text) - sha256.Size
	if body < len(magic)+4 || string(text[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it is no checkpoint", ErrDamaged)
	}
	if sum := sha256.Sum256(text[:body]); !bytes.Equal(sum[:], text[body:]) {
		return nil, fmt.Errorf("%w: its hash is not that of what is in it", ErrDamaged)
	}
	rest := text[len(magic)+4 : body]
	n := binary.LittleEndian.Uint32(text[len(magic):])
	if n > maxHeader || int(n) > len(rest) {
		return nil, fmt.Errorf("%w: a header of %d bytes", ErrDamaged, n)
	}
	c := &Checkpoint{}
	if err := json.Unmarshal(rest[:n], &c.Header); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	rest = rest[n:]
	for _, v := range c.Values {
		if v.Elements < 0 || v.Elements > maxElements || v.Ring < 1 || v.Ring > maxRing || v.size() > len(rest) {
			return nil, fmt.Errorf("%w: %d elements of %d bits in %d bytes", ErrDamaged, v.Elements, v.Ring, len(rest))
		}
		r := ring.NewReader(ring.Payload{Len: v.size(), Data: rest[:v.size()]})
		c.Shares = append(c.Shares, r.Vec(ring.Z(v.Ring), v.Elements))
		if err := r.Close(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		rest = rest[v.size():]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%w: %d bytes that belong to nothing", ErrDamaged, len(rest))
	}
	return c, nil
}
