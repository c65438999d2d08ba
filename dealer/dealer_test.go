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

// brisk are limits for tests: long enough for a busy machine. Where somebody is
// to be taken for dead, silence is hush.
var brisk = Limits{
	Sessions: 64, Memory: 8 << 30, Form: 1 << 20, Wait: 30 * time.Second,
	Beat: 20 * time.Millisecond, Silence: 20 * time.Second, Drain: time.Second,
}

const hush = 1500 * time.Millisecond

var names = []string{"alice", "bob", "carol"}

// house is a dealer and those who call it.
type house struct {
	t *testing.T
	*Dealer
	calls sync.WaitGroup
}

func newHouse(t *testing.T, l Limits) *house {
	h := &house{t: t, Dealer: New(names, l, slog.New(slog.DiscardHandler), prometheus.NewRegistry())}
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
func (h *house) call(name string) net.Conn {
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

// sit opens the session of the party of a rank.
func (h *house) sit(s remote.Seat, rank int, f *correlation.Form) (*remote.Session, net.Conn, error) {
	s.Rank = rank
	c := h.call(s.Parties[rank])
	x, err := remote.Open(h.t.Context(), c, s, f, h.limits.watch())
	return x, c, err
}

func (h *house) mustSit(s remote.Seat, rank int, f *correlation.Form) *remote.Session {
	h.t.Helper()
	x, _, err := h.sit(s, rank, f)
	if err != nil {
		h.t.Fatalf("%s: %v", s.Parties[rank], err)
	}
	h.t.Cleanup(func() { x.Close() })
	return x
}

func table(id byte) remote.Seat {
	return remote.Seat{Session: correlation.SessionID{id}, Parties: names, Computing: 2}
}

// order is a form of so many products of n elements.
func order(requests, n int) *correlation.Form {
	x := correlation.NewFresh(1, ring.Z(64), n)
	f := &correlation.Form{}
	for i := range requests {
		f.Requests = append(f.Requests, &correlation.Request{
			ID: correlation.ID(2 + i), Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}, {Mask: x}}, Out: x.Ring, N: n,
		})
	}
	return f
}

// hears waits for the end of a session at a party, and what it is told. Who is
// to get corrections listens when it receives them.
func hears(t *testing.T, s *remote.Session, want string) {
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

// Many sessions at once: each gets what was ordered, from seeds of its own.
func TestManySessions(t *testing.T) {
	h := newHouse(t, brisk)
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
					s, _, err := h.sit(table(i+1), rank, f)
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

// Who says something else ends the session for all, and everybody hears what.
func TestDisagreement(t *testing.T) {
	f := order(3, 10)
	for want, c := range map[string]struct {
		change func(s *remote.Seat)
		form   *correlation.Form
	}{
		"alice and bob differ in parties":   {func(s *remote.Seat) { s.Parties = []string{"carol", "bob", "alice"} }, f},
		"alice and bob differ in computing": {func(s *remote.Seat) { s.Computing = 3 }, f},
		"alice and bob differ in order":     {func(*remote.Seat) {}, order(3, 11)},
	} {
		t.Run(want, func(t *testing.T) {
			h := newHouse(t, brisk)
			x := h.mustSit(table(1), 0, f)
			s := table(1)
			c.change(&s)
			if _, _, err := h.sit(s, 1, c.form); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("bob hears %v", err)
			}
			hears(t, x, want)
			<-h.over(1)
			if _, _, err := h.sit(table(1), 2, f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("carol, who comes later, hears %v", err)
			}
		})
	}
}

// over is closed when a session is.
func (h *house) over(id byte) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.open[correlation.SessionID{id}]; s != nil {
		return s.over
	}
	closed := make(chan struct{})
	close(closed)
	return closed
}

