package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/tacet-mpc/tacet/node"
)

type nodeCmd struct {
	Config string `required:"" placeholder:"FILE" help:"The node's configuration: name, addresses, certificate, data folders, policy, limits. See docs/nodes.md."`
}

// Help returns the text that --help appends.
func (*nodeCmd) Help() string {
	return `A node is the daemon of one party. It accepts the jobs that its owner's policy allows, and runs the party's side of them with the nodes of the other parties, over TLS. On interrupt it refuses new jobs, waits for running ones (limits: drain), and stops. On SIGHUP it reads its policy file and its certificates again; running jobs continue.

Examples:

    tacet node --config alice/node.yaml
    kill -HUP $(pidof tacet)               # the policy has changed`
}

// Run serves until interrupted.
func (c *nodeCmd) Run(a app) error {
	config, err := node.ReadConfig(c.Config)
	if err != nil {
		return badUsage{err}
	}
	log, file, err := config.OpenLog(a.stderr)
	if err != nil {
		return badUsage{fmt.Errorf("%s: %w", c.Config, err)}
	}
	defer file.Close()
	limitHeap(config.Limits.Memory)
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)
	return node.Run(a.ctx, config, log, reload, func(address string) {
		fmt.Fprintf(a.stdout, "node of %s serves at %s\n", config.Name, address)
	})
}
