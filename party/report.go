package party

import (
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
)

// report puts the sessions' costs together. Times and memory are of the parties in
// this process: of one party where the others have processes of their own.
func (l *local) report() *profile.Report {
	r := l.heading()
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
	r.Offline = profile.Offline{Seconds: l.offline, BytesSent: bytes, Rounds: dealtRounds(bytes)}
	if l.spec.Store != "" && l.sessions[0].begun != l.live {
		r.Offline.Session = l.sessions[0].begun.String()
	}
	l.forecast(r)
	r.PeakMemoryBytes = residentPeak()
	l.book(r, func(x *session) *exec.Costs { return x.costs }, func(e *exec.OpCost) int64 { return dealt[e] })
	return r
}

// planned is the report of a plan: what is predicted stands in place of what
// would be measured too.
func (l *local) planned() *profile.Report {
	r := l.heading()
	plan := func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.plan.rounds, &x.plan.phases }
	r.Setup.BytesSent, _, r.Setup.Rounds = l.totals(plan, link.Setup)
	r.Input.BytesSent, _, r.Input.Rounds = l.totals(plan, link.Input)
	l.forecast(r)
	r.Online.BytesSent, r.Online.Messages, r.Online.Rounds = r.Predicted.Online.BytesSent, r.Predicted.Online.Messages, r.Predicted.Online.Rounds
	r.Offline.BytesSent, r.Offline.Rounds = r.Predicted.Offline.BytesSent, dealtRounds(r.Predicted.Offline.BytesSent)
	r.Output.BytesSent = l.outputBytes()
	for _, n := range r.Output.BytesSent {
		if n > 0 {
			r.Output.Rounds = 1
		}
	}
	l.book(r, func(x *session) *exec.Costs { return x.plan.costs }, func(e *exec.OpCost) int64 { return e.Offline.Load() })
	return r
}

// dealtRounds are the offline phase's: what is dealt goes one way, at once.
func dealtRounds(bytes int64) int {
	if bytes > 0 {
		return 1
	}
	return 0
}

func (l *local) heading() *profile.Report {
	s := l.spec
	r := &profile.Report{Program: s.Program.File, Protocol: s.Protocol, Ring: s.Ring, Fraction: s.Fraction, Parties: s.Parties, Network: s.Network}
	if s.course != nil && s.course.later() {
		r.From = Checkpoint{Loop: s.course.at.Loop, Turn: s.course.at.Turn}.Place()
	}
	return r
}

// forecast fills in what the weightless runs predicted.
func (l *local) forecast(r *profile.Report) {
	p := &r.Predicted
	p.Online.BytesSent, p.Online.Messages, p.Online.Rounds = l.totals(func(x *session) ([link.Phases]int, *[link.Phases]flow.Account) { return x.plan.rounds, &x.plan.phases }, link.Online)
	p.Offline.BytesSent = l.sessions[0].plan.form.Bytes()
}

// totals are a phase's bytes and messages of every party, and its rounds.
// Parties that do not compute have no online phase.
func (l *local) totals(of func(*session) ([link.Phases]int, *[link.Phases]flow.Account), p link.Phase) (bytes, messages []int64, rounds int) {
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

// outputBytes is what the reveals will send.
func (l *local) outputBytes() []int64 {
	out := make([]int64, len(l.spec.Parties))
	if l.spec.Protocol == "plain" {
		return out
	}
	for _, r := range l.sessions[0].plan.results {
		n, bits := int64(r.Type.Shape.Size()), int64(r.Type.DType.Bits())
		if r.Who == exec.Secret {
			n, bits = int64(r.Secret.S.Len()), int64(r.Secret.S.Ring().Bits)
		}
		for _, to := range l.spec.Reveal {
			for i := range out {
				sends := r.Who == i || r.Who == exec.Secret && i < l.spec.online()
				if sends && i != to {
					out[i] += (n*bits + 7) / 8
				}
			}
		}
	}
	return out
}
