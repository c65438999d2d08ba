package timing

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// simple is a machine with round numbers.
var simple = Machine{Name: "simple", Cores: 2, Message: 1e-3, Timer: 1e-4, Product: 1}

// graphs records the traces of n parties that build the same graph.
func graphs(n int, build func(g *flow.Graph, rank int)) []*flow.Trace {
	var traces []*flow.Trace
	for rank := range n {
		t := &flow.Trace{}
		var a flow.Account
		build(flow.NewTraced(link.Online, &a, simple.Rates(), t), rank)
		traces = append(traces, t)
	}
	return traces
}

// work adds a step that takes the given number of seconds and whose result holds hold bytes.
func work(op *flow.Op, seconds int64, hold int64, deps ...flow.Dep) *flow.Future[int] {
	return flow.Do(op, hold, func() int { op.Spend(flow.Products, seconds); return 0 }, deps...)
}

// exchange adds an exchange of size bytes between two parties.
func exchange(op *flow.Op, rank, size int, deps ...flow.Dep) *flow.Future[int] {
	peer := []int{1 - rank}
	return flow.Exchange(
		op,
		0,
		flow.ExchangeSpec{To: peer, From: peer, Size: size, Pack: func() ring.Payload { return ring.Payload{Len: size} }},
		func([]ring.Payload) (int, error) { return 0, nil },
		deps...)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*math.Max(1, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestRounds(t *testing.T) {
	const n = 10
	chain := graphs(2, func(g *flow.Graph, rank int) {
		op := g.Op(0, &flow.Cost{}, "")
		var last []flow.Dep
		for range n {
			last = []flow.Dep{exchange(op, rank, 1000-header, last...)}
		}
	})
	trip := 20 * time.Millisecond
	near(t, "in memory", Simulate(chain, Setting{Machine: simple}).Seconds, n*1e-3)
	near(t, "with latency", Simulate(chain, Setting{Machine: simple, Network: link.Shape{RoundTrip: trip}}).Seconds, n*(1e-3+1e-4+10e-3))
	near(
		t,
		"with latency and bandwidth",
		Simulate(chain, Setting{Machine: simple, Network: link.Shape{Bits: 8e4, RoundTrip: trip}}).Seconds,
		n*(1e-3+1e-4+10e-3+0.1),
	)
}

// TestLineIsShared: messages of one direction share a line; the two directions do not.
func TestLineIsShared(t *testing.T) {
	side := graphs(2, func(g *flow.Graph, rank int) {
		op := g.Op(0, &flow.Cost{}, "")
		for range 5 {
			exchange(op, rank, 1000-header)
		}
	})
	near(t, "five beside each other", Simulate(side, Setting{Machine: simple, Network: link.Shape{Bits: 8e4}}).Seconds, 5*0.1+1e-3)
}

func TestCores(t *testing.T) {
	three := func(g *flow.Graph, _ int) {
		op := g.Op(0, &flow.Cost{}, "")
		for range 3 {
			work(op, 1, 0)
		}
	}
	near(t, "three seconds on two cores", Simulate(graphs(1, three), Setting{Machine: simple}).Seconds, 2)
	near(t, "of two parties", Simulate(graphs(2, three), Setting{Machine: simple}).Seconds, 3)
	near(t, "each with its own", Simulate(graphs(2, three), Setting{Machine: simple, SeparateMachines: true}).Seconds, 2)
	built := simple
	built.Build = 1
	near(t, "made one after the other", Simulate(graphs(1, three), Setting{Machine: built}).Seconds, 3+2)
}

// TestWorkBesideMessages: local work overlaps with messages that it does not depend on.
func TestWorkBesideMessages(t *testing.T) {
	both := graphs(2, func(g *flow.Graph, rank int) {
		op := g.Op(0, &flow.Cost{}, "")
		x := exchange(op, rank, 0)
		y := work(op, 3, 0)
		work(op, 1, 0, x, y)
	})
	s := Setting{Machine: simple, Network: link.Shape{RoundTrip: 4 * time.Second}}
	near(t, "hidden", Simulate(both, s).Seconds, 4)
	s.Network.RoundTrip = 10 * time.Second
	near(t, "not hidden", Simulate(both, s).Seconds, 5+1e-3+1e-4+1)
}

// TestMemory: a result is released after its last reader.
func TestMemory(t *testing.T) {
	chain := graphs(1, func(g *flow.Graph, _ int) {
		op := g.Op(0, &flow.Cost{}, "")
		x := work(op, 0, 100)
		y := work(op, 0, 10, x)
		for range 5 {
			y = work(op, 0, 10, y)
		}
		work(op, 0, 50, y)
	})
	out := Simulate(chain, Setting{Machine: simple})
	if got := out.PeakBytes[0]; got != 110 {
		t.Errorf("%d bytes at most, want 110", got)
	}
	if want := int64(8 * stepHeld); out.StepBytes != want { // all are built at once
		t.Errorf("steps take %d bytes, want %d", out.StepBytes, want)
	}
}

// TestLazyMemory: a lazy step, and a step of lazy ones only, runs when a step that depends on it has its other
// dependencies.
func TestLazyMemory(t *testing.T) {
	chain := graphs(1, func(g *flow.Graph, _ int) {
		op := g.Op(0, &flow.Cost{}, "")
		lazy := func(bytes int64) *flow.Future[int] {
			return flow.Lazy(op, bytes, nil, func() (int, error) { return 0, nil })
		}
		twice := lazy(3)
		y := work(op, 1, 10)
		for range 5 {
			y = work(op, 1, 10, y, work(op, 1, 40, lazy(100)), twice)
		}
	})
	out := Simulate(chain, Setting{Machine: simple})
	near(t, "after each other", out.Seconds, 11)
	if want := int64(3 + 10 + 100 + 40); out.PeakBytes[0] != want {
		t.Errorf("%d bytes, want %d", out.PeakBytes[0], want)
	}
}

// TestHeldMemory: a value that is there from the beginning counts until its last reader is done, or to the end.
func TestHeldMemory(t *testing.T) {
	for _, c := range []struct {
		stays bool
		want  int64
	}{{false, 3000 + 1}, {true, 3000 + 10_000 + 100}} {
		held := graphs(1, func(g *flow.Graph, _ int) {
			op := g.Op(0, &flow.Cost{}, "")
			var in []flow.Dep
			for range 3 {
				in = append(in, flow.Held(op, 1000, c.stays, 0))
			}
			y := work(op, 1, 1, in[0])
			y = work(op, 1, 1, y, in[1])
			y = work(op, 1, 100, y, in[2])
			if c.stays {
				work(op, 1, 10_000, y)
			}
		})
		if got := Simulate(held, Setting{Machine: simple}).PeakBytes[0]; got != c.want {
			t.Errorf("stays %v: %d bytes, want %d", c.stays, got, c.want)
		}
		if got := held[0].HeldBytes(); got != 3000 {
			t.Errorf("%d bytes at the beginning", got)
		}
	}
}

// TestSameVector: a vector that is the same one at several parties of a process counts once in the process, and once at each
// party, from the first holder to the last. A message that is the vector takes nothing in addition.
func TestSameVector(t *testing.T) {
	for _, same := range []bool{false, true} {
		both := graphs(2, func(g *flow.Graph, rank int) {
			op := g.Op(0, &flow.Cost{}, "")
			name := func(d flow.Dep) {
				if same {
					flow.SameVector(op, d, 7)
				}
			}
			if rank == 0 {
				words := flow.Held(op, 1000, false, 0)
				name(words)
				masked := work(op, 0, 1000, words)
				name(masked)
				flow.Exchange(op, 0, flow.ExchangeSpec{To: []int{1}, Pack: func() ring.Payload { return ring.Payload{Len: 1000} }},
					func([]ring.Payload) (int, error) { return 0, nil }, masked)
				return
			}
			got := flow.Exchange(op, 1000, flow.ExchangeSpec{From: []int{0}, Size: 1000}, func([]ring.Payload) (int, error) { return 0, nil })
			name(got)
			work(op, 1, 10, got)
		})
		out := Simulate(both, Setting{Machine: simple})
		want := Outcome{Seconds: out.Seconds, PeakBytes: []int64{2000, 2000}, ProcessPeakBytes: 2000, StepBytes: out.StepBytes}
		if same {
			want.PeakBytes, want.ProcessPeakBytes = []int64{1000, 1010}, 1010
		}
		if !slices.Equal(out.PeakBytes, want.PeakBytes) || out.ProcessPeakBytes != want.ProcessPeakBytes {
			t.Errorf("same %v: %+v, want %+v", same, out, want)
		}
	}
}

// TestBuiltAhead: parties of one process build fewer steps ahead, whose results are there earlier than they are read.
func TestBuiltAhead(t *testing.T) {
	peak := func(inMemory bool) int64 {
		return Simulate(graphs(1, func(g *flow.Graph, _ int) {
			var last []flow.Dep
			for i := range uint32(2 * flow.MaxNear) {
				op := g.Op(i, &flow.Cost{}, "")
				last = []flow.Dep{work(op, 1, 1, append(last, work(op, 0, 100))...)}
			}
		}), Setting{Machine: simple, Phase: link.Online, Near: inMemory}).ProcessPeakBytes
	}
	here, far := peak(true), peak(false)
	if here > 100*flow.MaxNear+100*flow.MaxNear/16 || far < 150*flow.MaxNear {
		t.Errorf("%d bytes in one process, %d over a network", here, far)
	}
}

// TestInputsSideBySide: parties share large inputs at the same time.
func TestInputsSideBySide(t *testing.T) {
	inputs := graphs(2, func(g *flow.Graph, rank int) {
		for owner := range 2 {
			op, e := g.Op(uint32(owner), &flow.Cost{}, ""), flow.ExchangeSpec{From: []int{owner}, Size: 2 * flow.MaxBytes}
			if owner == rank {
				e = flow.ExchangeSpec{To: []int{1 - rank}, Pack: func() ring.Payload { return ring.Payload{Len: 2 * flow.MaxBytes} }}
			}
			flow.Exchange(op, 2*flow.MaxBytes, e, func([]ring.Payload) (int, error) { return 0, nil })
		}
	})
	s := Setting{Machine: simple, Network: link.Shape{Bits: 16 * flow.MaxBytes}, Phase: link.Input}
	if got := Simulate(inputs, s).Seconds; got < 1 || got > 1.1 {
		t.Errorf("two inputs of one second each take %v s", got)
	}
}

// TestSleepingCores: a core that has been idle takes a while to wake, and what one that is awake can take meanwhile does not wait for it.
func TestSleepingCores(t *testing.T) {
	m := simple
	m.Wake = 0.25
	after := func(seconds ...int64) []*flow.Trace { // a step of a second, and then some beside each other
		return graphs(1, func(g *flow.Graph, _ int) {
			op := g.Op(0, &flow.Cost{}, "")
			first := work(op, 1, 0)
			for _, s := range seconds {
				work(op, s, 0, first)
			}
		})
	}
	near(t, "one after the other", Simulate(after(1), Setting{Machine: m}).Seconds, 2)
	near(t, "beside each other", Simulate(after(1, 1), Setting{Machine: m}).Seconds, 2.25)
	near(t, "the longer one first", Simulate(after(2, 1), Setting{Machine: m}).Seconds, 3)
	m.Wake = 0.75
	near(t, "threads that sleep long", Simulate(after(1, 1, 1), Setting{Machine: m}).Seconds, 3)
	m.Wake = 1.5 // the first core is free earlier
	near(t, "before the second core is awake", Simulate(after(1, 1), Setting{Machine: m}).Seconds, 3)
	built := simple
	built.Wake, built.Build = 0.25, flow.Spin.Seconds()/4
	soon := graphs(1, func(g *flow.Graph, _ int) {
		op := g.Op(0, &flow.Cost{}, "")
		work(op, 1, 0)
		work(op, 1, 0)
	})
	near(t, "soon after", Simulate(soon, Setting{Machine: built}).Seconds, 2*built.Build+1.25)
	near(t, "soon after, in one process", Simulate(soon, Setting{Machine: built, Near: true}).Seconds, 2*built.Build+1)
	// Over a line with latency the thread that waits for a message is awake when it arrives; the time is that of the timer.
	trip := graphs(2, func(g *flow.Graph, rank int) {
		op := g.Op(0, &flow.Cost{}, "")
		work(op, 1, 0, exchange(op, rank, 0))
	})
	got := Simulate(trip, Setting{Machine: m, Network: link.Shape{RoundTrip: 20 * time.Second}}).Seconds
	near(t, "after a message", got, 10+m.Message+m.Timer+2) // the second party's step runs before the second core is awake
}

// TestFreshMemory: steps take longer while they take memory that the process has not used before.
func TestFreshMemory(t *testing.T) {
	m := simple
	m.Fresh = 1e-3
	two := graphs(1, func(g *flow.Graph, _ int) {
		op := g.Op(0, &flow.Cost{}, "")
		work(op, 1, 1000, work(op, 1, 1000))
	})
	for fresh, want := range map[int64]float64{
		0: 2, 2000: 2 + 2, 2*StepAllocated + 1500: 2 + 1.5 + 2*StepAllocated*1e-3, 1 << 30: 2 + 2 + 2*StepAllocated*1e-3,
	} {
		near(t, "two steps", Simulate(two, Setting{Machine: m, FreshBytes: fresh}).Seconds, want)
	}
}
