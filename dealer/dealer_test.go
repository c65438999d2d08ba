package dealer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ring"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shortLimits holds limits for tests with timeouts that suffice on a busy machine. Tests that wait for the
// heartbeat timeout use shortTimeouts instead.
var shortLimits = Limits{
	Sessions: 64, Memory: 8 << 30, Manifest: 1 << 20, Wait: 30 * time.Second,
	HeartbeatInterval: 20 * time.Millisecond, HeartbeatTimeout: 20 * time.Second, Drain: time.Second,
}

const shortTimeouts = 3 * time.Second

var names = []string{"alice", "bob", "carol"}

// testDealer is a dealer and the connections to it.
type testDealer struct {
	t *testing.T
	*Dealer
	calls sync.WaitGroup
}

func newHouse(t *testing.T, l Limits) *testDealer {
	h := &testDealer{t: t, Dealer: New(names, l, slog.New(slog.DiscardHandler), prometheus.NewRegistry())}
	t.Cleanup(func() {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		h.Close(over)
		h.calls.Wait()
		if n := len(h.open); n > 0 {
			t.Errorf("%d sessions are open in the end", n)
		}
	})
	return h
}

// call connects a party.
func (h *testDealer) call(name string) net.Conn {
	h.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.t.Fatal(err)
	}
	defer l.Close()
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		h.t.Fatal(err)
	}
	b, err := l.Accept()
	if err != nil {
		h.t.Fatal(err)
	}
	h.calls.Go(func() { h.Serve(b, name) })
	return a
}

// join joins a session as the party of a rank.
func (h *testDealer) join(s remote.Participant, rank int, f *correlation.Manifest) (*remote.Session, net.Conn, error) {
	s.Rank = rank
	c := h.call(s.Parties[rank])
	x, err := remote.Open(h.t.Context(), c, s, f, h.limits.heartbeat())
	return x, c, err
}

func (h *testDealer) mustSit(s remote.Participant, rank int, f *correlation.Manifest) *remote.Session {
	h.t.Helper()
	x, _, err := h.join(s, rank, f)
	if err != nil {
		h.t.Fatalf("%s: %v", s.Parties[rank], err)
	}
	h.t.Cleanup(func() { x.Close() })
	return x
}

func table(id byte) remote.Participant {
	return remote.Participant{Session: correlation.SessionID{id}, Parties: names, Computing: 2}
}

// order returns a correlation manifest with a number of products of n elements.
func order(requests, n int) *correlation.Manifest {
	x := correlation.NewFresh(1, ring.Z(64), n)
	f := &correlation.Manifest{}
	for i := range requests {
		f.Requests = append(f.Requests, &correlation.Request{
			ID: correlation.ID(2 + i), Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}, {Mask: x}}, Out: x.Ring, N: n,
		})
	}
	return f
}

// awaitEnd waits for the end of a session at a party and returns its error. The receiver of corrections
// learns of the end when it receives.
func awaitEnd(t *testing.T, s *remote.Session, want string) {
	t.Helper()
	go s.Receive(func(correlation.ID, []byte) {})
	select {
	case <-s.Done():
	case <-time.After(20 * time.Second):
		t.Fatalf("nothing is heard of %q", want)
	}
	if err := s.Err(); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("heard %v, want %q", err, want)
	}
}

