package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/ring"
)

// Checkpoint is one party's shares of the live-in values at a program point.
type Checkpoint struct {
	Header
	Shares []ring.Vec // this party's additive shares; Shares[i] belongs to Values[i]
}

// Header identifies a checkpoint and describes its values.
type Header struct {
	// ID identifies a point of one run: it is equal at all parties, and different for every other point and
	// every other run.
	ID string `json:"id"`
	// Loop and Iteration are the program point: the point before this iteration of this loop, both counted from
	// 0. Iteration 0 is the point before the loop.
	Loop      int `json:"loop"`
	Iteration int `json:"iteration"`
	// Requirements maps names of properties to their values. A run may resume from the checkpoint only if it has
	// the same properties.
	Requirements map[string]string `json:"fits"`
	Values       []Value           `json:"values"` // descriptions of the stored values
}

// Value describes one stored secret vector. The description is public.
type Value struct {
	Index    int `json:"at"`       // index of the value among the live-in values of the program point
	Elements int `json:"elements"` // length of the vector
	Ring     int `json:"ring"`     // bits of the ring
	Scale    int `json:"scale"`    // fraction bits: the vector's integers are the values times 2^Scale
	Bound    int `json:"bound"`    // bound of the vector's integers x: |x| < 2^Bound
}

// size returns the number of bytes of a share.
func (v Value) size() int { return (v.Elements*v.Ring + 7) / 8 }

// Limits of a header: they exceed what any protocol writes and keep sizes from overflowing.
const (
	magic     = "TACETCP\x01"
	maxHeader = 16 << 20
	// maxStructure bounds the structural characters of a header.
	maxStructure = 1 << 20
	maxElements  = 1 << 40
	maxRing      = 1 << 10
)

// ErrDamaged is the error, possibly wrapped, of Load and List for a file that is not a checkpoint as Save wrote
// it: truncated, changed or renamed.
var ErrDamaged = errors.New("damaged file")

// encode returns the content of a file: magic, length of the header, header, shares packed to the
// bits of their rings, SHA-256 of all that.
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

// decode parses the content of a file.
func decode(text []byte) (*Checkpoint, error) {
	body := len(text) - sha256.Size
	if body < len(magic)+4 || string(text[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it is not a checkpoint", ErrDamaged)
	}
	if sum := sha256.Sum256(text[:body]); !bytes.Equal(sum[:], text[body:]) {
		return nil, fmt.Errorf("%w: its hash does not match its content", ErrDamaged)
	}
	rest := text[len(magic)+4 : body]
	n := binary.LittleEndian.Uint32(text[len(magic):])
	if n > maxHeader || int(n) > len(rest) {
		return nil, fmt.Errorf("%w: a header of %d bytes", ErrDamaged, n)
	}
	c := &Checkpoint{}
	if err := jsonlimit.Unmarshal(rest[:n], jsonlimit.Of(maxStructure), &c.Header); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var former struct {
		Iteration *int `json:"turn"` // before version 0.2
	}
	if err := json.Unmarshal(rest[:n], &former); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if former.Iteration != nil {
		c.Iteration = *former.Iteration
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
		return nil, fmt.Errorf("%w: %d bytes after the last share", ErrDamaged, len(rest))
	}
	return c, nil
}
