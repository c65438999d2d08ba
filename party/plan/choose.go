package plan

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// ErrBudget is the error, possibly wrapped, of Choose if every choice of protocols needs more dealt bytes than
// the option offline.budget allows.
var ErrBudget = errors.New("offline.budget is too small")

// ReferenceMachine is the machine for which Choose predicts times. It is not the party's own machine, because
// all parties must choose the same. Threads wake at once: how long they take differs most from one machine to the next.
var ReferenceMachine = func() timing.Machine {
	m := timing.Default
	m.Wake = 0
	return m
}()

// Job is what a choice of objectives depends on.
type Job struct {
	Options fxp.Options // the job's options, with Optimize and Budget
	Network link.Shape  // the declared network
	Online  int         // number of online parties
	// Dealer says that dealt bytes come from a dealer, who is none of the parties, on a line of the network.
	Dealer bool
	// Plan plans the job for ReferenceMachine. Operations have the objective base, except those that others
	// names by operation id.
	Plan func(ctx context.Context, base flow.Objective, others map[int]flow.Objective) (*profile.Report, error)
}

// Choice is the objective that was chosen for each operation.
type Choice struct {
	Base   flow.Objective         // objective of all operations that Others does not name
	Others map[int]flow.Objective // objectives that differ from Base, by operation id
	// Alternatives lists the operations whose costs depend on the objective, each with its costs under each
	// objective and the one that was chosen.
	Alternatives []profile.Choice
}

// Choose chooses the objective of each operation. With the option "optimize: auto" it minimises the time of a run on
// the declared network, the dealer's line included, or without one the online bytes of the party that sends most, such that the dealt
// bytes stay within the option offline.budget. With a budget but without auto it deviates from the job's
// objective only if that exceeds the budget. With neither, it returns nil. If no choice stays within the budget,
// the error wraps ErrBudget.
//
// Choose plans the job once for each objective of all operations, combines the best objectives of single
// operations, and plans the combination. It returns the combination only if that is better than one objective
// for all.
func Choose(ctx context.Context, j Job) (*Choice, error) {
	auto, budget := j.Options.Optimize == "auto", j.Options.Budget
	if !auto && budget == 0 {
		return nil, nil
	}
	c := &chooser{Job: j, leastDealt: math.MaxInt64, plans: map[flow.Objective]*profile.Report{}}
	first := j.Options.Objective()
	aims := []flow.Objective{first, flow.ForTotal}
	if auto {
		aims = []flow.Objective{flow.ForOnline, flow.ForRounds, flow.ForTotal}
	} else if first == flow.ForTotal {
		aims = aims[:1]
	}
	for _, aim := range aims {
		r, err := c.try(ctx, aim, nil)
		if err != nil {
			return nil, err
		}
		c.plans[aim] = r
		if !auto && c.best != nil {
			break // the budget suffices
		}
	}
	if len(c.plans) > 1 {
		if err := c.mix(ctx, first); err != nil {
			return nil, err
		}
	}
	if c.best == nil {
		return nil, fmt.Errorf("party: %w: it is %d bytes, and the job needs at least %d", ErrBudget, budget, c.leastDealt)
	}
	c.best.Alternatives = c.alternatives()
	return c.best, nil
}

// chooser finds the best objectives of a job's operations.
type chooser struct {
	Job
	plans map[flow.Objective]*profile.Report

	best       *Choice // nil if none is within the budget
	least      float64 // cost of best
	leastDealt int64   // fewest dealt bytes of any plan so far
}

// try plans the job with objective aim for all operations except those of aims, and keeps the
// choice if it is the best so far within the budget.
func (c *chooser) try(ctx context.Context, aim flow.Objective, aims map[int]flow.Objective) (*profile.Report, error) {
	r, err := c.Plan(ctx, aim, aims)
	if err != nil {
		return nil, err
	}
	dealt := r.Offline.BytesSent
	c.leastDealt = min(c.leastDealt, dealt)
	if budget := c.Options.Budget; budget > 0 && dealt > budget {
		return r, nil
	}
	if cost := c.Job.cost(r); c.best == nil || cost < c.least {
		c.best, c.least = &Choice{Base: aim, Others: aims}, cost
	}
	return r, nil
}

// maxMixes bounds how often a combined choice that deals too much is tightened.
const maxMixes = 4

// mix tries choices by operation.
func (c *chooser) mix(ctx context.Context, first flow.Objective) error {
	budget := c.Options.Budget
	for range maxMixes {
		aims, dealt := c.pick(first, budget)
		if len(aims) == 0 {
			return nil // no operation differs from first
		}
		r, err := c.try(ctx, first, aims)
		if err != nil {
			return err
		}
		if c.Options.Budget == 0 || r.Offline.BytesSent <= c.Options.Budget {
			return nil
		}
		// Operations share costs: what an operation's result costs may be counted where it is read, and is decided
		// where it is made. The next choice is expected to be off by as much as this one.
		budget = c.Options.Budget - (r.Offline.BytesSent - dealt)
	}
	return nil
}

