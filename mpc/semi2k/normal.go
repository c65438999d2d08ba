package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// normalisation is what a vector's logarithm, powers and quotients have in common:
// the place of |x|'s leading hex digit and u = |x|/16^place in [1, 16), opened
// as a phase, or the place to radix 4 and u = x/4^place in [3/4, 4). It is made once and kept with the masked form.
type normalisation struct {
	position
	digits int
	places []*bit // each adds log2 of the radix to the logarithm
	step   int    // log2 of the radix
	u      phase
	table  *fourier.Table // log2 of u
}

// normalisationKey says how a vector was normalised.
type normalisationKey struct {
	digits   int
	signed   bool
	quarters bool
	class    fourier.Class
}

// quarters reports whether numbers are normalised to radix 4: their tables have half the harmonics. That opens a bit
// twice for each digit and deals less; numbers with a sign have no such form.
func (p *Party) quarters(op *flow.Op, n mpc.Normal, digits int) bool {
	const saved = 100 * 8 // dealt bits of an element, at least
	return op.Objective == flow.ForTotal && !n.Signed && p.n*(p.n-1)*(2*digits+1) < saved
}

// digitsFor returns the number D of hexadecimal digits with which the argument is normalised: |x| < 16^D.
func digitsFor(n mpc.Normal, z precision) int {
	width := n.Width
	switch {
	case width == 0:
		width = z.width
	case n.Signed:
		width++ // |x| < 16^D/2
	}
	for _, d := range z.digits {
		if width <= 4*d {
			return d
		}
	}
	panic(fmt.Sprintf("semi2k: no logarithm table for numbers of %d bits", width))
}

// normalWidth bounds the argument's magnitude: it is below 2^normalWidth units.
func normalWidth(n mpc.Normal, z precision, norm *normalisation) int {
	width := n.Width
	if width == 0 {
		width = z.width
	}
	return min(width, 4*norm.digits)
}

// normalise opens x in its ring, runs the position circuit, three rounds, and
// opens u, one more. elementwise says that a function of each element of x follows, not of a row: then places may be to
// radix 4.
func (p *Party) normalise(op *flow.Op, x mpc.Secret, n mpc.Normal, z precision, elementwise bool) (*share, *normalisation) {
	s := p.opened(op, x)
	d := digitsFor(n, z)
	key := normalisationKey{d, n.Signed, elementwise && p.quarters(op, n, d), z.class}
	if have := s.masked.normalisations[key]; have != nil {
		return s, have
	}
	out := &normalisation{digits: d}
	if key.quarters {
		p.normaliseToQuarters(op, s, out, normalWidth(n, z, out), z)
	} else {
		out.position = p.position(op, s, positionKey{digits: d, signed: n.Signed, zero: true})
		table, wide := fourier.Mantissa(z.class, d)
		out.table, out.step = table, 4
		out.u = p.openMantissa(op, s, &out.position, d, wide, period(out.table), z.u)
		for _, bits := range [][]*bit{out.above, out.below} {
			for j, b := range bits {
				if b != nil && j > 0 {
					out.places = append(out.places, b)
				}
			}
		}
	}
	if s.masked.normalisations == nil {
		s.masked.normalisations = map[normalisationKey]*normalisation{}
	}
	s.masked.normalisations[key] = out
	return s, out
}

