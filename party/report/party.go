package report

import (
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// Costs are the costs of a run at one party, either measured or planned.
type Costs struct {
	Ops    *exec.Costs               // costs of the online phase and of the party's cleartext evaluation, by operation
	Phases [link.Phases]flow.Account // bytes and messages sent, by phase
	Rounds [link.Phases]int          // communication rounds, by phase
}

// Dealt counts the bytes of corrections that a party has used.
type Dealt struct {
	Bytes int64 // all bytes
	// ByEntry has the bytes by operation, in the order of exec.Costs.Ops.
	ByEntry []int64 `json:",omitempty"`
}

// Party has one party's costs of a run, from which a report is made.
type Party struct {
	Rank     int    // rank of the party
	Online   bool   // the party takes part in the online phase
	Measured *Costs // measured costs; nil in a plan
	Planned  *Costs // predicted costs
	Dealt    Dealt  // corrections that the party has used
	// Offline is the predicted offline phase. If the parties make the correlations themselves, it has this
	// party's side only.
	Offline protocol.OfflineGraph
	// Corrections is the number of bytes of all corrections in the correlation manifest.
	Corrections int64
}

// ExpectSorts replaces the measured costs of sorts by revealed comparisons by the expected costs, because the
// measured ones depend on the data. It has no effect at parties that are not online.
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
