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

// ErrTaken is the error of a session that another run uses or has used.
var ErrTaken = errors.New("taken by another run")

// Session is one party's file of a session that a run has begun. It implements correlation.Corrections: corrections
// are read from the file when they are needed.
type Session struct {
	folder   *Folder
	header   *Header
	file     *os.File
	manifest *correlation.Manifest // requests in order of ids
	offsets  []int64               // where each correction's record begins, and where the last one ends
	whole    bool                  // the file has one record, data, and no corrections
	data     []byte
	once     sync.Once
	err      error // result of Close
}

// Begin takes a session that is ready. terms must be those of its Header. When Begin returns without an error, the
// session is durably marked as begun, no other run can use it, and the caller must close it. manifest is the run's
// correlation manifest, nil at a party that receives no corrections. ErrTaken means that another run has taken the
// session, ErrCopied that it may have: the folder or the session's file is a copy. After any other error the session
// is unchanged, or spent if the disk failed.
func (f *Folder) Begin(id correlation.SessionID, terms map[string]string, manifest *correlation.Manifest) (*Session, error) {
	s := &Session{folder: f, manifest: manifest}
	if s.manifest == nil {
		s.manifest = &correlation.Manifest{}
	}
	return s.open(id, terms)
}

// open opens the session's file and begins it.
func (s *Session) open(id correlation.SessionID, terms map[string]string) (*Session, error) {
	f := s.folder
	if f.exists(id, begunEnd) || f.exists(id, spentEnd) {
		return nil, f.ofSession(id, ErrTaken) // a ready file beside these came back
	}
	file, err := os.OpenFile(f.filePath(id, readyEnd), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.ofSession(id, ErrTaken)
	}
	if err != nil {
		return nil, f.inFolder(err)
	}
	s.file = file
	if err := s.begin(id, terms); err != nil {
		durable.Close(file)
		return nil, err
	}
	return s, nil
}

func (s *Session) begin(id correlation.SessionID, terms map[string]string) error {
	f := s.folder
	locked, err := durable.Lock(s.file)
	if err == nil && (!locked || !f.exists(id, readyEnd)) { // another run began it, now or between opening and locking
		err = ErrTaken
	}
	if err != nil {
		return f.ofSession(id, err)
	}
	h, start, err := f.read(id, s.file)
	var mark Mark
	if err == nil {
		mark, err = f.Mark()
	}
	if err == nil {
		err = checkOwn(h, s.file, mark.Generation)
	}
	if err != nil {
		return f.ofSession(id, err)
	}
	s.header = h
	if d := differences(h.Terms, terms); len(d) > 0 {
		return f.ofSession(id, fmt.Errorf("it differs in %s", strings.Join(d, ", ")))
	}
	if s.whole {
		s.data, err = readWhole(s.file, h)
	} else {
		err = s.locate(start)
	}
	if err != nil {
		return f.ofSession(id, err)
	}
	err = f.use(mark.Generation, func() error { return durable.Rename(f.filePath(id, readyEnd), f.filePath(id, begunEnd)) })
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrTaken // another run used it between opening and locking
	}
	if err != nil {
		return f.ofSession(id, err)
	}
	return nil
}

// locate computes the records' positions and checks the file's length.
func (s *Session) locate(at int64) error {
	if n := s.manifest.Bytes(); len(s.manifest.Requests) != s.header.Records || n != s.header.Bytes {
		return fmt.Errorf(
			"%w: it has %d corrections of %d bytes, the correlation manifest asks for %d of %d bytes",
			ErrDamaged,
			s.header.Records,
			s.header.Bytes,
			len(s.manifest.Requests),
			n,
		)
	}
	s.offsets = make([]int64, 0, len(s.manifest.Requests)+1)
	for _, r := range s.manifest.Requests {
		s.offsets = append(s.offsets, at)
		at += correlation.RecordOverhead + r.Bytes()
	}
	s.offsets = append(s.offsets, at)
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != at {
		return fmt.Errorf("%w: %d bytes long, %d are expected", ErrDamaged, info.Size(), at)
	}
	return nil
}

// ID returns the session's id.
func (s *Session) ID() correlation.SessionID { return s.header.Session }

// Seed returns the seed that the party shares with the dealer.
func (s *Session) Seed() ring.Seed { return s.header.Seed }

// Await implements correlation.Corrections. It calls ready at once, because all corrections are in the file.
func (s *Session) Await(_ correlation.ID, ready func()) { ready() }

// Take implements correlation.Corrections: it reads the correction from the file. The error wraps
// correlation.ErrMissing if the manifest has no such request.
func (s *Session) Take(id correlation.ID) ([]byte, error) {
	i, ok := slices.BinarySearchFunc(
		s.manifest.Requests,
		id,
		func(r *correlation.Request, id correlation.ID) int { return cmp.Compare(r.ID, id) },
	)
	if !ok {
		return nil, fmt.Errorf("%w: %v", correlation.ErrMissing, id)
	}
	record := io.NewSectionReader(s.file, s.offsets[i], s.offsets[i+1]-s.offsets[i])
	_, data, err := correlation.ReadRecord(record, s.header.Session, func(got correlation.ID) int64 {
		if got != id {
			return -1
		}
		return s.manifest.Requests[i].Bytes()
	})
	if err != nil {
		return nil, s.folder.ofSession(
			s.header.Session,
			fmt.Errorf("correction %v: %w (the session is spent: run again to take another; tacet store verify checks all)", id, err),
		)
	}
	return data, nil
}

// Close ends the session: it destroys the contents of the file and leaves an empty file with the session's id, so
// that the session is spent.
func (s *Session) Close() error {
	s.once.Do(func() {
		if err := s.folder.spend(s.header.Session, s.file); err != nil {
			s.err = s.folder.ofSession(s.header.Session, err)
		}
		durable.Close(s.file)
	})
	return s.err
}

// spend truncates a locked file of a begun session and renames it to spent.
func (f *Folder) spend(id correlation.SessionID, file *os.File) error {
	if err := durable.Truncate(file); err != nil {
		return err
	}
	if err := durable.Sync(file); err != nil {
		return err
	}
	if err := durable.Rename(f.filePath(id, begunEnd), f.filePath(id, spentEnd)); err != nil {
		return err
	}
	return f.sync()
}
