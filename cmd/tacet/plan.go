package main

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/timing"
)

type planCmd struct {
	settings
	More    []string `arg:"" optional:"" name:"KEY=VALUES" help:"More settings to compare."`
	Compare []string `sep:"none" placeholder:"KEY=VALUE,…" help:"Plan under each of these settings, and all combinations with more of them, side by side: protocol, ring, fraction, parties, or what --set takes."`
	Network []string `placeholder:"LINK" sep:"none" help:"A link to predict times for: none, lan, wan, slow or BITS_PER_S/RTT such as 1e9/1ms; may be repeated. The first one is the declared network, on which choices depend. Default: the job's, lan, wan and slow."`
	pairFlag
	Program string           `placeholder:"NAME" help:"Plan a request for this further program of a service (programs in the job file)."`
	Ranges  bool             `help:"Also list the contractions (dots, convolutions, sums of products) that are not proved to fit their range."`
	By      profile.Grouping `enum:"op,line,layer" default:"op" placeholder:"WHAT" help:"Show a row for each ${enum} (default ${default})."`
	Sort    profile.Order    `enum:"bytes,rounds,offline,time,program" default:"bytes" placeholder:"KEY" help:"Sort rows by ${enum} (default ${default}): the most expensive first, or in the program's order."`
	Top     int              `default:"20" placeholder:"N" help:"Show N rows (default ${default})."`
}

// Help returns the text that --help appends.
func (*planCmd) Help() string {
	return `A dry run of the same protocol code, without data: it predicts what a run sends, byte for byte. Only public inputs are read; the owners' files need not exist if args lists their arguments. The tables of a task are read, for their rows and levels.

Times are for all parties on one machine, as in tacet run: yours, once tacet bench --calibrate has measured it.

Examples:

    tacet plan job.yaml
    tacet plan job.yaml --sort rounds
    tacet plan job.yaml --ranges
    tacet plan job.yaml --protocol cheetah --pair-state kept
    tacet plan job.yaml --by layer --sort program
    tacet plan job.yaml --parties 5 --json
    tacet plan job.yaml --network wan --network 5e8/4ms
    tacet plan job.yaml --compare protocol=semi2k,plain ring=64,128 parties=2,3`
}

// Run plans the job, once or under several settings.
func (c *planCmd) Run(a app) error {
	if len(c.Compare) > 0 && c.PairState != "" {
		return badUsage{fmt.Errorf("--compare and --pair-state exclude each other: not all protocols keep something between sessions")}
	}
	if len(c.Compare) > 0 {
		return c.compare(a, append(c.Compare, c.More...))
	}
	if len(c.More) > 0 {
		return badUsage{fmt.Errorf("unexpected argument %s (see tacet plan --help)", c.More[0])}
	}
	r, err := c.plan(a, &c.settings)
	if err != nil {
		return err
	}
	if err := c.save(r, profile.Rounds); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(a.stdout, r)
	}
	return c.print(a, r)
}

// plan plans the job under some settings.
func (c *planCmd) plan(a app, s *settings) (*profile.Report, error) {
	declared, networks := "", []string{"lan", "wan", "slow"}
	if len(c.Network) > 0 {
		declared, networks = c.Network[0], c.Network[1:]
	}
	j, p, err := s.load(a.ctx, declared)
	if err != nil {
		return nil, err
	}
	spec, joined, err := c.spec(a, j, p)
	if err != nil {
		return nil, err
	}
	if spec, err = spec.WithProgram(c.Program); err != nil {
		return nil, badUsage{fmt.Errorf("--program: %w", err)}
	}
	for _, name := range networks {
		if _, err := link.ParseShape(name); err != nil {
			return nil, badUsage{fmt.Errorf("--network: %w", err)}
		}
	}
	machine, err := timing.Load()
	if err != nil {
		return nil, badUsage{err}
	}
	spec.Machine, spec.Networks, spec.PairState = &machine, networks, c.PairState
	m := a.meter()
	defer m.clear()
	spec.Progress, spec.Notice = m.show, notices(a, m)
	var told unproved
	if c.Ranges {
		spec.Unproved = told.add
	}
	ctx, end, err := s.bounded(a.ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	r, err := tacet.Plan(ctx, spec)
	if err != nil {
		return nil, failed(a.ctx, err)
	}
	r.Join, r.Solver = joined, j.Chosen
	m.clear()
	if c.Ranges {
		told.print(a, spec.Ring)
	}
	return r, nil
}

// spec returns what is planned: the job's program, or that of its task, for which its tables are read, and the plan of
// the task's intersection.
func (c *planCmd) spec(a app, j *job.Job, p *hlo.Program) (s tacet.Spec, joined *profile.Report, err error) {
	if j.Task != nil {
		work, joined, err := j.PlanWork(a.ctx)
		if err != nil {
			return tacet.Spec{}, nil, readFailure(a, err)
		}
		spec, err := j.TaskSpec(work)
		if err != nil {
			return tacet.Spec{}, nil, badUsage{err}
		}
		return spec, joined, nil
	}
	if err := chooseRing(a, j, p); err != nil {
		return tacet.Spec{}, nil, err
	}
	spec, err := j.PlanSpec(p)
	if err != nil {
		return tacet.Spec{}, nil, badUsage{err}
	}
	return spec, nil, nil
}

// unproved collects contractions that are not proved to fit their range.
type unproved struct {
	mu     sync.Mutex
	limits map[string]float64 // by operation
	order  []string
}

func (u *unproved) add(where string, limit float64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.limits == nil {
		u.limits = map[string]float64{}
	}
	old, known := u.limits[where]
	if !known {
		u.order = append(u.order, where)
	}
	if !known || limit < old {
		u.limits[where] = limit
	}
}

// print lists them in the program's order, and what helps in a ring of so many bits.
func (u *unproved) print(a app, bits int) {
	slices.SortFunc(u.order, natural)
	for i, where := range u.order {
		if i == maxNotes {
			a.say(fmt.Sprintf("ranges: and %d more", len(u.order)-maxNotes))
			break
		}
		a.say(fmt.Sprintf("ranges: %s: results must be below %.3g in magnitude, which is not proved", where, u.limits[where]))
	}
	if len(u.order) == 0 {
		a.say("ranges: every dot, convolution and sum of products is proved to fit")
		return
	}
	wider := ""
	if fraction, ok := fxp.UsualFraction(128); ok && bits < 128 {
		wider = fmt.Sprintf(", and ring: 128 has room for %.2g", math.Ldexp(1, fxp.ContractionBits(ring.Z(128), fraction)))
	}
	a.say(fmt.Sprintf("ranges: declared ranges of inputs (range: [lo, hi]) help to prove it; run --check finds overflows on given inputs%s", wider))
}

// print shows a plan as tables.
func (c *planCmd) print(a app, r *profile.Report) error {
	if r.Solver != "" {
		fmt.Fprintf(a.stdout, "chosen: %s\n\n", r.Solver)
	}
	if err := profile.Summary(a.stdout, r); err != nil {
		return err
	}
	if err := profile.PrintPrediction(a.stdout, r); err != nil {
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
