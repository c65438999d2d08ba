package party

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/ring"
)

// storeProvider is the provider of correlations that were dealt ahead of time.
type storeProvider struct {
	spec *Spec
	rank int
}

// sessions lists the sessions that are ready for the request. It first removes the sessions of a store
// that is an older copy, and marks sessions as spent that earlier runs began and did not end.
func (s storeProvider) sessions(o *correlationRequest) ([]correlation.SessionID, error) {
	f, err := s.spec.openStore(s.rank)
	if err != nil {
		return nil, err
	}
	crashed, err := f.Recover()
	for _, id := range crashed {
		s.spec.notice(fmt.Sprintf("session %v was begun by an earlier run that did not end: the session is spent and skipped", id))
	}
	if err != nil {
		return nil, err
	}
	return f.Find(o.terms)
}

func (s storeProvider) begin(_ context.Context, id correlation.SessionID, o *correlationRequest) (correlations, error) {
	f, err := s.spec.openStore(s.rank)
	if err != nil {
		return nil, err
	}
	var manifest *correlation.Manifest
	if correlation.ReceivesCorrections(s.rank, s.spec.online()) {
		manifest = o.manifest
	}
	x, err := f.Begin(id, o.terms, manifest)
	if errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrCopied) {
		return nil, fmt.Errorf("%w: %w", errTaken, err)
	}
	if err != nil {
		return nil, err
	}
	return storedCorrelations{x}, nil
}

func (s storeProvider) prepareMore(context.Context, correlations, []*correlationRequest) ([]correlations, error) {
	return nil, problem.Refusef("a store cannot extend a session with further requests")
}

// storedCorrelations are correlations from a store, where all of them are present.
type storedCorrelations struct{ *store.Session }

func (s storedCorrelations) seed() ring.Seed                      { return s.Seed() }
func (s storedCorrelations) corrections() correlation.Corrections { return s.Session }
func (s storedCorrelations) ready(context.Context) error          { return nil }
func (s storedCorrelations) finish(context.Context) error         { return nil }
func (s storedCorrelations) complete(context.Context) error       { return nil }
func (s storedCorrelations) close() error                         { return s.Close() }
func (s storedCorrelations) took() time.Duration                  { return 0 }
