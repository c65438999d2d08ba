package main

import (
	"context"
	"fmt"
	"os"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/profile"
)

// settings are the arguments and flags that run and plan share. Each flag overrides the job file's
// setting.
type settings struct {
	jobFlags
	memoryFlag
	Out    string `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, …."`
	Expect string `placeholder:"FILE.npz" help:"Compare results with arrays out0, out1, … of this file."`
	Report string `placeholder:"FILE.json" help:"Write the report to this file."`
	Trace  string `placeholder:"FILE.json" help:"Write the times of operations and messages as Chrome trace events, for https://ui.perfetto.dev."`
	outputs
	JSON bool `name:"json" help:"Print the report as JSON instead of tables."`
}

// load reads the job file, applies the flags and the network, if one is given, and reads the program, which is nil
// if the job has a task.
func (s *settings) load(ctx context.Context, network string) (*job.Job, *hlo.Program, error) {
	j, err := s.readJob(job.Override{Network: network, Out: s.Out, Expect: s.Expect})
	if err != nil {
		return nil, nil, err
	}
	var p *hlo.Program
	if j.Task == nil {
		if p, err = jobProgram(ctx, j); err != nil {
			return nil, nil, err
		}
	}
	return j, p, s.checkTargets(j.Dir)
}

// jobProgram reads a job's program.
func jobProgram(ctx context.Context, j *job.Job) (*hlo.Program, error) {
	p, err := j.ReadProgram(ctx)
	if err != nil {
		return nil, badUsage{err}
	}
	return p, nil
}

// readProgram reads a program that no job names.
func readProgram(ctx context.Context, path string) (*hlo.Program, error) {
	return jobProgram(ctx, &job.Job{Program: path})
}

// checkTargets returns an error before a long run if its output files cannot be
// written.
func (s *settings) checkTargets(dir string) error {
	if dir != "" {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return badUsage{fmt.Errorf("%s: results cannot be written: it is not a folder", dir)}
		}
	}
	return checkFolders(s.Report, s.Trace, s.Pprof, s.HTML)
}

// save writes the files that flags ask for; trace makes what --trace asks for.
func (s *settings) save(r *profile.Report, trace func(*profile.Report) ([]byte, error)) error {
	if s.Report != "" {
		if err := profile.Write(s.Report, r); err != nil {
			return err
		}
	}
	if err := save(s.Trace, r, trace); err != nil {
		return err
	}
	return s.outputs.save(r)
}
