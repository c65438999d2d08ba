package dealer

import (
	"bytes"
	"errors"
	"regexp"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ring"
)

// later returns order's manifest with ids of the correlation request turn.
func later(turn uint64, requests, n int) *correlation.Manifest {
	f := order(requests, n)
	x := correlation.NewFresh(turn<<32|1, ring.Z(64), n)
	for i, r := range f.Requests {
		r.ID = correlation.ID(turn<<32 | uint64(2+i))
		r.Factors = []correlation.Factor{{Mask: x}, {Mask: x}}
	}
	return f
}

// take receives a manifest's corrections at every party that gets any.
func take(t *testing.T, all []*remote.Session) []byte {
	t.Helper()
	var got bytes.Buffer
	if err := all[1].Receive(func(id correlation.ID, data []byte) {
		correlation.WriteRecord(&got, correlation.SessionID{}, id,
			data)
	}); err != nil {
		t.Fatal(err)
	}
	return got.Bytes()
}

// joinAll joins a session as all of its parties, with further correlation requests announced.
func (h *testDealer) joinAll(id byte, f *correlation.Manifest) []*remote.Session {
	h.t.Helper()
	s := table(id)
	s.Service = true
	all := make([]*remote.Session, len(names))
	var seated sync.WaitGroup
	for rank := range names {
		seated.Go(func() { all[rank] = h.mustSit(s, rank, f) })
	}
	seated.Wait()
	return all
}

// TestRequests checks that several manifests of one session are dealt one after the other, from the same
// seeds, before the parties leave.
func TestRequests(t *testing.T) {
	h := newHouse(t, shortLimits)
	forms := []*correlation.Manifest{{}, later(1, 3, 100), later(2, 0, 0), later(3, 5, 20_000)}
	all := h.joinAll(1, forms[0])
	var seeds []ring.Seed
	for _, s := range all {
		seeds = append(seeds, s.Seed())
	}
	for turn, f := range forms {
		if turn > 0 {
			for _, s := range all {
				if err := s.Next(f); err != nil {
					t.Fatal(err)
				}
			}
		}
		var want bytes.Buffer
		if err := correlation.NewLocal(2, seeds).Deal(t.Context(), f, func(id correlation.ID, data []byte) error {
			return correlation.WriteRecord(&want, correlation.SessionID{}, id, data)
		}); err != nil {
			t.Fatal(err)
		}
		if got := take(t, all); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("turn %d: %d bytes are dealt, which are not the %d that belong to it", turn, len(got), want.Len())
		}
	}
	for _, s := range all {
		s.Close()
	}
}

// TestRequestsFail checks that all parties learn what ends a session with several requests, and that the
// message names the party.
func TestRequestsFail(t *testing.T) {
	for name, c := range map[string]struct {
		next func(all []*remote.Session)
		want string
	}{
		"an earlier id": {func(all []*remote.Session) {
			for _, s := range all {
				s.Next(later(1, 3, 100))
			}
		}, "id was used before"},
		"different orders": {func(all []*remote.Session) {
			for rank, s := range all {
				s.Next(later(2, 3, 100+rank/2))
			}
		}, "differ in correlation manifest"},
		"somebody leaves": {func(all []*remote.Session) {
			all[0].Next(later(2, 3, 100))
			all[2].Close()
			all[1].Next(later(2, 3, 100))
		}, "carol left before .*: its run has ended$"}, // whichever the dealer reads first, alice's manifest or that carol left
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, shortLimits)
			all := h.joinAll(2, later(1, 3, 100))
			take(t, all)
			c.next(all)
			for _, s := range all[:2] {
				<-s.Done()
				if err := s.Err(); err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
					t.Errorf("heard %v, want %q", err, c.want)
				}
				if said := new(remote.EndError); name == "somebody leaves" && (!errors.As(s.Err(), &said) || !said.FromOtherParty()) {
					t.Errorf("%v is not said to come from another party, which alone knows why", s.Err())
				}
			}
		})
	}
}
