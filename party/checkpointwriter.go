package party

import (
	"fmt"
	"sync"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// checkpointWriter writes the checkpoints of one walk of the program.
type checkpointWriter struct {
	session      *session
	protocol     mpc.Protocol
	folder       *checkpoint.Folder // nil if nothing is written
	requirements map[string]string
	last         *flow.Future[struct{}] // completes when the previous checkpoint is written; nil before the first
	complex      bool                   // a checkpoint was omitted because a live-in value is complex

	mu      sync.Mutex
	writing sync.WaitGroup
	closed  bool
}

// attachCheckpoints has a walk of the session write the checkpoints that its spec asks for. It
// returns nil if the spec asks for none.
func (s *session) attachCheckpoints(c *exec.Config) *checkpointWriter {
	if s.spec.resume == nil {
		return nil
	}
	a := &checkpointWriter{session: s, protocol: c.Arith.P}
	if f := s.spec.resume.folders[s.rank]; f != nil && !c.Graph.DryRun() {
		a.folder, a.requirements = f, s.spec.resume.requirementsOf(s.rank, s.spec)
		s.checkpoints = a
	}
	c.Loops, c.Checkpoint = s.spec.resume.loops, a.checkpoint
	return a
}

// warn reports, after a dry run, checkpoints that the run will not write.
func (a *checkpointWriter) warn() {
	switch {
	case a == nil:
	case a.complex:
		a.session.spec.notice("warning: loops carry secret complex numbers, which cannot be written to checkpoints: such loops have no checkpoint")
	case a.last == nil && !a.session.spec.resume.resumes():
		a.session.spec.notice("warning: the run will write no checkpoint: a loop has checkpoints if it carries secrets, has a public end and is in no other loop and no branch")
	}
}

// checkpoint adds a step that writes a checkpoint once this party has its shares of all live-in
// values.
func (a *checkpointWriter) checkpoint(m exec.ProgramPoint, op *flow.Op, take func() []exec.Result) error {
	s := a.session
	if m.Iteration%s.spec.Checkpoints.Every != 0 {
		return nil
	}
	c := &checkpoint.Checkpoint{Header: checkpoint.Header{
		ID: fmt.Sprintf("%v-%d-%d", s.sessionID, m.Loop, m.Iteration), Loop: m.Loop, Iteration: m.Iteration, Requirements: a.requirements,
	}}
	var shares []*flow.Future[ring.Vec]
	var deps []flow.Dep
	var hold int64
	for i, r := range take() {
		if r.Owner != exec.Secret {
			continue
		}
		if r.Secret == nil { // complex: real and imaginary parts are separate secrets
			a.complex = true
			return nil
		}
		x := r.Secret.S
		c.Values = append(c.Values, checkpoint.Value{Index: i, Elements: x.Len(), Ring: x.Ring().Bits, Scale: r.Secret.Scale, Bound: x.Bound()})
		v := a.protocol.AdditiveShare(op, x)
		shares, deps = append(shares, v), append(deps, v)
		hold += int64(x.Len()) * int64(x.Ring().Words()) * 8
	}
	if shares == nil {
		return nil
	}
	if a.last != nil {
		if a.folder != nil {
			if err := op.Graph.Await(a.last); err != nil {
				return err
			}
		}
		deps = append(deps, a.last)
	}
	a.last = flow.DoWhen(op, hold, func(ready func()) {
		if a.folder == nil || !a.start() {
			ready()
			return
		}
		go func() {
			defer ready()
			defer a.writing.Done()
			for _, v := range shares {
				c.Shares = append(c.Shares, v.Get())
			}
			n, err := a.folder.Save(c)
			s.spec.Checkpoints.reportWritten(Checkpoint{Party: s.spec.Parties[s.rank], ID: c.ID, Loop: c.Loop, Iteration: c.Iteration, Bytes: n, Err: err})
		}()
	}, func() (struct{}, error) { return struct{}{}, nil }, deps...)
	return nil
}

// start registers a checkpoint that is about to be written. It reports false after close.
func (a *checkpointWriter) start() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed {
		a.writing.Add(1)
	}
	return !a.closed
}

// close waits until checkpoints that are being written are on disk, and prevents further ones.
func (a *checkpointWriter) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.writing.Wait()
}
