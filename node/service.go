package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
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
	task    *task
	work    *work
	party   *party.Service
	fail    context.CancelCauseFunc // ends it
	most    int                     // how many requests are answered at once
	open    bool                    // takes requests
	waits   map[string]*request     // by id, until they have ended
	next    chan *request           // at the lead: in the order of their coming
	batches chan []api.Turn         // at others: what the lead says is next
}

// serve opens a service and goes through its turns, until ctx ends, the node is
// being stopped, or a party is lost.
func (n *Node) serve(ctx context.Context, fail context.CancelCauseFunc, t *task, w *work, spec party.Spec, seat party.Seat) error {
	s := &service{
		task: t, work: w, fail: fail, most: t.Batch, waits: map[string]*request{},
		next: make(chan *request, n.config.Limits.Queue), batches: make(chan []api.Turn, 1),
	}
	n.mu.Lock()
	t.service = s // another node may be open already, and take a request
	n.mu.Unlock()
	var err error
	if s.party, err = party.Open(ctx, spec, &seat); err != nil {
		return err
	}
	defer s.party.Close()
	if err := n.writeReport(t, n.folder(t), s.party.Opened()); err != nil {
		return err
	}
	n.mu.Lock()
	n.change(t, func() { s.open, t.Phase, t.Step, t.Steps = true, api.Serves, 0, 0 })
	n.mu.Unlock()
	err = n.cause(ctx, n.goOn(ctx, s))
	s.party.Abort(err)
	n.mu.Lock()
	s.open = false
	waits := slices.Collect(maps.Values(s.waits))
	n.mu.Unlock()
	for _, r := range waits {
		n.over(t, r, api.Failed, fmt.Sprintf("the service has ended: %v", err))
	}
	n.mu.Lock()
	t.service = nil
	n.mu.Unlock()
	return err
}

// goOn takes a service from batch to batch.
func (n *Node) goOn(ctx context.Context, s *service) error {
	for {
		batch, err := n.nextBatch(ctx, s)
		if err != nil {
			return err
		}
		asked := make([]party.Request, len(batch))
		for i, r := range batch {
			asked[i] = n.turn(ctx, s, r)
		}
		n.answering(s.task, len(batch))
		err = s.party.Turns(ctx, asked)
		n.answering(s.task, 0)
		if err != nil {
			return err
		}
		if err := s.party.Ahead(ctx); err != nil { // while the next ones are on their way
			return err
		}
	}
}

// answering says how many requests to a service are under way.
func (n *Node) answering(t *task, requests int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.change(t, func() { t.Now = requests })
}

// nextBatch waits for the next requests, which are answered at once; nil are
// those that are not here. The lead takes all that wait, as many as may be, and
// tells the others.
func (n *Node) nextBatch(ctx context.Context, s *service) ([]*request, error) {
	select {
	case r := <-s.next:
		batch := []*request{r}
		for len(batch) < s.most && len(s.next) > 0 { // nobody else takes from it
			batch = append(batch, <-s.next)
		}
		return batch, n.announce(ctx, s.task, batch)
	case turns := <-s.batches:
		return n.waitFor(ctx, s, turns), nil
	case err := <-s.party.Lost():
		return nil, err
	case <-n.draining:
		return nil, ErrStopping
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// announce tells the other nodes which requests are next.
func (n *Node) announce(ctx context.Context, t *task, batch []*request) error {
	turns := make([]api.Turn, len(batch))
	for i, r := range batch {
		turns[i] = api.Turn{Request: r.ID, Digest: r.digest}
	}
	errs := make([]error, len(t.Parties))
	var told sync.WaitGroup
	for rank := 1; rank < len(t.Parties); rank++ {
		told.Go(func() { errs[rank] = n.peer(t.Parties[rank]).Turns(ctx, t.ID, api.Turns{Turns: turns}) })
	}
	told.Wait()
	return errors.Join(errs...)
}

// batch takes what the lead says is next.
func (n *Node) batch(t *task, turns []api.Turn) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := t.service
	if s == nil {
		return refuse(http.StatusConflict, "service %s is %s at %s, and expects no requests", t.ID, t.State, n.config.Name)
	}
	named := map[string]bool{}
	for _, turn := range turns {
		named[turn.Request] = true
	}
	if len(turns) == 0 || len(turns) > s.most || len(named) < len(turns) {
		return refuse(http.StatusBadRequest, "%d turns for %d requests at once, of service %s, which answers %d", len(turns), len(named), t.ID, s.most)
	}
	select {
	case s.batches <- turns:
		return nil
	default:
		return refuse(http.StatusConflict, "service %s is at other requests at %s", t.ID, n.config.Name)
	}
}

// waitFor are requests that the lead has, and that are here, or will be in a
// moment; nil are others.
func (n *Node) waitFor(ctx context.Context, s *service, turns []api.Turn) []*request {
	ctx, cancel := context.WithTimeout(ctx, n.config.Limits.Silence)
	defer cancel()
	out := make([]*request, len(turns))
	for i := 0; i < len(turns); {
		n.mu.Lock()
		r, changed := s.waits[turns[i].Request], s.task.changed
		n.mu.Unlock()
		if r == nil && ctx.Err() == nil {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		if r != nil && r.digest == turns[i].Digest {
			out[i] = r
		}
		i++
	}
	return out
}

// turn is one request's turn. What is wrong with it at any party is told before
// anything is shared, and ends the request alone; one that is not here declines.
func (n *Node) turn(ctx context.Context, s *service, r *request) party.Request {
	if r == nil {
		return party.Request{Done: func(*party.Outcome, error) error { return nil }}
	}
	t := s.task
	folder := n.requestFolder(t, r.ID)
	results := filepath.Join(folder, resultsFolder)
	data, bad := n.bring(t, s.work, r, results)
	failed := func(err error) {
		n.ownReason(t.ID, err)
		os.RemoveAll(results)
		n.over(t, r, api.Failed, n.cause(ctx, err).Error())
	}
	return party.Request{
		Data: data,
		Progress: func(p party.Progress) {
			if p.Phase == "output" {
				n.reveals(t, s.work, r.ID, s.fail)
			}
		},
		Done: func(out *party.Outcome, err error) error {
			if err != nil {
				if bad != nil && errors.As(err, new(*party.DeclinedError)) {
					err = bad
				}
				failed(err)
				return nil
			}
			if out.Results != nil {
				err = fillRoom(results, out.Results)
			}
			if err == nil {
				err = n.writeReport(t, folder, out.Report)
			}
			if err != nil {
				failed(err)
				return err
			}
			if n.counts != nil {
				n.counts.Cost(out.Report, t.rank)
			}
			n.mu.Lock()
			r.Results = len(out.Results)
			n.change(t, func() { t.Step++ })
			n.mu.Unlock()
			n.over(t, r, api.Done, "")
			return nil
		},
	}
}

// bring reads this party's part of a request, once the policy lets it start and
// that is written down.
func (n *Node) bring(t *task, w *work, r *request, results string) ([]*tensor.Array, error) {
	n.mu.Lock()
	r.called = r.State == api.Queued
	called := r.called
	n.mu.Unlock()
	if !called {
		return nil, errors.New("its turn has come too late")
	}
	used, err := used(r.inputs)
	if err != nil {
		return nil, err
	}
	own, err := r.job.OwnArgs(w.program, n.config.Name)
	if err != nil {
		return nil, n.discreet(t.ID, err)
	}
	if slices.Contains(w.sub.Reveal, t.rank) {
		if err := makeRoom(results, w.program.Main.Results); err != nil {
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
	return own, nil
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
