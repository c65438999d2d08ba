package store

import (
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Pruned is a session's file that was removed.
type Pruned struct {
	Party   string
	Session correlation.SessionID
	Why     string
	Size    int64 // bytes
}

// Prune removes what no run can use from all folders of a store: what is spent,
// was begun by a run that crashed, or was left by an interrupted process; what
// is ready here and not at another party whose folder is here too; and, if older
// is not 0, what was made longer ago.
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
		for _, e := range entries {
			why, end := f.useless(e, folders, older)
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
			return out, f.wrong(err)
		}
	}
	return out, nil
}

// useless says why an entry is of no use to any run, and how its file ends; ""
// if it is of use.
func (f *Folder) useless(e Entry, folders []*Folder, older time.Duration) (why, end string) {
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
	h, err := f.Header(e)
	if err != nil {
		return "", "" // for verify to name, and its owner to judge
	}
	if older > 0 && time.Since(h.Made) > older {
		return "made " + h.Made.Local().Format("2006-01-02 15:04"), readyEnd
	}
	for _, other := range folders {
		for _, p := range h.Parties {
			if p == other.Party && !other.keeps(e.Session) {
				return "not to be had at " + p, readyEnd
			}
		}
	}
	return "", ""
}

// keeps reports whether a session is ready at a party, or may be soon, or is in
// use.
func (f *Folder) keeps(id correlation.SessionID) bool {
	for _, end := range []string{makingEnd, readyEnd, begunEnd} {
		if s, _, err := f.state(id, end); err != nil || s == Making || s == Ready || s == Begun {
			return true
		}
	}
	return false
}