// pick gives every operation the objective of least cost. Then, until no more than the budget is
// dealt, it switches operations to objectives that deal less, in the order of added cost per saved
// byte. It returns the operations whose objective differs from first, and the sum of the bytes that the
// operations deal by themselves.
func (c *chooser) pick(first flow.Objective, budget int64) (differ map[int]flow.Objective, dealt int64) {
	type option struct {
		aim   flow.Objective
		cost  float64
		dealt int64
	}
	var ids []int
	options := map[int][]option{}
	for _, aim := range slices.Sorted(maps.Keys(c.plans)) {
		for i := range c.plans[aim].Ops {
			o := &c.plans[aim].Ops[i]
			if len(options[o.ID]) == 0 {
				ids = append(ids, o.ID)
			}
			options[o.ID] = append(options[o.ID], option{aim, c.opCost(o), o.OfflineBytes})
		}
	}
	chosen := map[int]option{}
	for _, id := range ids {
		best := slices.MinFunc(options[id], func(a, b option) int {
			switch {
			case a.cost < b.cost || a.cost == b.cost && a.dealt < b.dealt:
				return -1
			case a.cost == b.cost && a.dealt == b.dealt:
				return 0
			}
			return 1
		})
		chosen[id] = best
		dealt += best.dealt
	}
	for c.Options.Budget > 0 && dealt > budget {
		at, move, least := -1, option{}, math.Inf(1)
		for _, id := range ids {
			have := chosen[id]
			for _, o := range options[id] {
				if saved := have.dealt - o.dealt; saved > 0 && (o.cost-have.cost)/float64(saved) < least {
					at, move, least = id, o, (o.cost-have.cost)/float64(saved)
				}
			}
		}
		if at < 0 {
			break
		}
		dealt -= chosen[at].dealt - move.dealt
		chosen[at] = move
	}
	differ = map[int]flow.Objective{}
	for id, o := range chosen {
		if o.aim != first {
			differ[id] = o.aim
		}
	}
	return differ, dealt
}

// opCost is an operation's part of the cost: from its rounds on the longest path, the bytes
// that it sends, its local work, and what is dealt for it.
func (j *Job) opCost(o *profile.Op) float64 {
	most := slices.Max(o.BytesSent)
	shape := j.Network
	if shape.Zero() {
		return float64(most)
	}
	if n := int64(j.Online); n > 2 {
		most /= n - 1
	}
	cost := shape.Seconds(o.PathRounds, most) + o.Seconds/float64(ReferenceMachine.Cores)
	if j.Dealer {
		cost += shape.Seconds(0, o.OfflineBytes)
	}
	return cost
}

// cost is the time in seconds on the declared network, or online bytes without one.
func (j *Job) cost(r *profile.Report) float64 {
	switch {
	case j.Network.Zero():
		return float64(slices.Max(r.Online.BytesSent))
	case j.Dealer:
		return r.Input.Seconds + r.Online.Seconds + r.Offline.Seconds - r.Offline.BesideInput - r.Offline.BesideOnline
	}
	return r.Online.Seconds
}

// alternatives are the Alternatives of the best choice.
func (c *chooser) alternatives() []profile.Choice {
	var out []profile.Choice
	at := map[int]int{}
	for _, aim := range slices.Sorted(maps.Keys(c.plans)) {
		for i := range c.plans[aim].Ops {
			o := &c.plans[aim].Ops[i]
			k, known := at[o.ID]
			if !known {
				k = len(out)
				at[o.ID] = k
				chosen := c.best.Base
				if aim, own := c.best.Others[o.ID]; own {
					chosen = aim
				}
				out = append(out, profile.Choice{ID: o.ID, Op: o.Op, Loc: o.Loc, Chosen: chosen.String()})
			}
			out[k].Costs = append(out[k].Costs, profile.ChoiceCost{
				Optimize: aim.String(), Bytes: sum(o.BytesSent), Rounds: o.PathRounds, Offline: o.OfflineBytes,
			})
		}
	}
	return slices.DeleteFunc(out, func(x profile.Choice) bool {
		first := x.Costs[0]
		return !slices.ContainsFunc(x.Costs, func(y profile.ChoiceCost) bool {
			return y.Bytes != first.Bytes || y.Rounds != first.Rounds || y.Offline != first.Offline
		})
	})
}

func sum(v []int64) int64 {
	var s int64
	for _, x := range v {
		s += x
	}
	return s
}
