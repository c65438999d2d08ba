package semi2k

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// factor is a function of a mask as it occurs in monomials, with the dealt
// shares of the monomials of which it is the youngest: each is dealt once,
// however often it is used, and goes when the first of its factors does.
type factor struct {
	correlation.Factor
	name   string
	lambda *flow.Of[ring.Vec] // of Whole and LowBits: this party's share of the mask
	none   bool               // which is zero
	dealt  []dealtMonomial
	bits   map[string]bitVec
}

// dealtMonomial is what was dealt of a monomial in a ring.
type dealtMonomial struct {
	m monomial
	r ring.Ring
	scaled
}

// key is Factor.Key.
func (f *factor) key() string {
	if f.name == "" {
		f.name = f.Factor.Key()
	}
	return f.name
}

// part is a factor of a masked form's mask, one object for each.
func (m *masked) part(part correlation.Part, width, shift int) *factor {
	for _, f := range m.parts {
		if f.Part == part && f.Width == width && f.Shift == shift {
			return f
		}
	}
	f := &factor{Factor: correlation.Factor{Mask: m.mask, Part: part, Width: width, Shift: shift}, lambda: m.lambda, none: m.none}
	m.parts = append(m.parts, f)
	return f
}

// compare orders factors as their keys do.
func (f *factor) compare(o *factor) int {
	if f == o {
		return 0
	}
	return cmp.Or(cmp.Compare(f.Mask.ID, o.Mask.ID), cmp.Compare(f.Part, o.Part), cmp.Compare(f.Width, o.Width), cmp.Compare(f.Shift, o.Shift))
}

// monomial is a product of factors, ascending.
type monomial []*factor

// compare orders monomials by their factors.
func (m monomial) compare(o monomial) int { return slices.CompareFunc(m, o, (*factor).compare) }

// times is the product of two monomials. A bit is its own square.
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

// youngest is the factor of the mask that was made last: what an old value
// has in common with many young ones, as with those of a loop, it does not keep.
func (m monomial) youngest() *factor {
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

// request asks for a sharing of the monomial.
func (m monomial) request(kind correlation.Kind, out ring.Ring) *correlation.Request {
	r := &correlation.Request{Kind: kind, Out: out, N: m[0].Mask.N, Factors: make([]correlation.Factor, 0, len(m))}
	for _, f := range m {
		r.Factors = append(r.Factors, f.Factor)
		r.Zeros += f.Zeros()
	}
	r.Zeros = min(r.Zeros, out.Bits-1)
	return r
}

// scaled is a share in parts: what is there or dealt, read as unsigned
// integers, times 2^by.
type scaled struct {
	vec   *flow.Of[ring.Vec]
	dealt *flow.Of[ring.Stream]
	by    int
}

func (x scaled) dep() flow.Dep {
	if x.dealt != nil {
		return x.dealt
	}
	return x.vec
}

func (x scaled) get() ring.Stream {
	if x.dealt != nil {
		return x.dealt.Get()
	}
	return ring.StreamOf(x.vec.Get())
}

// ringParts is this party's additive share of a monomial in r, as the sum of
// one or two vectors. A mask by itself is free, its low bits as an integer cost
// the bits above them, and everything else the ring's width.
func (p *Party) ringParts(op *flow.Op, m monomial, r ring.Ring) []scaled {
	f := m[0]
	if whole := f.Part == correlation.Whole && !f.IsBit() || f.Part == correlation.Bit && r.Bits == 1; len(m) == 1 && whole && f.Mask.Ring == r {
		return []scaled{{vec: f.lambda}}
	}
	lifted := len(m) == 1 && f.Part == correlation.LowBits && f.Mask.Ring.Bits == f.Width && !p.dealtMask(f.Mask)
	kind := correlation.Product
	if lifted {
		kind = correlation.Lift
	}
	dealt := p.dealtOf(op, m, r, kind)
	if lifted {
		return []scaled{{vec: f.lambda}, dealt}
	}
	return []scaled{dealt}
}

// dealtOf is what is dealt of a monomial in r, once.
func (p *Party) dealtOf(op *flow.Op, m monomial, r ring.Ring, kind correlation.Kind) scaled {
	y := m.youngest()
	for _, d := range y.dealt {
		if d.r == r && d.m.compare(m) == 0 {
			return d.scaled
		}
	}
	q := m.request(kind, r)
	d := dealtMonomial{m, r, scaled{dealt: p.takeStream(op, q), by: q.Shift()}}
	y.dealt = append(y.dealt, d)
	return d.scaled
}

// ringShare is ringParts in one vector.
func (p *Party) ringShare(op *flow.Op, m monomial, r ring.Ring) *flow.Of[ring.Vec] {
	parts := p.ringParts(op, m, r)
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
			room := sum.BlankLike(v.Ring(), min(n, blockLength))
			for lo := 0; lo < n && !sum.Weightless(); lo += blockLength {
				hi := min(lo+blockLength, n)
				ring.AddShifted(sum.Slice(lo, hi), v.Part(room, lo, hi), x.by, false)
			}
			room.Free()
		}
		return sum
	}, ds...)
}

// dealtMask reports whether shares of a mask are dealt and do not follow from
// seeds alone: it comes from an owner who does not compute.
func (p *Party) dealtMask(m *correlation.Mask) bool { return m.Owners > p.n }

// bitShares are this party's XOR shares of monomials of mask bits, one bit dealt
// for each that was not dealt before.
func (p *Party) bitShares(op *flow.Op, n int, ms ...monomial) []bitVec {
	out := make([]bitVec, len(ms))
	var fresh []string // keys
	var factors []correlation.Factor
	var sets [][]uint16
	number := map[*factor]uint16{}
	for i, m := range ms {
		key := m.key()
		if out[i] = m.youngest().bits[key]; out[i] != nil || slices.Contains(fresh, key) {
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
		key, y := m.key(), m.youngest()
		if y.bits == nil {
			y.bits = map[string]bitVec{}
		}
		out[i] = dealt[slices.Index(fresh, key)]
		y.bits[key] = out[i]
	}
	return out
}
