package link

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/pki"
)

// identities are the certificates of a cluster: alice, bob, carol.
func identities(t testing.TB) []*pki.Identity {
	t.Helper()
	dir := t.TempDir()
	if err := pki.Init(dir, pki.Options{}); err != nil {
		t.Fatal(err)
	}
	var out []*pki.Identity
	for _, name := range names {
		f, err := pki.Issue(dir, name, pki.Options{})
		if err != nil {
			t.Fatal(err)
		}
		id, err := pki.Load(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, id)
	}
	return out
}

var names = []string{"alice", "bob", "carol"}

// machines are parties as if on different machines: each higher rank dials each lower one, over TLS
// and a line.
type machines struct {
	ids   []*pki.Identity
	conns [][]io.ReadWriteCloser
	lines map[[2]int]*fault.Line // by dialling and dialled rank
}

func newMachines(t testing.TB, n int) *machines {
	t.Helper()
	m := &machines{identities(t), make([][]io.ReadWriteCloser, n), map[[2]int]*fault.Line{}}
	for i := range n {
		m.conns[i] = make([]io.ReadWriteCloser, n)
	}
	for i := range n {
		for j := range i {
			m.connect(t, i, j)
		}
	}
	return m
}

const proto = "tacet-session/1"

func (m *machines) connect(t testing.TB, from, to int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	line := fault.New(uint64(3*from + to))
	t.Cleanup(line.Close)
	m.lines[[2]int{from, to}] = line
	addr, err := line.Listen(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 1)
	go func() {
		c, _ := l.Accept()
		accepted <- c
	}()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	m.conns[from][to], m.conns[to][from] = secure(t, m.ids[from], m.ids[to], c, <-accepted)
}

// secure makes TLS connections of the two ends of a connection; a dialled.
func secure(t testing.TB, a, b *pki.Identity, x, y net.Conn) (client, server *tls.Conn) {
	t.Helper()
	client, server = tls.Client(x, a.Client(b.Name(), proto)), tls.Server(y, b.Server(proto))
	accepted := make(chan error, 1)
	go func() { accepted <- pki.Handshake(context.Background(), server, a.Name()) }()
	if err := errors.Join(pki.Handshake(context.Background(), client, b.Name()), <-accepted); err != nil {
		t.Fatal(err)
	}
	return client, server
}

// start starts all parties with a Heartbeat, and closes them at the test's end.
func (m *machines) start(t testing.TB, w Heartbeat) []*Endpoint {
	t.Helper()
	ends := make([]*Endpoint, len(m.conns))
	for i := range ends {
		ends[i] = NewEndpoint(i, m.conns[i], w)
		for j := range ends {
			if j != i {
				ends[i].Allow(j, 64<<20, 1<<30)
			}
		}
	}
	return closing(t, ends)
}

// Heartbeats for tests: quick for those that wait for its timeout or go beyond it, patient for all others,
// since a running party too may be silent for a while on a busy machine.
var (
	quick   = Heartbeat{Interval: 50 * time.Millisecond, Timeout: 1500 * time.Millisecond}
	patient = Heartbeat{Interval: 50 * time.Millisecond, Timeout: hang}
)

var nothing = Key{Online, 99, 0} // a key that no party sends

func TestEndpointsOverTLS(t *testing.T) {
	ends := newMachines(t, 3).start(t, patient)
	data := bytes.Repeat([]byte("0123456789abcdef"), 1<<18)
	for i, e := range ends {
		for j := range ends {
			for step, n := range []int{0, 1, 100, maxWrite - headerSize, maxWrite, maxWrite + 1, len(data)} {
				if j != i {
					e.Send(j, Key{Online, 1, uint32(step)}, int32(n), data[:n])
				}
			}
		}
	}
	for i, e := range ends {
		for j := range ends {
			for step, n := range []int{0, 1, 100, maxWrite - headerSize, maxWrite, maxWrite + 1, len(data)} {
				if j == i {
					continue
				}
				if r := get(t, await(e, j, Key{Online, 1, uint32(step)})); r.err != nil || r.m.Clock != int32(n) || !bytes.Equal(r.m.Data, data[:n]) {
					t.Fatalf("%d from %d: %d of %d bytes, %v", i, j, len(r.m.Data), n, r.err)
				}
			}
		}
	}
}