// Sessions run concurrently: each gets the requested corrections, from seeds of its own.
func TestManySessions(t *testing.T) {
	h := newHouse(t, shortLimits)
	var mu sync.Mutex
	drawn := map[ring.Seed]bool{}
	var all sync.WaitGroup
	for i := range byte(20) {
		all.Go(func() {
			f := order(int(i), 100*int(i))
			seeds := make([]ring.Seed, len(names))
			var got bytes.Buffer
			var seated sync.WaitGroup
			for rank := range names {
				seated.Go(func() {
					s, _, err := h.join(table(i+1), rank, f)
					if err != nil {
						t.Error(err)
						return
					}
					seeds[rank] = s.Seed()
					if rank == 1 {
						err = s.Receive(func(id correlation.ID, data []byte) { correlation.WriteRecord(&got, correlation.SessionID{}, id, data) })
					}
					if <-s.Done(); err != nil || s.Err() != nil {
						t.Error(err, s.Err())
					}
					s.Close()
				})
			}
			seated.Wait()
			var want bytes.Buffer
			if err := correlation.NewLocal(2, seeds).Deal(t.Context(), f, func(id correlation.ID, data []byte) error {
				return correlation.WriteRecord(&want, correlation.SessionID{}, id, data)
			}); err != nil {
				t.Error(err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("session %d is dealt something else", i)
			}
			mu.Lock()
			for _, s := range seeds {
				drawn[s] = true
			}
			mu.Unlock()
		})
	}
	all.Wait()
	if len(drawn) != 20*len(names) {
		t.Errorf("%d different seeds for %d seats", len(drawn), 20*len(names))
	}
}

// A party whose values differ ends the session, and all parties learn the difference.
func TestDisagreement(t *testing.T) {
	f := order(3, 10)
	for want, c := range map[string]struct {
		change func(s *remote.Participant)
		form   *correlation.Manifest
	}{
		"alice and bob differ in parties":              {func(s *remote.Participant) { s.Parties = []string{"carol", "bob", "alice"} }, f},
		"alice and bob differ in computing":            {func(s *remote.Participant) { s.Computing = 3 }, f},
		"alice and bob differ in correlation manifest": {func(*remote.Participant) {}, order(3, 11)},
	} {
		t.Run(want, func(t *testing.T) {
			h := newHouse(t, shortLimits)
			x := h.mustSit(table(1), 0, f)
			s := table(1)
			c.change(&s)
			if _, _, err := h.join(s, 1, c.form); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("bob hears %v", err)
			}
			awaitEnd(t, x, want)
			<-h.over(1)
			if _, _, err := h.join(table(1), 2, f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("carol, who comes later, hears %v", err)
			}
		})
	}
}

// over returns a channel that is closed when a session has ended.
func (h *testDealer) over(id byte) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.open[correlation.SessionID{id}]; s != nil {
		return s.done
	}
	closed := make(chan struct{})
	close(closed)
	return closed
}

