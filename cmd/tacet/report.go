package main

import (
	"fmt"

	"github.com/tacet-mpc/tacet/profile"
)

type reportCmd struct {
	A    string        `arg:"" name:"A.json" help:"A report that run or plan wrote."`
	B    string        `arg:"" optional:"" name:"B.json" help:"A second one to compare with."`
	Sort profile.Order `enum:"bytes,rounds,offline,time" default:"bytes" placeholder:"KEY" help:"Sort operations by ${enum} (default ${default})."`
	Top  int           `default:"20" placeholder:"N" help:"Show the N dearest operations, or largest differences (default ${default})."`
}

// Help is what --help adds.
func (*reportCmd) Help() string {
	return `Examples:

    tacet report report.json
    tacet report report.json --sort time --top 5
    tacet report before.json after.json`
}

// Run shows or compares.
func (c *reportCmd) Run(a app) error {
	r, err := profile.Read(c.A)
	if err != nil {
		return badUsage{err}
	}
	if c.B != "" {
		other, err := profile.Read(c.B)
		if err != nil {
			return badUsage{err}
		}
		return profile.Compare(a.stdout, r, other, c.Sort, max(0, c.Top))
	}
	if err := profile.Summary(a.stdout, r); err != nil {
		return err
	}
	if e := r.Expect; e != nil {
		verdict := "as expected"
		if !e.OK {
			verdict = "not as expected"
		}
		fmt.Fprintf(a.stdout, "%s: largest error %.3g\n", verdict, largest(e.MaxAbsError))
	}
	fmt.Fprintln(a.stdout)
	return profile.Ops(a.stdout, r, c.Sort, max(0, c.Top))
}
