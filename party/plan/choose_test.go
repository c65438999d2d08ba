package plan

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
)

// costs are, by objective, the bytes online, rounds and dealt bytes of each of two operations.
var costs = map[flow.Objective][2][3]int64{
	flow.ForOnline: {{100, 4, 1000}, {10, 4, 100}},
	flow.ForRounds: {{120, 1, 2000}, {12, 1, 200}},
	flow.ForTotal:  {{200, 6, 400}, {30, 6, 40}},
}

// planned is the report of a job of these operations.
func planned(base flow.Objective, others map[int]flow.Objective) *profile.Report {
	r := &profile.Report{}
	r.Online.BytesSent = []int64{0, 0}
	for id := range 2 {
		aim := base
		if a, own := others[id]; own {
			aim = a
		}
		c := costs[aim][id]
		r.Ops = append(r.Ops, profile.Op{ID: id, BytesSent: []int64{c[0], c[0]}, PathRounds: int(c[1]), OfflineBytes: c[2]})
		r.Online.Rounds += int(c[1])
		r.Offline.BytesSent += c[2]
		for i := range r.Online.BytesSent {
			r.Online.BytesSent[i] += c[0]
		}
	}
	r.Online.Seconds = link.Shapes["slow"].Seconds(r.Online.Rounds, r.Online.BytesSent[0])
	r.Offline.Seconds = link.Shapes["slow"].Seconds(0, 1000*r.Offline.BytesSent) // a slow dealer
	return r
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		optimize string
		budget   int64
		network  string
		dealer   bool
		plans    int
		base     flow.Objective
		others   map[int]flow.Objective
	}{
		{"auto", 0, "none", false, 3, flow.ForOnline, nil},
		{"auto", 0, "slow", false, 4, flow.ForRounds, nil},
		{"auto", 0, "none", true, 3, flow.ForOnline, nil},
		{"auto", 0, "slow", true, 4, flow.ForTotal, nil},                                             // what is dealt takes longest
		{"online", 1100, "none", false, 1, flow.ForOnline, nil},                                      // the budget suffices
		{"online", 1050, "none", false, 3, flow.ForOnline, map[int]flow.Objective{0: flow.ForTotal}}, // the large operation pays less per saved byte
		{"online", 440, "none", false, 3, flow.ForTotal, nil},                                        // both must
		{"total", 440, "none", false, 1, flow.ForTotal, nil},                                         // the budget suffices
		{"auto", 2100, "slow", false, 4, flow.ForOnline, map[int]flow.Objective{1: flow.ForRounds}},  // 2200 are dealt for fewest rounds
	} {
		plans := 0
		got, err := Choose(t.Context(), Job{
			Options: fxp.Options{Optimize: c.optimize, Budget: c.budget}, Network: link.Shapes[c.network], Online: 2, Dealer: c.dealer,
			Plan: func(_ context.Context, base flow.Objective, others map[int]flow.Objective) (*profile.Report, error) {
				plans++
				return planned(base, others), nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got.Base != c.base || !maps.Equal(got.Others, c.others) || plans != c.plans {
			t.Errorf("%+v: %v except %v after %d plans", c, got.Base, got.Others, plans)
		}
	}
}

// TestChooseNothing checks that a job without auto and without a budget is not planned.
func TestChooseNothing(t *testing.T) {
	if c, err := Choose(t.Context(), Job{Options: fxp.Options{Optimize: "online"}}); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
}

func TestChooseBudget(t *testing.T) {
	_, err := Choose(t.Context(), Job{
		Options: fxp.Options{Optimize: "online", Budget: 439}, Online: 2,
		Plan: func(_ context.Context, base flow.Objective, others map[int]flow.Objective) (*profile.Report, error) {
			return planned(base, others), nil
		},
	})
	if !errors.Is(err, ErrBudget) || !strings.Contains(err.Error(), "it is 439 bytes, and the job needs at least 440") {
		t.Errorf("got %v", err)
	}
	fails := errors.New("no such operation")
	_, err = Choose(t.Context(), Job{
		Options: fxp.Options{Optimize: "auto"},
		Plan: func(context.Context, flow.Objective, map[int]flow.Objective) (*profile.Report, error) {
			return nil, fails
		},
	})
	if !errors.Is(err, fails) {
		t.Errorf("got %v", err)
	}
}

// TestAlternatives checks that the costs of each planned objective are listed, with the chosen one.
func TestAlternatives(t *testing.T) {
	best := &Choice{Base: flow.ForOnline, Others: map[int]flow.Objective{1: flow.ForTotal}}
	c := &chooser{plans: map[flow.Objective]*profile.Report{}, best: best}
	for _, aim := range []flow.Objective{flow.ForOnline, flow.ForTotal} {
		r := planned(aim, nil)
		r.Ops = append(r.Ops, profile.Op{ID: 2, BytesSent: []int64{5, 5}}) // costs the same under all objectives
		c.plans[aim] = r
	}
	cost := func(aim flow.Objective, id int) profile.ChoiceCost {
		x := costs[aim][id]
		return profile.ChoiceCost{Optimize: aim.String(), Bytes: 2 * x[0], Rounds: int(x[1]), Offline: x[2]}
	}
	want := []profile.Choice{
		{ID: 0, Chosen: "online", Costs: []profile.ChoiceCost{cost(flow.ForOnline, 0), cost(flow.ForTotal, 0)}},
		{ID: 1, Chosen: "total", Costs: []profile.ChoiceCost{cost(flow.ForOnline, 1), cost(flow.ForTotal, 1)}},
	}
	if d := cmp.Diff(want, c.alternatives()); d != "" {
		t.Error(d)
	}
}
