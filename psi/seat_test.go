package psi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/dealer"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/ring"
)

// served is the connection of a party to a dealer daemon in this process.
type served struct {
	*dealer.Dealer
	name  string
	calls *sync.WaitGroup
}

func (d served) Begin(ctx context.Context, self remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	a, b := net.Pipe()
	d.calls.Go(func() { d.Serve(b, d.name) })
	return remote.Open(ctx, a, self, f, link.Heartbeat{})
}

// seats runs a join of two parties, each at its seat, with a dealer daemon. terms are each party's.
func seats(t *testing.T, terms [2]map[string]string, run func(ctx context.Context, seat Seat) error) [2]error {
	t.Helper()
	names := []string{"alice", "bob"}
	d := dealer.New(names, dealer.Limits{
		Sessions: 4, Memory: 1 << 30, Manifest: 1 << 20, Wait: 30 * time.Second, Drain: time.Second,
	}, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	var calls, parties sync.WaitGroup
	x, y := net.Pipe()
	ends := []*link.Endpoint{link.NewEndpoint(0, []io.ReadWriteCloser{nil, x}), link.NewEndpoint(1, []io.ReadWriteCloser{y, nil})}
	id := correlation.NewSessionID()
	var out [2]error
	for rank, end := range ends {
		parties.Go(func() {
			out[rank] = run(t.Context(), Seat{
				Rank: rank, Link: end, Session: id, Dealer: served{d, names[rank], &calls}, Terms: terms[rank],
			})
			if out[rank] != nil {
				end.Abort(out[rank].Error())
			} else {
				end.Close()
			}
		})
	}
	parties.Wait()
	over, cancel := context.WithCancel(context.Background())
	cancel()
	d.Close(over)
	calls.Wait()
	return out
}

// TestSeats: two processes intersect and join as one does, with the bytes of the plan, whichever party is the receiver or keeper.
func TestSeats(t *testing.T) {
	agreed := [2]map[string]string{{"key": "text"}, {"key": "text"}}
	for _, method := range []Method{VOLE, ECDH} {
		for _, counts := range [][2]int{{40, 30}, {20, 30}, {0, 5}} {
			sets := [2][]Key{keys(0, counts[0]), keys(10, counts[1])}
			var got [2]*Outcome
			for rank, err := range seats(t, agreed, func(ctx context.Context, seat Seat) (err error) {
				s := Spec{Method: method, Parties: []string{"alice", "bob"}, Keys: make([][]Key, 2)}
				s.Keys[seat.Rank] = sets[seat.Rank]
				got[seat.Rank], err = Join(ctx, s, counts, seat)
				return err
			}) {
				if err != nil {
					t.Fatalf("%v, %v: party %d: %v", method, counts, rank, err)
				}
			}
			a, b := got[0].Rows[0], got[1].Rows[1]
			if want := max(0, min(counts[0], 10+counts[1])-10); len(a) != want || len(b) != want {
				t.Fatalf("%v, %v: %d and %d rows, want %d", method, counts, len(a), len(b), want)
			}
			for i := range a {
				if sets[0][a[i]] != sets[1][b[i]] {
					t.Errorf("%v, %v: rows %d and %d have different keys", method, counts, a[i], b[i])
				}
			}
			for rank, o := range got {
				r, plan := o.Report, o.Report.Predicted
				if !slices.Equal(r.Online.BytesSent, plan.Online.BytesSent) || r.Online.Rounds != plan.Online.Rounds ||
					r.Offline.BytesSent != plan.Offline.BytesSent {
					t.Errorf("%v, %v: party %d measured %+v %+v, planned %+v %+v", method, counts, rank, r.Online, r.Offline, plan.Online, plan.Offline)
				}
			}
		}
	}
	for keeper := range 2 {
		s := hiddenCase(keeper, 64, 2, keys(0, 50), keys(20, 70))
		s.Both = keeper == 1
		var got [2]*HiddenOutcome
		for rank, err := range seats(t, agreed, func(ctx context.Context, seat Seat) (err error) {
			own := s
			own.Keys = make([][]Key, 2)
			own.Keys[seat.Rank] = s.Keys[seat.Rank]
			if seat.Rank == keeper {
				own.Columns, own.Width = nil, 2
			}
			got[seat.Rank], err = JoinHidden(ctx, own, [2]int{50, 70}, seat)
			return err
		}) {
			if err != nil {
				t.Fatalf("keeper %d: party %d: %v", keeper, rank, err)
			}
		}
		clearJoin(t, s, &HiddenOutcome{Shares: [2][]ring.Vec{got[0].Shares[0], got[1].Shares[1]}})
		if s.Both {
			clearMatched(t, s, &HiddenOutcome{Matched: [2]ring.Vec{got[0].Matched[0], got[1].Matched[1]}})
		}
		for rank, o := range got {
			if r, plan := o.Report, o.Report.Predicted; !slices.Equal(r.Online.BytesSent, plan.Online.BytesSent) ||
				r.Offline.BytesSent != plan.Offline.BytesSent {
				t.Errorf("keeper %d: party %d measured %+v %+v, planned %+v %+v", keeper, rank, r.Online, r.Offline, plan.Online, plan.Offline)
			}
		}
	}
}

// TestSeatsDiffer: parties whose terms or sizes differ send nothing that depends on keys, and learn which and whose.
func TestSeatsDiffer(t *testing.T) {
	for name, c := range map[string]struct {
		terms  [2]map[string]string
		counts [2]int
		term   string
	}{
		"kinds": {[2]map[string]string{{"key": "text"}, {"key": "number"}}, [2]int{5, 5}, "key"},
		"sizes": {[2]map[string]string{{"key": "text"}, {"key": "text"}}, [2]int{5, 6}, "join's sizes"},
	} {
		differ := 0
		for rank, err := range seats(t, c.terms, func(ctx context.Context, seat Seat) error {
			s := Spec{Parties: []string{"alice", "bob"}, Keys: [][]Key{keys(0, 5), keys(0, 5)}}
			counts := [2]int{5, 5}
			if counts[0] = c.counts[seat.Rank]; counts[0] == 6 {
				s.Keys[0] = keys(0, 6)
			}
			_, err := Join(ctx, s, counts, seat)
			return err
		}) {
			var term *TermError
			switch {
			case err == nil:
				t.Errorf("%s: party %d has no error", name, rank)
			case errors.As(err, &term):
				if differ++; term.Term != c.term || term.Peer != []string{"bob", "alice"}[rank] {
					t.Errorf("%s: party %d: %v", name, rank, err)
				}
			}
		}
		if differ == 0 {
			t.Errorf("%s: no party says in which term they differ", name)
		}
	}
}

// leaving is a dealer at which a party is lost: before it has a session, or when it has taken what is dealt.
type leaving struct {
	offline.Dealer
	end   *link.Endpoint
	begun bool
}

func (d leaving) Begin(ctx context.Context, self remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	if !d.begun {
		d.end.Close()
		return nil, errors.New("left")
	}
	s, err := d.Dealer.Begin(ctx, self, f)
	return left{s, d.end}, err
}

// left is a session at whose seed the party is lost.
type left struct {
	offline.DealerSession
	end *link.Endpoint
}

func (s left) Seed() ring.Seed {
	s.end.Close()
	return s.DealerSession.Seed()
}

// TestSeatLost: a party that is lost during a join ends it at the other one within seconds, also while that waits for the dealer, whose own
// wait is longer, and the error has its rank.
func TestSeatLost(t *testing.T) {
	for _, begun := range []bool{false, true} {
		for lost := range 2 {
			s := hiddenCase(0, 64, 2, keys(0, 50), keys(20, 70))
			start := time.Now()
			out := seats(t, [2]map[string]string{}, func(ctx context.Context, seat Seat) error {
				own := s
				own.Keys = make([][]Key, 2)
				own.Keys[seat.Rank] = s.Keys[seat.Rank]
				if seat.Rank == 0 {
					own.Columns, own.Width = nil, 2
				}
				if seat.Rank == lost {
					seat.Dealer = leaving{seat.Dealer, seat.Link, begun}
				}
				_, err := JoinHidden(ctx, own, [2]int{50, 70}, seat)
				return err
			})
			var peer *link.PeerError
			if err := out[1-lost]; !errors.As(err, &peer) || peer.Rank != lost {
				t.Errorf("party %d is lost, sessions begun %v: the other one has %v", lost, begun, err)
			}
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("party %d is lost, sessions begun %v: the join took %v to end", lost, begun, d)
			}
		}
	}
}

