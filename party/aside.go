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

// aside sets aside what the loops of one walk carry.
type aside struct {
	session  *session
	protocol mpc.Protocol
	folder   *checkpoint.Folder // nil: nothing is written
	fits     map[string]string
	last     *flow.Of[struct{}] // the checkpoint before; nil at first
	complex  bool               // something is not set aside because it is

	mu      sync.Mutex
	writing sync.WaitGroup
	closed  bool
}

// setAside has a walk of the session set aside what its spec says; nil if that is
// nothing.
func (s *session) setAside(c *exec.Config) *aside {
	if s.spec.course == nil {
		return nil
	}
	a := &aside{session: s, protocol: c.Arith.P}
	if f := s.spec.course.folders[s.rank]; f != nil && !c.Graph.Weightless() {
		a.folder, a.fits = f, s.spec.course.fitsOf(s.rank, s.spec)
		s.aside = a
	}
	c.Loops, c.Aside = s.spec.course.loops, a.at
	return a
}

// warn says of a walk without weight what the one in earnest will not set aside.
func (a *aside) warn() {
	switch {
	case a == nil:
	case a.complex:
		a.session.spec.notice("warning: loops carry secret complex numbers, which are not set aside: there is no checkpoint where they do")
	case a.last == nil && !a.session.spec.course.later():
		a.session.spec.notice("warning: there will be no checkpoint: no loop carries secrets that is in no other loop and in no branch, and whose end is public")
	}
}

// at adds a step that writes a checkpoint once the party has its shares of all
// that it needs.
func (a *aside) at(m exec.Mark, op *flow.Op, take func() []exec.Result) error {
	s := a.session
	if m.Turn%s.spec.Checkpoints.Every != 0 {
		return nil
	}
	c := &checkpoint.Checkpoint{Header: checkpoint.Header{
		ID: fmt.Sprintf("%v-%d-%d", s.begun, m.Loop, m.Turn), Loop: m.Loop, Turn: m.Turn, Fits: a.fits,
	}}
	var shares []*flow.Of[ring.Vec]
	var deps []flow.Dep
	var hold int64
	for i, r := range take() {
		if r.Who != exec.Secret {
			continue
		}
		if r.Secret == nil { // its parts are secrets of their own
			a.complex = true
			return nil
		}
		x := r.Secret.S
		c.Values = append(c.Values, checkpoint.Value{At: i, Elements: x.Len(), Ring: x.Ring().Bits, Scale: r.Secret.Scale, Bound: x.Bound()})
		v := a.protocol.Aside(op, x)
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
	a.last = flow.Later(op, hold, func(ready func()) {
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
			s.spec.Checkpoints.seen(Checkpoint{Party: s.spec.Parties[s.rank], ID: c.ID, Loop: c.Loop, Turn: c.Turn, Bytes: n, Err: err})
		}()
	}, func() (struct{}, error) { return struct{}{}, nil }, deps...)
	return nil
}

// start reports whether a checkpoint may be written still.
func (a *aside) start() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed {
		a.writing.Add(1)
	}
	return !a.closed
}

// close waits for what is being written; nothing is afterwards.
func (a *aside) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.writing.Wait()
}
