package pair

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// run makes the transfers of a demand at both parties, and compares bytes and rounds with a dry run. damage may change
// a message.
func run(t *testing.T, requests []Request, damage func(from int, data []byte) []byte, keys ...KeyRequest) ([2]*Material, error) {
	t.Helper()
	m, _, err := session(t, [2]*State{}, false, requests, damage, keys...)
	return m, err
}

// session is run of a session that begins with what both parties have kept, if anything, and keeps something if keep. It
// also returns the number of bytes that both parties sent.
func session(
	t *testing.T, kept [2]*State, keep bool, requests []Request, damage func(from int, data []byte) []byte, keys ...KeyRequest,
) ([2]*Material, int64, error) {
	t.Helper()
	var sent atomic.Int64
	ends := link.Memory(2)
	defer func() {
		for _, e := range ends {
			e.Close()
		}
	}()
	var out [2]*Material
	var errs [2]error
	var wg sync.WaitGroup
	for rank := range 2 {
		d := &Demand{}
		for _, r := range requests {
			d.Add(r)
		}
		for i, k := range keys { // sizes are the largest, orders all
			d.AddKeys(k, KeySizes{Public: 40 + i, Switch: 90, Orders: []int{64, 16}[:min(1, k.Set)]})
			d.AddKeys(k, KeySizes{Public: 41, Switch: 80, Orders: []int{16, 64}[:min(1, k.Set)]})
		}
		c := protocol.Config{Rank: rank, Computing: 2, Demand: d, Common: ring.Seed{1}, First: 3, Keep: keep}
		if kept[rank] != nil {
			c.Kept = kept[rank]
		}
		planned := &flow.Account{}
		dry := flow.NewDryRun(link.Offline, planned)
		Phase(ot.Curve()).Run(dry, c, nil)
		if err := dry.Wait(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			account := &flow.Account{}
			g := flow.New(t.Context(), link.Offline, tap{ends[rank], damage}, account)
			made := Phase(ot.Curve()).Run(g, c, nil).(*flow.Future[*Material])
			if errs[rank] = g.Wait(); errs[rank] != nil {
				ends[rank].Abort("stopped")
				return
			}
			out[rank] = made.Get()
			sent.Add(account.Bytes.Load())
			if account.Bytes.Load() != planned.Bytes.Load() || g.Rounds() != dry.Rounds() {
				t.Errorf("rank %d sent %d bytes in %d rounds, planned %d in %d", rank, account.Bytes.Load(), g.Rounds(), planned.Bytes.Load(), dry.Rounds())
			}
		})
	}
	wg.Wait()
	return out, sent.Load(), errors.Join(errs[:]...)
}

// tap is a link that damages messages.
type tap struct {
	*link.Endpoint
	damage func(from int, data []byte) []byte
}

func (l tap) Send(to int, k link.Key, clock int32, data []byte) {
	if l.damage != nil {
		data = l.damage(l.Rank(), data)
	}
	l.Endpoint.Send(to, k, clock, data)
}

// TestTransfers checks every request's transfers: the receiver has the string that it chose, and no block serves twice.
func TestTransfers(t *testing.T) {
	for name, requests := range map[string][]Request{
		"none":                nil,
		"one direction":       {{ID: 1, Receiver: 0, N: 5}, {ID: 2, Receiver: 0, N: 100}},
		"other direction":     {{ID: 1, Receiver: 1, N: 70}},
		"several batches":     {{ID: 1, Receiver: 0, N: 3}, {ID: 2, Receiver: 1, N: 65}, {ID: 3, Receiver: 0, N: ot.MaxBatch + 10}, {ID: 4, Receiver: 1, N: 0}},
		"a round":             {{ID: 1, Receiver: 0, N: 160_000}, {ID: 2, Receiver: 1, N: 65}, {ID: 3, Receiver: 0, N: 90}},
		"two rounds each way": {{ID: 1, Receiver: 0, N: 900_000}, {ID: 2, Receiver: 1, N: 800_000}, {ID: 3, Receiver: 1, N: 100_000}},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "two rounds") && os.Getenv("TACET_TEST_CHEETAH") != "all" {
				t.Skip("it takes long (TACET_TEST_CHEETAH=all runs it)")
			}
			m, err := run(t, requests, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkTransfers(t, m, requests, map[uint64]bool{})
			for rank := range m {
				for _, b := range m[rank].received {
					if b.left != 0 || b.t != nil {
						t.Errorf("rank %d keeps %d transfers that were used", rank, b.left)
					}
				}
			}
		})
	}
}

