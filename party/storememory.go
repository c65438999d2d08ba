package party

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party/offline"
)

// witness compares a party's store with what the other parties remember of its uses, and remembers the
// uses of theirs. If all parties' stores were restored from a backup but one party's memory was not, no
// session is used twice.
type witness struct {
	// folder is the party's store, nil if it has none, pair that of its pair state; marks are how far they have been used,
	// before the hello.
	folder, pair         *store.Folder
	mark, pairMark, used *store.Mark // used is that of the one from which the session was taken
	// peers are the newest marks of the other parties that have a store, by rank.
	peers map[int]store.Mark
	older error // not nil if another party has shown that folder was an older copy
	// peerOlder says that another party's pair state was an older copy, as this party remembers.
	peerOlder bool
}

// newWitness returns the witness of a party that may take its session from a store and has a memory, else
// nil.
func (s *session) newWitness() (w *witness, err error) {
	if s.spec.StoreMemory == nil || !offline.UsesStore(s.provider) {
		return nil, nil
	}
	w = &witness{peers: map[int]store.Mark{}}
	if s.spec.Store != "" {
		if w.folder, w.mark, err = opened(s.store().Open()); err != nil {
			return nil, err
		}
	}
	if p := s.pairStore(); p != nil {
		if w.pair, w.pairMark, err = opened(p.Open()); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// opened returns a folder, nil if there is none, and its mark.
func opened(f *store.Folder, err error) (*store.Folder, *store.Mark, error) {
	if errors.As(err, new(*store.MissingError)) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	mark, err := f.Proven()
	return f, &mark, err
}

// fillHello adds to a hello how far the party's store has been used, and how far the receiver's, as the
// party remembers.
func (s *session) fillHello(h *hello, to int) {
	if s.witness != nil {
		h.Store, h.Pair, h.Known = s.witness.mark, s.witness.pairMark, s.spec.StoreMemory.Known(s.spec.Parties[to])
	}
}

// compareStore checks the party's store against another party's hello. A store with fewer uses than the
// other party remembers is an older copy: its sessions are removed. The run goes on with the dealer, unless
// the first party chooses one of them.
func (s *session) compareStore(from int, h hello) error {
	w := s.witness
	if w == nil {
		return nil
	}
	for _, mark := range []*store.Mark{h.Store, h.Pair} {
		if mark != nil {
			w.peers[from] = *mark
		}
	}
	if h.Pair != nil {
		for _, known := range s.spec.StoreMemory.Known(s.spec.Parties[from]) {
			w.peerOlder = w.peerOlder || known.Generation == h.Pair.Generation && known.Uses > h.Pair.Uses
		}
	}
	if w.pair != nil { // an older copy is emptied, and the session makes new keys
		if err := w.pair.CheckPeer(s.spec.Parties[from], h.Known); err != nil && !errors.Is(err, store.ErrCopied) {
			return err
		}
	}
	if w.folder == nil {
		return nil
	}
	err := w.folder.CheckPeer(s.spec.Parties[from], h.Known)
	if errors.Is(err, store.ErrCopied) { // the other parties may get this error, without the folder's path
		w.older = fmt.Errorf("the store of %s was %w: %s remembers that more sessions of it were used. The store's sessions are removed; run the job again",
			s.spec.Parties[s.rank], store.ErrCopied, s.spec.Parties[from])
		return nil
	}
	return err
}

// beginError returns why a session that the first party chose cannot begin: err, or that the store was an
// older copy.
func (s *session) beginError(err error) error {
	if s.witness != nil && s.witness.older != nil {
		return s.witness.older
	}
	return err
}

// begun is the message of a party that has begun a session, to one whose hello had the mark of a store.
type begun struct {
	Session string
	Store   store.Mark // the sender's, with this use
}

// usesStore reports whether the session that the party has begun is from its store, and it remembers uses.
func (s *session) usesStore() bool {
	return s.witness != nil && offline.FromAStore(s.correlations)
}

// begunMessage returns what the party tells another one about the session that it has begun: its id, and
// how far the party's store has been used now.
func (s *session) begunMessage(to int) any {
	id := s.sessionID.String()
	if !s.usesStore() {
		return id
	}
	if _, ok := s.witness.peers[to]; !ok {
		return id
	}
	return begun{id, *s.witness.used}
}

// readBegun reads another party's begunMessage and returns the session's id.
func (s *session) readBegun(from int, data []byte) (id string, err error) {
	if json.Unmarshal(data, &id) == nil {
		return id, nil
	}
	var b begun
	if err := json.Unmarshal(data, &b); err != nil {
		return "", err
	}
	if s.usesStore() {
		s.witness.peers[from] = b.Store
	}
	return b.Session, nil
}

// updateMark reads the mark of the party's store again, once it has begun a session from there.
func (s *session) updateMark() error {
	if !s.usesStore() {
		return nil
	}
	f := s.witness.folder
	if p := s.pairStore(); f == nil || p != nil && p.Has(s.sessionID) {
		f = s.witness.pair
	}
	mark, err := f.Proven()
	s.witness.used = &mark
	return err
}

// rememberStores remembers how far the other parties' stores have been used, once all parties have begun
// the session.
func (s *session) rememberStores() error {
	if !s.usesStore() {
		return nil
	}
	marks := map[string]store.Mark{}
	for rank, mark := range s.witness.peers {
		marks[s.spec.Parties[rank]] = mark
	}
	return s.spec.StoreMemory.Remember(marks)
}
