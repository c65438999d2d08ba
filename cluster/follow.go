package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/problem"
)

// askAll calls ask for several nodes concurrently and returns the answers in the order of names.
func askAll[A any](clients map[string]*api.Client, names []string, ask func(*api.Client) (A, error)) ([]A, error) {
	answers, errs := make([]A, len(names)), make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { answers[i], errs[i] = ask(clients[name]) })
	}
	all.Wait()
	return answers, errors.Join(errs...)
}

// Submit sends a submission to the nodes of all its parties at the same time, and returns the job's state at
// each, in rank order. If a node refuses or does not answer, Submit cancels the job at all nodes and returns the
// errors of these nodes. If a node's policy denies the job at once, the error is an *EndedError.
func Submit(ctx context.Context, clients map[string]*api.Client, s *api.Submission) ([]api.Job, error) {
	jobs, err := askAll(clients, s.Parties, func(c *api.Client) (api.Job, error) { return c.Submit(ctx, s) })
	if err != nil {
		Cancel(context.WithoutCancel(ctx), clients, s.Parties, s.ID) // at the nodes that have accepted it; errors of the cancellation are ignored
		return nil, err
	}
	return jobs, EndError(jobs)
}

// Cancel cancels the job with this id at the nodes of parties, all at the same time. At nodes where the job has
// ended it has no effect. The error combines the errors of all nodes that did not cancel the job.
func Cancel(ctx context.Context, clients map[string]*api.Client, parties []string, id string) error {
	_, err := askAll(clients, parties, func(c *api.Client) (api.Job, error) {
		j, err := c.Cancel(ctx, id)
		if refused := (&api.Refused{}); errors.As(err, &refused) && refused.Status == http.StatusConflict {
			err = nil // the job has ended there
		}
		return j, err
	})
	return err
}

// pollInterval is the maximum time between two status requests to a node.
const pollInterval = 100 * time.Millisecond

// Follow polls the nodes of all parties until the job with this id has ended at all of them, and returns its
// state at each, in the order of parties. It returns early if the job has ended with an error at all nodes that
// answer. After each poll that all nodes answer, Follow calls see with the states. The error is an *EndedError
// if the job ended in a state other than done, an *api.Refused if a node refuses to answer, or the node's error
// if a node does not answer for longer than patience. If ctx ends, Follow returns its cause; the job continues.
func Follow(
	ctx context.Context,
	clients map[string]*api.Client,
	parties []string,
	id string,
	patience time.Duration,
	see func([]api.Job),
) ([]api.Job, error) {
	answered := time.Now()
	for wait := pollInterval / 10; ; wait = min(2*wait, pollInterval) {
		jobs, err := askAll(clients, parties, func(c *api.Client) (api.Job, error) { return c.Job(ctx, id) })
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			answered = time.Now()
			see(jobs)
			if !slices.ContainsFunc(jobs, unfinished) {
				return jobs, EndError(jobs)
			}
		case errors.As(err, new(*api.Refused)):
			return nil, err
		default:
			jobs = slices.DeleteFunc(jobs, func(j api.Job) bool { return j.ID == "" }) // the nodes that did not answer
			if why := EndError(jobs); why != nil && !slices.ContainsFunc(jobs, unfinished) {
				return jobs, why
			}
			if time.Since(answered) > patience {
				return nil, err
			}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// unfinished reports whether a job has not ended.
func unfinished(j api.Job) bool { return !j.State.Final() }

// EndError returns an *EndedError if a job has ended at some node in a state other than done; nil otherwise.
// jobs has the job's state at each node. If the job was denied or cancelled at a node, failures at the other
// nodes are consequences, and the error leaves them out.
func EndError(jobs []api.Job) error {
	var reasons []string
	var state api.State
	var node, rule string
	for _, s := range []api.State{api.Denied, api.Cancelled, api.Failed} {
		for _, j := range jobs {
			if j.State == s {
				if reasons == nil {
					state, node, rule = s, j.Node, j.Rule
				}
				reasons = append(reasons, fmt.Sprintf("%s at %s: %s", s, j.Node, j.Error))
			}
		}
		if reasons != nil && s != api.Failed {
			break // the failures at other nodes are consequences
		}
	}
	if reasons == nil {
		return nil
	}
	return &EndedError{ID: jobs[0].ID, State: state, Reasons: reasons, Node: node, Rule: rule}
}

// EndedError says that a job has ended at some node in a state other than done.
type EndedError struct {
	ID      string    // the job's id
	State   api.State // the state that is the cause: denied, cancelled or failed
	Reasons []string  // one text for each node at which the job ended in that state
	// Node is the name of the node of the first reason. Rule is the name of the rule of its policy that judged
	// the job; "" if none did.
	Node, Rule string
}

// Error returns the job's id and the reasons of all nodes, on one line.
func (e *EndedError) Error() string {
	return fmt.Sprintf("job %s: %s", e.ID, strings.Join(e.Reasons, "; "))
}

// Is reports whether target is the error's kind: problem.Denied for a denied job, Interrupted for a cancelled
// one, Failed for a failed one.
func (e *EndedError) Is(target error) bool { return target == e.kind() }

func (e *EndedError) kind() problem.Kind {
	switch e.State {
	case api.Denied:
		return problem.Denied
	case api.Cancelled:
		return problem.Interrupted
	}
	return problem.Failed
}

// Describe sets those fields of p that are empty: kind, place (the job), party (the node) and rule.
func (e *EndedError) Describe(p *problem.Problem) {
	p.SetKind(e.kind())
	problem.Set(&p.Place, "job "+e.ID)
	problem.Set(&p.Party, e.Node)
	problem.Set(&p.Rule, e.Rule)
}
