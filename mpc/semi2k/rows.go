package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
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

// rowSum is the sum of each row's exponentials, prepared for its logarithm.
type rowSum struct {
	s    *share // in [1, m], at z.sum fraction bits
	m    int
	u    phase
	t    *fourier.Table
	norm *normalisation
}

// logSumTable is the table of log2 on [1, m], m ≤ maxTableRow.
func logSumTable(m int, z precision) *fourier.Table {
	top := 2
	for top < m {
		top *= 2
	}
	return fourier.Lookup(fmt.Sprintf("log2sum/%d", top), z.class)
}

// prepareLogSum prepares the logarithm of sums in [1, m], or somewhat less than 1: one narrow opening, or a normalisation.
func (p *Party) prepareLogSum(op *flow.Op, s *share, m int, normalises bool, z precision) *rowSum {
	r := &rowSum{s: s, m: m}
	if normalises {
		r.s, r.norm = p.normalise(op, s, mpc.Normal{Width: z.sum + bits.Len(uint(m))}, z, false)
		return r
	}
	r.t = logSumTable(m, z)
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
func softmaxMantissa(fraction, off int, z precision) int {
	return max(fraction+5, (leastCyclic+max(fraction, z.sum)-off+1)/2)
}

// exponentRoom is how many bits the ring in which an exponent is selected has beyond twice the argument's fraction bits:
// the multiplier of a phase with a period of up to 2^8 then errs by less than 2^(−fraction−3) of itself.
const exponentRoom = 12

// exponentRing is the ring in which an exponent is selected and multiplied.
func exponentRing(fraction int, z precision) ring.Ring {
	return ring.Z(max(2*fraction+exponentRoom, z.e+1))
}

// Softmax returns the softmax of each row of m consecutive elements of x, or the function that kind names, as
// mpc.Functions has it (docs/protocols/functions.md#softmax). It computes exp(x − max − ln Σ exp(x − max)), so that
// nothing is divided; the sum is taken in a ring of its own.
func (p *Party) Softmax(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, kind mpc.RowKind) mpc.Secret {
	s, own := p.share(x), f.RingFor(x.Ring())
	z := precisionFor(own, f.Out)
	return p.softmax(op, s, f, m, kind, softmaxFormOf(op, own, p.n, s.n, m, f, z))
}

// softmax is Softmax in a form.
func (p *Party) softmax(op *flow.Op, x *share, f mpc.Fixed, m int, kind mpc.RowKind, form softmaxForm) mpc.Secret {
	own := f.RingFor(x.ring)
	z := precisionFor(own, f.Out)
	s := x
	if r := rowRing(x, f, kind, z); r != x.ring {
		s = p.openNarrow(op, x, r)
	}
	p.open(op, s)
	rows, k := s.n/m, own.Bits
	miss := tableMiss
	if form.normalises {
		miss = normalisedMiss
	}
	top := p.rowMaximum(op, s, m, coarseBits(f.In, p.n, miss), x.ring.Bits < own.Bits, form.tree)
	p.open(op, top)
	d := p.minus(op, s, p.repeatEach(op, top, m))
	w := p.softmaxWords(op, d, f, m, kind == mpc.Softmax && form.selects, k, z)
	narrow := ring.Z(k)
	if !form.normalises { // a sum whose logarithm is one table needs no wider ring than its phase
		narrow = ring.Z(min(k, 2*z.sum+sumSlack))
	}
	drop := 2*w.g + w.off - z.sum
	q := w.modulus(narrow.Bits+drop, k+2*w.g+w.off-f.Out)
	e := w.exponentials(p, op, q)
	cyclic := ring.M(q)
	total := flow.Do(op, bytes(cyclic, rows), func() ring.Vec {
		spendCyclic(op, cyclic, 2*s.n)
		out := e.Get().Like(cyclic, rows)
		maps.Sum{Outer: rows, Reduced: m, Inner: 1}.Apply(out, e.Get())
		return out
	}, e)
	sum := p.newShare(narrow, rows, z.sum+bits.Len(uint(m)), p.truncateReduceFresh(op, total, rows, narrow, drop))
	log := p.prepareLogSum(op, sum, m, form.normalises, z)
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
	drop = 2*w.g + w.off - f.Out
	q = w.modulus(k+drop, q)
	gain := new(big.Float).SetPrec(prec).Quo(big.NewFloat(-1), big.NewFloat(float64(q)))
	gain.SetMantExp(gain, z.k-z.gb)
	v := p.logSumShare(op, log, gain, ring.Z(z.k), 0, z.gb, z)
	scale := p.narrowOpen(op, v, ring.Z(z.k), rows, z.e)
	y := w.exponentials(p, op, q, phase{p.repeatEach(op, scale.x, m), scale.c})
	return p.newShare(own, s.n, f.Out+1, p.truncateReduceFresh(op, y, s.n, own, drop))
}

// rowRing is the ring in which the elements of rows are opened: of a softmax one with room for differences, if x's is wider.
func rowRing(x *share, f mpc.Fixed, kind mpc.RowKind, z precision) ring.Ring {
	if kind != mpc.Softmax {
		return x.ring
	}
	return ring.Z(min(x.ring.Bits, max(x.bound+3, exponentRing(f.In, z).Bits)))
}

// openNarrow is x modulo a narrower ring, open. If x is open, or follows from what is open, nothing is sent.
func (p *Party) openNarrow(op *flow.Op, x *share, r ring.Ring) *share {
	if _, n := leastToOpen(nil, x); x.masked == nil && n > 0 {
		x = p.narrowTo(op, x, r)
	}
	p.open(op, x)
	return p.share(p.Narrow(op, r, x))
}

// softmaxWords are the two exponentials of a softmax's elements.
type softmaxWords struct {
	d        *share // the elements less the maximum
	fraction int    // of d
	g, off   int
	inside   *bit // [d is not below the clamp]
	// selected is the exponent modulo the period q, the clamp applied. It is made with the first exponential; the second
	// has the same period. It stays nil if words are selected instead.
	selected *phase
	selects  bool
	q        int
	lowest   int // the exponent of elements below the clamp is −lowest, if exponents are selected
	z        precision
}

// softmaxWords prepares the exponentials of rows of m elements: their clamp is compared.
//
// If words are selected, an element below the clamp is 0 in the sum and the result. If exponents are, its word is
// 2^−lowest, a sixteenth of a unit for the m of them.
func (p *Party) softmaxWords(op *flow.Op, d *share, f mpc.Fixed, m int, selects bool, k int, z precision) *softmaxWords {
	w := &softmaxWords{d: d, fraction: f.In, selects: selects, off: max(offset(f.Out), f.Out+23), z: z}
	lowest := w.off - 2 - bits.Len(uint(m-1))
	if selects {
		w.lowest = f.Out + 4 + bits.Len(uint(m-1))
		lowest = w.lowest
		w.off = w.lowest + bits.Len(uint(m)) + 2
	}
	w.g = softmaxMantissa(f.Out, w.off, z)
	w.inside = p.notBelow(op, d, f.In, mulFloat(-float64(lowest), ln2))
	return w
}

// modulus is the q of an exponential that needs so many bits, and if exponents are selected no less than another does:
// what is opened is an exponent modulo one q.
func (w *softmaxWords) modulus(bits, other int) int {
	if w.selects {
		return max(bits, other)
	}
	return bits
}

// exponentials are shares over Z_(2^q−1) of 2^(e+off)·2^(2g), for the exponent e of d and more phases.
func (w *softmaxWords) exponentials(p *Party, op *flow.Op, q int, more ...phase) *flow.Future[ring.Vec] {
	n := w.d.n
	if !w.selects {
		ps := append([]phase{newPhase(w.d, w.fraction, mulFloat(float64(q), ln2))}, more...)
		h := p.exponentials(op, ps, q, w.g, w.off, noFactors, factorsOf(w.inside.factor.Factor))
		return p.selectShares(op, w.inside, h[0], h[1], ring.M(q), n)
	}
	if w.selected == nil {
		e := p.selectedExponent(op, w.d, w.fraction, w.inside, w.lowest, q, w.z)
		w.selected, w.q = &e, q
	}
	if q != w.q {
		panic(fmt.Sprintf("semi2k: an exponent modulo %d in an exponential modulo %d", w.q, q))
	}
	return p.exponentials(op, append([]phase{*w.selected}, more...), q, w.g, w.off, noFactors)[0]
}

// selectedExponent opens, as a phase of period q, the exponent d/ln 2 where a bit is 1 and −lowest where it is 0. The
// selection and the product with 1/ln 2 are one polynomial in masks, of a ring that has room for the factor's precision.
func (p *Party) selectedExponent(op *flow.Op, d *share, fraction int, inside *bit, lowest, q int, z precision) phase {
	r := ring.Z(min(exponentRing(fraction, z).Bits, d.ring.Bits))
	of := func(x *big.Float, bits int) *poly { // x·2^bits/q
		c := new(big.Float).SetPrec(prec).Quo(x, big.NewFloat(float64(q)))
		return constantPoly(bigConstant(roundBig(c.SetMantExp(c, bits))))
	}
	perUnit := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1), ln2)
	in := inside.poly()
	e := in.times(p.asPoly(op, p.share(p.Narrow(op, r, d)), r).times(of(perUnit, r.Bits-fraction)))
	e = e.plus(constantPoly(constant(1)).minus(in).times(of(big.NewFloat(-float64(lowest)), r.Bits)))
	return p.narrowOpen(op, p.polyShare(op, e, r, d.n), r, d.n, z.e)
}

