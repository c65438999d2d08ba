package node

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	mrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// The simulation: nodes in this process, over TLS on loopback, and lines
// between them on which a seed decides what goes wrong, where, and at which
// byte. TACET_TEST_SEEDS says how many seeds are tried, TACET_TEST_SEED which
// one alone.

// simNames are the parties.
var simNames = []string{"alice", "bob", "eve"}

// simulation is what one seed does.
type simulation struct {
	t      *testing.T
	town   *town
	random *mrand.Rand
	lines  map[[2]string]*fault.Line // who dials, who is dialled
	ports  map[string]*tlsNetwork
	addrs  map[string]map[string]string // of others, by who dials
	dealer *counted
	what   string // the fault, in words
	failed bool
	faults sync.WaitGroup // that are happening
	mu     sync.Mutex
	down   map[string]bool // crashed
	bare   map[string]bool // whose jobs' folders were taken away
}

// counted is a dealer that knows what it has dealt.
type counted struct {
	pit
	mu    sync.Mutex
	begun map[string]int // by session and rank
}

func (d *counted) Begin(ctx context.Context, t party.Table, f *correlation.Form) (party.Dealt, error) {
	d.mu.Lock()
	d.begun[fmt.Sprint(t.Session, t.Rank)]++
	d.mu.Unlock()
	return d.pit.Begin(ctx, t, f)
}

// identities are certificates for all tests of the process.
var identities = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tacet-pki-")
	if err != nil {
		return "", err
	}
	if err := pki.Init(dir, pki.Terms{}); err != nil {
		return "", err
	}
	for _, name := range append([]string{"carol"}, simNames...) {
		if _, err := pki.Issue(dir, name, pki.Terms{}); err != nil {
			return "", err
		}
	}
	return dir, nil
})

