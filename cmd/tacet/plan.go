package main

import (
	"fmt"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

type planCmd struct {
	settings
	Network []string         `placeholder:"LINK" sep:"none" help:"A link to say times for: none, lan, wan, slow or BITS_PER_S/RTT such as 1e9/1ms; may be repeated. The first one is the declared one, for which choices are made. Without it: the job's, lan, wan and slow."`
	By      profile.Grouping `enum:"op,line,layer" default:"op" placeholder:"WHAT" help:"Show a row for each ${enum} (default ${default})."`
	Sort    profile.Order    `enum:"bytes,rounds,offline,time,program" default:"bytes" placeholder:"KEY" help:"Sort rows by ${enum} (default ${default}): the dearest first, or in the program's order."`
	Top     int              `default:"20" placeholder:"N" help:"Show N rows (default ${default})."`
}

// Help is what --help adds.
func (*planCmd) Help() string {
	return `The program runs without data, with the same protocol code: what is printed is what a run will send, byte for byte. Only public inputs are read; the owners' files need not be there where args says what they hold.

Times are for all parties on one machine, as in tacet run: yours, once tacet bench --calibrate has measured it.

Examples:

    tacet plan job.yaml
    tacet plan job.yaml --sort rounds
    tacet plan job.yaml --by layer --sort program
    tacet plan job.yaml --parties 5 --json
    tacet plan job.yaml --network wan --network 5e8/4ms`
}

// Run plans the job.
func (c *planCmd) Run(a app) error {
	declared, networks := "", []string{"lan", "wan", "slow"}
	if len(c.Network) > 0 {
		declared, networks = c.Network[0], c.Network[1:]
	}
	j, p, err := c.load(declared)
	if err != nil {
		return err
	}
	spec, err := j.PlanSpec(p)
	if err != nil {
		return badUsage{err}
	}
	for _, name := range networks {
		if _, err := link.ParseShape(name); err != nil {
			return badUsage{fmt.Errorf("--network: %w", err)}
		}
	}
	machine, err := timing.Load()
	if err != nil {
		return badUsage{err}
	}
	spec.Machine, spec.Networks = &machine, networks
	m := newMeter(a.stderr)
	spec.Progress = m.show
	r, err := party.Plan(a.ctx, spec)
	m.clear()
	if err != nil {
		return failed(a.ctx, err)
	}
	if err := c.writeReport(r); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(a.stdout, r)
	}
	if err := profile.Summary(a.stdout, r); err != nil {
		return err
	}
	if err := profile.Outlook(a.stdout, r); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	switch c.By {
	case profile.ByLine:
		return profile.PrintGroups(a.stdout, r.Plan.Lines, c.Sort, max(0, c.Top))
	case profile.ByLayer:
		return profile.PrintGroups(a.stdout, r.Plan.Layers, c.Sort, max(0, c.Top))
	}
	return profile.Ops(a.stdout, r, c.Sort, max(0, c.Top))
}