// checkTransfers checks that the receiver of each request has the strings that it chose, that seen has none of the strings,
// and that no request is served twice. It adds the strings to seen.
func checkTransfers(t *testing.T, m [2]*Material, requests []Request, seen map[uint64]bool) {
	t.Helper()
	for _, r := range requests {
		got, err := m[r.Receiver].Received(r.ID, r.N)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := m[1-r.Receiver].Sent(r.ID, r.N)
		if err != nil {
			t.Fatal(err)
		}
		zero, one := sent.Words(0, r.N, 0, 1)
		for i, w := range got.Words(0, r.N, 0, 1) {
			want, other := zero[i], one[i]
			if got.Choices.Get(i) == 1 {
				want, other = one[i], zero[i]
			}
			if w != want || w == other || seen[want] || seen[other] {
				t.Fatalf("request %d, transfer %d: %x of %x and %x", r.ID, i, w, zero[i], one[i])
			}
			seen[want], seen[other] = true, true
		}
		if _, err := m[r.Receiver].Received(r.ID, r.N); !errors.Is(err, ErrSpent) {
			t.Errorf("request %d is given twice: %v", r.ID, err)
		}
		if _, err := m[1-r.Receiver].Sent(r.ID, r.N); !errors.Is(err, ErrSpent) {
			t.Errorf("request %d is given twice: %v", r.ID, err)
		}
	}
}

// TestDamaged wants an error of every message that is cut, and of points that are none.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func(from int, data []byte) []byte{
		"a point that is none": func(_ int, data []byte) []byte {
			if len(data) == ot.PointBytes {
				return bytesOf(255, ot.PointBytes)
			}
			return data
		},
		"a reply without points": func(from int, data []byte) []byte {
			if from == 1 && len(data) == ot.BaseReplyBytes {
				return bytesOf(255, ot.BaseReplyBytes)
			}
			return data
		},
	} {
		if _, err := run(t, []Request{{ID: 1, Receiver: 0, N: 5}}, damage); !errors.Is(err, ot.ErrMessage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, size := range []int{ot.PointBytes, ot.BaseReplyBytes, ot.BatchBytes(64)} {
		_, err := run(t, []Request{{ID: 1, Receiver: 0, N: 5}}, func(_ int, data []byte) []byte {
			if len(data) == size {
				return data[:size-1]
			}
			return data
		})
		if err == nil {
			t.Errorf("a message of %d bytes was cut, and nobody noticed", size)
		}
	}
}

func bytesOf(b byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = b
	}
	return out
}

// TestDemand checks what a demand refuses, and that its digest depends on each field.
func TestDemand(t *testing.T) {
	one := func(r Request) *Demand {
		d := &Demand{}
		d.Add(r)
		return d
	}
	base := one(Request{ID: 1, Receiver: 0, N: 5})
	base.Add(Request{ID: 1, Receiver: 0, N: 5})
	if base.total[0] != 5 || one(Request{ID: 1, Receiver: 1, N: 3200}).HeldBytes() != 3200*16+200 {
		t.Errorf("a request that is there already counts twice, or a transfer takes no block: %v", base.total)
	}
	for _, r := range []Request{{ID: 2, Receiver: 0, N: 5}, {ID: 1, Receiver: 1, N: 5}, {ID: 1, Receiver: 0, N: 6}} {
		if one(r).Digest() == base.Digest() {
			t.Errorf("%+v has the digest of another demand", r)
		}
	}
	for _, r := range []Request{{ID: 1, Receiver: 0, N: 6}, {ID: 3, Receiver: 2, N: 1}, {ID: 4, Receiver: -1, N: 1}, {ID: 5, N: -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is accepted", r)
				}
			}()
			base.Add(r)
		}()
	}
}

