package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// MissingError says that a folder has no session for what is to be run.
type MissingError struct {
	Folder string
	Counts map[State]int // of its sessions, by state
	// Differs says, where some are ready, in what the one that is nearest
	// differs from what is wanted.
	Differs []string
	// Damaged is what is wrong with one that cannot be read, if there is one.
	Damaged error
}

func (e *MissingError) Error() string {
	text := "there is no store"
	switch ready := e.Counts[Ready]; {
	case ready > 0 && len(e.Differs) > 0:
		text = fmt.Sprintf("of %s ready none is for this run: the nearest differs in %s", counted(ready), strings.Join(e.Differs, ", "))
	case ready > 0:
		text = fmt.Sprintf("of %s ready none can be read: %v", counted(ready), e.Damaged)
	case e.Counts != nil:
		text = "no session is ready"
		var more []string
		for _, s := range []State{Spent, Crashed, Begun, Making, Unfinished} {
			if n := e.Counts[s]; n > 0 {
				more = append(more, fmt.Sprintf("%d %s", n, s))
			}
		}
		if len(more) > 0 {
			text += " (" + strings.Join(more, ", ") + ")"
		}
	}
	return fmt.Sprintf("store: %s: %s", e.Folder, text)
}

func counted(n int) string {
	if n == 1 {
		return "1 session"
	}
	return fmt.Sprintf("%d sessions", n)
}

// Find lists the sessions that are ready and made for these terms, oldest
// first. If there is none the error is a MissingError.
func (f *Folder) Find(terms map[string]string) ([]correlation.SessionID, error) {
	entries, err := f.Entries()
	if err != nil {
		return nil, err
	}
	missing := &MissingError{Folder: f.path, Counts: map[State]int{}}
	var out []correlation.SessionID
	for _, e := range entries {
		missing.Counts[e.State]++
		if e.State != Ready {
			continue
		}
		h, err := f.Header(e)
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken meanwhile
		}
		if err != nil {
			missing.Damaged = err
			continue
		}
		d := differences(h.Terms, terms)
		if len(d) == 0 {
			out = append(out, e.Session)
		} else if missing.Differs == nil || len(d) < len(missing.Differs) {
			missing.Differs = d
		}
	}
	if out == nil {
		return nil, missing
	}
	return out, nil
}

// Recover spends what runs have begun and never ended, and lists it.
func (f *Folder) Recover() ([]correlation.SessionID, error) {
	return f.sweep(Crashed, begunEnd, f.spend)
}

// Tidy removes what interrupted processes left of sessions that they were
// making, and lists it.
func (f *Folder) Tidy() ([]correlation.SessionID, error) {
	return f.sweep(Unfinished, makingEnd, unlink)
}

func unlink(_ correlation.SessionID, file *os.File) error { return os.Remove(file.Name()) }

// remove removes a file that is nobody's, and reports whether it was one.
func (f *Folder) remove(id correlation.SessionID, end string) (bool, error) {
	ok, err := f.locked(id, end, unlink)
	if err != nil {
		return false, f.about(id, err)
	}
	return ok, nil
}

// sweep does something to all sessions of a state whose lock can be had.
func (f *Folder) sweep(s State, end string, do func(correlation.SessionID, *os.File) error) ([]correlation.SessionID, error) {
	entries, err := f.Entries()
	if err != nil {
		return nil, err
	}
	var done []correlation.SessionID
	for _, e := range entries {
		if e.State != s {
			continue
		}
		ok, err := f.locked(e.Session, end, do)
		if err != nil {
			return done, f.about(e.Session, err)
		}
		if ok {
			done = append(done, e.Session)
		}
	}
	return done, nil
}

// locked does something with a session's file under its lock, and reports
// whether it was there to be had.
func (f *Folder) locked(id correlation.SessionID, end string, do func(correlation.SessionID, *os.File) error) (bool, error) {
	file, err := os.OpenFile(f.file(id, end), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer durable.Close(file)
	ok, err := durable.Lock(file)
	if err != nil || !ok || !f.has(id, end) { // or it is somebody's, or was renamed meanwhile
		return false, err
	}
	return true, do(id, file)
}
