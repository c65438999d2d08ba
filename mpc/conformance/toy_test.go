package conformance_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/conformance"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// The toy is a protocol of core methods alone: two parties, additive shares modulo 2^k,
// Beaver's triples (Crypto '91), which the first party makes for both in an offline
// phase between them. So it keeps no secrets from the first party: it shows what a
// new protocol has to bring, no more.
var toy = &protocol.Descriptor{
	Name:    "toy",
	Summary: "two parties and triples that the first one makes: no security, for tests",
	Roles:   []string{"computes, makes triples", "computes", "shares inputs and learns outputs"},
	Least:   2, Most: 2,
	Rings:  []int{32, 64, 128},
	Supply: protocol.BetweenParties,
	Between: &protocol.Between{
		NewDemand: func() protocol.Demand { return &toyDemand{} },
		Phases: []protocol.BetweenPhase{
			{Name: "triples of bits", Run: func(g *flow.Graph, c protocol.Config, before any) any {
				return toyTriples(g, c, map[uint64]*flow.Future[ring.Vec]{}, true)
			}},
			{Name: "triples of numbers", Run: func(g *flow.Graph, c protocol.Config, before any) any {
				return toyTriples(g, c, before.(map[uint64]*flow.Future[ring.Vec]), false)
			}},
		},
	},
	NewInputs: func() protocol.Inputs { return toyInputs{} },
	New:       func(_ context.Context, c protocol.Config) protocol.Session { return &toyParty{c} },
}

func init() { protocol.Register(toy) }

// triple is a request of the dry run: shares of a, b and B(a, b).
type triple struct {
	id uint64
	r  ring.Ring
	by maps.Bilinear
}

// toyDemand is all triples of a session.
type toyDemand struct{ triples []triple }

// Digest is of the triples in their order.
func (d *toyDemand) Digest() [32]byte {
	h := sha256.New()
	for _, t := range d.triples {
		fmt.Fprintf(h, "%d %v %T %v\n", t.id, t.r, t.by, t.by)
	}
	return [32]byte(h.Sum(nil))
}

// HeldBytes is the size of shares of factors and products.
func (d *toyDemand) HeldBytes() (sum int64) {
	for _, t := range d.triples {
		left, right := t.by.In()
		sum += int64(8 * t.r.Words() * (left + right + t.by.Out()))
	}
	return sum
}

// toyBatch is the number of triples in a message of the offline phase.
const toyBatch = 64

// toyTriples is a phase: the first party sends the second one its shares of products.
// Shares of factors come from the seed that both have.
func toyTriples(g *flow.Graph, c protocol.Config, out map[uint64]*flow.Future[ring.Vec], bits bool) any {
	var of []triple
	for _, t := range c.Demand.(*toyDemand).triples {
		if (t.r.Bits == 1) == bits {
			of = append(of, t)
		}
	}
	id := 2 * c.First
	if bits {
		id++
	}
	op := g.Op(id, &flow.Cost{}, "toy: triples")
	for len(of) > 0 {
		batch := of[:min(toyBatch, len(of))]
		of = of[len(batch):]
		size := 0
		for _, t := range batch {
			size += t.by.Out() * t.r.Bits
		}
		x := flow.ExchangeSpec{From: []int{0}, Size: (size + 7) / 8}
		if c.Rank == 0 {
			x = flow.ExchangeSpec{To: []int{1}, Pack: func() ring.Payload {
				var w ring.Writer
				for _, t := range batch {
					w.Vec(t.second(c, g.DryRun()))
				}
				return w.Payload()
			}}
		}
		all := flow.Exchange(op, 0, x, func(in []ring.Payload) ([]ring.Vec, error) {
			if len(in) == 0 {
				return nil, nil
			}
			rd, vs := ring.NewReader(in[0]), []ring.Vec{}
			for _, t := range batch {
				vs = append(vs, rd.Vec(t.r, t.by.Out()))
			}
			return vs, rd.Close()
		})
		if c.Rank == 1 {
			for i, t := range batch {
				out[t.id] = flow.Pick(op, func() ring.Vec { return all.Get()[i] }, all)
			}
		}
	}
	return out
}

