package node

import (
	"errors"
	"fmt"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
)

// runLasting opens a service that opens again after a loss, uses it, and ends it or leaves it for reopenLeft.
func (w *world) runLasting(order []string) {
	s := w.service(order...)
	s.Restart = api.RestartAlways
	for range 1 + w.choose(3) {
		w.useService(s)
		time.Sleep(time.Duration(w.choose(8000)) * time.Millisecond)
		w.events.add("carol: service %s is %v", s.ID, w.states(s))
	}
	if w.choose(2) == 0 {
		w.endService(s)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = append(w.open, s)
}

// serving waits until a service that opens again is open at all its nodes, has ended at one that runs, or a time is over.
func (w *world) serving(s *api.Submission, wait time.Duration) bool {
	for late := time.Now().Add(wait); ; time.Sleep(100 * time.Millisecond) {
		open, ended, sessions := 0, false, map[string]bool{}
		for _, p := range s.Parties {
			n, t := w.task(s.ID, p)
			if t == nil {
				continue
			}
			j := n.state().Job(s.ID)
			if j == nil {
				continue
			}
			ended = ended || j.State.Final()
			if j.Phase == api.PhaseServing {
				open++
				sessions[j.Session] = true
			}
		}
		if open == len(s.Parties) && len(sessions) == 1 {
			return true
		}
		if ended || time.Now().After(late) {
			return false
		}
	}
}

// endService cancels a service and waits until it has ended. A node that has restarted may have the service again: it had crashed
// before it heard of the end, or a backup of it was restored. carol cancels it there once more.
func (w *world) endService(s *api.Submission) {
	cancel := func(p string) (failed bool) {
		_, err := w.as(p).Cancel(w.t.Context(), s.ID)
		if err != nil {
			w.events.add("carol: cancel %s: %v", s.ID, err)
		}
		return err != nil
	}
	failed := map[string]bool{}
	for _, p := range s.Parties {
		failed[p] = cancel(p)
	}
	for _, p := range s.Parties {
		for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(time.Second) {
			n, t := w.task(s.ID, p)
			if t == nil {
				break
			}
			if j := n.state().Job(s.ID); j == nil || j.State.Final() {
				break
			}
			if failed[p] || w.excuses(p) {
				failed[p] = cancel(p)
			}
		}
	}
	w.ended(s, 0)
}

// reopenLeft checks, after all faults are removed, the services that carol has left open: one that no node has ended opens again and
// answers. Then carol cancels it.
func (w *world) reopenLeft() {
	for _, s := range w.open {
		alive := true
		for _, p := range s.Parties {
			n, t := w.task(s.ID, p)
			j := n.state().Job(s.ID)
			alive = alive && t != nil && j != nil && !j.State.Final() && !j.Opened.IsZero()
		}
		w.events.add("carol: service %s was left open: %s", s.ID, w.states(s))
		if alive {
			switch {
			case w.serving(s, patience):
				w.events.add("service %s serves", s.ID)
				w.answers(s)
			case w.removed[s.ID]: // a node cannot store that it opens again
				w.events.add("service %s does not open again: %s", s.ID, w.states(s))
			case w.backups == 0: // otherwise a node may have gone back to before the service was open, or was cancelled
				w.violated("service %s does not open again: %s", s.ID, w.states(s))
			}
		}
		w.endService(s)
	}
}

// states describes a job at its nodes.
func (w *world) states(s *api.Submission) (text string) {
	for _, p := range s.Parties {
		if n, t := w.task(s.ID, p); t != nil {
			if j := n.state().Job(s.ID); j != nil {
				text += fmt.Sprintf("%s at %s (%s%s); ", j.State, p, j.Phase, j.Error)
				continue
			}
		}
		text += "unknown at " + p + "; "
	}
	return text
}

// answers sends a request to a service that is open, and which no fault hurts any more: all its nodes must answer. Bytes that were
// lost or changed before the faults were removed can still end the session that they belong to: then the service opens
// again, and must answer the second request.
func (w *world) answers(s *api.Submission) {
	failed := w.requestOnce(s)
	w.mu.Lock()
	damaged := w.damaged
	w.mu.Unlock()
	if failed != nil && damaged {
		w.events.add("service %s has lost the session that a fault had damaged: %v", s.ID, failed)
		time.Sleep(time.Second) // all nodes have noticed
		if failed = errors.New("the service does not open again"); w.serving(s, patience) {
			failed = w.requestOnce(s)
		}
	}
	if failed != nil {
		w.violated("service %s, which is open and which nothing hurts: %v", s.ID, failed)
	}
}

// requestOnce sends a request to all nodes of a service, and returns why one of them has not answered it.
func (w *world) requestOnce(s *api.Submission) error {
	a, b := s.Parties[0], s.Parties[1]
	r := &api.Request{ID: newID(), Inputs: []api.Input{{Owner: a, Name: "y.npy"}}}
	for _, p := range s.Parties {
		if _, err := w.as(p).Request(w.t.Context(), s.ID, r); err != nil {
			return fmt.Errorf("a request is refused at %s: %w", p, err)
		}
	}
	var failed error
	for _, p := range s.Parties {
		w.served(s, r, p, gives(of(a, "y.npy"), of(b, "x.npy")))
		n, _ := w.task(s.ID, p)
		if v, err := n.requestStatus(n.state().Job(s.ID), r.ID); err != nil || v.State != api.Done {
			failed = errors.Join(failed, fmt.Errorf("a request is %s at %s: %s, %v", v.State, p, v.Error, err))
		}
	}
	return failed
}
