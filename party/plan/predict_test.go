package plan

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/timing"
)

// TestPredict checks the times and memory of a run that does nothing online: those of its messages
// and vectors.
func TestPredict(t *testing.T) {
	trace := func() (out [link.Phases]*flow.Trace) {
		for i := range out {
			out[i] = &flow.Trace{}
		}
		return out
	}
	r := &Run{
		Machine: timing.Default, Network: "none", Others: []string{"lan"}, Online: 2,
		Parties: []Party{
			{Traces: trace(), MultiplyAdds: 7, Shared: 100, Own: 10}, {Traces: trace(), MultiplyAdds: 9, Shared: 100}, {Traces: trace(), Own: 30},
		},
		Resident: []int64{60, 50, 0},
	}
	out := &profile.Report{}
	out.Output.Rounds, out.Output.BytesSent = 1, []int64{0, 1000, 0}
	out.Online.Rounds, out.Online.BytesSent = 10, []int64{1000, 2000, 0}
	out.Offline = profile.Offline{BytesSent: 5000, BySender: []int64{2000, 3000, 0}, Rounds: 2}
	Predict(out, r)
	p := out.Plan
	if !slices.Equal(p.MultiplyAdds, []int64{7, 9, 0}) || !slices.Equal(p.ResidentBytes, r.Resident) {
		t.Errorf("multiply-adds %v, resident %v", p.MultiplyAdds, p.ResidentBytes)
	}
	if want := []int64{110, 5100, 30}; !slices.Equal(p.MemoryBytes, want) { // the last online party has the corrections
		t.Errorf("memory %v, want %v", p.MemoryBytes, want)
	}
	if want := int64(baseMemory + 110 + 5100 + 30 + leastGrowth); out.PeakMemoryBytes != want {
		t.Errorf("process of %d bytes, want %d", out.PeakMemoryBytes, want)
	}
	lan := link.Shapes["lan"]
	want := []profile.Network{{Name: "none"}, {Name: "lan", Output: lan.Seconds(1, 1000), Offline: lan.Seconds(2, 3000)}}
	if d := cmp.Diff(want, p.Networks); d != "" {
		t.Error(d)
	}
	x := correlation.NewFresh(1, ring.Z(64), 1<<20)
	r.Manifest = &correlation.Manifest{Requests: []*correlation.Request{
		{ID: 2, Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}, {Mask: x}}, Out: x.Ring, N: x.N},
	}}
	Predict(out, r)
	got, making := out.Plan.Networks[1].Offline, timing.DealerSeconds(r.Manifest, 2, r.Machine)
	if got != max(making, lan.Seconds(1, 5000)) || making == 0 {
		t.Errorf("the offline phase takes %v s, and dealing %v s", got, making)
	}

	// Of four times what may wait, three quarters arrive while the online phase runs.
	out.Offline.BytesSent = 4 * offline.MaxWaiting
	Predict(out, r)
	for _, n := range out.Plan.Networks {
		want := n.Offline * 3 / 4
		if n.Name == "none" { // the dealer waits for the parties, which compute nothing but have as many cores
			want = making * 3 / 4
		}
		if math.Abs(n.Beside-want) > 1e-9 || n.Name == "none" && (math.Abs(n.Online-want) > 1e-9 || math.Abs(n.Offline-making) > 1e-9) {
			t.Errorf("%s: %v of %v offline seconds beside %v online", n.Name, n.Beside, n.Offline, n.Online)
		}
	}
	if m := out.Plan.MemoryBytes[1]; m != 100+offline.MaxWaiting {
		t.Errorf("memory of corrections %d", m-100)
	}
	if out.Offline.BesideOnline != out.Plan.Networks[0].Beside {
		t.Errorf("report says %v", out.Offline.BesideOnline)
	}
}

// TestWaits: the online phase begins when the rest of the corrections arrives within twice its least time, and waits for what
// it takes.
func TestWaits(t *testing.T) {
	var account flow.Account
	trace := &flow.Trace{}
	g := flow.NewTraced(link.Online, &account, timing.Default.Rates(), trace)
	op := g.Op(1, &flow.Cost{}, "")
	took := flow.Dealt(op, 0, 8, nil, func() (int, error) { return 0, nil })
	flow.Force(op, took)
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	x := correlation.NewFresh(1, ring.Z(64), 1<<20)
	product := func(id correlation.ID) *correlation.Request {
		return &correlation.Request{ID: id, Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}, {Mask: x}}, Out: x.Ring, N: x.N}
	}
	for _, taken := range []correlation.ID{8, 9} { // the second of three corrections, or the third one
		m := &correlation.Manifest{Requests: []*correlation.Request{product(6), product(8), product(9)}}
		if taken == 9 {
			m.Requests[1].ID, m.Requests[2].ID = 7, 8
		}
		r := &Run{Machine: timing.Default, Network: "1e6/1ms", Online: 2, Manifest: m, Parties: make([]Party, 2)}
		for i := range r.Parties {
			r.Parties[i].Traces = [link.Phases]*flow.Trace{link.Setup: {}, link.Input: {}, link.Online: {}, link.Output: {}, link.Offline: {}}
		}
		r.Parties[1].Traces[link.Online] = trace
		out := &profile.Report{}
		out.Output.BytesSent, out.Online.Rounds, out.Online.BytesSent = []int64{0, 0}, 1, []int64{0, 8 << 20}
		out.Offline.BytesSent = m.Bytes()
		Predict(out, r)
		n, shape := out.Plan.Networks[0], link.Shape{Bits: 1e6, RoundTrip: time.Millisecond}
		tail := 2 * shape.Seconds(1, 8<<20) // of 24 MiB
		wait := tail - n.Offline/3          // the second correction arrives when a third of all is left
		if taken == 9 {
			wait = tail
		}
		if math.Abs(n.Beside-tail) > 1e-6 || math.Abs(n.Online-wait) > 1e-3 || n.BesideInput != 0 {
			t.Errorf("correction %d: %v s beside online, which takes %v s; want %v and %v", taken, n.Beside, n.Online, tail, wait)
		}
	}
}

// TestProcessBytes: small heaps double, large ones grow by a quarter.
func TestProcessBytes(t *testing.T) {
	for _, c := range [][2]int64{
		{1 << 20, 1<<20 + leastGrowth}, {100 << 20, 200 << 20}, {800 << 20, 800<<20 + mostGrowth}, {4 << 30, 5 << 30},
	} {
		if got := processBytes(c[0]) - baseMemory; got != c[1] {
			t.Errorf("%d of vectors: %d, want %d", c[0], got, c[1])
		}
	}
}

func TestCorrelations(t *testing.T) {
	x := correlation.NewFresh(1, ring.Z(64), 8)
	product := func(id correlation.ID) *correlation.Request {
		return &correlation.Request{ID: id, Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}, {Mask: x}}, Out: x.Ring, N: x.N}
	}
	got := Correlations(&correlation.Manifest{Requests: []*correlation.Request{product(2), product(3)}})
	want := []profile.Correlation{{Kind: correlation.Product.String(), Requests: 2, Elements: 16, Bytes: 128}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
