package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// service is a job that stays and answers requests. The node's lock is held for
// what changes.
type service struct {
	open  bool                // takes requests
	waits map[string]*request // by id, until they have ended
	next  chan *request       // at the lead: in the order of their coming
	turns chan api.Turn       // at others: what the lead says is next
	now   string              // the request whose turn it is
}

func newService(most int) *service {
	return &service{waits: map[string]*request{}, next: make(chan *request, most), turns: make(chan api.Turn, 1)}
}

// serve opens a service and goes through its turns, until ctx ends, the node is
// being stopped, or a party is lost.
func (n *Node) serve(ctx context.Context, t *task, w *work, spec party.Spec, seat party.Seat) error {
	s := newService(n.config.Limits.Queue)
	n.mu.Lock()
	t.service = s // another node may be open already, and take a request
	n.mu.Unlock()
	v, err := party.Open(ctx, spec, &seat)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := n.writeReport(t, n.folder(t), v.Opened()); err != nil {
		return err
	}
	n.mu.Lock()
	n.change(t, func() { s.open, t.Phase, t.Step, t.Steps = true, api.Serves, 0, 0 })
	n.mu.Unlock()
	err = n.cause(ctx, n.goOn(ctx, t, w, v, s))
	v.Abort(err)
	n.mu.Lock()
	t.service = nil
	waits := s.waits
	s.waits = nil
	n.mu.Unlock()
	for _, r := range waits {
		n.over(t, r, api.Failed, fmt.Sprintf("the service has ended: %v", err))
	}
	return err
}

// goOn takes a service from request to request.
func (n *Node) goOn(ctx context.Context, t *task, w *work, v *party.Service, s *service) error {
	for done := 1; ; done++ {
		r, err := n.nextTurn(ctx, t, v, s)
		if err != nil {
			return err
		}
		if err := n.turn(ctx, t, w, v, s, r); err != nil {
			return err
		}
		n.mu.Lock()
		n.change(t, func() { t.Phase, t.Step, t.Steps = api.Serves, done, 0 })
		n.mu.Unlock()
		if err := v.Ahead(ctx); err != nil { // while the next one is on its way
			return err
		}
	}
}

// nextTurn waits for the next request; nil is one that is not here. The lead
// chooses, and tells the others.
func (n *Node) nextTurn(ctx context.Context, t *task, v *party.Service, s *service) (*request, error) {
	select {
	case r := <-s.next:
		for rank := len(t.Parties) - 1; rank > 0; rank-- {
			if err := n.peer(t.Parties[rank]).Turn(ctx, t.ID, api.Turn{Request: r.ID, Digest: r.digest}); err != nil {
				return nil, err
			}
		}
		return r, nil
	case turn := <-s.turns:
		return n.waitFor(ctx, t, s, turn), nil
	case <-v.Lost():
		_, err := v.Turn(ctx, nil) // says whom
		return nil, err
	case <-n.draining:
		return nil, ErrStopping
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// waitFor is a request that the lead has, and that is here, or will be in a
// moment.
func (n *Node) waitFor(ctx context.Context, t *task, s *service, turn api.Turn) *request {
	late := time.After(n.config.Limits.Silence)
	for {
		n.mu.Lock()
		r, changed := s.waits[turn.Request], t.changed
		n.mu.Unlock()
		if r != nil && r.digest == turn.Digest {
			return r
		}
		select {
		case <-changed:
			if r == nil {
				continue
			}
		case <-late:
		case <-ctx.Done():
		}
		return nil
	}
}

// turn answers one request. What is wrong with it at any party is told before
// anything is shared, and ends the request alone.
func (n *Node) turn(ctx context.Context, t *task, w *work, v *party.Service, s *service, r *request) error {
	if r == nil {
		_, err := v.Turn(ctx, nil)
		return served(err)
	}
	n.mu.Lock()
	s.now = r.ID
	n.mu.Unlock()
	folder := n.requestFolder(t, r.ID)
	results := filepath.Join(folder, resultsFolder)
	data, bad := n.bring(t, w, r, results)
	if bad != nil {
		data = nil
	}
	out, err := v.Turn(ctx, data)
	if err == nil && out.Results != nil {
		err = keep(results, out.Results)
	}
	if err == nil {
		err = n.writeReport(t, folder, out.Report)
	}
	if err != nil {
		reason := n.cause(ctx, err)
		if bad != nil && served(err) == nil {
			reason = bad
		}
		os.RemoveAll(results)
		n.over(t, r, api.Failed, reason.Error())
		return served(err)
	}
	n.mu.Lock()
	r.Results = len(out.Results)
	n.mu.Unlock()
	if n.counts != nil {
		n.counts.Cost(out.Report, t.rank)
	}
	n.over(t, r, api.Done, "")
	return nil
}

// served is what of a turn's error ends the service.
func served(err error) error {
	if errors.As(err, new(*party.DeclinedError)) {
		return nil
	}
	return err
}

// bring reads this party's part of a request, once the policy lets it start and
// that is written down.
func (n *Node) bring(t *task, w *work, r *request, results string) ([]*tensor.Array, error) {
	used, err := used(r.inputs)
	if err != nil {
		return nil, err
	}
	own, err := r.job.OwnArgs(w.program, n.config.Name)
	if err != nil {
		return nil, n.discreet(t.ID, err)
	}
	if slices.Contains(w.sub.Reveal, t.rank) {
		if err := hold(results, w.program.Main.Results); err != nil {
			return nil, err
		}
	}
	decision, err := n.policy.Start(t.factsOf(r), t.approved)
	if err != nil {
		return nil, err
	}
	if decision.Verdict == policy.Denied || decision.Verdict == policy.NeedsApproval && !t.approved {
		return nil, fmt.Errorf("the policy of %s does not allow it: %s", n.config.Name, decision.Reason)
	}
	if err := n.note(t, audit.Event{Kind: audit.Started, Request: r.ID, Rule: decision.Rule, Inputs: used}); err != nil {
		return nil, err
	}
	n.mu.Lock()
	r.State, r.Started = api.Running, time.Now()
	n.mu.Unlock()
	data := make([]*tensor.Array, len(w.program.Main.Body.Params))
	for arg, a := range own {
		data[arg] = a
	}
	return data, nil
}

// factsOf are those that a request is judged by: a run of the service's job with
// its own inputs beside those that are resident.
func (t *task) factsOf(r *request) policy.Submission {
	facts := t.facts
	facts.Now = time.Now()
	facts.Inputs = slices.Concat(r.resident, r.Inputs)
	return facts
}

// writeReport writes a report into a folder.
func (n *Node) writeReport(t *task, folder string, r *profile.Report) error {
	r.Program = t.Program
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(folder, reportFile), text, 0o600)
}