// normaliseToQuarters finds the place of x ≥ 0 to radix 4 and opens u = x/4^place in [3/4, 4) as a phase; a value of 0 is
// taken for one unit. u has 2(J − 1) fraction bits for J places, and a period of 8 is a ring's size: what multiplies the
// weight of place j, three times 4^(J−1−j), is wanted modulo 2^(3+2j) (docs/protocols/look-ups.md#places-to-radix-4).
func (p *Party) normaliseToQuarters(op *flow.Op, s *share, n *normalisation, width int, z precision) {
	count := min(2*n.digits, (s.ring.Bits-1)/2) // |x| < 2^(k−2)
	full := min(width, s.ring.Bits-2) == 4*n.digits
	n.position = p.position(op, s, positionKey{digits: n.digits, zero: true, quarters: count / 2, full: full})
	for j := 1; j < count; j++ {
		if of := n.above; j%2 == 0 {
			n.places = append(n.places, of[j/2])
		} else {
			n.places = append(n.places, n.position.quarters[j/2])
		}
	}
	n.step, n.table = 2, fourier.Lookup("log2/radix4", z.class)
	_, log, _ := n.table.PeriodFraction()
	u := mantissaSum{outer: ring.Z(log + 2*(count-1)), n: s.n, times: constantPoly(constant(1))}
	for j := range count {
		r := ring.Z(log + 2*j)
		y := p.asPoly(op, p.share(p.Narrow(op, r, s)), r)
		if j == 0 {
			y = y.plus(constantPoly(constant(1)).minus(n.above[0].poly()))
		} else {
			p.dealtWithin(op, monomial{n.places[j-1].factor}, r, ring.Z(max(r.Bits, placeBits)))
			y = n.places[j-1].poly().times(y).scaled(constant(-3))
		}
		u.add(p, op, y, 2*(count-1-j))
	}
	n.u = p.narrowOpen(op, u.total(op), u.outer, s.n, z.u)
}

// placeBits is the number of bits with which the mask bits of places to radix 4 are dealt at least: the logarithm of a
// number of 64 bits, times 1/2 and modulo a power of two, takes them modulo 2^7.
const placeBits = 7

// mantissaStep is the difference of the shifts of two sums of a mantissa that multiply masks, in bits.
const mantissaStep = 8

// openMantissa opens u = |x|/16^place as a phase of so many bits; a value of 0 is taken for one unit. u has
// 4(d−1) fraction bits: it is x times weights of the masked places, modulo 2^outer for a ring that is wide enough
// for x and has at least wide bits. What is a multiple of 2^s is divided by 2^s, computed modulo 2^(outer−s)
// and multiplied by 2^s, so that less is dealt: only the highest places are multiplied in a ring that is
// wider than x's, and the products with masks are in narrower rings, the lower the place.
func (p *Party) openMantissa(op *flow.Op, s *share, at *position, d, wide int, period *big.Float, bits int) phase {
	r := ring.Z(max(64, s.ring.Bits))
	more := max(0, wide-r.Bits+3) / 4 * 4
	scale := 4 * (d - 1)
	outer := ring.Z(r.Bits + more)
	c := roundBig(new(big.Float).SetPrec(prec).Quo(pow2Float(outer.Bits-scale), period))
	sum := mantissaSum{outer: outer, n: s.n, times: constantPoly(bigConstant(c))}
	times := func(x *poly, j int) *poly { // |x| times the change of the weights at place j
		if j == 0 {
			if at.sign != nil {
				x = x.minus(at.sign.poly().times(x).times(constantPoly(constant(2))))
			}
			return x
		}
		y := newPoly().minus(at.above[j].poly().times(x))
		if at.sign != nil {
			y = y.plus(at.below[j].poly().times(x))
		}
		return y.times(constantPoly(constant(15)))
	}
	shift := func(j int) int { return 4 * (d - 1 - j) } // of the weight of place j
	last := d - 1 - more/4                              // the last place whose weight is a multiple of 2^more
	x0, split := p.asPoly(op, s, r), s.ring == r && !s.public()
	if split {
		x0 = constantPoly(vector(s.masked.delta))
	}
	zero := constantPoly(constant(1)).minus(at.above[0].poly())
	if at.sign != nil {
		zero = zero.minus(at.sign.poly())
	}
	u := times(x0, 0).plus(zero).times(constantPoly(pow2(scale - more)))
	for j := 1; j <= last; j++ {
		u = u.plus(times(x0, j).times(constantPoly(pow2(shift(j) - more))))
	}
	sum.add(p, op, u, more)
	if more > 0 {
		x, high := p.asPoly(op, s, outer), newPoly()
		for j := last + 1; j < d; j++ {
			high = high.plus(times(x, j).times(constantPoly(pow2(shift(j)))))
		}
		sum.add(p, op, high, 0)
	}
	for split && last >= 0 {
		by := shift(last)
		x, y := p.narrowedMask(op, s, ring.Z(outer.Bits-by)), newPoly()
		for ; last >= 0 && shift(last) < by+mantissaStep; last-- {
			y = y.plus(times(x, last).times(constantPoly(pow2(shift(last) - by))))
		}
		sum.add(p, op, y, by)
	}
	return p.narrowOpen(op, sum.total(op), outer, s.n, bits)
}

