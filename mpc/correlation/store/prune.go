package store

import (
	"errors"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Pruned describes a session's file that Prune removed.
type Pruned struct {
	Party   string // the party in whose folder it was
	Session correlation.SessionID
	Why     string // the reason, for a message
	Size    int64  // size of the file in bytes
}

// Prune removes, from all folders of the store at path dir, the files that no run can use: spent sessions, sessions
// begun by a run that crashed, files that an interrupted process left, copied sessions, and sessions that are ready
// here but not at another party whose folder is here too. If older is not 0, it also removes sessions made longer ago
// than that.
func Prune(dir string, older time.Duration) ([]Pruned, error) {
	folders, err := Folders(dir)
	if err != nil {
		return nil, err
	}
	var out []Pruned
	for _, f := range folders {
		entries, err := f.Entries()
		if err != nil {
			return out, err
		}
		generation, err := f.generation()
		if err != nil {
			return out, err
		}
		for _, e := range entries {
			why, end := f.unusable(e, generation, folders, older)
			if why == "" {
				continue
			}
			ok, err := f.remove(e.Session, end)
			if err != nil {
				return out, err
			}
			if ok {
				out = append(out, Pruned{f.Party, e.Session, why, e.Size})
			}
		}
		if err := f.sync(); err != nil {
			return out, f.inFolder(err)
		}
	}
	return out, nil
}

// unusable returns why no run can use an entry, and its file's extension; "" if a run may use it.
func (f *Folder) unusable(e Entry, generation string, folders []*Folder, older time.Duration) (why, end string) {
	switch e.State {
	case Spent:
		return "spent", spentEnd
	case Crashed:
		return "begun by a run that did not end", begunEnd
	case Unfinished:
		return "never finished", makingEnd
	case Ready:
	default:
		return "", ""
	}
	h, err := f.header(e, generation)
	if errors.Is(err, ErrCopied) {
		return ErrCopied.Error(), readyEnd
	}
	if err != nil {
		return "", "" // left for verify, which names it, and the user to decide
	}
	if older > 0 && time.Since(h.Made) > older {
		return "made " + h.Made.Local().Format("2006-01-02 15:04"), readyEnd
	}
	for _, other := range folders {
		for _, p := range h.Parties {
			if p == other.Party && !other.mayUse(e.Session) {
				return "not available at " + p, readyEnd
			}
		}
	}
	return "", ""
}

// mayUse reports whether a session is being made, ready or in use at a party.
func (f *Folder) mayUse(id correlation.SessionID) bool {
	for _, end := range []string{makingEnd, readyEnd, begunEnd} {
		if s, _, err := f.state(id, end); err != nil || s == Making || s == Ready || s == Begun {
			return true
		}
	}
	return false
}
