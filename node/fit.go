package node

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
)

// checkTask builds the program of a submission's task and refuses the submission unless its program, its arithmetic
// and the arguments of its inputs are those of the task.
func (w *resolvedJob) checkTask() error {
	s, t := w.sub, w.sub.Task
	if t.Fit != api.FitGLM {
		return fmt.Errorf("task: there is no fit %.40q at this node (%s)", t.Fit, api.FitGLM)
	}
	if s.Serve || s.Offline || s.Keep != "" || s.Checkpoint != 0 || s.Resume != "" || s.Reveals != 0 || len(s.Public) > 0 {
		return fmt.Errorf("a job with a task is no service and no offline job, and has no keep, checkpoint, resume, reveals and public inputs")
	}
	task := &job.Task{
		Family: glm.Family(t.Family), Link: glm.Link(t.Link), Target: t.Target, Features: t.Features, Offset: t.Offset,
		Rows: t.Rows, Widths: t.Widths, Iterations: t.Iterations, Condition: t.Condition,
	}
	shape, err := task.Shape(s.Parties)
	if err != nil {
		return fmt.Errorf("task: %w", err)
	}
	if shape.Link != task.Link || shape.Iterations != task.Iterations || shape.Condition != task.Condition {
		return fmt.Errorf("task: link, iterations and condition are given, defaults too")
	}
	// The text has an identity matrix of all coefficients, so a model that is much larger than it is not built.
	if p := shape.Coefficients(); p*p > len(s.Program.Text) {
		return fmt.Errorf("the program is not that of the task: a model of %d coefficients has a longer one", p)
	}
	built, err := shape.Program()
	if err != nil {
		return fmt.Errorf("task: %w", err)
	}
	if !bytes.Equal(built.Text, s.Program.Text) {
		return fmt.Errorf("the program is not the one that this node builds from the task (submit with the release that the nodes run)")
	}
	want, err := shape.Spec()
	if err != nil {
		return fmt.Errorf("task: %w", err)
	}
	if s.Ring != want.Ring || s.Fraction != want.Fraction {
		return fmt.Errorf("the task computes in ring %d with %d fraction bits, and the job says %d and %d", want.Ring, want.Fraction, s.Ring, s.Fraction)
	}
	w.fit = &job.Fit{Task: task, Shape: shape}
	given := map[string]bool{}
	for _, in := range s.Inputs {
		if in.Kept != "" || in.Resident || len(in.Ranges) > 0 || given[in.Owner] {
			return fmt.Errorf("the inputs of a task are one table of each owner, without ranges and not resident")
		}
		given[in.Owner] = true
		if args := w.fit.Args(in.Owner); !slices.Equal(in.Args, args) || len(args) == 0 {
			return fmt.Errorf("input %.40q of %.40q provides arguments %v, and the task wants %v", in.Name, in.Owner, in.Args, args)
		}
	}
	for _, rank := range shape.Owners() {
		if !given[s.Parties[rank]] {
			return fmt.Errorf("the task uses columns of %s, of whom no input is named", s.Parties[rank])
		}
	}
	return nil
}

// columns returns the columns of this party's tables that the task uses, by the name of the table's input.
func (w *resolvedJob) columns(c *Config) []string {
	var out []string
	names, _ := c.inputNames(w.sub.Inputs)
	for _, name := range names {
		for _, column := range w.sub.Task.Columns(c.Name) {
			out = append(out, name+"."+column)
		}
	}
	return out
}
