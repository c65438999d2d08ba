package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Header says what a session's file is for.
type Header struct {
	Session correlation.SessionID
	Party   string   // whose file it is
	Parties []string // of the session, in rank order
	Made    time.Time
	Program string // the name of its file; the terms have its digest
	// Terms are what the order form follows from, by name.
	Terms map[string]string
	// Seed is what the party has in common with the dealer.
	Seed ring.Seed
	// Records is how many corrections follow, Bytes how many bytes they have.
	Records int
	Bytes   int64
}

// fileHeader is a header as it is written.
type fileHeader struct {
	Session string            `json:"session"`
	Party   string            `json:"party"`
	Parties []string          `json:"parties"`
	Made    time.Time         `json:"made"`
	Program string            `json:"program"`
	Terms   map[string]string `json:"terms"`
	Seed    []byte            `json:"seed"`
	Records int               `json:"records"`
	Bytes   int64             `json:"bytes"`
}

const (
	magic     = "TACETCR"
	format    = 2
	prefix    = len(magic) + 1 + 4 + 4
	maxHeader = 4 << 20
)

// ErrDamaged says that a file is not what was written.
var ErrDamaged = errors.New("damaged file")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode is the header with what stands before it.
func (h *Header) encode() ([]byte, error) {
	text, err := json.Marshal(fileHeader{
		h.Session.String(), h.Party, h.Parties, h.Made, h.Program, h.Terms, h.Seed[:], h.Records, h.Bytes,
	})
	if err != nil {
		return nil, err
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes, %d at most are kept", len(text), maxHeader)
	}
	b := append([]byte(magic), format)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
	return append(b, text...), nil
}

// readHeader reads a header and says how many bytes it took.
func readHeader(r io.Reader) (h *Header, size int64, err error) {
	var p [prefix]byte
	if _, err := io.ReadFull(r, p[:]); err != nil {
		return nil, 0, fmt.Errorf("%w: it ends within its header", ErrDamaged)
	}
	if string(p[:len(magic)]) != magic {
		return nil, 0, fmt.Errorf("%w: it is no session's", ErrDamaged)
	}
	if v := p[len(magic)]; v != format {
		return nil, 0, fmt.Errorf("its format is %d, this version of Tacet reads %d", v, format)
	}
	n := binary.LittleEndian.Uint32(p[len(magic)+1:])
	if n > maxHeader {
		return nil, 0, fmt.Errorf("%w: a header of %d bytes", ErrDamaged, n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, 0, fmt.Errorf("%w: it ends within its header", ErrDamaged)
	}
	if crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(p[len(magic)+5:]) {
		return nil, 0, fmt.Errorf("%w: its header has a wrong checksum", ErrDamaged)
	}
	var f fileHeader
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, 0, fmt.Errorf("%w: its header is not JSON", ErrDamaged)
	}
	id, err := correlation.ParseSessionID(f.Session)
	if err != nil || len(f.Seed) != len(ring.Seed{}) || f.Records < 0 || f.Bytes < 0 || !slices.Contains(f.Parties, f.Party) {
		return nil, 0, fmt.Errorf("%w: its header makes no sense", ErrDamaged)
	}
	return &Header{id, f.Party, f.Parties, f.Made, f.Program, f.Terms, ring.Seed(f.Seed), f.Records, f.Bytes}, int64(prefix) + int64(n), nil
}
