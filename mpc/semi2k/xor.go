package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// xor is an XOR polynomial in masked bits, Σ Π bits, plus shares that enter
// linearly. Products of masked bits are expanded, Π(m_i ⊕ a_i) = Σ_T
// Π_{i∉T} m_i · Π_{i∈T} a_i, so that a share of it is local once the monomials
// of mask bits are dealt.
type xor struct {
	products [][]*bit
	linear   []*flow.Of[ring.Bits]
}

// xorShare is this party's share of the polynomial's value, n bits.
func (p *Party) xorShare(op *flow.Op, x xor, n int) *flow.Of[ring.Bits] {
	type part struct {
		public []*flow.Of[ring.Bits] // factors that are opened
		share  *flow.Of[ring.Bits]   // of the monomial of masks; nil: the first party's 1
	}
	var parts []part
	var ds []flow.Dep
	seen := map[flow.Dep]bool{}
	depend := func(d flow.Dep) {
		if !seen[d] {
			seen[d] = true
			ds = append(ds, d)
		}
	}
	for _, bits := range x.products {
		for set := range 1 << len(bits) {
			var t part
			var m monomial
			for i, b := range bits {
				if set>>i&1 == 1 {
					m = m.times(monomial{b.factor})
				} else {
					t.public = append(t.public, b.m)
				}
			}
			switch {
			case len(m) == 0 && !p.first():
				continue
			case len(m) == 1:
				t.share = shareOf(bits, m[0])
			case len(m) > 1:
				t.share = p.bitShare(op, m)
			}
			if t.share != nil {
				depend(t.share)
			}
			for _, b := range t.public {
				depend(b)
			}
			parts = append(parts, t)
		}
	}
	for _, l := range x.linear {
		depend(l)
	}
	return flow.Do(op, int64(n)/8, func() ring.Bits {
		like := ring.NewBits(0)
		if op.Graph.Weightless() {
			like = ring.WeightlessBits(0)
		}
		out, prod := like.Like(n), like.Like(n)
		for _, t := range parts {
			fs := t.public
			if t.share != nil {
				fs = append(fs[:len(fs):len(fs)], t.share)
			}
			switch len(fs) {
			case 1:
				ring.Xor(out, out, fs[0].Get())
			case 2:
				ring.XorAnd(out, fs[0].Get(), fs[1].Get())
			default:
				ring.And(prod, fs[0].Get(), fs[1].Get())
				for _, f := range fs[2 : len(fs)-1] {
					ring.And(prod, prod, f.Get())
				}
				ring.XorAnd(out, prod, fs[len(fs)-1].Get())
			}
		}
		for _, l := range x.linear {
			ring.Xor(out, out, l.Get())
		}
		return out
	}, ds...)
}

func shareOf(bits []*bit, f *factor) *flow.Of[ring.Bits] {
	for _, b := range bits {
		if b.factor == f {
			return b.a
		}
	}
	panic("semi2k: a factor of no bit")
}
