package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// start begins the session of a job that has a slot. When it returns nil, the run is counted by the
// policy and written to the audit log, and data connections are accepted.
func (n *Node) start(t *task, s api.Start) error {
	id, err := correlation.ParseSessionID(s.Session)
	if err != nil {
		return refuse(http.StatusBadRequest, "session: %w", err)
	}
	w, err := n.resolvedOf(t)
	if err != nil {
		return err
	}
	spec, err := n.spec(t, w, s.Owners, s.Stay)
	if err != nil {
		return err
	}
	own, err := n.readInputs(t, w)
	if err != nil {
		return err
	}
	for arg, a := range own.args {
		if a != nil {
			spec.Args[arg].Data = a
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case t.State != api.Queued || t.slot == nil || t.memory == 0:
		return refuse(http.StatusConflict, "job %s is %s at %s and has no reserved slot", t.ID, t.State, n.config.Name)
	case n.closed:
		return refuse(http.StatusServiceUnavailable, "%w", ErrStopping)
	case w.sub.Serve && (s.Batch < 1 || t.memoryDemand.forBatch(s.Batch) > t.memory):
		return refuse(http.StatusConflict, "the memory reserved at %s is for a batch of fewer than %d requests", n.config.Name, s.Batch)
	}
	decision, err := n.judge(t, w)
	if err != nil {
		return refuse(http.StatusInsufficientStorage, "%w", err)
	}
	if decision.Verdict == policy.Denied || decision.Verdict == policy.NeedsApproval && !t.approved {
		n.end(t, api.Denied, "the policy of "+n.config.Name+" no longer allows it: "+decision.Reason)
		return refuse(http.StatusForbidden, "%s", t.Error)
	}
	if w.sub.Serve {
		t.Batch = s.Batch
		n.reserveMemory(t, t.memoryDemand.forBatch(s.Batch)) // the batch is the minimum over all nodes, which may be below what was reserved here
	}
	n.change(t, func() { t.State, t.Session, t.Phase, t.Started = api.Running, s.Session, "connect", time.Now() })
	err = n.appendAudit(t, audit.Event{Kind: audit.Started, Rule: decision.Rule, Inputs: own.used, Kept: t.facts.Kept})
	if err == nil {
		err = n.save(t)
	}
	if err != nil { // a run that is not in the audit log must not happen
		n.end(t, api.Failed, err.Error())
		return refuse(http.StatusInsufficientStorage, "%w", err)
	}
	if n.counts != nil {
		n.counts.Started(t.Started.Sub(t.Submitted))
	}
	t.slot.Stop()       // the slot now lasts as long as the session
	t.inputValues = nil // the spec holds the values
	ctx, stop := context.WithCancelCause(n.ctx)
	at := newSessionConns(s.Session)
	t.stop, t.conns = stop, at
	n.work.Go(func() { n.runJob(ctx, t, w, at, id, spec) })
	return nil
}

// judge applies the policy once more before a job starts and counts the run. Offline jobs run no
// program and are not counted.
func (n *Node) judge(t *task, w *resolvedJob) (policy.Decision, error) {
	facts := t.facts
	facts.Now = time.Now()
	if w.sub.Offline {
		return n.policy.Judge(facts), nil
	}
	return n.policy.Start(facts, t.approved)
}

// spec returns the job's spec. owners is the owner of each argument (resolvedJob.owners), stay lists
// the resident arguments; both come from the leader and are checked against this party's own inputs.
func (n *Node) spec(t *task, w *resolvedJob, owners, stay []int) (party.Spec, error) {
	spec, err := w.job.OwnSpec(w.program, n.config.Name, owners, w.public)
	if err != nil {
		return spec, refuse(http.StatusConflict, "%w", err)
	}
	for arg, by := range owners {
		if (by == t.rank) != slices.Contains(w.own, arg) {
			return spec, refuse(http.StatusConflict, "argument %d: %s does not own it, although %s says so", arg, w.giver(by), t.Parties[0])
		}
		spec.Args[arg].Resident = slices.Contains(stay, arg)
		if r, ok := w.ranges[arg]; ok {
			spec.Args[arg].Range = &r
		}
		if by == t.rank && spec.Args[arg].Resident != slices.Contains(w.residentArgs, arg) {
			return spec, refuse(http.StatusConflict, "argument %d: %s and %s disagree whether it is resident", arg, n.config.Name, t.Parties[0])
		}
	}
	if err := w.useKept(n.config, &spec); err != nil {
		return spec, refuse(http.StatusConflict, "%w", err)
	}
	return spec, nil
}

// inputValues holds what this party's inputs provide when a session starts.
type inputValues struct {
	args []*tensor.Array // by argument; nil for arguments of other owners
	used []audit.Input
}

// readInputs reads the input values that this party provides when the session starts. They are read
// once, when memory is reserved for the job, and kept in t.inputValues until the session starts or the
// reservation ends.
func (n *Node) readInputs(t *task, w *resolvedJob) (*inputValues, error) {
	if w.sub.Offline {
		return &inputValues{}, nil
	}
	n.mu.Lock()
	g := t.inputValues
	n.mu.Unlock()
	if g != nil {
		return g, nil
	}
	from := w.job
	if w.sub.Serve {
		from = w.resident()
	}
	g = &inputValues{}
	var err error
	if g.args, err = from.OwnArgs(w.program, n.config.Name); err != nil {
		return nil, refuse(http.StatusConflict, "%w", n.redactInputError(t.ID, err))
	}
	if g.used, err = used(w.initialInputs()); err != nil {
		return nil, refuse(http.StatusConflict, "%w", err)
	}
	n.mu.Lock()
	if t.resolved != nil { // the job may have ended meanwhile
		t.inputValues = g
	}
	n.mu.Unlock()
	return g, nil
}

// memoryDemand is the memory that a session takes, in bytes: the vectors according to the plan, times
// the factor by which the garbage collector lets the heap grow.
type memoryDemand struct {
	base       int64 // of a job, or of a service that evaluates one request at a time
	perRequest int64 // for each further request of a batch
}

// forBatch returns the bytes for a batch of this many requests.
func (d memoryDemand) forBatch(requests int) int64 { return d.base + int64(requests-1)*d.perRequest }

// planMemory returns the memory that the session will take at this node, and reads the inputs; zero
// while the owners of the arguments are unknown (m.Owners is nil).
func (n *Node) planMemory(t *task, m api.Reserve) (memoryDemand, error) {
	if m.Owners == nil {
		return memoryDemand{}, nil
	}
	w, err := n.resolvedOf(t)
	if err != nil {
		return memoryDemand{}, err
	}
	n.mu.Lock()
	known := t.memoryDemand
	n.mu.Unlock()
	if known.base > 0 {
		return known, nil
	}
	spec, err := n.spec(t, w, m.Owners, m.Stay)
	if err != nil {
		return memoryDemand{}, err
	}
	machine := timing.Default
	spec.Machine = &machine
	if w.sub.Checkpoint > 0 {
		spec.Checkpoints = &party.Checkpoints{Every: w.sub.Checkpoint}
	}
	r, err := party.Plan(n.ctx, spec) // a program that cannot run is refused here, before inputs are read
	if err != nil {
		return memoryDemand{}, refuse(http.StatusConflict, "%w", err)
	}
	if n.policy.Policy().RefusesOwnerLocalControl() {
		s, err := party.Inspect(n.ctx, spec)
		if err != nil {
			return memoryDemand{}, refuse(http.StatusConflict, "%w", err)
		}
		n.mu.Lock()
		t.facts.OwnerLocalControl = ownControl(s, t.rank)
		facts := t.facts
		n.mu.Unlock()
		facts.Now = time.Now()
		if d := n.policy.Judge(facts); d.Verdict == policy.Denied {
			return memoryDemand{}, refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, d.Reason)
		}
	}
	if _, err := n.readInputs(t, w); err != nil {
		return memoryDemand{}, err
	}
	const heapPerLive = 2
	d := memoryDemand{base: max(1, heapPerLive*r.Plan.MemoryBytes[t.rank])}
	if w.sub.Serve {
		d.base += heapPerLive * r.Offline.BytesSent // correlations of the next request, received while this one is evaluated
		d.perRequest = d.base
		if r.Plan.ResidentBytes != nil {
			d.perRequest -= heapPerLive * r.Plan.ResidentBytes[t.rank]
		}
	}
	if most := n.config.Limits.Memory; d.base > most {
		return memoryDemand{}, refuse(http.StatusConflict, "the job needs %s of memory at %s according to its plan; that node allows %s (limits: memory)", yamlfile.FormatSize(d.base), n.config.Name, yamlfile.FormatSize(most))
	}
	n.mu.Lock()
	t.memoryDemand = d
	n.mu.Unlock()
	return d, nil
}

