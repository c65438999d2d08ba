package party

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// ErrBudget says that no choice deals as little as the job allows.
var ErrBudget = errors.New("offline.budget is too small")

// optimized chooses for every operation what its protocols are chosen for
// (flow.Aim), for a job that leaves it to the plan: the least online time on the
// declared network, or the fewest online bytes where none is declared, with no
// more dealt than the job's budget. A budget alone leads to
// what deals less where the default deals too much. Costs are those of plans in
// which all operations have one aim; the choice is planned as a whole before it
// is taken, and gives way to one aim for all if that is better. All parties plan
// alike, so all choose the same.
func (s Spec) optimized(ctx context.Context) (Spec, error) {
	options := s.options()
	if s.Protocol == "plain" || options.Optimize != "auto" && options.Budget == 0 {
		return s, nil
	}
	s.rewrite() // once for all
	c := &chooser{spec: s, budget: options.Budget, least: math.MaxInt64, all: map[flow.Aim]*profile.Report{}}
	first := options.Aim()
	aims := []flow.Aim{first, flow.ForTotal}
	if options.Optimize == "auto" {
		aims = []flow.Aim{flow.ForOnline, flow.ForRounds, flow.ForTotal}
	} else if first == flow.ForTotal {
		aims = aims[:1]
	}
	for _, aim := range aims {
		r, err := c.try(ctx, aim, nil)
		if err != nil {
			return s, err
		}
		c.all[aim] = r
		if options.Optimize != "auto" && c.found {
			break // the budget suffices
		}
	}
	if len(c.all) > 1 {
		if err := c.mix(ctx, first); err != nil {
			return s, err
		}
	}
	if !c.found {
		return s, fmt.Errorf("party: %w: %d bytes, where this job takes %d at least", ErrBudget, options.Budget, c.least)
	}
	c.best.Progress, c.best.Machine, c.best.Networks = s.Progress, s.Machine, s.Networks
	c.best.choices = c.choices()
	return c.best, nil
}

// chooser looks for the best aims of a job's operations.
type chooser struct {
	spec   Spec
	budget int64 // 0: none
	all    map[flow.Aim]*profile.Report

	best  Spec
	cost  float64
	found bool
	least int64 // fewest dealt bytes that were seen
}

// try plans the job with one aim for all operations but some, and keeps it if
// it is the best so far within the budget.
func (c *chooser) try(ctx context.Context, aim flow.Aim, aims map[int]flow.Aim) (*profile.Report, error) {
	t := c.spec
	t.Progress, t.Machine, t.Networks, t.aims = nil, &referee, nil, aims
	t.Set = maps.Clone(c.spec.Set)
	t.Set["optimize"] = aim.String()
	delete(t.Set, "offline.budget")
	r, err := Plan(ctx, t)
	if err != nil {
		return nil, err
	}
	dealt := r.Offline.BytesSent
	c.least = min(c.least, dealt)
	if c.budget > 0 && dealt > c.budget {
		return r, nil
	}
	if cost := t.onlineCost(r); !c.found || cost < c.cost {
		c.best, c.cost, c.found = t, cost, true
	}
	return r, nil
}

// mixes bounds how often a mixed choice that deals too much is tightened.
const mixes = 4

// mix tries choices operation by operation.
func (c *chooser) mix(ctx context.Context, first flow.Aim) error {
	budget := c.budget
	for range mixes {
		aims := c.pick(first, budget)
		if len(aims) == 0 {
			return nil // all as they are
		}
		r, err := c.try(ctx, first, aims)
		if err != nil {
			return err
		}
		over := r.Offline.BytesSent - c.budget
		if c.budget == 0 || over <= 0 {
			return nil
		}
		budget -= over // what operations share was counted at others
	}
	return nil
}

// pick gives every operation the aim that costs least, and then, until no more
// than the budget is dealt, takes aims that deal less, those first that cost
// least for each byte. It returns the operations that differ from the first
// aim.
func (c *chooser) pick(first flow.Aim, budget int64) map[int]flow.Aim {
	type option struct {
		aim   flow.Aim
		cost  float64
		dealt int64
	}
	var ids []int
	options := map[int][]option{}
	for _, aim := range slices.Sorted(maps.Keys(c.all)) {
		for i := range c.all[aim].Ops {
			o := &c.all[aim].Ops[i]
			if len(options[o.ID]) == 0 {
				ids = append(ids, o.ID)
			}
			options[o.ID] = append(options[o.ID], option{aim, c.spec.opCost(o), o.OfflineBytes})
		}
	}
	chosen := map[int]option{}
	var dealt int64
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
	for budget > 0 && dealt > budget {
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
	out := map[int]flow.Aim{}
	for id, o := range chosen {
		if o.aim != first {
			out[id] = o.aim
		}
	}
	return out
}

// opCost is an operation's share of the online cost: of the longest path's
// rounds, of what is sent, and of local work.
func (s Spec) opCost(o *profile.Op) float64 {
	most := slices.Max(o.BytesSent)
	shape := s.shape()
	if shape.Zero() {
		return float64(most)
	}
	if n := int64(s.online()); n > 2 {
		most /= n - 1
	}
	return shape.Seconds(o.PathRounds, most) + o.Seconds/float64(referee.Cores)
}

// onlineCost is seconds on the declared network, or bytes where there is none.
func (s Spec) onlineCost(r *profile.Report) float64 {
	if s.shape().Zero() {
		return float64(slices.Max(r.Online.BytesSent))
	}
	return r.Online.Seconds
}

// referee is the machine that choices are made for, whatever the parties' own
// are: all must choose the same.
var referee = timing.Default

// choices are the operations that have something to choose, what each choice
// costs, and what was chosen.
func (c *chooser) choices() []profile.Choice {
	base, _ := flow.ParseAim(c.best.Set["optimize"])
	var out []profile.Choice
	at := map[int]int{}
	for _, aim := range slices.Sorted(maps.Keys(c.all)) {
		for i := range c.all[aim].Ops {
			o := &c.all[aim].Ops[i]
			k, known := at[o.ID]
			if !known {
				k = len(out)
				at[o.ID] = k
				chosen := base
				if aim, own := c.best.aims[o.ID]; own {
					chosen = aim
				}
				out = append(out, profile.Choice{ID: o.ID, Op: o.Op, Loc: o.Loc, Chosen: chosen.String()})
			}
			out[k].Costs = append(out[k].Costs, profile.ChoiceCost{Optimize: aim.String(), Bytes: sum(o.BytesSent), Rounds: o.PathRounds, Offline: o.OfflineBytes})
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