// narrowedMask is the polynomial −λ of a masked value, modulo a ring that is not wider than its own.
func (p *Party) narrowedMask(op *flow.Op, s *share, r ring.Ring) *poly {
	m := p.Narrow(op, r, s).(*share).masked
	return newPoly().with(monomial{m.maskFactor(correlation.Whole, 0, 0)}, constant(-1))
}

// mantissaSum is a sum of polynomials times powers of two and one constant.
type mantissaSum struct {
	outer  ring.Ring // of the sum
	n      int
	times  *poly
	parts  []*flow.Future[ring.Vec]
	shifts []int
}

// add adds y·2^by, for y modulo a ring that is narrower than the sum's by as many bits.
func (m *mantissaSum) add(p *Party, op *flow.Op, y *poly, by int) {
	r := ring.Z(m.outer.Bits - by)
	m.parts = append(m.parts, p.additive(op, p.newPoly(r, m.n, r.Bits-2, y.times(m.times))))
	m.shifts = append(m.shifts, by)
}

// total is this party's share of the sum.
func (m *mantissaSum) total(op *flow.Op) *flow.Future[ring.Vec] {
	ds := make([]flow.Dep, len(m.parts))
	for i, v := range m.parts {
		ds[i] = v
	}
	return flow.Do(op, bytes(m.outer, m.n), func() ring.Vec {
		out := m.parts[0].Get().Like(m.outer, m.n)
		for i, v := range m.parts {
			ring.AddShifted(out, v.Get(), m.shifts[i], false)
		}
		return out
	}, ds...)
}

// log2 is this party's share over r of gain·(log2|x| + more)·2^(scale+gb),
// local; x has so many fraction bits.
func (p *Party) log2(
	op *flow.Op,
	s *share,
	n *normalisation,
	fraction int,
	more, gain *big.Float,
	r ring.Ring,
	scale, gb int,
) *flow.Future[ring.Vec] {
	v := p.waves(op, n.u, n.table, gain, r, scale, gb, noFactors)[0]
	times := func(c *big.Float) *big.Int {
		f := new(big.Float).SetPrec(prec).Mul(gain, c)
		return roundBig(f.SetMantExp(f, scale+gb))
	}
	base := new(big.Float).SetPrec(prec).SetInt64(int64(-fraction))
	if more != nil {
		base.Add(base, more)
	}
	v = p.plusPolyShare(op, v, constantPoly(bigConstant(times(base))), r, s.n)
	// The places are wanted modulo 2^(K−zeros), zeros those of their weight.
	weight := times(big.NewFloat(float64(n.step)))
	zeros := min(int(weight.TrailingZeroBits()), r.Bits-1)
	if n.step == 4 && r.Bits == max(64, s.ring.Bits) {
		zeros = 0 // openMantissa has the places' mask bits in this ring
	}
	y := newPoly()
	for _, b := range n.places {
		y = y.plus(b.poly())
	}
	w := p.polyShare(op, y.times(constantPoly(bigConstant(weight.Rsh(weight, uint(zeros))))), ring.Z(r.Bits-zeros), s.n)
	return flow.Do(op, bytes(r, s.n), func() ring.Vec {
		out := v.Get().Clone()
		ring.AddShifted(out, w.Get(), zeros, false)
		return out
	}, v, w)
}

