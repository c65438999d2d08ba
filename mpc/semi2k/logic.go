package semi2k

import (
	"encoding/binary"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// logic is several XOR polynomials in masked bits, prepared for evaluation in one step with one correlation
// request. It depends on the circuit alone and serves any number of vectors.
//
// Public vectors are numbered in this order: opened masked bits, other public bits, the vector of ones, one
// for each node. Shares are numbered in this order: mask bits, linear shares, monomials that were requested
// for an earlier logic with the same first masked bits, monomials that are requested for this one.
type logic struct {
	masked, public, linear int
	nodes                  []logicNode
	earlier                int
	dealt                  *correlation.Products
	monomials              [][]uint16 // earlier and dealt ones
	outs                   []logicResult
}

// logicNode is the XOR or AND of two public vectors.
type logicNode struct {
	and  bool
	a, b int32
}

// logicResult is a sum of terms, and of an earlier result if plus ≥ 0.
type logicResult struct {
	terms []logicTerm
	plus  int // number of the earlier result; -1 for none
}

// logicTerm is a public vector times a share, by their numbers.
type logicTerm struct{ public, share int32 }

// oneShare is the number of the share of 1: 1 at the first party, 0 at the others.
const oneShare = -1

// logicBuilder builds a logic.
type logicBuilder struct {
	logic
	indices map[*publicExpr]int32
	same    map[logicNode]int32
	numbers map[string]int32 // of monomials, by their keys
	key     []byte           // of a monomial
}

// newLogic starts a logic with that many masked bits, other public vectors and linear shares. before is an
// earlier logic whose monomials are reused, or nil.
func newLogic(masked, known, linear int, before *logic) *logicBuilder {
	b := &logicBuilder{indices: map[*publicExpr]int32{}, same: map[logicNode]int32{}, numbers: map[string]int32{}}
	b.masked, b.public, b.linear = masked, known, linear
	if before != nil {
		b.monomials = slices.Clone(before.monomials)
		b.earlier = len(b.monomials)
		for i, m := range b.monomials {
			b.setKey(m)
			b.numbers[string(b.key)] = int32(i)
		}
	}
	return b
}

// setKey sets the key to that of a monomial.
func (b *logicBuilder) setKey(m []uint16) {
	b.key = b.key[:0]
	for _, i := range m {
		b.key = binary.LittleEndian.AppendUint16(b.key, i)
	}
}

// ones is the number of the public vector of ones.
func (g *logic) ones() int32 { return int32(g.masked + g.public) }

// add makes the polynomial, plus linear shares by their numbers, the next result.
func (b *logicBuilder) add(y *xorPoly, linear ...int) { b.addTo(-1, y, linear...) }

// addTo is add with an earlier result, by its number, added to the next one.
func (b *logicBuilder) addTo(result int, y *xorPoly, linear ...int) {
	var out []logicTerm
	for _, t := range y.terms {
		out = append(out, logicTerm{b.index(t.c), b.share(t.m)})
	}
	for _, l := range linear {
		out = append(out, logicTerm{b.ones(), int32(b.masked + l)})
	}
	b.outs = append(b.outs, logicResult{out, result})
}

// share returns the number of a monomial's share.
func (b *logicBuilder) share(m []uint16) int32 {
	switch len(m) {
	case 0:
		return oneShare
	case 1:
		return int32(m[0])
	}
	b.setKey(m)
	i, ok := b.numbers[string(b.key)]
	if !ok {
		i = int32(len(b.monomials))
		b.monomials = append(b.monomials, m)
		b.numbers[string(b.key)] = i
	}
	return int32(b.masked+b.linear) + i
}

// index is the number of an expression's value; equal ones are evaluated once.
func (b *logicBuilder) index(s *publicExpr) int32 {
	if s == nil {
		return b.ones()
	}
	if s.kind == exprLeaf {
		return int32(s.leaf)
	}
	if at, ok := b.indices[s]; ok {
		return at
	}
	n := logicNode{s.kind == exprAnd, b.index(s.a), b.index(s.b)}
	if n.a > n.b {
		n.a, n.b = n.b, n.a
	}
	at, ok := b.same[n]
	if !ok {
		at = b.ones() + 1 + int32(len(b.nodes))
		b.nodes = append(b.nodes, n)
		b.same[n] = at
	}
	b.indices[s] = at
	return at
}

// finish is the logic.
func (b *logicBuilder) finish() *logic {
	g := b.logic
	if fresh := g.monomials[g.earlier:]; len(fresh) > 0 {
		g.dealt = correlation.NewProducts(g.masked, fresh)
	}
	return &g
}

// logicArgs is what a logic is evaluated on.
type logicArgs struct {
	n       int
	bits    []*bit
	public  *flow.Future[[]ring.Bits] // nil if there are none
	linear  []bitVec
	earlier *flow.Future[[]ring.Bits] // dealt shares of the earlier logic's monomials; nil if there are none
}

// evaluate gives this party's shares of a logic's results, in one step, and what
// is dealt for it; nil if nothing.
func (p *Party) evaluate(op *flow.Op, g *logic, x logicArgs) (shares, dealt *flow.Future[[]ring.Bits]) {
	ds := make([]flow.Dep, 0, 2*len(x.bits)+len(x.linear)+3)
	for _, b := range x.bits {
		ds = append(ds, b.m, b.a)
	}
	for _, l := range x.linear {
		ds = append(ds, l)
	}
	if x.public != nil {
		ds = append(ds, x.public)
	}
	var all []*flow.Future[[]ring.Bits] // dealt shares
	if x.earlier != nil {
		all, ds = append(all, x.earlier), append(ds, x.earlier)
	}
	if g.dealt != nil {
		dealt = p.takeBits(op, &correlation.Request{Kind: correlation.BitProduct, Factors: planesOf(x.bits), N: x.n, Products: g.dealt})
		all, ds = append(all, dealt), append(ds, dealt)
	}
	n := x.n
	return flow.Do(op, int64(len(g.outs)*n)/8, func() []ring.Bits {
		op.Spend(flow.Bytes, int64((g.masked+g.linear+len(g.monomials))*n)/8)
		public, share := make([]ring.Bits, 0, g.masked+g.public), make([]ring.Bits, 0, g.masked+g.linear+len(g.monomials))
		for _, b := range x.bits {
			public, share = append(public, b.m.Get()), append(share, b.a.Get())
		}
		if x.public != nil {
			public = append(public, x.public.Get()...)
		}
		for _, l := range x.linear {
			share = append(share, l.Get())
		}
		for _, d := range all {
			share = append(share, d.Get()...)
		}
		return g.eval(n, public, share, p.first())
	}, flow.Distinct(ds)...), dealt
}

// planesOf returns the factors of masked bits; adjacent planes of one mask make one factor.
func planesOf(bits []*bit) []correlation.Factor {
	var out []correlation.Factor
	for _, b := range bits {
		f := b.factor.Factor
		if f.Part == correlation.Whole {
			if last := len(out) - 1; last >= 0 && out[last].Mask == f.Mask && out[last].Part == correlation.Planes &&
				out[last].Shift+out[last].Width == f.Width {
				out[last].Width++
				continue
			}
			f = correlation.Factor{Mask: f.Mask, Part: correlation.Planes, Shift: f.Width, Width: 1}
		}
		out = append(out, f)
	}
	return out
}

// logicBlock is the number of bits that are evaluated at a time; a block's intermediate values fit the cache.
const logicBlock = 1 << 12

// eval evaluates the logic on public vectors and shares of n bits.
func (g *logic) eval(n int, public, share []ring.Bits, first bool) []ring.Bits {
	lens := make([]int, len(g.outs))
	for i := range lens {
		lens[i] = n
	}
	if shapeOnly(public) || shapeOnly(share) {
		return ring.ShapeOnlyPlanes(lens...)
	}
	out := ring.NewPlanes(lens...)
	value := make([]ring.Bits, len(public), len(public)+1+len(g.nodes))
	var room []ring.Bits
	for lo := 0; lo < n; lo += logicBlock {
		hi := min(lo+logicBlock, n)
		for i, b := range public {
			value[i] = b.Slice(lo, hi)
		}
		if lo == 0 || hi-lo < logicBlock { // the first block, or a shorter last one
			ring.FreePlanes(room)
			room = g.scratch(hi - lo)
			value = append(value[:len(public)], room...)
		}
		for i, x := range g.nodes {
			at := len(public) + 1 + i
			if x.and {
				ring.And(value[at], value[x.a], value[x.b])
			} else {
				ring.Xor(value[at], value[x.a], value[x.b])
			}
		}
		for i, r := range g.outs {
			sum := out[i].Slice(lo, hi)
			if r.plus >= 0 {
				copy(sum.Words(), out[r.plus].Slice(lo, hi).Words())
			}
			for _, t := range r.terms {
				switch {
				case t.share != oneShare && t.public == g.ones():
					ring.Xor(sum, sum, share[t.share].Slice(lo, hi))
				case t.share != oneShare:
					ring.XorAnd(sum, value[t.public], share[t.share].Slice(lo, hi))
				case first:
					ring.Xor(sum, sum, value[t.public])
				}
			}
		}
	}
	ring.FreePlanes(room)
	return out
}

// scratch is where ones and the nodes' values of a block are.
func (g *logic) scratch(n int) []ring.Bits {
	lens := make([]int, 1+len(g.nodes))
	for i := range lens {
		lens[i] = n
	}
	room := ring.NewPlanes(lens...)
	ring.Not(room[0], room[0])
	return room
}

// shapeOnly reports whether vectors have no storage.
func shapeOnly(bits []ring.Bits) bool {
	return slices.ContainsFunc(bits, func(b ring.Bits) bool { return b.Len() > 0 && b.ShapeOnly() })
}
