package semi2k

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// factor is a function of a mask that occurs in monomials. It keeps the dealt shares of the monomials of
// which it is the newest factor, so that each monomial is requested once and is released when one of its
// factors is.
type factor struct {
	correlation.Factor
	name       string
	lambda     *flow.Future[ring.Vec] // of Whole and LowBits: this party's share of the mask
	zeroLambda bool                   // which is zero
	dealt      []dealtMonomial
	bits       map[string]bitVec
	of         *factor   // the factor whose elements this one repeats; nil if there is none
	view       maps.View // how it repeats them
}

// repeated says that a mask repeats the elements of another one.
type repeated struct {
	of   *masked
	view maps.View
}

// dealtMonomial is the dealt share of a monomial in a ring.
type dealtMonomial struct {
	m monomial
	r ring.Ring
	shiftedStream
}

// key returns Factor.Key, computed once.
func (f *factor) key() string {
	if f.name == "" {
		f.name = f.Factor.Key()
	}
	return f.name
}

// maskFactor is a factor of a masked form's mask, one object for each.
func (m *masked) maskFactor(part correlation.Part, width, shift int) *factor {
	for _, f := range m.factors {
		if f.Part == part && f.Width == width && f.Shift == shift {
			return f
		}
	}
	f := &factor{Factor: correlation.Factor{Mask: m.mask, Part: part, Width: width, Shift: shift}, lambda: m.lambda, zeroLambda: m.zeroLambda}
	if r := m.repeats; r != nil {
		f.of, f.view = r.of.maskFactor(part, width, shift), r.view
	}
	m.factors = append(m.factors, f)
	return f
}

// compare orders factors by mask id, part, width and shift.
func (f *factor) compare(o *factor) int {
	if f == o {
		return 0
	}
	return cmp.Or(cmp.Compare(f.Mask.ID, o.Mask.ID), cmp.Compare(f.Part, o.Part), cmp.Compare(f.Width, o.Width), cmp.Compare(f.Shift, o.Shift))
}

// monomial is a product of factors in ascending order.
type monomial []*factor

// compare orders monomials by their factors.
func (m monomial) compare(o monomial) int { return slices.CompareFunc(m, o, (*factor).compare) }

// times is the product of two monomials. The square of a bit is the bit.
func (m monomial) times(o monomial) monomial {
	out := make(monomial, 0, len(m)+len(o))
	for len(m) > 0 && len(o) > 0 {
		switch order := m[0].compare(o[0]); {
		case order < 0 || order == 0 && !m[0].IsBit():
			out, m = append(out, m[0]), m[1:]
		case order == 0:
			m = m[1:]
		default:
			out, o = append(out, o[0]), o[1:]
		}
	}
	return append(append(out, m...), o...)
}

// newest is the factor of the mask that was made last: what an old value
// has in common with many young ones, as with those of a loop, it does not keep.
func (m monomial) newest() *factor {
	y := m[0]
	for _, f := range m {
		if f.Mask.ID > y.Mask.ID {
			y = f
		}
	}
	return y
}

func (m monomial) key() string {
	if len(m) == 1 {
		return m[0].key()
	}
	var b strings.Builder
	for _, f := range m {
		b.WriteString(f.key())
	}
	return b.String()
}

// request returns a correlation request for a sharing of the monomial over out.
func (m monomial) request(kind correlation.Kind, out ring.Ring) *correlation.Request {
	r := &correlation.Request{Kind: kind, Out: out, N: m[0].Mask.N, Factors: make([]correlation.Factor, 0, len(m))}
	for _, f := range m {
		r.Factors = append(r.Factors, f.Factor)
		r.Zeros += f.Zeros()
	}
	r.Zeros = min(r.Zeros, out.Bits-1)
	return r
}

// shiftedStream is a share in parts: what is there or dealt, read as unsigned
// integers, times 2^by.
type shiftedStream struct {
	vec   *flow.Future[ring.Vec]
	dealt *flow.Future[ring.Stream]
	by    int
}

func (x shiftedStream) dep() flow.Dep {
	if x.dealt != nil {
		return x.dealt
	}
	return x.vec
}

func (x shiftedStream) get() ring.Stream {
	if x.dealt != nil {
		return x.dealt.Get()
	}
	return ring.StreamOf(x.vec.Get())
}

// monomialShares is this party's additive share of a monomial in r, as the sum of
// one or two vectors. A mask by itself is free, its low bits as an integer cost
// the bits above them, and everything else the ring's width.
func (p *Party) monomialShares(op *flow.Op, m monomial, r ring.Ring) []shiftedStream {
	f := m[0]
	if whole := f.Part == correlation.Whole && !f.IsBit() || f.Part == correlation.Bit && r.Bits == 1; len(m) == 1 && whole &&
		f.Mask.Ring == r {
		return []shiftedStream{{vec: f.lambda}}
	}
	if len(m) == 1 && f.of != nil {
		return []shiftedStream{p.repeatedShare(op, f, r)}
	}
	lifted := len(m) == 1 && f.Part == correlation.LowBits && f.Mask.Ring.Bits == f.Width && !p.hasDealtShares(f.Mask)
	kind := correlation.Product
	if lifted {
		kind = correlation.Lift
	}
	dealt := p.dealtMonomial(op, m, r, kind)
	if lifted {
		return []shiftedStream{{vec: f.lambda}, dealt}
	}
	return []shiftedStream{dealt}
}

