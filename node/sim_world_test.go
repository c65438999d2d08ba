package node

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/dealer"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/tensor"
)

// The daemons of a world.
const theDealer = "dealer"

var simNames = []string{"alice", "bob", "eve"}

// world is a set of nodes and a dealer in a testing/synctest bubble, with in-memory lines between
// them. Time passes there only when all goroutines are blocked.
type world struct {
	*testCluster
	seed   uint64
	random *mrand.Rand
	events *events
	lines  map[[2]string]*fault.Line // by dialling and dialled daemon

	mu      sync.Mutex
	ports   map[string]*fault.Port // of running daemons
	down    map[string]bool        // crashed daemons
	ids     map[string]*pki.Identity
	begun   map[string]int    // number of parties that joined, by session id and rank at the dealer
	used    map[string]string // stored sessions, with the job that used each
	removed map[string]bool   // jobs whose folder a fault has removed at a node
	bare    map[string]bool   // nodes whose files were lost, or could not be written
	full    bool              // no file can grow
	harms   int               // number of faults
	backups int               // number of backups
	silent  time.Time         // time from which a line drops all bytes
	damaged bool              // a line loses or changes bytes, or will: a connection may show that only when it is used again
	broken  []string          // violated invariants
	left    []*api.Submission // failed trainings
	open    []*api.Submission // services that open again
	crashed map[string]bool   // nodes that have crashed at least once

	harm, running sync.WaitGroup // faults in progress, and errands
}

// newWorld creates a world in a folder. Its certificates use the bubble's time.
func newWorld(t *testing.T, seed uint64, dir string) *world {
	t.Helper()
	w := &world{
		testCluster: &testCluster{t: t, dir: dir, nodes: map[string]*Node{}, stops: map[string]func(){}},
		seed:        seed, random: mrand.New(mrand.NewPCG(seed, 0)), events: &events{begun: time.Now(), due: map[int]func(){}},
		lines: map[[2]string]*fault.Line{},
		ports: map[string]*fault.Port{}, down: map[string]bool{}, ids: map[string]*pki.Identity{}, begun: map[string]int{},
		used: map[string]string{}, bare: map[string]bool{}, removed: map[string]bool{}, crashed: map[string]bool{},
	}
	authority := filepath.Join(dir, "pki")
	if err := pki.Init(authority, pki.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"alice", "bob", "eve", "carol", theHostile, theStranger, theDealer} {
		f, err := pki.Issue(authority, name, pki.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if w.ids[name], err = pki.Load(f); err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range simNames {
		if err := os.MkdirAll(filepath.Join(dir, a, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		w.write(a, "policy.yaml", simPolicy)
		w.write(a, simTableFile, simTable(i))
		for file, x := range vectors(i) {
			a := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{4}}, Data: x}
			if err := npy.WriteFile(filepath.Join(dir, simNames[i], "data", file), a); err != nil {
				t.Fatal(err)
			}
		}
		for j, b := range append(simNames, theDealer) {
			if a != b {
				w.lines[[2]string{a, b}] = fault.New(seed<<8 | uint64(i<<4|j))
			}
		}
	}
	w.calm()
	w.startDealer()
	for _, name := range simNames {
		w.start(name)
	}
	return w
}

// vectors writes a party's input files.
func vectors(rank int) map[string][]float32 {
	return map[string][]float32{"x.npy": {1, 2, -1, float32(rank)}, "y.npy": {0.5, float32(rank), 1, -1}}
}

// calm gives the lines their behaviour without faults: different latencies.
func (w *world) calm() {
	for i, a := range simNames {
		for j, b := range append(simNames, theDealer) {
			if l := w.lines[[2]string{a, b}]; l != nil {
				l.Mend()
				l.Set(fault.Both, fault.Fault{Delay: time.Duration(1+(i+j)*(i+j)*int(w.seed%4)) * time.Millisecond})
			}
		}
	}
}

// violated records a violated invariant.
func (w *world) violated(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.events.add("WRONG: %s", text)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = append(w.broken, text)
}

// simNetwork is a daemon's Network.
type simNetwork struct {
	*pki.Listener
	world *world
	name  string
}

// openPort opens a daemon's port.
func (w *world) openPort(name string, protos ...string) *simNetwork {
	p := fault.NewPort(name)
	w.mu.Lock()
	w.ports[name] = p
	w.mu.Unlock()
	refused := func(from string, err error) { w.events.add("%s: refuses %s: %v", name, from, err) }
	return &simNetwork{pki.NewListener(recordingPort{p, w.events}, w.ids[name], refused, protos...), w, name}
}

// Key returns the key of the daemon's certificate.
func (b *simNetwork) Key() crypto.Signer { return b.world.ids[b.name].Key() }

// Dial opens a connection over the line; a crashed daemon cannot dial.
func (b *simNetwork) Dial(ctx context.Context, name, proto string) (net.Conn, error) {
	b.world.mu.Lock()
	down, port := b.world.down[b.name], b.world.ports[name]
	b.world.mu.Unlock()
	if down {
		return nil, errCrashed
	}
	ctx, cancel := context.WithTimeout(ctx, pki.HandshakeTime)
	defer cancel()
	raw, err := b.world.lines[[2]string{b.name, name}].Dial(b.name, port)
	if err != nil {
		return nil, fmt.Errorf("%s is not reached: %w", name, err)
	}
	return pki.Client(ctx, b.world.events.hear(raw), b.world.ids[b.name], name, proto)
}

// as returns a client of a node that uses no line, for carol.
func (w *world) as(node string) *api.Client { return w.by("carol", node) }

// counted is a dealer client that checks that each party begins each session once.
type counted struct {
	remoteDealer
	world *world
}

func (d counted) Begin(ctx context.Context, t remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	w := d.world
	w.mu.Lock()
	w.begun[fmt.Sprint(t.Session, t.Rank)]++
	twice := w.begun[fmt.Sprint(t.Session, t.Rank)] > 1
	w.mu.Unlock()
	if twice {
		w.violated("session %v begins twice at rank %d", t.Session, t.Rank)
	}
	return d.remoteDealer.Begin(ctx, t, f)
}

// start starts a node.
func (w *world) start(name string) {
	c := w.config(name, simNames)
	c.Limits = DefaultLimits
	c.Limits.Jobs, c.Limits.Wait = 2, time.Minute
	c.PairState = 24 * time.Hour
	c.Catalogue = map[string]string{"table": filepath.Join(w.dir, name, simTableFile)}
	c.Tables = map[string]*job.Table{"table": {}}
	b := w.openPort(name, api.Proto, SessionProto)
	d := counted{remoteDealer{b, theDealer, link.Heartbeat{Interval: c.Limits.HeartbeatInterval, Timeout: c.Limits.HeartbeatTimeout}}, w}
	n, err := New(c, b, d, w.events.log(name))
	if err != nil {
		b.Close()
		w.mu.Lock()
		full := w.bare[name]
		w.mu.Unlock()
		if !full { // otherwise it starts when the disk has room for its log
			w.violated("%s does not start: %v", name, err)
		}
		w.events.add("%s does not start: %v", name, err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := n.Serve(ctx); err != nil {
			w.events.add("%s: ended with %v", name, err)
		}
	}()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.down, name)
	w.nodes[name], w.stops[name] = n, func() { cancel(); <-done }
}

// startDealer starts the dealer.
func (w *world) startDealer() {
	d := dealer.New(simNames, dealer.DefaultLimits, w.events.log(theDealer), prometheus.NewRegistry())
	b := w.openPort(theDealer, remote.Proto)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := b.Accept()
			if err != nil {
				return
			}
			work.Go(func() { d.Serve(c.Conn, c.Name) })
		}
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.down, theDealer)
	w.stops[theDealer] = func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		d.Close(now)
		b.Close()
		work.Wait()
	}
}

