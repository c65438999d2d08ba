package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/profile"
)

// newCosts are costs of a program of no operations.
func newCosts(t *testing.T) *exec.Costs {
	t.Helper()
	p, err := hlo.Parse("none.mlir", []byte("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}"))
	if err != nil {
		t.Fatal(err)
	}
	return exec.NewCosts(p)
}

// newParty is a party whose measured and planned traffic are multiples of n.
func newParty(t *testing.T, rank int, online bool, n int64) *Party {
	p := &Party{
		Rank: rank, Online: online, Measured: &Costs{Ops: newCosts(t)}, Planned: &Costs{Ops: newCosts(t)},
		Dealt: Dealt{Bytes: 7 * n}, Corrections: 70,
	}
	for phase := range link.Phases {
		p.Measured.restore(phase, phaseTally{10 * n, n, int(n)})
		p.Planned.restore(phase, phaseTally{20 * n, 2 * n, int(2 * n)})
	}
	return p
}

// TestTotals checks which parties' traffic a report adds up, and from where it takes the traffic of
// the offline phase.
func TestTotals(t *testing.T) {
	parties := []*Party{newParty(t, 0, true, 1), newParty(t, 1, true, 2), newParty(t, 2, false, 3)}
	for _, p := range parties {
		p.Offline = protocol.OfflineGraph{{Name: "pairs", Rounds: p.Rank, Sent: make([]int64, 3)}}
		p.Offline[0].Sent[p.Rank] = int64(100 + p.Rank)
	}
	for name, c := range map[string]struct {
		supply            protocol.Supply
		measured, planned profile.Offline
		predicted         int64
	}{
		// The graph of what is dealt is the same at all parties: that of the first counts.
		"dealt": {protocol.OutsideDealer, profile.Offline{BytesSent: 42, Rounds: 1}, profile.Offline{BytesSent: 100}, 70},
		"between": {
			protocol.BetweenParties, profile.Offline{BytesSent: 60, Rounds: 3, BySender: []int64{10, 20, 30}},
			profile.Offline{BytesSent: 303, Rounds: 2, BySender: []int64{100, 101, 102}}, 120,
		},
	} {
		r := &Run{Protocol: &protocol.Descriptor{Supply: c.supply}, Names: []string{"a", "b", "c"}, Parties: parties, Program: &hlo.Program{}}
		measured, planned := &profile.Report{}, &profile.Report{}
		r.Fill(measured)
		r.FillPlan(planned)
		if d := cmp.Diff(c.measured, measured.Offline); d != "" {
			t.Errorf("%s, measured: %s", name, d)
		}
		if d := cmp.Diff(c.planned, planned.Offline); d != "" {
			t.Errorf("%s, planned: %s", name, d)
		}
		online, input := measured.Online, measured.Input
		if !slices.Equal(online.BytesSent, []int64{10, 20, 0}) || online.Rounds != 2 || !slices.Equal(input.BytesSent, []int64{10, 20, 30}) {
			t.Errorf("%s: online %+v, input %+v", name, online, input)
		}
		if !slices.Equal(planned.Online.Messages, []int64{2, 4, 0}) || measured.Predicted.Offline.BytesSent != c.predicted {
			t.Errorf("%s: predicted %+v", name, measured.Predicted)
		}
	}
}

// TestTally checks that a party is the same after its tally was sent, and that a tally of another
// program is refused.
func TestTally(t *testing.T) {
	mine, sent := newParty(t, 0, true, 1), newParty(t, 1, true, 5)
	text, err := json.Marshal(sent.Tally())
	if err != nil {
		t.Fatal(err)
	}
	var arrived Tally
	if err := json.Unmarshal(text, &arrived); err != nil {
		t.Fatal(err)
	}
	names := []string{"a", "b"}
	got, err := arrived.Party(1, true, mine, names)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sent.Tally(), got.Tally(), cmp.AllowUnexported(Tally{})); d != "" || got.Rank != 1 {
		t.Errorf("rank %d: %s", got.Rank, d)
	}
	arrived.Ops = append(arrived.Ops, opTally{})
	if _, err := arrived.Party(1, true, mine, names); err == nil || !strings.Contains(err.Error(), "b ran 1 operations, but a ran 0") {
		t.Errorf("got %v", err)
	}
}
