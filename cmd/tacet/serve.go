package main

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

type serveCmd struct {
	jobFlags
	clusterFlag
	Batch   int    `default:"4" placeholder:"N" help:"How many requests to answer at once, at most: fewer where a node's memory, or its limits: batch, are not enough."`
	Network string `placeholder:"LINK" help:"The network between the nodes, for which choices are made: none, lan, wan, slow or BITS_PER_S/RTT."`
}

// Help is what --help adds.
func (*serveCmd) Help() string {
	return `Opens a service of the job and prints its id. Inputs that are resident: true in the job file (a model's weights) are masked and sent once; tacet request then brings the others, as often as wanted. The nodes judge a service as they judge a job, and count its opening and each request as runs. It ends with tacet cancel, or when a party is lost.

Requests that wait are answered at once, up to --batch: their rounds overlap, so that over slow lines several take hardly longer than one. Each has its own results, report and end. A request that comes alone waits for no others.

Examples:

    tacet serve job.yaml
    tacet serve job.yaml --batch 8
    tacet request 3f9a --input alice:image.npz --out results
    tacet cancel 3f9a`
}

// Run opens a service.
func (c *serveCmd) Run(a app) error {
	if c.Batch < 1 {
		return badUsage{fmt.Errorf("--batch: want 1 request at once or more, got %d", c.Batch)}
	}
	j, p, err := c.read(job.Override{Network: c.Network})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(j.Inputs, func(in job.Input) bool { return in.Resident || in.Kept != "" }) {
		return badUsage{fmt.Errorf("%s: no input is resident: say of those that stay for all requests resident: true", j.File)}
	}
	s, err := cluster.NewSubmission(j, p)
	if err != nil {
		return badUsage{err}
	}
	s.Serve, s.Batch = true, c.Batch
	clients, err := c.clients(s.Parties...)
	if err != nil {
		return err
	}
	if _, err := cluster.Submit(a.ctx, clients, s); err != nil {
		return refusedAs(err)
	}
	m := newMeter(a.stderr)
	err = cluster.Opened(a.ctx, clients, s.Parties, s.ID, func(jobs []api.Job) { m.show(progressOf(jobs)) })
	m.clear()
	if a.ctx.Err() != nil {
		return fmt.Errorf("interrupted: service %s goes on (tacet jobs shows it, tacet cancel ends it)", s.ID)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, s.ID)
	return err
}

type requestCmd struct {
	clusterFlag
	ID     string   `arg:"" name:"ID" help:"The service, or the beginning of its id."`
	Input  []string `placeholder:"OWNER:FILE" sep:"none" help:"A file of an owner's, or a name in its catalogue, in place of what the service's job names for what is not resident; of several of an owner in their order."`
	Out    string   `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, … instead of printing their first values."`
	Report string   `placeholder:"FILE.json" help:"Write the report to this file."`
}

// Help is what --help adds.
func (*requestCmd) Help() string {
	return `Only whoever opened a service may ask it. A request names files, which each owner's node finds in its own folders, never data. Requests are answered in the order in which they come to the first party's node, several at once where they have to wait (tacet serve --batch). One that is no good at some party fails before anything of it is shared, and the service goes on.

Examples:

    tacet request 3f9a
    tacet request 3f9a --input alice:image.npz --out results`
}

// Run asks.
func (c *requestCmd) Run(a app) error {
	if err := checkFolders(c.Report); err != nil {
		return err
	}
	inputs, err := c.inputs()
	if err != nil {
		return err
	}
	jobs, err := c.find(a, c.ID, nil)
	if err != nil {
		return err
	}
	j := jobs[0]
	if !j.Serve {
		return badUsage{fmt.Errorf("job %s is no service", j.ID)}
	}
	clients, err := c.clients(j.Parties...)
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if !slices.Contains(j.Parties, in.Owner) {
			return badUsage{fmt.Errorf("--input: %q is no party of service %s (parties: %s)", in.Owner, j.ID, strings.Join(j.Parties, ", "))}
		}
	}
	all, err := cluster.Ask(a.ctx, clients, j.Parties, j.ID, cluster.NewRequest(inputs))
	if err != nil {
		return refusedAs(err)
	}
	for i, s := range all {
		if s.Results == 0 {
			continue
		}
		results, report, err := cluster.FetchServed(a.ctx, clients[j.Parties[i]], s)
		var refused *api.Refused
		if errors.As(err, &refused) && refused.Status == http.StatusForbidden {
			continue
		}
		if err != nil {
			return err
		}
		return c.deliver(a, results, report)
	}
	_, err = fmt.Fprintf(a.stdout, "request %s is done; its results lie with those who learn them\n", all[0].ID)
	return err
}

// deliver writes and prints what a request gave.
func (c *requestCmd) deliver(a app, results []*tensor.Array, report *profile.Report) error {
	if c.Report != "" {
		if err := profile.Write(c.Report, report); err != nil {
			return err
		}
	}
	if c.Out != "" {
		if err := job.WriteResults(c.Out, results); err != nil {
			return err
		}
	}
	return printResults(a.stdout, c.Out, results)
}

// inputs are what --input names.
func (c *requestCmd) inputs() ([]api.Input, error) {
	var out []api.Input
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	for _, s := range c.Input {
		owner, file, ok := strings.Cut(s, ":")
		if !ok || owner == "" || file == "" {
			return nil, badUsage{fmt.Errorf("--input: want OWNER:FILE, got %q", s)}
		}
		out = append(out, api.Input{Owner: owner, Name: file, Folder: here})
	}
	return out, nil
}
