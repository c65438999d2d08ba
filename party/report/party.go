package report

import (
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// Costs are the costs of a run at one party, measured or planned.
type Costs struct {
	Ops    *exec.Costs               // online phase and own evaluation, by operation
	Phases [link.Phases]flow.Account // bytes and messages
	Rounds [link.Phases]int
}

// Dealt is the bytes of corrections that a party used.
type Dealt struct {
	Bytes   int64
	ByEntry []int64 `json:",omitempty"` // by operation, in the order of exec.Costs.Ops
}

// Party is one party's part of a report.
type Party struct {
	Rank     int
	Online   bool   // the party takes part in the online phase
	Measured *Costs // nil in a plan
	Planned  *Costs
	Dealt    Dealt
	// Offline is the plan of the offline phase; between parties, of this party's side.
	Offline protocol.OfflineGraph
	// Corrections is the bytes of the correlation manifest's corrections.
	Corrections int64
}

// ExpectSorts replaces the measured costs of sorts by revealed comparisons by the expected ones.
func (p *Party) ExpectSorts() {
	if !p.Online {
		return
	}
	sorts := false
	for i, want := range p.Planned.Ops.Ops {
		if want.Expected.Load() {
			c := p.Measured.Ops.Ops[i]
			c.Bytes.Store(want.Bytes.Load())
			c.Messages.Store(want.Messages.Load())
			c.Rounds.Store(want.Rounds.Load())
			sorts = true
		}
	}
	if sorts {
		p.Measured.restore(link.Online, p.Planned.phase(link.Online))
	}
}
