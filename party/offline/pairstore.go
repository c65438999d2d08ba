package offline

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// PairStore is where one party keeps what sessions leave for later sessions with the same computing parties, or what was
// made ahead of time for sessions of one program: a store, each session of which has what one later session begins with.
//
// A session is used as those of other stores are: it is marked as begun, durably, before anything that depends on it is
// sent, and destroyed at the end, so that no counter, key or transfer of it serves a second session, whatever crashes.
// What it leaves is a new session with an id of its own, the same at all parties, which each party writes without waiting
// for the others: the parties use only ids that all of them have. If a folder is restored from a backup, the party's
// memory or another party's knows a newer mark of it, and it is emptied (package store).
type PairStore struct {
	Store
	Rank    int
	Parties []string          // the session's parties, in the order of ranks
	Terms   map[string]string // what the parties of a session must have in common
	Keeping *protocol.Keeping
	// Age is the largest age of what is used: keys and extensions older than that are removed. 0 is any age.
	Age time.Duration
}

// keptSession is a session of a PairStore that has begun.
type keptSession interface{ Close() error }

// mostPairStates is the largest number of sessions that are kept for the same parties: as many runs can begin with one
// at the same time. The oldest are removed.
const mostPairStates = 8

// sessions lists the sessions that this run could begin with, the newest first. It removes those that it cannot.
func (k *PairStore) sessions() ([]correlation.SessionID, error) {
	f, err := k.Create()
	if err != nil {
		return nil, err
	}
	if _, err := f.Recover(); err != nil { // begun by runs that crashed: spent
		return nil, err
	}
	if _, err := f.RemoveUnfinished(); err != nil {
		return nil, err
	}
	if err := f.Forget(time.Now().Add(-2 * k.Age)); err != nil {
		return nil, err
	}
	ids, err := f.Find(k.Terms)
	if err != nil && !errors.As(err, new(*store.MissingError)) {
		return nil, err
	}
	slices.Reverse(ids)
	var out []correlation.SessionID
	for _, id := range ids {
		why := "there are newer ones"
		if len(out) < mostPairStates {
			if _, why = k.peek(f, id); why == "" {
				out = append(out, id)
				continue
			}
		}
		if err := k.drop(f, id, why); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ready lists the sessions that were made ahead of time for this run, the oldest first; if there are none, the error is a
// *store.MissingError.
func (k *PairStore) ready() ([]correlation.SessionID, error) {
	return fromStore{k.Store}.Sessions(&Request{Terms: k.Terms})
}

// of returns the store with the terms of a request.
func (k *PairStore) of(o *Request) *PairStore {
	s := *k
	s.Terms = o.Terms
	return &s
}

// Has reports whether a session is in the store, or was.
func (k *PairStore) Has(id correlation.SessionID) bool {
	f, err := store.Open(k.Path, k.Party)
	return err == nil && f.Has(id)
}

// peek reads a session that is ready, or returns why it cannot be used.
func (k *PairStore) peek(f *store.Folder, id correlation.SessionID) (kept protocol.Kept, why string) {
	_, data, err := f.Peek(id)
	if err == nil {
		kept, err = k.Keeping.Decode(k.Rank, data)
	}
	if err != nil {
		return nil, err.Error()
	}
	if age := time.Since(kept.Made()); k.Age > 0 && age > k.Age {
		return nil, fmt.Sprintf("its keys are older than %v", k.Age)
	}
	return kept, ""
}

func (k *PairStore) drop(f *store.Folder, id correlation.SessionID, why string) error {
	_, err := f.Drop(id)
	if err == nil {
		k.Notice(fmt.Sprintf("pair state %v is removed: %s", id, why))
	}
	return err
}

// Peek returns what the party has kept as a session that is ready, for a plan; ok is false if there is no such session.
func (k *PairStore) Peek(id correlation.SessionID) (kept protocol.Kept, ok bool) {
	f, err := store.Open(k.Path, k.Party)
	if err != nil {
		return nil, false
	}
	kept, why := k.peek(f, id)
	return kept, why == ""
}

// Offered returns the ids that Sessions would offer, without a change of the folder.
func (k *PairStore) Offered() []correlation.SessionID {
	f, err := store.Open(k.Path, k.Party)
	if err != nil {
		return nil
	}
	entries, err := f.Entries()
	if err != nil {
		return nil
	}
	var out []correlation.SessionID
	for _, e := range slices.Backward(entries) {
		if e.State != store.Ready || len(out) == mostPairStates {
			continue
		}
		h, _, err := f.Peek(e.Session)
		if err != nil || !maps.Equal(h.Terms, k.Terms) {
			continue
		}
		if _, why := k.peek(f, e.Session); why == "" {
			out = append(out, e.Session)
		}
	}
	return out
}

// Prune removes sessions that this party has offered and another computing party lacks: no run can use them. Those that
// the other one is using or has just used are among them.
func (k *PairStore) Prune(offered, common []correlation.SessionID) error {
	f, err := k.Open()
	if err != nil {
		return err
	}
	for _, id := range offered {
		if !slices.Contains(common, id) {
			if _, err := f.Drop(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin takes a session.
func (k *PairStore) begin(id correlation.SessionID) (keptSession, protocol.Kept, error) {
	f, err := k.Open()
	if err != nil {
		return nil, nil, err
	}
	s, data, err := f.BeginWhole(id, k.Terms)
	if errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrCopied) {
		return nil, nil, fmt.Errorf("%w: %w", ErrTaken, err)
	}
	if err != nil {
		return nil, nil, err
	}
	kept, err := k.Keeping.Decode(k.Rank, data)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return s, kept, nil
}

// keep writes what the phase of session id has left. A failure is a notice: the next session begins with nothing.
func (k *PairStore) keep(id correlation.SessionID, o *Request, result any) {
	data := k.Keeping.Next(result)
	if data == nil {
		return
	}
	w, err := k.New(next(id, o), "pair state", data)
	if err == nil {
		err = w.Publish()
	}
	if err != nil {
		k.Notice(fmt.Sprintf("warning: nothing of this session can be kept for a later one: %v", err))
	}
}

// New writes a session, which is there for runs once the writer publishes it. program is a name for lists of sessions.
func (k *PairStore) New(id correlation.SessionID, program string, data []byte) (*store.Writer, error) {
	f, err := k.Create()
	if err != nil {
		return nil, err
	}
	return f.NewWhole(&store.Header{
		Session: id, Party: k.Party, Parties: k.Parties, Made: time.Now().Truncate(time.Second), Program: program, Terms: k.Terms,
	}, data)
}

// next returns the id of what session id leaves: the same at all parties, and drawn at the same time by its own account.
func next(id correlation.SessionID, o *Request) correlation.SessionID {
	h := sha256.New()
	h.Write([]byte("tacet: the session after"))
	h.Write(id[:])
	h.Write(o.Common[:])
	copy(id[6:], h.Sum(nil))
	return id
}