// Log implements mpc.Functions (docs/protocols/functions.md#logarithm). It adds log2 u, from a table on [1, 16], and
// four times the place of the leading hexadecimal digit of x; u is x divided by 16 to that place.
// With places to radix 4, and elements that are worth a round, the logarithm to base 2 is opened in as few bits as it
// has and multiplied by ln 2.
func (p *Party) Log(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, two bool) mpc.Secret {
	const saved = 200 // bytes of an element, at least
	narrowly := op.Objective == flow.ForTotal && int64(x.Len())*saved >= flow.RoundBytes
	return p.log(op, x, f, n, two, narrowly)
}

func (p *Party) log(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, two, narrowly bool) mpc.Secret {
	z := precisionFor(p.share(x).ring, f.Out)
	n.Signed = false
	s, norm := p.normalise(op, x, n, z, true)
	if narrowly && norm.step == 2 {
		return p.narrowLog(op, s, norm, f, min(normalWidth(n, z, norm), s.ring.Bits-2), two, z)
	}
	gain := big.NewFloat(1)
	if !two {
		gain = ln2
	}
	v := p.log2(op, s, norm, f.In, nil, gain, z.tableRing(s.ring.Bits, f.Out), z.ga, z.gb)
	return p.newShare(s.ring, s.n, f.Out+8, p.truncateReduceFresh(op, v, s.n, s.ring, z.ga+z.gb-f.Out))
}

const (
	// logGuard is how many fraction bits a logarithm that is opened has beyond the result's.
	logGuard = 4
	// logWords and log2Words are the numbers of fraction bits of the public coefficients of log x and log2 x beyond the
	// result's. See shortGuard: ln 2 makes the roundings smaller.
	logWords, log2Words = 6, 7
	// exponentGuard is the number of fraction bits of the public coefficients of an exponent beyond what is opened.
	exponentGuard = 2
	// ln2Guard bounds the error of the constant ln 2 that multiplies an opened logarithm: the product's is below
	// 2^−ln2Guard units.
	ln2Guard = 4
)

// narrowLog opens log2 x, and extends it to a ring in which it is multiplied by ln 2.
func (p *Party) narrowLog(op *flow.Op, s *share, norm *normalisation, f mpc.Fixed, width int, two bool, z precision) mpc.Secret {
	// log2 x is between −f.In and width − f.In, and less its middle below 2^(whole−2).
	whole := bits.Len(uint(width-width/2)) + 2
	at, words := f.Out+logGuard, f.Out+logWords
	if two {
		words = f.Out + log2Words
	}
	words = min(words, mostShort)
	at = min(at, words)
	t := logTable(logKey{fourier.Lookup("log2/radix4/short", z.class), 1, at, whole + at, words - at})
	middle := big.NewFloat(float64(f.In) - float64(width/2))
	y := p.narrowValue(op, p.shortLog2(op, s, norm, f.In, middle, 1, t), t.ring(), s.n, t.width)
	p.open(op, y)
	factor, drop := big.NewInt(1), at-f.Out
	if !two {
		fraction := ln2Fraction(f.Out, width+f.In)
		factor, drop = bigUnits(ln2, fraction), drop+fraction
	}
	r := ring.Z(s.ring.Bits + drop)
	v := p.asPoly(op, y, r).plus(constantPoly(constant(int64(width/2 - f.In)).times(pow2(at))))
	return p.newShare(s.ring, s.n, f.Out+8, p.polyTruncateReduced(op, v.times(constantPoly(bigConstant(factor))), op.Next(), r, s.n, drop))
}

// ln2Fraction is the least number of fraction bits of ln 2 with which a product with a number below most is right to
// 2^−(out+ln2Guard).
func ln2Fraction(out, most int) int {
	for d := 1; ; d++ {
		rounded := new(big.Float).SetPrec(prec).SetInt(bigUnits(ln2, d))
		off := new(big.Float).SetPrec(prec).Sub(ln2, rounded.SetMantExp(rounded, -d))
		off.Mul(off.Abs(off), big.NewFloat(float64(most)))
		if off.Cmp(pow2Float(-out-ln2Guard)) <= 0 {
			return d
		}
	}
}

