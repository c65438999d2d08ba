package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// ErrTaken says that a session is another run's, or was.
var ErrTaken = errors.New("taken by another run")

// Session is one party's material of a session that a run has begun. Its
// corrections are read as they are needed.
type Session struct {
	folder *Folder
	header *Header
	file   *os.File
	form   *correlation.Form // in order of ids
	at     []int64           // where each correction's record begins, and where the last ends
	once   sync.Once
	err    error // of Close
}

// Begin takes a session that is ready. Once it returns the session is spent,
// durably, whatever happens next; it must be closed. The form is what the run
// will ask for, nil at a party that gets no corrections. ErrTaken says that
// another run was faster; after any other error the session is as it was.
func (f *Folder) Begin(id correlation.SessionID, terms map[string]string, form *correlation.Form) (*Session, error) {
	if f.has(id, begunEnd) || f.has(id, spentEnd) {
		return nil, f.about(id, ErrTaken) // and its file came back
	}
	file, err := os.OpenFile(f.file(id, readyEnd), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.about(id, ErrTaken)
	}
	if err != nil {
		return nil, f.wrong(err)
	}
	s := &Session{folder: f, file: file, form: form}
	if s.form == nil {
		s.form = &correlation.Form{}
	}
	if err := s.begin(id, terms); err != nil {
		durable.Close(file)
		return nil, err
	}
	return s, nil
}

func (s *Session) begin(id correlation.SessionID, terms map[string]string) error {
	f := s.folder
	locked, err := durable.Lock(s.file)
	if err == nil && !locked {
		err = ErrTaken
	}
	if err != nil {
		return f.about(id, err)
	}
	h, start, err := f.read(id, s.file)
	if err != nil {
		return err
	}
	s.header = h
	if d := differences(h.Terms, terms); len(d) > 0 {
		return f.about(id, fmt.Errorf("it differs in %s", strings.Join(d, ", ")))
	}
	if err := s.place(start); err != nil {
		return f.about(id, err)
	}
	err = os.Rename(f.file(id, readyEnd), f.file(id, begunEnd))
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrTaken // it was used between the opening and the locking
	}
	if err == nil {
		err = f.sync()
	}
	if err != nil {
		return f.about(id, err)
	}
	return nil
}

// place finds where corrections lie, and that the file is as long as that.
func (s *Session) place(at int64) error {
	if n := s.form.Bytes(); len(s.form.Requests) != s.header.Records || n != s.header.Bytes {
		return fmt.Errorf("%w: it holds %d corrections of %d bytes, %d of %d are needed", ErrDamaged, s.header.Records, s.header.Bytes, len(s.form.Requests), n)
	}
	s.at = make([]int64, 0, len(s.form.Requests)+1)
	for _, r := range s.form.Requests {
		s.at = append(s.at, at)
		at += correlation.RecordOverhead + r.Bytes()
	}
	s.at = append(s.at, at)
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != at {
		return fmt.Errorf("%w: %d bytes long, %d are expected", ErrDamaged, info.Size(), at)
	}
	return nil
}

// ID is the session's.
func (s *Session) ID() correlation.SessionID { return s.header.Session }

// Seed is what the party has in common with the dealer.
func (s *Session) Seed() ring.Seed { return s.header.Seed }

// Await is ready: nothing is on its way.
func (s *Session) Await(_ correlation.ID, ready func()) { ready() }

// Take reads a correction.
func (s *Session) Take(id correlation.ID) ([]byte, error) {
	i, ok := slices.BinarySearchFunc(s.form.Requests, id, func(r *correlation.Request, id correlation.ID) int { return cmp.Compare(r.ID, id) })
	if !ok {
		return nil, fmt.Errorf("%w: %v", correlation.ErrMissing, id)
	}
	record := io.NewSectionReader(s.file, s.at[i], s.at[i+1]-s.at[i])
	_, data, err := correlation.ReadRecord(record, s.header.Session, func(got correlation.ID) int64 {
		if got != id {
			return -1
		}
		return s.form.Requests[i].Bytes()
	})
	if err != nil {
		return nil, s.folder.about(s.header.Session, fmt.Errorf("correction %v: %w (the session is spent: run again to take another; tacet store verify checks all)", id, err))
	}
	return data, nil
}

// Close ends the session: its contents are destroyed, and its name stays as
// that of a spent one.
func (s *Session) Close() error {
	s.once.Do(func() {
		if err := s.folder.spend(s.header.Session, s.file); err != nil {
			s.err = s.folder.about(s.header.Session, err)
		}
		durable.Close(s.file)
	})
	return s.err
}

// spend empties a locked file that was begun and makes it a spent one.
func (f *Folder) spend(id correlation.SessionID, file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.file(id, begunEnd), f.file(id, spentEnd)); err != nil {
		return err
	}
	return f.sync()
}
