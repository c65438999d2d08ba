package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"strings"

	"github.com/tacet-mpc/tacet/bench"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/tensor"
)

type benchCmd struct {
	Ops        []string          `arg:"" optional:"" name:"OP" help:"Operations (see below), groups of operations (matmul, conv, winograd) or job files; default: all operations."`
	Calibrate  bool              `help:"Measure this machine's speed for each kind of work and store it for tacet plan."`
	Protocol   string            `placeholder:"NAME" help:"Protocol: ${protocols}."`
	Ring       *int              `placeholder:"BITS" help:"Bits of the ring for floats: 32, 64 or 128."`
	Fraction   *int              `placeholder:"BITS" help:"Fraction bits of a float."`
	Parties    *int              `placeholder:"N" help:"Number of computing parties."`
	Network    string            `placeholder:"LINK" help:"Link between the parties: none, lan, wan, slow or BITS_PER_S/RTT."`
	Set        map[string]string `mapsep:"none" placeholder:"KEY=VALUE" help:"Set an option, as for tacet run; may be repeated."`
	Elements   int               `placeholder:"N" help:"Number of elements; default 1,000,000 for cheap operations, 100,000 for functions, 10,000 for a sort."`
	Runs       int               `default:"3" placeholder:"N" help:"Number of runs of each operation (default ${default})."`
	JSON       bool              `name:"json" help:"Print the table as JSON."`
	Step       bool              `help:"Run once per line on standard input, and print the row of each run as one line of JSON, to alternate with other systems."`
	Export     string            `placeholder:"DIR" help:"Measure nothing; write the program, inputs and cleartext results of each operation to a folder below DIR, for other systems to run."`
	CPUProfile string            `name:"cpuprofile" placeholder:"FILE" help:"Write a profile of this process for go tool pprof."`
}

// Help returns the text that --help appends.
func (*benchCmd) Help() string {
	var names []string
	for _, o := range bench.Ops() {
		names = append(names, o.Name)
	}
	return `Measure on an otherwise idle machine: all parties and the dealer share it. Operands are new in each run: no masked value of them is open yet.
Columns: seconds of the online phase; nanoseconds of the fastest run, and bytes sent by a party, per element of the result;
rounds; bytes sent by the dealer, and seconds of the offline phase; the largest error compared with cleartext.

Operations: ` + strings.Join(names, ", ") + `.

Examples:

    tacet bench
    tacet bench mul less relu --elements 10000000 --runs 5
    tacet bench exp --ring 128 --network lan
    tacet bench matmul --protocol aby3 --json
    tacet bench examples/digits/job.yaml --cpuprofile cpu.pb.gz
    tacet bench exp resnet18/job.yaml --export tasks
    tacet bench --calibrate`
}

// Run runs the benchmarks.
func (c *benchCmd) Run(a app) error {
	if c.Calibrate {
		return c.calibrate(a)
	}
	if c.Runs < 1 {
		return badUsage{fmt.Errorf("--runs: want 1 or more, got %d", c.Runs)}
	}
	if c.Elements < 0 {
		return badUsage{fmt.Errorf("--elements: want 1 or more, got %d", c.Elements)}
	}
	cases, err := c.cases(a.ctx)
	if err != nil {
		return badUsage{err}
	}
	switch {
	case c.Export != "":
		return c.export(a, cases)
	case c.Step && len(cases) != 1:
		return badUsage{fmt.Errorf("--step: want one operation or job, got %d", len(cases))}
	case c.Step:
		return c.step(a, cases[0])
	}
	stop, err := c.profile()
	if err != nil {
		return err
	}
	return errors.Join(c.measure(a, cases), stop())
}

func (c *benchCmd) calibrate(a app) error {
	m, err := party.Calibrate(a.ctx)
	if err != nil {
		return failed(a.ctx, err)
	}
	path, err := m.Save()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "machine: %s\n%vstored in %s\n", m.Name, m, path)
	return err
}

