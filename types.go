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

// Spec says what to run, among which parties, on which data. The package comment lists its fields.
type Spec = party.Spec

// Arg is an argument of a program: its Owner, a rank or [Public], and its Data. Resident says that a
// service shares it once for all requests. Range declares where its elements lie.
type Arg = party.Arg

// Outcome is what a run gives: Results, in the order of the program's results (nil if no party of this
// process learns them), and Report.
type Outcome = party.Outcome

// Progress says how far a run is: a phase, and how many operations of how many are done.
type Progress = party.Progress

// Report has the costs of a run or a plan, by phase and by operation.
type Report = profile.Report

// Program is a parsed and verified StableHLO program.
type Program = hlo.Program

// Array is a tensor in cleartext. [NewArray] makes one; [Float32s] and [Slice] read it.
type Array = tensor.Array

// Job is what a job file says. [LoadJob] reads it.
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

// LoadJob reads a job file. Job.RunSpec and Job.PlanSpec make a Spec from it, with and without
// owned data. Errors are of kind usage.
func LoadJob(path string) (*Job, error) { return job.Load(path) }
