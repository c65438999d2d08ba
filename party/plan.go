package party

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// Plan predicts the costs of Run without owned data. If s.Machine is set it also predicts times, on
// the declared network and on those of Networks.
func Plan(ctx context.Context, s Spec) (*profile.Report, error) {
	l, err := s.execute(ctx, needsPublic)
	if err != nil {
		return nil, err
	}
	if err := l.each(ctx, func(ctx context.Context, x *session) error {
		if err := x.prepare(ctx); err != nil {
			return err
		}
		return x.predictHandshake()
	}); err != nil {
		return nil, err
	}
	r := l.plannedReport()
	if l.spec.Machine != nil {
		l.fillPlan(r)
	}
	return r, nil
}

// newDryRunGraph makes the graph of a phase of a plan. With a machine's profile its steps are
// recorded, from which times follow.
func (s *session) newDryRunGraph(phase link.Phase, f *prediction) *flow.Graph {
	if s.spec.Machine == nil {
		return flow.NewDryRun(phase, &f.Phases[phase])
	}
	f.traces[phase] = &flow.Trace{}
	return flow.NewTraced(phase, &f.Phases[phase], s.spec.Machine.Rates(), f.traces[phase])
}

// simulate predicts how long a phase takes on a network, and the memory of its vectors.
func (l *execution) simulate(phase link.Phase, network link.Shape) timing.Outcome {
	traces := make([]*flow.Trace, len(l.sessions))
	for i, x := range l.sessions {
		traces[i] = x.plan.traces[phase]
		if phase == link.Online && !x.computes() { // its walk serves its plan only
			traces[i] = &flow.Trace{}
		}
	}
	return timing.Simulate(traces, timing.Setting{Machine: *l.spec.Machine, Network: network})
}

// fillPlan sets the fields of the report that only a plan has.
func (l *execution) fillPlan(r *profile.Report) {
	p := &profile.Plan{Machine: l.spec.Machine.Name, Cores: l.spec.Machine.Cores, Correlations: l.correlations()}
	r.Plan = p
	p.Choices = l.spec.choices
	p.Lines, p.Layers = r.Groups(profile.ByLine), r.Groups(profile.ByLayer)
	for _, x := range l.sessions {
		adds := int64(0)
		for _, e := range x.plan.Ops.Ops {
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
		shape, _ := link.ParseShape(name) // Resolve has checked it
		n, memory := l.onNetwork(name, shape, r)
		p.Networks = append(p.Networks, n)
		if name == l.spec.Network {
			p.MemoryBytes, p.ResidentBytes = memory, l.residentBytes()
			r.PeakMemoryBytes = processBytes(memory)
			r.Input.Seconds, r.Online.Seconds, r.Output.Seconds, r.Offline.Seconds = n.Input, n.Online, n.Output, n.Offline
		}
	}
}

// onNetwork predicts the phases' times on a network, and the memory of each party's vectors in
// bytes.
func (l *execution) onNetwork(name string, shape link.Shape, r *profile.Report) (n profile.Network, memory []int64) {
	input, online := l.simulate(link.Input, shape), l.simulate(link.Online, shape)
	n = profile.Network{
		Name: name, Input: input.Seconds, Online: online.Seconds,
		Output: shape.Seconds(r.Output.Rounds, slices.Max(r.Output.BytesSent)),
	}
	if dealt := r.Offline.BytesSent; dealt > 0 && l.spec.Descriptor().Dealt() { // corrections are sent while they are made
		making := timing.DealerSeconds(l.sessions[0].plan.manifest, l.spec.online(), *l.spec.Machine)
		n.Offline = max(making, shape.Seconds(1, dealt))
	} else if dealt > 0 {
		n.Offline = shape.Seconds(r.Offline.Rounds, slices.Max(r.Offline.BySender))
	}
	for i, x := range l.sessions {
		shared, own := x.vectorBytes(x.inputs)
		held := online.PeakBytes[i] + shared + own
		if i == l.spec.online()-1 {
			held += r.Offline.BytesSent
		}
		memory = append(memory, max(held, input.PeakBytes[i]+own))
	}
	return n, memory
}

// vectorBytes is the memory of a party's input vectors while the program runs, in bytes: shared
// vectors, and additionally the party's own.
func (s *session) vectorBytes(in protocol.Inputs) (shared, own int64) {
	shared, own = in.Bytes(s.rank)
	if !s.computes() {
		shared = 0
	}
	return shared, own
}

// residentBytes is the memory of a service's resident vectors by party, in bytes; nil if there are
// none.
func (l *execution) residentBytes() []int64 {
	if !slices.ContainsFunc(l.spec.Args, func(a Arg) bool { return a.Resident }) {
		return nil
	}
	var out []int64
	for _, x := range l.sessions {
		shared, own := x.vectorBytes(x.inputs.Staying())
		out = append(out, shared+own)
	}
	return out
}

// baseMemory is the memory of a process without vectors, in bytes; heapPerLive is the factor
// by which the garbage collector lets the heap exceed live data.
const (
	baseMemory  = 40 << 20
	heapPerLive = 2
)

// processBytes estimates the resident size of a process from the memory of its parties' vectors.
func processBytes(memory []int64) int64 {
	sum := int64(baseMemory)
	for _, n := range memory {
		sum += heapPerLive * n
	}
	return sum
}

// correlations are the correlation manifest's totals by kind, the most bytes first.
func (l *execution) correlations() []profile.Correlation {
	byKind := map[correlation.Kind]*profile.Correlation{}
	var out []profile.Correlation
	for _, r := range l.sessions[0].plan.manifest.Requests {
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
