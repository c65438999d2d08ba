package party

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/ring"
)

// stored is a party's supplier of what was dealt ahead of time.
type stored struct {
	spec *Spec
	rank int
}

func (s stored) open() (*store.Folder, error) {
	return store.Open(s.spec.Store, s.spec.Parties[s.rank])
}

// sessions lists those that are ready for the order. What earlier runs began
// and did not end is spent first.
func (s stored) sessions(o *order) ([]correlation.SessionID, error) {
	f, err := s.open()
	if err != nil {
		return nil, err
	}
	crashed, err := f.Recover()
	for _, id := range crashed {
		s.spec.notice(fmt.Sprintf("session %v was begun by an earlier run that did not end: it is spent, and skipped", id))
	}
	if err != nil {
		return nil, err
	}
	return f.Find(o.terms)
}

func (s stored) begin(_ context.Context, id correlation.SessionID, o *order) (material, error) {
	f, err := s.open()
	if err != nil {
		return nil, err
	}
	var form *correlation.Form
	if correlation.Corrected(s.rank, s.spec.online()) {
		form = o.form
	}
	x, err := f.Begin(id, o.terms, form)
	if errors.Is(err, store.ErrTaken) {
		return nil, fmt.Errorf("%w: %w", errTaken, err)
	}
	if err != nil {
		return nil, err
	}
	return shelved{x}, nil
}

func (s stored) further(context.Context, material, []*order) ([]material, error) {
	return nil, fmt.Errorf("party: a store has no further turns of a session: %w", errors.ErrUnsupported)
}

// shelved is material from a store: all of it is there.
type shelved struct{ *store.Session }

func (s shelved) seed() ring.Seed                      { return s.Seed() }
func (s shelved) corrections() correlation.Corrections { return s.Session }
func (s shelved) ready(context.Context) error          { return nil }
func (s shelved) finish(context.Context) error         { return nil }
func (s shelved) complete(context.Context) error       { return nil }
func (s shelved) close() error                         { return s.Close() }
func (s shelved) took() time.Duration                  { return 0 }
