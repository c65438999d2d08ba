package semi2k

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/conformance"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// trial is one run of a protocol operation among n parties: all parties build
// the same graph from the same inputs, which are shared additively or masked.
type trial struct {
	n       int
	k       ring.Ring
	seed    byte // fixes all randomness
	scatter int  // Config.Scatter
	inside  bool // one more party deals, as in package aby3, and owns masked operands
	in      []operand
	build   func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
	spy     func(from int, k link.Key, data []byte) // sees what is sent online
	reveals func(from int, data []byte)             // sees what is sent to reveal
	heard   func(to int)                            // is told who is sent something online
	of      *trial                                  // what is dealt is this one's, repeated (see repeated)
}

// operand is an input of a trial: a vector and how it is shared.
type operand struct {
	v      ring.Vec
	bound  int  // default: the ring's
	masked bool // born masked, by party 0 or the one that deals; else additive shares
	others bool // by party 0 even if one deals
	shares []ring.Vec
}

// outcome is what a trial gives: results in clear, and costs.
type outcome struct {
	out      []ring.Vec
	online   int64 // bytes that party 0 sends to one other party
	messages int64
	rounds   int
	dealt    int64
	form     *correlation.Manifest
}

// spyLink shows what a party sends to the first of the others.
type spyLink struct {
	*link.Endpoint
	spy     func(from int, k link.Key, data []byte)
	reveals func(from int, data []byte)
	heard   func(to int)
}

func (s spyLink) Send(to int, k link.Key, clock int32, data []byte) {
	if s.heard != nil && k.Phase == link.Online {
		s.heard(to)
	}
	if to == 0 || s.Rank() == 0 && to == 1 {
		if s.spy != nil && k.Phase == link.Online {
			s.spy(s.Rank(), k, data)
		}
		if s.reveals != nil && k.Phase == link.Output {
			s.reveals(s.Rank(), data)
		}
	}
	s.Endpoint.Send(to, k, clock, data)
}

func (tr trial) seeds() []ring.Seed {
	prg := ring.NewPRG(ring.Seed{tr.seed, 1})
	out := make([]ring.Seed, tr.n)
	for i := range out {
		out[i] = prg.Seed(uint64(i), 0)
	}
	return out
}

// additive are uniform shares of an operand, the same on every party's side.
func (tr trial) additive(o operand, i int) []ring.Vec {
	if o.shares != nil {
		return o.shares
	}
	prg := ring.NewPRG(ring.Seed{tr.seed, 2})
	shares := make([]ring.Vec, tr.n)
	last := o.v.Clone()
	for j := range tr.n - 1 {
		shares[j] = ring.New(o.v.Ring(), o.v.Len())
		prg.Vec(shares[j], uint64(i)<<32|uint64(j), 0)
		ring.Sub(last, last, shares[j])
	}
	shares[tr.n-1] = last
	return shares
}

// operands makes a party's side of the inputs.
func (tr trial) operands(p *Party, op *flow.Op) []mpc.Secret {
	var out []mpc.Secret
	for i, o := range tr.in {
		r, n, bound := o.v.Ring(), o.v.Len(), o.bound
		if bound == 0 {
			bound = r.Bits - 2
		}
		if o.masked {
			owner := 0
			if tr.inside && !o.others {
				owner = tr.n
			}
			out = append(out, p.Input(op, owner, r, n, bound, func() ring.Vec { return o.v.Clone() }))
			continue
		}
		v := ring.ShapeOnly(r, n)
		if !op.Graph.DryRun() {
			v = tr.additive(o, i)[p.rank]
		}
		out = append(out, p.newShare(r, n, bound, flow.Resolved(v)))
	}
	for i, o := range tr.in {
		if o.bound != 0 {
			out[i].(*share).bound = o.bound // beyond the ring's rule too
		}
	}
	return out
}

// parties is how many take part.
func (tr trial) parties() int {
	if tr.inside {
		return tr.n + 1
	}
	return tr.n
}

// config is a party's.
func (tr trial) config(rank int, source correlation.Source, inputs Inputs) Config {
	c := Config{Rank: rank, Computing: tr.n, Scatter: tr.scatter, Source: source, Inputs: inputs}
	if tr.inside {
		c.Dealer = tr.n
	}
	return c
}

// dry runs a party's side without storage.
func (tr trial) dryRun(rank int) (Inputs, *correlation.Manifest, *flow.Cost, *flow.Graph) {
	rec, inputs := &correlation.Recorder{}, Inputs{}
	p := New(context.Background(), tr.config(rank, rec, inputs))
	cost := &flow.Cost{}
	g := flow.NewDryRun(link.Online, &flow.Account{})
	op := g.Op(7, cost, "test:1:1: op")
	for _, s := range tr.build(p, op, tr.operands(p, op)) {
		p.Finalize(op, s)
	}
	return inputs, rec.Manifest(), cost, g
}

