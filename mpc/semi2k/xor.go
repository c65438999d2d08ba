package semi2k

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// xor is an XOR polynomial in masked bits, a sum of products, plus shares that enter linearly. A product of
// masked bits is expanded, Π(m_i ⊕ a_i) = Σ_T Π_{i∉T} m_i · Π_{i∈T} a_i, so its share is computed locally
// from dealt monomials of mask bits (docs/protocols/bits.md#wide-and).
type xor struct {
	products [][]*bit
	linear   []bitVec
}

// xorShare is this party's share of the polynomial's value, n bits.
func (p *Party) xorShare(op *flow.Op, x xor, n int) *flow.Future[ring.Bits] {
	type part struct {
		public []bitVec // masked bits
		share  bitVec   // share of the monomial of mask bits; nil: the first party's 1
	}
	var parts []part
	var ds []flow.Dep
	var dealt []int // indices of the parts whose shares are dealt
	var monomials []monomial
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
				t.share = maskBitShare(bits, m[0])
			case len(m) > 1:
				dealt, monomials = append(dealt, len(parts)), append(monomials, m)
			}
			parts = append(parts, t)
		}
	}
	for i, share := range p.bitMonomialShares(op, n, monomials...) {
		parts[dealt[i]].share = share
	}
	for i := range parts {
		t := &parts[i]
		if t.share != nil {
			t.public = append(t.public, t.share)
		}
		ds = append(ds, bitDeps(t.public)...)
	}
	ds = append(ds, bitDeps(x.linear)...)
	return flow.Do(op, int64(n)/8, func() ring.Bits {
		like := ring.NewBits(0)
		if op.Graph.DryRun() {
			like = ring.ShapeOnlyBits(0)
		}
		out, prod := like.Like(n), like.Like(n)
		for _, t := range parts {
			switch fs := t.public; len(fs) {
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
	}, flow.Distinct(ds)...)
}

func maskBitShare(bits []*bit, f *factor) bitVec {
	return bits[slices.IndexFunc(bits, func(b *bit) bool { return b.factor == f })].a
}

// bitDeps returns the futures vs, each once.
func bitDeps(vs []bitVec) []flow.Dep {
	d := make([]flow.Dep, len(vs))
	for i, v := range vs {
		d[i] = v
	}
	return flow.Distinct(d)
}
