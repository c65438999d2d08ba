package semi2k

import (
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/fixed"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// ln2 is the natural logarithm of 2, to more bits than any ring has.
var ln2, _ = new(big.Float).SetPrec(prec).SetString("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687")

// noFactors is the product of no factors.
var noFactors []correlation.Factor

func factorsOf(fs ...correlation.Factor) []correlation.Factor { return fs }

// plusConst is x + c for an integer c, with x's masks and tables.
func (p *Party) plusConst(op *flow.Op, x *share, c *big.Int) *share {
	bound := min(c.BitLen(), x.ring.Bits-2)
	if c.IsInt64() && x.ring.Bits > 1 {
		return p.withPublic(op, x, bound, func(v *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
			return flow.Do(op, bytes(x.ring, x.n), func() ring.Vec { // no vector of equal elements is made
				sum := v.Get().UninitialisedLike(x.ring, x.n)
				ring.AddInt(sum, v.Get(), c.Int64())
				return sum
			}, v)
		})
	}
	words := ring.ShapeOnly(x.ring, x.n)
	if !op.Graph.DryRun() {
		words = copies(x.ring, c, x.n)
	}
	return p.AddPublic(op, x, words, bound).(*share)
}

// copies is the vector of n copies of c.
func copies(r ring.Ring, c *big.Int, n int) ring.Vec {
	v, one := ring.New(r, n), ring.FromBig(r, []*big.Int{c}).Words()
	for i, w := 0, v.Words(); i < len(w); i += len(one) {
		copy(w[i:], one)
	}
	return v
}

// units is v·2^scale, rounded to the nearest integer.
func units(v float64, scale int) *big.Int {
	f := new(big.Float).SetPrec(prec).SetFloat64(v)
	return roundBig(f.SetMantExp(f, scale))
}

// bigUnits is v·2^scale, rounded to the nearest integer.
func bigUnits(v *big.Float, scale int) *big.Int {
	return roundBig(new(big.Float).SetPrec(prec).SetMantExp(v, scale))
}

func mulFloat(x float64, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(prec).Mul(big.NewFloat(x), y)
}

// saturationMargin is how far below the largest power of two that fits an exponential
// saturates, in the exponent.
const saturationMargin = 1. / 1024

// rootOfHalf is 1/2^(2^e) for e ≤ 0, by square roots.
func rootOfHalf(e int) *big.Float {
	x := new(big.Float).SetPrec(prec).SetFloat64(0.5)
	for range -e {
		x.Sqrt(x)
	}
	return x
}

// log2Of is log2 n for n ≥ 1, to 100 bits, by squarings: the same bits on every machine.
func log2Of(n int) *big.Float {
	x := new(big.Float).SetPrec(prec).SetInt64(int64(n))
	whole := x.MantExp(x) - 1
	x.SetMantExp(x, 1) // in [1, 2)
	out := new(big.Float).SetPrec(prec).SetInt64(int64(whole))
	two := big.NewFloat(2)
	for i := 1; i <= 100; i++ {
		x.Mul(x, x)
		if x.Cmp(two) >= 0 {
			x.SetMantExp(x, -1)
			out.Add(out, pow2Float(-i))
		}
	}
	return out
}

// lessThanConst compares a masked x with a constant: [x < c]. Their difference has a
// bit more than either, beyond what the ring's rule lets a bound say.
func (p *Party) lessThanConst(op *flow.Op, x *share, c *big.Int) comparison {
	width := max(x.bound, c.BitLen()) + 2
	return comparison{p.plusConst(op, x, new(big.Int).Neg(c)), min(width, x.ring.Bits)}
}

// combination is the XOR of the shares with indices of, negated if negate.
type combination struct {
	of     []int
	negate bool
}

// openCombined opens combinations of the shares xs, each n bits, and vectors, in one message.
func (p *Party) openCombined(op *flow.Op, n int, xs []bitVec, cs []combination, vectors ...*share) []*bit {
	lens := make([]int, len(cs))
	for i := range lens {
		lens[i] = n
	}
	shares := flow.Do(op, int64(len(cs)*n)/8, func() []ring.Bits {
		out := make([]ring.Bits, len(cs))
		for i, c := range cs {
			out[i] = xs[c.of[0]].Get().Clone()
			for _, j := range c.of[1:] {
				ring.Xor(out[i], out[i], xs[j].Get())
			}
			if c.negate && p.first() {
				ring.Not(out[i], out[i])
			}
		}
		return out
	}, bitDeps(xs)...)
	return p.openBits(op, lens, flow.Parts(shares, len(cs)), vectors...)
}

// opened returns x, opened in its own ring.
func (p *Party) opened(op *flow.Op, x mpc.Secret) *share {
	s := p.share(x)
	p.open(op, s)
	return s
}

// Exp implements mpc.Functions (docs/protocols/functions.md#exponential). With f.Lower, results too small for f.Out
// fraction bits are 0; with f.Upper, results too large for the ring are the largest one. Both clamps are compared at
// the same time.
func (p *Party) Exp(op *flow.Op, x mpc.Secret, f mpc.ExpOf) mpc.Secret {
	s := p.opened(op, x)
	return p.exp(op, s, f, precisionFor(f.RingFor(s.ring), f.Out))
}

func (p *Party) exp(op *flow.Op, s *share, f mpc.ExpOf, z precision) mpc.Secret {
	k := f.RingFor(s.ring).Bits
	r, out := f.RingFor(s.ring), f.Out
	off, q := z.offsetAndModulus(k, f.Out, 0, f.Out)
	if f.Lower && !f.Upper { // the clamp is fuzzy, half above the smallest exponent, which is one less
		off++
		q = k + 2*z.g + off - f.Out
	}
	log := ln2 // of 2, to the base
	if f.Two {
		log = big.NewFloat(1)
	}
	ph := []phase{newPhase(s, f.In, mulFloat(float64(q), log))}
	drop := 2*z.g + off - out
	if !f.Lower && !f.Upper {
		h := p.exponentials(op, ph, q, z.g, off, noFactors)
		return p.newShare(r, s.n, r.Bits-2, p.truncateReduceFresh(op, h[0], s.n, r, drop))
	}
	smallest := mulFloat(-float64(off-1), log)
	var bits []*bit // [inside], and [not above] if there is an upper clamp
	if f.Upper {
		bits = p.exponentBits(op, s, f, smallest, mulFloat(float64(k-2-f.Out)-saturationMargin, log))
	} else {
		bits = []*bit{p.notBelow(op, s, f.In, smallest)}
	}
	h := p.exponentials(op, ph, q, z.g, off, noFactors, factorsOf(bits[0].factor.Factor))
	y := p.truncateReduceFresh(op, p.selectShares(op, bits[0], h[0], h[1], ring.M(q), s.n), s.n, r, drop)
	if f.Upper {
		largest := rootOfHalf(-10) // 2^−belowTop of the largest power
		top := roundBig(largest.SetMantExp(largest, r.Bits-2))
		y = p.plusPolyShare(op, y, constantPoly(bigConstant(top)).times(bits[1].poly()), r, s.n)
	}
	return p.newShare(r, s.n, r.Bits-2, y)
}

// exponentBits are the masked bits [lowest ≤ x < highest], without the lower end if f has no clamp there, and
// [x ≥ highest]. Both comparisons are made at the same time.
func (p *Party) exponentBits(op *flow.Op, s *share, f mpc.ExpOf, lowest, highest *big.Float) []*bit {
	var cs []comparison
	var inside combination
	if f.Lower {
		cs = append(cs, p.lessThanConst(op, s, new(big.Int).Add(bigUnits(lowest, f.In), big.NewInt(2))))
		inside.of = append(inside.of, 0)
	}
	inside.of = append(inside.of, len(cs)) // of [x < highest]
	cs = append(cs, p.lessThanConst(op, s, bigUnits(highest, f.In)))
	return p.openCombined(op, s.n, p.negativeShares(op, cs...), []combination{inside, {[]int{len(cs) - 1}, true}})
}

// notBelow is the masked bit [x ≥ c] of an open x of so many fraction bits, or of c + 1/2: a fuzzy comparison may be
// wrong up to half above c, never below it (docs/protocols/look-ups.md#several-thresholds). c is negative: numbers
// down to the end of the ring are compared.
func (p *Party) notBelow(op *flow.Op, x *share, fraction int, c *big.Float) *bit {
	step := max(0, fraction-2) // a quarter
	theta := new(big.Float).SetPrec(prec).SetMantExp(c, fraction-step)
	theta.Add(theta, big.NewFloat(0.5)) // half a step
	whole, _ := theta.Int(nil)          // rounded up, as c < 0
	if whole.Sign() > 0 || theta.Sign() > 0 {
		panic("semi2k: a clamp at a positive number")
	}
	return p.windowBits(op, x, window{step: step, thresholds: []int{int(whole.Int64())}, results: []windowResult{{of: 1, negate: true}}})[0]
}

// tableRing is the ring of a table's dealt shares: truncate-reduced by ga + gb − out bits it leaves k bits.
func (z precision) tableRing(k, out int) ring.Ring {
	return ring.Z(byteAligned(k + z.ga + z.gb - out))
}

func period(t *fourier.Table) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(t.Period) }