// drawn is a part of a triple that follows from the common seed: the shares of a, b and,
// at the first party, of the product.
func (t triple) drawn(c protocol.Config, n, part int, dry bool) ring.Vec {
	if dry {
		return ring.ShapeOnly(t.r, n)
	}
	v := ring.New(t.r, n)
	ring.NewPRG(c.Zero[1-c.Rank]).Vec(v, t.id, uint8(part))
	return v
}

// second is the second party's share of the product.
func (t triple) second(c protocol.Config, dry bool) ring.Vec {
	la, lb := t.by.In()
	a, b, p := t.drawn(c, la, 0, dry), t.drawn(c, lb, 1, dry), t.drawn(c, t.by.Out(), 4, dry)
	ring.Add(a, a, t.drawn(c, la, 2, dry))
	ring.Add(b, b, t.drawn(c, lb, 3, dry))
	z := p.Like(t.r, t.by.Out())
	t.by.Apply(z, a, b)
	ring.Sub(z, z, p)
	return z
}

// toyInput is an owner's vector: a computing owner's is its own share, and nothing is
// sent; another owner's is shared in the input phase.
type toyInput struct {
	owner, n int
	r        ring.Ring
	stays    bool
	shared   bool
	words    ring.Vec // at the owner
	share    *flow.Future[ring.Vec]
}

type toyInputs map[uint64]*toyInput

func (in toyInputs) Len() int { return len(in) }
func (in toyInputs) EndPhase() {
	for _, x := range in {
		x.shared = true
	}
}
func (in toyInputs) Staying() protocol.Inputs {
	out := toyInputs{}
	for id, x := range in {
		if x.stays {
			out[id] = x
		}
	}
	return out
}
func (in toyInputs) Bytes(rank int) (shared, own int64) {
	for _, x := range in {
		if b := int64(x.n * x.r.Words() * 8); x.owner == rank {
			own += b
		} else if x.owner > 1 {
			shared += b
		}
	}
	return shared, own
}

type toyParty struct{ c protocol.Config }

// toySecret is one party's view of a secret: its additive share.
type toySecret struct {
	r        ring.Ring
	n, bound int
	v        *flow.Future[ring.Vec]
}

func (s *toySecret) Len() int           { return s.n }
func (s *toySecret) Ring() ring.Ring    { return s.r }
func (s *toySecret) Bound() int         { return s.bound }
func (s *toySecret) Opened() bool       { return false }
func (s *toySecret) Additive() ring.Vec { return s.v.Get() }

func newToy(r ring.Ring, n, bound int, v *flow.Future[ring.Vec]) *toySecret {
	return &toySecret{r, n, min(bound, r.Bits-2), v}
}

// local is a step of this party alone on shares.
func (p *toyParty) local(op *flow.Op, r ring.Ring, n, bound int, f func(dst ring.Vec, src []ring.Vec), xs ...*toySecret) *toySecret {
	deps := make([]flow.Dep, len(xs))
	for i, x := range xs {
		deps[i] = x.v
	}
	return newToy(r, n, bound, flow.Do(op, int64(n*r.Words()*8), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(r, n)
		}
		src := make([]ring.Vec, len(xs))
		for i, x := range xs {
			src[i] = x.v.Get()
		}
		dst := ring.New(r, n)
		f(dst, src)
		return dst
	}, deps...))
}

// private is a number that the party of a rank makes of its share: zero at the other.
func (p *toyParty) private(op *flow.Op, rank int, r ring.Ring, n int, x *toySecret, f func(dst, src ring.Vec)) *toySecret {
	return p.local(op, r, n, r.Bits, func(dst ring.Vec, src []ring.Vec) {
		if p.c.Rank == rank {
			f(dst, src[0])
		}
	}, x)
}

func (p *toyParty) Input(op *flow.Op, who int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	owner, stays := mpc.Owner(who)
	id, inputs := op.Next(), p.c.Inputs.(toyInputs)
	if stays {
		id -= uint64(p.c.First-p.c.Opening) << 32
	}
	in := inputs[id]
	if in == nil {
		if !op.Graph.DryRun() {
			panic("toy: input is not what the dry run saw")
		}
		in = &toyInput{owner: owner, n: n, r: r, stays: stays}
		if owner == p.c.Rank {
			in.words = words()
		}
		inputs[id] = in
	}
	if in.n != n || in.r != r {
		panic("toy: input is not what the dry run saw")
	}
	if op.Graph.DryRun() || owner > 1 && p.c.Rank > 1 {
		return newToy(r, n, bound, flow.Resolved(ring.ShapeOnly(r, n)))
	}
	if owner > 1 {
		return newToy(r, n, bound, flow.Resolved(in.share.Get()))
	}
	v := ring.New(r, n)
	if owner == p.c.Rank {
		v = in.words.Clone()
	}
	return newToy(r, n, bound, flow.Resolved(v))
}

