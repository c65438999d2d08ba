package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/profile"
)

type reportCmd struct {
	A    string        `arg:"" name:"A.json" help:"A report that run or plan wrote."`
	B    string        `arg:"" optional:"" name:"B.json" help:"A second one to compare with."`
	Sort profile.Order `enum:"bytes,rounds,offline,time" default:"bytes" placeholder:"KEY" help:"Sort operations by ${enum} (default ${default})."`
	Top  int           `default:"20" placeholder:"N" help:"Show the N most expensive operations, or largest differences (default ${default})."`
	JSON bool          `name:"json" help:"Print the report, or the comparison, as JSON."`
	outputs
}

// Help returns the text that --help appends.
func (*reportCmd) Help() string {
	return `Two reports may be of different programs: operations are matched by name and position, in order.

Examples:

    tacet report report.json
    tacet report report.json --sort time --top 5
    tacet report report.json --html report.html
    tacet report before.json after.json --sort rounds`
}

// Run shows or compares.
func (c *reportCmd) Run(a app) error {
	r, err := profile.Read(c.A)
	if err != nil {
		return badUsage{err}
	}
	if err := checkFolders(c.HTML, c.Pprof); err != nil {
		return err
	}
	if c.B == "" {
		if err := c.save(r); err != nil {
			return err
		}
		return c.show(a.stdout, r)
	}
	if c.HTML != "" || c.Pprof != "" {
		return badUsage{errors.New("--html and --pprof are made from one report, not from two")}
	}
	other, err := profile.Read(c.B)
	if err != nil {
		return badUsage{err}
	}
	both := profile.Compare(r, other, c.Sort)
	if c.JSON {
		return printJSON(a.stdout, both)
	}
	return both.Print(a.stdout, max(0, c.Top))
}

// show prints one report.
func (c *reportCmd) show(w io.Writer, r *profile.Report) error {
	if c.JSON {
		return printJSON(w, r)
	}
	if err := profile.Summary(w, r); err != nil {
		return err
	}
	if e := r.Expect; e != nil {
		verdict := "as expected"
		if !e.OK {
			verdict = "not as expected"
		}
		fmt.Fprintf(w, "%s: largest error %.3g\n", verdict, largest(e.MaxAbsError))
	}
	fmt.Fprintln(w)
	return profile.Ops(w, r, c.Sort, max(0, c.Top))
}
