package offline

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

// Store locates one party's store of correlations that were dealt before the run.
type Store struct {
	Path  string // the folder that contains the stores of parties
	Party string // the party's name; its store is the folder of that name in Path
	// Corrected says that the party receives corrections, so that the files of its sessions contain them.
	Corrected bool
	// Notice is called with messages for the user, of one line each. It must not be nil.
	Notice func(text string)
	// Memory records how many sessions of the party's store and of the other parties' stores have been used, and
	// so detects an older copy of the store. If it is nil, only the store's own files can show that it is an
	// older copy.
	Memory *store.Memory
}

// Open opens the party's folder of the store. If the folder is an older copy of itself, whose sessions may have
// been used, Open removes the sessions. If it does not exist, Open returns an error.
func (s Store) Open() (*store.Folder, error) { return s.checked(store.Open(s.Path, s.Party)) }

// Create opens the party's folder as Open does, and makes it first if it does not exist.
func (s Store) Create() (*store.Folder, error) { return s.checked(store.Create(s.Path, s.Party)) }

func (s Store) checked(f *store.Folder, err error) (*store.Folder, error) {
	if err != nil {
		return nil, err
	}
	f.Memory, f.Notice = s.Memory, s.Notice
	if err := f.Check(); !errors.Is(err, store.ErrCopied) {
		return f, err
	}
	return f, nil // it has no sessions any more
}

// FromAStore reports whether c comes from a store on disk.
func FromAStore(c Correlations) bool {
	_, ok := c.(stored)
	return ok || Kept(c) != nil
}

// UsesStore reports whether sessions of provider p may come from a store on disk.
func UsesStore(p Provider) bool {
	switch p := p.(type) {
	case fromStore, fromStoreOrDealer:
		return true
	case betweenParties:
		return p.kept != nil || p.made != nil
	}
	return false
}

// FromStore returns the provider of a party that takes its correlations from the store s.
func FromStore(s Store) Provider { return fromStore{s} }

type fromStore struct{ Store }

// Sessions lists the sessions that are ready for the request. It first removes the sessions of a store
// that is an older copy, and marks sessions as spent that earlier runs began and did not end.
func (s fromStore) Sessions(o *Request) ([]correlation.SessionID, error) {
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	crashed, err := f.Recover()
	for _, id := range crashed {
		s.Notice(fmt.Sprintf("session %v was begun by an earlier run that did not end: the session is spent and skipped", id))
	}
	if err != nil {
		return nil, err
	}
	return f.Find(o.Terms)
}

func (s fromStore) Begin(id correlation.SessionID, o *Request) (Correlations, error) {
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	var manifest *correlation.Manifest
	if s.Corrected {
		manifest = o.Manifest
	}
	x, err := f.Begin(id, o.Terms, manifest)
	if errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrCopied) {
		return nil, fmt.Errorf("%w: %w", ErrTaken, err)
	}
	if err != nil {
		return nil, err
	}
	return stored{x}, nil
}

func (s fromStore) Prepare(Correlations, []*Request) ([]Correlations, error) {
	return nil, problem.Refusef("a store cannot extend a session with further requests")
}

// stored are correlations from a store, where all of them are present.
type stored struct{ *store.Session }

func (s stored) Seed() ring.Seed                      { return s.Session.Seed() }
func (s stored) Corrections() correlation.Corrections { return s.Session }
func (s stored) Result() any                          { return nil }
func (s stored) Ready(context.Context) error          { return nil }
func (s stored) Finish(context.Context) error         { return nil }
func (s stored) Complete(context.Context) error       { return nil }
func (s stored) Close() error                         { return s.Session.Close() }
func (s stored) Took() time.Duration                  { return 0 }

// FromStoreOrDealer returns the provider of a party that takes its correlations from the store s if all parties
// have a common session there, and otherwise from live, a provider that FromDealer has made.
func FromStoreOrDealer(s Store, live Provider) Provider { return fromStoreOrDealer{fromStore{s}, live} }

type fromStoreOrDealer struct {
	stored fromStore
	live   Provider
}

func (e fromStoreOrDealer) Sessions(o *Request) ([]correlation.SessionID, error) {
	live, err := e.live.Sessions(o)
	if err != nil {
		return nil, err
	}
	ids, err := e.stored.Sessions(o)
	if err != nil && !errors.As(err, new(*store.MissingError)) {
		return nil, err
	}
	return append(ids[:min(len(ids), MaxOffered-len(live))], live...), nil
}

func (e fromStoreOrDealer) Begin(id correlation.SessionID, o *Request) (Correlations, error) {
	live, err := e.live.Sessions(o)
	if err != nil {
		return nil, err
	}
	if id == live[0] {
		return e.live.Begin(id, o)
	}
	return e.stored.Begin(id, o)
}

// Prepare asks the dealer: services take nothing from stores.
func (e fromStoreOrDealer) Prepare(first Correlations, requests []*Request) ([]Correlations, error) {
	return e.live.Prepare(first, requests)
}