// ShareInputs has owners that do not compute send each computing party a share.
func (p *toyParty) ShareInputs(g *flow.Graph) {
	inputs := p.c.Inputs.(toyInputs)
	for i, id := range sortedKeys(inputs) {
		in := inputs[id]
		if in.owner < 2 || in.shared {
			continue
		}
		op := g.Op(p.c.First+uint32(i), &flow.Cost{}, "toy: input")
		var x flow.ExchangeSpec
		switch p.c.Rank {
		case in.owner:
			shares := [2]ring.Vec{ring.ShapeOnly(in.r, in.n), ring.ShapeOnly(in.r, in.n)}
			if !g.DryRun() {
				shares[0] = ring.New(in.r, in.n)
				ring.NewPRG(ring.NewSeed()).Vec(shares[0], 0, 0)
				shares[1] = in.words.Clone()
				ring.Sub(shares[1], shares[1], shares[0])
			}
			x = flow.ExchangeSpec{To: []int{0, 1}, PackFor: func(to int) ring.Payload {
				var w ring.Writer
				w.Vec(shares[to])
				return w.Payload()
			}}
		case 0, 1:
			x = flow.ExchangeSpec{From: []int{in.owner}, Size: (in.n*in.r.Bits + 7) / 8}
		default:
			continue
		}
		in.share = flow.Exchange(op, 0, x, func(msgs []ring.Payload) (ring.Vec, error) {
			if len(msgs) == 0 {
				return ring.ShapeOnly(in.r, in.n), nil
			}
			rd := ring.NewReader(msgs[0])
			v := rd.Vec(in.r, in.n)
			return v, rd.Close()
		})
	}
}

func (p *toyParty) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	v := words
	if op.Graph.DryRun() {
		v = ring.ShapeOnly(words.Ring(), words.Len())
	} else if p.c.Rank > 0 {
		v = ring.New(words.Ring(), words.Len())
	}
	return newToy(v.Ring(), v.Len(), bound, flow.Resolved(v))
}

func (p *toyParty) FromShare(v ring.Vec, bound int) mpc.Secret {
	return newToy(v.Ring(), v.Len(), bound, flow.Resolved(v))
}

func (p *toyParty) AdditiveShare(_ *flow.Op, x mpc.Secret) *flow.Future[ring.Vec] {
	return x.(*toySecret).v
}

func (p *toyParty) Linear(op *flow.Op, m maps.Linear, xs ...mpc.Secret) mpc.Secret {
	in, bound := make([]*toySecret, len(xs)), 0
	for i, x := range xs {
		in[i] = x.(*toySecret)
		bound = max(bound, x.Bound())
		if lens := m.In(); len(lens) != len(xs) || lens[i] != x.Len() || x.Ring() != xs[0].Ring() {
			panic("toy: the operands do not fit the map")
		}
	}
	return p.local(op, xs[0].Ring(), m.Out(), bound+m.Growth(), func(dst ring.Vec, src []ring.Vec) { m.Apply(dst, src...) }, in...)
}

