package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// maxTableRow is the longest row whose sum of exponentials a table covers; sums of
// longer ones are normalised.
const maxTableRow = 128

// repeatEach repeats each of n elements m times.
func (p *Party) repeatEach(op *flow.Op, x *share, m int) *share {
	return p.Linear(op, repeatView(x.n, m), x).(*share)
}

func repeatView(n, m int) maps.View {
	return maps.NewView(tensor.Broadcast(tensor.Shape{n}, []int{0}, tensor.Shape{n, m}), n)
}

// minus is x − y; masked if both operands are.
func (p *Party) minus(op *flow.Op, x, y *share) *share {
	return p.Linear(op, maps.Combine{N: x.n, Coef: []int64{1, -1}}, x, y).(*share)
}

// fanIn is the fan-in of the tree of rowMax for so many elements in rows of w: four, or two where the total cost is
// minimised and the elements are so many that twice the levels are worth half the comparisons and a sixth of the
// selections' dealt bits.
func fanIn(op *flow.Op, n, w int) int {
	const saved, rounds = 128, 4 // bytes an element, and rounds of a level
	levels := func(fan int) (l int) {
		for left := w; left > 1; left = (left + fan - 1) / fan {
			l++
		}
		return l
	}
	more := levels(2) - levels(4)
	if op.Objective == flow.ForTotal && int64(n)*saved >= int64(more*rounds)*flow.RoundBytes {
		return 2
	}
	return 4
}

// rowMax is the maximum of each row of w elements, by a tree. The first level takes three rounds, each further level
// four.
func (p *Party) rowMax(op *flow.Op, x *share, w, fan int) *share {
	rows := x.n / w
	for w > 1 {
		sizes := split(w, (w+fan-1)/fan)
		var winners []mpc.Secret
		var shapes []tensor.Shape
		var lens []int
		at := 0
		for g := 0; g < len(sizes); {
			size, same := sizes[g], g
			for same < len(sizes) && sizes[same] == size {
				same++
			}
			groups := same - g
			in := make([]*share, size)
			for i := range in {
				v := tensor.Sliced(tensor.Shape{rows, w}, []int{0, at + i}, []int{rows, at + i + (groups-1)*size + 1}, []int{1, size})
				in[i] = p.Linear(op, maps.NewView(v, x.n), x).(*share)
			}
			best := in[0]
			if size > 1 {
				best = p.maxByAllPairs(op, x.ring, in)
			}
			winners = append(winners, best)
			shapes, lens = append(shapes, tensor.Shape{rows, groups}), append(lens, rows*groups)
			at += groups * size
			g = same
		}
		if len(winners) == 1 {
			x = winners[0].(*share)
		} else {
			x = p.Linear(op, maps.NewView(tensor.Concatenated(shapes, 1), lens...), winners...).(*share)
		}
		w = len(sizes)
	}
	return x
}

// maxByAllPairs is the maximum of two to four vectors: all pairs are compared
// beside each other, and the winner's difference to the last is chosen by
// products of bits. Of equal ones the first wins.
func (p *Party) maxByAllPairs(op *flow.Op, out ring.Ring, in []*share) *share {
	ds, bound := p.differences(op, out, in)
	last := len(in) - 1
	var cs []comparison
	index := map[[2]int]int{}
	for i := range in {
		for j := i + 1; j < len(in); j++ {
			d := ds[min(i, last-1)]
			if j < last {
				d = p.difference(op, ds[i], ds[j], bound)
			}
			index[[2]int{i, j}] = len(cs)
			cs = append(cs, signComparison(d))
		}
	}
	less := p.negative(op, cs...)
	one := constantPoly(constant(1))
	sel := newPoly()
	for i := range last {
		wins := p.excess(op, ds[i], out)
		for j := range in {
			if j < i {
				wins = wins.times(less[index[[2]int{j, i}]].poly())
			} else if j > i {
				wins = wins.times(one.minus(less[index[[2]int{i, j}]].poly()))
			}
		}
		sel = sel.plus(wins)
	}
	return p.plus(op, out, bound, in[last], sel)
}

// rowSum is the sum of each row's exponentials, prepared for its logarithm.
type rowSum struct {
	s    *share // in [1, m], at z.sum fraction bits
	m    int
	u    phase
	t    *fourier.Table
	norm *normalisation
}