// shortLog2 is this party's share over the ring of t of a·(log2|x| + more)·2^(t.scale), local, where t is the short
// table of a·log2 u; x has so many fraction bits, and its place is to radix 4. a is a multiple of 1/4.
func (p *Party) shortLog2(
	op *flow.Op,
	s *share,
	n *normalisation,
	fraction int,
	more *big.Float,
	a float64,
	t *shortTable,
) *flow.Future[ring.Vec] {
	v, r := p.shortWaves(op, n.u, t, nil), t.ring()
	base := new(big.Float).SetPrec(prec).SetInt64(int64(-fraction))
	if more != nil {
		base.Add(base, more)
	}
	base.Mul(base, big.NewFloat(a))
	v = p.plusPolyShare(op, v, constantPoly(bigConstant(units320(base, t.scale))), r, s.n)
	weight := units320(big.NewFloat(a*float64(n.step)), t.scale)
	zeros := min(int(weight.TrailingZeroBits()), r.Bits-1)
	of := ring.Z(r.Bits - zeros)
	y := newPoly()
	for j, b := range n.places { // dealt with x in a ring of 2j + 5 bits
		p.dealtWithin(op, monomial{b.factor}, of, ring.Z(max(of.Bits, placeBits, 2*j+5)))
		y = y.plus(b.poly())
	}
	w := p.polyShare(op, y.times(constantPoly(bigConstant(weight.Rsh(weight, uint(zeros))))), of, s.n)
	return flow.Do(op, bytes(r, s.n), func() ring.Vec {
		out := v.Get().Clone()
		ring.AddShifted(out, w.Get(), zeros, false)
		return out
	}, v, w)
}

// units320 is x in units of 2^−scale.
func units320(x *big.Float, scale int) *big.Int {
	return roundBig(new(big.Float).SetPrec(prec).SetMantExp(x, scale))
}

// exponent opens a·(log2|x| + more) modulo q as a phase.
func (p *Party) exponent(op *flow.Op, s *share, n *normalisation, fraction int, more *big.Float, a float64, q int, z precision) phase {
	if n.step == 2 && q&(q-1) == 0 {
		table := n.table
		if -1 <= a && a < 0 { // small powers of large numbers are exact enough
			table = fourier.Lookup("log2/radix4/short", z.class)
		}
		t := logTable(logKey{table, a, z.exponent, bits.Len(uint(q-1)) + z.exponent, exponentGuard})
		return p.narrowOpen(op, p.shortLog2(op, s, n, fraction, more, a, t), t.ring(), s.n, t.width)
	}
	gain := new(big.Float).SetPrec(prec).Quo(big.NewFloat(a), big.NewFloat(float64(q)))
	gain.SetMantExp(gain, z.k-z.gb) // 2^K is the period q
	v := p.log2(op, s, n, fraction, more, gain, ring.Z(z.k), 0, z.gb)
	return p.narrowOpen(op, v, ring.Z(z.k), s.n, z.e)
}

// dyadic is the modulus of an exponential of a·log2 x that needs q bits: with places to radix 4 a power of two, if what
// their weights then have as low zero bits is more than what so many words of the exponential have more.
func (n *normalisation) dyadic(a float64, q, words int, z precision) int {
	power := 1 << bits.Len(uint(q-1))
	if n.step != 2 || 4*a != math.Trunc(4*a) || power > mostDyadic {
		return q
	}
	if saved := len(n.places) * (z.k - bits.Len(uint(4*power))); saved < words*(power-q) {
		return q
	}
	return power
}

// mostDyadic is the largest power of two that is the modulus of an exponent.
const mostDyadic = 256

