package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// Run holds the dry runs of all parties, and the machine and networks for which times are predicted.
type Run struct {
	Machine timing.Machine // the machine for which times are predicted
	Network string         // the declared network, spelled as in party.Spec
	Others  []string       // further networks for which times are predicted
	Online  int            // number of online parties, which are the first of Parties
	// Manifest is the list of correlations that a dealer makes; nil if the parties make their correlated
	// randomness themselves.
	Manifest *correlation.Manifest
	Parties  []Party // the dry runs by rank
	// Resident has, by rank, the bytes of a party's input vectors that all requests of a service share; nil if
	// there are none.
	Resident []int64
}

// Party is the dry run of one party.
type Party struct {
	Traces [link.Phases]*flow.Trace // the steps of each phase, for package timing
	// MultiplyAdds is the number of multiplications with addition of 64-bit words in the online phase.
	MultiplyAdds int64
	// Shared is the size in bytes of all shared input vectors while the program runs; Own is the size of the
	// party's own inputs in addition.
	Shared, Own int64
}

// Predict sets the predicted times and memory in a plan's report, for the machine and the networks of r. The
// report must already have the traffic of all phases.
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
		n, memory, process := r.onNetwork(name, out)
		p.Networks = append(p.Networks, n)
		if name == r.Network {
			p.MemoryBytes, p.ResidentBytes = memory, r.Resident
			out.PeakMemoryBytes = processBytes(process)
			out.Input.Seconds, out.Online.Seconds, out.Output.Seconds, out.Offline.Seconds = n.Input, n.Online, n.Output, n.Offline
			out.Offline.BesideOnline, out.Offline.BesideInput = n.Beside, n.BesideInput
		}
	}
}

// Simulate predicts how long a phase takes on a network of this shape, and the peak memory of its vectors at
// each party.
func (r *Run) Simulate(phase link.Phase, network link.Shape) timing.Outcome {
	return r.simulate(phase, r.setting(network, nil))
}

// setting is that of a run with all parties in one process, in which corrections arrive at these times.
func (r *Run) setting(network link.Shape, arrivals map[uint64]float64) timing.Setting {
	return timing.Setting{
		Machine: r.Machine, Network: network, Near: network.Zero(), Arrivals: arrivals, Receiver: r.Online - 1, FreshBytes: r.freshBytes(),
	}
}

// freshBytes is the memory that a new process with all parties has not used before the online phase and takes before the collector runs
// first. The dry runs have taken as much for their steps as the run will.
func (r *Run) freshBytes() int64 {
	left := int64(leastGrowth)
	for _, x := range r.Parties {
		if t := x.Traces[link.Online]; t != nil {
			left -= int64(len(t.Steps)) * timing.StepAllocated
		}
	}
	return max(0, left)
}

// arrivals returns when each correction that has not arrived as the online phase begins arrives, in seconds since then, by its id.
// The dealer begins to send begin seconds before that, and sends at a constant rate for so many seconds in all.
func (r *Run) arrivals(seconds, begin float64) map[uint64]float64 {
	out, sent, total := map[uint64]float64{}, int64(0), r.Manifest.Bytes()
	for _, x := range r.Manifest.Requests {
		sent += x.Bytes()
		if at := seconds*float64(sent)/float64(total) - begin; at > 0 {
			out[uint64(x.ID)] = at
		}
	}
	return out
}

func (r *Run) simulate(phase link.Phase, s timing.Setting) timing.Outcome {
	traces := make([]*flow.Trace, len(r.Parties))
	for i, x := range r.Parties {
		traces[i] = x.Traces[phase]
		if phase == link.Online && i >= r.Online { // its walk serves its plan only
			traces[i] = &flow.Trace{}
		}
	}
	s.Phase = phase
	return timing.Simulate(traces, s)
}

