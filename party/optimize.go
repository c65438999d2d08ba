package party

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/tacet-mpc/tacet/profile"
)

// errBudget says that no choice deals as little as the job allows.
var errBudget = errors.New("offline.budget is too small")

// optimized takes the choice (package fxp's Optimize) whose plan is best, for a
// job that leaves it to the plan: the least time of online messages on the
// declared network, or their fewest bytes where none is declared, among those
// that deal no more than the job's budget. A budget alone leads to what deals
// less where the default deals too much. All parties plan alike, so all take
// the same.
func (s Spec) optimized(ctx context.Context) (Spec, error) {
	options := s.options()
	if s.Protocol == "plain" || options.Optimize != "auto" && options.Budget == 0 {
		return s, nil
	}
	choices := []string{options.Optimize}
	if options.Optimize == "auto" {
		choices = []string{"online", "rounds", "total"}
	} else if options.Optimize != "total" {
		choices = append(choices, "total")
	}
	s.rewrite() // once for all
	var best Spec
	var least float64
	lowest, found := int64(-1), false
	for _, choice := range choices {
		t := s
		t.Progress, t.Machine = nil, nil
		t.Set = maps.Clone(s.Set)
		t.Set["optimize"] = choice
		delete(t.Set, "offline.budget")
		r, err := Plan(ctx, t)
		if err != nil {
			return s, err
		}
		dealt := r.Offline.BytesSent
		if lowest < 0 || dealt < lowest {
			lowest = dealt
		}
		if options.Budget > 0 && dealt > options.Budget {
			continue
		}
		cost := s.onlineCost(r)
		if !found || cost < least && options.Optimize == "auto" {
			best, least, found = t, cost, true
		}
	}
	if !found {
		return s, fmt.Errorf("party: %w: %d bytes, where this job takes %d at least", errBudget, options.Budget, lowest)
	}
	best.Progress, best.Machine = s.Progress, s.Machine
	return best, nil
}

// onlineCost is seconds on the declared network, or bytes.
func (s Spec) onlineCost(r *profile.Report) float64 {
	var most int64
	for _, b := range r.Online.BytesSent {
		most = max(most, b)
	}
	shape := s.shape()
	if shape.Zero() {
		return float64(most)
	}
	if n := int64(s.online()); n > 2 {
		most /= n - 1
	}
	return shape.Seconds(r.Online.Rounds, most)
}
