package flow

import (
	"errors"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// countdown exchanges as often as a number that only came with a message says.
func countdown(op *Op, left *Of[uint64]) *Of[uint64] {
	return Then(op, func() (*Of[uint64], error) {
		if left.Get() == 0 {
			return Known(uint64(42)), nil
		}
		n := sum(op, Known(left.Get()-1)) // of all parties
		return countdown(op, Do(op, 0, func() uint64 { return n.Get() / uint64(op.Graph.link.Size()) }, n)), nil
	}, left)
}

// TestThen: steps that are made while the graph runs are awaited, have clocks
// and are booked, and others' ids and messages do not depend on their number.
func TestThen(t *testing.T) {
	for _, turns := range []uint64{0, 1, 5} {
		costs := make([]Cost, 3)
		var after [3]uint64
		graphs := run(t, links(memory(t, 3)), func(g *Graph) {
			rank := g.link.Rank()
			op := g.Op(7, &costs[rank], "then")
			first := sum(op, Known(turns))
			left := Do(op, 0, func() uint64 { return first.Get() / 3 }, first)
			done := countdown(op.Aside(), left)
			last := sum(op, done)
			Do(op, 0, func() int { after[rank] = last.Get(); return 0 }, last)
			if id := op.Next(); uint32(id) != asideSteps+2 { // one exchange went before
				t.Errorf("the next id is %d", uint32(id))
			}
		})
		for i, g := range graphs {
			if want := int(turns) + 2; g.Rounds() != want || costs[i].Rounds.Load() != int64(want) || costs[i].Messages.Load() != int64(2*want) {
				t.Errorf("%d turns: %d rounds, booked %d and %d messages", turns, g.Rounds(), costs[i].Rounds.Load(), costs[i].Messages.Load())
			}
			if after[i] != 3*42 {
				t.Errorf("%d turns: what depends on the result is %d", turns, after[i])
			}
		}
	}
}

// TestThenFails: an error of the steps' maker, and a panic, end the graph.
func TestThenFails(t *testing.T) {
	broken := errors.New("broken")
	for _, f := range []func() (*Of[int], error){
		func() (*Of[int], error) { return nil, broken },
		func() (*Of[int], error) { panic("broken") },
	} {
		g := NewWeightless(link.Online, &Account{})
		op := g.Op(1, &Cost{}, "here")
		Then(op.Aside(), f)
		var at *OpError
		if err := g.Wait(); !errors.As(err, &at) || at.Where != "here" {
			t.Errorf("got %v", err)
		}
	}
}

// TestAsideIsBounded: what is set aside does not overlap, and cannot run over.
func TestAsideIsBounded(t *testing.T) {
	op := NewWeightless(link.Online, &Account{}).Op(1, &Cost{}, "")
	op.Next()
	a, b := op.Aside(), op.Aside()
	for range asideSteps {
		a.Next()
	}
	if x, y := a.seq, uint32(b.Next()); x >= y || y >= uint32(op.Next()) {
		t.Errorf("ids %d, %d overlap", x, y)
	}
	defer func() {
		if recover() == nil {
			t.Error("ids run over")
		}
	}()
	a.Next()
}

// TestRoundsOfTalk: an exchange may take as many rounds as messages between
// others that it waits for.
func TestRoundsOfTalk(t *testing.T) {
	cost := &Cost{}
	g := NewWeightless(link.Online, &Account{})
	op := g.Op(1, cost, "")
	x := Exchange(op, 0, Talk{From: []int{2}, Size: 1, Rounds: 3}, func([]ring.Payload) (int, error) { return 0, nil })
	y := Exchange(op, 0, Talk{To: []int{1}, Rounds: 1, Pack: func() ring.Payload { return ring.Payload{} }}, func([]ring.Payload) (int, error) { return 0, nil }, x)
	if x.Clock() != 3 || y.Clock() != 4 || g.Rounds() != 4 || cost.Rounds.Load() != 4 {
		t.Errorf("clocks %d and %d, %d rounds, %d booked", x.Clock(), y.Clock(), g.Rounds(), cost.Rounds.Load())
	}
}