// prepareLogSum prepares the logarithm of sums in [1, m]: one narrow opening, or for
// long rows a normalisation.
func (p *Party) prepareLogSum(op *flow.Op, s *share, m int, z precision) *rowSum {
	r := &rowSum{s: s, m: m}
	top := 2
	for top < m {
		top *= 2
	}
	if top > maxTableRow {
		width := z.sum + bits.Len(uint(m))
		r.s, r.norm = p.normalise(op, s, mpc.Normal{Width: width}, z)
		return r
	}
	r.t = fourier.Lookup(fmt.Sprintf("log2sum/%d", top), z.class)
	wide := bits.Len(uint(m-1)) + z.u - 3
	r.u = p.narrowPhase(op, s, z.sum, period(r.t), wide)
	return r
}

// logSumShare is this party's share over out of gain·log2(sum)·2^(scale+gb).
func (p *Party) logSumShare(op *flow.Op, r *rowSum, gain *big.Float, out ring.Ring, scale, gb int, z precision) *flow.Future[ring.Vec] {
	if r.norm != nil {
		return p.log2(op, r.s, r.norm, z.sum, nil, gain, out, scale, gb)
	}
	return p.waves(op, r.u, r.t, gain, out, scale, gb, noFactors)[0]
}

// sumSlack is by how many bits the ring of a row's sum S exceeds twice S's fraction bits: the phase of S then errs by
// less than 2^−sumSlack periods, which are shorter than 2^8, times S.
const sumSlack = 10

// softmaxMantissa is the number of bits of the mantissas of a softmax's exponentials. Results are below 1, so that
// relative errors of five bits beyond the fraction suffice; but at least leastCyclic bits have to be dropped.
func softmaxMantissa(fraction int, z precision) int {
	off := fraction + 23
	return max(fraction+5, (leastCyclic+max(fraction, z.sum)-off+1)/2)
}

// Softmax implements mpc.Functions (docs/protocols/functions.md#softmax). It divides nothing: it subtracts the row's
// maximum from x, sums the exponentials in a ring of their own, and takes a second exponential whose exponent
// contains the sum's logarithm.
func (p *Party) Softmax(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, kind mpc.RowKind) mpc.Secret {
	s := p.opened(op, x)
	z := precisionFor(s.ring, f.Out)
	rows, k := s.n/m, s.ring.Bits
	top := p.rowMax(op, s, m, fanIn(op, s.n, m))
	p.open(op, top)
	d := p.minus(op, s, p.repeatEach(op, top, m))
	off := max(offset(f.Out), f.Out+23)
	g := softmaxMantissa(f.Out, z)
	ok := p.notBelow(op, d, f.In, mulFloat(-float64(off-2-bits.Len(uint(m-1))), ln2))
	times := [][]correlation.Factor{noFactors, factorsOf(ok.factor.Factor)}
	exponent := func(q int) phase { return newPhase(d, f.In, mulFloat(float64(q), ln2)) }
	narrow := s.ring
	if m <= maxTableRow { // a sum whose logarithm is one table needs no wider ring than its phase
		narrow = ring.Z(min(k, 2*z.sum+sumSlack))
	}
	drop := 2*g + off - z.sum
	q := narrow.Bits + drop
	h := p.exponentials(op, []phase{exponent(q)}, q, g, off, times...)
	e := p.selectShares(op, ok, h[0], h[1], s.n)
	cyclic := ring.M(q)
	total := flow.Do(op, bytes(cyclic, rows), func() ring.Vec {
		out := e.Get().Like(cyclic, rows)
		maps.Sum{Outer: rows, Reduced: m, Inner: 1}.Apply(out, e.Get())
		return out
	}, e)
	sum := p.newShare(narrow, rows, z.sum+bits.Len(uint(m)), p.truncateReduceFresh(op, total, rows, narrow, drop))
	log := p.prepareLogSum(op, sum, m, z)
	if kind != mpc.Softmax {
		v := p.logSumShare(op, log, ln2, z.tableRing(k, f.Out), z.ga, z.gb, z)
		natural := p.newShare(s.ring, rows, f.Out+8, p.truncateReduceFresh(op, v, rows, s.ring, z.ga+z.gb-f.Out))
		if kind == mpc.LogSumExp {
			return p.newShare(s.ring, rows, s.bound+1, p.plusRescaled(op, p.additive(op, natural), top, f.In, f.Out, s.ring))
		}
		n := p.additive(op, p.repeatEach(op, natural, m))
		minus := flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
			out := n.Get().Like(s.ring, s.n)
			ring.Neg(out, n.Get())
			return out
		}, n)
		return p.newShare(s.ring, s.n, s.bound+2, p.plusRescaled(op, minus, d, f.In, f.Out, s.ring))
	}
	drop = 2*g + off - f.Out
	q = k + drop
	gain := new(big.Float).SetPrec(prec).Quo(big.NewFloat(-1), big.NewFloat(float64(q)))
	gain.SetMantExp(gain, z.k-z.gb)
	v := p.logSumShare(op, log, gain, ring.Z(z.k), 0, z.gb, z)
	scale := p.narrowOpen(op, v, ring.Z(z.k), rows, z.e)
	ps := []phase{exponent(q), {p.repeatEach(op, scale.x, m), scale.c}}
	h = p.exponentials(op, ps, q, g, off, times...)
	y := p.truncateReduceFresh(op, p.selectShares(op, ok, h[0], h[1], s.n), s.n, s.ring, drop)
	return p.newShare(s.ring, s.n, f.Out+1, y)
}