// Product is Beaver's: d = x − a and e = y − b are opened.
func (p *toyParty) Product(op *flow.Op, out ring.Ring, by maps.Bilinear, xs, ys mpc.Secret, _ int) mpc.Secret {
	la, lb := by.In()
	if xs.Len() != la || ys.Len() != lb {
		panic("toy: the operands do not fit the map")
	}
	if xs.Ring() != out {
		xs = p.Extend(op, out, xs, true)
	}
	if ys.Ring() != out {
		ys = p.Extend(op, out, ys, true)
	}
	x, y := xs.(*toySecret), ys.(*toySecret)
	t, dry := triple{op.Next(), out, by}, op.Graph.DryRun()
	if dry {
		d := p.c.Demand.(*toyDemand)
		d.triples = append(d.triples, t)
		op.Offline(int64(by.Out()*out.Bits+7) / 8)
	}
	side := 2 * p.c.Rank
	masked := func(dst, v ring.Vec, part int) { ring.Sub(dst, v, t.drawn(p.c, v.Len(), side+part, dry)) }
	de := p.local(op, out, la+lb, out.Bits, func(dst ring.Vec, src []ring.Vec) {
		masked(dst.Slice(0, la), src[0], 0)
		masked(dst.Slice(la, la+lb), src[1], 1)
	}, x, y)
	open := p.opened(op, de)
	deps := []*toySecret{open}
	if !dry && p.c.Rank == 1 {
		made := p.c.Prepared.(map[uint64]*flow.Future[ring.Vec])
		product := made[t.id]
		delete(made, t.id) // a triple serves once
		deps = append(deps, newToy(out, by.Out(), 0, flow.Resolved(product.Get())))
	}
	return p.local(op, out, by.Out(), out.Bits, func(dst ring.Vec, src []ring.Vec) {
		d, e := src[0].Slice(0, la), src[0].Slice(la, la+lb)
		a, b := t.drawn(p.c, la, side, dry), t.drawn(p.c, lb, side+1, dry)
		if p.c.Rank == 0 {
			ring.Add(b, b, e) // d·(b + e) + a·e
		}
		part := ring.New(out, by.Out())
		by.Apply(part, d, b)
		by.Apply(dst, a, e)
		ring.Add(dst, dst, part)
		if p.c.Rank == 0 {
			ring.Add(dst, dst, t.drawn(p.c, by.Out(), 4, dry))
		} else {
			ring.Add(dst, dst, src[1])
		}
	}, deps...)
}

// opened is the sum of both parties' shares, known to both.
func (p *toyParty) opened(op *flow.Op, x *toySecret) *toySecret {
	other := []int{1 - min(p.c.Rank, 1)}
	return newToy(x.r, x.n, x.bound, flow.Exchange(op, 0, flow.ExchangeSpec{
		To: other, From: other, Size: (x.n*x.r.Bits + 7) / 8,
		Pack: func() ring.Payload {
			var w ring.Writer
			w.Vec(x.v.Get())
			return w.Payload()
		},
	}, func(in []ring.Payload) (ring.Vec, error) {
		rd := ring.NewReader(in[0])
		v := rd.Vec(x.r, x.n)
		ring.Add(v, v, x.v.Get())
		return v, rd.Close()
	}, x.v))
}

// wrap is whether the shares' sum wraps, of numbers in [0, 2^(k−1)), in ring r: the OR of
// the shares' top bits.
func (p *toyParty) wrap(op *flow.Op, x *toySecret, r ring.Ring) *toySecret {
	top := func(dst, src ring.Vec) { ring.FromBits(dst, ring.Bit(src, x.r.Bits-1)) }
	a, b := p.private(op, 0, r, x.n, x, top), p.private(op, 1, r, x.n, x, top)
	both := p.Product(op, r, maps.Elementwise{N: x.n}, a, b, 0)
	return p.Linear(op, maps.Combine{N: x.n, Coef: []int64{1, 1, -1}}, a, b, both).(*toySecret)
}

// shifted is the share with public numbers 2^i added, at a party each; −1 for none.
func (p *toyParty) shifted(op *flow.Op, x *toySecret, plus [2][]int, minus [2][]int) *toySecret {
	return p.local(op, x.r, x.n, x.bound, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		for _, i := range plus[p.c.Rank] {
			ring.AddPow(dst, dst, i, false)
		}
		for _, i := range minus[p.c.Rank] {
			ring.AddPow(dst, dst, i, true)
		}
	}, x)
}

// Truncate shifts shares of x + 2^(k−2), each rounded, and takes the wrap off.
func (p *toyParty) Truncate(op *flow.Op, xs mpc.Secret, by int) mpc.Secret {
	x := xs.(*toySecret)
	if by <= 0 {
		return x
	}
	k := x.r.Bits
	y := p.shifted(op, x, [2][]int{{k - 2, by - 1}, {by - 1}}, [2][]int{{by}, nil})
	w := p.wrap(op, y, ring.Z(by))
	return p.local(op, x.r, x.n, x.bound-by, func(dst ring.Vec, src []ring.Vec) {
		ring.Rsh(dst, src[0], by)
		lost := ring.New(x.r, x.n)
		ring.Low(lost, src[1])
		ring.Lsh(lost, lost, k-by)
		ring.Sub(dst, dst, lost)
		if p.c.Rank == 0 {
			ring.AddPow(dst, dst, k-2-by, true)
			ring.AddInt(dst, dst, 1)
		}
	}, y, w)
}