// Whatever breaks between two parties, both sides name the other and the symptom.
func TestFaultsOverTLS(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(l *fault.Line, ends []*Endpoint)
		// The errors of alice, who was dialled, and of bob about the other party: one of these.
		alice, bob []string
	}{
		{"a black hole", func(l *fault.Line, _ []*Endpoint) { l.Set(fault.Both, fault.Fault{Hole: true}) },
			[]string{"silent for 1.5 s"}, []string{"silent for 1.5 s"}},
		{"a black hole, with full sockets", func(l *fault.Line, ends []*Endpoint) {
			l.Set(fault.Both, fault.Fault{Stop: true})
			for i, e := range ends[:2] {
				e.Send(1-i, Key{Online, 1, 0}, 0, make([]byte, 40<<20))
			}
		}, []string{"silent for 1.5 s"}, []string{"silent for 1.5 s"}},
		{"a hole one way", func(l *fault.Line, _ []*Endpoint) { l.Set(fault.Out, fault.Fault{Hole: true}) },
			[]string{"silent for 1.5 s"}, []string{"the connection broke off"}},
		{"a cut", func(l *fault.Line, _ []*Endpoint) { l.Cut() },
			[]string{"the connection broke off"}, []string{"the connection broke off"}},
		{"a cut within a message", func(l *fault.Line, ends []*Endpoint) {
			l.At(fault.Out, 1<<20, l.Cut)
			ends[1].Send(0, Key{Online, 1, 0}, 0, make([]byte, 4<<20))
		}, []string{"the connection broke off"}, []string{"the connection broke off"}},
		{"a changed byte", func(l *fault.Line, ends []*Endpoint) {
			l.Corrupt(fault.Out, 1<<20)
			ends[1].Send(0, Key{Online, 1, 0}, 0, make([]byte, 4<<20))
		}, []string{"the connection delivered corrupted data (tls: bad record MAC)"},
			[]string{"ended the connection (tls: bad record MAC)", "the connection broke off"}},
		{"too long a message", func(_ *fault.Line, ends []*Endpoint) {
			ends[0].Allow(1, 1<<20, 1<<30)
			ends[1].Send(0, Key{Online, 1, 0}, 0, make([]byte, 4<<20))
		}, []string{"sent more than the plan says"}, []string{"party 1 sent more than the plan says"}},
		{"an end without a word", func(_ *fault.Line, ends []*Endpoint) { go ends[1].Close() },
			[]string{"closed the connection"}, []string{"link: closed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachines(t, 3)
			heartbeat := patient
			if strings.HasPrefix(c.alice[0], "silent") {
				heartbeat = quick
			}
			ends := m.start(t, heartbeat)
			ofBob, ofAlice, ofCarol := await(ends[0], 1, nothing), await(ends[1], 0, nothing), await(ends[0], 2, nothing)
			c.do(m.lines[[2]int{1, 0}], ends)
			for _, side := range []struct {
				rank int
				got  error
				want []string
			}{{1, get(t, ofBob).err, c.alice}, {0, get(t, ofAlice).err, c.bob}} {
				said := ""
				for _, want := range side.want {
					if side.got != nil && strings.TrimPrefix(side.got.Error(), fmt.Sprintf("link: party %d: ", side.rank)) == want {
						said = want
					}
				}
				if said == "" {
					t.Errorf("of party %d: %v, want one of %q", side.rank, side.got, side.want)
				}
			}
			select {
			case r := <-ofCarol:
				t.Errorf("of carol: %v", r.err)
			default:
			}
		})
	}
}

// A bad line that still works costs time and nothing else.
func TestBadLinesOverTLS(t *testing.T) {
	for name, f := range map[string]fault.Fault{
		"slow":            {Rate: 30e3},
		"far away":        {Delay: 200 * time.Millisecond},
		"losing segments": {Loss: 0.01, Delay: 10 * time.Millisecond, Stall: 100 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachines(t, 2)
			m.lines[[2]int{1, 0}].Set(fault.Both, f)
			ends := m.start(t, quick)
			data := bytes.Repeat([]byte("0123456789"), 5000)
			for i, e := range ends {
				e.Send(1-i, Key{Online, 1, 0}, 0, data)
			}
			for i, e := range ends {
				if r := get(t, await(e, 1-i, Key{Online, 1, 0})); r.err != nil || !bytes.Equal(r.m.Data, data) {
					t.Errorf("party %d: %d bytes, %v", i, len(r.m.Data), r.err)
				}
			}
		})
	}
}

// A third party learns what one party saw of another, as the reason of its abort.
func TestFirstCauseOverTLS(t *testing.T) {
	m := newMachines(t, 3)
	ends := m.start(t, quick)
	m.lines[[2]int{2, 0}].Set(fault.Both, fault.Fault{Hole: true})
	ofCarol, ofAlice := await(ends[0], 2, nothing), await(ends[1], 0, nothing)
	var pe *PeerError
	if err := get(t, ofCarol).err; !errors.As(err, &pe) || pe.Rank != 2 || !errors.Is(err, ErrSilent) {
		t.Fatalf("alice: %v", err)
	}
	within(t, "Abort", func() { ends[0].Abort(names[pe.Rank] + ": " + pe.Err.Error()) })
	err := get(t, ofAlice).err
	if !errors.As(err, &pe) || names[pe.Rank]+": "+pe.Err.Error() != "alice: carol: silent for 1.5 s" {
		t.Errorf("bob: %v", err)
	}
}
