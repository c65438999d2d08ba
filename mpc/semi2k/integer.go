package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Narrow implements mpc.Core. It reduces modulo r the masked form of x if x has one, else the additive share. Nothing
// is sent.
func (p *Party) Narrow(op *flow.Op, r ring.Ring, x mpc.Secret) mpc.Secret {
	s := p.share(x)
	if s.ring == r {
		return s
	}
	low := func(v *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
		return flow.Do(op, bytes(r, s.n), func() ring.Vec {
			out := v.Get().Like(r, s.n)
			ring.Low(out, v.Get())
			return out
		}, v)
	}
	m := s.masked
	if m == nil {
		return p.newShare(r, s.n, s.bound, low(p.additive(op, s)))
	}
	out := p.newShare(r, s.n, s.bound, nil)
	mask := correlation.NewDerived(op.Next(), r, maps.Combine{N: s.n, Coef: []int64{1}}, m.mask)
	if s.public() {
		mask = correlation.NewZero(op.Next(), r, s.n)
	}
	out.masked = newMasked(low(m.delta), low(m.lambda), mask)
	out.masked.zeroLambda = m.zeroLambda
	return out
}

// Asserted implements mpc.Asserter.
func (p *Party) Asserted(op *flow.Op, x mpc.Secret, bound int) mpc.Secret {
	s := p.share(x)
	if s.bound <= bound {
		return s
	}
	p.open(op, s)
	out := p.newShare(s.ring, s.n, bound, nil)
	m := *s.masked
	m.normalisations = nil // which may depend on the bound
	out.masked = &m
	return out
}

// Extend implements mpc.Core (docs/protocols/arithmetic.md#change-of-ring). For signed numbers whose bound leaves a
// slack bit it opens x and takes dealt values, and sends nothing more. Otherwise it also opens the bit of one
// comparison: with u = x, or u = x + 2^(w−1) if signed, and Δ_u = u + λ mod 2^w, u = Δ_u − λ + 2^w·[Δ_u < λ].
func (p *Party) Extend(op *flow.Op, out ring.Ring, x mpc.Secret, signed bool) mpc.Secret {
	s := p.share(x)
	if s.ring == out {
		return s
	}
	w := s.ring.Bits
	if signed && s.bound < w-2 {
		s = p.narrowed(op, s)
		p.open(op, s)
		return p.newPoly(out, s.n, s.bound, p.asPoly(op, s, out))
	}
	p.open(op, s)
	m := p.unsigned(op, s, signed)
	wrap := p.openBits(op, []int{s.n}, p.borrows(op, borrow{m, s.n, w}))[0]
	y := constantPoly(vector(m.delta)).
		with(monomial{m.maskFactor(correlation.LowBits, w, 0)}, constant(-1)).
		plus(wrap.poly().times(constantPoly(pow2(w))))
	if signed { // u = x + 2^(w−1)
		y = y.minus(constantPoly(pow2(w - 1)))
	}
	return p.newPoly(out, s.n, w, y)
}

// Floor implements mpc.Compositions (docs/protocols/bits.md#exact-floor). It opens x in its own ring. With u = x, or
// u = x + 2^(k−1) if signed, and T_j = [Δ mod 2^j < λ mod 2^j], ⌊u/2^by⌋ = ⌊Δ/2^by⌋ − ⌊λ/2^by⌋ − T_by + 2^(k−by)·T_k.
// The two comparisons share their tables, and their results are opened. T_k is left out if 2^(k−by) is 0 in out.
func (p *Party) Floor(op *flow.Op, out ring.Ring, x mpc.Secret, by int, signed bool) mpc.Secret {
	s := p.share(x)
	k, n, r := s.ring.Bits, s.n, s.ring
	if by == 0 {
		return p.Narrow(op, out, s)
	}
	p.open(op, s)
	m, high := p.unsigned(op, s, signed), out.Bits > k-by
	lens, ask := []int{n}, []borrow{{m, n, by}}
	if high {
		lens, ask = append(lens, n), append(ask, borrow{m, n, k})
	}
	bits := p.openBits(op, lens, p.borrows(op, ask...))
	shifted := flow.Do(op, bytes(r, n), func() ring.Vec {
		v := m.delta.Get().Like(r, n)
		ring.Rsh(v, m.delta.Get(), by)
		return v
	}, m.delta)
	y := constantPoly(vector(shifted)).
		with(monomial{m.maskFactor(correlation.Shifted, k, by)}, constant(-1)).
		minus(bits[0].poly())
	if high {
		y = y.plus(bits[1].poly().times(constantPoly(pow2(k - by))))
	}
	if signed {
		y = y.minus(constantPoly(pow2(k - 1 - by)))
	}
	return p.newPoly(out, n, k-by, y)
}
