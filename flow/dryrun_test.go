package flow

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
	"pgregory.net/rapid"
)

// program is a dataflow that all parties build alike.
type program struct {
	parties int
	ops     int // operations; instances share their costs
	nodes   []node
}

type node struct {
	op       int      // operation; instances follow the nodes
	deps     []int    // earlier nodes
	exchange bool     // else local work
	sends    [][]bool // by sender and receiver
	size     int
}

func anyProgram(rt *rapid.T, symmetric bool) program {
	p := program{parties: rapid.IntRange(2, 4).Draw(rt, "parties"), ops: rapid.IntRange(1, 4).Draw(rt, "operations")}
	op := 0
	for i := range rapid.IntRange(1, 25).Draw(rt, "nodes") {
		if rapid.Bool().Draw(rt, "next operation") {
			op = rapid.IntRange(0, p.ops-1).Draw(rt, "operation")
		}
		nd := node{op: op, exchange: rapid.Bool().Draw(rt, "exchange")}
		if i > 0 {
			nd.deps = rapid.SliceOfN(rapid.IntRange(0, i-1), 0, 4).Draw(rt, "deps")
		}
		if nd.exchange {
			nd.size = rapid.SampledFrom([]int{8, 9, 100, 5000}).Draw(rt, "size")
			for from := range p.parties {
				row := make([]bool, p.parties)
				for to := range row {
					row[to] = from != to && (symmetric || rapid.Bool().Draw(rt, "sends"))
				}
				nd.sends = append(nd.sends, row)
			}
		}
		p.nodes = append(p.nodes, nd)
	}
	return p
}

// exchangeSpec is one party's side of an exchange.
func (nd node) exchangeSpec(rank int) (t ExchangeSpec) {
	for i := range nd.sends {
		if nd.sends[rank][i] {
			t.To = append(t.To, i)
		}
		if nd.sends[i][rank] {
			t.From = append(t.From, i)
		}
	}
	t.Size = nd.size
	return t
}

// mix computes a node's value from its dependencies and the values that arrive.
func mix(i, rank int, xs ...uint64) uint64 {
	h := uint64(i)*0x9e3779b97f4a7c15 + uint64(rank)
	for _, x := range xs {
		h = (h ^ x) * 0xbf58476d1ce4e5b9
		h ^= h >> 29
	}
	return h
}

// build makes one party's graph.
func (p program) build(g *Graph, rank int, costs []Cost) []*Future[uint64] {
	out := make([]*Future[uint64], len(p.nodes))
	var op *Op
	for i, nd := range p.nodes {
		if i == 0 || nd.op != p.nodes[i-1].op {
			op = g.Op(uint32(i), &costs[nd.op], fmt.Sprint(i))
		}
		var deps []Dep
		for _, d := range nd.deps {
			deps = append(deps, out[d])
		}
		value := func() uint64 {
			var xs []uint64
			for _, d := range nd.deps {
				xs = append(xs, out[d].Get())
			}
			return mix(i, rank, xs...)
		}
		if !nd.exchange {
			out[i] = Do(op, 8, value, deps...)
			continue
		}
		t := nd.exchangeSpec(rank)
		t.Pack = func() ring.Payload {
			if g.DryRun() {
				return ring.Payload{Len: nd.size}
			}
			return message(value(), nd.size)
		}
		out[i] = Exchange(op, 8, t, func(in []ring.Payload) (uint64, error) {
			xs := []uint64{value()}
			for _, m := range in {
				if m.Len != nd.size || (m.Data == nil) != g.DryRun() {
					return 0, fmt.Errorf("payload of %d bytes, %d in memory", m.Len, len(m.Data))
				}
				if m.Data != nil {
					xs = append(xs, content(m))
				}
			}
			return mix(i, rank, xs...), nil
		}, deps...)
	}
	return out
}

// expected is the values of the nodes at every party, and their clocks.
func (p program) expected() (values, clocks [][]uint64) {
	for i, nd := range p.nodes {
		before, at := make([]uint64, p.parties), make([]uint64, p.parties)
		for rank := range p.parties {
			var xs []uint64
			for _, d := range nd.deps {
				xs = append(xs, values[d][rank])
				at[rank] = max(at[rank], clocks[d][rank])
			}
			before[rank] = mix(i, rank, xs...)
		}
		after, then := slices.Clone(before), slices.Clone(at)
		for rank := 0; nd.exchange && rank < p.parties; rank++ {
			xs := []uint64{before[rank]}
			for _, from := range nd.exchangeSpec(rank).From {
				xs = append(xs, before[from])
				then[rank] = max(then[rank], at[rank]+1, at[from]+1)
			}
			after[rank] = mix(i, rank, xs...)
		}
		values, clocks = append(values, after), append(clocks, then)
	}
	return values, clocks
}