// TestPairs: four processes on one link intersect their keys with those of the third one, as one process does, with the bytes of the plan.
// Each two have a dealer's session of their own, and all parties are told how many keys match.
func TestPairs(t *testing.T) {
	names := []string{"alice", "bob", "hub", "carol"}
	sets := [][]Key{keys(0, 40), keys(20, 30), keys(10, 60), keys(300, 20)}
	counts := []int{40, 30, 60, 20}
	for _, method := range []Method{VOLE, ECDH} {
		p := Pairs{Method: method, Parties: names, Hub: 2}
		got, sessions := pairSeats(t, p, sets, counts)
		want, err := p.Run(t.Context(), sets)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(want.Matches, []int{30, 30, 0, 0}) {
			t.Fatalf("%v match in one process", want.Matches)
		}
		if n := map[Method]int{VOLE: 3, ECDH: 0}[method]; len(sessions) != n {
			t.Errorf("%v: %d sessions of the dealer, want %d", method, len(sessions), n)
		}
		for rank, o := range got {
			if !slices.Equal(o.Matches, want.Matches) {
				t.Errorf("%v: %s is told that %v match, want %v", method, names[rank], o.Matches, want.Matches)
			}
			for other, r := range o.Reports {
				if r == nil {
					continue
				}
				if !slices.Equal(r.Online.BytesSent, want.Reports[other].Online.BytesSent) || r.Plan != nil ||
					r.Offline.BytesSent != r.Predicted.Offline.BytesSent || !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
					t.Errorf("%v: %s reports %v, want %v", method, names[rank], r.Online, want.Reports[other].Online)
				}
				if own := o.Rows[other]; rank != other && rank != p.Hub && (own[0] != nil || own[1] != nil) {
					t.Errorf("%v: %s learns rows of %s", method, names[rank], names[other])
				}
			}
		}
		for _, other := range p.Others() {
			a, b := got[other].Rows[other][0], got[p.Hub].Rows[other][1]
			if len(a) != want.Matches[other] || len(b) != len(a) {
				t.Fatalf("%v: %d and %d rows of %s", method, len(a), len(b), names[other])
			}
			for i := range a {
				if sets[other][a[i]] != sets[p.Hub][b[i]] {
					t.Errorf("%v: rows %d and %d have different keys", method, a[i], b[i])
				}
			}
		}
	}
}