// Power implements mpc.Functions (docs/protocols/functions.md#powers-and-quotients). It returns 2^(a·log2|x|). Where n says that
// x is signed, this is multiplied by the sign of x, for every a. Where a > 0, it is multiplied by the bit |x| ≥ 1 unit, so that 0^a
// is 0.
func (p *Party) Power(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, a float64) mpc.Secret {
	z := precisionFor(p.share(x).ring, f.Out)
	s, norm := p.normalise(op, x, n, z, true)
	smallest := math.Abs(a) * float64(f.In)
	if a < 0 {
		smallest = -a * float64(normalWidth(n, z, norm)-f.In)
	}
	off, q := z.offsetAndModulus(s.ring.Bits, f.Out, int(math.Ceil(smallest)), f.Out)
	q = norm.dyadic(a, q, 2, z)
	e := []phase{p.exponent(op, s, norm, f.In, nil, a, q, z)}
	var h *flow.Future[ring.Vec]
	switch some := norm.above[0]; {
	case a < 0 && n.Signed:
		h = p.applySign(op, norm.sign, p.exponentials(op, e, q, z.g, off, factorsOf(signFactor(norm.sign)))[0], ring.M(q), s.n)
	case a < 0:
		h = p.exponentials(op, e, q, z.g, off, noFactors)[0]
	case n.Signed: // times [x ≥ 1 unit] − [x < 0]
		hs := p.exponentials(op, e, q, z.g, off, noFactors, factorsOf(some.factor.Factor), factorsOf(norm.sign.factor.Factor))
		pos, neg := p.selectShares(op, some, hs[0], hs[1], ring.M(q), s.n), p.selectShares(op, norm.sign, hs[0], hs[2], ring.M(q), s.n)
		h = flow.Do(op, bytes(ring.M(q), s.n), func() ring.Vec {
			out := pos.Get().Like(pos.Get().Ring(), s.n)
			ring.Sub(out, pos.Get(), neg.Get())
			return out
		}, pos, neg)
	default:
		hs := p.exponentials(op, e, q, z.g, off, noFactors, factorsOf(some.factor.Factor))
		h = p.selectShares(op, some, hs[0], hs[1], ring.M(q), s.n)
	}
	return p.newShare(s.ring, s.n, s.ring.Bits-2, p.truncateReduceFresh(op, h, s.n, s.ring, 2*z.g+off-f.Out))
}

// signFactor is the dealt factor 1 − 2ρ of 1 − 2b for a masked bit b = β ⊕ ρ. applySign multiplies by the
// public one.
func signFactor(b *bit) correlation.Factor {
	return correlation.Factor{Mask: b.factor.Mask, Part: correlation.Sign, Width: b.factor.Width}
}

// applySign multiplies by 1 − 2β.
func (p *Party) applySign(op *flow.Op, b *bit, v *flow.Future[ring.Vec], r ring.Ring, n int) *flow.Future[ring.Vec] {
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		spendCyclic(op, r, n)
		op.Spend(flow.Bytes, bytes(r, n))
		x := v.Get()
		out := x.Like(x.Ring(), n)
		ring.Neg(out, x)
		if out.ShapeOnly() {
			return out
		}
		sum := selectByBit(b.m.Get(), out, x, n)
		out.Free()
		return sum
	}, v, b.m)
}

