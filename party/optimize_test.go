package party_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// A job may leave choices to the plan, and limit what is dealt.
func TestOptimize(t *testing.T) {
	p := program{args: "20000xf32 20000xf32", outs: "20000xf32", body: `
 %x = stablehlo.add %a, %b : tensor<20000xf32>
 %y = stablehlo.logistic %x : tensor<20000xf32>
 %0 = stablehlo.multiply %y, %x : tensor<20000xf32>
 return %0 : tensor<20000xf32>`}
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		t.Fatal(err)
	}
	arg := random(rand.New(rand.NewPCG(1, 1)), prog.Main.Body.Params[0].Type)
	spec := func(set map[string]string) party.Spec {
		return party.Spec{
			Program:   prog,
			Protocol:  "semi2k",
			Ring:      64,
			Fraction:  18,
			Computing: 2,
			Parties:   []string{"a", "b"},
			Reveal:    []int{0},
			Network:   "slow",
			Args:      []party.Arg{{Owner: 0, Data: arg}, {Owner: 1, Data: arg}},
			Set:       set,
		}
	}
	plan := func(set map[string]string) *profile.Report {
		t.Helper()
		r, err := party.Plan(context.Background(), spec(set))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	online, rounds, total := plan(
		map[string]string{"optimize": "online"},
	), plan(
		map[string]string{"optimize": "rounds"},
	), plan(
		map[string]string{"optimize": "total"},
	)
	if !(rounds.Online.Rounds < online.Online.Rounds && total.Offline.BytesSent < online.Offline.BytesSent &&
		online.Offline.BytesSent < rounds.Offline.BytesSent) {
		t.Fatalf("the choices are alike: %v %v %v", online.Online, rounds.Online, total.Online)
	}
	for name, c := range map[string]struct {
		set  map[string]string
		want *profile.Report
	}{
		"a slow line of the dealer":    {map[string]string{"optimize": "auto"}, total},
		"auto with a budget":           {map[string]string{"optimize": "auto", "offline.budget": fmt.Sprint(online.Offline.BytesSent)}, total},
		"a budget alone that suffices": {map[string]string{"offline.budget": fmt.Sprint(online.Offline.BytesSent)}, online},
		"a small budget":               {map[string]string{"offline.budget": fmt.Sprint(online.Offline.BytesSent - 1)}, total},
	} {
		if got := plan(c.set); got.Online.Rounds != c.want.Online.Rounds || got.Offline.BytesSent != c.want.Offline.BytesSent {
			t.Errorf(
				"%s: %d rounds and %d bytes dealt, want %d and %d",
				name,
				got.Online.Rounds,
				got.Offline.BytesSent,
				c.want.Online.Rounds,
				c.want.Offline.BytesSent,
			)
		}
	}
	if _, err := party.Plan(context.Background(), spec(map[string]string{"offline.budget": "100"})); err == nil ||
		!strings.Contains(err.Error(), "offline.budget is too small: it is 100 bytes, and the job needs") {
		t.Errorf("got %v", err)
	}
	s := spec(map[string]string{"optimize": "auto"})
	s.Network = "none"
	out, err := party.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	checkPrediction(t, out.Report)
}

// Operations are chosen for one by one: with a budget between those of one
// choice for all, one table deals less and the other stays as it is.
func TestOptimizeByOperation(t *testing.T) {
	p := program{args: "35000xf32 35000xf32", outs: "35000xf32 20000xf32", body: `
 %x = stablehlo.add %a, %b : tensor<35000xf32>
 %0 = stablehlo.logistic %x : tensor<35000xf32>
 %y = stablehlo.slice %x [0:20000] : (tensor<35000xf32>) -> tensor<20000xf32>
 %1 = stablehlo.tanh %y : tensor<20000xf32>
 return %0, %1 : tensor<35000xf32>, tensor<20000xf32>`}
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		t.Fatal(err)
	}
	arg := random(rand.New(rand.NewPCG(1, 1)), prog.Main.Body.Params[0].Type)
	machine := timing.Default
	spec := func(set map[string]string) party.Spec {
		return party.Spec{
			Program:   prog,
			Protocol:  "semi2k",
			Ring:      64,
			Fraction:  18,
			Computing: 2,
			Parties:   []string{"a", "b"},
			Reveal:    []int{0},
			Network:   "none",
			Args:      []party.Arg{{Owner: 0, Data: arg}, {Owner: 1, Data: arg}},
			Set:       set,
			Machine:   &machine,
		}
	}
	plan := func(set map[string]string) *profile.Report {
		t.Helper()
		r, err := party.Plan(context.Background(), spec(set))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	online, total := plan(map[string]string{"optimize": "online"}), plan(map[string]string{"optimize": "total"})
	if online.Plan.Choices != nil {
		t.Errorf("nothing was left to the plan: %+v", online.Plan.Choices)
	}
	budget := online.Offline.BytesSent - 1000 // which the smaller table can spare
	set := map[string]string{"offline.budget": fmt.Sprint(budget)}
	mixed := plan(set)
	if d := mixed.Offline.BytesSent; d > budget || d <= total.Offline.BytesSent {
		t.Errorf("%d bytes dealt of a budget of %d; %d with one choice for all", d, budget, total.Offline.BytesSent)
	}
	if b := mixed.Online.BytesSent[0]; b <= online.Online.BytesSent[0] || b >= total.Online.BytesSent[0] {
		t.Errorf("%d bytes online, not between %d and %d", b, online.Online.BytesSent[0], total.Online.BytesSent[0])
	}
	chosen := map[string]string{}
	for _, c := range mixed.Plan.Choices {
		chosen[c.Op] = c.Chosen
		if len(c.Costs) != 2 || c.Costs[0].Optimize != "online" || c.Costs[1].Optimize != "total" {
			t.Errorf("costs of the choices %+v", c)
		}
	}
	// The returned values' masks are counted at func.return, and chosen for where the values are made.
	if chosen["stablehlo.logistic"] != "online" || chosen["stablehlo.tanh"] != "total" {
		t.Errorf("chose %v", chosen)
	}
	out, err := party.Run(context.Background(), spec(set))
	if err != nil {
		t.Fatal(err)
	}
	checkPrediction(t, out.Report)
	if out.Report.Offline.BytesSent != mixed.Offline.BytesSent {
		t.Errorf("planned %d bytes and dealt %d", mixed.Offline.BytesSent, out.Report.Offline.BytesSent)
	}
}
