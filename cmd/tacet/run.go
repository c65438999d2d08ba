package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

type runCmd struct {
	settings
	checkpointFlag
	Resume  string `placeholder:"DIR" help:"Folder of the parties' checkpoints. The run resumes from the checkpoint that an earlier run of the same job has left there, and removes it when done."`
	Network string `placeholder:"LINK" help:"Link between the parties, to which messages are slowed down: none, lan (1 Gbit/s, 1 ms round trip), wan (100 Mbit/s, 10 ms), slow (10 Mbit/s, 100 ms) or BITS_PER_S/RTT such as 1e9/1ms."`
	Check   bool   `help:"First run the program in clear and in simulated fixed point, with all inputs in this process, and list the operations whose values overflow or whose errors first exceed the tolerance of expect."`
	Ranges  bool   `help:"First run the program in clear, list the largest magnitude of every secret, and name the narrowest ring that suffices."`
	Store   string `placeholder:"DIR" help:"Take correlated randomness from the parties' stores in DIR, written by tacet offline, instead of a dealer."`
	pairFlag
	Seed string `placeholder:"HEX" help:"Fix all randomness, to repeat a run exactly. For simulation only: everybody who knows the seed can compute all secrets."`
}

// Help returns the text that --help appends.
func (*runCmd) Help() string {
	return `No set-up is needed: the parties exchange in memory the messages that they would send over a network.

Examples:

    tacet run examples/digits/job.yaml
    tacet run job.yaml --out results --report report.json
    tacet run job.yaml --protocol plain --expect expected.npz
    tacet run job.yaml --parties 3
    tacet run job.yaml --store store
    tacet run job.yaml --protocol cheetah --pair-state kept
    tacet run job.yaml --checkpoint 50 --resume checkpoints
    tacet run job.yaml --check
    tacet run job.yaml --trace trace.json --pprof costs.pb.gz --html run.html`
}

// Run runs the job.
func (c *runCmd) Run(a app) error {
	j, p, err := c.load(a.ctx, c.Network)
	if err != nil {
		return err
	}
	if j.Task != nil {
		return c.task(a, j)
	}
	if err := chooseRing(a, j, p); err != nil {
		return err
	}
	want, err := j.Expected(p)
	if err != nil {
		return badUsage{err}
	}
	spec, err := j.RunSpec(p)
	if err != nil {
		return badUsage{err}
	}
	if spec.Seed, err = seed(c.Seed); err != nil {
		return badUsage{err}
	}
	if spec.Seed != nil && c.Store != "" {
		return badUsage{errors.New("--seed and --store exclude each other: a store's sessions have seeds of their own")}
	}
	if spec.Seed != nil && c.PairState != "" {
		return badUsage{errors.New("--seed and --pair-state exclude each other: kept keys would be used twice with the same randomness")}
	}
	if spec.Seed != nil {
		a.say("warning: --seed fixes all randomness: everybody who knows the seed can compute all secrets of this run")
	}
	m := a.meter()
	checkpoints, err := c.checkpoints(a, j, m)
	if err != nil {
		return err
	}
	ctx, end, err := c.bounded(a.ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := c.check(app{ctx, a.stdout, a.stderr, a.events}, j, spec); err != nil {
		return failed(a.ctx, err)
	}
	spec.Checkpoints = checkpoints
	spec.Progress, spec.Notice, spec.Store = m.show, notices(a, m), c.Store
	spec.PairState = c.PairState
	var trace *profile.Trace
	if c.Trace != "" {
		trace = profile.NewTrace()
	}
	spec.Trace = trace
	parties := spec.Parties
	out, err := tacet.Run(ctx, spec) // which drops inputs that are not needed any more: spec is not read below
	m.clear()
	if err != nil {
		return failed(a.ctx, c.howToMake(err))
	}
	if err := c.deliver(a, j, trace, out, want); err != nil || checkpoints == nil {
		return err
	}
	return checkpoints.Remove(parties...)
}

// deliver writes and prints a run's results.
func (c *runCmd) deliver(a app, j *job.Job, trace *profile.Trace, out *party.Outcome, want []*tensor.Array) error {
	var off *job.Deviation
	if want != nil && len(out.Results) == len(want) {
		out.Report.Expect, off = job.Compare(out.Results, want, j.Expect.Atol, j.Expect.Rtol)
	}
	if j.Dir != "" && len(out.Results) > 0 {
		if err := job.WriteResults(j.Dir, out.Results); err != nil {
			return err
		}
	}
	if err := c.save(out.Report, trace.Events); err != nil {
		return err
	}
	if err := c.print(a, j.Dir, out); err != nil {
		return err
	}
	if off != nil {
		return outOfTolerance{off}
	}
	return nil
}

// print shows results and costs, or the report as JSON.
func (c *runCmd) print(a app, dir string, out *party.Outcome) error {
	if c.JSON {
		return printJSON(a.stdout, out.Report)
	}
	if err := printResults(a.stdout, dir, out.Results); err != nil {
		return err
	}
	if e := out.Report.Expect; e != nil && e.OK {
		fmt.Fprintf(a.stdout, "as expected: largest error %.3g\n", largest(e.MaxAbsError))
	}
	fmt.Fprintln(a.stdout)
	if err := profile.Summary(a.stdout, out.Report); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	return profile.Highlights(a.stdout, out.Report)
}

// seed parses --seed; nil for none.
func seed(text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	b, err := hex.DecodeString(text)
	if err != nil || len(b) > 32 {
		return nil, fmt.Errorf("--seed: want hexadecimal digits, 2 to 64 and even in number, got %q", text)
	}
	return b, nil
}

// failed returns the error of a job that did not finish. An error that party
// reports as unsupported is wrong usage.
func failed(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case errors.Is(err, errors.ErrUnsupported):
		return badUsage{err}
	}
	return err
}

func largest(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		most = max(most, x)
	}
	return most
}
