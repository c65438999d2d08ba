package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// secretBits is a vector of secret bits in masked form.
type secretBits struct{ *bit }

// Len is the number of bits.
func (b secretBits) Len() int { return b.n }

// Negative opens x in the narrowest ring that holds it, unless it is open, and
// takes three rounds to compare.
func (p *Party) Negative(op *flow.Op, x mpc.Secret) mpc.Bit {
	s := p.narrowed(op, p.share(x))
	p.open(op, s)
	return secretBits{p.negative(op, compare(s))[0]}
}

// Arithmetic is local: one dealt element.
func (p *Party) Arithmetic(op *flow.Op, out ring.Ring, b mpc.Bit) mpc.Secret {
	return p.newPoly(out, b.Len(), 1, b.(secretBits).poly())
}

// Select is y + b·(x − y). The difference is opened if x and y are not.
func (p *Party) Select(op *flow.Op, out ring.Ring, b mpc.Bit, x, y mpc.Secret) mpc.Secret {
	in := []*share{p.share(x), p.share(y)}
	d, bound := p.differences(op, out, in)
	return p.plus(op, out, bound, in[1], p.asPoly(op, d[0], out).times(b.(secretBits).poly()))
}

// Relu is x − [x < 0]·x, a polynomial in masks of x and of the comparison's
// result: whatever is not open yet is opened (in the narrowest ring that holds
// it), then three rounds to compare.
func (p *Party) Relu(op *flow.Op, out ring.Ring, x mpc.Secret) mpc.Secret {
	s := p.share(x)
	s = p.narrowed(op, s)
	p.open(op, s)
	neg := p.negative(op, compare(s))[0]
	v := p.asPoly(op, s, out)
	return p.newPoly(out, s.n, s.bound, v.minus(neg.poly().times(v)))
}

// compare is the comparison of a masked share with zero, of as many bits as
// its bound asks for.
func compare(s *share) comparison {
	return comparison{s, max(2, min(s.bound+1, s.ring.Bits))}
}

// Max works in levels of fan-in 3, all groups of a level in the same messages.
func (p *Party) Max(op *flow.Op, out ring.Ring, xs ...mpc.Secret) mpc.Secret {
	cur := make([]*share, len(xs))
	for i, x := range xs {
		cur[i] = p.share(x)
	}
	for len(cur) > 1 {
		sizes := split(len(cur), (len(cur)+2)/3)
		var next []*share
		for at, g := 0, 0; g < len(sizes); {
			same := g // groups of one size go together
			for same < len(sizes) && sizes[same] == sizes[g] {
				same++
			}
			next = append(next, p.maxOfGroups(op, out, cur[at:at+(same-g)*sizes[g]], sizes[g])...)
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

// maxOfGroups takes the maximum of every size neighbours of xs.
func (p *Party) maxOfGroups(op *flow.Op, out ring.Ring, xs []*share, size int) []*share {
	if size == 1 {
		return xs
	}
	groups, n := len(xs)/size, xs[0].n
	in := make([]*share, size) // the i-th of all groups, end to end
	for i := range in {
		var parts []mpc.Secret
		for g := range groups {
			parts = append(parts, xs[g*size+i])
		}
		in[i] = p.joined(op, parts, n)
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

func (p *Party) joined(op *flow.Op, parts []mpc.Secret, n int) *share {
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

// differences gives, masked, the differences of all operands to the last one,
// and the largest bound. They are free if the operands are masked; operands in
// rings narrower than out are opened themselves; else only the differences
// are.
func (p *Party) differences(op *flow.Op, out ring.Ring, in []*share) (ds []*share, bound int) {
	narrow, masked := false, true
	for _, s := range in {
		bound = max(bound, s.bound)
		narrow = narrow || s.ring != out
		masked = masked && s.masked != nil
	}
	if narrow {
		p.open(op, in...)
		masked = true
	}
	for _, s := range in[:len(in)-1] {
		d := p.difference(op, s, in[len(in)-1], bound)
		if !masked {
			d = p.narrowed(op, d)
		}
		ds = append(ds, d)
	}
	p.open(op, ds...)
	return ds, bound
}

// difference is a − b, of magnitudes below 2^(bound+1) whatever the ring's rule
// says of others.
func (p *Party) difference(op *flow.Op, a, b *share, bound int) *share {
	d := p.Linear(op, maps.Combine{N: a.n, Coef: []int64{1, -1}}, a, b).(*share)
	d.bound = bound + 1
	return d
}

// maxOf is the maximum of two or three vectors a, b (, c), from the masked
// differences to the last one. With u = [a<b], v = [b<c], s = [a<c]:
// max − c = (a−c)(1−u)(1−s) + (b−c)·u·(1−v).
func (p *Party) maxOf(op *flow.Op, out ring.Ring, in []*share) *share {
	ds, bound := p.differences(op, out, in)
	one := constantPoly(constant(1))
	var sel *poly
	if len(in) == 2 {
		less := p.negative(op, compare(ds[0]))[0]
		sel = p.asPoly(op, ds[0], out).times(one.minus(less.poly()))
	} else {
		ab := p.difference(op, ds[0], ds[1], bound)
		bits := p.negative(op, compare(ab), compare(ds[1]), compare(ds[0]))
		u, v, s := bits[0].poly(), bits[1].poly(), bits[2].poly()
		sel = p.asPoly(op, ds[0], out).times(one.minus(u)).times(one.minus(s)).
			plus(p.asPoly(op, ds[1], out).times(u).times(one.minus(v)))
	}
	return p.plus(op, out, bound, in[len(in)-1], sel)
}

// plus is x + y for a polynomial y.
func (p *Party) plus(op *flow.Op, out ring.Ring, bound int, x *share, y *poly) *share {
	if x.masked != nil {
		return p.newPoly(out, x.n, bound, y.plus(p.asPoly(op, x, out)))
	}
	base, more := p.own(op, x), p.polyShare(op, y, out, x.n)
	return p.newShare(out, x.n, bound, flow.Do(op, bytes(out, x.n), func() ring.Vec {
		sum := base.Get().Like(out, x.n)
		ring.Add(sum, base.Get(), more.Get())
		return sum
	}, base, more))
}
