package party

import (
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/profile"
)

// report combines the sessions' costs. Times and memory are those of the parties in this process.
func (l *execution) report() *profile.Report {
	r := l.reportHeader()
	phase := func(p link.Phase) profile.Phase {
		out := profile.Phase{Seconds: l.seconds[p]}
		out.BytesSent, _, out.Rounds = l.totals(func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.rounds, &x.phases }, p)
		return out
	}
	r.Setup, r.Input, r.Output = phase(link.Setup), phase(link.Input), phase(link.Output)
	r.Online.Seconds = l.seconds[link.Online]
	r.Online.BytesSent, r.Online.Messages, r.Online.Rounds = l.totals(func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.rounds, &x.phases }, link.Online)
	dealt := map[*exec.OpCost]int64{}
	var bytes int64
	for _, x := range l.sessions {
		bytes += x.dealt.Bytes
		for i, n := range x.dealt.ByEntry {
			dealt[l.sessions[0].costs.Ops[i]] += n
		}
	}
	off := l.offlineOf(bytes, func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.rounds, &x.phases })
	r.Offline = profile.Offline{Seconds: l.offline, BytesSent: off.Bytes(), BySender: l.bySender(off), Rounds: off.Rounds()}
	if l.spec.Store != "" && l.sessions[0].sessionID != l.dealerSession {
		r.Offline.Session = l.sessions[0].sessionID.String()
	}
	if l.spec.Descriptor().Supply == protocol.BetweenParties { // measured bytes are as planned, but not counted by operation
		for i, e := range l.sessions[0].costs.Ops {
			dealt[e] = l.sessions[0].plan.costs.Ops[i].Offline.Load()
		}
	}
	l.fillPredicted(r)
	r.PeakMemoryBytes = peakResidentBytes()
	l.reportOps(r, func(x *session) *exec.Costs { return x.costs }, func(e *exec.OpCost) int64 { return dealt[e] })
	return r
}

// plannedReport is the report of a plan: predictions stand in place of measurements too.
func (l *execution) plannedReport() *profile.Report {
	r := l.reportHeader()
	plan := func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.plan.rounds, &x.plan.phases }
	r.Setup.BytesSent, _, r.Setup.Rounds = l.totals(plan, link.Setup)
	r.Input.BytesSent, _, r.Input.Rounds = l.totals(plan, link.Input)
	l.fillPredicted(r)
	r.Online.BytesSent, r.Online.Messages, r.Online.Rounds = r.Predicted.Online.BytesSent, r.Predicted.Online.Messages, r.Predicted.Online.Rounds
	off := l.offlineGraph()
	r.Offline.BytesSent, r.Offline.BySender, r.Offline.Rounds = off.Bytes(), l.bySender(off), off.Rounds()
	r.Output.BytesSent = l.outputBytes()
	for _, n := range r.Output.BytesSent {
		if n > 0 {
			r.Output.Rounds = 1
		}
	}
	l.reportOps(r, func(x *session) *exec.Costs { return x.plan.costs }, func(e *exec.OpCost) int64 { return e.Offline.Load() })
	return r
}

// bySender is the offline bytes that each party sends in an offline phase between the parties, else
// nil.
func (l *execution) bySender(g protocol.OfflineGraph) []int64 {
	if l.spec.Descriptor().Supply != protocol.BetweenParties {
		return nil // the dealer sends all
	}
	return g.BySender(len(l.spec.Parties))
}

// reportHeader is a report with the job's settings only.
func (l *execution) reportHeader() *profile.Report {
	s := l.spec
	r := &profile.Report{Program: s.Program.File, Protocol: s.Protocol, Ring: s.Ring, Fraction: s.Fraction, Parties: s.Parties, Network: s.Network}
	if s.resume != nil && s.resume.Resumes() {
		r.ResumedFrom = s.resume.Place()
	}
	return r
}

// fillPredicted sets Predicted to the dry runs' costs.
func (l *execution) fillPredicted(r *profile.Report) {
	p := &r.Predicted
	p.Online.BytesSent, p.Online.Messages, p.Online.Rounds = l.totals(func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.plan.rounds, &x.plan.phases }, link.Online)
	p.Offline.BytesSent = l.offlineOf(l.sessions[0].plan.manifest.Bytes(), func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.plan.rounds, &x.plan.phases }).Bytes()
}

// totals are a phase's bytes and messages by party, and its rounds. Parties that are not online
// have no online costs.
func (l *execution) totals(of func(*session) ([link.Phases]int, *[link.Phases]flow.Account), p link.Phase) (bytes, messages []int64, rounds int) {
	bytes, messages = make([]int64, len(l.spec.Parties)), make([]int64, len(l.spec.Parties))
	for i, x := range l.sessions {
		if p == link.Online && !x.computes() {
			continue
		}
		r, a := of(x)
		bytes[i], messages[i] = a[p].Bytes.Load(), a[p].Messages.Load()
		rounds = max(rounds, r[p])
	}
	return bytes, messages, rounds
}

// outputBytes is the bytes that reveals will send, by party.
func (l *execution) outputBytes() []int64 {
	out := make([]int64, len(l.spec.Parties))
	if l.spec.clear() {
		return out
	}
	for _, r := range l.sessions[0].plan.results {
		n, bits := int64(r.Type.Shape.Size()), int64(r.Type.DType.Bits())
		if r.Owner == exec.Secret {
			n, bits = int64(r.Secret.S.Len()), int64(r.Secret.S.Ring().Bits)
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
