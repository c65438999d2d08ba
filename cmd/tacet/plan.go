package main

import (
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
)

type planCmd struct {
	settings
	Sort profile.Order `enum:"bytes,rounds,offline" default:"bytes" placeholder:"KEY" help:"Sort operations by ${enum} (default ${default})."`
	Top  int           `default:"20" placeholder:"N" help:"Show the N dearest operations (default ${default})."`
}

// Help is what --help adds.
func (*planCmd) Help() string {
	return `The program runs without data, with the same protocol code: what is printed is what a run will send, byte for byte. Only public inputs are read; the owners' files need not be there where args says what they hold.

Examples:

    tacet plan job.yaml
    tacet plan job.yaml --sort rounds
    tacet plan job.yaml --parties 5 --json
    tacet plan job.yaml --network 5e8/4ms`
}

// Run plans the job.
func (c *planCmd) Run(a app) error {
	j, p, err := c.load()
	if err != nil {
		return err
	}
	spec, err := j.PlanSpec(p)
	if err != nil {
		return badUsage{err}
	}
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
	onNetworks(a.stdout, r)
	fmt.Fprintln(a.stdout)
	return profile.Ops(a.stdout, r, c.Sort, max(0, c.Top))
}

// onNetworks prints how long the online messages take at least on networks:
// rounds × half the round trip + the busiest direction's bytes / bandwidth.
func onNetworks(w io.Writer, r *profile.Report) {
	var most int64
	for _, b := range r.Online.BytesSent {
		most = max(most, b)
	}
	if n := int64(len(r.Online.BytesSent)); n > 2 {
		most /= n - 1
	}
	names := []string{"lan", "wan", "slow"}
	if _, named := link.Shapes[r.Network]; !named {
		names = append(names, r.Network)
	}
	fmt.Fprint(w, "online messages take at least")
	for i, name := range names {
		shape, err := link.ParseShape(name)
		if err != nil {
			continue
		}
		sep := ","
		if i == 0 {
			sep = ""
		}
		fmt.Fprintf(w, "%s %.3g s on %s", sep, shape.Seconds(r.Online.Rounds, most), name)
	}
	fmt.Fprintln(w, " (rounds × half the round trip + bytes / bandwidth; computing comes on top)")
}
