package report

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/profile"
)

// Run is what a report is made from. All parties run the same operations in the same order, so entry i of each
// party's costs belongs to the same operation.
type Run struct {
	Program  *hlo.Program
	Protocol *protocol.Descriptor // the run's protocol
	Names    []string             // names of the parties, by rank
	Parties  []*Party             // costs of the parties by rank; only the first one in a protocol in cleartext
}

// Fill sets the measured and predicted costs in a run's report, except for the seconds of phases.
func (r *Run) Fill(out *profile.Report) {
	measured := func(p *Party) *Costs { return p.Measured }
	for _, p := range []struct {
		phase link.Phase
		out   *profile.Phase
	}{{link.Setup, &out.Setup}, {link.Input, &out.Input}, {link.Output, &out.Output}} {
		p.out.BytesSent, _, p.out.Rounds = r.totals(measured, p.phase)
	}
	out.Online.BytesSent, out.Online.Messages, out.Online.Rounds = r.totals(measured, link.Online)
	dealt := map[*exec.OpCost]int64{}
	var bytes int64
	first := r.Parties[0]
	for _, p := range r.Parties {
		bytes += p.Dealt.Bytes
		for i, n := range p.Dealt.ByEntry {
			dealt[first.Measured.Ops.Ops[i]] += n
		}
	}
	r.fillOffline(out, r.offline(bytes, measured))
	if r.between() { // measured bytes are as planned, but not counted by operation
		for i, e := range first.Measured.Ops.Ops {
			dealt[e] = first.Planned.Ops.Ops[i].Offline.Load()
		}
	}
	r.fillPredicted(out)
	out.PeakMemoryBytes = peakResidentBytes()
	r.fillOps(out, measured, func(e *exec.OpCost) int64 { return dealt[e] })
}

// FillPlan sets the costs in a plan's report. Predictions take the place of measured costs, except in the output
// phase, which it leaves empty.
func (r *Run) FillPlan(out *profile.Report) {
	out.Setup.BytesSent, _, out.Setup.Rounds = r.totals(planned, link.Setup)
	out.Input.BytesSent, _, out.Input.Rounds = r.totals(planned, link.Input)
	r.fillPredicted(out)
	out.Online.BytesSent, out.Online.Messages, out.Online.Rounds = r.totals(planned, link.Online)
	r.fillOffline(out, r.OfflineGraph())
	r.fillOps(out, planned, func(e *exec.OpCost) int64 { return e.Offline.Load() })
}

// OfflineGraph returns the predicted offline phase of the whole run: its phases, with the rounds of each and the
// bytes by sender.
func (r *Run) OfflineGraph() protocol.OfflineGraph {
	first := r.Parties[0].Offline
	if !r.between() {
		return first
	}
	out := make(protocol.OfflineGraph, len(first))
	for i, phase := range first {
		out[i] = protocol.OfflinePhase{Name: phase.Name, Sent: make([]int64, len(r.Names))}
		for _, p := range r.Parties {
			mine := p.Offline[i]
			out[i].Rounds = max(out[i].Rounds, mine.Rounds)
			out[i].Sent[p.Rank] = mine.Sent[p.Rank]
		}
	}
	return out
}

func planned(p *Party) *Costs { return p.Planned }

// between reports whether the parties make their correlated randomness themselves.
func (r *Run) between() bool { return r.Protocol.Supply == protocol.BetweenParties }

// offline is the offline phase as one phase, measured or planned: the dealer's corrections, of
// dealt bytes, or the parties' traffic.
func (r *Run) offline(dealt int64, of func(*Party) *Costs) protocol.OfflineGraph {
	if !r.between() {
		return r.Protocol.DealtGraph(len(r.Names), dealt)
	}
	sent, _, rounds := r.totals(of, link.Offline)
	return protocol.OfflineGraph{{Name: "between parties", Rounds: rounds, Sent: sent}}
}

// fillOffline sets the traffic of the offline phase.
func (r *Run) fillOffline(out *profile.Report, g protocol.OfflineGraph) {
	out.Offline.BytesSent, out.Offline.Rounds = g.Bytes(), g.Rounds()
	if r.between() { // else the dealer sends all
		out.Offline.BySender = g.BySender(len(r.Names))
	}
}

// fillPredicted sets Predicted to the dry runs' costs.
func (r *Run) fillPredicted(out *profile.Report) {
	p := &out.Predicted
	p.Online.BytesSent, p.Online.Messages, p.Online.Rounds = r.totals(planned, link.Online)
	p.Offline.BytesSent = r.offline(r.Parties[0].Corrections, planned).Bytes()
}

// totals are a phase's bytes and messages by party, and its rounds. Parties that are not online
// have no online costs.
func (r *Run) totals(of func(*Party) *Costs, phase link.Phase) (bytes, messages []int64, rounds int) {
	bytes, messages = make([]int64, len(r.Names)), make([]int64, len(r.Names))
	for i, p := range r.Parties {
		if phase == link.Online && !p.Online {
			continue
		}
		c := of(p).phase(phase)
		bytes[i], messages[i] = c.Bytes, c.Messages
		rounds = max(rounds, c.Rounds)
	}
	return bytes, messages, rounds
}

// deepest is the party whose dry run has the most online rounds.
func (r *Run) deepest() *Party {
	return slices.MaxFunc(r.Parties, func(a, b *Party) int {
		return cmp.Compare(a.Planned.Rounds[link.Online], b.Planned.Rounds[link.Online])
	})
}
