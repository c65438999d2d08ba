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
)

// each asks several nodes at once; the answers come in the order of names.
func each[A any](clients map[string]*api.Client, names []string, ask func(*api.Client) (A, error)) ([]A, error) {
	answers, errs := make([]A, len(names)), make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { answers[i], errs[i] = ask(clients[name]) })
	}
	all.Wait()
	return answers, errors.Join(errs...)
}

// Submit hands a submission to the nodes of all its parties. Where one refuses
// it, the others are told that it is off.
func Submit(ctx context.Context, clients map[string]*api.Client, s *api.Submission) ([]api.Job, error) {
	jobs, err := each(clients, s.Parties, func(c *api.Client) (api.Job, error) { return c.Submit(ctx, s) })
	if err != nil {
		Cancel(context.WithoutCancel(ctx), clients, s.Parties, s.ID) // those that have it; the error is what counts
		return nil, err
	}
	return jobs, Ended(jobs)
}

// Cancel ends a job at the nodes of some parties; where it has ended, it stays
// as it is. The error is about those that did not do it.
func Cancel(ctx context.Context, clients map[string]*api.Client, parties []string, id string) error {
	_, err := each(clients, parties, func(c *api.Client) (api.Job, error) {
		j, err := c.Cancel(ctx, id)
		if refused := (&api.Refused{}); errors.As(err, &refused) && refused.Status == http.StatusConflict {
			err = nil // it has ended
		}
		return j, err
	})
	return err
}

// refresh is how often nodes are asked how far a job is.
const refresh = 100 * time.Millisecond

// Follow waits until a job has ended at all nodes of its parties, or has failed at
// all that answer: then it gives what those say. See is told now and then how far it
// is. A node that gives no answer for as long as patience ends the wait.
func Follow(ctx context.Context, clients map[string]*api.Client, parties []string, id string, patience time.Duration, see func([]api.Job)) ([]api.Job, error) {
	answered := time.Now()
	for wait := refresh / 10; ; wait = min(2*wait, refresh) {
		jobs, err := each(clients, parties, func(c *api.Client) (api.Job, error) { return c.Job(ctx, id) })
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			answered = time.Now()
			see(jobs)
			if !slices.ContainsFunc(jobs, running) {
				return jobs, Ended(jobs)
			}
		case errors.As(err, new(*api.Refused)):
			return nil, err
		default:
			jobs = slices.DeleteFunc(jobs, func(j api.Job) bool { return j.ID == "" }) // of those that do not answer
			if why := Ended(jobs); why != nil && !slices.ContainsFunc(jobs, running) {
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

// running reports whether a job has not ended.
func running(j api.Job) bool { return !j.State.Final() }

// Ended is the error of a job that has ended otherwise than done: of what
// nodes say about it, those that say why by themselves come first.
func Ended(jobs []api.Job) error {
	var reasons []string
	for _, s := range []api.State{api.Denied, api.Cancelled, api.Failed} {
		for _, j := range jobs {
			if j.State == s {
				reasons = append(reasons, fmt.Sprintf("%s at %s: %s", s, j.Node, j.Error))
			}
		}
		if reasons != nil && s != api.Failed {
			break // the others failed because of that
		}
	}
	if reasons == nil {
		return nil
	}
	return &EndedError{ID: jobs[0].ID, Reasons: reasons}
}

// EndedError says that a job has not been done.
type EndedError struct {
	ID      string
	Reasons []string // of the nodes
}

func (e *EndedError) Error() string {
	return fmt.Sprintf("job %s: %s", e.ID, strings.Join(e.Reasons, "; "))
}
