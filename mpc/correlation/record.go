package correlation

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"time"
)

// SessionID names the correlated randomness of one session: the time of its creation in milliseconds, big endian, in
// 6 bytes, so that ids sort by age, and 10 random bytes. It is public.
type SessionID [16]byte

// NewSessionID returns a new id.
func NewSessionID() SessionID {
	var id SessionID
	rand.Read(id[:]) // does not fail
	var t [8]byte
	binary.BigEndian.PutUint64(t[:], uint64(time.Now().UnixMilli()))
	copy(id[:6], t[2:])
	return id
}

// Drawn returns when NewSessionID drew the id, by that machine's clock.
func (id SessionID) Drawn() time.Time {
	var t [8]byte
	copy(t[2:], id[:6])
	return time.UnixMilli(int64(binary.BigEndian.Uint64(t[:])))
}

// String returns the id as 32 hexadecimal digits.
func (id SessionID) String() string { return hex.EncodeToString(id[:]) }

// ParseSessionID returns the id that String wrote as text, or an error if text is not 32 hexadecimal digits.
func ParseSessionID(text string) (id SessionID, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(id) || hex.EncodeToString(b) != text {
		return id, fmt.Errorf("correlation: %q is not a session id", text)
	}
	return SessionID(b), nil
}

// MarshalText implements encoding.TextMarshaler by String.
func (id SessionID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler by ParseSessionID.
func (id *SessionID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseSessionID(string(text))
	return err
}

// Corrections are sent and stored as records, in the order of the manifest:
//
//	id        8 bytes, little endian, as are the other fields
//	length    4 bytes, of the data
//	checksum  4 bytes: CRC-32C of the session's id, of the twelve bytes before, and of the data
//	data
//
// The checksum detects faulty connections and disks. It does not protect against deliberate
// changes.

// RecordOverhead is the number of bytes that WriteRecord writes besides the data.
const RecordOverhead = 16

// ErrDamaged is the error of a record whose bytes are not those that were written: its length is too large or its
// checksum wrong.
var ErrDamaged = errors.New("correlation: damaged record")

// WriteRecord writes the correction data of the given id and session as one record, with a checksum.
func WriteRecord(w io.Writer, s SessionID, id ID, data []byte) error {
	if len(data) > math.MaxUint32 {
		return fmt.Errorf("correlation: correction %v of %d bytes is too long for a record", id, len(data))
	}
	var h [RecordOverhead]byte
	binary.LittleEndian.PutUint64(h[:], uint64(id))
	binary.LittleEndian.PutUint32(h[8:], uint32(len(data)))
	binary.LittleEndian.PutUint32(h[12:], checksum(s, h[:12], data))
	if _, err := w.Write(h[:]); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

// ReadRecord reads the next record that WriteRecord wrote for session s, and returns its id and correction. At the
// end of r it returns io.EOF, in the middle of a record io.ErrUnexpectedEOF, and for a wrong record an error that
// wraps ErrDamaged. limit returns the largest length in bytes of the correction of an id; a negative limit means that
// none is expected. ReadRecord allocates no more than that.
func ReadRecord(r io.Reader, s SessionID, limit func(ID) int64) (ID, []byte, error) {
	var h [RecordOverhead]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, nil, err
	}
	id, n := ID(binary.LittleEndian.Uint64(h[:])), binary.LittleEndian.Uint32(h[8:])
	if most := limit(id); int64(n) > most {
		return id, nil, fmt.Errorf("%w: %v has %d bytes, %d at most are expected", ErrDamaged, id, n, max(most, 0))
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return id, nil, err
	}
	if checksum(s, h[:12], data) != binary.LittleEndian.Uint32(h[12:]) {
		return id, nil, fmt.Errorf("%w: %v has a wrong checksum", ErrDamaged, id)
	}
	return id, data, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(s SessionID, header, data []byte) uint32 {
	c := crc32.Update(0, castagnoli, s[:])
	c = crc32.Update(c, castagnoli, header)
	return crc32.Update(c, castagnoli, data)
}
