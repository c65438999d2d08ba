package party

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/party/report"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/version"
)

// cost is the party's part of the report.
func (s *session) cost() *report.Party {
	p := &report.Party{
		Rank: s.rank, Online: s.computes(), Planned: &s.plan.Costs, Dealt: s.dealt, Offline: s.plan.offline, Corrections: s.plan.corrections,
	}
	if s.measured.Ops != nil {
		p.Measured = &s.measured
	}
	return p
}

// costs are the costs of all parties, or of those in this process until the parties have exchanged
// tallies.
func (l *execution) costs() *report.Run {
	r := &report.Run{Program: l.spec.Program, Protocol: l.spec.Descriptor(), Names: l.spec.Parties, Parties: l.parties}
	if r.Parties == nil {
		for _, x := range l.sessions {
			r.Parties = append(r.Parties, x.cost())
		}
	}
	return r
}

// exchangeTallies ends a run whose other parties are in other processes: each party tells the
// others that it has finished, with its tally.
func (l *execution) exchangeTallies(ctx context.Context) error {
	x := l.sessions[0]
	mine, names := x.cost(), l.spec.Parties
	mine.ExpectSorts()
	tally, all := mine.Tally(), make([]*report.Party, len(names))
	all[x.rank] = mine
	err := x.gather(ctx, stepTallies, func(int) any { return tally }, func(from int, data []byte) error {
		var t report.Tally
		if err := json.Unmarshal(data, &t); err != nil {
			return fmt.Errorf("party: malformed costs from %s: %w", names[from], err)
		}
		var err error
		all[from], err = t.Party(from, from < l.spec.online(), mine, names)
		return err
	})
	if err == nil {
		l.parties = all
	}
	return err
}

// report is the report of a run. Times and memory are those of the parties in this process.
func (l *execution) report() *profile.Report {
	r := l.reportHeader()
	l.costs().Fill(r)
	r.Setup.Seconds, r.Input.Seconds, r.Output.Seconds = l.seconds[link.Setup], l.seconds[link.Input], l.seconds[link.Output]
	r.Online.Seconds, r.Offline.Seconds = l.seconds[link.Online], l.offline
	r.Offline.BesideOnline = min(l.beside, l.offline)
	if !l.spec.shape().Zero() {
		r.Offline.BesideInput = min(l.besideInput, l.offline-r.Offline.BesideOnline)
	}
	if x := l.sessions[0]; l.spec.Store != "" && x.sessionID != l.dealerSession || x.kept != nil {
		r.Offline.Session = x.sessionID.String()
	}
	return r
}

// plannedReport is the report of a plan.
func (l *execution) plannedReport() *profile.Report {
	r := l.reportHeader()
	l.costs().FillPlan(r)
	r.Output.BytesSent = l.outputBytes()
	for _, n := range r.Output.BytesSent {
		if n > 0 {
			r.Output.Rounds = 1
		}
	}
	return r
}

// reportHeader is a report with the job's settings only.
func (l *execution) reportHeader() *profile.Report {
	s := l.spec
	r := &profile.Report{
		Tacet: version.Get().String(), Program: s.Program.File, Protocol: s.Protocol, Ring: s.Ring, Fraction: s.Fraction, Parties: s.Parties,
		Network: s.Network,
	}
	r.Offline.PairState = l.sessions[0].pairStateText()
	if s.resume != nil && s.resume.Resumes() {
		r.ResumedFrom = s.resume.Place()
	}
	return r
}

// outputBytes is the bytes that reveals will send, by party.
func (l *execution) outputBytes() []int64 {
	out := make([]int64, len(l.spec.Parties))
	if l.spec.clear() {
		return out
	}
	all := l.sessions[0].plan.results
	for _, r := range all[:len(all)-len(l.spec.State)] {
		n, bits := int64(r.Type.Shape.Size()), int64(r.Type.DType.Bits())
		if r.Owner == exec.Secret {
			n, bits = int64(r.Secret.S.Len()), int64(r.Secret.S.Ring().Bits)
			if x, ok := r.Secret.S.(mpc.Revealed); ok {
				bits = int64(x.RevealBits())
			}
		}
		for _, to := range l.spec.Reveal {
			for i := range out {
				sends := r.Owner == i || r.Owner == exec.Secret && i < l.spec.online()
				if sends && i != to {
					out[i] += (n*bits + 7) / 8
				}
			}
		}
	}
	return out
}
