package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pki"
)

// Node is the daemon of one party.
type Node struct {
	config *Config
	net    Network
	dealer party.Dealer // nil: none
	policy *policy.Keeper
	audit  *audit.Log
	log    *slog.Logger

	ctx  context.Context // the node's life
	stop context.CancelCauseFunc
	work sync.WaitGroup // everything that runs for the node

	mu     sync.Mutex
	counts *ops.NodeMetrics // nil: none
	tasks  map[string]*task // by id
	slots  int              // free
	memory int64            // free
	closed bool             // takes no more jobs

	draining chan struct{} // closed when services are to end
}

// Run is the life of a node: it serves until ctx ends, then lets running jobs
// end for a while. Whenever something comes from reload, the policy is read anew.
// ready is called when it serves.
func Run(ctx context.Context, c *Config, log *slog.Logger, reload <-chan os.Signal, ready func(address string)) error {
	id, err := pki.Load(c.TLS)
	if err != nil {
		return err
	}
	if id.Name() != c.Name {
		return fmt.Errorf("%s is the certificate of %s, and the node is %s", c.TLS.Cert, id.Name(), c.Name)
	}
	addresses := map[string]string{}
	for name, a := range c.Peers {
		addresses[name] = a
	}
	if c.Dealer.Name != "" {
		addresses[c.Dealer.Name] = c.Dealer.Address
	}
	registry := ops.Registry(c.Name, party.Version, id.Expires())
	var n *Node
	counts := ops.NewNodeMetrics(registry, func() ops.Level { return n.level() })
	l, err := pki.Listen(c.Listen, id, func(from string, err error) {
		log.Warn("caller refused", "from", from, "error", err.Error())
		counts.Refused()
	}, api.Proto, SessionProto)
	if err != nil {
		return err
	}
	port := &tlsNetwork{l, id, addresses}
	var dealer party.Dealer
	if c.Dealer.Name != "" {
		dealer = distant{port, c.Dealer.Name, link.Watch{Beat: c.Limits.Beat, Silence: c.Limits.Silence}}
	}
	if n, err = New(c, port, dealer, log); err != nil {
		port.Close()
		return err
	}
	n.counts = counts
	if c.Metrics != "" {
		s, err := ops.Listen(ops.Config{Address: c.Metrics, PProf: c.PProf, Metrics: registry, Log: log, Health: func() (any, bool) {
			h := n.health()
			return h, !h.Draining
		}})
		if err != nil {
			port.Close()
			return err
		}
		defer s.Close(context.Background())
	}
	n.work.Go(func() {
		for {
			select {
			case <-reload:
				n.Reload()
			case <-n.ctx.Done():
				return
			}
		}
	})
	ready(port.Address())
	return n.Serve(ctx)
}

// New makes a node of a network, with a dealer or nil; what its state folder
// holds of earlier jobs is taken over.
func New(c *Config, net Network, dealer party.Dealer, log *slog.Logger) (*Node, error) {
	p, err := policy.Read(c.Policy, c.Name)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(c.State, jobsFolder), 0o700); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	keeper, err := policy.Open(p, filepath.Join(c.State, "counts.json"))
	if err != nil {
		return nil, err
	}
	record, err := audit.Open(filepath.Join(c.State, auditFile))
	if err != nil {
		return nil, err
	}
	if err := durable.Sweep(c.State); err != nil { // nobody else writes there: the log is locked
		return nil, errors.Join(fmt.Errorf("state: %w", err), record.Close())
	}
	n := &Node{
		draining: make(chan struct{}), audit: record, config: c, net: net, dealer: dealer, policy: keeper, log: log, tasks: map[string]*task{}, slots: c.Limits.Jobs, memory: c.Limits.Memory,
	}
	n.ctx, n.stop = context.WithCancelCause(context.Background())
	err = n.rule(p)
	if err == nil {
		err = n.restore()
	}
	if err != nil {
		return nil, errors.Join(err, record.Close())
	}
	return n, nil
}