func (p *toyParty) Narrow(op *flow.Op, r ring.Ring, x mpc.Secret) mpc.Secret {
	if r.Bits > x.Ring().Bits {
		panic("toy: a wider ring")
	}
	return p.local(op, r, x.Len(), x.Bound(), func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }, x.(*toySecret))
}

// Extend adds shares in the wider ring and takes off 2^k where they wrap.
func (p *toyParty) Extend(op *flow.Op, out ring.Ring, xs mpc.Secret, signed bool) mpc.Secret {
	x, k := xs.(*toySecret), xs.Ring().Bits
	if out.Bits < k {
		panic("toy: a narrower ring")
	}
	if out.Bits == k {
		return x
	}
	offset, bound, y := -1, k, x
	if signed {
		offset = k - 1
		if x.bound < k-2 {
			offset, bound = k-2, x.bound
		}
		y = p.shifted(op, x, [2][]int{{offset}, nil}, [2][]int{})
	}
	var w *toySecret
	if over := ring.Z(out.Bits - k); offset == k-2 {
		w = p.wrap(op, y, over)
	} else {
		_, carry := p.adder(op, y)
		w = p.B2A(op, over, carry).(*toySecret)
	}
	return p.local(op, out, x.n, bound, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		lost := ring.New(out, x.n)
		ring.Low(lost, src[1])
		ring.Lsh(lost, lost, k)
		ring.Sub(dst, dst, lost)
		if p.c.Rank == 0 && offset >= 0 {
			ring.AddPow(dst, dst, offset, true)
		}
	}, y, w)
}

func (p *toyParty) BitDecompose(op *flow.Op, x mpc.Secret) mpc.Bit {
	bits, _ := p.adder(op, x.(*toySecret))
	return bits
}

// adder adds the parties' shares bit by bit (Kogge and Stone): the sum's planes, and the
// carry.
func (p *toyParty) adder(op *flow.Op, x *toySecret) (sum, carry mpc.Bit) {
	k, n := x.r.Bits, x.n
	planes := func(dst, src ring.Vec) {
		for i := range k {
			ring.FromBits(dst.Slice(i*n, (i+1)*n), ring.Bit(src, i))
		}
	}
	a, b := p.private(op, 0, ring.Z(1), k*n, x, planes), p.private(op, 1, ring.Z(1), k*n, x, planes)
	xor := func(x, y mpc.Bit) mpc.Bit { return p.Linear(op, maps.Combine{N: x.Len(), Coef: []int64{1, 1}}, x, y) }
	and := func(x, y mpc.Bit) mpc.Bit { return p.Product(op, ring.Z(1), maps.Elementwise{N: x.Len()}, x, y, 0) }
	var g mpc.Bit = and(a, b)
	propagate := xor(a, b)
	first := propagate
	for s := 1; s < k; s *= 2 {
		high, m := p.cut(op, propagate, s*n, k*n), (k-s)*n
		both := and(p.join(op, high, high), p.join(op, p.cut(op, g, 0, m), p.cut(op, propagate, 0, m)))
		g = p.join(op, p.cut(op, g, 0, s*n), xor(p.cut(op, g, s*n, k*n), p.cut(op, both, 0, m)))
		propagate = p.join(op, p.cut(op, propagate, 0, s*n), p.cut(op, both, m, 2*m))
	}
	carry = p.cut(op, g, (k-1)*n, k*n)
	if k == 1 {
		return first, carry
	}
	return p.join(op, p.cut(op, first, 0, n), xor(p.cut(op, first, n, k*n), p.cut(op, g, 0, (k-1)*n))), carry
}

func (p *toyParty) cut(op *flow.Op, x mpc.Secret, lo, hi int) mpc.Secret {
	return p.Linear(op, maps.NewView(tensor.Sliced(tensor.Shape{x.Len()}, []int{lo}, []int{hi}, []int{1}), x.Len()), x)
}

