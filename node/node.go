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
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/quota"
	"github.com/tacet-mpc/tacet/version"
)

// Node is the daemon of one party. Its exported methods may be called from several goroutines. New makes a Node.
type Node struct {
	config *Config
	net    Network
	dealer offline.Dealer // nil if the configuration names no dealer
	policy *policy.Enforcer
	audit  *audit.Log
	stores *store.Memory
	heads  *keptHeads
	log    *slog.Logger
	lines  *jobLog // the newest lines of log

	ctx  context.Context // ends when the node stops; parent of the contexts of all sessions
	stop context.CancelCauseFunc
	work sync.WaitGroup // all goroutines of the node; Serve waits for them

	mu       sync.Mutex
	counts   *ops.NodeMetrics             // nil if there are no metrics
	gather   func() ([]api.Sample, error) // reads the metrics; nil if there are none
	expiries func() []pki.Expiry          // until when the certificates are valid; nil if the node has none
	jobs     jobstate.State               // the states of all jobs
	tasks    map[string]*task             // what belongs to the jobs beside their states, by job id

	plans     *budget.Pool  // of the jobs that are planned at once
	broken    int           // files and folders of the state that could not be restored
	dealerUp  atomic.Bool   // the last probe of watchDealer reached the dealer
	bodies    bodies        // memory for messages that are being read
	strangers quota.Reports // refused submissions, by caller

	keeping   sync.Mutex // held while results are kept
	extending sync.Mutex // held while a rule is added to the policy file
	schemas   schemas    // of the tables that were described
	described quota.Rate // requests for descriptions, by caller

	draining chan struct{} // closed when the node stops: services end
}

// Run runs the node's daemon: it loads the identity of c.TLS, listens on c.Listen and serves until ctx ends.
// Then it waits up to Limits.Drain for running jobs, aborts the rest and returns. Each signal on reload makes it
// read the policy file and the certificates again. Run calls ready with the listening address once the node
// accepts connections.
func Run(ctx context.Context, c *Config, log *slog.Logger, reload <-chan os.Signal, ready func(address string)) error {
	certificates, err := ops.LoadCertificates(c.Daemon, "node", log, func(path string) (pki.Files, error) {
		again, err := ReadConfig(path)
		if err != nil {
			return pki.Files{}, err
		}
		return again.TLS, nil
	})
	if err != nil {
		return err
	}
	id := certificates.Identity
	addresses := map[string]string{}
	for name, a := range c.Peers {
		addresses[name] = a
	}
	if c.Dealer.Name != "" {
		addresses[c.Dealer.Name] = c.Dealer.Address
	}
	registry := ops.Registry(c.Name, version.Release, id.Expiries)
	var n *Node
	folders := map[string]string{"state": c.State, "store": c.Store}
	counts := ops.NewNodeMetrics(registry, folders, func() ops.Load { return n.level() })
	l, err := pki.Listen(c.Listen, id, ops.Refusals(log, counts.Refused), api.Proto, SessionProto)
	if err != nil {
		return err
	}
	port := &tlsNetwork{l, id, addresses}
	var dealer offline.Dealer
	if c.Dealer.Name != "" {
		dealer = remoteDealer{port, c.Dealer.Name, link.Heartbeat{Interval: c.Limits.HeartbeatInterval, Timeout: c.Limits.HeartbeatTimeout}}
	}
	if n, err = New(c, port, dealer, log); err != nil {
		port.Close()
		return err
	}
	n.counts, n.expiries = counts, id.Expiries
	n.gather = func() ([]api.Sample, error) { return samples(registry) }
	counts.AuditBroken(n.audit.Found() != nil)
	if c.Metrics != "" {
		s, err := ops.Listen(ops.Config{
			Address: c.Metrics, PProf: c.PProf, Metrics: registry, Log: log, Panicked: counts.Panicked,
			Health: func() (any, bool) {
				h := n.health()
				h.Certificates = id.Expiries()
				return h, !h.Draining
			},
		})
		if err != nil {
			port.Close()
			return err
		}
		defer s.Close(context.Background())
		n.work.Go(n.watchDealer)
	}
	certificates.CheckIdentities(c.Policy, n.policy.Policy().Identities())
	n.work.Go(func() { certificates.Watch(n.ctx) })
	n.work.Go(func() {
		for {
			select {
			case <-reload:
				certificates.Reload()
				n.Reload()
				certificates.CheckIdentities(c.Policy, n.policy.Policy().Identities())
			case <-n.ctx.Done():
				return
			}
		}
	})
	ready(port.Address())
	return n.Serve(ctx)
}

