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

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Header describes a session's file; the file begins with it.
type Header struct {
	Session correlation.SessionID // id of the session
	Party   string                // the party that the file belongs to
	// Generation is the folder's generation in which the file was written (Mark), and File the file's own
	// durable.Identity, "" if the system has none. Folder.New sets both.
	Generation string
	File       string
	Parties    []string  // parties of the session, in rank order
	Made       time.Time // when the session was made
	Program    string    // file name of the program; Terms have its digest
	// Terms holds, by name, the values that determine the correlation manifest. A run uses a session only if its
	// terms are equal.
	Terms map[string]string
	// Seed is the party's seed in common with the dealer.
	Seed ring.Seed
	// Records is the number of corrections in the file, Bytes their total length without the overhead of records.
	Records int
	Bytes   int64
}

// fileHeader is a Header in JSON.
type fileHeader struct {
	Session string `json:"session"`
	Party   string `json:"party"`
	// What tells the file from its copies.
	Generation string `json:"generation"`
	File       string `json:"file,omitempty"`

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
	format    = 3
	prefix    = len(magic) + 1 + 4 + 4
	maxHeader = 4 << 20

	maxStructure = 1 << 17 // structural characters of a header
)

// ErrDamaged is the error of a file whose contents are not those that were written.
var ErrDamaged = errors.New("damaged file")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode is the header as it is written: magic, version, length, checksum and JSON.
func (h *Header) encode() ([]byte, error) {
	text, err := json.Marshal(fileHeader{
		h.Session.String(), h.Party, h.Generation, h.File, h.Parties, h.Made, h.Program, h.Terms, h.Seed[:], h.Records, h.Bytes,
	})
	if err != nil {
		return nil, err
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("the header has %d bytes, %d at most are allowed", len(text), maxHeader)
	}
	b := append([]byte(magic), format)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
	return append(b, text...), nil
}

// readHeader reads a header and returns its length in bytes.
func readHeader(r io.Reader) (h *Header, size int64, err error) {
	var p [prefix]byte
	if _, err := io.ReadFull(r, p[:]); err != nil {
		return nil, 0, fmt.Errorf("%w: it ends within its header", ErrDamaged)
	}
	if string(p[:len(magic)]) != magic {
		return nil, 0, fmt.Errorf("%w: it is not a session's file", ErrDamaged)
	}
	if v := p[len(magic)]; v != format {
		return nil, 0, fmt.Errorf("its format is %d, this version of Tacet reads %d (make new sessions, and remove this one)", v, format)
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
	if err := jsonlimit.Unmarshal(text, jsonlimit.Of(maxStructure), &f); err != nil {
		return nil, 0, fmt.Errorf("%w: its header is not JSON, or too large", ErrDamaged)
	}
	id, err := correlation.ParseSessionID(f.Session)
	if err != nil || len(f.Seed) != len(ring.Seed{}) || f.Records < 0 || f.Bytes < 0 || !slices.Contains(f.Parties, f.Party) {
		return nil, 0, fmt.Errorf("%w: its header is inconsistent", ErrDamaged)
	}
	h = &Header{
		Session: id, Party: f.Party, Generation: f.Generation, File: f.File, Parties: f.Parties, Made: f.Made, Program: f.Program, Terms: f.Terms,
		Seed: ring.Seed(f.Seed), Records: f.Records, Bytes: f.Bytes,
	}
	return h, int64(prefix) + int64(n), nil
}