// repeatedShare is this party's share in r of a factor that repeats another one's elements: a view of the share of that one,
// for which fewer elements are dealt.
func (p *Party) repeatedShare(op *flow.Op, f *factor, r ring.Ring) shiftedStream {
	m := monomial{f}
	if i := slices.IndexFunc(f.dealt, func(d dealtMonomial) bool { return d.r == r && len(d.m) == 1 }); i >= 0 {
		return f.dealt[i].shiftedStream
	}
	x := shiftedStream{vec: p.applyLinear(op, f.view, r, p.monomialShare(op, monomial{f.of}, r))}
	f.dealt = append(f.dealt, dealtMonomial{m, r, x})
	return x
}

// dealtMonomial is what is dealt of a monomial in r, once.
func (p *Party) dealtMonomial(op *flow.Op, m monomial, r ring.Ring, kind correlation.Kind) shiftedStream {
	y := m.newest()
	for _, d := range y.dealt {
		if d.r == r && d.m.compare(m) == 0 {
			return d.shiftedStream
		}
	}
	q := m.request(kind, r)
	d := dealtMonomial{m, r, shiftedStream{dealt: p.takeStream(op, q), by: q.Shift()}}
	y.dealt = append(y.dealt, d)
	return d.shiftedStream
}

// dealtWithin makes the share of a monomial over r, if there is none yet, of the low bits of the one over wide, which is
// requested if need be. What is dealt of the monomial has no low zero bits.
func (p *Party) dealtWithin(op *flow.Op, m monomial, r, wide ring.Ring) {
	y := m.newest()
	if r == wide || slices.ContainsFunc(y.dealt, func(d dealtMonomial) bool { return d.r == r && d.m.compare(m) == 0 }) {
		return
	}
	of := p.dealtMonomial(op, m, wide, correlation.Product)
	n := m[0].Mask.N
	low := flow.Do(op, bytes(r, n), func() ring.Vec {
		v := of.get().Vec()
		out := v.UninitialisedLike(r, n)
		ring.Low(out, v)
		return out
	}, of.dep())
	y.dealt = append(y.dealt, dealtMonomial{m, r, shiftedStream{vec: low}})
}

// monomialShare is ringParts in one vector.
func (p *Party) monomialShare(op *flow.Op, m monomial, r ring.Ring) *flow.Future[ring.Vec] {
	parts := p.monomialShares(op, m, r)
	if len(parts) == 1 && parts[0].vec != nil {
		return parts[0].vec
	}
	var ds []flow.Dep
	for _, x := range parts {
		ds = append(ds, x.dep())
	}
	n := m[0].Mask.N
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		if len(parts) == 1 && parts[0].by == 0 {
			return parts[0].get().Vec()
		}
		sum := parts[0].get().Like(r, n)
		for _, x := range parts {
			v := x.get()
			room := sum.UninitialisedLike(v.Ring(), min(n, blockLength))
			for lo := 0; lo < n && !sum.ShapeOnly(); lo += blockLength {
				hi := min(lo+blockLength, n)
				ring.AddShifted(sum.Slice(lo, hi), v.Part(room, lo, hi), x.by, false)
			}
			room.Free()
		}
		return sum
	}, ds...)
}

// hasDealtShares reports whether shares of a mask are dealt and do not follow from
// seeds alone: it comes from an owner who does not compute.
func (p *Party) hasDealtShares(m *correlation.Mask) bool { return m.Owners > p.n }

// bitMonomialShares are this party's XOR shares of monomials of mask bits, one bit dealt
// for each that was not dealt before.
func (p *Party) bitMonomialShares(op *flow.Op, n int, ms ...monomial) []bitVec {
	out := make([]bitVec, len(ms))
	var fresh []string // keys of the monomials to request
	var factors []correlation.Factor
	var sets [][]uint16
	number := map[*factor]uint16{}
	for i, m := range ms {
		key := m.key()
		if out[i] = m.newest().bits[key]; out[i] != nil || slices.Contains(fresh, key) {
			continue
		}
		fresh = append(fresh, key)
		set := make([]uint16, len(m))
		for j, f := range m {
			at, ok := number[f]
			if !ok {
				at = uint16(len(factors))
				number[f], factors = at, append(factors, f.Factor)
			}
			set[j] = at
		}
		sets = append(sets, set)
	}
	if len(sets) == 0 {
		return out
	}
	dealt := flow.Parts(p.takeBits(op, &correlation.Request{
		Kind: correlation.BitProduct, Factors: factors, N: n, Products: correlation.NewProducts(len(factors), sets),
	}), len(sets))
	for i, m := range ms {
		if out[i] != nil {
			continue
		}
		key, y := m.key(), m.newest()
		if y.bits == nil {
			y.bits = map[string]bitVec{}
		}
		out[i] = dealt[slices.Index(fresh, key)]
		y.bits[key] = out[i]
	}
	return out
}