// timesPower is y·2^e for a masked y, at y's scale less shift, times 1 − 2s if s is not nil. e is the sum of
// the phases. No message is sent: y enters Z_(2^q−1) exactly by the top bit of its mask
// (docs/protocols/functions.md#powers-and-quotients). If e has fewer elements than y, each serves as many
// adjacent elements of y, and its own exponential is dealt once.
func (p *Party) timesPower(op *flow.Op, y *share, e []phase, s *bit, r ring.Ring, bound, q, off, shift int, z precision) *share {
	m, own, n := y.masked, y.ring, y.n
	w := own.Bits
	var by []correlation.Factor
	if s != nil {
		by = factorsOf(signFactor(s))
	}
	word := p.exponentials(op, e, q, z.g, off, by)[0]
	if rows := e[0].x.n; rows < n {
		word = p.applyLinear(op, repeatView(rows, n/rows), ring.M(q), word)
		e = slices.Clone(e)
		for i := range e {
			e[i].x = p.repeatEach(op, e[i].x, n/rows)
		}
	}
	if y.public() {
		v := p.timesPublic(op, word, m.delta, q, n)
		if s != nil {
			v = p.applySign(op, s, v, ring.M(q), n)
		}
		return p.newShare(r, n, bound, p.truncateReduceFresh(op, v, n, r, 2*z.g+off+shift))
	}
	with := func(part correlation.Part, width int) []correlation.Factor {
		return append(factorsOf(correlation.Factor{Mask: m.mask, Part: part, Width: width}), by...)
	}
	h := p.exponentials(op, e, q, z.g, off, with(correlation.LowBits, w), with(correlation.Bit, w-1))
	c, top := p.liftedDelta(op, m, own, n)
	cyclic := ring.M(q)
	v := flow.Do(op, bytes(cyclic, n), func() ring.Vec {
		out := h[0].Get().UninitialisedLike(cyclic, n)
		spendCyclic(op, cyclic, 6*n)
		op.Spend(flow.Bytes, 2*bytes(cyclic, n))
		if out.ShapeOnly() {
			return out
		}
		a := out.Like(cyclic, n) // c − 2^(w−2)
		k, kc := cyclic.Words(), own.Words()
		for i := range n {
			copy(a.Words()[i*k:(i+1)*k], c.Get().Words()[i*kc:(i+1)*kc])
		}
		ring.AddPow(a, a, w-2, true)
		ring.Mul(out, a, word.Get())
		ring.Sub(out, out, h[0].Get())
		ring.Lsh(a, h[1].Get(), w)
		ring.Add(a, out, a) // with the mask's top bit
		sum := selectByBit(top.Get(), a, out, n)
		a.Free()
		out.Free()
		return sum
	}, word, h[0], h[1], c, top)
	if s != nil {
		v = p.applySign(op, s, v, ring.M(q), n)
	}
	return p.newShare(r, n, bound, p.truncateReduceFresh(op, v, n, r, 2*z.g+off+shift))
}

// timesPublic multiplies shares over Z_(2^q−1) by signed integers that all parties know.
func (p *Party) timesPublic(op *flow.Op, v, by *flow.Future[ring.Vec], q, n int) *flow.Future[ring.Vec] {
	cyclic := ring.M(q)
	return flow.Do(op, bytes(cyclic, n), func() ring.Vec {
		out := v.Get().Like(cyclic, n)
		if out.ShapeOnly() {
			return out
		}
		ints := make([]*big.Int, n)
		for i := range ints {
			ints[i] = by.Get().Int(i)
		}
		ring.Mul(out, v.Get(), ring.FromBig(cyclic, ints))
		return out
	}, v, by)
}

// Divide implements mpc.Functions. It returns y·2^(−log2|x|) times the sign of x, or y·2^(−log2 x/2) if root
// (docs/protocols/functions.md#powers-and-quotients). If x has fewer elements than y and may be negative, ±y is
// opened while x is normalised.
func (p *Party) Divide(op *flow.Op, y mpc.Secret, fy int, x mpc.Secret, f mpc.Fixed, n mpc.Normal, root bool) mpc.Secret {
	z := precisionFor(p.share(x).ring, f.Out)
	n.Signed = n.Signed && !root
	sy, fy := p.wholeUnits(op, p.share(y), fy, p.share(x).ring)
	p.open(op, sy, p.share(x))
	s, norm := p.normalise(op, x, n, z, x.Len() == y.Len())
	a, smallest := -1., normalWidth(n, z, norm)-f.In
	if root {
		a, smallest = -0.5, (smallest+1)/2
	}
	off, q := z.offsetAndModulus(s.ring.Bits, f.Out, smallest, min(0, f.Out-fy))
	q = norm.dyadic(a, q, 3, z)
	e := p.exponent(op, s, norm, f.In, nil, a, q, z)
	sign := norm.sign
	if sign != nil && s.n < sy.n {
		sy, sign = p.timesSignOf(op, sy, s), nil
	}
	return p.timesPower(op, sy, []phase{e}, sign, s.ring, s.ring.Bits-2, q, off, fy-f.Out, z)
}