// runJob runs a job's session and ends the job.
func (n *Node) runJob(ctx context.Context, t *task, w *resolvedJob, at *sessionConns, id correlation.SessionID, spec party.Spec) {
	limit := fmt.Errorf("the session has run for %v, the maximum at %s (limits: time)", n.config.Limits.Time, n.config.Name)
	ctx, cancel := context.WithTimeoutCause(ctx, n.config.Limits.Time, limit)
	defer cancel()
	n.log.Info("job running", "job", t.ID, "session", t.Session, "program", t.Program)
	out, err := n.runSession(ctx, t, w, at, id, spec)
	n.logOwnFailure(t.ID, err)
	n.mu.Lock()
	defer n.mu.Unlock()
	t.stop(nil)
	t.stop = nil
	at.close()
	t.conns = nil
	var by cancelled
	switch {
	case err == nil:
		t.Results = len(out.Results)
		n.end(t, api.Done, "")
		n.removeCheckpoints(t)
		n.work.Go(func() { n.askHeads(t.Parties) })
	case errors.As(context.Cause(ctx), &by):
		n.end(t, api.Cancelled, by.reason)
	default:
		n.end(t, api.Failed, err.Error())
	}
}

// runSession connects the parties, joins the session and stores its results, kept shares and report.
func (n *Node) runSession(ctx context.Context, t *task, w *resolvedJob, at *sessionConns, id correlation.SessionID, spec party.Spec) (*party.Outcome, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	spec.Progress = func(p party.Progress) {
		n.mu.Lock()
		entered := p.Phase != t.Phase
		t.Phase, t.Step, t.Steps = p.Phase, p.Done, p.All
		n.mu.Unlock()
		if entered && p.Phase == "output" {
			n.reveals(t, w, "", fail)
		}
	}
	spec.Notice = func(text string) { n.log.Warn(text, "job", t.ID) }
	if spec.Descriptor().Supply == protocol.OutsideDealer { // otherwise there is no store
		spec.Store, spec.StoreMemory = n.config.Store, n.stores
	}
	results := filepath.Join(n.folder(t), resultsFolder)
	if slices.Contains(spec.Reveal, t.rank) && !w.sub.Offline && !w.sub.Serve { // reserve disk space before any input is shared
		if err := reserveDiskSpace(results, spec.Program.Main.Results); err != nil {
			return nil, err
		}
	}
	link, err := n.connect(ctx, t, at)
	if err != nil {
		n.release(t, err.Error()) // no session exists yet that could carry the abort
		return nil, err
	}
	defer link.Close()
	seat := party.Seat{Rank: t.rank, Link: link, Session: id}
	if n.dealer != nil {
		seat.Dealer = monitoredDealer{n.dealer, fail}
	}
	spec.Checkpoints = n.checkpoints(t, w)
	if w.sub.Offline {
		return &party.Outcome{}, n.cause(ctx, party.StoreOffline(ctx, spec, seat))
	}
	if w.sub.Serve {
		spec.Store = "" // a stored session serves a single run
		return &party.Outcome{}, n.cause(ctx, n.serve(ctx, fail, t, w, spec, seat))
	}
	out, err := party.Join(ctx, spec, seat)
	if err != nil {
		return nil, n.cause(ctx, err)
	}
	if out.Results != nil {
		if err := writeReservedResults(results, out.Results); err != nil {
			return nil, err
		}
	}
	if w.sub.Keep != "" {
		if err := n.keepResults(t, w.sub.Keep, out.Shares); err != nil {
			return nil, err
		}
	}
	if n.counts != nil {
		n.counts.Cost(out.Report, t.rank)
	}
	return out, n.writeReport(t, n.folder(t), out.Report)
}

