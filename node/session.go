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
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// start begins the session of a job that has a slot. When it returns, the run
// is counted and written down, and data connections are let in.
func (n *Node) start(t *task, s api.Start) error {
	id, err := correlation.ParseSessionID(s.Session)
	if err != nil {
		return refuse(http.StatusBadRequest, "session: %w", err)
	}
	w, err := n.workOf(t)
	if err != nil {
		return err
	}
	spec, err := n.spec(t, w, s.Owners, s.Stay)
	if err != nil {
		return err
	}
	own, err := n.give(t, w)
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
		return refuse(http.StatusConflict, "job %s is %s at %s, and has no slot to start in", t.ID, t.State, n.config.Name)
	case n.closed:
		return refuse(http.StatusServiceUnavailable, "%w", ErrStopping)
	case w.sub.Serve && (s.Batch < 1 || t.needs.of(s.Batch) > t.memory):
		return refuse(http.StatusConflict, "memory is reserved at %s for fewer requests at once than %d", n.config.Name, s.Batch)
	}
	decision, err := n.judge(t, w)
	if err != nil {
		return refuse(http.StatusInsufficientStorage, "%w", err)
	}
	if decision.Verdict == policy.Denied || decision.Verdict == policy.NeedsApproval && !t.approved {
		n.end(t, api.Denied, "the policy of "+n.config.Name+" does not allow it any more: "+decision.Reason)
		return refuse(http.StatusForbidden, "%s", t.Error)
	}
	if w.sub.Serve {
		t.Batch = s.Batch
		n.allot(t, t.needs.of(s.Batch)) // others may have had less
	}
	n.change(t, func() { t.State, t.Session, t.Phase, t.Started = api.Running, s.Session, "connect", time.Now() })
	err = n.note(t, audit.Event{Kind: audit.Started, Rule: decision.Rule, Inputs: own.used, Kept: t.facts.Kept})
	if err == nil {
		err = n.save(t)
	}
	if err != nil { // what is not written down does not run
		n.end(t, api.Failed, err.Error())
		return refuse(http.StatusInsufficientStorage, "%w", err)
	}
	if n.counts != nil {
		n.counts.Started(t.Started.Sub(t.Submitted))
	}
	t.slot.Stop() // it lasts as long as the session
	t.given = nil // the spec has it
	ctx, stop := context.WithCancelCause(n.ctx)
	at := newSeats(s.Session)
	t.stop, t.seats = stop, at
	n.work.Go(func() { n.run(ctx, t, w, at, id, spec) })
	return nil
}

// judge judges a job once more before it starts, and counts its run. What
// runs no program is not counted.
func (n *Node) judge(t *task, w *work) (policy.Decision, error) {
	facts := t.facts
	facts.Now = time.Now()
	if w.sub.Offline {
		return n.policy.Judge(facts), nil
	}
	return n.policy.Start(facts, t.approved)
}

// spec is the job's spec, once it is known who owns which argument, and what stays
// of them.
func (n *Node) spec(t *task, w *work, owners, stay []int) (party.Spec, error) {
	spec, err := w.job.OwnSpec(w.program, n.config.Name, owners, w.public)
	if err != nil {
		return spec, refuse(http.StatusConflict, "%w", err)
	}
	for arg, by := range owners {
		if (by == t.rank) != slices.Contains(w.own, arg) {
			return spec, refuse(http.StatusConflict, "argument %d is not %s's, as %s says it is", arg, w.giver(by), t.Parties[0])
		}
		spec.Args[arg].Stays = slices.Contains(stay, arg)
		if r, ok := w.ranges[arg]; ok {
			spec.Args[arg].Range = &r
		}
		if by == t.rank && spec.Args[arg].Stays != slices.Contains(w.stay, arg) {
			return spec, refuse(http.StatusConflict, "argument %d is resident at %s or at %s, and not at both", arg, n.config.Name, t.Parties[0])
		}
	}
	if err := w.useKept(n.config, &spec); err != nil {
		return spec, refuse(http.StatusConflict, "%w", err)
	}
	return spec, nil
}

