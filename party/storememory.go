package party

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
)

// openStore opens a party's folder of the store. If the folder is an older copy of itself, its sessions
// are removed.
func (s *Spec) openStore(rank int) (*store.Folder, error) {
	f, err := store.Open(s.Store, s.Parties[rank])
	if err != nil {
		return nil, err
	}
	return f, s.checkStore(f)
}

// createStore is openStore that makes the folder if it does not exist.
func (s *Spec) createStore(rank int) (*store.Folder, error) {
	f, err := store.Create(s.Store, s.Parties[rank])
	if err != nil {
		return nil, err
	}
	return f, s.checkStore(f)
}

func (s *Spec) checkStore(f *store.Folder) error {
	f.Memory, f.Notice = s.StoreMemory, s.notice
	if err := f.Check("", nil); !errors.Is(err, store.ErrCopied) {
		return err
	}
	return nil // it has no sessions any more
}

// witness compares a party's store with what the other parties remember of its uses, and remembers the
// uses of theirs. If all parties' stores were restored from a backup but one party's memory was not, no
// session is used twice.
type witness struct {
	folder *store.Folder      // nil if the party has no store
	mark   *store.Mark        // of folder, before the hello
	peers  map[int]store.Mark // marks of the other parties, by rank
}

// newWitness returns the witness of a party that may take its session from a store and has a memory, else
// nil.
func (s *session) newWitness() (*witness, error) {
	switch s.provider.(type) {
	case storeProvider, storeOrDealerProvider:
	default:
		return nil, nil
	}
	if s.spec.StoreMemory == nil {
		return nil, nil
	}
	w := &witness{peers: map[int]store.Mark{}}
	f, err := s.spec.openStore(s.rank)
	if errors.As(err, new(*store.MissingError)) {
		return w, nil
	}
	if err != nil {
		return nil, err
	}
	mark, err := f.Mark()
	w.folder, w.mark = f, &mark
	return w, err
}

// fillHello adds to a hello how far the party's store has been used, and how far the receiver's, as the
// party remembers.
func (s *session) fillHello(h *hello, to int) {
	if s.witness != nil {
		h.Store, h.Known = s.witness.mark, s.spec.StoreMemory.Known(s.spec.Parties[to])
	}
}

// compareStore checks the party's store against another party's hello. A store with fewer uses than the
// other party remembers is an older copy: its sessions are removed, and the run ends.
func (s *session) compareStore(from int, h hello) error {
	w := s.witness
	if w == nil {
		return nil
	}
	if h.Store != nil {
		w.peers[from] = *h.Store
	}
	if w.folder == nil {
		return nil
	}
	err := w.folder.Check(s.spec.Parties[from], h.Known)
	if errors.Is(err, store.ErrCopied) { // the other parties get this error, without the folder's path
		return fmt.Errorf("party: the store of %s was %w: %s remembers that more sessions of it were used. The store's sessions are removed; run the job again",
			s.spec.Parties[s.rank], store.ErrCopied, s.spec.Parties[from])
	}
	return err
}

// rememberStores remembers how far the other parties' stores have been used, once all parties have begun
// the session.
func (s *session) rememberStores() error {
	if _, stored := s.correlations.(storedCorrelations); !stored || s.witness == nil {
		return nil
	}
	for rank, mark := range s.witness.peers {
		mark.Uses++ // this session, at least
		if err := s.spec.StoreMemory.Remember(s.spec.Parties[rank], mark); err != nil {
			return err
		}
	}
	return nil
}
