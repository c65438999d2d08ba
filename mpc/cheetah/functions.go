package cheetah

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fixed"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// Bytes that the functions of package derived take for each element at least.
const (
	composedExp   = 40000
	composedTable = 20000
)

// under is the number of bits below a unit to which exponentials are right.
const under = 5

// Exponential implements derived.Slots. With y = x + 2^(k−2) = u + v − 2^k·w for the parties' shares u and v of y and the wrap
// w, which is 1 if one of the top bits t_u, t_v is 1 (wrapped), and c = 4·⌊2^(k−in−2)·log2 e⌉,
//
//	2^(c·x/2^k) = 2^(−c/4)·(C·A·B + (1 − C)·A·(1 − t_u)·B·(1 − t_v)),  A = 2^(c·u/2^k), B = 2^(c·v/2^k), C = 2^(−c).
//
// A and B are a mantissa times a power of two modulo T (slotted). Times 2^off the sum is an integer below T, for
// c·x/2^k ≥ −off + 2 and results that fit the ring, and as a fraction of T it is the result.
func (p *Party) Exponential(op *flow.Op, xs mpc.Secret, f mpc.ExpOf) mpc.Secret {
	s, r := of(xs), f.RingFor(of(xs).ring)
	if s.public != nil || s.n == 0 || r.Bits > 64 || r.Bits < 32 || f.Out > 30 || s.ring.Bits > 64 || f.In > 32 {
		return nil
	}
	// c has 31 bits or more; arguments of a narrower ring are extended.
	k, w, mantissa := max(s.ring.Bits, f.In+32), r.Bits, 24 // fraction bits of A and B
	if f.Out > 18 && f.Tolerance < math.Ldexp(1, -23) {
		mantissa = 32
	}
	z := widest(w+2*mantissa+under, s.n, 2)
	if !z.cheaper(composedExp * s.n) {
		return nil
	}
	log := 1.0
	if !f.Two {
		log = math.Log2E
	}
	c := uint64(4 * math.RoundToEven(math.Ldexp(log, k-f.In-2)))
	y := p.offset(op, p.resize(op, ring.Z(k), s), k-2)
	out := newShare(r, s.n, w-2, z.run(p, op, r, func(t *he.Slots, dst [][][]uint64, lo, n int) {
		size, _ := new(big.Float).SetInt(t.Modulus()).Float64()
		fraction, e := math.Frexp(size) // T·2^(out − w − 2·mantissa) = 2^off·factor
		factor, off := uint64(math.RoundToEven(math.Ldexp(fraction, 41))), e-1+f.Out-w-2*mantissa
		u, responder := y.own.Get().Words(), p.rank == slotResponder
		for i := range z.count {
			table := newPowers(t, i, c)
			one, wrap := t.Scaled(i, 1), table.two(-int64(c))
			rest := t.Add(i, one, t.Prime(i)-wrap)
			shift := table.two(int64(off) - int64(c/4))
			for e := range n {
				v := u[lo+e]
				whole, part := exponent(v, c, k)
				m := fixed.Exp2(part) >> (62 - 44)
				if responder {
					hi, low := bits.Mul64(m, factor)
					m = hi<<(64-40) | low>>40
				}
				m = (m + 1<<(43-mantissa)) >> (44 - mantissa)
				a := t.Mul(i, table.of(whole), m)
				if responder {
					a = t.Mul(i, a, shift)
				}
				low := a & (v>>(k-1) - 1) // times 1 − the top bit
				if responder {
					a, low = t.Mul(i, a, wrap), t.Mul(i, low, rest)
				}
				dst[0][i][e], dst[1][i][e] = a, low
			}
		}
	}, y.mine()))
	var outside *share // the bits of results that are not as computed
	if f.Lower {
		// All results below 2^−(out + 2.9) become 0, and none above 2^−(out + 2.3): x is compared in units of 1/8, and TruncateReduce is
		// off by less than one of them.
		x, unit := s, max(0, f.In-3)
		if unit > 0 {
			x = of(p.TruncateReduce(op, s, unit))
		}
		outside = of(p.LessConst(op, x, int64(math.Floor(math.Ldexp(-(float64(f.Out)+2.5)/log, f.In-unit)))))
	}
	over := (*share)(nil)
	if f.Upper {
		// Results above 2^0.99 times 2^(w − 3) units become that.
		over = p.not(op, of(p.LessConst(op, s, int64(math.Ldexp((float64(w-3-f.Out)+0.99)/log, f.In)))))
		if outside == nil {
			outside = over
		} else {
			outside = p.sum(op, outside, over) // no number is both
		}
	}
	if outside != nil {
		out = p.choose(op, p.not(op, outside), out)
	}
	if over != nil {
		const size = 23 // bits of the largest result that are not zero
		largest := int64(math.Exp2(0.99) * (1 << 20))
		low := ring.Z(size)
		number := p.numberOf(op, low, flow.Pick(op, func() ring.Bits {
			if op.Graph.DryRun() {
				return ring.ShapeOnlyBits(s.n)
			}
			return ring.Bit(over.own.Get(), 0)
		}, over.mine()), s.n)
		out = newShare(r, s.n, w-2, local(op, r, s.n, func(dst ring.Vec, src []ring.Vec) {
			v := ring.New(low, s.n)
			ring.Scale(v, src[1], largest)
			ring.Low(dst, src[0])
			ring.AddShifted(dst, v, w-size, false)
		}, out.mine(), number))
	}
	return out
}

