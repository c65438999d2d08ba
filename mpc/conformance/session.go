package conformance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/derived"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// operand is an owner's vector.
type operand struct {
	owner int // modulo the number of parties
	v     ring.Vec
	bound int // 0 for the ring's
}

// computation is what a session computes: it is built alike by all parties.
type computation func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret

// session is one run of a computation among parties in this process.
type session struct {
	d         *protocol.Descriptor
	computing int
	parties   int // beyond the computing ones they own inputs
	seed      byte
	in        []operand
	build     computation
	sent      func(from, to int, data []byte) // of the online phase, if not nil
}

// measured are a session's results and costs.
type measured struct {
	out      []ring.Vec
	online   []int64 // bytes by sender
	messages []int64
	rounds   int
	expected bool // what the plan says is an expectation
	offline  protocol.OfflineGraph
}

// side is what one party has of a session.
type side struct {
	*session
	rank     int
	config   protocol.Config
	manifest *correlation.Manifest
	demand   protocol.Demand
	planned  flow.Cost
	rounds   int
	offline  protocol.OfflineGraph
	link     tap
}

// tap is a link that shows what is sent online.
type tap struct {
	*link.Endpoint
	sent func(from, to int, data []byte)
}

func (l tap) Send(to int, k link.Key, clock int32, data []byte) {
	if l.sent != nil && k.Phase == link.Online {
		l.sent(l.Rank(), to, data)
	}
	l.Endpoint.Send(to, k, clock, data)
}

// operands makes a party's side of the inputs.
func (s *session) operands(p mpc.Protocol, op *flow.Op) []mpc.Secret {
	var out []mpc.Secret
	for _, o := range s.in {
		bound := o.bound
		if bound == 0 {
			bound = o.v.Ring().Bits - 2
		}
		out = append(out, p.Input(op, o.owner%s.parties, o.v.Ring(), o.v.Len(), bound, o.v.Clone))
	}
	return out
}

// compute builds the online phase.
func (s *session) compute(p mpc.Protocol, op *flow.Op) []mpc.Secret {
	out := s.build(p, op, s.operands(p, op))
	for _, x := range out {
		p.Finalize(op, x)
	}
	return out
}

// run runs the session; an error is a refusal, a failure, or costs that were predicted
// otherwise.
func (s *session) run(ctx context.Context) (*measured, error) {
	ends := link.Memory(s.parties)
	defer func() {
		var wg sync.WaitGroup
		for _, e := range ends {
			wg.Go(e.Close)
		}
		wg.Wait()
	}()
	sides := make([]*side, s.parties)
	for i := range sides {
		sides[i] = &side{session: s, rank: i, link: tap{ends[i], s.sent}}
		if err := sides[i].plan(ctx); err != nil {
			return nil, err
		}
	}
	for _, x := range sides { // a party that lacks a share may predict fewer: clocks travel with messages
		x.rounds = slices.MaxFunc(sides, func(a, b *side) int { return a.rounds - b.rounds }).rounds
	}
	m := &measured{online: make([]int64, s.parties), messages: make([]int64, s.parties)}
	if len(sides[0].offline) > 0 {
		m.offline = slices.Clone(sides[0].offline)
		for i := range m.offline {
			m.offline[i].Sent = make([]int64, s.parties)
		}
	}
	var mu sync.Mutex
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, x := range sides {
		wg.Go(func() {
			if err := flow.Guard(func() error { return x.run(ctx, m, &mu, ends) }); err != nil {
				cancel(fmt.Errorf("party %d: %w", x.rank, err))
			}
		})
	}
	wg.Wait()
	return m, context.Cause(ctx)
}

// seeds are the randomness of a session: of a party and the dealer, of two parties.
func (s *session) dealt(rank int) ring.Seed { return ring.Seed{1, s.seed, byte(rank)} }
func (s *session) common(i, j int) ring.Seed {
	return ring.Seed{2, s.seed, byte(min(i, j)), byte(max(i, j))}
}

// plan is the dry run.
func (x *side) plan(ctx context.Context) error {
	rec := &correlation.Recorder{}
	x.config = protocol.Config{Rank: x.rank, Computing: x.computing, Source: rec}
	if x.d.NewInputs != nil {
		x.config.Inputs = x.d.NewInputs()
	}
	if x.d.Between != nil {
		x.demand = x.d.Between.NewDemand()
		x.config.Source, x.config.Demand = nil, x.demand
	}
	p := x.d.New(ctx, x.config)
	g := flow.NewDryRun(link.Online, &flow.Account{})
	x.compute(derived.Complete(p), g.Op(7, &x.planned, "conformance"))
	if err := g.Wait(); err != nil {
		return err
	}
	x.rounds = g.Rounds()
	g = flow.NewDryRun(link.Input, &flow.Account{})
	p.ShareInputs(g)
	if err := g.Wait(); err != nil {
		return err
	}
	x.manifest = rec.Manifest()
	x.offline = x.d.DealtGraph(x.parties, x.manifest.Bytes())
	if x.d.Between == nil {
		return nil
	}
	var before any
	for _, phase := range x.d.Between.Phases {
		out := protocol.OfflinePhase{Name: phase.Name, Sent: make([]int64, x.parties)}
		if x.online() {
			account := &flow.Account{}
			g := flow.NewDryRun(link.Offline, account)
			before = phase.Run(g, x.config, before)
			if err := g.Wait(); err != nil {
				return err
			}
			out.Rounds, out.Sent[x.rank] = g.Rounds(), account.Bytes.Load()
		}
		x.offline = append(x.offline, out)
	}
	return nil
}

// online reports whether the party takes part in the online phase.
func (x *side) online() bool { return x.rank < x.d.PartyOnline(x.computing) }

