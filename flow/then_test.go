package flow

import (
	"errors"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// countdown exchanges as often as a number says that arrived with a message.
func countdown(op *Op, left *Future[uint64]) *Future[uint64] {
	return Then(op, func() (*Future[uint64], error) {
		if left.Get() == 0 {
			return Resolved(uint64(42)), nil
		}
		n := sum(op, Resolved(left.Get()-1)) // over all parties
		return countdown(op, Do(op, 0, func() uint64 { return n.Get() / uint64(op.Graph.link.Size()) }, n)), nil
	}, left)
}

// Steps that are added while the graph runs are awaited, have clocks and are booked; other steps'
// ids and message numbers do not depend on their number.
func TestThen(t *testing.T) {
	for _, iterations := range []uint64{0, 1, 5} {
		costs := make([]Cost, 3)
		var after [3]uint64
		graphs := run(t, links(memory(t, 3)), func(g *Graph) {
			rank := g.link.Rank()
			op := g.Op(7, &costs[rank], "then")
			first := sum(op, Resolved(iterations))
			left := Do(op, 0, func() uint64 { return first.Get() / 3 }, first)
			done := countdown(op.Reserve(), left)
			last := sum(op, done)
			Do(op, 0, func() int { after[rank] = last.Get(); return 0 }, last)
			if id := op.Next(); uint32(id) != reservedSteps+2 { // one exchange went before
				t.Errorf("the next id is %d", uint32(id))
			}
		})
		for i, g := range graphs {
			if want := int(iterations) + 2; g.Rounds() != want || costs[i].Rounds.Load() != int64(want) ||
				costs[i].Messages.Load() != int64(2*want) {
				t.Errorf(
					"%d iterations: %d rounds, booked %d and %d messages",
					iterations,
					g.Rounds(),
					costs[i].Rounds.Load(),
					costs[i].Messages.Load(),
				)
			}
			if after[i] != 3*42 {
				t.Errorf("%d iterations: what depends on the result is %d", iterations, after[i])
			}
		}
	}
}

// An error or a panic of Then's function ends the graph.
func TestThenFails(t *testing.T) {
	broken := errors.New("broken")
	for _, f := range []func() (*Future[int], error){
		func() (*Future[int], error) { return nil, broken },
		func() (*Future[int], error) { panic("broken") },
	} {
		g := NewDryRun(link.Online, &Account{})
		op := g.Op(1, &Cost{}, "here")
		Then(op.Reserve(), f)
		var at *OpError
		if err := g.Wait(); !errors.As(err, &at) || at.Where != "here" {
			t.Errorf("got %v", err)
		}
	}
}

// Reserved ids do not overlap, and exceeding them panics.
func TestReserveIsBounded(t *testing.T) {
	op := NewDryRun(link.Online, &Account{}).Op(1, &Cost{}, "")
	op.Next()
	a, b := op.Reserve(), op.Reserve()
	for range reservedSteps {
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

// An exchange may take as many rounds as the messages between other parties that it waits for.
func TestRoundsOfExchange(t *testing.T) {
	cost := &Cost{}
	g := NewDryRun(link.Online, &Account{})
	op := g.Op(1, cost, "")
	x := Exchange(op, 0, ExchangeSpec{From: []int{2}, Size: 1, Rounds: 3}, func([]ring.Payload) (int, error) { return 0, nil })
	y := Exchange(
		op,
		0,
		ExchangeSpec{To: []int{1}, Rounds: 1, Pack: func() ring.Payload { return ring.Payload{} }},
		func([]ring.Payload) (int, error) { return 0, nil },
		x,
	)
	if x.Clock() != 3 || y.Clock() != 4 || g.Rounds() != 4 || cost.Rounds.Load() != 4 {
		t.Errorf("clocks %d and %d, %d rounds, %d booked", x.Clock(), y.Clock(), g.Rounds(), cost.Rounds.Load())
	}
}