// exponent returns the integer and the fraction, in units of 2^-64, of v·c/2^k for v below 2^k, k ≤ 64.
func exponent(v, c uint64, k int) (whole, fraction uint64) {
	hi, lo := bits.Mul64(v, c)
	return hi<<(64-k) | lo>>k, lo << (64 - k)
}

// powers makes powers of two modulo a prime, in time that does not depend on the exponent.
type powers struct {
	t     *he.Slots
	prime int
	list  []uint64 // 2^(2^i), scaled
}

// newPowers returns powers for exponents of at most c.
func newPowers(t *he.Slots, prime int, c uint64) powers {
	p := powers{t: t, prime: prime}
	for i := range bits.Len64(c) {
		p.list = append(p.list, p.two(1<<i))
	}
	return p
}

// two returns 2^e, scaled, of a public e.
func (p powers) two(e int64) uint64 {
	if e < 0 {
		half := (p.t.Prime(p.prime) + 1) / 2
		return p.t.Scaled(p.prime, p.t.Power(p.prime, half, uint64(-e)))
	}
	return p.t.Scaled(p.prime, p.t.Power(p.prime, 2, uint64(e)))
}

// of returns 2^e, scaled.
func (p powers) of(e uint64) uint64 {
	one := p.t.Scaled(p.prime, 1)
	out := one
	for i, x := range p.list {
		bit := -(e >> i & 1)
		out = p.t.Mul(p.prime, out, one^(one^x)&bit)
	}
	return out
}

// SeriesBytes implements derived.Slots.
func (p *Party) SeriesBytes(n int, t *fourier.Table, out int) (size int, ok bool) {
	if n == 0 || out > 18 {
		return 0, false
	}
	z, _, _ := seriesOf(n, t, out)
	if !z.cheaper(composedTable * n) {
		return 0, false
	}
	up, down := z.traffic()
	return up + down, true
}

// seriesOf returns the slots of n elements' values of a table, the bits of the ring that the values take, and those of the
// encrypter's cosines. Those are rounded so that each of 2·N errors, times a coefficient, has a deviation of at most 2^-(out + 4)
// together; the responder's numbers are rounded to a quarter of a unit.
func seriesOf(n int, t *fourier.Table, out int) (z *slotted, w, scale int) {
	w = out + 2 + max(4-out, int(math.Ceil(math.Log2(1.1*largest(t)))))
	square := 0.0
	for h := 1; h <= t.N(); h++ {
		c, s := float64(t.C[h]), float64(t.S[h-1])
		square += float64(c*c) + float64(s*s)
	}
	deviation := math.Ldexp(math.Sqrt(square/12), -t.Frac) // of cosines and sines in whole units
	scale = min(21, max(12, out+4+int(math.Ceil(math.Log2(deviation)))))
	return slotsOf(max(he.LeastPrime, w+scale+2), 1, n, 2*t.N()), w, scale
}