// onNetwork predicts the phases' times on a network, and the memory in bytes of each party's vectors if it has a process of its own,
// and of all vectors of a process that runs all parties. What these have in common counts once in the latter (flow.SameVector).
func (r *Run) onNetwork(name string, out *profile.Report) (n profile.Network, memory []int64, process int64) {
	shape, _ := link.ParseShape(name) // Spec.Resolve has checked it
	input := r.Simulate(link.Input, shape)
	n = profile.Network{
		Name: name, Input: input.Seconds,
		Output: shape.Seconds(out.Output.Rounds, slices.Max(out.Output.BytesSent)),
	}
	bytes := out.Offline.BytesSent
	var arrivals map[uint64]float64
	rest := 0.0                         // seconds that the dealer's work takes away from the online phase, for want of a network between them
	if bytes > 0 && r.Manifest != nil { // corrections are sent while they are made
		making := timing.DealerSeconds(r.Manifest, r.Online, r.Machine)
		n.Offline = max(making, shape.Seconds(1, bytes))
		if n.Beside = max(0, n.Offline*float64(bytes-offline.MaxWaiting)/float64(bytes)); shape.Zero() {
			rest = n.Beside
		} else {
			// Corrections arrive while inputs are shared. The online phase begins as offline.Request.MaxTail says.
			tail := offline.Tail(shape, out.Online.Rounds, out.Online.BytesSent[r.Online-1], r.Online).Seconds()
			begin := max(n.Input, n.Offline-max(tail, n.Beside))
			n.Beside = max(0, n.Offline-begin)
			n.BesideInput = min(n.Input, n.Offline-n.Beside)
			arrivals = r.arrivals(n.Offline, begin)
		}
	} else if bytes > 0 {
		n.Offline = shape.Seconds(out.Offline.Rounds, slices.Max(out.Offline.BySender))
	}
	setting := r.setting(shape, arrivals)
	online := r.simulate(link.Online, setting)
	if n.Online = online.Seconds + rest; rest > 0 { // dealer and parties are one process and have the same cores
		// The dealer waits while MaxWaiting bytes have yet to be used, so that it ends when the parties have used as many as it still makes.
		alone := n.Offline - rest
		n.Beside = max(rest, n.Online*float64(bytes-offline.MaxWaiting)/float64(bytes))
		n.Offline = alone + n.Beside
	}
	apart := online // parties in processes of their own build graphs further ahead
	if setting.Near && name == r.Network {
		setting.Near = false
		apart = r.simulate(link.Online, setting)
	}
	atOnline, atInput := online.ProcessPeakBytes+online.StepBytes, input.ProcessPeakBytes+input.StepBytes
	waiting := min(bytes, offline.MaxWaiting)
	switch {
	case r.Manifest == nil:
		waiting = bytes
	case bytes > 0:
		dealing := r.Manifest.Expected(r.Machine.Cores) // by the dealer in the same process
		if atInput += dealing; n.Beside > 0 {
			atOnline += dealing
		}
	}
	for i, x := range r.Parties {
		// Vectors that a phase's trace has end after their last use.
		moreOnline := max(0, x.Shared+x.Own-x.Traces[link.Online].HeldBytes())
		moreInput := max(0, x.Own-x.Traces[link.Input].HeldBytes())
		held := max(apart.PeakBytes[i]+moreOnline, input.PeakBytes[i]+moreInput)
		if i == r.Online-1 { // corrections arrive while inputs are shared
			held += waiting
		}
		memory = append(memory, held)
		atOnline += moreOnline
		atInput += moreInput
	}
	return n, memory, max(atOnline, atInput) + waiting
}

// baseMemory is the memory of a process without vectors, in bytes. The garbage collector of the command lets
// the heap exceed live data by as much again, by at least leastGrowth, but for more than mostGrowth by no more than a quarter of live
// data (cmd/tacet, growth).
const (
	baseMemory  = 40 << 20
	leastGrowth = 64 << 20
	mostGrowth  = 256 << 20
)

// processBytes estimates the resident size of a process whose vectors take so many bytes.
func processBytes(live int64) int64 {
	return baseMemory + live + max(leastGrowth, min(live, max(mostGrowth, live/4)))
}

// Correlations returns the totals of a correlation manifest: one entry for each kind of correlation, in the
// order of decreasing bytes.
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
