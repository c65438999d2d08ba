package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/tacet-mpc/tacet/dealer"
	"github.com/tacet-mpc/tacet/version"
)

type dealerCmd struct {
	Config string `required:"" placeholder:"FILE" help:"The dealer's configuration: name, address, certificate, parties, limits. See docs/nodes.md."`
}

// Help returns the text that --help appends.
func (*dealerCmd) Help() string {
	return `A dealer generates correlated randomness for sessions of parties on other machines, over TLS. It sees the shapes of their computations, but no program, data or opened values; it must not collude with any party. On interrupt it refuses new sessions, waits for open ones (limits: drain), and stops. On SIGHUP it reads its certificates again.

Examples:

    tacet dealer --config dealer.yaml`
}

// Run serves until interrupted.
func (c *dealerCmd) Run(a app) error {
	config, err := dealer.ReadConfig(c.Config)
	if err != nil {
		return badUsage{err}
	}
	log, file, err := config.OpenLog(a.stderr)
	if err != nil {
		return badUsage{fmt.Errorf("%s: %w", c.Config, err)}
	}
	defer file.Close()
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)
	return dealer.Run(a.ctx, config, version.Release, log, reload, func(address string) {
		fmt.Fprintf(a.stdout, "dealer %s serves at %s\n", config.Name, address)
	})
}
