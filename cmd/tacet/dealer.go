package main

import (
	"fmt"

	"github.com/tacet-mpc/tacet/dealer"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/party"
)

type dealerCmd struct {
	Config string `required:"" placeholder:"FILE" help:"The dealer's file: name, address, certificate, whom it serves, limits. See docs/nodes.md."`
}

// Help is what --help adds.
func (*dealerCmd) Help() string {
	return `A dealer makes correlated randomness for sessions of parties elsewhere, over TLS. It sees the shapes of what they compute, no program, no data and nothing opened; it must collude with no party. On interrupt it takes no more sessions, lets those end that are open (limits: drain), and stops.

Examples:

    tacet dealer --config dealer.yaml`
}

// Run serves until interrupted.
func (c *dealerCmd) Run(a app) error {
	config, err := dealer.ReadConfig(c.Config)
	if err != nil {
		return badUsage{err}
	}
	log, err := ops.Logger(a.stderr, config.Log)
	if err != nil {
		return badUsage{fmt.Errorf("%s: log: %w", c.Config, err)}
	}
	return dealer.Run(a.ctx, config, party.Version, log, func(address string) {
		fmt.Fprintf(a.stdout, "dealer %s serves at %s\n", config.Name, address)
	})
}
