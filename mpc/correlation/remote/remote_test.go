package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// brisk is a Heartbeat for tests: fast, with slack for a busy machine.
var brisk = link.Heartbeat{Interval: 20 * time.Millisecond, Timeout: 2 * time.Second}

var roomy = correlation.Limits{Bytes: 1 << 20, Items: 1000, Words: 1 << 20, Parties: 3}

// order is a manifest of so many products of n elements.
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

func seat(rank int) Participant {
	return Participant{Session: correlation.SessionID{7}, Rank: rank, Parties: []string{"alice", "bob"}, Computing: 2}
}

// wire is a connection over loopback.
func wire(t testing.TB) (a, b net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if b, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	return a, b
}

// host is a dealer's end that the test controls.
func host(t testing.TB, conn net.Conn, do func(g *PartyConn) error) chan error {
	done := make(chan error, 1)
	go func() {
		g, err := Accept(conn, brisk)
		if err == nil {
			err = do(g)
			g.Close()
		}
		done <- err
	}()
	return done
}

// deal sends a party its seed and deals its manifest.
func deal(g *PartyConn, seeds []ring.Seed) error {
	if err := g.SendSeed(seeds[g.Rank]); err != nil {
		return err
	}
	if g.ReceivesCorrections() {
		f, _, err := g.Manifest(roomy)
		if err != nil {
			return err
		}
		err = correlation.NewLocal(g.Computing, seeds).Deal(context.Background(), f, func(id correlation.ID, data []byte) error {
			return correlation.WriteRecord(g.Records(), g.Session, id, data)
		})
		if err != nil {
			return err
		}
	}
	if err := g.SendDone(); err != nil {
		return err
	}
	return left(g)
}

// left waits for a party's last frame.
func left(g *PartyConn) error {
	more, err := g.Next()
	if more {
		err = errors.Join(err, errors.New("more is ordered"))
	}
	return err
}

func TestSession(t *testing.T) {
	for _, f := range []*correlation.Manifest{{}, order(1, 1), order(9, 10_000)} {
		seeds := []ring.Seed{{1}, {2}}
		var want, got bytes.Buffer
		into := func(b *bytes.Buffer) func(id correlation.ID, data []byte) {
			return func(id correlation.ID, data []byte) { correlation.WriteRecord(b, correlation.SessionID{}, id, data) }
		}
		put := into(&want)
		if err := correlation.NewLocal(2, seeds).Deal(t.Context(), f,
			func(id correlation.ID, data []byte) error { put(id, data); return nil }); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for rank := range seeds {
			a, b := wire(t)
			done := host(t, b, func(g *PartyConn) error { return deal(g, seeds) })
			all.Go(func() {
				s, err := Open(t.Context(), a, seat(rank), f, brisk)
				if err != nil {
					t.Error(err)
					return
				}
				if s.Seed() != seeds[rank] {
					t.Errorf("rank %d has another seed", rank)
				}
				if rank == 1 {
					err = s.Receive(into(&got))
				} else {
					<-s.Done()
					err = s.Err()
				}
				if err != nil {
					t.Errorf("rank %d: %v", rank, err)
				}
				s.Close()
				if err := <-done; err != nil {
					t.Errorf("the dealer, of rank %d: %v", rank, err)
				}
			})
		}
		all.Wait()
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes of corrections arrive, not %d or not these", got.Len(), want.Len())
		}
	}
}

// The dealer waits for a receiver that reads nothing for a while, and neither end reports the other
// as silent.
func TestSlowReceiver(t *testing.T) {
	f, seeds := order(200, 10_000), make([]ring.Seed, 2) // 16 MB: more than the sockets' buffers hold
	a, b := wire(t)
	done := host(t, b, func(g *PartyConn) error {
		lost := make(chan error, 1)
		if err := g.SendSeed(seeds[1]); err != nil {
			return err
		}
		f, _, err := g.Manifest(roomy)
		if err != nil {
			return err
		}
		go func() { lost <- left(g) }()
		err = correlation.NewLocal(2, seeds).Deal(context.Background(), f, func(id correlation.ID, data []byte) error {
			return correlation.WriteRecord(g.Records(), g.Session, id, data)
		})
		return errors.Join(err, g.SendDone(), <-lost)
	})
	s, err := Open(t.Context(), a, seat(1), f, brisk)
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	err = s.Receive(func(correlation.ID, []byte) {
		if taken++; taken == 3 {
			time.Sleep(2 * brisk.Timeout)
		}
	})
	if err != nil || taken != len(f.Requests) {
		t.Errorf("%d of %d taken: %v", taken, len(f.Requests), err)
	}
	s.Close()
	if err := <-done; err != nil {
		t.Errorf("the dealer: %v", err)
	}
}

