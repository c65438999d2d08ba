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

// MissingError is the error of a folder without a usable session for a run, and of a folder that does not exist.
type MissingError struct {
	Folder string        // path of the folder
	Counts map[State]int // number of its sessions, by state
	// Differences lists the terms in which the most similar ready session differs from the run's; nil if no session
	// is ready.
	Differences []string
	// Damaged is the error of a ready session that cannot be read; nil if there is none.
	Damaged error
}

// Error returns the folder, what it has and what to do.
func (e *MissingError) Error() string {
	text := "there is no store"
	switch ready := e.Counts[Ready]; {
	case ready > 0 && len(e.Differences) > 0:
		text = fmt.Sprintf("none of %s ready is for this run: the most similar differs in %s", countSessions(ready), strings.Join(e.Differences, ", "))
	case ready > 0:
		text = fmt.Sprintf("none of %s ready can be read: %v", countSessions(ready), e.Damaged)
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

func countSessions(n int) string {
	if n == 1 {
		return "1 session"
	}
	return fmt.Sprintf("%d sessions", n)
}

// Find returns the ready sessions that were made for the given terms, the oldest first. It removes sessions whose
// files are copies. If there are none, the error is a *MissingError.
func (f *Folder) Find(terms map[string]string) ([]correlation.SessionID, error) {
	entries, err := f.Entries()
	if err != nil {
		return nil, err
	}
	mark, err := f.Mark()
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
		h, err := f.header(e, mark.Generation)
		if errors.Is(err, fs.ErrNotExist) {
			continue // begun by another run meanwhile
		}
		if errors.Is(err, ErrCopied) { // or the folder was renewed since its mark was read
			if mark, err = f.Mark(); err != nil {
				return nil, err
			}
			h, err = f.header(e, mark.Generation)
		}
		if errors.Is(err, ErrCopied) {
			removed, rerr := f.remove(e.Session, readyEnd)
			if removed {
				f.notice(fmt.Sprintf("%v: it is removed", err))
			}
			err = errors.Join(err, rerr)
		}
		if err != nil {
			missing.Damaged = err
			continue
		}
		d := differences(h.Terms, terms)
		if len(d) == 0 {
			out = append(out, e.Session)
		} else if missing.Differences == nil || len(d) < len(missing.Differences) {
			missing.Differences = d
		}
	}
	if out == nil {
		return nil, missing
	}
	return out, nil
}

// Recover marks the sessions of crashed runs as spent and returns them.
func (f *Folder) Recover() ([]correlation.SessionID, error) {
	return f.sweep(Crashed, begunEnd, f.spend)
}

// RemoveUnfinished removes the sessions that interrupted processes left unfinished and returns them.
func (f *Folder) RemoveUnfinished() ([]correlation.SessionID, error) {
	return f.sweep(Unfinished, makingEnd, unlink)
}

func unlink(_ correlation.SessionID, file *os.File) error { return durable.Remove(file.Name()) }

// remove removes an unlocked file, and reports whether it was there and unlocked.
func (f *Folder) remove(id correlation.SessionID, end string) (bool, error) {
	ok, err := f.withLock(id, end, unlink)
	if err != nil {
		return false, f.ofSession(id, err)
	}
	return ok, nil
}

// sweep calls do for all sessions of a state whose files are unlocked, under their locks, and lists
// them.
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
		ok, err := f.withLock(e.Session, end, do)
		if err != nil {
			return done, f.ofSession(e.Session, err)
		}
		if ok {
			done = append(done, e.Session)
		}
	}
	return done, nil
}

// withLock calls do for a session's file under its lock, and reports whether the file was there and
// unlocked.
func (f *Folder) withLock(id correlation.SessionID, end string, do func(correlation.SessionID, *os.File) error) (bool, error) {
	file, err := os.OpenFile(f.filePath(id, end), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer durable.Close(file)
	ok, err := durable.Lock(file)
	if err != nil || !ok || !f.exists(id, end) { // another process has it, or has renamed it meanwhile
		return false, err
	}
	return true, do(id, file)
}
