package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/hlo"
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
	Resume  string `placeholder:"ID" help:"Resume this failed or cancelled job from the newest checkpoint that all nodes have; the beginning of its id is enough."`
	Network string `placeholder:"LINK" help:"The network between the nodes, on which choices depend: none, lan, wan, slow or BITS_PER_S/RTT."`
	Detach  bool   `help:"Return as soon as all nodes have the job, and print its id."`
	Out     string `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, …."`
	Expect  string `placeholder:"FILE.npz" help:"Compare results with arrays out0, out1, … of this file."`
	Report  string `placeholder:"FILE.json" help:"Write the report to this file."`
	outputs
	JSON bool `name:"json" help:"Print the report, or with --detach the job, as JSON."`
}

// Help returns the text that --help appends.
func (*submitCmd) Help() string {
	return `The nodes of all parties get the program, the settings and the public inputs, but no owner's data: each node looks its inputs up by name in its own folders. Each node runs what its owner's policy allows, some jobs after approval (tacet approve). Without --detach this command waits and fetches the results from a party that learns them and whose policy allows it (fetch). After an interrupt the job continues at the nodes.

Examples:

    tacet submit job.yaml
    tacet submit job.yaml --cluster cluster.yaml --out results
    tacet submit job.yaml --detach
    tacet jobs
    tacet submit job.yaml --checkpoint 50
    tacet submit job.yaml --checkpoint 50 --resume 3f9a`
}

// Run submits the job.
func (c *submitCmd) Run(a app) error {
	j, p, err := c.readAny(a.ctx, job.Override{Network: c.Network, Out: c.Out, Expect: c.Expect})
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
	resume, err := c.resumed(a, j)
	if err != nil {
		return err
	}
	nodes, err := c.connect()
	if err != nil {
		return err
	}
	s, err := nodes.Submit(a.ctx, j, tacet.SubmitOptions{Program: p, Resume: resume})
	if err != nil {
		return usageAs(err)
	}
	if c.Detach {
		if c.JSON {
			return encode(a.stdout, s.Jobs)
		}
		_, err := fmt.Fprintln(a.stdout, s.ID)
		return err
	}
	m := a.meter()
	say := notices(a, m)
	jobs, err := s.Wait(a.ctx, func(jobs []api.Job) {
		m.show(progressOf(jobs))
		if from := jobs[0].ResumedFrom; from != "" {
			say(fmt.Sprintf("resumes from %s", from))
		}
		for _, j := range jobs {
			if j.CheckpointError != "" {
				say(fmt.Sprintf("warning: checkpoint not written by %s: %s", j.Node, j.CheckpointError))
			}
		}
	})
	m.clear()
	if a.ctx.Err() != nil {
		return fmt.Errorf("interrupted: job %s continues (tacet jobs shows it, tacet cancel ends it)", s.ID)
	}
	if err != nil {
		return c.howToResume(jobs, err)
	}
	results, report, err := s.Fetch(a.ctx)
	if err != nil {
		return err
	}
	if report == nil && len(s.Learn) == 0 {
		kept := ""
		if s.Keep != "" {
			kept = fmt.Sprintf(", which the nodes keep as %s", s.Keep)
		}
		_, err := fmt.Fprintf(a.stdout, "job %s is done; no party learns its results%s\n", s.ID, kept)
		return err
	}
	if report == nil {
		_, err := fmt.Fprintf(a.stdout, "job %s is done; its results lie at %s, who let others fetch them (policy: fetch)\n", s.ID, strings.Join(s.Learn, ", "))
		return err
	}
	if j.Task != nil {
		return c.deliverAnswer(a, j, results, report)
	}
	return c.deliver(a, j, results, report, want)
}

// readAny reads a job and its program, which is that of the task if the job has one.
func (c *submitCmd) readAny(ctx context.Context, o job.Override) (*job.Job, *hlo.Program, error) {
	j, err := c.readJob(o)
	if err != nil {
		return nil, nil, err
	}
	if j.Task == nil {
		p, err := jobProgram(ctx, j)
		return j, p, err
	}
	if c.Resume != "" || c.Expect != "" || c.Checkpoint != nil {
		return nil, nil, badUsage{errors.New("a job with a task takes none of --resume, --expect, --checkpoint")}
	}
	_, spec, err := j.NodeTask(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, nil, failed(ctx, err)
	case err != nil:
		return nil, nil, badUsage{err}
	}
	return j, spec.Program, nil
}

// deliverAnswer writes and prints the answer of a job with a task.
func (c *submitCmd) deliverAnswer(a app, j *job.Job, results []*tensor.Array, report *profile.Report) error {
	fit, _, err := j.NodeTask(a.ctx)
	if err != nil {
		return err
	}
	answer, err := j.Answer(fit.Work, results)
	if err != nil {
		return err
	}
	warn(a, answer)
	run := runCmd{settings: settings{jobFlags: c.jobFlags, Report: c.Report, outputs: c.outputs, JSON: c.JSON}}
	return run.deliverAnswer(a, j, nil, fit.Work, answer, report)
}

// deliver writes and prints the results of a job.
func (c *submitCmd) deliver(a app, j *job.Job, results []*tensor.Array, report *profile.Report, want []*tensor.Array) error {
	run := runCmd{settings: settings{jobFlags: c.jobFlags, Out: c.Out, Expect: c.Expect, Report: c.Report, outputs: c.outputs, JSON: c.JSON}}
	return run.deliver(a, j, nil, &party.Outcome{Results: results, Report: report}, want)
}

// usageAs makes an error of kind usage, or unsupported, wrong usage.
func usageAs(err error) error {
	if errors.Is(err, tacet.ErrUsage) || errors.Is(err, tacet.ErrUnsupported) {
		return badUsage{err}
	}
	return err
}

// progressOf returns the progress of a job: at a node that waits for approval, or else at the leader.
func progressOf(jobs []api.Job) party.Progress {
	for _, j := range jobs {
		if j.State == api.Pending {
			return party.Progress{Phase: fmt.Sprintf("waiting for approval at %s", j.Node)}
		}
	}
	lead := jobs[0]
	if lead.State == api.Queued {
		return party.Progress{Phase: "queued: " + lead.Phase}
	}
	return party.Progress{Phase: lead.Phase, Done: lead.Step, All: lead.Steps}
}