func (p *toyParty) join(op *flow.Op, x, y mpc.Secret) mpc.Secret {
	return p.Linear(op, maps.NewView(tensor.Concatenated([]tensor.Shape{{x.Len()}, {y.Len()}}, 0), x.Len(), y.Len()), x, y)
}

// B2A is b0 + b1 − 2·b0·b1.
func (p *toyParty) B2A(op *flow.Op, out ring.Ring, b mpc.Bit) mpc.Secret {
	x, n := b.(*toySecret), b.Len()
	if out.Bits == 1 {
		return x
	}
	low := func(dst, src ring.Vec) { ring.Low(dst, src) }
	u, v := p.private(op, 0, out, n, x, low), p.private(op, 1, out, n, x, low)
	y := p.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1, -2}}, u, v, p.Product(op, out, maps.Elementwise{N: n}, u, v, 0)).(*toySecret)
	return newToy(out, n, 1, y.v)
}

func (p *toyParty) RevealToComputing(op *flow.Op, xs mpc.Secret) mpc.Secret {
	old, id := xs.(*toySecret), op.Next()
	x := p.opened(op, p.local(op, old.r, old.n, old.bound, func(dst ring.Vec, src []ring.Vec) { // with a sharing of zero
		ring.NewPRG(p.c.Zero[1-p.c.Rank]).Vec(dst, id, 5)
		if p.c.Rank > 0 {
			ring.Neg(dst, dst)
		}
		ring.Add(dst, dst, src[0])
	}, old))
	return p.private(op, 0, x.r, x.n, x, func(dst, src ring.Vec) { ring.Low(dst, src) })
}

// RevealTo sends the share plus a sharing of zero.
func (p *toyParty) RevealTo(op *flow.Op, xs mpc.Secret, to int) *flow.Future[ring.Vec] {
	old, id := xs.(*toySecret), op.Next()
	x := p.local(op, old.r, old.n, old.bound, func(dst ring.Vec, src []ring.Vec) {
		ring.NewPRG(p.c.Zero[1-p.c.Rank]).Vec(dst, id, 6)
		if p.c.Rank > 0 {
			ring.Neg(dst, dst)
		}
		ring.Add(dst, dst, src[0])
	}, old)
	spec := flow.ExchangeSpec{Rounds: 1, Size: (x.n*x.r.Bits + 7) / 8, Pack: func() ring.Payload {
		var w ring.Writer
		w.Vec(x.v.Get())
		return w.Payload()
	}}
	if p.c.Rank == to {
		spec.From = []int{1 - to}
	} else if p.c.Rank < 2 {
		spec.To = []int{to}
	}
	return flow.Exchange(op, 0, spec, func(in []ring.Payload) (ring.Vec, error) {
		switch {
		case p.c.Rank != to:
			return ring.New(x.r, 0), nil
		case op.Graph.DryRun():
			return ring.New(x.r, x.n), nil
		}
		sum, rd := x.v.Get().Clone(), ring.NewReader(in[0])
		ring.Add(sum, sum, rd.Vec(x.r, x.n))
		return sum, rd.Close()
	}, x.v)
}

func (p *toyParty) InputLate(op *flow.Op, owner int, r ring.Ring, n, bound int, words *flow.Future[ring.Vec]) mpc.Secret {
	return p.local(op, r, n, bound, func(dst ring.Vec, src []ring.Vec) {
		if p.c.Rank == owner {
			ring.Low(dst, src[0])
		}
	}, newToy(r, n, bound, words))
}