// EvalTable implements mpc.Functions. It evaluates a function by one table, for arguments inside the table's
// interval. Opening x is its only message.
func (p *Party) EvalTable(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string) mpc.Secret {
	s := p.opened(op, x)
	r := f.RingFor(s.ring)
	z := precisionFor(r, f.Out)
	t := fourier.Lookup(name, z.class).WithTolerance(f.Tolerance)
	v := p.waves(op, newPhase(s, f.In, period(t)), t, nil, z.tableRing(r.Bits, f.Out), z.ga, z.gb, noFactors)
	return p.newShare(r, s.n, r.Bits-2, p.truncateReduceFresh(op, v[0], s.n, r, z.ga+z.gb-f.Out))
}

// EvalTableWithTails implements mpc.Functions. It evaluates a function by a table inside an interval and by its tails
// outside (docs/protocols/look-ups.md#windowed-functions). The table's value is opened in few bits while two
// comparisons run; where x is outside of the interval, the value is multiplied by 0. If thrifty, and if the function
// has a folded form, it uses that form: two more rounds, fewer dealt bytes.
func (p *Party) EvalTableWithTails(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string, thrifty bool) mpc.Secret {
	s := p.opened(op, x)
	out := f.RingFor(s.ring)
	class := precisionFor(out, f.Out).class
	fn, _ := fourier.Windowed(name, class)
	if thrifty {
		if y := p.folded(op, s, f, fn, class); y != nil {
			return y
		}
	}
	t := shortTableOf(fn, class, false, f.Tolerance, f.Out)
	y := p.narrowValue(op, p.shortWaves(op, newPhase(s, f.In, period(t.table)), t, nil), t.ring(), s.n, t.width)
	bits := p.windowBits(op, s, tailsWindow(fn.Window(class), f.In), y)
	inside, above := bits[0].poly(), bits[1].poly()
	value := inside.times(p.asPoly(op, y, out).plus(constantPoly(bigConstant(t.middle))))
	at := max(f.In, f.Out) // the scale of the tails
	wide := ring.Z(out.Bits + at - f.Out)
	below := constantPoly(constant(1)).minus(inside).minus(above)
	rest := p.tail(op, fn.Above, s, f.In, at, wide, above).plus(p.tail(op, fn.Below, s, f.In, at, wide, below))
	if at == f.Out {
		return p.newPoly(out, s.n, out.Bits-2, value.plus(rest))
	}
	v := p.polyShare(op, value, out, s.n)
	return p.newShare(out, s.n, out.Bits-2, p.plusPolyTruncateReduced(op, v, rest, out, s.n, at-f.Out))
}