// New returns a node that is not serving yet. net connects it with other nodes; dealer may be nil, if jobs need
// none. New reads the policy, restores the jobs that c.State holds from earlier processes, and opens the audit
// log, which no other process may have open.
func New(c *Config, net Network, dealer offline.Dealer, log *slog.Logger) (*Node, error) {
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
	stores, err := store.OpenMemory(filepath.Join(c.State, storesFile))
	if err != nil {
		return nil, err
	}
	heads, err := openHeads(filepath.Join(c.State, headsFile))
	if err != nil {
		return nil, err
	}
	record, err := audit.Open(filepath.Join(c.State, auditFile), signerOf(c, net), c.rotation(func(err error) {
		log.Error("a file of the audit log cannot be renamed or removed", "error", err.Error())
	}))
	if err != nil {
		return nil, err
	}
	if b := record.Found(); b != nil {
		log.Error("the audit log was changed or cut: it is moved aside, and a new one begins", "break", b.Error())
	}
	if err := durable.RemoveUnfinished(c.State); err != nil { // safe: no other process writes there, since the audit log is locked
		log.Error("cannot remove unfinished files", "path", c.State, "error", err.Error())
	}
	lines := newJobLog(log.Handler())
	log = slog.New(lines)
	n := &Node{
		lines:    lines,
		draining: make(chan struct{}), audit: record, config: c, net: net, dealer: dealer, policy: keeper, log: log, tasks: map[string]*task{},
		bodies: newBodies(c.Limits.Bodies),
	}
	n.stores, n.heads = stores, heads
	n.described.Most = max(c.Limits.Descriptions, 1)
	n.plans = budget.NewPool(max(c.Limits.Memory, c.Limits.planMemory()), c.Limits.planMemory(), plansAtOnce)
	n.jobs = jobstate.New(jobstate.Limits{
		Node: c.Name, Jobs: c.Limits.Jobs, Queue: c.Limits.Queue, Batch: c.Limits.Batch, Keep: c.Limits.Keep,
		Memory: c.Limits.Memory, MemoryEach: c.Limits.MemoryEach,
		Submissions: c.Limits.Submissions, Submitter: c.Limits.submitter(),
		Wait: c.Limits.Wait, SlotTimeout: 4 * c.Limits.HeartbeatTimeout, RequestWait: c.Limits.HeartbeatTimeout,
		Requests: c.Limits.RequestsKept, Results: c.Retention.Results, Checkpoints: c.Retention.Checkpoints,
	})
	n.ctx, n.stop = context.WithCancelCause(context.Background())
	err = n.applyPolicy(p, "", "")
	if err == nil {
		err = n.restore()
	}
	if err != nil {
		return nil, errors.Join(err, record.Close())
	}
	n.checkStore()
	return n, nil
}

// Reload reads the policy file again. The new policy applies from then on to submissions, to jobs that
// start (waiting ones included), to requests and to admin actions. If the file is invalid, the old
// policy stays and the error is logged and returned.
func (n *Node) Reload() error {
	p, err := policy.Read(n.config.Policy, n.config.Name)
	if err == nil {
		err = n.applyPolicy(p, "", "")
	}
	if err != nil {
		n.log.Error("policy not reloaded; the previous policy stays in force", "error", err.Error())
	}
	return err
}

// applyPolicy writes p's hash to the audit log and then puts p into force. If the write fails, the old
// policy stays. by is the admin who has changed the policy, and why says how; "" if its owner has.
func (n *Node) applyPolicy(p *policy.Policy, by, why string) error {
	if err := n.audit.Append(audit.Event{Time: time.Now(), Kind: audit.PolicyApplied, Actor: by, Policy: p.SHA256, Reason: why}); err != nil {
		return err
	}
	n.policy.Replace(p)
	n.mu.Lock()
	n.jobs.Limits.Each = n.config.Limits.each(p.Submitters())
	n.mu.Unlock()
	n.log.Info("policy applies", "file", n.config.Policy, "sha256", p.SHA256, "rules", len(p.Rules))
	return nil
}