func (p *toyParty) Reveal(op *flow.Op, xs mpc.Secret, to []int) *flow.Future[ring.Vec] {
	x, learns := xs.(*toySecret), false
	spec := flow.ExchangeSpec{Size: (x.n*x.r.Bits + 7) / 8, Pack: func() ring.Payload {
		var w ring.Writer
		w.Vec(x.v.Get())
		return w.Payload()
	}}
	for _, rank := range to {
		if rank == p.c.Rank {
			learns = true
		} else if p.c.Rank < 2 {
			spec.To = append(spec.To, rank)
		}
	}
	for i := range 2 {
		if learns && i != p.c.Rank {
			spec.From = append(spec.From, i)
		}
	}
	return flow.Exchange(op, 0, spec, func(in []ring.Payload) (ring.Vec, error) {
		if !learns {
			return ring.New(x.r, 0), nil
		}
		sum := ring.New(x.r, x.n)
		if p.c.Rank < 2 {
			ring.Low(sum, x.v.Get())
		}
		for _, m := range in {
			rd := ring.NewReader(m)
			ring.Add(sum, sum, rd.Vec(x.r, x.n))
			if err := rd.Close(); err != nil {
				return sum, err
			}
		}
		return sum, nil
	}, x.v)
}

func sortedKeys(in toyInputs) []uint64 {
	var out []uint64
	for id := range in {
		out = append(out, id)
	}
	for i := range out { // few of them
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// TestToy checks that the toy passes the suite. Unless all cases run, those are in rings of up to 64 bits, and uniform messages
// are tested of a part of the operations.
func TestToy(t *testing.T) {
	runs := testcases.OneOf(t, 5)
	conformance.RunPart(t, toy, func(_ string, bits int, uniform bool) bool {
		return bits > 64 && !testcases.All() || uniform && !runs()
	})
}

// toyFixtures are the programs below 10^5 elements.
var toyFixtures = []string{
	"add-mul", "bert-tiny-like", "cnn-digits", "control", "conv1", "functions", "gcn-train", "glm-gamma", "glm-poisson", "glm-tweedie", "gpr", "gpr-cg", "gpr-lapack",
	"integers", "kmeans", "logreg-infer", "logreg-train", "mlp-infer", "quantiles", "secret-index", "transformer-block", "winograd-ewmm", "winograd-gemm",
}

// toyQuick are those of a few seconds.
var toyQuick = map[string]bool{
	"add-mul":      true,
	"control":      true,
	"conv1":        true,
	"integers":     true,
	"logreg-infer": true,
	"mlp-infer":    true,
	"secret-index": true,
}

// toyLimit is the number of input elements up to which fixtures run.
const toyLimit = 100_000

// TestToyRunsPrograms runs the project's fixtures with a protocol of core methods: results
// are within the fixtures' tolerances, and costs are as planned, offline too.
func TestToyRunsPrograms(t *testing.T) {
	dir := os.Getenv("TACET_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "fixtures")
	}
	for _, name := range toyFixtures {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, name, "job.yaml")
			if _, err := os.Stat(file); err != nil {
				t.Skipf("no fixtures: %v (set TACET_FIXTURES to their folder)", err)
			}
			j, err := job.Load(file)
			if err != nil {
				t.Fatal(err)
			}
			j.Apply(job.Override{Protocol: toy.Name})
			p, err := hlo.ReadFile(j.Program)
			if err != nil {
				t.Fatal(err)
			}
			s, err := j.RunSpec(p)
			if err != nil {
				t.Fatal(err)
			}
			if !toyQuick[name] && os.Getenv("TACET_TEST_TOY") != "all" {
				t.Skip("it takes up to a minute (TACET_TEST_TOY=all runs it)")
			}
			elements := 0
			for _, a := range s.Args {
				elements += a.Data.Shape.Size()
			}
			if elements >= toyLimit {
				t.Skipf("%d elements", elements)
			}
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			want, err := j.Expected(p)
			if err != nil {
				t.Fatal(err)
			}
			if _, off := job.Compare(out.Results, want, j.Expect.Atol, j.Expect.Rtol); off != nil {
				t.Error(off)
			}
			r := out.Report
			if fmt.Sprint(
				r.Online.BytesSent,
				r.Online.Rounds,
				r.Offline.BytesSent,
			) != fmt.Sprint(
				r.Predicted.Online.BytesSent,
				r.Predicted.Online.Rounds,
				r.Predicted.Offline.BytesSent,
			) {
				t.Errorf("measured %v %d %d, predicted %+v", r.Online.BytesSent, r.Online.Rounds, r.Offline.BytesSent, r.Predicted)
			}
			if r.Offline.BySender[0] != r.Offline.BytesSent || r.Offline.Rounds > 2 {
				t.Errorf("offline %+v: the first party sends all of it, in a round for each phase", r.Offline)
			}
		})
	}
}
