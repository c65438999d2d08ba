package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/cluster/launch"
)

// launchCmd runs a cluster on several machines.
type launchCmd struct {
	Hosts string        `required:"" placeholder:"FILE" help:"The hosts file: the machines of the dealer and of each party's node."`
	Wait  time.Duration `default:"1m" placeholder:"TIME" help:"Maximum time until all daemons answer (default ${default})."`
	Limit time.Duration `default:"40s" placeholder:"TIME" help:"Maximum time for each daemon to end (default ${default})."`
}

// Help returns the text that --help appends.
func (*launchCmd) Help() string {
	return `Copies this program, certificates and configurations to the hosts, starts a node or the dealer on each, and shows their output until it is interrupted; then it stops all of them. It uses your ssh, with its configuration, keys and agent. For experiments on machines of one owner: see docs/nodes.md.

Examples:

    tacet launch --hosts hosts.yaml
    tacet submit job.yaml --cluster launch/cluster.yaml`
}

// Run launches the cluster and waits for an interrupt.
func (c *launchCmd) Run(a app) error {
	config, err := launch.Read(c.Hosts)
	if err != nil {
		return badUsage{err}
	}
	program, err := self()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "copying the program, certificates and configurations for %s\n", count(config.Size(), "daemon"))
	err = config.Run(a.ctx, launch.Options{
		Program: program, Wait: c.Wait, Stop: c.Limit, Out: a.stdout,
		Copied: func() { fmt.Fprintln(a.stderr, "copied to all hosts; starting") },
		Ready: func() {
			fmt.Fprintf(a.stderr, "all daemons answer; next: tacet submit JOB.yaml --cluster %s; interrupt to stop\n", filepath.Join(config.Dir, kit.ClusterFile))
		},
	})
	if errors.Is(err, launch.ErrNotStarted) {
		return fmt.Errorf("interrupted: %w", err)
	}
	return err
}