// Series implements derived.Slots: of the parties' shares u and v of x, cosines and sines of harmonics are sums of two products of
// what one party computes of u with what the other computes of v, so that F is a sum of 2·N products. The fraction of T in
// the few bits that F takes on the table's interval is the result.
func (p *Party) Series(op *flow.Op, xs mpc.Secret, in int, t *fourier.Table, out int) mpc.Secret {
	s := of(xs)
	if s.public != nil || s.n == 0 || out > 18 || s.ring.Bits > 64 && s.bound > 62 {
		return nil
	}
	z, w, scale := seriesOf(s.n, t, out)
	if !z.cheaper(composedTable * s.n) {
		return nil
	}
	// The phase is x·c modulo 2^64. A ring whose size is a multiple of the period serves as it is: it wraps by whole turns.
	c := uint64(math.RoundToEven(math.Ldexp(1/t.Period, 64-in)))
	wide := ring.Z(64)
	if times, log, ok := t.PeriodFraction(); ok && in+log <= 64 && s.ring.Bits >= in+log {
		c, wide = uint64(times)<<(64-in-log), ring.Z(min(64, s.ring.Bits))
	}
	s = p.resize(op, wide, s)
	r := ring.Z(w)
	made := z.run(p, op, r, func(slots *he.Slots, dst [][][]uint64, lo, n int) {
		v := s.own.Get().Words()
		const guard = 4 // more bits of coefficients
		gain := math.Ldexp(float64(slots.Prime(0)), out-w-scale-t.Frac+guard)
		for h := 1; h <= t.N(); h++ {
			first, second := dst[2*h-2][0], dst[2*h-1][0]
			a, b := int64(math.RoundToEven(float64(t.C[h])*gain)), int64(math.RoundToEven(float64(t.S[h-1])*gain))
			for e := range n {
				cos, sin := fixed.CosSin(v[lo+e] * c * uint64(h))
				x, y := round(cos, 50-scale), round(sin, 50-scale)
				if p.rank == slotResponder { // C·cos(u + v) + S·sin(u + v) = (C·cos u + S·sin u)·cos v + (S·cos u − C·sin u)·sin v
					cos, sin = round(cos, 20), round(sin, 20)
					x, y = round(a*cos+b*sin, 30+guard), round(b*cos-a*sin, 30+guard)
				}
				first[e], second[e] = slots.Signed(0, x), slots.Signed(0, y)
			}
		}
	}, s.mine())
	constant := int64(math.RoundToEven(math.Ldexp(float64(t.C[0]), out-t.Frac)))
	y := newShare(r, s.n, w-2, local(op, r, s.n, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		if p.rank == opener {
			ring.AddInt(dst, dst, constant)
		}
	}, made))
	y.within = true
	return y
}

// round returns x/2^by, rounded.
func round(x int64, by int) int64 { return (x + 1<<(by-1)) >> by }

// largest is about the largest magnitude of a table's function on its interval.
func largest(t *fourier.Table) float64 {
	const points = 200
	most := 0.0
	for i := range points + 1 {
		x := 2 * math.Pi * (t.A + (t.B-t.A)*float64(i)/points) / t.Period
		sum := float64(t.C[0])
		for h := 1; h <= t.N(); h++ {
			sin, cos := math.Sincos(float64(h) * x)
			sum += float64(float64(t.C[h])*cos) + float64(float64(t.S[h-1])*sin)
		}
		most = max(most, math.Abs(sum))
	}
	return math.Ldexp(most, -t.Frac)
}