// A failure of the dealer is an error at the party, in every state.
func TestDealerLeaves(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		rank int
		do   func(g *PartyConn) error
		want string
	}{
		"refused":               {0, func(g *PartyConn) error { g.End("no room"); return broken }, "no room"},
		"closed before":         {1, func(g *PartyConn) error { return broken }, "connection lost"},
		"refused with the form": {1, func(g *PartyConn) error { g.SendSeed(ring.Seed{}); g.End("too much"); return broken }, "too much"},
		"ended while it waits":  {0, func(g *PartyConn) error { g.SendSeed(ring.Seed{}); g.End("lost alice"); return broken }, "lost alice"},
		"ended in a record": {1, func(g *PartyConn) error {
			g.SendSeed(ring.Seed{})
			g.Records().Write(make([]byte, 9))
			g.End("lost alice")
			return broken
		}, "lost alice"},
		"gone": {1, func(g *PartyConn) error { g.SendSeed(ring.Seed{}); return broken }, "connection lost"},
		"another's correction": {1, func(g *PartyConn) error {
			g.SendSeed(ring.Seed{})
			correlation.WriteRecord(g.Records(), correlation.SessionID{7}, 99, nil)
			return left(g)
		}, "damaged"},
		"another session's": {1, func(g *PartyConn) error {
			g.SendSeed(ring.Seed{})
			correlation.WriteRecord(g.Records(), correlation.SessionID{8}, 2, make([]byte, 8*100))
			return left(g)
		}, "checksum"},
		"too many": {1, func(g *PartyConn) error {
			g.SendSeed(ring.Seed{})
			var b bytes.Buffer
			correlation.WriteRecord(&b, correlation.SessionID{7}, 2, make([]byte, 8*100))
			g.Records().Write(append(b.Bytes(), 0))
			return left(g)
		}, "more than the correlation manifest asks for"},
		"too few":              {1, func(g *PartyConn) error { g.SendSeed(ring.Seed{}); g.SendDone(); return left(g) }, "unexpected frame"},
		"done before the seed": {0, func(g *PartyConn) error { g.SendDone(); return left(g) }, "unexpected frame"},
		"corrections for another": {0, func(g *PartyConn) error {
			g.SendSeed(ring.Seed{})
			g.Records().Write([]byte{1})
			return left(g)
		}, "unexpected frame"},
		"silent": {0, func(g *PartyConn) error {
			g.line.mu.Lock() // it hangs: no heartbeats
			defer g.line.mu.Unlock()
			return errors.Join(broken, left(g))
		}, "silent for 2s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := wire(t)
			done := host(t, b, func(g *PartyConn) error {
				if g.ReceivesCorrections() {
					if _, _, err := g.Manifest(roomy); err != nil {
						t.Error(err)
					}
				}
				return c.do(g)
			})
			s, err := Open(t.Context(), a, seat(c.rank), order(1, 100), brisk)
			if err == nil {
				err = s.Receive(func(correlation.ID, []byte) {})
				s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if err := <-done; err == nil {
				t.Error("the dealer is content")
			}
		})
	}
}

// A failure of a party is an error at the dealer.
func TestPartyLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		rank int
		do   func(ctx context.CancelFunc, s *Session)
		want string // "" stands for a bye
	}{
		"closed":             {0, func(_ context.CancelFunc, s *Session) { s.Close() }, ""},
		"closed, corrected":  {1, func(_ context.CancelFunc, s *Session) { s.Close() }, ""},
		"run ended":          {0, func(stop context.CancelFunc, s *Session) { stop(); <-s.Done(); s.Close() }, RunEnded},
		"run ended, correct": {1, func(stop context.CancelFunc, s *Session) { stop(); <-s.Done(); s.Close() }, RunEnded},
		"killed":             {0, func(_ context.CancelFunc, s *Session) { s.line.conn.Close(); s.Close() }, "connection lost"},
		"hangs":              {0, func(_ context.CancelFunc, s *Session) { s.line.mu.Lock(); <-s.Done(); s.line.mu.Unlock(); s.Close() }, "silent for 2s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := wire(t)
			done := host(t, b, func(g *PartyConn) error {
				g.SendSeed(ring.Seed{})
				if g.ReceivesCorrections() {
					if _, _, err := g.Manifest(roomy); err != nil {
						return err
					}
				}
				return left(g)
			})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			s, err := Open(ctx, a, seat(c.rank), order(1, 100), brisk)
			if err != nil {
				t.Fatal(err)
			}
			c.do(stop, s)
			err = <-done
			if errors.Is(err, errEarly) { // the manifest was still being sent
				err = nil
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("the dealer has %v, want %q", err, c.want)
			}
			if s.Receive(nil) == nil || s.Err() == nil {
				t.Error("all has been dealt, as it seems")
			}
		})
	}
}

