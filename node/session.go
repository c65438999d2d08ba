package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/regular"
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
	t.setOwners(w, s.Owners) // the leader might name others than when the slot was reserved
	r := n.step(t.ID, jobstate.Start{Session: s.Session, Batch: s.Batch, Inputs: own.used})
	if r.refused != nil {
		return r.refused
	}
	ctx, stop := context.WithCancelCause(n.ctx)
	t.session, t.stop, t.conns = s.Session, stop, newSessionConns(s.Session)
	at := t.conns
	n.work.Go(func() { n.runJob(ctx, t, w, at, id, spec, own.join) })
	return nil
}

// judge applies the policy once more before a job starts and counts the run, or the session of
// correlations that an offline job makes. Node.mu is held.
func (n *Node) judge(t *task) jobstate.Judged {
	facts := t.facts
	facts.Now = time.Now()
	d, err := n.policy.Start(facts, n.jobs.Job(t.ID).Approved)
	return jobstate.Judged{Decision: d, Error: n.errorText(err)}
}

// spec returns the job's spec. owners is the owner of each argument (resolvedJob.owners), stay lists
// the resident arguments; both come from the leader and are checked against this party's own inputs.
func (n *Node) spec(t *task, w *resolvedJob, owners, stay []int) (party.Spec, error) {
	spec, err := w.job.OwnSpec(w.program, n.config.Name, owners, w.public)
	if err != nil {
		return spec, refuse(http.StatusConflict, "%w", err)
	}
	spec.Programs = w.further
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
	for arg, by := range owners {
		if w.joined(arg) != (by == party.Kept && w.kept[arg].Kept == "") {
			return spec, refuse(http.StatusConflict, "argument %d: %s and %s disagree whether a join makes it", arg, n.config.Name, t.Parties[0])
		}
		if w.joined(arg) {
			spec.Args[arg].Shares = []*party.StoredShare{w.fit.JoinedShare(&spec, arg, t.rank)}
		}
	}
	return spec, nil
}

// inputValues holds what this party's inputs provide when a session starts.
type inputValues struct {
	args []*tensor.Array // by argument; nil for arguments of other owners, and for those that method psi of a join makes
	used []audit.Input
	join *job.JoinSide // nil without a join
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
	if w.fit != nil && w.fit.Join != nil {
		if g.join, err = from.JoinSide(n.config.Name); err == nil && w.fit.Join.Method == job.Hidden {
			g.args, err = g.join.Args(&w.settings)
		}
	} else {
		g.args, err = from.OwnArgs(w.program, n.config.Name)
	}
	if err != nil {
		if errors.As(err, new(*job.ElementError)) {
			n.countMisfit(t)
		}
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

// countMisfit counts a run of a job that ends before it starts, because this party's values are not as the job declares: levels, numbers
// of features or of rows, keys that occur once. That it ends says so, and many such jobs would say more than the runs that a rule allows.
func (n *Node) countMisfit(t *task) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if t.misfit { // the leader may ask again: the answer is the same
		return
	}
	t.misfit = true
	if j := n.judge(t); j.Error != "" {
		n.log.Error("a run that a rule counts could not be counted", "job", t.ID, "error", j.Error)
	}
}

// setOwners returns what the policy judges of the job once the owners of all arguments are known. A slice
// of owners that was handed out stays as it is. Node.mu is held.
func (t *task) setOwners(w *resolvedJob, owners []int) policy.Submission {
	t.facts.Owners = make([]string, len(owners))
	for arg, owner := range owners {
		t.facts.Owners[arg] = w.ownerName(arg, owner)
	}
	return t.facts
}

// judgeBeforeFiles applies the policy to the owners that the leader names, before this party's files and kept results are opened for
// the plan: a job that it denies then ends for that reason, whatever the files hold.
func (n *Node) judgeBeforeFiles(t *task, w *resolvedJob, owners []int) error {
	if k := len(w.program.Main.Body.Params); len(owners) != k {
		return refuse(http.StatusConflict, "%s names owners of %d arguments of a program that has %d", t.Parties[0], len(owners), k)
	}
	names := make([]string, len(owners))
	for arg, owner := range owners {
		if owner >= len(t.Parties) || owner < 0 && owner != party.Public && owner != party.Kept {
			return refuse(http.StatusConflict, "argument %d: %s names an owner of rank %d, and the job has %d parties", arg, t.Parties[0], owner, len(t.Parties))
		}
		names[arg] = w.ownerName(arg, owner)
	}
	n.mu.Lock()
	facts := t.facts
	n.mu.Unlock()
	facts.Owners, facts.Now = names, time.Now()
	if d := n.policy.Judge(facts); d.Verdict == policy.Denied {
		if err := n.apply(t, jobstate.OwnersKnown{Owners: names, Denied: d.Reason}).refused; err != nil {
			return err
		}
		return refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, d.Reason) // the job had ended
	}
	return nil
}