// run takes a party through all phases. Its part of the measures is added under mu.
func (x *side) run(ctx context.Context, m *measured, mu *sync.Mutex, ends []*link.Endpoint) error {
	n := x.d.PartyOnline(x.computing)
	c := x.config
	c.Zero, c.Common = map[int]ring.Seed{}, ring.Seed{3, x.seed}
	for i := range x.parties {
		if i != x.rank {
			c.Zero[i] = x.common(i, x.rank)
		}
	}
	sent, rounds := make([]int64, len(x.offline)), make([]int, len(x.offline))
	dealt := int64(0)
	var err error
	switch x.d.Supply {
	case protocol.OutsideDealer, protocol.PartyDealer:
		dealt, err = x.deal(ctx, &c, n)
	case protocol.BetweenParties:
		c.Source, c.Demand = nil, x.demand
		for i, phase := range x.d.Between.Phases {
			if !x.online() {
				break
			}
			account := &flow.Account{}
			g := flow.New(ctx, link.Offline, x.link, account)
			c.Prepared = phase.Run(g, c, c.Prepared)
			if err = g.Wait(); err != nil {
				break
			}
			sent[i], rounds[i] = account.Bytes.Load(), g.Rounds()
			if sent[i] != x.offline[i].Sent[x.rank] || rounds[i] != x.offline[i].Rounds {
				err = fmt.Errorf("offline phase %s sent %d bytes in %d rounds and was predicted to send %d in %d", phase.Name, sent[i], rounds[i], x.offline[i].Sent[x.rank], x.offline[i].Rounds)
			}
		}
	}
	if err != nil {
		return err
	}
	p := x.d.New(ctx, c)
	g := flow.New(ctx, link.Input, x.link, &flow.Account{})
	p.ShareInputs(g)
	if err := g.Wait(); err != nil {
		return err
	}
	if c.Inputs != nil {
		c.Inputs.EndPhase()
	}
	whole := derived.Complete(p)
	cost := &flow.Cost{}
	var secrets []mpc.Secret
	if x.online() {
		g = flow.New(ctx, link.Online, x.link, &flow.Account{})
		secrets = x.compute(whole, g.Op(7, cost, "conformance"))
		if err := g.Wait(); err != nil {
			return err
		}
		got := [3]int64{cost.Bytes.Load(), cost.Messages.Load(), int64(g.Rounds())}
		want := [3]int64{x.planned.Bytes.Load(), x.planned.Messages.Load(), int64(x.rounds)}
		if got != want && !x.planned.Expected.Load() {
			return fmt.Errorf("bytes, messages and rounds are %v and were predicted as %v", got, want)
		}
		if dealt > 0 && dealt != x.manifest.Bytes() {
			return fmt.Errorf("%d bytes were dealt, and %d predicted", dealt, x.manifest.Bytes())
		}
		if b := x.planned.Offline.Load(); x.d.Dealt() && b != x.manifest.Bytes() {
			return fmt.Errorf("the operation books %d offline bytes, and its requests take %d", b, x.manifest.Bytes())
		}
	} else {
		g := flow.NewDryRun(link.Online, &flow.Account{})
		d := x.config // as package party does: who is not online has results without words
		secrets = x.compute(derived.Complete(x.d.New(ctx, d)), g.Op(7, &flow.Cost{}, "conformance"))
	}
	g = flow.New(ctx, link.Output, x.link, &flow.Account{})
	var revealed []*flow.Future[ring.Vec]
	for i, s := range secrets {
		revealed = append(revealed, whole.Reveal(g.Op(uint32(i), &flow.Cost{}, "reveal"), s, []int{0}))
	}
	if err := g.Wait(); err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	m.online[x.rank], m.messages[x.rank] = cost.Bytes.Load(), cost.Messages.Load()
	m.rounds = max(m.rounds, x.rounds)
	m.expected = m.expected || x.planned.Expected.Load()
	for i := range sent {
		m.offline[i].Sent[x.rank] = sent[i]
	}
	if x.d.Supply == protocol.PartyDealer && x.rank == x.d.DealerRank() {
		m.offline[len(m.offline)-1].Sent[x.rank] = x.manifest.Bytes()
	}
	if x.rank == 0 {
		for _, v := range revealed {
			m.out = append(m.out, v.Get())
		}
	}
	return nil
}

// deal gives the party its correlated randomness from a dealer, and returns the bytes of
// the corrections that it received.
func (x *side) deal(ctx context.Context, c *protocol.Config, n int) (received int64, err error) {
	seeds := make([]ring.Seed, x.parties)
	for i := range seeds {
		seeds[i] = x.dealt(i)
	}
	if x.d.Supply == protocol.PartyDealer {
		seeds = x.d.Dealing.Seeds(ring.Seed{4, x.seed}, x.parties)
	}
	corrections := correlation.NewDelivery(math.MaxInt64)
	put := func(id correlation.ID, data []byte) {
		received += int64(len(data))
		corrections.Put(id, data)
	}
	switch {
	case x.d.Supply == protocol.OutsideDealer && x.online(): // each party has a dealer of its own, which says the same
		err = correlation.NewLocal(n, seeds).Deal(ctx, x.manifest, func(id correlation.ID, data []byte) error { put(id, data); return nil })
	case x.d.Supply == protocol.PartyDealer && x.rank == x.d.DealerRank():
		c.Source = correlation.NewDealerSource(seeds[:n])
		return 0, x.d.Dealing.Deal(ctx, x.link, seeds, x.manifest)
	case x.d.Supply == protocol.PartyDealer && x.rank == x.d.Dealing.Corrected:
		err = x.d.Dealing.Receive(ctx, x.link, x.manifest, put)
	}
	c.Source = correlation.NewParty(x.rank, n, seeds[x.rank], corrections)
	return received, err
}
