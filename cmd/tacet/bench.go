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
	"github.com/tacet-mpc/tacet/tensor"
)

type benchCmd struct {
	Ops        []string          `arg:"" optional:"" name:"OP" help:"Operations to measure (see below), groups of them (matmul, conv, winograd) or job files; default all operations."`
	Calibrate  bool              `help:"Measure what this machine needs for each kind of work, and keep it for tacet plan."`
	Protocol   string            `placeholder:"NAME" help:"Protocol: plain, semi2k or aby3."`
	Ring       *int              `placeholder:"BITS" help:"Bits of the ring for floats: 32, 64 or 128."`
	Fraction   *int              `placeholder:"BITS" help:"Fraction bits of a float."`
	Parties    *int              `placeholder:"N" help:"How many parties compute."`
	Network    string            `placeholder:"LINK" help:"Link between the parties: none, lan, wan, slow or BITS_PER_S/RTT."`
	Set        map[string]string `mapsep:"none" placeholder:"KEY=VALUE" help:"Set an option, as of tacet run; may be repeated."`
	Elements   int               `placeholder:"N" help:"Of how many elements; default 1,000,000 for what is cheap, 100,000 for functions, 10,000 for a sort."`
	Runs       int               `default:"3" placeholder:"N" help:"Run each so many times (default ${default})."`
	JSON       bool              `name:"json" help:"Print the table as JSON."`
	Step       bool              `help:"Run once for every line on standard input, and print each run's row as one line of JSON; to take turns with others."`
	Export     string            `placeholder:"DIR" help:"Measure nothing; write each one's program, inputs and results in clear to a folder below DIR, for other systems to run."`
	CPUProfile string            `name:"cpuprofile" placeholder:"FILE" help:"Write a profile of this process for go tool pprof."`
}

// Help is what --help adds.
func (*benchCmd) Help() string {
	var names []string
	for _, o := range bench.Ops() {
		names = append(names, o.Name)
	}
	return `Measure when the machine has nothing else to do. All parties and the dealer share it. Operands are fresh: nothing of them has been opened before.
Columns: seconds between shared inputs and shared results; nanoseconds of the fastest run, and bytes that a party sends, for each element of the result;
rounds; what a dealer sends, and how long all that took that needs no inputs; the largest error against cleartext.

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

// Run measures.
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
	cases, err := c.cases()
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
	_, err = fmt.Fprintf(a.stdout, "machine: %s\n%vkept in %s\n", m.Name, m, path)
	return err
}

// cases are what the arguments name. Programs of operations are made one by
// one, since their operands take memory.
func (c *benchCmd) cases() ([]func() (bench.Case, error), error) {
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
			out = append(out, func() (bench.Case, error) { return c.job(name) })
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

// job is a job file's case.
func (c *benchCmd) job(path string) (bench.Case, error) {
	j, err := job.Load(path)
	if err != nil {
		return bench.Case{}, err
	}
	j.Apply(c.override())
	p, err := readProgram(j.Program)
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
	text, err := os.ReadFile(j.Program)
	out := bench.Case{Name: path, Spec: s, Text: text}
	if want != nil && len(s.Reveal) > 0 {
		out.Want = func(context.Context) ([]*tensor.Array, error) { return want, nil }
	}
	return out, err
}

// profile starts --cpuprofile's; what it gives ends it.
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

// export writes the cases.
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

// step runs the case whenever somebody says so.
func (c *benchCmd) step(a app, prepare func() (bench.Case, error)) error {
	k, err := prepare()
	if err != nil {
		return badUsage{err}
	}
	lines := make(chan struct{})
	go func() { // which an interrupt finds waiting for a line
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

// measure runs the cases and prints their rows as they come.
func (c *benchCmd) measure(a app, cases []func() (bench.Case, error)) error {
	var rows bench.Table
	if !c.JSON {
		if err := bench.Heading(a.stdout); err != nil {
			return err
		}
	}
	m := newMeter(a.stderr)
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
