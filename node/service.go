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
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// service is a job that stays after its start and answers requests. Fields that change are guarded by
// Node.mu.
type service struct {
	task     *task
	resolved *resolvedJob
	party    *party.Service
	fail     context.CancelCauseFunc // aborts the session
	maxBatch int                     // maximum number of requests evaluated as one batch
	open     bool                    // requests are accepted
	pending  map[string]*request     // queued and running requests by id
	queue    chan *request           // at the leader: queued requests in order of arrival
	batches  chan []api.RequestRef   // at the other nodes: the next batch, as the leader announced it
}

// serve opens a service and answers requests until ctx ends, the node stops, or a party is lost.
func (n *Node) serve(ctx context.Context, fail context.CancelCauseFunc, t *task, w *resolvedJob, spec party.Spec, seat party.Seat) error {
	s := &service{
		task: t, resolved: w, fail: fail, maxBatch: n.job(t).Batch, pending: map[string]*request{},
		queue: make(chan *request, n.config.Limits.Queue), batches: make(chan []api.RequestRef, 1),
	}
	n.mu.Lock()
	t.service = s // set before the service is open here: another node may be open already and accept a request
	n.mu.Unlock()
	var err error
	if s.party, err = party.Open(ctx, spec, &seat); err != nil {
		return err
	}
	defer s.party.Close()
	if err := n.writeReport(t, n.folder(t.ID), s.party.Opened()); err != nil {
		return err
	}
	n.mu.Lock()
	s.open = true
	n.step(t.ID, jobstate.Serves{})
	n.mu.Unlock()
	err = n.cause(ctx, n.serveBatches(ctx, s))
	s.party.Abort(err)
	n.mu.Lock()
	s.open = false
	waits := slices.Collect(maps.Values(s.pending))
	n.mu.Unlock()
	for _, r := range waits {
		n.endRequest(t, r, api.Failed, fmt.Sprintf("the service has ended: %v", err))
	}
	n.mu.Lock()
	t.service = nil
	n.mu.Unlock()
	return err
}

// serveBatches evaluates one batch of requests after the other. It returns only with an error.
func (n *Node) serveBatches(ctx context.Context, s *service) error {
	for {
		batch, err := n.nextBatch(ctx, s)
		if err != nil {
			return err
		}
		asked := make([]party.Request, len(batch))
		for i, r := range batch {
			asked[i] = n.prepareRequest(ctx, s, r)
		}
		n.apply(s.task, jobstate.Evaluating{Requests: len(batch)})
		err = s.party.Evaluate(ctx, asked)
		n.apply(s.task, jobstate.Evaluating{})
		if err != nil {
			return err
		}
		if err := s.party.PrepareAhead(ctx); err != nil { // deal for the next batch while its requests arrive
			return err
		}
	}
}

