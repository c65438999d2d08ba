package store

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Row is a session of a store, at all parties whose folders are there.
type Row struct {
	Session correlation.SessionID
	States  map[string]State // by party
	Size    int64            // of all its files, bytes
	// Header is that of one party, nil if nobody has one that can be used.
	// Damaged says why one that should be there cannot be read.
	Header  *Header
	Damaged error
}

// State is the session's: that of all parties, or "" if they differ.
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

// List lists a store's sessions, oldest first, and its parties.
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
		for _, e := range entries {
			r := byID[e.Session]
			if r == nil {
				r = &Row{Session: e.Session, States: map[string]State{}}
				byID[e.Session] = r
				rows = append(rows, r)
			}
			r.States[f.Party] = e.State
			r.Size += e.Size
			if err := r.head(f, e); err != nil {
				r.Damaged = err
			}
		}
	}
	slices.SortFunc(rows, func(a, b *Row) int { return slices.Compare(a.Session[:], b.Session[:]) })
	return rows, parties, nil
}

// head reads a header where one should be.
func (r *Row) head(f *Folder, e Entry) error {
	if e.State != Ready && e.State != Begun {
		return nil
	}
	h, err := f.Header(e)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was renamed meanwhile
	}
	if err == nil {
		r.Header = h
	}
	return err
}