// reveals writes to the audit log what the job, or the request with this id, is about to reveal. It
// runs before any party learns results; if it fails, the session is aborted.
func (n *Node) reveals(t *task, w *resolvedJob, request string, fail context.CancelCauseFunc) {
	if learned := w.learned(t.facts.Learn); len(learned) > 0 {
		if err := n.appendAudit(t, audit.Event{Kind: audit.Revealed, Request: request, Learned: learned}); err != nil {
			fail(err)
		}
	}
}

// cause returns the cause of ctx's end if err is not nil and ctx has ended, else err.
func (n *Node) cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// initialInputs returns this party's inputs that the session shares at its start: all inputs of a job,
// the resident ones of a service.
func (w *resolvedJob) initialInputs() []input {
	var out []input
	for i, in := range w.inputs {
		if !w.sub.Serve || w.job.Inputs[i].Resident {
			out = append(out, in)
		}
	}
	return out
}

// used returns the names and SHA-256 hashes of this party's input files. The values were read before:
// a file that changes after that may be logged with its new hash.
func used(inputs []input) ([]audit.Input, error) {
	var out []audit.Input
	for _, in := range inputs {
		f, err := os.Open(in.path)
		if err != nil {
			return nil, err
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("input %s: %w", in.name, err)
		}
		out = append(out, audit.Input{Name: in.name, SHA256: hex.EncodeToString(h.Sum(nil))})
	}
	return out, nil
}

// learned returns the results and intermediate values that the job reveals, as the audit log records
// them.
func (w *resolvedJob) learned(by []string) []audit.Learned {
	var out []audit.Learned
	for i, r := range w.program.Main.Results {
		if len(by) == 0 {
			break
		}
		out = append(out, audit.Learned{Result: i, Type: r.String(), By: by})
	}
	if exec.CountReveals(w.program) > 0 {
		out = append(out, audit.Learned{Result: -1, By: w.online})
	}
	return out
}
