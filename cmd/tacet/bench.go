package main

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/party"
)

type benchCmd struct {
	Calibrate bool `help:"Measure what this machine needs for each kind of work, and keep it for tacet plan."`
}

// Help is what --help adds.
func (*benchCmd) Help() string {
	return `Measure when the machine has nothing else to do. It takes some seconds.

Example:

    tacet bench --calibrate`
}

// Run measures.
func (c *benchCmd) Run(a app) error {
	if !c.Calibrate {
		return badUsage{errors.New("tables of operations are not built yet (use --calibrate to measure this machine)")}
	}
	m, err := party.Calibrate(a.ctx)
	if err != nil {
		return failed(a.ctx, err)
	}
	path, err := m.Save()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "machine: %s\n%vkept in %s\n", m.Name, m, path)
	return err
}