// nextBatch waits for the next batch. The leader takes all queued requests, up to maxBatch, and
// announces them to the other nodes; those take the announced batch. A nil entry stands for a request
// that this node does not have.
func (n *Node) nextBatch(ctx context.Context, s *service) ([]*request, error) {
	select {
	case r := <-s.queue:
		batch := []*request{r}
		for len(batch) < s.maxBatch && len(s.queue) > 0 { // no other goroutine receives from the queue
			batch = append(batch, <-s.queue)
		}
		return batch, n.announce(ctx, s.task, batch)
	case refs := <-s.batches:
		return n.awaitRequests(ctx, s, refs), nil
	case err := <-s.party.Lost():
		return nil, err
	case <-n.draining:
		return nil, ErrStopping
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// announce tells the other nodes which requests form the next batch.
func (n *Node) announce(ctx context.Context, t *task, batch []*request) error {
	refs := make([]api.RequestRef, len(batch))
	for i, r := range batch {
		refs[i] = api.RequestRef{Request: r.ID, Digest: r.digest}
	}
	errs := make([]error, len(t.Parties))
	var told sync.WaitGroup
	for rank := 1; rank < len(t.Parties); rank++ {
		told.Go(func() { errs[rank] = n.peer(t.Parties[rank]).Requests(ctx, t.ID, api.RequestBatch{Requests: refs}) })
	}
	told.Wait()
	return errors.Join(errs...)
}

// batch accepts the leader's announcement of the next batch.
func (n *Node) batch(t *task, refs []api.RequestRef) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := t.service
	if s == nil {
		return refuse(http.StatusConflict, "service %s is %s at %s and expects no requests", t.ID, n.jobs.Job(t.ID).State, n.config.Name)
	}
	named := map[string]bool{}
	for _, ref := range refs {
		named[ref.Request] = true
	}
	if len(refs) == 0 || len(refs) > s.maxBatch || len(named) < len(refs) {
		return refuse(http.StatusBadRequest, "a batch of %d entries for %d distinct requests; service %s evaluates 1 to %d at once", len(refs), len(named), t.ID, s.maxBatch)
	}
	select {
	case s.batches <- refs:
		return nil
	default:
		return refuse(http.StatusConflict, "service %s is evaluating other requests at %s", t.ID, n.config.Name)
	}
}

// awaitRequests returns the announced requests, and waits up to Limits.HeartbeatTimeout for those that
// have not arrived. Requests that do not arrive, or that have another digest, are nil.
func (n *Node) awaitRequests(ctx context.Context, s *service, refs []api.RequestRef) []*request {
	ctx, cancel := context.WithTimeout(ctx, n.config.Limits.HeartbeatTimeout)
	defer cancel()
	out := make([]*request, len(refs))
	for i := 0; i < len(refs); {
		n.mu.Lock()
		r, changed := s.pending[refs[i].Request], s.task.changed
		n.mu.Unlock()
		if r == nil && ctx.Err() == nil {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		if r != nil && r.digest == refs[i].Digest {
			out[i] = r
		}
		i++
	}
	return out
}

// prepareRequest reads this party's inputs of a request and returns it for evaluation. If an error
// occurs at any party, that party declines the request in the batch's first step, before any input is
// shared; the other requests go on. A request that is not at this node (nil) is declined.
func (n *Node) prepareRequest(ctx context.Context, s *service, r *request) party.Request {
	if r == nil {
		return party.Request{Done: func(*party.Outcome, error) error { return nil }}
	}
	t := s.task
	folder := n.requestFolder(t.ID, r.ID)
	results := filepath.Join(folder, resultsFolder)
	data, bad := n.startRequest(t, s.resolved, r, results)
	failed := func(err error) {
		n.logOwnFailure(t.ID, err)
		os.RemoveAll(results)
		n.endRequest(t, r, api.Failed, n.cause(ctx, err).Error())
	}
	return party.Request{
		Data: data,
		Progress: func(p party.Progress) {
			if p.Phase == "output" {
				n.reveals(t, s.resolved, r.ID, s.fail)
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
				err = writeReservedResults(results, out.Results)
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
			n.step(t.ID, jobstate.RequestDone{})
			n.mu.Unlock()
			n.endRequest(t, r, api.Done, "")
			return nil
		},
	}
}

// startRequest reads this party's inputs of a request, after the policy has allowed the request and
// its start is in the audit log.
func (n *Node) startRequest(t *task, w *resolvedJob, r *request, results string) ([]*tensor.Array, error) {
	n.mu.Lock()
	r.dequeued = r.State == api.Queued
	called := r.dequeued
	n.mu.Unlock()
	if !called {
		return nil, errors.New("the request was queued for too long")
	}
	used, err := used(r.inputs)
	if err != nil {
		return nil, err
	}
	own, err := r.job.OwnArgs(w.program, n.config.Name)
	if err != nil {
		return nil, n.redactInputError(t.ID, err)
	}
	if slices.Contains(w.sub.Reveal, t.rank) {
		if err := reserveDiskSpace(results, w.program.Main.Results); err != nil {
			return nil, err
		}
	}
	approved := n.job(t).Approved
	decision, err := n.policy.Start(t.factsOf(r), approved)
	if err != nil {
		return nil, err
	}
	if decision.Verdict == policy.Denied || decision.Verdict == policy.NeedsApproval && !approved {
		return nil, fmt.Errorf("the policy of %s does not allow it: %s", n.config.Name, decision.Reason)
	}
	if err := n.appendAudit(t, audit.Event{Kind: audit.Started, Request: r.ID, Rule: decision.Rule, Inputs: used}); err != nil {
		return nil, err
	}
	n.mu.Lock()
	r.State, r.Started = api.Running, time.Now()
	n.mu.Unlock()
	return own, nil
}

// factsOf returns what the policy judges of a request: the facts of the service's job, with the
// request's inputs and the resident ones.
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
