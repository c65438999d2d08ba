package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// maxWhole bounds the data of a session that has one record.
const maxWhole = 1 << 31

// NewWhole creates the file of a new session, which h describes, with one record of data instead of corrections. It sets
// h.Records and h.Bytes.
func (f *Folder) NewWhole(h *Header, data []byte) (*Writer, error) {
	if len(data) > maxWhole {
		return nil, f.ofSession(h.Session, fmt.Errorf("%d bytes are more than %d, the most that a session may keep", len(data), maxWhole))
	}
	h.Records, h.Bytes = 1, int64(len(data))
	w, err := f.New(h)
	if err != nil {
		return nil, err
	}
	if err := w.Append(0, data); err != nil {
		w.Discard()
		return nil, err
	}
	return w, nil
}

// BeginWhole is Begin of a session that NewWhole made, and returns its data too.
func (f *Folder) BeginWhole(id correlation.SessionID, terms map[string]string) (*Session, []byte, error) {
	s, err := (&Session{folder: f, manifest: &correlation.Manifest{}, whole: true}).open(id, terms)
	if err != nil {
		return nil, nil, err
	}
	data := s.data
	s.data = nil
	return s, data, nil
}

// Peek returns the header and the data of a session that NewWhole made and that is ready. It takes nothing: data that a
// run sends anything about must come from BeginWhole.
func (f *Folder) Peek(id correlation.SessionID) (*Header, []byte, error) {
	file, err := os.Open(f.filePath(id, readyEnd))
	if err != nil {
		return nil, nil, f.ofSession(id, err)
	}
	defer file.Close()
	h, _, err := f.read(id, file)
	if err != nil {
		return nil, nil, f.ofSession(id, err)
	}
	data, err := readWhole(file, h)
	if err != nil {
		return nil, nil, f.ofSession(id, err)
	}
	return h, data, nil
}

// readWhole reads the only record of a file that is at the end of its header h.
func readWhole(file *os.File, h *Header) ([]byte, error) {
	if h.Records != 1 || h.Bytes > maxWhole {
		return nil, fmt.Errorf("%w: it has %d records of %d bytes", ErrDamaged, h.Records, h.Bytes)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	at, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if want := at + correlation.RecordOverhead + h.Bytes; info.Size() != want {
		return nil, fmt.Errorf("%w: %d bytes long, %d are expected", ErrDamaged, info.Size(), want)
	}
	_, data, err := correlation.ReadRecord(file, h.Session, func(id correlation.ID) int64 {
		if id != 0 {
			return -1
		}
		return h.Bytes
	})
	if errors.Is(err, correlation.ErrDamaged) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return data, err
}

// Has reports whether the folder has a session that is ready or that a run has begun.
func (f *Folder) Has(id correlation.SessionID) bool {
	return f.exists(id, readyEnd) || f.exists(id, begunEnd) || f.exists(id, spentEnd)
}

// Drop removes a session that is ready, and reports whether it was.
func (f *Folder) Drop(id correlation.SessionID) (bool, error) { return f.remove(id, readyEnd) }

// Forget removes the files of spent sessions whose ids were drawn before a time.
func (f *Folder) Forget(before time.Time) error {
	entries, err := f.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.State == Spent && e.Session.Drawn().Before(before) {
			if err := durable.Remove(f.filePath(e.Session, spentEnd)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return f.ofSession(e.Session, err)
			}
		}
	}
	return nil
}