// wholeUnits is y and its scale, raised to 0 if it is negative: y/x then has enough low bits to be rounded over a cyclic
// ring (leastCyclic). A narrow y is extended to r first, which holds every y that the quotient's ring holds.
func (p *Party) wholeUnits(op *flow.Op, y *share, scale int, r ring.Ring) (*share, int) {
	if scale >= 0 {
		return y, scale
	}
	if y.ring.Bits < r.Bits {
		y = p.Max(op, r, y).(*share)
	}
	return p.Linear(op, maps.Shift{N: y.n, By: -scale}, y).(*share), 0
}

// timesSignOf is ±y, opened, by the signs of an x of fewer elements.
func (p *Party) timesSignOf(op *flow.Op, y, x *share) *share {
	b := p.lessThanThresholds(op, threshold{x, 0})[0]
	p.open(op, b)
	out := p.Select(op, y.ring, p.repeatEach(op, b, y.n/x.n), p.negated(op, y), y).(*share)
	p.open(op, out)
	return out
}

// PowerSecret implements mpc.Functions. It returns 2^(y·log2 x), in ten rounds. The exponential has its lower clamp,
// without which a small result would be an arbitrary number.
func (p *Party) PowerSecret(op *flow.Op, x, y mpc.Secret, fy int, f mpc.Fixed, n mpc.Normal) mpc.Secret {
	z := precisionFor(p.share(x).ring, f.Out)
	n.Signed = false
	sy := p.share(y)
	p.open(op, sy, p.share(x))
	s, norm := p.normalise(op, x, n, z, true)
	fl := z.sum // fraction bits of the logarithm
	r := z.tableRing(s.ring.Bits, fl)
	v := p.log2(op, s, norm, f.In, nil, big.NewFloat(1), r, z.ga, z.gb)
	log := p.newShare(s.ring, s.n, fl+8, p.truncateReduceFresh(op, v, s.n, s.ring, z.ga+z.gb-fl))
	p.open(op, log)
	e := p.newPoly(s.ring, s.n, s.ring.Bits-3, p.asPoly(op, log, s.ring).times(p.asPoly(op, sy, s.ring)))
	p.open(op, e)
	return p.exp(op, e, mpc.ExpOf{Fixed: mpc.Fixed{In: fl + fy, Out: f.Out}, Two: true, Lower: true, Upper: true}, z)
}

// FloorReal implements mpc.Functions. It opens x and the borrow of its low by bits. The result is a polynomial in
// masks.
func (p *Party) FloorReal(op *flow.Op, x mpc.Secret, by int, quotient bool) mpc.Secret {
	s := p.opened(op, x)
	b := p.openBits(op, []int{s.n}, p.borrows(op, borrow{s.masked, s.n, by}))[0]
	if quotient {
		return p.newPoly(s.ring, s.n, mpc.RoundedBound(s.bound, by, p.n), p.quotientPoly(op, s.masked, s.ring, s.n, by).minus(b.poly()))
	}
	delta := s.masked.delta
	high := flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
		out := delta.Get().Like(s.ring, s.n)
		ring.Rsh(out, delta.Get(), by)
		ring.Lsh(out, out, by)
		return out
	}, delta)
	y := constantPoly(vector(high)).
		with(monomial{s.masked.maskFactor(correlation.Whole, 0, 0)}, constant(-1)).
		with(monomial{s.masked.maskFactor(correlation.LowBits, by, 0)}, constant(1))
	return p.newPoly(s.ring, s.n, s.bound, y.minus(b.poly().times(constantPoly(pow2(by)))))
}