// given is what this party's inputs give to a job from the start.
type given struct {
	args []*tensor.Array // nil where others give, or nobody
	used []audit.Input
}

// give reads what this party gives to a job from the start. That is done once,
// when memory is reserved for it; it stays until the job starts, or what was
// reserved is given back.
func (n *Node) give(t *task, w *work) (*given, error) {
	if w.sub.Offline {
		return &given{}, nil
	}
	n.mu.Lock()
	g := t.given
	n.mu.Unlock()
	if g != nil {
		return g, nil
	}
	from := w.job
	if w.sub.Serve {
		from = w.resident()
	}
	g = &given{}
	var err error
	if g.args, err = from.OwnArgs(w.program, n.config.Name); err != nil {
		return nil, refuse(http.StatusConflict, "%w", n.discreet(t.ID, err))
	}
	if g.used, err = used(w.first()); err != nil {
		return nil, refuse(http.StatusConflict, "%w", err)
	}
	n.mu.Lock()
	if t.work != nil { // or the job has ended meanwhile
		t.given = g
	}
	n.mu.Unlock()
	return g, nil
}

// demand is what a session takes, bytes: the vectors by plan, and what the garbage
// collector lets them grow to.
type demand struct {
	first int64 // with one turn of a service at a time, or as a job
	more  int64 // with each further turn at once
}

// of is what it takes with so many turns at once.
func (d demand) of(turns int) int64 { return d.first + int64(turns-1)*d.more }

// needs is what the session will take here; nothing where it is not known yet who
// owns what.
func (n *Node) needs(t *task, m api.Reserve) (demand, error) {
	if m.Owners == nil {
		return demand{}, nil
	}
	w, err := n.workOf(t)
	if err != nil {
		return demand{}, err
	}
	n.mu.Lock()
	known := t.needs
	n.mu.Unlock()
	if known.first > 0 {
		return known, nil
	}
	spec, err := n.spec(t, w, m.Owners, m.Stay)
	if err != nil {
		return demand{}, err
	}
	machine := timing.Default
	spec.Machine = &machine
	if w.sub.Checkpoint > 0 {
		spec.Checkpoints = &party.Checkpoints{Every: w.sub.Checkpoint}
	}
	r, err := party.Plan(n.ctx, spec) // whatever is refused of the program is, before inputs are read
	if err != nil {
		return demand{}, refuse(http.StatusConflict, "%w", err)
	}
	if n.policy.Policy().RefusesOwnControl() {
		s, err := party.Surveyed(n.ctx, spec)
		if err != nil {
			return demand{}, refuse(http.StatusConflict, "%w", err)
		}
		n.mu.Lock()
		t.facts.OwnControl = ownControl(s, t.rank)
		facts := t.facts
		n.mu.Unlock()
		facts.Now = time.Now()
		if d := n.policy.Judge(facts); d.Verdict == policy.Denied {
			return demand{}, refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, d.Reason)
		}
	}
	if _, err := n.give(t, w); err != nil {
		return demand{}, err
	}
	const heapPerLive = 2
	d := demand{first: max(1, heapPerLive*r.Plan.MemoryBytes[t.rank])}
	if w.sub.Serve {
		d.first += heapPerLive * r.Offline.BytesSent // of the next turn, while this one is under way
		d.more = d.first
		if r.Plan.StayingBytes != nil {
			d.more -= heapPerLive * r.Plan.StayingBytes[t.rank]
		}
	}
	if most := n.config.Limits.Memory; d.first > most {
		return demand{}, refuse(http.StatusConflict, "the job takes %s of memory at %s by plan, which allows %s (limits: memory)", yamlfile.FormatSize(d.first), n.config.Name, yamlfile.FormatSize(most))
	}
	n.mu.Lock()
	t.needs = d
	n.mu.Unlock()
	return d, nil
}

