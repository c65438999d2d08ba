package semi2k

import (
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// B2A implements mpc.Core. It opens b if b is not open, and then sends nothing; it takes one dealt ring element for
// each bit.
func (p *Party) B2A(op *flow.Op, out ring.Ring, b mpc.Bit) mpc.Secret {
	s := p.share(b)
	if out == s.ring {
		return s
	}
	p.open(op, s)
	return p.newPoly(out, s.n, 1, p.maskedBit(op, s).poly())
}

// Select (MUX) implements mpc.Selections. It returns y + b·(x − y). It opens b, and the difference if x and y are not
// both open. If x or y is public, it opens the other operand instead, unless that is a short polynomial in masks.
func (p *Party) Select(op *flow.Op, out ring.Ring, b mpc.Bit, x, y mpc.Secret) mpc.Secret {
	c, in := p.share(b), []*share{p.share(x), p.share(y)}
	if onBits(in[0], in[1]) && in[0].ring == out && in[1].ring == out {
		return p.selectBits(op, out, c, in[0], in[1])
	}
	if in[0].public() || in[1].public() {
		s, t := p.factorOf(op, in[0], out), p.factorOf(op, in[1], out)
		p.open(op, append(unopened(s, t), c)...) // b must be masked, even if it is a polynomial
		v := p.asPoly(op, t, out)
		d := p.asPoly(op, s, out).minus(v)
		return p.newPoly(out, s.n, max(s.bound, t.bound), v.plus(d.times(p.maskedBit(op, c).poly())))
	}
	d, bound := p.differences(op, out, in, c)
	return p.plus(op, out, bound, in[1], p.differencePoly(op, d[0], in[0], in[1], out).times(p.maskedBit(op, c).poly()))
}

// Relu implements mpc.Rectifiers. It returns x − [x < 1]·x, or x − [x < 0]·x if that bit is memoised, as a polynomial
// in masks of x and of the bit. It opens x in the narrowest ring that holds it, if x is not open, and the comparison
// takes three rounds. It compares with 1 rather than 0 because the gradient needs [x > 0].
func (p *Party) Relu(op *flow.Op, out ring.Ring, x mpc.Secret) mpc.Secret {
	s := p.share(x)
	s = p.narrowed(op, s)
	p.open(op, s)
	neg := p.signBits(op, s)[0]
	v := p.asPoly(op, s, out)
	return p.newPoly(out, s.n, s.bound, v.minus(neg.poly().times(v)))
}

// signBits are masked bits that are 1 where x is negative and 0 where it is
// positive, to choose between x and 0. Where x is 0 they are what is known of it.
func (p *Party) signBits(op *flow.Op, xs ...*share) []*bit {
	ts := make([]threshold, len(xs))
	for i, x := range xs {
		ts[i] = threshold{x, 1}
		if t, _ := (threshold{x, 0}).unnegated(); t.x.lessThan[t.c] != nil {
			ts[i].c = 0
		}
	}
	bits := p.lessThanThresholds(op, ts...)
	p.open(op, bits...)
	out := make([]*bit, len(bits))
	for i, b := range bits {
		out[i] = p.maskedBit(op, b)
	}
	return out
}

// signComparison is the comparison of a masked share with zero, of as many bits as
// its bound asks for.
func signComparison(s *share) comparison {
	return comparison{s, max(2, min(s.bound+1, s.ring.Bits))}
}

// Max implements mpc.Rectifiers. It takes the maximum of two or three vectors at a time, in a tree (maxTree). All groups of a
// level are compared in the same messages.
func (p *Party) Max(op *flow.Op, out ring.Ring, xs ...mpc.Secret) mpc.Secret {
	cur := make([]*share, len(xs))
	for i, x := range xs {
		cur[i] = p.share(x)
	}
	inner := out // ring of the maxima that are compared with others
	if narrow, all := sharedRing(cur); all && narrow != out && len(cur) > 1 {
		p.open(op, cur...)
		inner = narrow
	}
	tree := p.maxTree(op, inner, cur)
	for i, level := range tree {
		if i == len(tree)-1 {
			inner = out
		}
		sizes := split(len(cur), (len(cur)+level.fan-1)/level.fan)
		var next []*share
		for at, g := 0, 0; g < len(sizes); {
			same := g // groups of one size are compared together
			for same < len(sizes) && sizes[same] == sizes[g] {
				same++
			}
			next = append(next, p.maxOfGroups(op, inner, cur[at:at+(same-g)*sizes[g]], sizes[g])...)
			at += (same - g) * sizes[g]
			g = same
		}
		cur = next
	}
	if s := cur[0]; s.ring != out {
		p.open(op, s)
		return p.newPoly(out, s.n, s.bound, p.asPoly(op, s, out))
	}
	return cur[0]
}

// sharedRing returns the ring of the first of the vectors, and whether all are in it.
func sharedRing(xs []*share) (r ring.Ring, all bool) {
	r = xs[0].ring
	for _, x := range xs {
		if x.ring != r {
			return r, false
		}
	}
	return r, true
}

// maxTree returns the levels of the tree by which Max finds the maximum of vectors, where all but the last level's results
// are in ring inner. The groups are of three numbers, which takes the fewest rounds, unless more levels cost less: a group of three
// takes one comparison more than two groups of two, and the products of three bits with two differences are dealt. Dealt bytes
// and rounds weigh as flow.DealtPerSent and flow.RoundBytes say.
func (p *Party) maxTree(op *flow.Op, inner ring.Ring, xs []*share) []treeLevel {
	var threes []treeLevel
	for w := len(xs); w > 1; w = (w + 2) / 3 {
		threes = append(threes, treeLevel{fan: 3})
	}
	if op.Objective == flow.ForRounds {
		return threes
	}
	bound := 0
	for _, x := range xs {
		bound = max(bound, x.bound)
	}
	c := treeCosts{rows: xs[0].n, word: inner.Bits, widest: 3, plain: true}
	c.compared = comparisonCostOf(max(2, min(bound+2, inner.Bits)), comparisonRounds(op))
	c.pair = c.compared
	c.opened, c.round = flow.DealtPerSent*int64(p.n-1), flow.DealtPerSent*8*flow.RoundBytes
	if op.Objective == flow.ForTotal {
		c.opened, c.round = int64(p.n*(p.n-1)), 8*flow.RoundBytes
	}
	if tree := c.tree(len(xs)); len(tree) > len(threes) {
		return tree
	}
	return threes
}

// maxOfGroups returns the maximum of each size neighbours of xs.
func (p *Party) maxOfGroups(op *flow.Op, out ring.Ring, xs []*share, size int) []*share {
	if size == 1 {
		return xs
	}
	groups, n := len(xs)/size, xs[0].n
	in := make([]*share, size) // in[i] is the i-th operand of all groups, concatenated
	for i := range in {
		var parts []mpc.Secret
		for g := range groups {
			parts = append(parts, xs[g*size+i])
		}
		in[i] = p.concatenated(op, parts, n)
	}
	max := p.maxOf(op, out, in)
	if groups == 1 {
		return []*share{max}
	}
	var outs []*share
	for g := range groups {
		v := maps.NewView(tensor.Sliced(tensor.Shape{groups * n}, []int{g * n}, []int{(g + 1) * n}, []int{1}), groups*n)
		outs = append(outs, p.Linear(op, v, max).(*share))
	}
	return outs
}

func (p *Party) concatenated(op *flow.Op, parts []mpc.Secret, n int) *share {
	if len(parts) == 1 {
		return p.share(parts[0])
	}
	shapes := make([]tensor.Shape, len(parts))
	lens := make([]int, len(parts))
	for i := range parts {
		shapes[i], lens[i] = tensor.Shape{n}, n
	}
	return p.Linear(op, maps.NewView(tensor.Concatenated(shapes, 0), lens...), parts...).(*share)
}

// differences returns the differences of all operands to the last one, masked, and the operands' largest
// bound. It opens nothing if the operands are masked, the operands if some are in rings narrower than out,
// else the differences. also is opened in the same message.
func (p *Party) differences(op *flow.Op, out ring.Ring, in []*share, also ...*share) (ds []*share, bound int) {
	p.openRepeated(op, in...)
	narrow, masked := false, true
	for _, s := range in {
		bound = max(bound, s.bound)
		narrow = narrow || s.ring != out
		masked = masked && s.masked != nil
	}
	if narrow {
		p.open(op, append(in[:len(in):len(in)], also...)...)
		masked = true
	}
	for _, s := range in[:len(in)-1] {
		d := p.difference(op, s, in[len(in)-1], bound)
		if !masked {
			d = p.narrowed(op, d)
		}
		ds = append(ds, d)
	}
	p.open(op, append(ds[:len(ds):len(ds)], also...)...)
	return ds, bound
}

// difference is a − b with the bound bound + 1, which capBound might not allow other shares. It is kept with
// a, so that a pair is opened and compared once.
func (p *Party) difference(op *flow.Op, a, b *share, bound int) *share {
	if a.negationOf != nil && b.negationOf != nil {
		a, b = b.negationOf, a.negationOf
	}
	less := maps.Combine{N: a.n, Coef: []int64{1, -1}}
	if d := a.differenceTo(b); d != nil {
		if d.masked == nil && a.masked != nil && b.masked != nil {
			d.masked = p.maskedLinear(op, less, a.ring, a, b)
		}
		return d
	}
	if d := b.differenceTo(a); d != nil {
		return p.negated(op, p.difference(op, b, a, bound))
	}
	d := p.Linear(op, less, a, b).(*share)
	d.bound = bound + 1
	if a.differences = append(a.differences, keptDifference{b, d}); len(a.differences) > maxDifferences {
		a.differences = a.differences[1:]
	}
	return d
}

// differencePoly is the difference d of a and b as a polynomial in out. In a ring narrower
// than that it may lack the slack bit that a and b each have: then both are lifted.
func (p *Party) differencePoly(op *flow.Op, d, a, b *share, out ring.Ring) *poly {
	if d.ring == out || d.bound <= d.ring.Bits-2 {
		return p.asPoly(op, d, out)
	}
	return p.asPoly(op, a, out).minus(p.asPoly(op, b, out))
}

// excess is a difference d as a polynomial in out that is correct where d ≥ 0, which is all that a maximum
// reads. In a ring narrower than out d may lack a slack bit. Then d − 2^(w−2), which has one for 0 ≤ d <
// 2^(w−1), is extended and 2^(w−2) is added; the dealt bits are the same.
func (p *Party) excess(op *flow.Op, d *share, out ring.Ring) *poly {
	w := d.ring.Bits
	if d.ring == out || d.bound <= w-2 {
		return p.asPoly(op, d, out)
	}
	half := new(big.Int).Lsh(big.NewInt(1), uint(w-2))
	s := p.plusConst(op, d, half.Neg(half))
	s.bound = w - 2
	return p.asPoly(op, s, out).plus(constantPoly(pow2(w - 2)))
}

// keptDifference is the difference to another share.
type keptDifference struct{ to, d *share }

// maxDifferences is how many differences are kept: what is compared with many in
// turn, as in a loop, is to keep none of them alive for long.
const maxDifferences = 4

func (s *share) differenceTo(b *share) *share {
	for _, g := range s.differences {
		if g.to == b {
			return g.d
		}
	}
	return nil
}

// negated is −x with x's bound, which capBound might not allow other shares.
func (p *Party) negated(op *flow.Op, x *share) *share {
	y := p.Linear(op, maps.Combine{N: x.n, Coef: []int64{-1}}, x).(*share)
	y.bound = x.bound
	return y
}

// maxOf is the maximum of two or three vectors, from the masked differences to the last one. For a, b, c with
// u = [a < b], v = [b < c], s = [a < c]: max − c = (a−c)(1−u)(1−s) + (b−c)·u·(1−v)
// (docs/protocols/bits.md#selection).
func (p *Party) maxOf(op *flow.Op, out ring.Ring, in []*share) *share {
	ds, bound := p.differences(op, out, in)
	one := constantPoly(constant(1))
	var sel *poly
	if len(in) == 2 {
		less := p.signBits(op, ds[0])[0]
		sel = p.excess(op, ds[0], out).times(one.minus(less.poly()))
	} else {
		ab := p.difference(op, ds[0], ds[1], bound)
		bits := p.signBits(op, ab, ds[1], ds[0])
		u, v, s := bits[0].poly(), bits[1].poly(), bits[2].poly()
		sel = p.excess(op, ds[0], out).times(one.minus(u)).times(one.minus(s)).
			plus(p.excess(op, ds[1], out).times(u).times(one.minus(v)))
	}
	return p.plus(op, out, bound, in[len(in)-1], sel)
}

// plus is x + y for a polynomial y.
func (p *Party) plus(op *flow.Op, out ring.Ring, bound int, x *share, y *poly) *share {
	if x.masked != nil {
		return p.newPoly(out, x.n, bound, y.plus(p.asPoly(op, x, out)))
	}
	base, more := p.additive(op, x), p.polyShare(op, y, out, x.n)
	return p.newShare(out, x.n, bound, flow.Do(op, bytes(out, x.n), func() ring.Vec {
		sum := base.Get().Like(out, x.n)
		ring.Add(sum, base.Get(), more.Get())
		return sum
	}, base, more))
}
