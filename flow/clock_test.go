package flow

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// A chain of m exchanges takes m rounds, whatever other exchanges there are and in whatever order
// messages are delivered.
func TestChainsOfExchanges(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for _, m := range []int{0, 1, 2, 7} {
			for seed := range uint64(3) {
				ends := memory(t, n)
				ls := make([]Link, n)
				for i, e := range ends {
					ls[i] = newLate(e, seed*10+uint64(i))
				}
				clocks := make([][]*Future[uint64], n)
				graphs := run(t, ls, func(g *Graph) {
					rank := g.link.Rank()
					costs := &Cost{}
					chain := Resolved(uint64(1))
					for i := range m {
						op := g.Op(uint32(2*i), costs, "chain")
						before := chain
						chain = sum(op, Do(op, 0, func() uint64 { return before.Get() }, before))
						clocks[rank] = append(clocks[rank], chain)
						for j := range 3 {
							sum(g.opOf(uint32(100*i+2*j+1)), Resolved(uint64(9)))
						}
					}
				})
				for i, g := range graphs {
					if g.Rounds() != m {
						t.Errorf("%d parties, chain of %d: party %d counts %d rounds", n, m, i, g.Rounds())
					}
					for j, x := range clocks[i] {
						if x.Clock() != j+1 {
							t.Errorf("%d parties: exchange %d has clock %d at party %d", n, j, x.Clock(), i)
						}
					}
				}
				for _, l := range ls {
					l.(*late).wg.Wait()
				}
			}
		}
	}
}

// A clock is the largest of a step's dependencies and of the senders' clocks, plus one for an
// exchange.
func TestClocksOfPartiesThatAreAhead(t *testing.T) {
	for _, c := range []struct {
		ahead int // exchanges between parties 0 and 1 before
		from  int // sender to party 2
		own   int // clock of party 2's dependency
		want  int
	}{
		{0, 0, 0, 1},
		{5, 0, 0, 6}, // the sender is ahead
		{0, 0, 4, 5}, // the receiver is ahead
		{5, 1, 4, 6},
		{3, 1, 4, 5},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			var got, sent, alone [3]*Future[int]
			graphs := run(t, links(memory(t, 3)), func(g *Graph) {
				rank := g.link.Rank()
				var x Dep = Resolved(0)
				pass := func(op *Op, spec ExchangeSpec, deps ...Dep) *Future[int] {
					spec.Pack = func() ring.Payload { return ring.Payload{} }
					return Exchange(op, 0, spec, func([]ring.Payload) (int, error) { return 0, nil }, deps...)
				}
				if rank < 2 {
					for i := range c.ahead {
						x = pass(g.opOf(uint32(i)), ExchangeSpec{To: []int{1 - rank}, From: []int{1 - rank}}, x)
					}
				}
				last := g.opOf(1000)
				switch rank {
				case c.from:
					sent[rank] = pass(last, ExchangeSpec{To: []int{2}}, x)
				case 2:
					for i := range c.own { // messages of party 0, whose own clock stays behind
						x = pass(g.opOf(uint32(2000+i)), ExchangeSpec{From: []int{0}}, x)
					}
					got[2] = pass(last, ExchangeSpec{From: []int{c.from}}, x)
				}
				if rank == 0 {
					for i := range c.own {
						pass(g.opOf(uint32(2000+i)), ExchangeSpec{To: []int{2}})
					}
				}
				alone[rank] = Do(g.opOf(3000), 0, func() int { return 0 })
			})
			if got[2].Clock() != c.want {
				t.Errorf("the receiver's clock is %d, want %d", got[2].Clock(), c.want)
			}
			if graphs[2].Rounds() != c.want {
				t.Errorf("the receiver counts %d rounds, want %d", graphs[2].Rounds(), c.want)
			}
			if s := sent[c.from]; s.Clock() != c.ahead {
				t.Errorf("a party that only sends has clock %d afterwards, want %d", s.Clock(), c.ahead)
			}
			for i, a := range alone {
				if a.Clock() != 0 {
					t.Errorf("party %d's lone step has clock %d", i, a.Clock())
				}
			}
		})
	}
}

// An operation's rounds are the rounds that it adds to its operands' depth.
func TestRoundsOfAnOperation(t *testing.T) {
	a := &Account{}
	g := NewDryRun(link.Online, a)
	exchange := func(op *Op, deps ...Dep) *Future[int] {
		return Exchange(op, 0, ExchangeSpec{To: []int{1}, From: []int{1}, Size: 3, Pack: func() ring.Payload { return ring.Payload{Len: 3} }},
			func(in []ring.Payload) (int, error) { return in[0].Len, nil }, deps...)
	}
	cost := &Cost{}
	first := g.Op(1, cost, "")
	x := exchange(first)
	exchange(first) // beside it
	y := exchange(first, Do(first, 0, func() int { return x.Get() }, x))
	if r := cost.Rounds.Load(); r != 2 {
		t.Errorf("two in a chain and one beside: %d rounds", r)
	}
	second := g.Op(2, cost, "") // another instance of the same operation
	z := exchange(second, y)
	if r := cost.Rounds.Load(); r != 3 {
		t.Errorf("one more in another instance: %d rounds", r)
	}
	Exchange(second, 0, ExchangeSpec{To: []int{1}, Pack: func() ring.Payload { return ring.Payload{Len: 5} }},
		func([]ring.Payload) (int, error) { return 0, nil }, z)
	if r := cost.Rounds.Load(); r != 3 {
		t.Errorf("sending alone adds a round: %d", r)
	}
	if z.Clock() != 3 || g.Rounds() != 3 || z.Get() != 3 {
		t.Errorf("clock %d, %d rounds", z.Clock(), g.Rounds())
	}
	if b, m := cost.Bytes.Load(), cost.Messages.Load(); b != 17 || m != 5 {
		t.Errorf("%d bytes in %d messages", b, m)
	}
	if b, m := a.Bytes.Load(), a.Messages.Load(); b != 17 || m != 5 {
		t.Errorf("the account has %d bytes in %d messages", b, m)
	}
}

func TestOpIDs(t *testing.T) {
	cost := &Cost{}
	op := NewDryRun(link.Online, &Account{}).Op(1<<31, cost, "prog:1")
	if a, b := op.Next(), op.Next(); a != 1<<63|1 || b != 1<<63|2 {
		t.Errorf("%x and %x", a, b)
	}
	op.Offline(7)
	op.Offline(5)
	if cost.Offline.Load() != 12 || op.Where() != "prog:1" {
		t.Errorf("%d bytes at %q", cost.Offline.Load(), op.Where())
	}
}