// judgeOwners applies the policy once the owners of all arguments are known (resolvedJob.owners), with what the program reveals.
func (n *Node) judgeOwners(ctx context.Context, t *task, w *resolvedJob, spec party.Spec, owners []int) error {
	var all []*party.Inspection
	for _, p := range w.programs() {
		if !n.policy.Policy().RefusesOwnerLocalControl() && exec.CountReveals(p.Program) == 0 {
			continue
		}
		of, err := spec.WithProgram(p.Name)
		if err != nil {
			return refuse(http.StatusConflict, "%w", err)
		}
		s, err := party.Inspect(ctx, of)
		if err != nil {
			return refuse(http.StatusConflict, "%w", err)
		}
		all = append(all, s)
	}
	n.mu.Lock()
	for i, s := range all {
		if here := ownControl(s, t.rank); i == 0 || here != "" {
			t.facts.OwnerLocalControl = here
		}
		t.facts.Outputs = append(t.facts.Outputs[:len(t.facts.Outputs):len(t.facts.Outputs)], revealedTypes(s)...)
	}
	facts := t.setOwners(w, owners)
	n.mu.Unlock()
	facts.Now = time.Now()
	e := jobstate.OwnersKnown{Owners: facts.Owners}
	if d := n.policy.Judge(facts); d.Verdict == policy.Denied {
		e.Denied = d.Reason
	}
	return n.apply(t, e).refused
}

// planMemory returns the memory that the session will take at this node, and reads the inputs. The
// demand is the vectors according to the plan, times the factor by which the garbage collector lets the
// heap grow, and what the plan has held at most of values in cleartext and of records: the session holds as much again.
func (n *Node) planMemory(ctx context.Context, t *task, m api.Reserve) (d jobstate.Demand, err error) {
	w, err := n.resolvedOf(t)
	if err != nil {
		return d, err
	}
	if err := n.judgeBeforeFiles(t, w, m.Owners); err != nil {
		return d, err
	}
	spec, err := n.spec(t, w, m.Owners, m.Stay)
	if err != nil {
		return d, err
	}
	machine := timing.Default
	spec.Machine = &machine
	if w.sub.Checkpoint > 0 {
		spec.Checkpoints = &resume.Checkpoints{Every: w.sub.Checkpoint}
	}
	ctx, end, err := n.planning(ctx, t.Submitter)
	if err != nil {
		return d, err
	}
	defer end()
	began := time.Now()
	var plans []*profile.Report
	for _, p := range w.programs() {
		of, err := spec.WithProgram(p.Name)
		if err != nil {
			return d, refuse(http.StatusConflict, "%w", err)
		}
		r, err := party.Plan(ctx, of) // a program that cannot run is refused here, before inputs are read
		if err != nil {
			return d, refuse(http.StatusConflict, "%w", err)
		}
		plans = append(plans, r)
	}
	n.planned(began)
	if err := n.judgeOwners(ctx, t, w, spec, m.Owners); err != nil {
		return d, err
	}
	if _, err := n.readInputs(t, w); err != nil {
		return d, err
	}
	_, clear := budget.From(ctx).Held()
	d.Base = max(1, heapPerLive*plans[0].Plan.MemoryBytes[t.rank]+clear)
	if w.fit != nil && w.fit.Join != nil {
		need, err := n.joinMemory(w, &spec)
		if err != nil {
			return d, refuse(http.StatusConflict, "%w", err)
		}
		d.Base = max(d.Base, need)
	}
	if w.sub.Serve {
		d = serviceDemand(plans, t.rank, clear)
	}
	most, limit := n.config.Limits.Memory, "memory"
	if each := n.config.Limits.MemoryEach; each > 0 && each < most {
		most, limit = each, "memory_per_submitter"
	}
	if d.Base > most {
		return d, refuse(
			http.StatusConflict,
			"the job needs %s of memory at %s according to its plan; that node allows %s (limits: %s)",
			yamlfile.FormatSize(d.Base),
			n.config.Name,
			yamlfile.FormatSize(most),
			limit,
		)
	}
	return d, nil
}

// heapPerLive is the factor by which the garbage collector lets the heap grow over what is in use.
const heapPerLive = 2

// serviceDemand returns the memory that a service takes whose programs have these plans; clear is that of values in cleartext.
func serviceDemand(plans []*profile.Report, rank int, clear int64) jobstate.Demand {
	d := jobstate.Demand{PerRequest: 1}
	var resident int64 // of all programs: at most, as if they shared no vectors of resident inputs
	var ahead int64    // correlations of twice a batch of each program, which stay while requests ask for other programs
	for _, r := range plans {
		ahead += 2 * heapPerLive * r.Offline.BytesSent
	}
	for _, r := range plans {
		var own int64
		if r.Plan.ResidentBytes != nil {
			own = heapPerLive * r.Plan.ResidentBytes[rank]
		}
		resident += own
		// With the correlations of the program's next request, which are received while this one is evaluated.
		need := heapPerLive*(r.Plan.MemoryBytes[rank]+r.Offline.BytesSent) + clear - own
		d.PerRequest = max(d.PerRequest, need+ahead-2*heapPerLive*r.Offline.BytesSent)
	}
	d.Base = resident + d.PerRequest
	return d
}