// run is a job's session here, and its end.
func (n *Node) run(ctx context.Context, t *task, w *work, at *seats, id correlation.SessionID, spec party.Spec) {
	limit := fmt.Errorf("it has run for %v, which is all that %s allows (limits: time)", n.config.Limits.Time, n.config.Name)
	ctx, cancel := context.WithTimeoutCause(ctx, n.config.Limits.Time, limit)
	defer cancel()
	n.log.Info("job running", "job", t.ID, "session", t.Session, "program", t.Program)
	out, err := n.play(ctx, t, w, at, id, spec)
	n.ownReason(t.ID, err)
	n.mu.Lock()
	defer n.mu.Unlock()
	t.stop(nil)
	t.stop = nil
	at.close()
	t.seats = nil
	var by cancelled
	switch {
	case err == nil:
		t.Results = len(out.Results)
		n.end(t, api.Done, "")
		n.discard(t)
	case errors.As(context.Cause(ctx), &by):
		n.end(t, api.Cancelled, by.reason)
	default:
		n.end(t, api.Failed, err.Error())
	}
}

// play joins the session and keeps what it gives.
func (n *Node) play(ctx context.Context, t *task, w *work, at *seats, id correlation.SessionID, spec party.Spec) (*party.Outcome, error) {
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
	if spec.Protocol == "semi2k" { // in aby3 a party deals
		spec.Store = n.config.Store
	}
	results := filepath.Join(n.folder(t), resultsFolder)
	if slices.Contains(spec.Reveal, t.rank) && !w.sub.Offline && !w.sub.Serve { // that there is room for results is known before anything is shared
		if err := makeRoom(results, spec.Program.Main.Results); err != nil {
			return nil, err
		}
	}
	link, err := n.connect(ctx, t, at)
	if err != nil {
		n.release(t, err.Error()) // there is no session yet to say it by
		return nil, err
	}
	defer link.Close()
	seat := party.Seat{Rank: t.rank, Link: link, Session: id}
	if n.dealer != nil {
		seat.Dealer = attended{n.dealer, fail}
	}
	spec.Checkpoints = n.checkpoints(t, w)
	if w.sub.Offline {
		return &party.Outcome{}, n.cause(ctx, party.Stock(ctx, spec, seat))
	}
	if w.sub.Serve {
		spec.Store = "" // a store's sessions are for one run each
		return &party.Outcome{}, n.cause(ctx, n.serve(ctx, fail, t, w, spec, seat))
	}
	out, err := party.Join(ctx, spec, seat)
	if err != nil {
		return nil, n.cause(ctx, err)
	}
	if out.Results != nil {
		if err := fillRoom(results, out.Results); err != nil {
			return nil, err
		}
	}
	if w.sub.Keep != "" {
		if err := n.keepResults(t, w.sub.Keep, out.Held); err != nil {
			return nil, err
		}
	}
	if n.counts != nil {
		n.counts.Cost(out.Report, t.rank)
	}
	return out, n.writeReport(t, n.folder(t), out.Report)
}

// reveals notes what is about to be revealed of a job, or of a request to it:
// before anybody learns anything, or the run ends.
func (n *Node) reveals(t *task, w *work, request string, fail context.CancelCauseFunc) {
	if learned := w.learned(t.facts.Learn); len(learned) > 0 {
		if err := n.note(t, audit.Event{Kind: audit.Revealed, Request: request, Learned: learned}); err != nil {
			fail(err)
		}
	}
}

// cause is why a context ended, where that is why there is an error.
func (n *Node) cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// first are the inputs that are used from the start: of a service those that are
// resident.
func (w *work) first() []input {
	var out []input
	for i, in := range w.inputs {
		if !w.sub.Serve || w.job.Inputs[i].Resident {
			out = append(out, in)
		}
	}
	return out
}

// used are inputs of this party by name and hash. A file that changes after that
// changes while it is in use: it was read before.
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

// learned is what parties learn from a job.
func (w *work) learned(by []string) []audit.Learned {
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
