package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/profile"
)

// settings are the arguments and flags that run and plan share. Each flag
// takes the place of the job file's setting.
type settings struct {
	jobFlags
	Out    string `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, …."`
	Expect string `placeholder:"FILE.npz" help:"Compare results with arrays out0, out1, … of this file."`
	Report string `placeholder:"FILE.json" help:"Write the report to this file."`
	JSON   bool   `name:"json" help:"Print the report as JSON instead of tables."`
}

// load reads the job file, with the flags applied and the network declared that
// is given, if one is, and its program.
func (s *settings) load(network string) (*job.Job, *hlo.Program, error) {
	j, p, err := s.read(job.Override{Network: network, Out: s.Out, Expect: s.Expect})
	if err != nil {
		return nil, nil, err
	}
	return j, p, s.checkTargets(j.Dir)
}

// readProgram reads StableHLO text.
func readProgram(path string) (*hlo.Program, error) {
	p, err := hlo.ReadFile(path)
	var at *fs.PathError
	if errors.As(err, &at) {
		err = fmt.Errorf("%s: program cannot be read: %w", at.Path, at.Err)
	}
	if err != nil {
		return nil, badUsage{err}
	}
	return p, nil
}

// checkTargets finds out before a long run that what it gives could not be
// written.
func (s *settings) checkTargets(dir string) error {
	if dir != "" {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return badUsage{fmt.Errorf("%s: results cannot be written: it is no folder", dir)}
		}
	}
	if s.Report != "" {
		parent := filepath.Dir(s.Report)
		if info, err := os.Stat(parent); err != nil || !info.IsDir() {
			return badUsage{fmt.Errorf("%s: report cannot be written: there is no folder %s", s.Report, parent)}
		}
	}
	return nil
}

// writeReport writes the report where --report asks for it.
func (s *settings) writeReport(r *profile.Report) error {
	if s.Report == "" {
		return nil
	}
	return profile.Write(s.Report, r)
}