// Who has no business here is refused, and nobody else is disturbed.
func TestRefused(t *testing.T) {
	l := brisk
	l.Sessions = 2
	h := newHouse(t, l)
	f := order(3, 10)
	x := h.mustSit(table(1), 0, f)
	stranger := table(1)
	stranger.Parties = []string{"alice", "mallory", "carol"}
	for name, c := range map[string]struct {
		as   string
		seat remote.Seat
		want string
	}{
		"another's seat": {"carol", table(1), "certificate is that of carol, and rank 1 is said to be bob"},
		"a stranger":     {"mallory", stranger, "does not serve mallory"},
		"twice":          {"alice", table(1), "alice is here already"},
	} {
		s := c.seat
		if c.as != "alice" {
			s.Rank = 1
		}
		if _, err := remote.Open(t.Context(), h.call(c.as), s, f, l.watch()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	h.mustSit(table(2), 0, f)
	if _, _, err := h.sit(table(3), 0, f); err == nil || !strings.Contains(err.Error(), "serves 2 sessions already") {
		t.Errorf("a third session: %v", err)
	}
	y, z := h.mustSit(table(1), 1, f), h.mustSit(table(1), 2, f)
	if err := y.Receive(func(correlation.ID, []byte) {}); err != nil {
		t.Error(err)
	}
	hears(t, x, "")
	hears(t, z, "")
	<-h.over(1)
	if _, _, err := h.sit(table(1), 0, f); err == nil || !strings.Contains(err.Error(), "none is served twice: it was served") {
		t.Errorf("the same session again: %v", err)
	}
}

// A session whose parties do not come ends for those who did.
func TestNobodyComes(t *testing.T) {
	l := brisk
	l.Wait = 50 * time.Millisecond
	h := newHouse(t, l)
	hears(t, h.mustSit(table(1), 1, order(3, 10)), "waited 50ms for alice, carol")
}

// An order that is too long, or takes too much memory, is refused before it is
// dealt.
func TestTooMuch(t *testing.T) {
	for want, l := range map[string]Limits{
		"limits: form":   {Form: 40, Memory: 1 << 30},
		"of this length": {Form: 1 << 20, Memory: 8 << 10},
		"dealing this":   {Form: 1 << 20, Memory: 1 << 20},
	} {
		limits := brisk
		limits.Form, limits.Memory = l.Form, l.Memory
		h := newHouse(t, limits)
		f := order(200, 100_000)
		var here []*remote.Session
		for rank := range names {
			s, _, err := h.sit(table(1), rank, f)
			if err != nil { // the refusal was faster
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s hears %v, want %q", names[rank], err, want)
				}
				continue
			}
			here = append(here, s)
		}
		for _, s := range here {
			hears(t, s, want)
			s.Close()
		}
	}
}

// Sessions wait for memory that others have.
func TestMemoryIsShared(t *testing.T) {
	l := brisk
	f := order(40, 10_000)
	l.Memory = f.Memory(64) * 3 / 2
	h := newHouse(t, l)
	var all sync.WaitGroup
	for i := range byte(6) {
		for rank := range names {
			all.Go(func() {
				s, _, err := h.sit(table(i+1), rank, f)
				if err == nil && rank == 1 {
					err = s.Receive(func(correlation.ID, []byte) {})
				}
				if err != nil {
					t.Errorf("session %d: %v", i, err)
					return
				}
				hears(t, s, "")
				s.Close()
			})
		}
	}
	all.Wait()
	for i := range byte(6) {
		<-h.over(i + 1)
	}
	if h.memory.free != h.memory.all || h.forms.free != h.forms.all {
		t.Errorf("%d and %d of %d and %d bytes are free in the end", h.memory.free, h.forms.free, h.memory.all, h.forms.all)
	}
}

// A party that goes, at any time, ends the session for the others, who hear
// whose fault it was; and the dealer serves the next.
func TestPartyGoes(t *testing.T) {
	big := order(400, 10_000) // 32 MB: more than sockets hold
	for rank := range names {
		for _, when := range []string{"before others", "while it is dealt"} {
			for how, want := range map[string]string{"killed": "lost %s: connection lost", "hangs": "lost %s: silent for", "ends": "%s has ended it: its run has ended"} {
				t.Run(fmt.Sprintf("%s %s %s", names[rank], how, when), func(t *testing.T) {
					t.Parallel()
					l := brisk
					if how == "hangs" {
						l.Silence = hush
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
					s, err := remote.Open(ctx, raw, seat, big, l.watch())
					if err != nil {
						t.Fatal(err)
					}
					taken := make(chan struct{})
					for _, x := range append(others, s) { // whoever gets corrections takes one, and waits
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
							continue // who does not read, and hears of it in the end
						}
						hears(t, x, fmt.Sprintf(want, names[rank]))
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

// freezable is a connection whose writing can be made to stand still.
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

// When all has been dealt, nobody's end disturbs those who are still taking it.
func TestLateLoss(t *testing.T) {
	h := newHouse(t, brisk)
	f := order(20, 1000) // less than sockets hold
	x, c, err := h.sit(table(1), 0, f)
	if err != nil {
		t.Fatal(err)
	}
	y, z := h.mustSit(table(1), 1, f), h.mustSit(table(1), 2, f)
	<-z.Done()
	c.Close() // of alice, who perhaps has not heard that all is dealt
	x.Close()
	time.Sleep(20 * brisk.Beat) // while bob does not read
	taken := 0
	if err := y.Receive(func(correlation.ID, []byte) { taken++ }); err != nil || taken != len(f.Requests) {
		t.Errorf("%d of %d corrections: %v", taken, len(f.Requests), err)
	}
}

// A dealer that is stopped opens no sessions, and ends those that take too
// long.
func TestStopped(t *testing.T) {
	h := newHouse(t, brisk)
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
	if _, _, err := h.sit(table(3), 0, f); err == nil || !strings.Contains(err.Error(), errStopping.Error()) {
		t.Errorf("a new session: %v", err)
	}
	hears(t, served[0], "")
	<-h.over(2)
	cancel()
	hears(t, alice, errStopping.Error())
	got.Wait()
}

// What the dealer has in memory of sessions that are over does not grow.
func TestForgets(t *testing.T) {
	h := newHouse(t, brisk)
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range remembered + 10 {
		s := &session{}
		s.terms.Session = correlation.SessionID{byte(i), byte(i >> 8), byte(i >> 16)}
		h.forget(s, "it was served")
	}
	if len(h.ended) != remembered || len(h.order) != remembered {
		t.Errorf("%d and %d of %d", len(h.ended), len(h.order), remembered)
	}
}

func TestBudget(t *testing.T) {
	b := newBudget("this", 10)
	if err := b.take(t.Context(), 11); err == nil || !strings.Contains(err.Error(), "limits: memory") {
		t.Error(err)
	}
	if err := b.take(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	why := errors.New("gave up")
	ctx, stop := context.WithCancelCause(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- b.take(ctx, 5) }()
	for len(b.claims()) < 1 {
		time.Sleep(time.Millisecond)
	}
	go func() { second <- b.take(t.Context(), 2) }() // which there is, but not before the first
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
	b.give(10)
	if b.free != b.all {
		t.Errorf("%d of %d are free", b.free, b.all)
	}
}

func (b *budget) claims() []*claim {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting
}