// run runs the trial with real parties and fails the test if anything differs
// from the dry run.
func (tr trial) run(t testing.TB) outcome {
	t.Helper()
	seeds := tr.seeds()
	dealer := correlation.NewLocal(tr.n, seeds)
	ends := link.Memory(tr.parties())
	defer func() {
		var wg sync.WaitGroup
		for _, e := range ends {
			wg.Go(e.Close)
		}
		wg.Wait()
	}()
	results := make([]outcome, tr.n)
	errs := make([]error, tr.parties())
	var wg sync.WaitGroup
	for rank := range tr.n {
		wg.Go(func() { results[rank], errs[rank] = tr.party(rank, seeds[rank], dealer, ends[rank]) })
	}
	if tr.inside {
		wg.Go(func() { errs[tr.n] = tr.dealer(seeds, ends[tr.n]) })
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("party %d: %v", i, err)
		}
	}
	return results[0]
}

// dealer is the side of a party that deals: it shares its inputs and has
// nothing to do with the rest.
func (tr trial) dealer(seeds []ring.Seed, end *link.Endpoint) error {
	inputs, _, _, _ := tr.dryRun(tr.n)
	g := flow.New(context.Background(), link.Input, end, &flow.Account{})
	New(context.Background(), tr.config(tr.n, correlation.NewDealerSource(seeds), inputs)).ShareInputs(g)
	return g.Wait()
}

func (tr trial) party(rank int, seed ring.Seed, dealer correlation.Dealer, end *link.Endpoint) (outcome, error) {
	ctx := context.Background()
	inputs, form, want, dryRun := tr.dryRun(rank)
	if tr.of != nil {
		_, form, _, _ = tr.of.dryRun(rank)
	}
	corrections := correlation.NewDelivery(math.MaxInt64)
	src := correlation.NewParty(rank, tr.n, seed, corrections)
	var out outcome
	out.form = form
	err := dealer.Deal(ctx, form, func(id correlation.ID, data []byte) error {
		out.dealt += int64(len(data))
		corrections.Put(id, data)
		return nil
	})
	if err != nil {
		return out, err
	}
	zero := map[int]ring.Seed{}
	for i := range tr.n {
		zero[i] = ring.Seed{tr.seed, 3, byte(min(i, rank)), byte(max(i, rank))}
	}
	c := tr.config(rank, src, inputs)
	if tr.of != nil {
		c.Source = newRepeated(src, form, tr.in[0].v.Len()/tr.of.in[0].v.Len())
	}
	c.Zero, c.Common = zero, ring.Seed{tr.seed, 5}
	p := New(ctx, c)
	spied := spyLink{end, tr.spy, tr.reveals, tr.heard}
	gi := flow.New(ctx, link.Input, spied, &flow.Account{})
	p.ShareInputs(gi)
	if err := gi.Wait(); err != nil {
		return out, err
	}
	inputs.EndPhase()
	cost := &flow.Cost{}
	g := flow.New(ctx, link.Online, spied, &flow.Account{})
	op := g.Op(7, cost, "test:1:1: op")
	secrets := tr.build(p, op, tr.operands(p, op))
	for _, s := range secrets {
		p.Finalize(op, s)
	}
	if err := g.Wait(); err != nil {
		return out, err
	}
	all := make([]int, tr.n)
	for i := range all {
		all[i] = i
	}
	gout := flow.New(ctx, link.Output, spied, &flow.Account{})
	var revealed []*flow.Future[ring.Vec]
	for i, s := range secrets {
		revealed = append(revealed, p.Reveal(gout.Op(uint32(i), &flow.Cost{}, "reveal"), s, all))
	}
	if err := gout.Wait(); err != nil {
		return out, err
	}
	for _, v := range revealed {
		out.out = append(out.out, v.Get())
	}
	out.online = cost.Bytes.Load() / int64(tr.n-1)
	out.messages = cost.Messages.Load() / int64(tr.n-1)
	out.rounds = g.Rounds()
	if got, want := [4]int64{cost.Bytes.Load(), cost.Messages.Load(), cost.Rounds.Load(), int64(out.rounds)},
		[4]int64{want.Bytes.Load(), want.Messages.Load(), want.Rounds.Load(), int64(dryRun.Rounds())}; got != want && !cost.Expected.Load() {
		return out, fmt.Errorf("bytes, messages, rounds, clock are %v and were predicted as %v", got, want)
	}
	if out.dealt != form.Bytes() || tr.of == nil && want.Offline.Load() != form.Bytes() {
		return out, fmt.Errorf("dealt %d bytes, form %d, booked %d", out.dealt, form.Bytes(), want.Offline.Load())
	}
	return out, nil
}

// extremes are the suite's.
var extremes = conformance.Extremes