// A run that ends before the dealer has answered does not wait for it.
func TestOpenIsInterrupted(t *testing.T) {
	a, b := wire(t)
	done := host(t, b, func(g *PartyConn) error { return left(g) })
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("cancelled")
	time.AfterFunc(10*time.Millisecond, func() { stop(why) })
	if _, err := Open(ctx, a, seat(0), order(1, 1), brisk); !errors.Is(err, why) {
		t.Error(err)
	}
	if err := <-done; err == nil || err.Error() != RunEnded {
		t.Errorf("the dealer has %v", err)
	}
}

// Open returns a session that has already ended when Open checks.
func TestSessionEndsBeforeOpen(t *testing.T) {
	for range 200 {
		a, b := wire(t)
		g := &PartyConn{line: newLine(b, link.Heartbeat{})}
		if err := errors.Join(g.SendSeed(ring.NewSeed()), g.SendDone(), b.(*net.TCPConn).CloseWrite()); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), a, seat(0), order(1, 1), link.Heartbeat{})
		if s == nil || err != nil {
			t.Fatalf("opened %v, %v", s, err)
		}
		b.Close()
		s.Close()
	}
}

func TestEndlessHello(t *testing.T) {
	a, b := wire(t)
	defer a.Close()
	go func() {
		for { // heartbeats, which are always accepted
			if _, err := a.Write([]byte{frameHeartbeat, 0, 0, 0}); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := Accept(b, link.Heartbeat{Interval: 20 * time.Millisecond, Timeout: 50 * time.Millisecond}); err == nil {
		t.Error("heartbeats are taken for a hello")
	}
}

func TestManifestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		limits correlation.Limits
		change func(h *Hello)
		want   string
	}{
		"too long":       {correlation.Limits{Bytes: 10}, func(*Hello) {}, "limits"},
		"masks":          {correlation.Limits{Bytes: 1000, Items: 1, Parties: 2}, func(*Hello) {}, "more than 1 requests and masks"},
		"another digest": {roomy, func(h *Hello) { h.Digest[0]++ }, "does not match the digest"},
		"longer":         {roomy, func(h *Hello) { h.Length-- }, "more bytes"},
	} {
		a, b := wire(t)
		done := host(t, b, func(g *PartyConn) error {
			g.SendSeed(ring.Seed{})
			c.change(&g.Hello)
			_, _, err := g.Manifest(c.limits)
			g.SendEnd("no")
			return err
		})
		s, err := Open(t.Context(), a, seat(1), order(3, 1), brisk)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Receive(nil); err == nil || err.Error() != "no" {
			t.Errorf("%s: the party has %v", name, err)
		}
		s.Close()
		if err := <-done; err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestHello(t *testing.T) {
	good := Hello{Participant: seat(1), Digest: [32]byte{1}, Length: 10}
	data, err := good.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeHello(data)
	if err != nil || fmt.Sprint(*got) != fmt.Sprint(good) {
		t.Errorf("%v, %v", got, err)
	}
	for old, c := range map[string]struct{ new, want string }{
		`{`:                       {`[`, "malformed hello"},
		`"version":2`:             {`"version":1`, "bob runs protocol 1 (tacet 0.1.0), the dealer protocol 2 (tacet 0.2.0-dev): upgrade bob's node"},
		`2,"release":"0.2.0-dev"`: {`3,"release":"0.3.0"`, "the dealer runs protocol 2 (tacet 0.2.0-dev), bob protocol 3 (tacet 0.3.0): upgrade the dealer"},
		`"session":"07`:           {`"session":"7`, "is not a session id"},
		`"manifest":"01`:          {`"manifest":"1`, "malformed digest"},
		`"rank":1`:                {`"rank":2`, "rank 2"},
		`"rank":1,`:               {`"rank":-1,`, "rank -1"},
		`"computing":2`:           {`"computing":3`, "3 computing"},
		`"computing":2,`:          {`"computing":1,`, "1 computing"},
		`"length":10`:             {`"length":0`, "of 0 bytes"},
		`"bob"`:                   {`"alice"`, "distinct"},
		`"alice",`:                {`"",`, "distinct"},
		`["alice","bob"]`:         {`[]`, "0 parties"},
		`"alice","bob"`:           {`"alice"`, "1 parties"},
		`"alice","bob"]`:          {strings.Repeat(`"",`, 2000) + `""]`, "the JSON text has more than 1024 structural characters"},
		`["alice","bob"],`:        {`["` + strings.Repeat(`a","`, 70) + `"],`, "71 parties"},
	} {
		text := strings.Replace(string(data), old, c.new, 1)
		if _, err := decodeHello([]byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", text, err, c.want)
		}
	}
}

func TestDiffers(t *testing.T) {
	base := Hello{Participant: seat(0), Digest: [32]byte{1}, Length: 10}
	other := base
	other.Rank = 1
	if field, _, _ := base.Differs(&other); field != "" {
		t.Errorf("ranks count: %s", field)
	}
	for want, change := range map[string]func(h *Hello){
		"session":                            func(h *Hello) { h.Session[0]++ },
		"parties":                            func(h *Hello) { h.Parties = slices.Clone(h.Parties); h.Parties[1] = "carol" },
		"computing":                          func(h *Hello) { h.Computing++ },
		"correlation manifest":               func(h *Hello) { h.Digest[31]++ },
		"length of the correlation manifest": func(h *Hello) { h.Length++ },
	} {
		o := base
		change(&o)
		if field, mine, theirs := base.Differs(&o); field != want || mine == theirs {
			t.Errorf("%s, %s and %s, want %s", field, mine, theirs, want)
		}
	}
}

// canned is a connection that delivers given bytes.
type canned struct {
	net.Conn
	in io.Reader
}

func (c canned) Read(b []byte) (int, error)     { return c.in.Read(b) }
func (canned) Write(b []byte) (int, error)      { return len(b), nil }
func (canned) Close() error                     { return nil }
func (canned) SetReadDeadline(time.Time) error  { return nil }
func (canned) SetWriteDeadline(time.Time) error { return nil }

// said is the bytes that one end sends when both follow the protocol.
func said(t testing.TB, rank int, party bool) []byte {
	a, b := wire(t)
	var heard bytes.Buffer
	tap := func(c net.Conn) net.Conn { return tapped{c, &heard} }
	if party {
		b = tap(b)
	} else {
		a = tap(a)
	}
	done := host(t, b, func(g *PartyConn) error { return deal(g, make([]ring.Seed, 2)) })
	s, err := Open(context.Background(), a, seat(rank), order(2, 3), link.Heartbeat{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Receive(func(correlation.ID, []byte) {}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return heard.Bytes()
}

type tapped struct {
	net.Conn
	to *bytes.Buffer
}

func (c tapped) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.to.Write(b[:n])
	return n, err
}

func FuzzSession(f *testing.F) {
	for rank := range 2 {
		f.Add(said(f, rank, false), rank)
	}
	f.Fuzz(func(t *testing.T, b []byte, rank int) {
		at := seat(rank & 1)
		at.Service = rank&2 > 0
		s, err := Open(context.Background(), canned{in: bytes.NewReader(b)}, at, order(2, 3), link.Heartbeat{})
		if err != nil {
			return
		}
		s.Receive(func(id correlation.ID, data []byte) {
			if id != 2 && id != 3 || len(data) > 24 {
				t.Errorf("%d bytes of %v", len(data), id)
			}
		})
		s.Close()
	})
}

func FuzzPartyConn(f *testing.F) {
	for rank := range 2 {
		f.Add(said(f, rank, true))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := Accept(canned{in: bytes.NewReader(b)}, link.Heartbeat{})
		if err != nil {
			return
		}
		for more := true; more && err == nil; more, err = g.Next() {
			if !g.ReceivesCorrections() {
				continue
			}
			form, _, bad := g.Manifest(correlation.Limits{Bytes: 1 << 12, Items: 100, Words: 1 << 12, Parties: 64})
			if bad != nil {
				break
			}
			if form.Digest() != g.Digest {
				t.Error("another form than was announced")
			}
		}
		g.Close()
	})
}