// An invalid caller is refused without affecting the others.
func TestRefused(t *testing.T) {
	l := shortLimits
	l.Sessions, l.SessionsPerParty = 2, 3
	h := newHouse(t, l)
	f := order(3, 10)
	x := h.mustSit(table(1), 0, f)
	stranger := table(1)
	stranger.Parties = []string{"alice", "mallory", "carol"}
	for name, c := range map[string]struct {
		as   string
		seat remote.Participant
		want string
	}{
		"another's seat": {"carol", table(1), "certificate names carol, but rank 1 of the session is bob"},
		"a stranger":     {"mallory", stranger, "does not serve mallory"},
		"twice":          {"alice", table(1), "alice is connected already"},
	} {
		s := c.seat
		if c.as != "alice" {
			s.Rank = 1
		}
		if _, err := remote.Open(t.Context(), h.call(c.as), s, f, l.heartbeat()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	h.mustSit(table(2), 0, f)
	if _, _, err := h.join(table(3), 0, f); err == nil || !strings.Contains(err.Error(), "serves 2 sessions already") {
		t.Errorf("a third session: %v", err)
	}
	y, z := h.mustSit(table(1), 1, f), h.mustSit(table(1), 2, f)
	if err := y.Receive(func(correlation.ID, []byte) {}); err != nil {
		t.Error(err)
	}
	awaitEnd(t, x, "")
	awaitEnd(t, z, "")
	<-h.over(1)
	if _, _, err := h.join(table(1), 0, f); err == nil || !strings.Contains(err.Error(), "cannot be served again: it was served") {
		t.Errorf("the same session again: %v", err)
	}
}

// A session whose parties do not all connect ends for those that did.
func TestNobodyComes(t *testing.T) {
	l := shortLimits
	l.Wait = 50 * time.Millisecond
	h := newHouse(t, l)
	awaitEnd(t, h.mustSit(table(1), 1, order(3, 10)), "waited 50ms for alice, carol")
}

// A correlation manifest that is too long, or needs too much memory, is refused before dealing.
func TestTooMuch(t *testing.T) {
	for want, l := range map[string]Limits{
		"limits: manifest": {Manifest: 40, Memory: 1 << 30},
		"of bob needs":     {Manifest: 1 << 20, Memory: 8 << 10},
		"dealing for this": {Manifest: 1 << 20, Memory: 1 << 20},
	} {
		limits := shortLimits
		limits.Manifest, limits.Memory = l.Manifest, l.Memory
		h := newHouse(t, limits)
		f := order(200, 100_000)
		var here []*remote.Session
		for rank := range names {
			s, _, err := h.join(table(1), rank, f)
			if err != nil { // the refusal was faster
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s hears %v, want %q", names[rank], err, want)
				}
				continue
			}
			here = append(here, s)
		}
		for _, s := range here {
			awaitEnd(t, s, want)
			s.Close()
		}
	}
}

// Sessions wait for memory that other sessions use.
func TestMemoryIsShared(t *testing.T) {
	l := shortLimits
	f := order(40, 10_000)
	l.Memory = f.Memory(64) * 3 / 2
	h := newHouse(t, l)
	var all sync.WaitGroup
	for i := range byte(6) {
		for rank := range names {
			all.Go(func() {
				s, _, err := h.join(table(i+1), rank, f)
				if err == nil && rank == 1 {
					err = s.Receive(func(correlation.ID, []byte) {})
				}
				if err != nil {
					t.Errorf("session %d: %v", i, err)
					return
				}
				awaitEnd(t, s, "")
				s.Close()
			})
		}
	}
	all.Wait()
	for i := range byte(6) {
		<-h.over(i + 1)
	}
	if h.memory.free != h.memory.total || h.manifestMemory.free != h.manifestMemory.total {
		t.Errorf("%d and %d of %d and %d bytes are free in the end", h.memory.free, h.manifestMemory.free, h.memory.total, h.manifestMemory.total)
	}
}

// A party that is lost at any time ends the session for the others, which learn its name; the dealer
// serves the next session.
func TestPartyLost(t *testing.T) {
	big := order(400, 10_000) // 32 MB: more than the sockets buffer
	for rank := range names {
		for _, when := range []string{"before others", "while it is dealt"} {
			for how, want := range map[string]string{"killed": "lost %s: connection lost", "hangs": "lost %s: silent for", "ends": "%s ended the session: its run has ended"} {
				t.Run(fmt.Sprintf("%s %s %s", names[rank], how, when), func(t *testing.T) {
					t.Parallel()
					l := shortLimits
					if how == "hangs" {
						l.HeartbeatTimeout = shortTimeouts
					}
					h := newHouse(t, l)
					ctx, stop := context.WithCancel(t.Context())
					defer stop()
					var others []*remote.Session
					var bob *remote.Session
					for i := range names {
						if i != rank && (when != "before others" || len(others) == 0) {
							others = append(others, h.mustSit(table(1), i, big))
							if i == 1 {
								bob = others[len(others)-1]
							}
						}
					}
					seat := table(1)
					seat.Rank = rank
					raw := &freezable{Conn: h.call(names[rank])}
					s, err := remote.Open(ctx, raw, seat, big, l.heartbeat())
					if err != nil {
						t.Fatal(err)
					}
					taken := make(chan struct{})
					for _, x := range append(others, s) { // the receiver of corrections receives one and waits
						go x.Receive(func(id correlation.ID, _ []byte) {
							if id == 2 {
								close(taken)
							}
							<-ctx.Done()
						})
					}
					if when != "before others" {
						<-taken
					}
					switch how {
					case "killed":
						raw.Conn.Close()
					case "hangs":
						raw.freeze()
					case "ends":
						stop()
					}
					for _, x := range others {
						if rank != 1 && when != "before others" && x == bob {
							continue // it does not read, and learns of it at the end
						}
						awaitEnd(t, x, fmt.Sprintf(want, names[rank]))
					}
					stop()
					raw.thaw()
					s.Close()
					<-h.over(1)
				})
			}
		}
	}
}

// freezable is a connection whose writes can be blocked.
type freezable struct {
	net.Conn
	mu     sync.Mutex
	frozen bool
}

func (c *freezable) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Conn.Write(b)
}

