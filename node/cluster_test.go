package node

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/dealer"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/tensor"
)

// wires is a Network within the process.
type wires struct {
	mu    sync.Mutex
	ports map[string]*port
	keys  map[string]crypto.Signer // of daemons, by name
}

// port is one daemon's end of the network: it accepts and dials connections.
type port struct {
	wires   *wires
	name    string
	callers chan pki.Caller
	done    chan struct{}
	once    sync.Once
}

func newWires() *wires { return &wires{ports: map[string]*port{}, keys: map[string]crypto.Signer{}} }

func (w *wires) port(name string) *port {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &port{wires: w, name: name, callers: make(chan pki.Caller), done: make(chan struct{})}
	w.ports[name] = p
	return p
}

// Key returns the daemon's key.
func (p *port) Key() crypto.Signer {
	p.wires.mu.Lock()
	defer p.wires.mu.Unlock()
	if p.wires.keys[p.name] == nil {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			panic(err)
		}
		p.wires.keys[p.name] = key
	}
	return p.wires.keys[p.name]
}

func (p *port) Dial(ctx context.Context, name, proto string) (net.Conn, error) {
	p.wires.mu.Lock()
	to := p.wires.ports[name]
	p.wires.mu.Unlock()
	if to == nil {
		return nil, fmt.Errorf("%s is not reached", name)
	}
	a, b := net.Pipe()
	select {
	case to.callers <- pki.Caller{Conn: b, Name: p.name, Proto: proto}:
		return a, nil
	case <-to.done:
		return nil, fmt.Errorf("%s is not reached: connection refused", name)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *port) Accept() (pki.Caller, error) {
	select {
	case c := <-p.callers:
		return c, nil
	case <-p.done:
		return pki.Caller{}, net.ErrClosed
	}
}

func (p *port) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

// testCluster is a set of nodes in this process.
type testCluster struct {
	log   logs
	t     *testing.T
	dir   string
	wires *wires
	nodes map[string]*Node
	stops map[string]func() // stop functions of the nodes and of the dealer
}

// anything is a policy that allows carol everything.
const anything = `admins: [admin]
rules:
  - {name: all, submitters: [carol], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, reveals: any, keep: any, kept: any, fetch: [carol]}
`

const townProgram = `func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %1 = stablehlo.add %0, %b : tensor<f32>
  %2 = stablehlo.logistic %1 : tensor<f32>
  return %2 : tensor<f32>
}`

// newCluster starts nodes of these names.
func newCluster(t *testing.T, names ...string) *testCluster {
	t.Helper()
	c := &testCluster{t: t, dir: t.TempDir(), wires: newWires(), nodes: map[string]*Node{}, stops: map[string]func(){}}
	for i, name := range names {
		data := filepath.Join(c.dir, name, "data")
		if err := os.MkdirAll(data, 0o700); err != nil {
			t.Fatal(err)
		}
		c.write(name, "policy.yaml", anything)
		x := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{4}}, Data: []float32{1, 2, -1, float32(i)}}
		if err := npy.WriteFile(filepath.Join(data, "x.npy"), x); err != nil {
			t.Fatal(err)
		}
	}
	c.deal(names...)
	for _, name := range names {
		c.start(name, names, nil)
	}
	return c
}

// clusterSilence is the heartbeat timeout of nodes and dealer: long enough for a busy machine.
const clusterSilence = 4 * time.Second

// deal starts a dealer for parties.
func (c *testCluster) deal(parties ...string) {
	limits := dealer.DefaultLimits
	limits.HeartbeatInterval, limits.HeartbeatTimeout = 50*time.Millisecond, clusterSilence
	d := dealer.New(parties, limits, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	p := c.wires.port("dealer")
	var work sync.WaitGroup
	work.Go(func() { answer(p, &work, func(x pki.Caller) { d.Serve(x.Conn, x.Name) }) })
	c.stops["dealer"] = func() {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		d.Close(over)
		p.Close()
		work.Wait()
	}
}

func (c *testCluster) write(name, file, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name, file), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// config returns a node's configuration with short timeouts.
func (c *testCluster) config(name string, names []string) *Config {
	own := func(file string) string { return filepath.Join(c.dir, name, file) }
	k := &Config{
		Daemon: ops.Daemon{Name: name},
		Peers:  map[string]string{},
		Data:   []string{own("data")},
		State:  own("state"),
		Store:  own("store"),
		Policy: own("policy.yaml"),
		Limits: DefaultLimits,
	}
	k.Limits.HeartbeatInterval, k.Limits.HeartbeatTimeout, k.Limits.Drain = 50*time.Millisecond, clusterSilence, 2*time.Second
	for _, n := range names {
		if n != name {
			k.Peers[n] = n
		}
	}
	return k
}

// start starts a node; change modifies its configuration first.
func (c *testCluster) start(name string, names []string, change func(*Config)) {
	c.t.Helper()
	k := c.config(name, names)
	if change != nil {
		change(k)
	}
	port := c.wires.port(name)
	n, err := New(
		k,
		port,
		remoteDealer{port, "dealer", link.Heartbeat{Interval: k.Limits.HeartbeatInterval, Timeout: k.Limits.HeartbeatTimeout}},
		slog.New(slog.NewTextHandler(&c.log, nil)),
	)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.Serve(ctx)
	}()
	c.nodes[name], c.stops[name] = n, func() { cancel(); <-done }
}

// stop stops all nodes.
func (c *testCluster) stop() {
	var all sync.WaitGroup
	for _, stop := range c.stops {
		all.Go(stop)
	}
	all.Wait()
}

// as returns a client of a node that connects under another name.
func (c *testCluster) as(who, node string) *api.Client {
	p := &port{wires: c.wires, name: who}
	return api.Over(node, node, func(ctx context.Context) (net.Conn, error) { return p.Dial(ctx, node, api.Proto) })
}

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// submission returns a job in which the first two parties have a vector each and the submitter a
// public scalar; all parties learn its result.
func (c *testCluster) submission(parties ...string) *api.Submission {
	var b strings.Builder
	if err := npy.Write(&b, &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{}}, Data: []float32{0.5}}); err != nil {
		c.t.Fatal(err)
	}
	s := &api.Submission{
		ID: newID(), File: "job.yaml", Program: api.Program{Name: "town.mlir", Text: []byte(townProgram)}, Parties: parties, Computing: len(parties),
		Protocol: "semi2k", Ring: 64, Fraction: 18, Network: "none", Public: []api.Public{{Arg: 2, Array: []byte(b.String())}},
		Inputs: []api.Input{{Owner: parties[0], Name: "x.npy", Args: []int{0}}, {Owner: parties[1], Name: "x.npy", Args: []int{1}}},
	}
	for rank := range parties {
		s.Reveal = append(s.Reveal, rank)
	}
	return s
}

// submit submits to the nodes of all parties; it returns the error of any refusal.
func (c *testCluster) submit(s *api.Submission, who string) error {
	var errs []error
	for _, p := range s.Parties {
		_, err := c.as(who, p).Submit(c.t.Context(), s)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// wait waits until a job is in a final state at a node.
func (c *testCluster) wait(id, node string) api.Job {
	c.t.Helper()
	for deadline := time.Now().Add(busyWait); ; time.Sleep(25 * time.Millisecond) {
		j, err := c.as("carol", node).Job(c.t.Context(), id)
		if err != nil {
			c.t.Fatal(err)
		}
		if j.State.Final() {
			return j
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("job is %s at %s (%s)", j.State, node, j.Phase)
		}
	}
}

// busyWait is how long tests wait for what has to happen: long, since machines may be busy.
const busyWait = 3 * time.Minute