// tailsWindow asks for the bits [x in the window] and [x above it] of an x of so many fraction bits.
func tailsWindow(w fourier.Window, fraction int) window {
	low, high, step := windowEnds(w, fraction)
	return window{step: step, thresholds: []int{high, -low}, results: []windowResult{{of: 0b11}, {of: 0b01, negate: true}}}
}

// windowEnds are the distances of a window's ends from 0, in steps of 2^step units of a number of so many fraction
// bits. Where a unit is longer than the window's step, a step is a unit and the comparison is exact: the window then
// holds −low … high − 1 units, which are those within its ends.
func windowEnds(w fourier.Window, fraction int) (low, high, step int) {
	step = w.Step + fraction
	if step >= 0 {
		return w.Steps, w.Steps, step
	}
	low = w.Steps >> -step
	high = low
	if low<<-step < w.Steps {
		high++
	}
	return low, high, 0
}

// tail is the polynomial outside·t(x) at scale at, where at is x's scale in or more.
func (p *Party) tail(op *flow.Op, t fourier.Tail, x *share, in, at int, r ring.Ring, outside *poly) *poly {
	switch t {
	case fourier.Zero:
		return newPoly()
	case fourier.Identity:
		return p.asPoly(op, x, r).times(constantPoly(pow2(at - in))).times(outside)
	}
	return outside.times(constantPoly(bigConstant(units(t.At(0), at))))
}

// plusRescaled is the sum of a share over r and of a masked x, whose scale is in,
// at the scale out.
func (p *Party) plusRescaled(op *flow.Op, v *flow.Future[ring.Vec], x *share, in, out int, r ring.Ring) *flow.Future[ring.Vec] {
	drop := max(0, in-out)
	y := p.asPoly(op, x, ring.Z(r.Bits+drop)).times(constantPoly(pow2(out - in + drop)))
	return p.plusPolyTruncateReduced(op, v, y, r, x.n, drop)
}

// narrowPhase opens x, a number modulo the period or less than half a period in magnitude, as a phase of that
// many bits. The truncate-reduce to these bits sends nothing.
func (p *Party) narrowPhase(op *flow.Op, x *share, scale int, period *big.Float, bits int) phase {
	c := roundBig(new(big.Float).SetPrec(prec).Quo(pow2Float(x.ring.Bits-scale), period))
	times := constantPoly(bigConstant(c))
	var y *share
	if x.poly != nil {
		y = p.newPoly(x.ring, x.n, x.bound, x.poly.times(times))
	} else {
		v := p.additive(op, x)
		y = p.newShare(x.ring, x.n, x.bound, flow.Do(op, bytes(x.ring, x.n), func() ring.Vec {
			out := v.Get().Like(x.ring, x.n)
			if !out.ShapeOnly() {
				by := copies(x.ring, c, x.n)
				ring.Mul(out, v.Get(), by)
				by.Free()
			}
			return out
		}, v))
	}
	return p.narrowOpen(op, p.additive(op, y), x.ring, x.n, bits)
}

