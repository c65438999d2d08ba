package aby3

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/ring"
)

// trial is one run of a small computation among all parties.
type trial struct {
	parties int       // 3 if zero
	seeds   [5]byte   // fix each party's seed with P2
	zero    byte      // fixes the seed of P0 and P1
	in      []operand // in the order of build's
	build   func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret
	to      []int // who learns the results
	// expected says that costs depend on a random order, and plans on what is
	// usual.
	expected bool
}

// operand is an owner's vector, of magnitudes below 2^bound.
type operand struct {
	owner, bound int
	v            ring.Vec
}

// message is what one party sends to another.
type message struct {
	from, to int
	key      link.Key
	data     []byte
}

// record is what a trial gave.
type record struct {
	out      map[int][]ring.Vec // of those who learn
	messages []message
	form     *correlation.Manifest
	masks    [5][]ring.Vec // parts of ring masks that each party took
	online   flow.Account  // of P0
	rounds   int
	mu       sync.Mutex
}

// wire notes what a party sends.
type wire struct {
	*link.Endpoint
	rec *record
}

func (w wire) Send(to int, k link.Key, clock int32, data []byte) {
	w.rec.mu.Lock()
	w.rec.messages = append(w.rec.messages, message{w.Rank(), to, k, slices.Clone(data)})
	w.rec.mu.Unlock()
	w.Endpoint.Send(to, k, clock, data)
}

// noted notes the masks that a party takes.
type noted struct {
	correlation.Source
	rank int
	rec  *record
}

func (n noted) Leaf(m *correlation.Mask) (ring.Stream, error) {
	v, err := n.Source.Leaf(m)
	n.rec.mu.Lock()
	defer n.rec.mu.Unlock()
	if err == nil {
		n.rec.masks[n.rank] = append(n.rec.masks[n.rank], v.Vec().Clone())
	}
	return v, err
}

// run runs the trial, every party on its own side of the links.
func (tr trial) run(t testing.TB) *record {
	t.Helper()
	n := max(tr.parties, Parties)
	rec := &record{out: map[int][]ring.Vec{}}
	ends := link.Memory(n)
	defer func() {
		var wg sync.WaitGroup
		for _, e := range ends {
			wg.Go(e.Close)
		}
		wg.Wait()
	}()
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i, e := range ends {
		wg.Go(func() { errs[i] = tr.party(t.Context(), wire{e, rec}, rec) })
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("party %d: %v", i, err)
		}
	}
	return rec
}

// secrets makes a party's side of the computation.
func (tr trial) secrets(p mpc.Protocol, op *flow.Op) []mpc.Secret {
	var in []mpc.Secret
	for _, o := range tr.in {
		in = append(in, p.Input(op, o.owner, o.v.Ring(), o.v.Len(), o.bound, func() ring.Vec { return o.v.Clone() }))
	}
	out := tr.build(p, op, in)
	for _, s := range out {
		p.Finalize(op, s)
	}
	return out
}

func (tr trial) party(ctx context.Context, w wire, rec *record) error {
	rank, forms := w.Rank(), &correlation.Recorder{}
	c := semi2k.Config{Rank: rank, Source: forms, Inputs: semi2k.Inputs{}}
	planned := &flow.Account{}
	g := flow.NewDryRun(link.Online, planned)
	secrets := tr.secrets(New(ctx, c), g.Op(7, &flow.Cost{}, "test"))
	rounds := g.Rounds()

	// Of tr.seeds follow all seeds with P2, as if it had drawn them one by one.
	seeds := Seeds(ring.Seed{1}, w.Size())
	for i := range seeds {
		seeds[i][0] ^= tr.seeds[i]
	}
	if rank < Computing {
		c.Zero = map[int]ring.Seed{1 - rank: {2, tr.zero}}
		c.Common = ring.Seed{3, tr.zero}
	}
	form := forms.Manifest()
	corrections := correlation.NewDelivery(form.Bytes())
	c.Source = noted{correlation.NewParty(rank, Computing, seeds[rank], corrections), rank, rec}
	var err error
	switch rank {
	case Dealer:
		c.Source = noted{correlation.NewDealerSource(seeds[:Computing]), rank, rec}
		rec.form = form
		err = Deal(ctx, w, seeds, form)
	case Corrected:
		err = Receive(ctx, w, form, corrections.Put)
	}
	if err != nil {
		return err
	}
	p := New(ctx, c)
	g = flow.New(ctx, link.Input, w, &flow.Account{})
	p.ShareInputs(g)
	if err := g.Wait(); err != nil {
		return err
	}
	c.Inputs.EndPhase()
	if rank < Computing {
		account := &flow.Account{}
		g = flow.New(ctx, link.Online, w, account)
		secrets = tr.secrets(p, g.Op(7, &flow.Cost{}, "test"))
		if err := g.Wait(); err != nil {
			return err
		}
		if b := account.Bytes.Load(); !tr.expected && (b != planned.Bytes.Load() || g.Rounds() != rounds) {
			return fmt.Errorf("%d bytes in %d rounds, planned were %d in %d", b, g.Rounds(), planned.Bytes.Load(), rounds)
		}
	}
	g = flow.New(ctx, link.Output, w, &flow.Account{})
	var out []*flow.Future[ring.Vec]
	for i, s := range secrets {
		out = append(out, p.Reveal(g.Op(uint32(i), &flow.Cost{}, "output"), s, tr.to))
	}
	if err := g.Wait(); err != nil {
		return err
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	for _, v := range out {
		if slices.Contains(tr.to, rank) {
			rec.out[rank] = append(rec.out[rank], v.Get())
		}
	}
	return nil
}

// clear is what the computation gives in clear.
func (tr trial) clear(t testing.TB) (out []ring.Vec) {
	t.Helper()
	ends := link.Memory(1)
	defer ends[0].Close()
	g := flow.New(t.Context(), link.Online, ends[0], &flow.Account{})
	p := plain.Party{}
	secrets := tr.secrets(p, g.Op(7, &flow.Cost{}, "test"))
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	var vs []*flow.Future[ring.Vec]
	for _, s := range secrets {
		vs = append(vs, p.Reveal(g.Op(8, &flow.Cost{}, "output"), s, nil))
	}
	for _, v := range vs {
		out = append(out, v.Get())
	}
	return out
}
