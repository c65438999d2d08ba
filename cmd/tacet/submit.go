package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

type submitCmd struct {
	jobFlags
	clusterFlag
	checkpointFlag
	Resume  string `placeholder:"ID" help:"Go on from the newest checkpoint that all nodes have of this job (the beginning of its id is enough), which has failed or was cancelled."`
	Network string `placeholder:"LINK" help:"The network between the nodes, for which choices are made: none, lan, wan, slow or BITS_PER_S/RTT."`
	Detach  bool   `help:"Return as soon as all nodes have the job, and print its id."`
	Out     string `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, …."`
	Expect  string `placeholder:"FILE.npz" help:"Compare results with arrays out0, out1, … of this file."`
	Report  string `placeholder:"FILE.json" help:"Write the report to this file."`
	outputs
	JSON bool `name:"json" help:"Print the report, or with --detach the job, as JSON."`
}

// Help is what --help adds.
func (*submitCmd) Help() string {
	return `The nodes of all parties get the program, the settings and public inputs; never an owner's data, which each node finds by its name in its own folders. Each node runs what its owner's policy allows, or asks its owner first (tacet approve). Without --detach this waits, and fetches the results from a party that learns them and lets this certificate have them. Interrupted, it leaves the job to the nodes.

Examples:

    tacet submit job.yaml
    tacet submit job.yaml --cluster cluster.yaml --out results
    tacet submit job.yaml --detach
    tacet jobs
    tacet submit job.yaml --checkpoint 50
    tacet submit job.yaml --checkpoint 50 --resume 3f9a`
}

// patience is how long nodes may give no answer while a job is followed.
const patience = 30 * time.Second

// Run submits the job.
func (c *submitCmd) Run(a app) error {
	j, p, err := c.read(job.Override{Network: c.Network, Out: c.Out, Expect: c.Expect})
	if err != nil {
		return err
	}
	if err := checkFolders(c.Report, c.Pprof, c.HTML); err != nil {
		return err
	}
	want, err := j.Expected(p)
	if err != nil {
		return badUsage{err}
	}
	if err := c.apply(j); err != nil {
		return err
	}
	s, err := cluster.NewSubmission(j, p)
	if err != nil {
		return badUsage{err}
	}
	if s.Resume, err = c.resumed(a, j); err != nil {
		return err
	}
	clients, err := c.clients(s.Parties...)
	if err != nil {
		return err
	}
	jobs, err := cluster.Submit(a.ctx, clients, s)
	if err != nil {
		return refusedAs(err)
	}
	if c.Detach {
		if c.JSON {
			return encode(a.stdout, jobs)
		}
		_, err := fmt.Fprintln(a.stdout, s.ID)
		return err
	}
	m := newMeter(a.stderr)
	say := notices(a, m)
	jobs, err = cluster.Follow(a.ctx, clients, s.Parties, s.ID, patience, func(jobs []api.Job) {
		m.show(progressOf(jobs))
		if from := jobs[0].From; from != "" {
			say(fmt.Sprintf("goes on from %s", from))
		}
		for _, j := range jobs {
			if j.NotAside != "" {
				say(fmt.Sprintf("warning: %s has not set aside %s", j.Node, j.NotAside))
			}
		}
	})
	m.clear()
	if a.ctx.Err() != nil {
		return fmt.Errorf("interrupted: job %s goes on (tacet jobs shows it, tacet cancel ends it)", s.ID)
	}
	if err != nil {
		return c.howToResume(jobs, err)
	}
	results, report, err := fetchAny(a.ctx, clients, s)
	if err != nil {
		return err
	}
	if report == nil && len(s.Reveal) == 0 {
		kept := ""
		if s.Keep != "" {
			kept = fmt.Sprintf(", which the nodes keep as %s", s.Keep)
		}
		_, err := fmt.Fprintf(a.stdout, "job %s is done; nobody learns its results%s\n", s.ID, kept)
		return err
	}
	if report == nil {
		_, err := fmt.Fprintf(a.stdout, "job %s is done; its results lie at %s, who let others fetch them (policy: fetch)\n", s.ID, strings.Join(learners(s), ", "))
		return err
	}
	return c.deliver(a, j, results, report, want)
}

// deliver writes and prints what a job gave.
func (c *submitCmd) deliver(a app, j *job.Job, results []*tensor.Array, report *profile.Report, want []*tensor.Array) error {
	run := runCmd{settings: settings{jobFlags: c.jobFlags, Out: c.Out, Expect: c.Expect, Report: c.Report, outputs: c.outputs, JSON: c.JSON}}
	return run.deliver(a, j, nil, &party.Outcome{Results: results, Report: report}, want)
}

// learners are the parties that learn a job's results.
func learners(s *api.Submission) []string {
	var out []string
	for _, rank := range s.Reveal {
		out = append(out, s.Parties[rank])
	}
	return out
}

// fetchAny gets results and report from the first party that learns and gives
// them; none if no party gives them to this certificate.
func fetchAny(ctx context.Context, clients map[string]*api.Client, s *api.Submission) ([]*tensor.Array, *profile.Report, error) {
	for _, name := range learners(s) {
		results, report, err := cluster.Fetch(ctx, clients[name], s.ID)
		var refused *api.Refused
		if errors.As(err, &refused) && refused.Status == http.StatusForbidden {
			continue
		}
		return results, report, err
	}
	return nil, nil, nil
}

// refusedAs makes a wrong request wrong usage.
func refusedAs(err error) error {
	var refused *api.Refused
	if errors.As(err, &refused) && refused.Status == http.StatusBadRequest {
		return badUsage{err}
	}
	return err
}

// progressOf is how far the slowest of the nodes is.
func progressOf(jobs []api.Job) party.Progress {
	for _, j := range jobs {
		if j.State == api.Pending {
			return party.Progress{Phase: fmt.Sprintf("waits for approval at %s", j.Node)}
		}
	}
	lead := jobs[0]
	if lead.State == api.Queued {
		return party.Progress{Phase: "queued: " + lead.Phase}
	}
	return party.Progress{Phase: lead.Phase, Done: lead.Step, All: lead.Steps}
}
