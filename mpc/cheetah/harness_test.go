package cheetah

import (
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// message is one payload that a party sends.
type message struct {
	from, to int
	key      link.Key
	data     []byte
}

// trial is a computation on vectors that are shared at random, or owned.
type trial struct {
	in      []operand
	build   func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
	parties int                       // with input parties; 0: two
	to      []int                     // who learns results; nil: rank 0
	mutate  func(transfers) transfers // changes what both parties have; nil: nothing
	random  [computing]io.Reader      // of the parties' ciphertexts and responses; nil: as without a test
	seed    byte
}

// operand is a vector with its bound; owner is its owner, or −1 for shares that are uniform.
type operand struct {
	v     ring.Vec
	bound int
	owner int
}

// record is what a trial shows.
type record struct {
	messages []message
	out      []ring.Vec // at the first party that learns
	online   [2]int64   // bytes by sender
	rounds   int
	offline  int64 // bytes of batches that the plan books
}

// spy is a link that records messages.
type spy struct {
	*link.Endpoint
	add func(message)
}

func (l spy) Send(to int, k link.Key, clock int32, data []byte) {
	l.add(message{l.Rank(), to, k, slices.Clone(data)})
	l.Endpoint.Send(to, k, clock, data)
}

// shares splits v at random.
func shares(v ring.Vec, seed byte, id uint64) [2]ring.Vec {
	a, b := ring.New(v.Ring(), v.Len()), ring.New(v.Ring(), v.Len())
	ring.NewPRG(ring.Seed{7, seed}).Vec(a, id, 0)
	ring.Sub(b, v, a)
	return [2]ring.Vec{a, b}
}

// secrets makes a party's side of the operands.
func (tr *trial) secrets(p *Party, op *flow.Op) []mpc.Secret {
	var out []mpc.Secret
	for i, o := range tr.in {
		switch {
		case o.owner >= 0:
			out = append(out, p.Input(op, o.owner, o.v.Ring(), o.v.Len(), o.bound, o.v.Clone))
		case op.Graph.DryRun():
			out = append(out, p.FromShare(ring.ShapeOnly(o.v.Ring(), o.v.Len()), o.bound))
		default:
			out = append(out, p.FromShare(shares(o.v, tr.seed, uint64(i))[p.rank], o.bound))
		}
	}
	return out
}

// run runs a trial through all phases, and checks that costs are as planned.
func (tr *trial) run(t *testing.T) *record {
	t.Helper()
	parties, to := max(tr.parties, computing), tr.to
	if to == nil {
		to = []int{0}
	}
	d := describe(toyGroup{})
	ends := link.Memory(parties)
	rec := &record{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for rank := range parties {
		demand := &pair.Demand{}
		c := protocol.Config{Rank: rank, Computing: computing, Inputs: inputs{}, Demand: demand, Common: ring.Seed{3}, Zero: map[int]ring.Seed{}}
		planned, cost := &flow.Cost{}, &flow.Cost{}
		dry := flow.NewDryRun(link.Online, &flow.Account{})
		p := newParty(c)
		tr.build(p, dry.Op(7, planned, "test"), tr.secrets(p, dry.Op(7, planned, "test")))
		if err := dry.Wait(); err != nil {
			t.Fatal(err)
		}
		for other := range parties {
			if other != rank {
				c.Zero[other] = ring.Seed{2, byte(min(rank, other)), byte(max(rank, other)), tr.seed}
			}
		}
		l := spy{ends[rank], func(m message) { mu.Lock(); rec.messages = append(rec.messages, m); mu.Unlock() }}
		wg.Go(func() {
			defer ends[rank].Close()
			check := func(err error) {
				if err != nil {
					t.Errorf("party %d: %v", rank, err)
					ends[rank].Abort("failed")
				}
			}
			if rank < computing {
				g := flow.New(t.Context(), link.Offline, l, &flow.Account{})
				c.Prepared = d.Between.Phases[0].Run(g, c, nil)
				check(g.Wait())
			}
			p := newParty(c)
			if tr.mutate != nil && rank < computing {
				p.material = tr.mutate(p.material)
			}
			if rank < computing && tr.random[rank] != nil {
				p.random = tr.random[rank]
			}
			g := flow.New(t.Context(), link.Input, l, &flow.Account{})
			p.ShareInputs(g)
			check(g.Wait())
			c.Inputs.EndPhase()
			var results []mpc.Secret
			if rank < computing {
				g = flow.New(t.Context(), link.Online, l, &flow.Account{})
				results = tr.build(p, g.Op(7, cost, "test"), tr.secrets(p, g.Op(7, cost, "test")))
				check(g.Wait())
				if cost.Bytes.Load() != planned.Bytes.Load() || g.Rounds() != dry.Rounds() {
					t.Errorf("party %d sends %d bytes in %d rounds, planned %d in %d", rank, cost.Bytes.Load(), g.Rounds(), planned.Bytes.Load(), dry.Rounds())
				}
				mu.Lock()
				rec.online[rank], rec.rounds = cost.Bytes.Load(), g.Rounds()
				rec.offline = planned.Offline.Load()
				mu.Unlock()
			} else {
				g = flow.NewDryRun(link.Online, &flow.Account{})
				results = tr.build(p, g.Op(7, cost, "test"), tr.secrets(p, g.Op(7, cost, "test")))
			}
			g = flow.New(t.Context(), link.Output, l, &flow.Account{})
			var revealed []*flow.Future[ring.Vec]
			for i, s := range results {
				revealed = append(revealed, p.Reveal(g.Op(uint32(i), &flow.Cost{}, "reveal"), s, to))
			}
			check(g.Wait())
			if rank == to[0] {
				for _, v := range revealed {
					rec.out = append(rec.out, v.Get())
				}
			}
		})
	}
	wg.Wait()
	slices.SortFunc(rec.messages, func(a, b message) int {
		for _, d := range []int{int(a.key.Phase) - int(b.key.Phase), int(a.key.Op) - int(b.key.Op), int(a.key.Step) - int(b.key.Step)} {
			if d != 0 {
				return d
			}
		}
		return a.from - b.from
	})
	return rec
}