func (c *freezable) freeze() {
	c.mu.Lock()
	c.frozen = true
}

func (c *freezable) thaw() {
	if c.frozen {
		c.mu.Unlock()
	}
}

// After everything has been dealt, a party that leaves does not affect those that still receive.
func TestLateLoss(t *testing.T) {
	h := newHouse(t, shortLimits)
	f := order(20, 1000) // less than the sockets buffer
	x, c, err := h.join(table(1), 0, f)
	if err != nil {
		t.Fatal(err)
	}
	y, z := h.mustSit(table(1), 1, f), h.mustSit(table(1), 2, f)
	<-z.Done()
	c.Close() // alice leaves, perhaps before she knows that everything has been dealt
	x.Close()
	time.Sleep(20 * shortLimits.HeartbeatInterval) // bob does not read meanwhile
	taken := 0
	if err := y.Receive(func(correlation.ID, []byte) { taken++ }); err != nil || taken != len(f.Requests) {
		t.Errorf("%d of %d corrections: %v", taken, len(f.Requests), err)
	}
}

// A dealer that stops opens no sessions and aborts those that take too long.
func TestStopped(t *testing.T) {
	h := newHouse(t, shortLimits)
	f := order(400, 10_000)
	alice := h.mustSit(table(1), 0, f)
	served := [3]*remote.Session{}
	for rank := range names {
		served[rank] = h.mustSit(table(2), rank, f)
	}
	var got sync.WaitGroup
	got.Go(func() {
		if err := served[1].Receive(func(correlation.ID, []byte) { time.Sleep(time.Millisecond) }); err != nil {
			t.Errorf("a session that was being dealt: %v", err)
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	got.Go(func() { h.Close(ctx) })
	for !h.Health().Draining {
		time.Sleep(time.Millisecond)
	}
	if _, _, err := h.join(table(3), 0, f); err == nil || !strings.Contains(err.Error(), errStopping.Error()) {
		t.Errorf("a new session: %v", err)
	}
	awaitEnd(t, served[0], "")
	<-h.over(2)
	cancel()
	awaitEnd(t, alice, errStopping.Error())
	got.Wait()
}

// The memory that a dealer uses for ended sessions is bounded.
func TestForgets(t *testing.T) {
	h := newHouse(t, shortLimits)
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range maxEnded + 10 {
		s := &session{}
		s.terms.Session = correlation.SessionID{byte(i), byte(i >> 8), byte(i >> 16)}
		h.forget(s, "it was served")
	}
	if len(h.ended) != maxEnded || len(h.endedOrder) != maxEnded {
		t.Errorf("%d and %d of %d", len(h.ended), len(h.endedOrder), maxEnded)
	}
}

func TestBudget(t *testing.T) {
	b := newBudget("this", 10)
	if err := b.acquire(t.Context(), 11); err == nil || !strings.Contains(err.Error(), "limits: memory") {
		t.Error(err)
	}
	if err := b.acquire(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	why := errors.New("gave up")
	ctx, stop := context.WithCancelCause(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- b.acquire(ctx, 5) }()
	for len(b.claims()) < 1 {
		time.Sleep(time.Millisecond)
	}
	go func() { second <- b.acquire(t.Context(), 2) }() // enough is free, but the first claim is granted first
	for len(b.claims()) < 2 {
		time.Sleep(time.Millisecond)
	}
	stop(why)
	if err := <-first; !errors.Is(err, why) {
		t.Error(err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	b.release(10)
	if b.free != b.total {
		t.Errorf("%d of %d are free", b.free, b.total)
	}
}

func (b *budget) claims() []*claim {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting
}
