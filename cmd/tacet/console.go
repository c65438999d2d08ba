package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/console"
	"github.com/tacet-mpc/tacet/job"
)

// consoleCmd serves the console.
type consoleCmd struct {
	clusterFlag
	Nodes []string `name:"nodes" placeholder:"NAME,…" help:"Show only these nodes of the cluster file."`
	Port  int      `placeholder:"N" help:"Port at 127.0.0.1 (default: any free one)."`
	Job   string   `arg:"" optional:"" name:"JOB.yaml" help:"A job file: the plan explorer shows what it costs under other settings, and failed runs of it can be resumed."`
}

// Help returns the text that --help appends.
func (*consoleCmd) Help() string {
	return `Serves a page on 127.0.0.1 over the nodes of the cluster file: approvals, jobs, results, audit log, services, health, and with JOB.yaml a plan explorer. Open the address that it prints. The address has a token, new at each start: whoever has it may do what this certificate may. The certificate and its key stay in this process, and the nodes get no new port. Without a cluster file, JOB.yaml alone is explored.

The page ends with the command: press Ctrl-C.

Examples:

    tacet console
    tacet console --cluster cluster.yaml --nodes hospital --port 8080
    tacet console job.yaml`
}

// Run serves until it is interrupted.
func (c *consoleCmd) Run(a app) error {
	config := console.Config{Port: c.Port, Job: c.Job, Log: slog.New(slog.NewTextHandler(a.stderr,
		&slog.HandlerOptions{Level: slog.LevelWarn}))}
	if c.Port < 0 || c.Port > 65535 {
		return badUsage{fmt.Errorf("--port: want a number from 0 to 65535, got %d", c.Port)}
	}
	if c.Job != "" {
		if _, err := job.Load(c.Job); err != nil {
			return badUsage{err}
		}
	}
	nodes, err := c.connect()
	if err != nil && (c.Job == "" || c.Cluster != "") {
		return err
	}
	if err == nil {
		if config.Nodes, err = nodes.Clients(c.Nodes...); err != nil {
			return badUsage{err}
		}
		if config.Self, err = nodes.Self(); err != nil {
			return badUsage{err}
		}
		if c.Job != "" {
			config.Resume = func(ctx context.Context, id string) (string, error) { return c.resume(ctx, nodes, id) }
		}
	}
	s, err := console.Listen(config)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.stdout,
		"the console is at\n\n    %s\n\nKeep the address to yourself: whoever has it may do what this certificate may. Ctrl-C ends it.\n", s.URL()); err != nil {
		return err
	}
	return s.Serve(a.ctx)
}

// resume submits the job file as a job that resumes another one, and returns the new job's id.
func (c *consoleCmd) resume(ctx context.Context, nodes *tacet.Cluster, id string) (string, error) {
	j, err := job.Load(c.Job)
	if err != nil {
		return "", err
	}
	out, err := nodes.Submit(ctx, j, tacet.SubmitOptions{Resume: id})
	if err != nil {
		return "", err
	}
	return out.ID, nil
}