// runJob runs a job's session and ends the job.
func (n *Node) runJob(
	ctx context.Context, t *task, w *resolvedJob, at *sessionConns, id correlation.SessionID, spec party.Spec, join *job.JoinSide,
) {
	limit := fmt.Errorf("the session has run for %v, the maximum at %s (limits: time)", n.config.Limits.Time, n.config.Name)
	ctx, cancel := context.WithTimeoutCause(ctx, n.config.Limits.Time, limit)
	defer cancel()
	ctx, end := n.running(ctx)
	defer end()
	n.log.Info("job running", "job", t.ID, "session", t.session, "program", t.Program)
	out, err := n.runSession(ctx, t, w, at, id, spec, join)
	n.logOwnFailure(t.ID, err)
	n.mu.Lock()
	defer n.mu.Unlock()
	t.stop(nil)
	at.close()
	t.conns = nil
	e := jobstate.SessionEnded{Error: n.errorText(err)}
	if err == nil {
		e.Results = len(out.Results)
		n.work.Go(func() { n.askHeads(t.Parties) })
	}
	n.step(t.ID, e)
}

// runSession connects the parties, joins the session and stores its results, kept shares and report.
func (n *Node) runSession(
	ctx context.Context,
	t *task,
	w *resolvedJob,
	at *sessionConns,
	id correlation.SessionID,
	spec party.Spec,
	join *job.JoinSide,
) (*party.Outcome, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	spec.Progress = func(p party.Progress) {
		if n.apply(t, jobstate.Progress{
			Phase: p.Phase, Done: p.Done, Steps: p.All, Round: p.Round, Rounds: p.Rounds, Iteration: p.Iteration,
		}).reveals {
			n.reveals(t, w, w.program, "", fail)
		}
	}
	spec.Notice = func(text string) { n.log.Warn(text, "job", t.ID) }
	if d := spec.Descriptor(); d.Supply == protocol.OutsideDealer || d.Between != nil && d.Between.Keep != nil { // others have no store
		spec.Store, spec.StoreMemory = n.config.Store, n.stores
	}
	spec.Checkpoints = n.checkpoints(t, w)
	if n.keepsPairState(&spec) && !w.sub.Serve {
		spec.PairState, spec.PairAge, spec.StoreMemory = n.config.pairFolder(), n.config.PairState, n.stores
	}
	results := filepath.Join(n.folder(t.ID), resultsFolder)
	if slices.Contains(spec.Reveal, t.rank) && !w.sub.Offline && !w.sub.Serve { // reserve disk space before any input is shared
		if err := reserveDiskSpace(results, spec.Program.Main.Results); err != nil {
			return nil, err
		}
	}
	link, err := n.connect(ctx, t, at)
	if err != nil {
		n.apply(t, jobstate.NotConnected{Error: n.errorText(err)})
		return nil, err
	}
	defer link.Close()
	seat := party.Seat{Rank: t.rank, Link: link, Session: id}
	if n.dealer != nil {
		seat.Dealer = monitoredDealer{n.dealer, fail}
	}
	if w.sub.Offline {
		return &party.Outcome{}, n.cause(ctx, party.StoreOffline(ctx, spec, seat))
	}
	if w.sub.Serve {
		spec.Store = "" // a stored session serves a single run
		return &party.Outcome{}, n.cause(ctx, n.serve(ctx, fail, t, w, spec, seat))
	}
	var joined *profile.Report
	if join != nil {
		if joined, err = n.runJoin(ctx, t, w, join, &spec, seat); err != nil {
			seat.Link.Abort(n.errorText(err))
			return nil, n.cause(ctx, err)
		}
	}
	out, err := party.Join(ctx, spec, seat)
	if err != nil {
		return nil, n.cause(ctx, err)
	}
	out.Report.Join = joined
	if out.Results != nil {
		if err := writeReservedResults(results, out.Results); err != nil {
			return nil, err
		}
	}
	if err := n.writeReport(t, n.folder(t.ID), out.Report); err != nil {
		return nil, err
	}
	if w.sub.Keep != "" { // last: a job that fails keeps no shares
		if err := n.keepResults(t, w.sub.Keep, keptNote(w.sub.Task), out.Shares); err != nil {
			return nil, err
		}
	}
	if n.counts != nil {
		n.counts.Cost(out.Report, t.rank)
	}
	return out, nil
}

// reveals writes to the audit log what the job, or the request with this id, is about to reveal. It
// runs before any party learns results; if it fails, the session is aborted.
func (n *Node) reveals(t *task, w *resolvedJob, p *hlo.Program, request string, fail context.CancelCauseFunc) {
	if learned := w.learned(p, t.facts.Learn); len(learned) > 0 {
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
		f, err := regular.Open(in.path)
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

// learned returns the results and intermediate values that a program of the job reveals, as the audit log records
// them.
func (w *resolvedJob) learned(p *hlo.Program, by []string) []audit.Learned {
	var out []audit.Learned
	for i, r := range w.revealed(p) {
		if len(by) == 0 {
			break
		}
		out = append(out, audit.Learned{Result: i, Type: r.String(), By: by})
	}
	if exec.CountReveals(p) > 0 {
		out = append(out, audit.Learned{Result: -1, By: w.online})
	}
	return out
}