// recorded records the sessions that a party opens.
type recorded struct {
	served
	mu   *sync.Mutex
	seen map[correlation.SessionID]bool
}

func (r recorded) Begin(ctx context.Context, self remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	r.mu.Lock()
	r.seen[self.Session] = true
	r.mu.Unlock()
	return r.served.Begin(ctx, self, f)
}

// pairSeats runs all parties' sides of p on one link and returns the outcomes, and the dealer's sessions.
func pairSeats(t *testing.T, p Pairs, sets [][]Key, counts []int) ([]*PairsOutcome, map[correlation.SessionID]bool) {
	t.Helper()
	d := dealer.New(p.Parties, dealer.Limits{
		Sessions: 8, Memory: 1 << 30, Manifest: 1 << 20, Wait: 30 * time.Second, Drain: time.Second,
	}, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	var calls, parties sync.WaitGroup
	n := len(p.Parties)
	conns := make([][]io.ReadWriteCloser, n)
	for rank := range conns {
		conns[rank] = make([]io.ReadWriteCloser, n)
	}
	for a := range n {
		for b := range a {
			conns[a][b], conns[b][a] = net.Pipe()
		}
	}
	id, out, errs := correlation.NewSessionID(), make([]*PairsOutcome, n), make([]error, n)
	seen, mu := map[correlation.SessionID]bool{}, &sync.Mutex{}
	for rank, name := range p.Parties {
		end := link.NewEndpoint(rank, conns[rank])
		parties.Go(func() {
			seat := Seat{Rank: rank, Link: end, Session: id, Dealer: recorded{served{d, name, &calls}, mu, seen}, Terms: map[string]string{"key": "text"}}
			out[rank], errs[rank] = p.Join(t.Context(), sets[rank], counts, seat,
				func(int) error { return nil }, func(int, int) error { return nil })
			if errs[rank] != nil {
				end.Abort(errs[rank].Error())
			} else {
				end.Close()
			}
		})
	}
	parties.Wait()
	over, cancel := context.WithCancel(context.Background())
	cancel()
	d.Close(over)
	calls.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return out, seen
}
