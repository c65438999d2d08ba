package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// Run is the dry run of all parties.
type Run struct {
	Machine timing.Machine
	Network string   // the declared network
	Others  []string // networks beside Network to predict times for
	Online  int      // number of online parties, the first of Parties
	// Manifest is what a dealer deals; nil if the parties make their correlated randomness
	// themselves.
	Manifest *correlation.Manifest
	Parties  []Party // by rank
	// Resident is the part of a party's input vectors that all requests of a service share, in bytes
	// by rank; nil if there are none.
	Resident []int64
}

// Party is one party's dry run.
type Party struct {
	Traces [link.Phases]*flow.Trace
	// MultiplyAdds is the number of multiply-adds in the online phase, on words of 64 bits.
	MultiplyAdds int64
	// Shared is the bytes of shared input vectors while the program runs, Own those of the party's
	// own in addition.
	Shared, Own int64
}

// Predict adds the predicted times and memory, on the machine of r, to a plan's report. The report
// must have the traffic of all phases.
func Predict(out *profile.Report, r *Run) {
	p := &profile.Plan{Machine: r.Machine.Name, Cores: r.Machine.Cores, Lines: out.Groups(profile.ByLine), Layers: out.Groups(profile.ByLayer)}
	out.Plan = p
	for _, x := range r.Parties {
		p.MultiplyAdds = append(p.MultiplyAdds, x.MultiplyAdds)
	}
	names := r.Others
	if !slices.Contains(names, r.Network) {
		names = append([]string{r.Network}, names...)
	}
	for _, name := range names {
		n, memory := r.onNetwork(name, out)
		p.Networks = append(p.Networks, n)
		if name == r.Network {
			p.MemoryBytes, p.ResidentBytes = memory, r.Resident
			out.PeakMemoryBytes = processBytes(memory)
			out.Input.Seconds, out.Online.Seconds, out.Output.Seconds, out.Offline.Seconds = n.Input, n.Online, n.Output, n.Offline
		}
	}
}

// Simulate predicts how long a phase takes on a network, and the memory of its vectors.
func (r *Run) Simulate(phase link.Phase, network link.Shape) timing.Outcome {
	traces := make([]*flow.Trace, len(r.Parties))
	for i, x := range r.Parties {
		traces[i] = x.Traces[phase]
		if phase == link.Online && i >= r.Online { // its walk serves its plan only
			traces[i] = &flow.Trace{}
		}
	}
	return timing.Simulate(traces, timing.Setting{Machine: r.Machine, Network: network})
}

// onNetwork predicts the phases' times on a network, and the memory of each party's vectors in
// bytes.
func (r *Run) onNetwork(name string, out *profile.Report) (n profile.Network, memory []int64) {
	shape, _ := link.ParseShape(name) // Spec.Resolve has checked it
	input, online := r.Simulate(link.Input, shape), r.Simulate(link.Online, shape)
	n = profile.Network{
		Name: name, Input: input.Seconds, Online: online.Seconds,
		Output: shape.Seconds(out.Output.Rounds, slices.Max(out.Output.BytesSent)),
	}
	if bytes := out.Offline.BytesSent; bytes > 0 && r.Manifest != nil { // corrections are sent while they are made
		making := timing.DealerSeconds(r.Manifest, r.Online, r.Machine)
		n.Offline = max(making, shape.Seconds(1, bytes))
	} else if bytes > 0 {
		n.Offline = shape.Seconds(out.Offline.Rounds, slices.Max(out.Offline.BySender))
	}
	for i, x := range r.Parties {
		held := online.PeakBytes[i] + x.Shared + x.Own
		if i == r.Online-1 {
			held += out.Offline.BytesSent
		}
		memory = append(memory, max(held, input.PeakBytes[i]+x.Own))
	}
	return n, memory
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

// Correlations are a correlation manifest's totals by kind, the most bytes first.
func Correlations(m *correlation.Manifest) []profile.Correlation {
	byKind := map[correlation.Kind]*profile.Correlation{}
	for _, r := range m.Requests {
		c := byKind[r.Kind]
		if c == nil {
			c = &profile.Correlation{Kind: r.Kind.String()}
			byKind[r.Kind] = c
		}
		c.Requests++
		c.Elements += int64(r.N)
		c.Bytes += r.Bytes()
	}
	var out []profile.Correlation
	for _, c := range byKind {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b profile.Correlation) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Kind, b.Kind))
	})
	return out
}
