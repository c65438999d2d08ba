package semi2k

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// poly is a polynomial in masks whose coefficients all computing parties know
// (docs/protocols/arithmetic.md#polynomials-in-masks). A share of its value is computed locally from dealt
// monomials.
type poly struct{ terms []term } // ascending by monomial

type term struct {
	m monomial
	c *coef
}

func newPoly() *poly { return &poly{} }

func constantPoly(c *coef) *poly { return &poly{[]term{{c: c}}} }

// with adds c·m to y and returns y.
func (y *poly) with(m monomial, c *coef) *poly {
	i, there := slices.BinarySearchFunc(y.terms, m, func(t term, m monomial) int { return t.m.compare(m) })
	if there {
		y.terms[i].c = y.terms[i].c.plus(c)
	} else {
		y.terms = slices.Insert(y.terms, i, term{m, c})
	}
	return y
}

func (y *poly) plus(z *poly) *poly {
	out := make([]term, 0, len(y.terms)+len(z.terms))
	a, b := y.terms, z.terms
	for len(a) > 0 && len(b) > 0 {
		switch order := a[0].m.compare(b[0].m); {
		case order < 0:
			out, a = append(out, a[0]), a[1:]
		case order > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, term{a[0].m, a[0].c.plus(b[0].c)})
			a, b = a[1:], b[1:]
		}
	}
	return &poly{append(append(out, a...), b...)}
}

func (y *poly) minus(z *poly) *poly { return y.plus(z.scaled(constant(-1))) }

// scaled is y times the coefficient c.
func (y *poly) scaled(c *coef) *poly {
	out := make([]term, len(y.terms))
	for i, t := range y.terms {
		out[i] = term{t.m, t.c.times(c)}
	}
	return &poly{out}
}

func (y *poly) times(z *poly) *poly {
	if len(z.terms) == 1 && len(z.terms[0].m) == 0 {
		return y.scaled(z.terms[0].c)
	}
	all := make([]term, 0, len(y.terms)*len(z.terms))
	for _, s := range y.terms {
		for _, t := range z.terms {
			all = append(all, term{s.m.times(t.m), s.c.times(t.c)})
		}
	}
	slices.SortStableFunc(all, func(s, t term) int { return s.m.compare(t.m) })
	out := all[:0]
	for _, t := range all {
		if last := len(out) - 1; last >= 0 && out[last].m.compare(t.m) == 0 {
			out[last].c = out[last].c.plus(t.c)
		} else {
			out = append(out, t)
		}
	}
	return &poly{out}
}

// polyShare is this party's share of a polynomial's value.
func (p *Party) polyShare(op *flow.Op, y *poly, r ring.Ring, n int) *flow.Future[ring.Vec] {
	return p.polyTruncateReduced(op, y, 0, r, n, 0)
}

// polyTruncateReduced is polyShare without the lowest bits, which are dropped as in Drop,
// by a coin that is named, if any are.
func (p *Party) polyTruncateReduced(op *flow.Op, y *poly, coin uint64, r ring.Ring, n, drop int) *flow.Future[ring.Vec] {
	type part struct {
		c *coef
		shiftedStream
	}
	var parts []part
	var ds []flow.Dep
	var free *coef
	var seen coefSet
	for _, t := range y.terms {
		switch {
		case t.c.isConst(0):
			continue
		case len(t.m) == 0:
			if !p.first() {
				continue
			}
			free = t.c
		case len(t.m) == 1 && t.m[0].zeroLambda && t.m[0].Part == correlation.Whole:
			continue
		default:
			for _, x := range p.monomialShares(op, t.m, r) {
				parts = append(parts, part{t.c, x})
				ds = append(ds, x.dep())
			}
		}
		ds = t.c.deps(ds, &seen)
	}
	to := ring.Z(r.Bits - drop)
	return flow.Do(op, bytes(to, n), func() ring.Vec {
		e := newEvaluator(op, r, n)
		first := -1
		if free != nil {
			first = e.add(free, n)
		}
		at := make([]int, len(parts)) // indices of coefficients other than 1 and −1
		for i, t := range parts {
			op.Spend(flow.Cached, bytes(r, n))
			if !t.c.isConst(1) && !t.c.isConst(-1) {
				spendProducts(op, maps.Elementwise{N: n}, r)
				at[i] = e.add(t.c, n)
			}
		}
		out := e.like.UninitialisedLike(to, n)
		var zeros zeroSharing
		if drop > 0 {
			zeros = p.rounding(op, coin, r, n, drop)
		}
		if out.ShapeOnly() {
			return out
		}
		var room ring.Vec
		if drop > 0 {
			room = ring.NewUninitialised(r, min(n, blockLength))
		}
		var rooms streamRooms
		streams := make([]ring.Stream, len(parts))
		for i, t := range parts {
			streams[i] = t.get()
			rooms.add(streams[i].Ring(), min(n, blockLength))
		}
		for lo := 0; lo < n; lo += blockLength {
			hi := min(lo+blockLength, n)
			e.run(lo, hi)
			var sum ring.Vec
			if drop > 0 {
				sum = room.Slice(0, hi-lo)
			} else {
				sum = out.Slice(lo, hi)
			}
			if first >= 0 {
				copy(sum.Words(), e.steps[first].val.Words())
			} else {
				clear(sum.Words())
			}
			for i, t := range parts {
				switch v := streams[i].Part(rooms.of(streams[i].Ring()), lo, hi); {
				case t.c.isConst(1):
					ring.AddShifted(sum, v, t.by, false)
				case t.c.isConst(-1):
					ring.AddShifted(sum, v, t.by, true)
				default:
					ring.MulAddShifted(sum, e.steps[at[i]].val, v, t.by)
				}
			}
			if drop > 0 {
				p.truncateReduceInto(out.Slice(lo, hi), sum, drop, zeros, lo)
			}
		}
		room.Free()
		e.free()
		rooms.free()
		return out
	}, ds...)
}

