package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// service is the session of a service.
type service struct {
	task     *task
	resolved *resolvedJob
	party    *party.Service
	fail     context.CancelCauseFunc // aborts the session
}

// serve opens a service and answers requests until ctx ends, the node stops, or a party is lost.
func (n *Node) serve(ctx context.Context, fail context.CancelCauseFunc, t *task, w *resolvedJob, spec party.Spec, seat party.Seat) error {
	s := &service{task: t, resolved: w, fail: fail}
	var err error
	if s.party, err = party.Open(ctx, spec, &seat); err != nil {
		return err
	}
	defer s.party.Close()
	n.setServing(t, s.party)
	defer n.setServing(t, nil)
	if err := n.writeReport(t, n.folder(t.ID), s.party.Opened()); err != nil {
		return err
	}
	n.apply(t, jobstate.Serves{})
	err = n.cause(ctx, n.serveBatches(ctx, s))
	s.party.Abort(err)
	return err
}

// setServing notes the service of a task whose session runs.
func (n *Node) setServing(t *task, s *party.Service) {
	n.mu.Lock()
	defer n.mu.Unlock()
	t.serving = s
}

// serveBatches evaluates one batch of requests after the other. It returns only with an error.
func (n *Node) serveBatches(ctx context.Context, s *service) error {
	for {
		batch, err := n.nextBatch(ctx, s)
		if err != nil {
			return err
		}
		asked := make([]party.Request, len(batch))
		for i, ref := range batch {
			asked[i] = n.prepareRequest(ctx, s, ref)
		}
		err = s.party.Evaluate(ctx, asked)
		n.apply(s.task, jobstate.BatchEnded{})
		if err != nil {
			return err
		}
		if err := s.party.PrepareAhead(ctx); err != nil { // deal for the next batch while its requests arrive
			return err
		}
	}
}

// nextBatch waits for the next batch. The leader announces it to the other nodes.
func (n *Node) nextBatch(ctx context.Context, s *service) ([]api.RequestRef, error) {
	t := s.task
	changed := make(chan struct{})
	close(changed) // the first batch may be there already
	for {
		select {
		case err := <-s.party.Lost():
			return nil, err
		case <-n.draining:
			return nil, ErrStopping
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-changed:
		}
		n.mu.Lock()
		batch := n.step(t.ID, jobstate.NextBatch{}).batch
		changed = t.changed
		n.mu.Unlock()
		if batch == nil {
			continue
		}
		if t.rank == 0 {
			return batch, n.announce(ctx, t, batch)
		}
		return batch, nil
	}
}

// announce tells the other nodes which requests form the next batch.
func (n *Node) announce(ctx context.Context, t *task, batch []api.RequestRef) error {
	errs := make([]error, len(t.Parties))
	var told sync.WaitGroup
	for rank := 1; rank < len(t.Parties); rank++ {
		told.Go(func() { errs[rank] = n.peer(t.Parties[rank]).Requests(ctx, t.ID, api.RequestBatch{Requests: batch}) })
	}
	told.Wait()
	return errors.Join(errs...)
}

// prepareRequest reads this party's inputs of a request and returns it for evaluation. If an error
// occurs at any party, that party declines the request in the batch's first step, before any input is
// shared; the other requests go on. A request that is not at this node has no id and is declined, as
// one of the program that the leader names.
func (n *Node) prepareRequest(ctx context.Context, s *service, ref api.RequestRef) party.Request {
	t, id := s.task, ref.Request
	n.mu.Lock()
	r := t.requests[id]
	n.mu.Unlock()
	if r == nil {
		return party.Request{Program: ref.Program, Done: func(*party.Outcome, error) error { return nil }}
	}
	folder := n.requestFolder(t.ID, id)
	results := filepath.Join(folder, resultsFolder)
	data, bad := n.startRequest(t, s.resolved, id, r, results)
	failed := func(err error) {
		n.logOwnFailure(t.ID, err)
		os.RemoveAll(results)
		n.apply(t, jobstate.RequestEnded{Request: id, Error: n.errorText(n.cause(ctx, err))})
	}
	return party.Request{
		Program: r.program, Data: data,
		Progress: func(p party.Progress) {
			if p.Phase == "output" {
				n.reveals(t, s.resolved, s.resolved.programOf(r.program), id, s.fail)
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
			n.apply(t, jobstate.RequestEnded{Request: id, Results: len(out.Results)})
			return nil
		},
	}
}

// startRequest reads this party's inputs of a request, after the policy has allowed the request and
// its start is in the audit log.
func (n *Node) startRequest(t *task, w *resolvedJob, id string, r *request, results string) ([]*tensor.Array, error) {
	if d := n.judgeRequest(t, r); d.Verdict == policy.Denied { // before the files are opened: the policy may have changed
		return nil, refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, d.Reason)
	}
	used, err := used(r.inputs)
	if err != nil {
		return nil, err
	}
	p := w.programOf(r.program)
	own, err := r.job.OwnArgs(p, n.config.Name)
	if err != nil {
		if errors.As(err, new(*job.ElementError)) { // counted as a run, for the reason that countMisfit gives
			if _, bad := n.policy.Start(t.factsOf(r), n.job(t).Approved); bad != nil {
				n.log.Error("a run that a rule counts could not be counted", "job", t.ID, "request", id, "error", bad.Error())
			}
		}
		return nil, n.redactInputError(t.ID, err)
	}
	if slices.Contains(w.sub.Reveal, t.rank) {
		if err := reserveDiskSpace(results, w.revealed(p)); err != nil {
			return nil, err
		}
	}
	decision, err := n.policy.Start(t.factsOf(r), n.job(t).Approved)
	if err != nil {
		return nil, err
	}
	if reply := n.apply(t, jobstate.RequestJudged{Request: id, Decision: decision, Inputs: used}); reply.refused != nil {
		return nil, reply.refused
	}
	return own, nil
}

// judgeRequest returns the policy's decision about a request. If a rule allows it after an approval only, it may use no other
// inputs than the admin has seen, and each for the arguments for which the service names it: in another argument's place a
// program may reveal what it would only have multiplied by.
func (n *Node) judgeRequest(t *task, r *request) policy.Decision {
	d := n.policy.Judge(t.factsOf(r))
	if d.Verdict != policy.NeedsApproval || r.moved == "" {
		return d
	}
	return policy.Decision{Reason: fmt.Sprintf("rule %q asks for an approval, which a service has for the inputs that it names, each for its arguments: %s",
		d.Rule, r.moved)}
}

// factsOf returns what the policy judges of a request: the facts of the service's job, with the
// request's inputs and the resident ones.
func (t *task) factsOf(r *request) policy.Submission {
	facts := t.facts
	facts.Now = time.Now()
	facts.Inputs, facts.Asked = slices.Concat(r.resident, r.names), slices.Concat(r.resident, r.asked)
	facts.Provides = r.provides
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
