package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/check"
)

// maxNotes is the maximum number of lines that --check prints of a kind, and --ranges.
const maxNotes = 50

// check runs a job in clear and in simulated fixed point, and prints what --check and --ranges ask
// for.
func (c *runCmd) check(a app, j *job.Job, spec party.Spec) error {
	if !c.Check && !c.Ranges {
		return nil
	}
	bound := tolerance(j)
	r, err := tacet.Check(a.ctx, spec, bound)
	if err != nil {
		return err
	}
	if c.Check {
		printCheck(a, r, bound)
	}
	if c.Ranges {
		return printRanges(a, r, spec)
	}
	return nil
}

// tolerance returns the tolerance of a job's numbers.
func tolerance(j *job.Job) check.Bound {
	if j.Expect != nil {
		return check.Bound{Atol: j.Expect.Atol, Rtol: j.Expect.Rtol}
	}
	return check.Bound{Atol: job.DefaultAtol, Rtol: job.DefaultRtol}
}

// printCheck prints, once each and in the program's order, what goes wrong.
func printCheck(a app, r *check.Result, bound check.Bound) {
	if a.events != nil {
		checkEvents(a.events, r)
		return
	}
	var lines []string
	for _, n := range r.Warnings {
		times := ""
		if n.Times > 1 {
			times = fmt.Sprintf(" (%d times)", n.Times)
		}
		lines = append(lines, n.Where+": "+n.What+times)
	}
	slices.SortFunc(lines, natural)
	for _, o := range r.Divergences {
		iteration := ""
		if o.Iteration > 0 {
			iteration = fmt.Sprintf(" in iteration %d", o.Iteration+1)
		}
		lines = append(lines, fmt.Sprintf("%v: %s: here fixed point is first off by more than %g + %g·|x|: %d of %d results%s, the worst at index %d, %.6g for %.6g",
			o.Op.Pos, o.Op.Title(), bound.Atol, bound.Rtol, o.Elements, o.Of, iteration, o.Index, o.Got, o.Want))
	}
	for _, line := range lines[:min(len(lines), maxNotes)] {
		fmt.Fprintf(a.stderr, "tacet: check: %s\n", line)
	}
	if more := len(lines) - maxNotes; more > 0 {
		fmt.Fprintf(a.stderr, "tacet: check: and %d more\n", more)
	}
	if r.Propagated > 0 {
		fmt.Fprintf(a.stderr, "tacet: check: %d operations are off because their operands are\n", r.Propagated)
	}
	if len(lines) == 0 {
		fmt.Fprintln(a.stderr, "tacet: check: nothing to report")
	}
}

// checkEvents writes what goes wrong as events.
func checkEvents(w *eventWriter, r *check.Result) {
	for _, n := range r.Warnings {
		w.write(event{Event: "check", Kind: "range", Place: n.Where, Message: n.What, Done: n.Times})
	}
	for _, o := range r.Divergences {
		w.write(event{
			Event: "check", Kind: "error", Place: fmt.Sprint(o.Op.Pos), Operation: o.Op.Title(), Iteration: o.Iteration,
			Done: o.Elements, All: o.Of, Index: &o.Index, Got: o.Got, Want: o.Want,
			Message: fmt.Sprintf("%d of %d results are off, the worst at index %d: %.6g for %.6g", o.Elements, o.Of, o.Index, o.Got, o.Want),
		})
	}
}

// printRanges prints the largest magnitude of every secret tensor of floats,
// and which ring all of them fit.
func printRanges(a app, r *check.Result, spec party.Spec) error {
	ranges := slices.Clone(r.Ranges)
	slices.SortStableFunc(ranges, func(x, y check.Range) int {
		switch {
		case x.Largest > y.Largest:
			return -1
		case x.Largest < y.Largest:
			return 1
		}
		return 0
	})
	if a.events != nil {
		for _, x := range ranges {
			a.events.write(event{Event: "range", Place: fmt.Sprint(x.Op.Pos), Operation: x.Op.Title(), Largest: x.Largest, Ring: x.Ring})
		}
		return nil
	}
	t := tabwriter.NewWriter(a.stderr, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "largest\tring\t  operation\n")
	for i, x := range ranges {
		name := fmt.Sprint(x.Ring)
		if x.Ring == 0 {
			name = "none"
		}
		if i < maxNotes {
			fmt.Fprintf(t, "%.6g\t%s\t  %s  %v\n", x.Largest, name, x.Op.Title(), x.Op.Pos)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if more := len(ranges) - maxNotes; more > 0 {
		fmt.Fprintf(a.stderr, "and %d smaller\n", more)
	}
	need := r.Ring()
	switch {
	case len(ranges) == 0:
		fmt.Fprintln(a.stderr, "tacet: ranges: there are no secret floats")
	case need == 0:
		fmt.Fprintln(a.stderr, "tacet: ranges: no ring holds all of it (scale the inputs, or take fewer fraction bits)")
	case need < spec.Ring:
		fmt.Fprintf(a.stderr, "tacet: ranges: a ring of %d bits would do for these inputs, at its coarser fraction (--ring %d)\n", need, need)
	case need > spec.Ring:
		fmt.Fprintf(a.stderr, "tacet: ranges: these inputs need a ring of %d bits (--ring %d), or fewer fraction bits\n", need, need)
	default:
		fmt.Fprintf(a.stderr, "tacet: ranges: the ring of %d bits is the narrowest that holds these inputs' values\n", need)
	}
	return nil
}

var digits = regexp.MustCompile(`[0-9]+`)

// natural compares texts with numbers in them by the numbers' values.
func natural(a, b string) int {
	pad := func(s string) string {
		return digits.ReplaceAllStringFunc(s, func(d string) string { return fmt.Sprintf("%12s", d) })
	}
	return strings.Compare(pad(a), pad(b))
}