// cases returns an iterator over the cases that the arguments name. The programs of operations are
// created one at a time, since their operands take memory.
func (c *benchCmd) cases(ctx context.Context) ([]func() (bench.Case, error), error) {
	j := &job.Job{File: "bench", Parties: []string{"alice", "bob"}, Network: "none"}
	j.Apply(c.override())
	settings, err := j.Settings()
	if err != nil {
		return nil, err
	}
	var out []func() (bench.Case, error)
	op := func(o bench.Op) {
		out = append(out, func() (bench.Case, error) { return o.Case(settings, c.Elements) })
	}
	all := bench.Ops()
	if len(c.Ops) == 0 {
		for _, o := range all {
			op(o)
		}
	}
	for _, name := range c.Ops {
		if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
			out = append(out, func() (bench.Case, error) { return c.job(ctx, name) })
			continue
		}
		n := len(out)
		for _, o := range all {
			if o.Name == name || strings.HasPrefix(o.Name, name+"-") {
				op(o)
			}
		}
		if len(out) == n {
			return nil, fmt.Errorf("no operation %q (tacet bench --help lists them; a job file ends in .yaml)", name)
		}
	}
	return out, nil
}

func (c *benchCmd) override() job.Override {
	return job.Override{Protocol: c.Protocol, Ring: c.Ring, Fraction: c.Fraction, Parties: c.Parties, Network: c.Network, Set: c.Set}
}

// job returns the case of a job file.
func (c *benchCmd) job(ctx context.Context, path string) (bench.Case, error) {
	j, err := job.Load(path)
	if err != nil {
		return bench.Case{}, err
	}
	j.Apply(c.override())
	p, err := jobProgram(ctx, j)
	if err != nil {
		return bench.Case{}, err
	}
	want, err := j.Expected(p)
	if err != nil {
		return bench.Case{}, err
	}
	s, err := j.RunSpec(p)
	if err != nil {
		return bench.Case{}, err
	}
	text, err := regular.ReadFile(j.Program)
	out := bench.Case{Name: path, Spec: s, Text: text}
	if want != nil && len(s.Reveal) > 0 {
		out.Want = func(context.Context) ([]*tensor.Array, error) { return want, nil }
	}
	return out, err
}

// profile starts the profile of --cpuprofile; the returned function ends it.
func (c *benchCmd) profile() (stop func() error, err error) {
	if c.CPUProfile == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(c.CPUProfile)
	if err != nil {
		return nil, badUsage{err}
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error { pprof.StopCPUProfile(); return f.Close() }, nil
}

// export writes the cases' files.
func (c *benchCmd) export(a app, cases []func() (bench.Case, error)) error {
	for _, prepare := range cases {
		k, err := prepare()
		if err != nil {
			return badUsage{err}
		}
		dir, err := k.Export(a.ctx, c.Export)
		if err != nil {
			return failed(a.ctx, err)
		}
		if _, err := fmt.Fprintln(a.stdout, dir); err != nil {
			return err
		}
	}
	return nil
}

// step runs the case once per line on standard input.
func (c *benchCmd) step(a app, prepare func() (bench.Case, error)) error {
	k, err := prepare()
	if err != nil {
		return badUsage{err}
	}
	lines := make(chan struct{})
	go func() { // reads in a goroutine, so that an interrupt ends the command while it waits for a line
		defer close(lines)
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			lines <- struct{}{}
		}
	}()
	rows := json.NewEncoder(a.stdout)
	for {
		select {
		case <-a.ctx.Done():
			return failed(a.ctx, a.ctx.Err())
		case _, more := <-lines:
			if !more {
				return nil
			}
		}
		r, err := k.Measure(a.ctx, 1, nil)
		if err != nil {
			return failed(a.ctx, err)
		}
		if err := rows.Encode(r); err != nil {
			return err
		}
	}
}

// measure runs the cases and prints each row when it is measured.
func (c *benchCmd) measure(a app, cases []func() (bench.Case, error)) error {
	var rows bench.Table
	if !c.JSON {
		if err := bench.Heading(a.stdout); err != nil {
			return err
		}
	}
	m := a.meter()
	for _, make := range cases {
		k, err := make()
		if err != nil {
			return badUsage{err}
		}
		r, err := k.Measure(a.ctx, c.Runs, func(run int) {
			m.show(party.Progress{Phase: k.Name + ":", Done: run + 1, All: c.Runs, Unit: "runs"})
		})
		m.clear()
		if err != nil {
			return failed(a.ctx, err)
		}
		if rows = append(rows, r); c.JSON {
			continue
		}
		if err := r.Print(a.stdout); err != nil {
			return err
		}
	}
	if !c.JSON {
		return nil
	}
	return printJSON(a.stdout, rows)
}
