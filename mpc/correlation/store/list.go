package store

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Row describes a session of a store, at all parties whose folders the store has.
type Row struct {
	Session correlation.SessionID // id of the session
	States  map[string]State      // by the party's name
	Size    int64                 // total size of its files in bytes
	// Header is one party's header, nil if no party has one that can be read. Damaged is the error of a header that
	// should be readable and is not; nil if there is none.
	Header  *Header
	Damaged error
}

// State returns the session's state if it is the same at all parties, and "" otherwise.
func (r *Row) State() State {
	var state State
	for _, s := range r.States {
		if state != "" && s != state {
			return ""
		}
		state = s
	}
	return state
}

// List returns a store's sessions, the oldest first, and the names of its parties.
func List(dir string) (rows []*Row, parties []string, err error) {
	folders, err := Folders(dir)
	if err != nil {
		return nil, nil, err
	}
	byID := map[correlation.SessionID]*Row{}
	for _, f := range folders {
		parties = append(parties, f.Party)
		entries, err := f.Entries()
		if err != nil {
			return nil, nil, err
		}
		generation, err := f.generation()
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			r := byID[e.Session]
			if r == nil {
				r = &Row{Session: e.Session, States: map[string]State{}}
				byID[e.Session] = r
				rows = append(rows, r)
			}
			r.States[f.Party] = e.State
			r.Size += e.Size
			if err := r.addHeader(f, e, generation); err != nil {
				r.Damaged = err
			}
		}
	}
	slices.SortFunc(rows, func(a, b *Row) int { return slices.Compare(a.Session[:], b.Session[:]) })
	return rows, parties, nil
}

// addHeader reads the header of a session that is ready or in use.
func (r *Row) addHeader(f *Folder, e Entry, generation string) error {
	if e.State != Ready && e.State != Begun {
		return nil
	}
	h, err := f.header(e, generation)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was renamed meanwhile
	}
	if err == nil {
		r.Header = h
	}
	return err
}