// maxMeanFreeRow is the longest row that Normalize takes in the form that needs no
// mean: W = m²(variance + ε) at twice the fraction bits has to stay below
// 2^(4·digits), so that at k = 64, f = 18 and m = 128 a standard deviation of
// 32 is the limit. In the other form it is 2^12/√m.
const maxMeanFreeRow = 128

// needsMean reports whether the mean of rows of m elements is subtracted before they are squared.
func needsMean(r ring.Ring, m int) bool { return r.Bits < 64 || r.Bits == 64 && m > maxMeanFreeRow }

// rowMean opens x and returns the mean of each row of m elements, rounded to a unit. If the opening takes a message for x
// itself, the mean is open too, modulo a narrower ring: each party truncates its share before.
func (p *Party) rowMean(op *flow.Op, x *share, m, fraction int) *share {
	more := min(32, x.ring.Bits-14-fraction) // fraction bits of 1/m; means are below 2^12
	rows := x.n / m
	mean := func(x *share) mpc.Secret {
		sum := p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, x)
		return p.Linear(op, maps.Combine{N: rows, Coef: []int64{int64(math.Round(math.Ldexp(1/float64(m), more)))}}, sum)
	}
	if least, _ := leastToOpen(nil, x); len(least) != 1 || least[0] != x {
		p.open(op, x)
		return p.share(p.Truncate(op, mean(x), more))
	}
	narrow := p.share(p.TruncateReduce(op, mean(p.newShare(x.ring, x.n, x.bound, p.additive(op, x))), more))
	p.open(op, x, narrow)
	return narrow
}

