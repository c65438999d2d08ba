package party

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// Plan says what Run would cost, without data; with a machine's profile also
// how long it would take, on the declared network and on those that Networks
// names.
func Plan(ctx context.Context, s Spec) (*profile.Report, error) {
	l, err := s.local(ctx)
	if err != nil {
		return nil, err
	}
	if err := l.each(ctx, func(ctx context.Context, x *session) error {
		if err := x.prepare(ctx); err != nil {
			return err
		}
		return x.expectHandshake()
	}); err != nil {
		return nil, err
	}
	r := l.planned()
	if l.spec.Machine != nil {
		l.outlook(r)
	}
	return r, nil
}

// weightless is the graph of a phase of a plan. With a machine's profile its
// steps are kept, so that times follow from them.
func (s *session) weightless(phase link.Phase, f *forecast) *flow.Graph {
	if s.spec.Machine == nil {
		return flow.NewWeightless(phase, &f.phases[phase])
	}
	f.traces[phase] = &flow.Trace{}
	return flow.NewTraced(phase, &f.phases[phase], s.spec.Machine.Rates(), f.traces[phase])
}

// simulate is how long a phase takes, and what vectors take meanwhile.
func (l *local) simulate(phase link.Phase, network link.Shape) timing.Outcome {
	traces := make([]*flow.Trace, len(l.sessions))
	for i, x := range l.sessions {
		traces[i] = x.plan.traces[phase]
		if phase == link.Online && !x.computes() { // its walk is for its plan alone
			traces[i] = &flow.Trace{}
		}
	}
	return timing.Simulate(traces, timing.Setting{Machine: *l.spec.Machine, Network: network})
}

// outlook fills in what only a plan says.
func (l *local) outlook(r *profile.Report) {
	p := &profile.Plan{Machine: l.spec.Machine.Name, Cores: l.spec.Machine.Cores, Correlations: l.correlations()}
	r.Plan = p
	p.Choices = l.spec.choices
	p.Lines, p.Layers = r.Groups(profile.ByLine), r.Groups(profile.ByLayer)
	for _, x := range l.sessions {
		adds := int64(0)
		for _, e := range x.plan.costs.Ops {
			if x.computes() {
				adds += e.Products.Load()
			}
		}
		p.MultiplyAdds = append(p.MultiplyAdds, adds)
	}
	names := l.spec.Networks
	if !slices.Contains(names, l.spec.Network) {
		names = append([]string{l.spec.Network}, names...)
	}
	for _, name := range names {
		shape, _ := link.ParseShape(name) // which has been checked
		n, memory := l.onNetwork(name, shape, r)
		p.Networks = append(p.Networks, n)
		if name == l.spec.Network {
			p.MemoryBytes, p.StayingBytes = memory, l.staying()
			r.PeakMemoryBytes = residentOf(memory)
			r.Input.Seconds, r.Online.Seconds, r.Output.Seconds, r.Offline.Seconds = n.Input, n.Online, n.Output, n.Offline
		}
	}
}

// onNetwork is how long phases take on a network, and what vectors take at each
// party.
func (l *local) onNetwork(name string, shape link.Shape, r *profile.Report) (n profile.Network, memory []int64) {
	input, online := l.simulate(link.Input, shape), l.simulate(link.Online, shape)
	n = profile.Network{
		Name: name, Input: input.Seconds, Online: online.Seconds,
		Output: shape.Seconds(r.Output.Rounds, slices.Max(r.Output.BytesSent)),
	}
	if dealt := r.Offline.BytesSent; dealt > 0 { // it is sent as it is made
		making := timing.Dealing(l.sessions[0].plan.form, l.spec.online(), *l.spec.Machine)
		n.Offline = max(making, shape.Seconds(1, dealt))
	}
	for i, x := range l.sessions {
		shared, own := x.holds(x.inputs)
		held := online.Bytes[i] + shared + own
		if i == l.spec.online()-1 {
			held += r.Offline.BytesSent
		}
		memory = append(memory, max(held, input.Bytes[i]+own))
	}
	return n, memory
}

// holds is what a party holds of vectors while the program runs: what is shared,
// and beside that what is its own.
func (s *session) holds(in semi2k.Inputs) (shared, own int64) {
	shared, own = in.Bytes(s.rank)
	if !s.computes() {
		shared = 0
	}
	return shared, own
}

// staying is what stays for all turns of a service, at each party; nil if nothing
// does.
func (l *local) staying() []int64 {
	if !slices.ContainsFunc(l.spec.Args, func(a Arg) bool { return a.Stays }) {
		return nil
	}
	var out []int64
	for _, x := range l.sessions {
		shared, own := x.holds(x.inputs.Staying())
		out = append(out, shared+own)
	}
	return out
}

// What a process takes beside its vectors, and how much more than what is in
// use the garbage collector lets it grow.
const (
	baseMemory  = 40 << 20
	heapPerLive = 2
)

// residentOf is about what a process takes whose parties' vectors take so much.
func residentOf(memory []int64) int64 {
	sum := int64(baseMemory)
	for _, n := range memory {
		sum += heapPerLive * n
	}
	return sum
}

// correlations are the order form's totals by kind, the dearest first.
func (l *local) correlations() []profile.Correlation {
	byKind := map[correlation.Kind]*profile.Correlation{}
	var out []profile.Correlation
	for _, r := range l.sessions[0].plan.form.Requests {
		c := byKind[r.Kind]
		if c == nil {
			c = &profile.Correlation{Kind: r.Kind.String()}
			byKind[r.Kind] = c
		}
		c.Requests++
		c.Elements += int64(r.N)
		c.Bytes += r.Bytes()
	}
	for _, c := range byKind {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b profile.Correlation) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Kind, b.Kind))
	})
	return out
}