// errCrashed is the error of all operations of a crashed daemon.
var errCrashed = errors.New("crashed")

// crash ends a daemon as a kill does: its later messages and writes have no effect. It reports whether
// the daemon was running.
func (w *world) crash(name string) bool {
	w.mu.Lock()
	if w.down[name] || w.stops[name] == nil {
		w.mu.Unlock()
		return false
	}
	w.down[name], w.crashed[name] = true, true
	port, stop, n, full := w.ports[name], w.stops[name], w.nodes[name], w.full
	w.mu.Unlock()
	w.events.add("%s crashes", name)
	own, after := filepath.Join(w.dir, name), filepath.Join(w.dir, name+" after")
	if n != nil {
		// The copies stand for the node's original files, so copying them must not fail on a full disk.
		if err := errors.Join(fillDisk(false), leaveFolder(after, own), fillDisk(full)); err != nil {
			w.violated("%s: %v", name, err)
		}
	}
	port.Close()
	w.each(name, (*fault.Line).Cut)
	if n != nil {
		n.stop(errCrashed)
	}
	stop()
	if n != nil {
		if err := errors.Join(os.RemoveAll(own), os.Rename(after, own)); err != nil {
			w.violated("%s: %v", name, err)
		}
	}
	return true
}

// leaveFolder copies the folder of a node that crashes. The sessions of its store that are ready are moved:
// a copy is another file, which a store refuses.
func leaveFolder(to, from string) error {
	err := copyFolder(to, from)
	ready, gerr := filepath.Glob(filepath.Join(from, "store*", "*", "*.ready"))
	err = errors.Join(err, gerr)
	for _, path := range ready {
		err = errors.Join(err, os.Rename(path, to+strings.TrimPrefix(path, from)))
	}
	return err
}

// copyFolder copies a folder with its permissions.
func copyFolder(to, from string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		path = filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.Mkdir(path, info.Mode().Perm())
		}
		text, err := os.ReadFile(filepath.Join(from, strings.TrimPrefix(path, to)))
		if err != nil {
			return err
		}
		return os.WriteFile(path, text, info.Mode().Perm())
	})
}

// each calls f with all lines of a daemon.
func (w *world) each(name string, do func(*fault.Line)) {
	for i, a := range append(simNames, theDealer) {
		for j, b := range append(simNames, theDealer) {
			if l := w.lines[[2]string{a, b}]; l != nil && i != j && (a == name || b == name) {
				do(l)
			}
		}
	}
}

// restart restarts a crashed daemon.
func (w *world) restart(name string) {
	w.events.add("%s starts again", name)
	if name == theDealer {
		w.startDealer()
	} else {
		w.start(name)
	}
}

// close stops all daemons and lines.
func (w *world) close() {
	w.stop()
	for _, l := range w.lines {
		l.Close()
	}
}