// squaresLess is Σ (x − mean)² of each row of m elements, mod the ring of x, and the mean in that ring. Both are open, in one
// message; the mean was open modulo a narrower ring only. The sum is Σ x² − mean·(2·Σ x − m·mean).
func (p *Party) squaresLess(op *flow.Op, x, mean *share, m int) (w, wide *share) {
	rows := x.n / m
	squares := p.Product(op, x.ring, maps.MatMul{Batch: rows, M: 1, K: m, N: 1}, x, x, 0)
	sum := p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, x).(*share)
	y := p.asPoly(op, mean, x.ring)
	less := y.times(y.scaled(constant(int64(m))).minus(p.asPoly(op, sum, x.ring).scaled(constant(2))))
	w = p.Linear(op, maps.Combine{N: rows, Coef: []int64{1, 1}}, squares, p.newPoly(x.ring, rows, x.ring.Bits-2, less)).(*share)
	wide = p.newPoly(x.ring, rows, mean.bound, y)
	p.open(op, w, wide)
	return w, wide
}

// Normalize implements mpc.Functions (docs/protocols/functions.md#layer-normalisation). It returns d·2^(−½·log2 W),
// scaled by a public factor, where d is x minus the mean of its row (x itself if centred) and W is the sum of d² over
// the row plus a constant for epsilon. d costs no message where it is a linear map of x. W is one bilinear form of each
// row. Divide describes the product with a power of two.
func (p *Party) Normalize(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, epsilon float64, centred bool) mpc.Secret {
	s := p.share(x)
	z := precisionFor(s.ring, f.Out)
	rows, k := s.n/m, s.ring.Bits
	var mean, d, w *share
	if centred && needsMean(s.ring, m) {
		mean = p.rowMean(op, s, m, f.In)
	}
	p.open(op, s)
	factor := new(big.Float) // log2 of d²/(x − mean)², less log2 of W/(variance + ε)
	square := maps.MatMul{Batch: rows, M: 1, K: m, N: 1}
	switch {
	case !centred:
		d = s
	case mean == nil:
		sum := p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, s).(*share)
		scaled := p.Linear(op, maps.Combine{N: s.n, Coef: []int64{int64(m)}}, s).(*share)
		d = p.minus(op, scaled, p.repeatEach(op, sum, m))
		squares := p.Product(op, s.ring, square, s, s, 0)
		one := p.Product(op, s.ring, maps.Elementwise{N: rows}, sum, sum, 0)
		w = p.Linear(op, maps.Combine{N: rows, Coef: []int64{int64(m), -1}}, squares, one).(*share)
		epsilon *= float64(m) * float64(m)
	default:
		if mean.ring != s.ring {
			w, mean = p.squaresLess(op, s, mean, m)
		}
		p.open(op, mean)
		d = p.minus(op, s, p.repeatEach(op, mean, m))
	}
	if mean != nil || !centred {
		if w == nil {
			w = p.share(p.Product(op, s.ring, square, d, d, 0))
		}
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
	w, norm := p.normalise(op, w, mpc.Normal{Width: 4 * digits}, z, false)
	off, q := z.offsetAndModulus(k, f.Out, f.Out+1+(4*digits-2*f.In)/2, min(0, f.Out-f.In))
	e := p.exponent(op, w, norm, 2*f.In, factor, -0.5, q, z)
	return p.timesPower(op, d, []phase{e}, nil, s.ring, f.Out+bits.Len(uint(m)), q, off, f.In-f.Out, z)
}