// TestMaterialIsBound checks that transfers are given in the size and direction that the request has only.
func TestMaterialIsBound(t *testing.T) {
	m := &Material{rank: 0, at: map[uint64]place{7: {receiver: 0, lo: 0, n: 4}}}
	if _, err := m.Received(7, 5); !errors.Is(err, ErrSpent) {
		t.Errorf("another size: %v", err)
	}
	if _, err := m.Sent(7, 4); !errors.Is(err, ErrSpent) {
		t.Errorf("another direction: %v", err)
	}
	if _, err := m.Received(8, 4); !errors.Is(err, ErrSpent) {
		t.Errorf("another id: %v", err)
	}
}

// TestRandomnessFails checks that a failing source of randomness ends the phase.
func TestRandomnessFails(t *testing.T) {
	if _, _, err := ot.NewReceiver(make([][2]ot.Block, ot.Bases), io.LimitReader(nil, 0)); err == nil {
		t.Error("trees are made without randomness")
	}
}

// TestKeys makes keys beside transfers and alone, and checks whose they are. Damaged ones are refused by name.
func TestKeys(t *testing.T) {
	keys := []KeyRequest{{Owner: 0, Set: 0}, {Owner: 1, Set: 0}, {Owner: 1, Set: 1}}
	for _, requests := range [][]Request{nil, {{ID: 1, Receiver: 1, N: 5}}} {
		m, err := run(t, requests, nil, keys...)
		if err != nil {
			t.Fatal(err)
		}
		for rank := range m {
			for set := range 2 {
				own, peer := false, false
				for _, k := range keys {
					own = own || k == KeyRequest{rank, set}
					peer = peer || k == KeyRequest{1 - rank, set}
				}
				p := m[rank].Peer(set)
				if (m[rank].Secret(set) != nil) != own || (p.Public != nil) != peer || len(p.Switch) != 2*set*(1-rank) {
					t.Errorf("rank %d, set %d: secret %v, peer's keys %v", rank, set, m[rank].Secret(set) != nil, p)
				}
			}
		}
	}
	if _, err := run(t, nil, func(_ int, data []byte) []byte { return data[1:] }, keys...); err == nil {
		t.Error("keys that are a byte short are taken")
	}
	a, b := &Demand{}, &Demand{}
	a.AddKeys(keys[0], KeySizes{Public: 40})
	b.AddKeys(keys[0], KeySizes{Public: 41})
	if a.Digest() == b.Digest() || a.Digest() == (&Demand{}).Digest() {
		t.Error("digests do not tell keys apart")
	}
}

// TestChains holds chains to what they must make, and their bytes to 15 bits a transfer and to what is published of the
// sets.
func TestChains(t *testing.T) {
	for _, c := range []struct {
		n, most int
		rounds  string
	}{
		{0, 0, ""}, {5, 120, ""}, {60_000, 112_500, ""}, {100_000, 141_000, "b10"}, {200_000, 280_000, "b10"}, {900_000, 420_000, "b10 b10"},
		{2_500_000, 490_000, "b10 b11"}, {11_000_000, 710_000, "b10 b13"}, {28_000_000, 1_100_000, "b10 b13 b13"},
		{33_000_000, 1_350_000, "b10 b13 b13 b11"},
	} {
		x := chainFor(128, c.n, 0, false)
		var names []string
		made, available := 0, x.extended-x.front
		for _, s := range x.rounds {
			names = append(names, s.Name)
			if available < s.Takes() {
				t.Errorf("%d transfers: set %s takes %d of %d", c.n, s.Name, s.Takes(), available)
			}
			if made > 0 {
				made -= s.Takes()
			}
			made += s.Made()
			available = made
		}
		if len(names) == 0 {
			made = available
		}
		if !slices.Equal(names, strings.Fields(c.rounds)) || made < c.n || x.bytes() > c.most+ot.BatchBytes(192) {
			t.Errorf("%d transfers: rounds %v make %d with %d bytes, want %s with %d", c.n, names, made, x.bytes(), c.rounds, c.most)
		}
	}
}
