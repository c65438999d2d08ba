package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// NewRequest returns a request to a service for its program of that name ("" for the first one), with a random id of 128
// bits and these inputs.
func NewRequest(program string, inputs []api.Input) *api.Request {
	var id [16]byte
	rand.Read(id[:])
	return &api.Request{ID: hex.EncodeToString(id[:]), Program: program, Inputs: inputs}
}

// WaitOpen polls the nodes of all parties of a service until it accepts requests at all of them. After each poll
// it calls see with the states. It returns an *EndedError if the service has ended, the error of a node that
// does not answer, or the cause if ctx ends.
func WaitOpen(ctx context.Context, clients map[string]*api.Client, parties []string, id string, see func([]api.Job)) error {
	for wait := pollInterval / 10; ; wait = min(2*wait, pollInterval) {
		jobs, err := askAll(clients, parties, func(c *api.Client) (api.Job, error) { return c.Job(ctx, id) })
		if err != nil {
			return err
		}
		see(jobs)
		if err := EndError(jobs); err != nil {
			return err
		}
		if !slices.ContainsFunc(jobs, func(j api.Job) bool { return j.Phase != api.PhaseServing }) {
			return nil
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// SendRequest sends request r to the nodes of all parties of the service with this job id, and waits until the
// request has ended at all of them. It returns the request's status at each node, in the order of parties, and
// an error with the reasons of all nodes at which the request failed. If ctx ends, it returns the cause; the
// nodes continue the request.
func SendRequest(
	ctx context.Context,
	clients map[string]*api.Client,
	parties []string,
	service string,
	r *api.Request,
) ([]api.RequestStatus, error) {
	all, err := askAll(clients, parties, func(c *api.Client) (api.RequestStatus, error) { return c.Request(ctx, service, r) })
	for wait := pollInterval / 10; err == nil; wait = min(2*wait, pollInterval) {
		if !slices.ContainsFunc(all, func(s api.RequestStatus) bool { return !s.State.Final() }) {
			return all, requestError(all)
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
		all, err = askAll(clients, parties, func(c *api.Client) (api.RequestStatus, error) { return c.RequestStatus(ctx, service, r.ID) })
	}
	return nil, err
}

// requestError returns the error of a request that has failed, with the reasons of all nodes; nil
// otherwise.
func requestError(all []api.RequestStatus) error {
	var errs []error
	for _, s := range all {
		if s.State != api.Done {
			errs = append(errs, fmt.Errorf("request %s failed at %s: %s", s.ID, s.Node, s.Error))
		}
	}
	return errors.Join(errs...)
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// FetchRequest fetches the results and the report of a finished request of a service, as Fetch does for a job. s
// is the request's status at the node of client c.
func FetchRequest(ctx context.Context, c *api.Client, s api.RequestStatus) ([]*tensor.Array, *profile.Report, error) {
	j, err := c.Job(ctx, s.Service)
	if err != nil {
		return nil, nil, err
	}
	return fetch(c.Name(), s.Program, s.Results, j.Reveals,
		func(b *bounded) error { return c.RequestReport(ctx, s.Service, s.ID, b) },
		func(b *bounded) error { return c.RequestResults(ctx, s.Service, s.ID, b) })
}