func identity(t *testing.T, name string) *pki.Identity {
	t.Helper()
	dir, err := identities()
	if err != nil {
		t.Fatal(err)
	}
	id, err := pki.Load(pki.Files{Cert: filepath.Join(dir, name+".crt"), Key: filepath.Join(dir, name+".key"), CA: filepath.Join(dir, "ca.crt")})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func newSimulation(t *testing.T, seed uint64) *simulation {
	t.Helper()
	s := &simulation{
		t: t, random: mrand.New(mrand.NewPCG(seed, 0)), lines: map[[2]string]*fault.Line{}, ports: map[string]*tlsNetwork{}, addrs: map[string]map[string]string{}, down: map[string]bool{}, bare: map[string]bool{},
		town:   &town{t: t, dir: t.TempDir(), nodes: map[string]*Node{}, stops: map[string]func(){}},
		dealer: &counted{pit: pit{seeds: map[correlation.SessionID][]ring.Seed{}}, begun: map[string]int{}},
	}
	for i, name := range simNames {
		if err := os.MkdirAll(filepath.Join(s.town.dir, name, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		s.town.write(name, "policy.yaml", anything)
		x := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{4}}, Data: []float32{1, 2, -1, float32(i)}}
		if err := npy.WriteFile(filepath.Join(s.town.dir, name, "data", "x.npy"), x); err != nil {
			t.Fatal(err)
		}
		s.addrs[name] = map[string]string{}
		s.listen(name, "")
	}
	for i, a := range simNames {
		for j, b := range simNames {
			if i == j {
				continue
			}
			l := fault.New(seed<<8 | uint64(i<<4|j))
			addr, err := l.Listen(s.ports[b].Address())
			if err != nil {
				t.Fatal(err)
			}
			s.lines[[2]string{a, b}], s.addrs[a][b] = l, addr
		}
	}
	for _, name := range simNames {
		s.start(name)
	}
	return s
}

// listen opens a node's port: at an address, or where nobody's connections
// begin, so that a node that starts again finds its port free.
func (s *simulation) listen(name, address string) {
	s.t.Helper()
	id := identity(s.t, name)
	var l *pki.Listener
	var err error
	for range 100 {
		at := address
		if at == "" {
			at = fmt.Sprintf("127.0.0.1:%d", 10000+mrand.IntN(20000))
		}
		if l, err = pki.Listen(at, id, func(string, error) {}, api.Proto, SessionProto); err == nil || address != "" {
			break
		}
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.ports[name] = &tlsNetwork{Listener: l, id: id, at: s.addrs[name]}
}

// start starts a node, a second time at its old address.
func (s *simulation) start(name string) {
	s.t.Helper()
	if s.town.nodes[name] != nil {
		s.listen(name, s.ports[name].Address())
	}
	c := s.town.config(name, simNames)
	l := &c.Limits
	l.Beat, l.Silence, l.Wait, l.Drain = 50*time.Millisecond, patience, 4*patience, 50*time.Millisecond
	n, err := New(c, s.ports[name], s.dealer, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.Serve(ctx)
	}()
	s.town.nodes[name], s.town.stops[name] = n, func() { cancel(); <-done }
}

// crash ends a node at once; what it says on the way reaches nobody.
func (s *simulation) crash(name string) {
	s.mu.Lock()
	if s.down[name] {
		s.mu.Unlock()
		return
	}
	s.down[name] = true
	s.mu.Unlock()
	for between, l := range s.lines {
		if between[0] == name || between[1] == name {
			l.Cut()
		}
	}
	s.town.nodes[name].stop(errors.New("crashed"))
	s.town.stops[name]()
}

func (s *simulation) close() {
	s.faults.Wait()
	s.town.stop()
	for _, l := range s.lines {
		l.Close()
	}
}

// as is a client of a node, over no line.
func (s *simulation) as(node string) *api.Client {
	return api.Over(node, node, func(ctx context.Context) (net.Conn, error) {
		return pki.Dial(ctx, identity(s.t, "carol"), node, s.ports[node].Address(), api.Proto)
	})
}

// arm decides what goes wrong, and where.
func (s *simulation) arm(subs []*api.Submission) {
	r := s.random
	a, b := simNames[r.IntN(3)], simNames[r.IntN(2)]
	if a == b {
		b = simNames[2]
	}
	line, d := s.lines[[2]string{a, b}], []fault.Direction{fault.Out, fault.Back}[r.IntN(2)]
	at := r.Int64N(40_000)
	later := func(f func()) func() { return func() { s.faults.Go(f) } } // the line waits for who is called
	kinds := []struct {
		name string
		do   func()
	}{
		{"nothing", func() {}},
		{"cut", func() { line.At(d, at, later(line.Cut)) }},
		{"corrupt byte", func() { line.Corrupt(d, at) }},
		{"hole", func() { line.At(d, at, later(func() { line.Set(fault.Both, fault.Fault{Hole: true}) })) }},
		{"pause", func() {
			line.At(d, at, later(func() {
				line.Set(fault.Both, fault.Fault{Stop: true})
				time.Sleep(200 * time.Millisecond)
				line.Set(fault.Both, fault.Fault{})
			}))
		}},
		{"delay and loss", func() {
			line.Set(fault.Both, fault.Fault{Delay: time.Duration(r.IntN(20)) * time.Millisecond, Loss: 0.01, Stall: 30 * time.Millisecond})
		}},
		{"slow", func() { line.Set(fault.Both, fault.Fault{Rate: 1e5}) }},
		{"crash of " + b, func() { line.At(d, at, later(func() { s.crash(b) })) }},
		{"no disk at " + b, func() {
			line.At(d, at, later(func() {
				s.mu.Lock()
				s.bare[b] = true
				s.mu.Unlock()
				for _, sub := range subs { // of what the node writes meanwhile, something may stay
					os.RemoveAll(filepath.Join(s.town.dir, b, "state", jobsFolder, sub.ID))
				}
			}))
		}},
	}
	k := kinds[r.IntN(len(kinds))]
	s.what = fmt.Sprintf("%s, %s to %s, way %d, byte %d", k.name, a, b, d, at)
	k.do()
}

// submit submits to all nodes that are up, as far as they take it.
func (s *simulation) submit(sub *api.Submission) {
	for _, p := range sub.Parties {
		s.as(p).Submit(s.t.Context(), sub) // one that has crashed does not
	}
}

// end waits until a job is in a final state at a node; ok is false if the node
// does not know it.
func (s *simulation) end(id, node string) (j api.Job, ok bool) {
	s.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		down := s.down[node]
		s.mu.Unlock()
		if down {
			return j, false
		}
		var err error
		if j, err = s.as(node).Job(s.t.Context(), id); errors.As(err, new(*api.Refused)) {
			return j, false
		}
		if err == nil && j.State.Final() {
			return j, true
		}
	}
	s.wrong("%s: job %s is %s at %s after three minutes (%s)", s.what, id, j.State, node, j.Phase)
	return j, false
}

// check looks at what a job gave where it is done.
func (s *simulation) check(sub *api.Submission) (done int) {
	x := map[string]float64{"alice": 0, "bob": 1, "eve": 2}
	want := 1 / (1 + math.Exp(-(6.5 + x[sub.Parties[0]]*x[sub.Parties[1]])))
	for _, p := range sub.Parties {
		j, ok := s.end(sub.ID, p)
		switch {
		case !ok:
		case j.State == api.Done:
			done++
			c := &town{t: s.t}
			got, err := c.fetch(s.as(p), sub.ID)
			if err == nil && math.Abs(got-want) > 1e-4 {
				s.wrong("%s: job %s gave %v at %s, want %v", s.what, sub.ID, got, p, want)
			}
			if err != nil && !s.diskless(p) {
				s.wrong("%s: job %s is done at %s and gives no result: %v", s.what, sub.ID, p, err)
			}
		case j.Error == "":
			s.wrong("%s: job %s is %s at %s, and nobody says why", s.what, sub.ID, j.State, p)
		}
	}
	return done
}

// diskless reports whether the folders of a node's jobs were taken away.
func (s *simulation) diskless(node string) bool {
	s.faults.Wait() // or it may be going on
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bare[node]
}

// run is one seed: some jobs while something goes wrong, and one after it.
func (s *simulation) run() {
	var subs []*api.Submission
	for range 1 + s.random.IntN(3) {
		order := s.random.Perm(3)
		sub := s.town.submission(simNames[order[0]], simNames[order[1]], simNames[order[2]])
		subs = append(subs, sub)
	}
	s.arm(subs)
	var all sync.WaitGroup
	for _, sub := range subs {
		all.Go(func() { s.submit(sub) })
	}
	all.Wait()
	for _, sub := range subs {
		s.check(sub)
	}
	s.mend()
	for try := 0; ; try++ { // what is armed and has not happened yet may hit it
		sub := s.town.submission("eve", "alice", "bob")
		s.submit(sub)
		if s.check(sub) == 3 {
			break
		}
		if try == 12 {
			s.wrong("%s: after it no job is done any more", s.what)
			break
		}
		s.mend()
	}
	for what, n := range s.dealer.begun {
		if n > 1 {
			s.wrong("%s: session and rank %s have begun %d times", s.what, what, n)
		}
	}
}

// wrong is what must not be.
func (s *simulation) wrong(format string, args ...any) {
	s.t.Helper()
	s.failed = true
	s.t.Errorf(format, args...)
}

// mend takes faults away and starts again who has crashed.
func (s *simulation) mend() {
	s.faults.Wait()
	for _, l := range s.lines {
		l.Set(fault.Both, fault.Fault{})
	}
	for name := range s.down {
		s.start(name)
	}
	clear(s.down)
	clear(s.bare)
}

func TestSeeds(t *testing.T) {
	defer goleak.VerifyNone(t)
	seeds, first, workers := 200, uint64(0), 8 // which wait most of the time
	if raced {
		seeds, workers = 8, 2
	}
	if n, err := strconv.Atoi(os.Getenv("TACET_TEST_SEEDS")); err == nil {
		seeds = n
		var b [4]byte
		rand.Read(b[:])
		first = uint64(b[0])<<24 | uint64(b[1])<<16 | uint64(b[2])<<8
	}
	if n, err := strconv.ParseUint(os.Getenv("TACET_TEST_SEED"), 10, 64); err == nil {
		seeds, first = 1, n
	}
	var next atomic.Uint64
	next.Store(first)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for !t.Failed() {
				seed := next.Add(1) - 1
				if seed >= first+uint64(seeds) {
					return
				}
				s := newSimulation(t, seed)
				start := time.Now()
				s.run()
				s.close()
				t.Logf("seed %d: %s: %.1f s", seed, s.what, time.Since(start).Seconds())
				if s.failed {
					t.Errorf("seed %d (again: TACET_TEST_SEED=%d go test ./node -run TestSeeds)", seed, seed)
				}
			}
		})
	}
	all.Wait()
}
