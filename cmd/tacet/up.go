package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tacet-mpc/tacet/cluster/local"
)

// upCmd starts a cluster on this machine.
type upCmd struct {
	Dir      string        `default:"cluster" placeholder:"DIR" help:"The cluster's folder, created if it does not exist (default ${default})."`
	Parties  []string      `sep:"," placeholder:"NAME" help:"The parties of a new cluster (default alice,bob)."`
	Protocol string        `placeholder:"NAME" help:"The protocol that a new cluster is for: its nodes allow no other, and it has a dealer only if the protocol needs one (default: all protocols, with a dealer)."`
	Data     string        `placeholder:"DIR" help:"The folder from which all nodes of a new cluster may read inputs (default: all files that you may read)."`
	Wait     time.Duration `default:"30s" placeholder:"TIME" help:"Maximum time until all daemons answer (default ${default})."`
}

// Help returns the text that --help appends.
func (*upCmd) Help() string {
	return `Creates a folder with a CA, certificates, addresses on 127.0.0.1 and configurations for a node of each party and a dealer (none for a protocol without one), starts the daemons, and waits until all of them answer. In an existing folder it starts only the daemons that do not run. tacet down stops them; the folder stays until you remove it.

This is for tests on one machine. The nodes' policy lets the admin, whose key lies in the folder, run any program on any file of the data folder; by default that is every file that you may read, so that jobs find their inputs wherever they lie.

Examples:

    tacet up
    tacet up --parties alice,bob,carol --data examples
    tacet submit examples/digits/job.yaml
    tacet down
    tacet up --protocol cheetah --dir pair
    tacet submit job.yaml --protocol cheetah --cluster pair/cluster.yaml`
}

// Run starts what does not run.
func (c *upCmd) Run(a app) error {
	program, err := self()
	if err != nil {
		return err
	}
	made, status, err := local.Up(a.ctx, local.Options{
		Dir: c.Dir, Parties: c.Parties, Data: c.Data, Protocol: c.Protocol, Program: program, Wait: c.Wait,
	})
	if errors.As(err, new(*local.RefusedError)) {
		return badUsage{err}
	}
	if err != nil {
		return failed(a.ctx, err)
	}
	what := "is running again"
	switch now := started(status); {
	case made:
		what = "is created and running"
	case now == 0:
		what = "is already running"
	case now < len(status):
		what = "was partly running and is now complete"
	}
	fmt.Fprintf(a.stdout, "the cluster in %s %s\n", c.Dir, what)
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, s := range status {
		fmt.Fprintf(t, "  %s\t%s\tpid %d\tlog %s\n", s.Name, s.Address, s.PID, s.Log)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return c.next(a, made)
}

// next prints hints about what to do next.
func (c *upCmd) next(a app, made bool) error {
	file := filepath.Join(c.Dir, "cluster.yaml")
	var lines []string
	if made {
		data := "any file that you may read"
		if c.Data != "" {
			data = "any file in " + c.Data
		}
		lines = append(lines, fmt.Sprintf("for tests on this machine only: the holder of %s may run any program on %s (policy.yaml of each node)", filepath.Join(c.Dir, "admin.key"), data))
	}
	submit := "next: tacet submit JOB.yaml"
	if c.Protocol != "" {
		submit += " --protocol " + c.Protocol
	}
	lines = append(lines,
		submit+" --cluster "+file,
		"      tacet jobs --cluster "+file,
		"      tacet down --dir "+c.Dir)
	_, err := fmt.Fprintln(a.stdout, strings.Join(lines, "\n"))
	return err
}

// self returns the path of this program.
func self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cannot determine the path of this program: %w", err)
	}
	return path, nil
}

func started(status []local.Status) int {
	n := 0
	for _, s := range status {
		if s.Started {
			n++
		}
	}
	return n
}

// downCmd stops a cluster on this machine.
type downCmd struct {
	Dir   string        `default:"cluster" placeholder:"DIR" help:"The cluster's folder (default ${default})."`
	Limit time.Duration `default:"40s" placeholder:"TIME" help:"Maximum time for each daemon to end before it is killed (default ${default})."`
}

// Help returns the text that --help appends.
func (*downCmd) Help() string {
	return `The nodes refuse new jobs and wait for running ones, for at most limits: drain of node.yaml; the dealer ends after them. The folder stays, and tacet up starts the cluster again.

Examples:

    tacet down
    tacet down --dir cluster --limit 5s`
}

// Run stops what runs.
func (c *downCmd) Run(a app) error {
	stopped, err := local.Down(c.Dir, c.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		return badUsage{err}
	}
	var ended, killed []string
	for _, s := range stopped {
		switch {
		case s.Killed:
			killed = append(killed, s.Name)
		case s.Ran:
			ended = append(ended, s.Name)
		}
	}
	if len(ended) > 0 {
		fmt.Fprintf(a.stdout, "stopped: %s\n", strings.Join(ended, ", "))
	}
	if len(killed) > 0 {
		fmt.Fprintf(a.stdout, "did not end within %v and were killed: %s\n", c.Limit, strings.Join(killed, ", "))
	}
	if err == nil && len(ended)+len(killed) == 0 {
		_, err = fmt.Fprintf(a.stdout, "no daemon of the cluster in %s was running\n", c.Dir)
	}
	return err
}
