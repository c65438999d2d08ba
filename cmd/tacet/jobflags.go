package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
)

// jobFlags are the arguments and flags of all commands that take a job. Each flag overrides the job
// file's setting.
type jobFlags struct {
	Job      string            `arg:"" name:"JOB.yaml" help:"The job file."`
	Protocol string            `placeholder:"NAME" help:"Protocol: ${protocols}."`
	Ring     *ringBits         `placeholder:"BITS" help:"Bits of the ring for floats: 32, 64, 128, or auto: run and plan read all inputs and choose the narrowest ring that holds the values of a run in clear."`
	Fraction *int              `placeholder:"BITS" help:"Fraction bits of a float."`
	Parties  *int              `placeholder:"N" help:"Number of computing parties. Above the number named, parties without inputs or outputs are added; below it, the first N compute."`
	Set      map[string]string `mapsep:"none" placeholder:"KEY=VALUE" help:"Set an option; may be repeated. optimize=online|rounds|total|auto, offline.budget=BYTES, exp.mode=prime|pade|taylor, exp.iterations=N, exp.clamp=both|lower|none, FUNCTION.table=full|thrifty, table.tolerance=ERROR, while.bound=N, passes=all|none, sort=auto|shuffle|network."`
}

// readJob reads the job file and applies the flags and further overrides.
func (f *jobFlags) readJob(o job.Override) (*job.Job, error) {
	j, err := job.Load(f.Job)
	if err != nil {
		return nil, badUsage{err}
	}
	o.Protocol, o.Ring, o.Fraction, o.Parties, o.Set = f.Protocol, (*int)(f.Ring), f.Fraction, f.Parties, f.Set
	j.Apply(o)
	return j, nil
}

// read reads a job and its program.
func (f *jobFlags) read(ctx context.Context, o job.Override) (*job.Job, *hlo.Program, error) {
	j, err := f.readJob(o)
	if err != nil {
		return nil, nil, err
	}
	if j.Task != nil {
		return nil, nil, badUsage{fmt.Errorf("%s: a job with a task: tacet run, tacet plan and tacet submit take it", f.Job)}
	}
	p, err := jobProgram(ctx, j)
	return j, p, err
}

// args returns these flags as the arguments of another command.
func (f *jobFlags) args() string {
	args := []string{f.Job}
	if f.Protocol != "" {
		args = append(args, "--protocol", f.Protocol)
	}
	for _, n := range []struct {
		flag  string
		value *int
	}{{"--ring", (*int)(f.Ring)}, {"--fraction", f.Fraction}, {"--parties", f.Parties}} {
		if n.value != nil {
			args = append(args, n.flag, fmt.Sprint(*n.value))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(f.Set)) {
		args = append(args, "--set", k+"="+f.Set[k])
	}
	return strings.Join(args, " ")
}