// streamRooms is storage in which streams are expanded, a block at a time: one vector for each ring.
type streamRooms []ring.Vec

// add makes room for n elements over r, unless there is room over r.
func (s *streamRooms) add(r ring.Ring, n int) {
	if s.of(r).Len() == 0 {
		*s = append(*s, ring.NewUninitialised(r, n))
	}
}

// of returns the room for elements over r.
func (s streamRooms) of(r ring.Ring) ring.Vec {
	for _, v := range s {
		if v.Ring() == r {
			return v
		}
	}
	return ring.Vec{}
}

// free gives the storage back.
func (s streamRooms) free() {
	for _, v := range s {
		v.Free()
	}
}

// Symbolic implements mpc.Symbolic. A vector of which a share was made already counts as well: its polynomial is kept.
func (p *Party) Symbolic(x mpc.Secret) bool {
	s := p.share(x)
	return s.masked == nil && s.poly != nil && len(s.poly.terms) <= maxTerms/2
}

// maskedPoly is the polynomial of a masked value x in a ring at least as wide as its own: Δ − λ in its own
// ring. In a wider ring, for |x| < 2^(w−2) and c = Δ + 2^(w−2) mod 2^w, it is c − 2^(w−2) − (λ mod 2^w) +
// [c's top bit is 0]·(λ's top bit)·2^w (docs/protocols/arithmetic.md#change-of-ring).
func (p *Party) maskedPoly(m *masked, own, r ring.Ring, bound int) *poly {
	public := m.mask.Kind == correlation.Zero
	switch {
	case own == r && public:
		return constantPoly(vector(m.delta))
	case own == r:
		return constantPoly(vector(m.delta)).with(monomial{m.maskFactor(correlation.Whole, 0, 0)}, constant(-1))
	}
	w := own.Bits
	if bound > w-2 { // rule 8
		panic(fmt.Sprintf("semi2k: numbers below 2^%d in %v have no slack bit, which their extension needs", bound, own))
	}
	base := constantPoly((&coef{kind: coefLift, vec: m.delta}).minus(pow2(w - 2)))
	if public {
		return base
	}
	return base.
		with(monomial{m.maskFactor(correlation.LowBits, w, 0)}, constant(-1)).
		with(monomial{m.maskFactor(correlation.Wrap, w, 0)}, &coef{kind: coefTopIsZero, vec: m.delta})
}

// liftedDelta is c = Δ + 2^(w−2) mod 2^w and the negation of its top bit, for who
// needs them otherwise than as coefficients.
func (p *Party) liftedDelta(op *flow.Op, m *masked, own ring.Ring, n int) (c *flow.Future[ring.Vec], top *flow.Future[ring.Bits]) {
	c = flow.Do(op, bytes(own, n), func() ring.Vec {
		out := m.delta.Get().UninitialisedLike(own, n)
		ring.AddPow(out, m.delta.Get(), own.Bits-2, false)
		return out
	}, m.delta)
	top = flow.Do(op, int64(n)/8, func() ring.Bits {
		b := ring.Bit(c.Get(), own.Bits-1)
		ring.Not(b, b)
		return b
	}, c)
	return c, top
}

// quotientPoly is ⌊x/2^f⌋ + [Δ mod 2^f < λ mod 2^f] of a masked value, |x| < 2^(w−2), in its own ring. It is
// local. It must not be used as a rounding: the dealer knows the second term for each candidate x (coin.go).
// The caller subtracts that term and gets the exact quotient.
func (p *Party) quotientPoly(op *flow.Op, m *masked, own ring.Ring, n, f int) *poly {
	w := own.Bits
	c, top := p.liftedDelta(op, m, own, n)
	shifted := flow.Do(op, bytes(own, n), func() ring.Vec {
		out := c.Get().UninitialisedLike(own, n)
		ring.Rsh(out, c.Get(), f)
		return out
	}, c)
	return constantPoly(vector(shifted).minus(pow2(w-2-f))).
		with(monomial{m.maskFactor(correlation.Shifted, w, f)}, constant(-1)).
		with(monomial{m.maskFactor(correlation.WrapShifted, w, f)}, bitVector(top))
}

// asPoly is a share's value as a polynomial in r. The share must be masked or a polynomial in r.
func (p *Party) asPoly(op *flow.Op, s *share, r ring.Ring) *poly {
	if s.masked != nil {
		return p.maskedPoly(s.masked, s.ring, r, s.bound)
	}
	return s.poly
}

// poly is the polynomial of a masked bit: b = m + (1 − 2m)·a.
func (b *bit) poly() *poly {
	m := bitVector(b.m)
	return constantPoly(m).with(monomial{b.factor}, constant(1).minus(m.scaled(2)))
}
