package node

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/hostile"
	"github.com/tacet-mpc/tacet/pki"
)

// The hostile callers of a world: the policy names dave, and nobody names mallory.
const (
	theHostile  = "dave"
	theStranger = "mallory"
)

// simPolicy allows carol everything, and dave what he needs to be a nuisance: he may learn nothing of y.npy, and
// keep and use nothing.
var simPolicy = strings.Replace(anything, "programs: any,", "programs: any, joins: any, keys: any,", 1) +
	"  - {name: some, submitters: [dave], programs: any, protocols: any, arguments: any, inputs: [x.npy], reveal: any, fetch: [dave]}\n"

// hostileCases are the cases of the corpus whose plans a node has the memory and the time for.
var hostileCases = slices.DeleteFunc(hostile.Corpus(hostile.Arguments{
	List: "%x: tensor<4xf32>, %w: tensor<4xf32>, %b: tensor<f32>", First: "%x", Size: 4,
}), func(c hostile.Case) bool {
	return c.Plans || c.Large || strings.HasPrefix(c.Name, "300000 ") || strings.HasPrefix(c.Name, "100000 ") || strings.HasSuffix(c.Name, "2^16") ||
		strings.HasSuffix(c.Name, "MiB") || c.Name == "1000 products" || c.Name == "a loop of 2^16 iterations"
})

// by returns a client of a node that uses no line, for a caller.
func (w *world) by(who, node string) *api.Client {
	return api.Over(node, node, func(ctx context.Context) (net.Conn, error) {
		w.mu.Lock()
		port := w.ports[node]
		w.mu.Unlock()
		raw, err := port.Dial("carol") // whose connections are no events: reports contain this process's memory use
		if err != nil {
			return nil, err
		}
		return pki.Client(ctx, raw, w.ids[who], node, api.Proto)
	})
}

// runHostile does some of what a hostile submitter and a stranger do. Whatever the nodes accept ends, and what
// dave is not allowed is refused.
func (w *world) runHostile(order []string) {
	var all []*api.Submission
	for range 2 + w.choose(5) {
		s := w.submission(order...)
		switch w.choose(6) {
		case 0:
			c := hostileCases[w.choose(len(hostileCases))]
			c.Apply(s)
			w.events.add("dave: %q", c.Name)
		case 1: // an input that he may not use
			s.Inputs = slices.Clone(s.Inputs)
			s.Inputs[1].Name = "y.npy"
			w.denied(s, order)
			continue
		case 2: // another submission for each node
			for i, p := range order {
				own := *s
				own.Fraction += i
				w.sentBy(theHostile, &own, p)
			}
			all = append(all, s)
			continue
		case 3: // the id of somebody else's job
			if id := w.someJob(order[0]); id != "" {
				s.ID = id
				w.sentBy(theHostile, s, order...)
				w.meddle(id, order)
				continue
			}
		case 4: // at one node only
			w.sentBy(theHostile, s, order[w.choose(len(order))])
			all = append(all, s)
			continue
		}
		w.sentBy(theHostile, s, order...)
		all = append(all, s)
		if w.choose(3) == 0 {
			if _, err := w.by(theHostile, order[0]).Cancel(w.t.Context(), s.ID); err != nil {
				w.events.add("dave: cancel: %v", err)
			}
		}
	}
	for _, p := range order {
		s := w.submission(order...)
		var refused *api.Refused
		_, err := w.by(theStranger, p).Submit(w.t.Context(), s)
		if err == nil || errors.As(err, &refused) && !strings.Contains(err.Error(), "no rule names mallory") && !strings.Contains(err.Error(), "stopping") {
			w.violated("a stranger submits to %s: %v", p, err)
		}
	}
	for _, s := range all {
		for _, p := range simNames {
			if j, ok := w.end(s.ID, p); ok && j.State != api.Done && j.Error == "" {
				w.violated("dave's job %s is %s at %s, and nobody says why", s.ID, j.State, p)
			}
		}
	}
}

// sentBy submits to nodes for a caller, as far as they accept it.
func (w *world) sentBy(who string, s *api.Submission, at ...string) {
	for _, p := range at {
		if _, err := w.by(who, p).Submit(w.t.Context(), s); err != nil {
			w.events.add("%s: job %.40q: %.200v", who, s.ID, err)
		}
	}
}

// denied submits to nodes that must not accept it.
func (w *world) denied(s *api.Submission, at []string) {
	for _, p := range at {
		j, err := w.by(theHostile, p).Submit(w.t.Context(), s)
		if p != s.Inputs[1].Owner {
			continue // only the owner's policy is about the input
		}
		if err == nil && j.State != api.Denied {
			w.violated("%s accepts the input %s of %s: %s", p, s.Inputs[1].Name, theHostile, j.State)
		}
	}
	for _, p := range at {
		if j, ok := w.end(s.ID, p); ok && j.State == api.Done {
			w.violated("a job that %s denies is done at %s", s.Inputs[1].Owner, p)
		}
	}
}

// someJob returns the id of a job at a node, "" if it has none.
func (w *world) someJob(node string) string {
	w.mu.Lock()
	n, down := w.nodes[node], w.down[node]
	w.mu.Unlock()
	if down || n == nil {
		return ""
	}
	var ids []string
	for j := range n.state().All() {
		if j.Submitter == "carol" {
			ids = append(ids, j.ID)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	slices.Sort(ids)
	return ids[w.choose(len(ids))]
}

// meddle tries to learn of a job of carol's, and to end it.
func (w *world) meddle(id string, at []string) {
	for _, p := range at {
		w.mu.Lock()
		n := w.nodes[p]
		w.mu.Unlock()
		if j := n.state().Job(id); j == nil || j.Submitter == theHostile {
			continue // the node has lost carol's job, or never had it: there the id is dave's
		}
		c := w.by(theHostile, p)
		for i, do := range []func() error{
			func() error { _, err := c.Job(w.t.Context(), id); return err },
			func() error { _, err := c.Cancel(w.t.Context(), id); return err },
			func() error { _, err := c.Approve(w.t.Context(), id); return err },
			func() error { _, err := c.Request(w.t.Context(), id, &api.Request{ID: newID()}); return err },
			func() error { _, err := c.Submission(w.t.Context(), id); return err },
		} {
			if err := do(); err == nil {
				w.violated("request %d of dave about job %s of carol at %s succeeds", i, id, p)
			}
		}
	}
	time.Sleep(time.Second)
}
