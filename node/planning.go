package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
)

// plansAtOnce is the maximum number of jobs and submissions that are planned at once.
const plansAtOnce = 8

// leastPlanMemory is the least of what planning one job may take where the configuration does not say.
const leastPlanMemory = 256 << 20

// planMemory returns the bytes that planning one job may take.
func (l Limits) planMemory() int64 { return cmp.Or(l.PlanMemory, max(l.Memory/2, leastPlanMemory)) }

// planSettings names what sets the limits of a plan.
var planSettings = budget.Settings{Memory: "limits: plan_memory", Operations: "limits: plan_operations", Time: "limits: plan_time"}

// planning returns a context in which a program of a submitter may be planned, within the limits of one plan and of all together.
// It waits while too many others are planned. It ends when the node stops.
func (n *Node) planning(ctx context.Context, submitter string) (inner context.Context, cancel context.CancelFunc, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	stopped := context.AfterFunc(n.ctx, func() { stop(context.Cause(n.ctx)) })
	l := n.config.Limits
	inner, _, end, err := n.plans.New(ctx, submitter, budget.Limits{
		Memory: l.planMemory(), Operations: int64(l.PlanOperations), Time: l.PlanTime, Settings: planSettings,
	})
	if err != nil {
		stopped()
		return nil, nil, err
	}
	return inner, func() { stopped(); end(); stop(nil) }, nil
}

// running returns a context in which a session may run. What it computes in cleartext, on public values and on this
// party's inputs, may take as much memory as the plan; its time is the session's.
func (n *Node) running(ctx context.Context) (inner context.Context, cancel context.CancelFunc) {
	inner, _, cancel = budget.New(ctx, budget.Limits{Memory: n.config.Limits.planMemory(), Settings: planSettings})
	return inner, cancel
}

// refusedPlan counts a plan that was refused because of a limit, and returns the error.
func (n *Node) refusedPlan(err error) error {
	var limit *budget.Error
	if errors.As(err, &limit) && n.counts != nil {
		n.counts.PlanRefused(string(limit.Of))
	}
	return err
}

// plan plans a job, and reports to the state machine that it has. The plan ends early if the job does, or if the node stops.
func (n *Node) plan(t *task, m api.Reserve) error {
	ctx, stop := context.WithCancelCause(n.ctx)
	defer stop(nil)
	n.mu.Lock()
	t.stopPlan = stop
	if j := n.jobs.Job(t.ID); j == nil || j.State.Final() { // ended before there was a plan to stop
		stop(errors.New("the job has ended"))
	}
	n.mu.Unlock()
	demand, err := n.planMemory(ctx, t, m)
	if err != nil && ctx.Err() != nil {
		status := http.StatusConflict
		if n.ctx.Err() != nil {
			status = http.StatusServiceUnavailable // the leader may ask again when the node is back
		}
		err = refuse(status, "job %s was not planned at %s: %w", t.ID, n.config.Name, context.Cause(ctx))
	}
	n.refusedPlan(err)
	n.mu.Lock()
	defer n.mu.Unlock()
	t.stopPlan = nil
	n.step(t.ID, jobstate.Planned{Demand: demand, Error: n.errorText(err)})
	return err
}

// endPlan ends a job's plan, if it is being planned. Node.mu is held.
func (n *Node) endPlan(t *task) {
	if t.stopPlan == nil {
		return
	}
	why := errors.New("the job has ended")
	if j := n.jobs.Job(t.ID); j != nil {
		why = fmt.Errorf("the job is %s: %s", j.State, j.Error)
	}
	t.stopPlan(why)
}

// planned counts a plan that began at a time.
func (n *Node) planned(began time.Time) {
	if n.counts != nil {
		n.counts.Planned(time.Since(began))
	}
}
