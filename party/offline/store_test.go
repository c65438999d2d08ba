package offline

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// product is a request for one product of two values.
func product() *Request {
	x := correlation.NewFresh(1, ring.Z(64), 8)
	return &Request{
		Manifest: &correlation.Manifest{Requests: []*correlation.Request{
			{ID: 2, Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}, {Mask: x}}, Out: x.Ring, N: x.N},
		}},
		Terms: map[string]string{"program": "a product"}, MaxTail: time.Second,
	}
}

// dealTo deals sessions for a request into new stores of parties a, b, …, and returns their path.
func dealTo(t *testing.T, parties, computing int, dealing *protocol.Dealing, o *Request, sessions int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store")
	var folders []*store.Folder
	for i := range parties {
		f, err := store.Create(path, string(rune('a'+i)))
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, f)
	}
	for range sessions {
		if _, err := DealToStores(t.Context(), folders, computing, dealing, "product.mlir", o, func(int64) {}); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestDealToStores checks that corrections and seeds of a stored session are those that a dealer
// with these seeds makes, and that only the party that receives corrections has them.
func TestDealToStores(t *testing.T) {
	for name, c := range map[string]struct {
		parties, computing int
		dealing            *protocol.Dealing
	}{"outside dealer": {3, 2, nil}, "dealing party": {3, 2, aby3.Protocol.Dealing}} {
		o := product()
		path := dealTo(t, c.parties, c.computing, c.dealing, o, 1)
		var seeds []ring.Seed
		var got []byte
		for rank, party := range []string{"a", "b", "c"} {
			p := FromStore(Store{Path: path, Party: party, Corrected: rank == c.computing-1, Notice: func(text string) { t.Error(text) }})
			ids, err := p.Sessions(o)
			if err != nil || len(ids) != 1 {
				t.Fatalf("%s: %s has %v, %v", name, party, ids, err)
			}
			m, err := p.Begin(ids[0], o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Begin(ids[0], o); !errors.Is(err, ErrTaken) {
				t.Errorf("%s: %s begins a session twice: %v", name, party, err)
			}
			if _, err := p.Prepare(m, []*Request{o}); err == nil {
				t.Errorf("%s: a store prepares further requests", name)
			}
			seeds = append(seeds, m.Seed())
			data, err := m.Corrections().Take(2)
			if rank == c.computing-1 {
				if got = data; err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else if err == nil {
				t.Errorf("%s: %s has a correction", name, party)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
		if c.dealing != nil {
			all := c.dealing.Seeds(seeds[c.dealing.Rank], c.parties)
			for rank := range c.computing {
				if seeds[rank] != all[rank] {
					t.Errorf("%s: rank %d has another seed than the party that deals", name, rank)
				}
			}
		}
		err := correlation.NewLocal(c.computing, seeds).Deal(t.Context(), o.Manifest, func(_ correlation.ID, want []byte) error {
			if !slices.Equal(got, want) {
				t.Errorf("%s: correction %x, want %x", name, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFromStoreOrDealer checks that stored sessions are offered first, the dealer's last, within
// MaxOffered.
func TestFromStoreOrDealer(t *testing.T) {
	o := product()
	path := dealTo(t, 2, 2, nil, o, 2)
	live := remote.Participant{Session: correlation.SessionID{255}, Parties: []string{"a", "b"}, Computing: 2}
	for party, want := range map[string]int{"a": 3, "z": 1} { // z has no store
		p := FromStoreOrDealer(Store{Path: path, Party: party, Notice: func(string) {}}, FromDealer(t.Context(), nil, live))
		ids, err := p.Sessions(o)
		if err != nil || len(ids) != want || ids[want-1] != live.Session {
			t.Errorf("%s: %v, %v; want %d sessions", party, ids, err, want)
		}
	}
}