// narrowOpen opens the top bits of a number modulo r as a phase. The phase is read modulo r in any case, so
// nothing is lost by dropping the carry.
func (p *Party) narrowOpen(op *flow.Op, v *flow.Future[ring.Vec], r ring.Ring, n, bits int) phase {
	y := p.narrowValue(op, v, r, n, bits)
	p.open(op, y)
	return phase{y, [2]uint64{1}}
}

// narrowValue is the top bits of a number modulo r, not open.
func (p *Party) narrowValue(op *flow.Op, v *flow.Future[ring.Vec], r ring.Ring, n, bits int) *share {
	return p.TruncateReduce(op, p.newShare(r, n, r.Bits-2, v), r.Bits-bits).(*share)
}

// SinCos implements mpc.Functions. It computes sums of public values times dealt values, by the addition theorem
// (docs/protocols/functions.md#sine-and-cosine). The argument enters as an integer, not modulo 2^w, so that the
// multiplier can be rounded to 128 bits: with c = Δ + 2^(w−2) mod 2^w, x is c − 2^(w−2) − λ if c's top bit is 1, else
// c − 2^(w−2) − λ + 2^w·(λ's top bit). Sines and cosines are dealt for both cases.
func (p *Party) SinCos(op *flow.Op, x mpc.Secret, f mpc.Fixed) (sin, cos mpc.Secret) {
	s := p.opened(op, x)
	out := f.RingFor(s.ring)
	z := precisionFor(out, f.Out)
	g := (z.ga + z.gb) / 2
	r := z.tableRing(out.Bits, f.Out)
	n, w := s.n, s.ring.Bits
	times := new(big.Float).SetPrec(prec).Quo(pow2Float(128-f.In), twoPi)
	c := multiplier(roundBig(times))
	take := func(part correlation.Part) *flow.Future[ring.Vec] {
		return p.takeVec(op, &correlation.Request{Kind: correlation.Waves, Out: r, N: 2 * n, Harmonics: 1, Scale: g,
			Factors: []correlation.Factor{{Mask: s.masked.mask, Part: part, C: c}}})
	}
	whole, wrapped := take(correlation.LongPhase), take(correlation.LongPhaseWrap)
	at, top := p.liftedDelta(op, s.masked, s.ring, n)
	both := flow.Do(op, 2*bytes(r, n), func() [2]ring.Vec {
		op.Spend(flow.Waves, int64(2*n))
		sum := [2]ring.Vec{whole.Get().Like(r, n), whole.Get().Like(r, n)}
		if whole.Get().ShapeOnly() {
			return sum
		}
		cosines, sines := make([]int64, n), make([]int64, n)
		less := [2]uint64{0, ^uint64(0)} // −2^(w−2) mod 2^128
		less[(w-2)/64] = ^uint64(0) << ((w - 2) % 64)
		offset := fixed.PhaseOf(less[:], c, 128)
		k := s.ring.Words()
		for i := range n {
			t := fixed.PhaseOf(at.Get().Words()[i*k:(i+1)*k], c, 128).Plus(offset)
			cs, sn := fixed.CosSin(t.Hi)
			half := int64(1) << (49 - g)
			cosines[i], sines[i] = (cs+half)>>(50-g), (sn+half)>>(50-g)
		}
		words := selectByBit(top.Get(), wrapped.Get(), whole.Get(), n) // of cos λ, then of sin λ
		ofCos, ofSin := words.Slice(0, n), words.Slice(n, 2*n)
		negated := make([]int64, n)
		for i, v := range cosines {
			negated[i] = -v
		}
		ring.MulAddSmall(sum[0], ofCos, sines)
		ring.MulAddSmall(sum[0], ofSin, negated)
		ring.MulAddSmall(sum[1], ofCos, cosines)
		ring.MulAddSmall(sum[1], ofSin, sines)
		return sum
	}, whole, wrapped, at, top)
	get := func(i int) mpc.Secret {
		v := flow.Pick(op, func() ring.Vec { return both.Get()[i] }, both)
		return p.newShare(out, n, f.Out+1, p.truncateReduceFresh(op, v, n, out, 2*g-f.Out))
	}
	return get(0), get(1)
}

var twoPi, _ = new(big.Float).SetPrec(prec).SetString("6.283185307179586476925286766559005768394338798750211641949889184615632812572417997256069650684234136")
