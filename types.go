package tacet

import (
	"errors"
	"io/fs"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Spec says which program to run, among which parties, with which arguments and settings. The package comment
// lists the fields and their defaults.
type Spec = party.Spec

// Arg is an argument of a program. Owner is the rank of the party that provides it, or [Public]. Data is its
// value in cleartext. Resident says that a service shares the argument once, for all requests. Range, if not
// nil, declares an interval that contains all elements.
type Arg = party.Arg

// Outcome is the result of a run. Results has the program's results in order, and is nil if no party of this
// process learns them. Report has the measured costs. Shares has the shares of results that the Spec keeps
// secret.
type Outcome = party.Outcome

// Progress is the progress of a run: the current phase, and how many of its operations have been done.
type Progress = party.Progress

// Report has the costs of a run or a plan (bytes, messages, rounds, seconds), for each phase and each operation.
type Report = profile.Report

// Program is a parsed and verified StableHLO program. Parse and ReadProgram make it.
type Program = hlo.Program

// Array is a tensor in cleartext. [NewArray] makes one; [Float32s] and [Slice] read it.
type Array = tensor.Array

// Job has the content of a job file: the program's path, the parties, their inputs, settings and outputs.
// LoadJob reads it.
type Job = job.Job

// Public is the Owner of an argument that all parties know.
const Public = party.Public

// Parse reads a StableHLO program: text as JAX prints it, or a serialised portable artifact. name
// is the file name in error messages. Errors are *ProgramError.
func Parse(name string, text []byte) (*Program, error) { return hlo.Parse(name, text) }

// ReadProgram reads a program from a file, as Parse does.
// A file that cannot be read is an error of kind usage.
func ReadProgram(path string) (*Program, error) {
	p, err := hlo.ReadFile(path)
	var file *fs.PathError
	if errors.As(err, &file) {
		return nil, problem.New(problem.Usage, path, "program cannot be read: %w", file.Err)
	}
	return p, err
}

// LoadJob reads a job file. The methods RunSpec and PlanSpec of the Job make a Spec from it: RunSpec with the
// data of all inputs, PlanSpec with public data only. Errors are of kind usage.
func LoadJob(path string) (*Job, error) { return job.Load(path) }
