package resume

import (
	"fmt"
	"sync"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Writer writes the checkpoints of one party in one run. In a dry run it only counts what they cost. Plan.Attach
// makes it.
type Writer struct {
	settings *Checkpoints
	plan     *Plan
	rank     int
	session  correlation.SessionID
	protocol mpc.Protocol
	folder   *checkpoint.Folder     // nil if nothing is written
	last     *flow.Future[struct{}] // completes when the previous checkpoint is written; nil before the first
	complex  bool                   // a checkpoint was omitted because a live-in value is complex

	mu      sync.Mutex
	writing sync.WaitGroup
	closed  bool
}

// Attach makes a party's run, which walk configures, write checkpoints, and returns their writer. session is the
// run's id, which ids of checkpoints contain. Nothing is written in a dry run, or if Open has not opened the
// party's folder.
func (p *Plan) Attach(rank int, c *Checkpoints, session correlation.SessionID, walk *exec.Config) *Writer {
	w := &Writer{settings: c, plan: p, rank: rank, session: session, protocol: walk.Arith.P}
	if !walk.Graph.DryRun() {
		w.folder = p.folders[rank]
	}
	walk.Loops, walk.Checkpoint = p.Loops, w.checkpoint
	return w
}

// Warning returns, after a dry run, a text for the user on checkpoints that the run cannot write; "" if there
// are none.
func (w *Writer) Warning() string {
	switch {
	case w.complex:
		return "loops carry secret complex numbers, which cannot be written to checkpoints: such loops have no checkpoint"
	case w.last == nil && !w.plan.Resumes():
		return "the run will write no checkpoint: a loop has checkpoints if it carries secrets, has a public end " +
			"and is in no other loop and no branch"
	}
	return ""
}

// checkpoint adds a step that writes a checkpoint once this party has its shares of all live-in
// values.
func (w *Writer) checkpoint(m exec.ProgramPoint, op *flow.Op, take func() []exec.Result) error {
	if m.Iteration%w.settings.Every != 0 {
		return nil
	}
	c := &checkpoint.Checkpoint{Header: checkpoint.Header{
		ID: fmt.Sprintf("%v-%d-%d", w.session, m.Loop, m.Iteration), Loop: m.Loop, Iteration: m.Iteration,
	}}
	var shares []*flow.Future[ring.Vec]
	var deps []flow.Dep
	var hold int64
	for i, r := range take() {
		if r.Owner != exec.Secret {
			continue
		}
		if r.Secret == nil { // complex: real and imaginary parts are separate secrets
			w.complex = true
			return nil
		}
		x := r.Secret.S
		c.Values = append(c.Values, checkpoint.Value{Index: i, Elements: x.Len(), Ring: x.Ring().Bits, Scale: r.Secret.Scale, Bound: x.Bound()})
		v := w.protocol.AdditiveShare(op, x)
		shares, deps = append(shares, v), append(deps, v)
		hold += int64(x.Len()) * int64(x.Ring().Words()) * 8
	}
	if shares == nil {
		return nil
	}
	if w.last != nil {
		if w.folder != nil {
			if err := op.Graph.Await(w.last); err != nil {
				return err
			}
		}
		deps = append(deps, w.last)
	}
	w.last = flow.DoWhen(op, hold, func(ready func()) {
		if w.folder == nil || !w.start() {
			ready()
			return
		}
		go func() {
			defer ready()
			defer w.writing.Done()
			for _, v := range shares {
				c.Shares = append(c.Shares, v.Get())
			}
			w.save(c)
		}()
	}, func() (struct{}, error) { return struct{}{}, nil }, deps...)
	return nil
}

// save writes a checkpoint and reports it.
func (w *Writer) save(c *checkpoint.Checkpoint) {
	c.Requirements = w.plan.requirements(w.rank)
	n, err := w.folder.Save(c)
	if w.settings.Written != nil {
		w.settings.Written(Checkpoint{Party: w.plan.parties[w.rank], ID: c.ID, Loop: c.Loop, Iteration: c.Iteration, Bytes: n, Err: err})
	}
}

// start registers a checkpoint that is about to be written. It reports false after Close.
func (w *Writer) start() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.writing.Add(1)
	}
	return !w.closed
}

// Close waits until checkpoints that are being written are on disk. Later ones are not written.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.writing.Wait()
}
