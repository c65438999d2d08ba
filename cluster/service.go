package cluster

import (
	"bytes"
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

// NewRequest makes a request of the names of its inputs.
func NewRequest(inputs []api.Input) *api.Request {
	var id [16]byte
	rand.Read(id[:])
	return &api.Request{ID: hex.EncodeToString(id[:]), Inputs: inputs}
}

// Opened waits until a service takes requests at the nodes of all its parties.
// See is told now and then how far it is.
func Opened(ctx context.Context, clients map[string]*api.Client, parties []string, id string, see func([]api.Job)) error {
	for wait := refresh / 10; ; wait = min(2*wait, refresh) {
		jobs, err := each(clients, parties, func(c *api.Client) (api.Job, error) { return c.Job(ctx, id) })
		if err != nil {
			return err
		}
		see(jobs)
		if err := Ended(jobs); err != nil {
			return err
		}
		if !slices.ContainsFunc(jobs, func(j api.Job) bool { return j.Phase != api.Serves }) {
			return nil
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// Ask hands a request to the nodes of all parties of a service and waits until it
// has ended at all of them.
func Ask(ctx context.Context, clients map[string]*api.Client, parties []string, service string, r *api.Request) ([]api.Served, error) {
	all, err := each(clients, parties, func(c *api.Client) (api.Served, error) { return c.Request(ctx, service, r) })
	for wait := refresh / 10; err == nil; wait = min(2*wait, refresh) {
		if !slices.ContainsFunc(all, func(s api.Served) bool { return !s.State.Final() }) {
			return all, served(all)
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
		all, err = each(clients, parties, func(c *api.Client) (api.Served, error) { return c.Served(ctx, service, r.ID) })
	}
	return nil, err
}

// served is the error of a request that has failed: what all nodes say of it.
func served(all []api.Served) error {
	var errs []error
	for _, s := range all {
		if s.State != api.Done {
			errs = append(errs, fmt.Errorf("request %s failed at %s: %s", s.ID, s.Node, s.Error))
		}
	}
	return errors.Join(errs...)
}

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// FetchServed gets a finished request's results and report from a node.
func FetchServed(ctx context.Context, c *api.Client, s api.Served) ([]*tensor.Array, *profile.Report, error) {
	return fetch(c.Name(), s.Results,
		func(b *bytes.Buffer) error { return c.ServedReport(ctx, s.Service, s.ID, b) },
		func(b *bytes.Buffer) error { return c.ServedResults(ctx, s.Service, s.ID, b) })
}