// Reload reads the policy's file anew. What it says applies from then on: to
// jobs that come or start, those that wait among them, to requests, and to what
// admins do. A file that is wrong changes nothing.
func (n *Node) Reload() error {
	p, err := policy.Read(n.config.Policy, n.config.Name)
	if err == nil {
		err = n.rule(p)
	}
	if err != nil {
		n.log.Error("the policy stays as it was", "error", err.Error())
	}
	return err
}

// rule applies a policy, once that is written down.
func (n *Node) rule(p *policy.Policy) error {
	if err := n.audit.Append(audit.Event{Time: time.Now(), Kind: audit.Ruled, Policy: p.SHA256}); err != nil {
		return err
	}
	n.policy.Replace(p)
	n.log.Info("policy applies", "file", n.config.Policy, "sha256", p.SHA256, "rules", len(p.Rules))
	return nil
}

// auditFile is the audit log in the state folder.
const auditFile = "audit.log"

// ErrStopping is why jobs end that a stopped node does not wait for.
var ErrStopping = errors.New("the node is being stopped")

// Serve serves until ctx ends.
func (n *Node) Serve(ctx context.Context) error {
	control := newDoor()
	server := &http.Server{Handler: n.routes(), ConnContext: callerContext, ReadHeaderTimeout: pki.HandshakeTime, IdleTimeout: time.Minute, ErrorLog: slog.NewLogLogger(n.log.Handler(), slog.LevelDebug)}
	n.log.Info("node serves", "party", n.config.Name, "jobs", len(n.tasks))
	n.resume()
	served := make(chan error, 1)
	go func() { served <- server.Serve(control) }()
	n.work.Go(func() { n.accept(control) })

	<-ctx.Done()
	n.drain()
	n.stop(ErrStopping)
	n.net.Close()
	control.Close()
	server.Close()
	<-served
	n.work.Wait()
	n.log.Info("node has stopped", "party", n.config.Name)
	return n.audit.Close()
}

// drain takes no more jobs and waits for those that run.
func (n *Node) drain() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	close(n.draining)
	limit := time.After(n.config.Limits.Drain)
	for {
		n.mu.Lock()
		running := 0
		for _, t := range n.tasks {
			if t.seats != nil {
				running++
			}
		}
		n.mu.Unlock()
		if running == 0 {
			return
		}
		n.log.Info("waits for running jobs", "jobs", running)
		select {
		case <-limit:
			return
		case <-time.After(min(n.config.Limits.Drain, 200*time.Millisecond)):
		}
	}
}

// accept lets callers in, by what they want.
func (n *Node) accept(control *door) {
	for {
		c, err := n.net.Accept()
		if err != nil {
			return
		}
		switch c.Proto {
		case api.Proto:
			if !control.let(c) {
				c.Close()
			}
		case SessionProto:
			n.work.Go(func() { n.seat(c) })
		default:
			c.Close()
		}
	}
}

// door is a listener of connections that came otherwise.
type door struct {
	callers chan pki.Caller
	done    chan struct{}
	once    sync.Once
}

func newDoor() *door { return &door{callers: make(chan pki.Caller), done: make(chan struct{})} }

func (d *door) let(c pki.Caller) bool {
	select {
	case d.callers <- c:
		return true
	case <-d.done:
		return false
	}
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case c := <-d.callers:
		return c, nil
	case <-d.done:
		return nil, net.ErrClosed
	}
}

func (d *door) Close() error {
	d.once.Do(func() { close(d.done) })
	return nil
}

func (d *door) Addr() net.Addr { return doorAddr{} }

type doorAddr struct{}

func (doorAddr) Network() string { return "node" }
func (doorAddr) String() string  { return "node" }

// callerKey is where a request's context has the caller's name.
type callerKey struct{}

func callerContext(ctx context.Context, c net.Conn) context.Context {
	if caller, ok := c.(pki.Caller); ok {
		return context.WithValue(ctx, callerKey{}, caller.Name)
	}
	return ctx
}
