package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/timing"
)

// auto is the name of the solver that stands for fisher or cg, whichever takes less time.
const auto = "auto"

// chooseSolver replaces solver auto of the task by fisher or cg: the one of which party.Plan predicts the shorter time of all phases,
// offline included, on the job's network and this machine. Chosen says which one that is, and why. A model with more features than fisher
// takes is cg's, without a plan.
//
// spec returns what is planned of a job without solver auto.
func (j *Job) chooseSolver(ctx context.Context, spec func(ctx context.Context, j *Job) (party.Spec, error)) error {
	t := j.Task
	if t == nil || !t.Auto {
		return nil
	}
	machine, err := timing.Load()
	if err != nil {
		return err
	}
	seconds := func(g *glm.CG) (float64, error) {
		s, err := spec(ctx, j.solvedBy(g))
		if err != nil {
			return 0, err
		}
		s.Machine = &machine
		r, err := party.Plan(ctx, s)
		if err != nil {
			return 0, err
		}
		return r.Plan.Networks[0].Total(), nil // the declared network
	}
	conjugate, err := seconds(t.CG)
	if err != nil {
		return err
	}
	fisherTime, err := seconds(nil)
	var wide *glm.WideError
	switch {
	case errors.As(err, &wide):
		j.Chosen = fmt.Sprintf("solver %s, without standard errors: %s takes %d features, and the model has more", glm.SolverCG, fisher, wide.Most)
	case err != nil:
		return err
	case conjugate < fisherTime:
		j.Chosen = fmt.Sprintf("solver %s, without standard errors: by plan on network %s it takes %.3g s in all, and %s %.3g s",
			glm.SolverCG, j.Network, conjugate, fisher, fisherTime)
	default:
		j.Chosen = fmt.Sprintf("solver %s, with standard errors: by plan on network %s it takes %.3g s in all, and %s %.3g s",
			fisher, j.Network, fisherTime, glm.SolverCG, conjugate)
		t.CG = nil
	}
	t.Auto = false
	return nil
}

// solvedBy returns the job with solver fisher, or cg if g is not nil, in place of auto.
func (j *Job) solvedBy(g *glm.CG) *Job {
	k, task := *j, *j.Task
	task.Auto, task.CG, k.Task = false, g, &task
	return &k
}

// plannedSpec is what this process plans of a job with a task.
func plannedSpec(ctx context.Context, j *Job) (party.Spec, error) {
	w, _, err := j.PlanWork(ctx)
	if err != nil {
		return party.Spec{}, err
	}
	return j.TaskSpec(w)
}

// nodeSpec is what nodes run of a job with a task.
func nodeSpec(ctx context.Context, j *Job) (party.Spec, error) {
	_, s, err := j.NodeTask(ctx)
	return s, err
}

// RanAtNodes replaces solver auto of the task by the one that a submission chose: the one whose program ran, by its digest. The plan of
// today may differ. If none did, the task stays as it is, and NodeTask chooses one.
func (j *Job) RanAtNodes(ctx context.Context, ran func(p *hlo.Program) bool) {
	if j.Task == nil || !j.Task.Auto {
		return
	}
	for _, g := range []*glm.CG{j.Task.CG, nil} {
		if s, err := nodeSpec(ctx, j.solvedBy(g)); err == nil && ran(s.Program) {
			j.Task.Auto, j.Task.CG = false, g
			return
		}
	}
}
