package exp

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/study"
)

// Run performs the study in the lab l, writes its page, and returns the bounds with the values that it found.
// The caller checks them (Bound.Met).
func Run(ctx context.Context, l *study.Lab) ([]study.Bound, error) {
	parties := []int{2, 3}
	if l.Quick {
		parties = parties[:1]
	}
	s := &findings{lab: l}
	of := s.scale()
	l.Steps(len(modes)*len(rings)*2*len(parties) + len(of.modes)*len(of.rings)*(1+len(families)))
	for _, find := range []func(context.Context, []int) error{s.findCosts, s.findErrors, s.findTimes, s.findModels} {
		if err := find(ctx, parties); err != nil {
			return nil, err
		}
	}
	return s.bounds(), s.page()
}

// findings are the results of the study.
type findings struct {
	lab    *study.Lab
	costs  []cost
	errs   []accuracy
	times  []measuredTimes
	models []model
}

// bounds compares the default mode with its limits.
func (s *findings) bounds() []study.Bound {
	var bars []study.Bound
	add := func(what string, most, got float64) {
		bars = append(bars, study.Bound{Name: what, Limit: most, Value: got})
	}
	for _, c := range s.costs {
		if c.mode.name != "prime" || c.parties != 2 {
			continue
		}
		if c.ring == 128 {
			add("ring 128, 2 parties: bytes per element and party", 30, c.bytes)
			add("ring 128, 2 parties: rounds", 4, float64(c.rounds))
			add("ring 128, 2 parties: marginal seconds per element at 100 Mbit/s and 10 ms, predicted", published[2].seconds/4, c.each["wan"])
		} else {
			add("ring 64, 2 parties: bytes per element and party", 16.1, c.bytes)
			add("ring 64, 2 parties: rounds", 4, float64(c.rounds))
		}
	}
	most := map[int]float64{128: 2e-8, 64: 4e-6}
	for _, e := range s.errs {
		if e.mode.name == "prime" {
			where := fmt.Sprintf("ring %d, %d parties: ", e.ring, e.parties)
			add(where+"largest relative error where e^x is 1 or more", most[e.ring], e.relative)
			add(where+"number of large arguments at which e^x does not saturate", 0, float64(e.unsaturated))
		}
	}
	return bars
}