// counts are the costs that do not depend on time.
func counts(costs []Cost, a *Account) []int64 {
	out := []int64{a.Bytes.Load(), a.Messages.Load()}
	for i := range costs {
		c := &costs[i]
		out = append(out, c.Bytes.Load(), c.Messages.Load(), c.Rounds.Load(), c.Offline.Load())
	}
	return out
}

// check runs a program with real parties and in a dry run and compares.
func (p program) check(t *testing.T, rt rapid.TB, symmetric bool) {
	values, clocks := p.expected()
	ends := link.Memory(p.parties)
	defer closeAll(t, ends)
	got := make([][]*Future[uint64], p.parties)
	costs := make([][]Cost, p.parties)
	for i := range costs {
		costs[i] = make([]Cost, p.ops)
	}
	graphs := run(t, links(ends), func(g *Graph) {
		rank := g.link.Rank()
		got[rank] = p.build(g, rank, costs[rank])
	})
	for rank, g := range graphs {
		rounds := 0
		for i := range p.nodes {
			if v, c := got[rank][i].Get(), got[rank][i].Clock(); v != values[i][rank] || uint64(c) != clocks[i][rank] {
				rt.Fatalf("node %d at party %d holds %x at %d, want %x at %d", i, rank, v, c, values[i][rank], clocks[i][rank])
			}
			rounds = max(rounds, int(clocks[i][rank]))
		}
		if g.Rounds() != rounds {
			rt.Fatalf("party %d counts %d rounds, want %d", rank, g.Rounds(), rounds)
		}
		account, planned := &Account{}, make([]Cost, p.ops)
		w := NewDryRun(link.Online, account)
		p.build(w, rank, planned)
		if err := w.Wait(); err != nil {
			rt.Fatal(err)
		}
		if a, b := counts(planned, account), counts(costs[rank], g.account); !slices.Equal(a, b) {
			rt.Fatalf("party %d: planned %v, sent %v", rank, a, b)
		}
		checkPath(rt, planned, w.Rounds())
		if w.Rounds() > rounds || symmetric && w.Rounds() != rounds {
			rt.Fatalf("party %d: planned %d rounds, took %d", rank, w.Rounds(), rounds)
		}
	}
}

// checkPath: the longest path has as many exchanges as there are rounds, and each operation's share
// of it is one of its own chains.
func checkPath(rt rapid.TB, costs []Cost, rounds int) {
	path := 0
	for i := range costs {
		c := &costs[i]
		path += int(c.Path)
		if c.Last > int32(rounds) || c.First > c.Last || int64(c.Path) > int64(c.Last-c.First) {
			rt.Fatalf("operation %d has %d rounds on the path, its exchanges lie between %d and %d of %d", i, c.Path, c.First, c.Last, rounds)
		}
	}
	if path != rounds {
		rt.Fatalf("a path of %d exchanges for %d rounds", path, rounds)
	}
}

// Dry runs count what real runs send, and real runs compute the program's values, at every party.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { anyProgram(rt, true).check(t, rt, true) })
}

// Where not all parties exchange with all, a party's dry run does not see the clocks of the others:
// its rounds are a lower bound.
func TestRandomAsymmetricPrograms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { anyProgram(rt, false).check(t, rt, false) })
}

// Results and clocks do not depend on how steps happen to be scheduled.
func TestRunsAreAlike(t *testing.T) {
	p := rapid.Custom(func(rt *rapid.T) program { return anyProgram(rt, false) }).Example(11)
	for range 40 {
		p.check(t, t, false)
	}
}

// A dry run runs its steps when they are added.
func TestDryRunRunsAtOnce(t *testing.T) {
	g := NewDryRun(link.Online, &Account{})
	if !g.DryRun() || (lonely{}.graph(t.Context())).DryRun() {
		t.Error("DryRun is wrong")
	}
	ran := 0
	x := Do(g.opOf(1), 1<<40, func() int { ran++; return ran })
	if ran != 1 || x.Get() != 1 {
		t.Error("the step has not run")
	}
	if err := g.Admit(); err != nil {
		t.Error(err)
	}
	cause := fmt.Errorf("cause")
	Try(g.opOf(2), 0, func() (int, error) { return 0, cause })
	Do(g.opOf(3), 0, func() int { ran++; return 0 })
	if err := g.Wait(); err == nil || g.Admit() != err || ran != 1 {
		t.Errorf("after an error: %v, %v, %d steps ran", err, g.Admit(), ran)
	}
}
