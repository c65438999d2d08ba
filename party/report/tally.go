package report

import (
	"fmt"

	"github.com/tacet-mpc/tacet/link"
)

// Tally has the costs of a run at one party, without times and memory. The party sends it to the others at the
// end, as JSON.
type Tally struct {
	Phases, Planned [link.Phases]phaseTally // measured and planned traffic, by phase
	Ops             []opTally               // measured and planned costs by operation, in the order of exec.Costs.Ops
	Dealt           Dealt                   // corrections that the party has used
}

type phaseTally struct {
	Bytes, Messages int64
	Rounds          int
}

// opTally is the measured and planned cost of one entry of exec.Costs.Ops.
type opTally struct {
	Bytes, Messages, Rounds                   int64
	PlanBytes, PlanMessages, PlanRounds, Adds int64 `json:",omitempty"`
	Path                                      int32 `json:",omitempty"`
	First, Last                               int32 `json:",omitempty"`
	Expected                                  bool  `json:",omitempty"`
}

// phase is the traffic of a phase.
func (c *Costs) phase(p link.Phase) phaseTally {
	a := &c.Phases[p]
	return phaseTally{a.Bytes.Load(), a.Messages.Load(), c.Rounds[p]}
}

// restore sets the traffic of a phase.
func (c *Costs) restore(p link.Phase, t phaseTally) {
	c.Phases[p].Bytes.Store(t.Bytes)
	c.Phases[p].Messages.Store(t.Messages)
	c.Rounds[p] = t.Rounds
}

// Tally returns the party's costs without times and memory, for sending to the other parties.
func (p *Party) Tally() *Tally {
	t := &Tally{Dealt: p.Dealt}
	for phase := range link.Phases {
		t.Phases[phase], t.Planned[phase] = p.Measured.phase(phase), p.Planned.phase(phase)
	}
	for i, want := range p.Planned.Ops.Ops {
		o := opTally{
			PlanBytes: want.Bytes.Load(), PlanMessages: want.Messages.Load(), PlanRounds: want.Rounds.Load(), Adds: want.Products.Load(),
			Path: want.Path, First: want.First, Last: want.Last, Expected: want.Expected.Load(),
		}
		if p.Online {
			c := p.Measured.Ops.Ops[i]
			o.Bytes, o.Messages, o.Rounds = c.Bytes.Load(), c.Messages.Load(), c.Rounds.Load()
		}
		t.Ops = append(t.Ops, o)
	}
	return t
}

// Party returns the costs of the party that sent the tally, as a Party with this rank; its times are 0. mine is
// a party of this process: it has the operations to which the tally's numbers belong. names are the parties'
// names by rank, for the error if the tally has another number of operations.
func (t *Tally) Party(rank int, online bool, mine *Party, names []string) (*Party, error) {
	ops := mine.Planned.Ops
	if len(t.Ops) != len(ops.Ops) || len(t.Dealt.ByEntry) > len(ops.Ops) {
		return nil, fmt.Errorf("party: %s ran %d operations, but %s ran %d", names[rank], len(t.Ops), names[mine.Rank], len(ops.Ops))
	}
	p := &Party{
		Rank: rank, Online: online, Measured: &Costs{Ops: ops.Empty()}, Planned: &Costs{Ops: ops.Empty()},
		Dealt: t.Dealt, Offline: mine.Offline, Corrections: mine.Corrections,
	}
	for phase := range link.Phases {
		p.Measured.restore(phase, t.Phases[phase])
		p.Planned.restore(phase, t.Planned[phase])
	}
	for i, o := range t.Ops {
		got, want := &p.Measured.Ops.Ops[i].Cost, &p.Planned.Ops.Ops[i].Cost
		got.Calls.Store(ops.Ops[i].Calls.Load())
		got.Bytes.Store(o.Bytes)
		got.Messages.Store(o.Messages)
		got.Rounds.Store(o.Rounds)
		want.Bytes.Store(o.PlanBytes)
		want.Messages.Store(o.PlanMessages)
		want.Rounds.Store(o.PlanRounds)
		want.Products.Store(o.Adds)
		want.Expected.Store(o.Expected)
		want.Offline.Store(ops.Ops[i].Offline.Load())
		want.Path, want.First, want.Last = o.Path, o.First, o.Last
	}
	return p, nil
}
