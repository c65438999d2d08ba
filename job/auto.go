package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/timing"
)

// auto is the name of the solver that stands for fisher or cg, whichever takes less time.
const auto = "auto"

// chooseSolver replaces solver auto of the task by fisher or cg: the one of which party.Plan predicts the shorter time of all phases,
// offline included, on the job's network and this machine. Chosen says which one that is, and why. A model with more features than fisher
// takes is cg's, without a plan.
func (j *Job) chooseSolver() error {
	t := j.Task
	if t == nil || !t.Auto {
		return nil
	}
	machine, err := timing.Load()
	if err != nil {
		return err
	}
	seconds := func(g *glm.CG) (float64, error) {
		k, task := *j, *t
		task.Auto, task.CG, k.Task = false, g, &task
		w, _, err := k.PlanWork()
		if err != nil {
			return 0, err
		}
		s, err := k.TaskSpec(w)
		if err != nil {
			return 0, err
		}
		s.Machine = &machine
		r, err := party.Plan(context.Background(), s)
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
