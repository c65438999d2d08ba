package party

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
)

// TestStoreOffline fills the parties' own stores and runs from them: a session each,
// and from the dealer when none is left.
func TestStoreOffline(t *testing.T) {
	defer goleak.VerifyNone(t)
	const parties = 3
	s := jointSpec(t, "semi2k", parties)
	dir := t.TempDir()
	own := func(rank int) string { return filepath.Join(dir, s.Parties[rank]) }
	fill := func(d *table) []error {
		ends, id, errs := link.Memory(parties), correlation.NewSessionID(), make([]error, parties)
		var all sync.WaitGroup
		for rank := range parties {
			mine := s
			mine.Program, mine.Args, mine.Store = parsedJoint(t), slices.Clone(s.Args), own(rank)
			for i := range mine.Args {
				mine.Args[i].Data = nil
			}
			all.Go(func() {
				errs[rank] = StoreOffline(t.Context(), mine, Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: d})
				ends[rank].Close()
			})
		}
		all.Wait()
		return errs
	}
	if err := errors.Join(fill(newTable(parties, parties))...); err != nil {
		t.Fatal(err)
	}
	d := newTable(parties, parties)
	d.fails = errors.New("out of randomness")
	for rank, err := range fill(d) {
		if err == nil {
			t.Errorf("party %d has filled its store from a dealer that fails", rank)
		}
	}
	for rank := range parties {
		f, err := store.Open(own(rank), s.Parties[rank])
		if err != nil {
			t.Fatal(err)
		}
		entries, err := f.Entries()
		if err != nil || len(entries) != 1 || entries[0].State != store.Ready {
			t.Errorf("party %d has %v, %v; want one session that is ready", rank, entries, err)
		}
	}
	var used []string
	for range 2 {
		outs, errs := jointly(t, s, link.Memory(parties), newTable(parties, parties), func(rank int, s *Spec) { s.Store = own(rank) })
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		used = append(used, outs[0].Report.Offline.Session)
	}
	if used[0] == "" || used[1] != "" {
		t.Errorf("the runs used stored sessions %q, want one and then none", used)
	}
	if _, errs := jointly(t, s, link.Memory(parties), nil, func(rank int, s *Spec) { s.Store = own(rank) }); errs[0] == nil ||
		!strings.Contains(errs[0].Error(), "no session") {
		t.Errorf("without a dealer and with an empty store: %v", errs)
	}
}