// auditFile is the name of the audit log in the state folder.
const auditFile = "audit.log"

// ErrStopping is the reason for which a node that stops aborts its sessions and refuses jobs.
var ErrStopping = errors.New(jobstate.Stopping)

// maxHeader bounds the header of a message, in bytes.
const maxHeader = 1 << 15

// Serve accepts connections until ctx ends. Then it accepts no more jobs, waits up to Limits.Drain for running
// jobs, aborts the rest and closes the node.
func (n *Node) Serve(ctx context.Context) error {
	control := newConnListener()
	server := &http.Server{
		Handler:           ops.Guarded(n.trusted(n.sameProtocol(n.routes())), n.log, n.panicked),
		ConnContext:       callerContext,
		ReadHeaderTimeout: pki.HandshakeTime,
		MaxHeaderBytes:    maxHeader,
		IdleTimeout:       time.Minute,
		ErrorLog:          slog.NewLogLogger(n.log.Handler(), slog.LevelDebug),
	}
	n.log.Info("node serves", "party", n.config.Name, "version", version.Get().String(), "jobs", len(n.tasks))
	n.mu.Lock()
	n.step("", jobstate.Serving{})
	n.mu.Unlock()
	if n.config.Retention != (Retention{}) {
		n.work.Go(n.retain)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(control) }()
	n.work.Go(func() { n.accept(control) })

	<-ctx.Done()
	n.drain()
	n.stop(ErrStopping)
	n.stopTimers()
	n.net.Close()
	control.Close()
	server.Close()
	<-served
	n.work.Wait()
	n.log.Info("node has stopped", "party", n.config.Name)
	return n.audit.Close()
}

// panicked counts a request whose handler panicked.
func (n *Node) panicked() {
	if n.counts != nil {
		n.counts.Panicked()
	}
}

// drain refuses new jobs and waits up to Limits.Drain until no session runs.
func (n *Node) drain() {
	n.mu.Lock()
	n.step("", jobstate.Closing{})
	n.mu.Unlock()
	close(n.draining)
	limit := time.After(n.config.Limits.Drain)
	for {
		n.mu.Lock()
		running := n.jobs.Running()
		n.mu.Unlock()
		if running == 0 {
			return
		}
		n.log.Info("waiting for running jobs", "jobs", running)
		select {
		case <-limit:
			return
		case <-time.After(min(n.config.Limits.Drain, 200*time.Millisecond)):
		}
	}
}

// accept passes each connection on by its ALPN protocol: to the control API's server or to its
// session.
func (n *Node) accept(control *connListener) {
	for {
		c, err := n.net.Accept()
		if err != nil {
			return
		}
		switch c.Proto {
		case api.Proto:
			if !control.offer(c) {
				c.Close()
			}
		case SessionProto:
			n.work.Go(func() { n.acceptSessionConn(c) })
		default:
			c.Close()
		}
	}
}

// connListener is a net.Listener whose connections are passed in by offer: the control API's server
// accepts from it, while the node's one port serves two protocols.
type connListener struct {
	callers chan pki.Caller
	done    chan struct{}
	once    sync.Once
}

func newConnListener() *connListener {
	return &connListener{callers: make(chan pki.Caller), done: make(chan struct{})}
}

func (d *connListener) offer(c pki.Caller) bool {
	select {
	case d.callers <- c:
		return true
	case <-d.done:
		return false
	}
}

func (d *connListener) Accept() (net.Conn, error) {
	select {
	case c := <-d.callers:
		return c, nil
	case <-d.done:
		return nil, net.ErrClosed
	}
}

func (d *connListener) Close() error {
	d.once.Do(func() { close(d.done) })
	return nil
}

func (d *connListener) Addr() net.Addr { return connListenerAddr{} }

type connListenerAddr struct{}

func (connListenerAddr) Network() string { return "node" }
func (connListenerAddr) String() string  { return "node" }

// callerKey is the context key of the connection's pki.Caller.
type callerKey struct{}

func callerContext(ctx context.Context, c net.Conn) context.Context {
	if caller, ok := c.(pki.Caller); ok {
		return context.WithValue(ctx, callerKey{}, caller)
	}
	return ctx
}