// maxMeanFreeRow is the longest row that Normalize takes in the form that needs no
// mean: W = m²(variance + ε) at twice the fraction bits has to stay below
// 2^(4·digits), so that at k = 64, f = 18 and m = 128 a standard deviation of
// 32 is the limit. In the other form it is 2^12/√m.
const maxMeanFreeRow = 128

// Normalize implements mpc.Functions (docs/protocols/functions.md#layer-normalisation). It returns d·2^(−½·log2 W),
// scaled. d is x minus its row's mean, or x if not centred; W is the row's sum of d², plus a constant for epsilon. d
// needs no message if it is a linear map of x, W is one bilinear form of a row, and the multiplication by a power is
// that of Divide.
func (p *Party) Normalize(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, epsilon float64, centred bool) mpc.Secret {
	s := p.opened(op, x)
	z := precisionFor(s.ring, f.Out)
	rows, k := s.n/m, s.ring.Bits
	var d, w *share
	factor := new(big.Float) // log2 of d²/(x − mean)², less log2 of W/(variance + ε)
	square := maps.MatMul{Batch: rows, M: 1, K: m, N: 1}
	sum := func() *share { return p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, s).(*share) }
	switch {
	case !centred:
		d = s
	case m <= maxMeanFreeRow && k == 64 || k > 64:
		sum := sum()
		scaled := p.Linear(op, maps.Combine{N: s.n, Coef: []int64{int64(m)}}, s).(*share)
		d = p.minus(op, scaled, p.repeatEach(op, sum, m))
		squares := p.Product(op, s.ring, square, s, s, 0)
		one := p.Product(op, s.ring, maps.Elementwise{N: rows}, sum, sum, 0)
		w = p.Linear(op, maps.Combine{N: rows, Coef: []int64{int64(m), -1}}, squares, one).(*share)
		epsilon *= float64(m) * float64(m)
	default: // subtract the mean, rounded to a unit, first
		more := min(32, k-14-f.In) // fraction bits of 1/m; means are below 2^12
		mean := p.Linear(op, maps.Combine{N: rows, Coef: []int64{int64(math.Round(math.Ldexp(1/float64(m), more)))}},
			p.unmasked(op, sum())).(*share)
		mean = p.share(p.Truncate(op, mean, more))
		p.open(op, mean)
		d = p.minus(op, s, p.repeatEach(op, mean, m))
	}
	if w == nil {
		w = p.share(p.Product(op, s.ring, square, d, d, 0))
		epsilon *= float64(m)
		factor.Neg(log2Of(m))
	}
	w = p.plusConst(op, w, units(epsilon, 2*f.In))
	digits := z.digits[0]
	for _, d := range z.digits {
		if 4*d <= k && d <= z.row {
			digits = d
		}
	}
	w, norm := p.normalise(op, w, mpc.Normal{Width: 4 * digits}, z)
	off, q := z.offsetAndModulus(k, f.Out, f.Out+1+(4*digits-2*f.In)/2, min(0, f.Out-f.In))
	e := p.exponent(op, w, norm, 2*f.In, factor, -0.5, q, z)
	return p.timesPower(op, d, []phase{e}, nil, s.ring, f.Out+bits.Len(uint(m)), q, off, f.In-f.Out, z)
}

// unmasked is s without its masked form, so that it is truncated with a message instead of being extended.
func (p *Party) unmasked(op *flow.Op, s *share) *share {
	return p.newShare(s.ring, s.n, s.bound, p.additive(op, s))
}
