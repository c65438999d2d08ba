package semi2k

import (
	"math/big"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/fixed"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// phase is c·x mod 2^w as a fraction of a period 2^w, for a masked x in Z_2^w
// (docs/protocols/functions.md#phase). A wrap of Δ − λ modulo 2^w is a whole number of periods.
type phase struct {
	x *share // masked
	c [2]uint64
}

// newPhase is the phase of x, which has scale fraction bits, for a period in units of the real value. The
// multiplier is the integer nearest to 2^(w−scale)/period.
func newPhase(x *share, scale int, period *big.Float) phase {
	c := new(big.Float).SetPrec(prec).Quo(pow2Float(x.ring.Bits-scale), period)
	return phase{x, multiplier(roundBig(c))}
}

// prec is the precision in bits of the functions' constants.
const prec = 320

func pow2Float(e int) *big.Float {
	return new(big.Float).SetPrec(prec).SetMantExp(big.NewFloat(1), e)
}

// roundBig is the integer nearest to x.
func roundBig(x *big.Float) *big.Int {
	half := big.NewFloat(0.5)
	if x.Sign() < 0 {
		half = big.NewFloat(-0.5)
	}
	i, _ := new(big.Float).SetPrec(prec).Add(x, half).Int(nil)
	return i
}

// multiplier is c modulo 2^128.
func multiplier(c *big.Int) [2]uint64 {
	c = new(big.Int).And(c, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1)))
	return [2]uint64{new(big.Int).And(c, new(big.Int).SetUint64(^uint64(0))).Uint64(), new(big.Int).Rsh(c, 64).Uint64()}
}

func phaseFactors(ps []phase, times []correlation.Factor) []correlation.Factor {
	var out []correlation.Factor
	for _, ph := range ps {
		out = append(out, correlation.Factor{Mask: ph.x.masked.mask, Part: correlation.Phase, C: ph.c})
	}
	return append(out, times...)
}

func phaseDeps(ps []phase) []flow.Dep {
	var out []flow.Dep
	for _, ph := range ps {
		out = append(out, ph.x.masked.delta)
	}
	return out
}

// publicPhases sets out to the sums of the phases of Δ for elements [lo, hi).
func publicPhases(ps []phase, lo, hi int, out []fixed.Phase) {
	clear(out)
	for _, ph := range ps {
		d := ph.x.masked.delta.Get()
		w, k, width := d.Words(), d.Ring().Words(), d.Ring().Bits
		for i := lo; i < hi; i++ {
			out[i-lo] = out[i-lo].Plus(fixed.PhaseOf(w[i*k:(i+1)*k], ph.c, width))
		}
	}
}

// chunk is the number of elements that are processed at a time; their intermediate values fit the cache.
const chunk = 512

// exponentials returns this party's shares over Z_(2^q−1) of 2^(e+off)·2^(2g) times each of the given
// products of factors, where e is the sum of the phases read as an exponent modulo q: a public mantissa and
// rotation times a dealt word (docs/protocols/functions.md#exponential).
func (p *Party) exponentials(op *flow.Op, ps []phase, q, g, off int, times ...[]correlation.Factor) []*flow.Future[ring.Vec] {
	r, n := ring.M(q), ps[0].x.n
	ds := phaseDeps(ps)
	var words []*flow.Future[ring.Stream]
	for _, t := range times {
		w := p.takeStream(op, &correlation.Request{
			Kind: correlation.Exponential, Factors: phaseFactors(ps, t), Out: r, N: n, Scale: g, Off: off,
		})
		words = append(words, w)
		ds = append(ds, w)
	}
	all := flow.Do(op, int64(len(times))*bytes(r, n), func() []ring.Vec {
		spendCyclic(op, r, 3*n*len(times)) // a word is rotated, multiplied and added
		op.Spend(flow.Powers, int64(n))
		out := make([]ring.Vec, len(words))
		for j, w := range words {
			out[j] = ring.ShapeOnly(r, n)
			if !w.Get().ShapeOnly() {
				out[j] = ring.NewUninitialised(r, n)
			}
		}
		if out[0].ShapeOnly() {
			return out
		}
		down := 62 - g
		half := uint64(1) << down >> 1
		ring.Parallel(n, chunk, func(from, to int) {
			var phases [chunk]fixed.Phase
			var mantissa [chunk]uint64
			var rot [chunk]uint16
			room := ring.NewUninitialised(r, chunk)
			for lo := from; lo < to; lo += chunk {
				hi := min(lo+chunk, to)
				publicPhases(ps, lo, hi, phases[:hi-lo])
				for i := range hi - lo {
					whole, frac := phases[i].Split(uint64(q))
					mantissa[i], rot[i] = (fixed.Exp2(frac)+half)>>down, uint16(whole)
				}
				for j, w := range words {
					sum := out[j].Slice(lo, hi)
					clear(sum.Words())
					ring.MulAddRotated(sum, w.Get().Part(room, lo, hi), mantissa[:hi-lo], rot[:hi-lo])
				}
			}
			room.Free()
		})
		return out
	}, ds...)
	out := make([]*flow.Future[ring.Vec], len(times))
	for j := range out {
		out[j] = flow.Pick(op, func() ring.Vec { return all.Get()[j] }, all)
	}
	return out
}

// series is a Fourier table times a gain, as integers that multiply sines and cosines. waves has coefficients
// in units of 2^−at; the coefficients' products with public waves are rounded to units of 2^−scale.
type series struct {
	constant  int64 // in units of 2^−scale
	waves     []fixed.Wave
	at, scale int
}

// seriesKey identifies a series; gain is the exact text of the gain.
type seriesKey struct {
	table *fourier.Table
	gain  string
	scale int
}

// maxSeries is the largest number of series in seriesCache.
const maxSeries = 1 << 10

var (
	seriesCache sync.Map // seriesKey → *series
	seriesCount atomic.Int32
)

// seriesOf returns newSeries from a cache, as loops ask for the same series in each iteration.
func seriesOf(t *fourier.Table, gain *big.Float, scale int) *series {
	key := seriesKey{table: t, scale: scale}
	if gain != nil {
		key.gain = gain.Text('p', 0)
	}
	if z, ok := seriesCache.Load(key); ok {
		return z.(*series)
	}
	z := newSeries(t, gain, scale)
	if seriesCount.Add(1) <= maxSeries {
		seriesCache.Store(key, z)
	}
	return z
}

func newSeries(t *fourier.Table, gain *big.Float, scale int) *series {
	exact := func(c int64, at int) *big.Int {
		f := new(big.Float).SetPrec(prec).SetInt64(c)
		if gain != nil {
			f.Mul(f, gain)
		}
		return roundBig(f.SetMantExp(f, at-t.Frac))
	}
	largest := 0 // bit length of the largest coefficient in units of 2^−scale
	for n := range t.N() {
		largest = max(largest, exact(t.C[n+1], scale).BitLen(), exact(t.S[n], scale).BitLen())
	}
	z := &series{constant: exact(t.C[0], scale).Int64(), at: scale + 50 - largest, scale: scale}
	for n := range t.N() {
		z.waves = append(z.waves, fixed.NewWave(exact(t.C[n+1], z.at).Int64(), exact(t.S[n], z.at).Int64(), z.at-scale-1))
	}
	return z
}

// public sets c and s to the public factors of cosine and sine of n times the mask's phase.
func (z *series) public(n int, phases []uint64, c, s []int64) {
	z.waves[n-1].At(uint64(n), phases, c, s)
}

// waves returns this party's shares over Z_2^K of table(x)·gain·2^(scale+gb) times each of the given products
// of bits and signs, where x is the phase's value: by the addition theorem sums of public values times dealt
// ones, computed locally (docs/protocols/functions.md#fourier-tables).
func (p *Party) waves(
	op *flow.Op,
	ph phase,
	t *fourier.Table,
	gain *big.Float,
	r ring.Ring,
	scale, gb int,
	times ...[]correlation.Factor,
) []*flow.Future[ring.Vec] {
	z, n, harmonics := seriesOf(t, gain, scale), ph.x.n, t.N()
	ps := []phase{ph}
	ds := phaseDeps(ps)
	var words []*flow.Future[ring.Stream]
	for _, by := range times {
		w := p.takeStream(op, &correlation.Request{
			Kind: correlation.Waves, Factors: phaseFactors(ps, by), Out: r,
			N: n * correlation.WaveBlocks(harmonics, len(by) > 0), Harmonics: harmonics, Scale: gb,
		})
		words = append(words, w)
		ds = append(ds, w)
	}
	all := flow.Do(op, int64(len(times))*bytes(r, n), func() []ring.Vec {
		op.Spend(flow.Waves, int64(n*harmonics*len(times)))
		op.Spend(flow.Powers, int64(n)) // phases
		out := make([]ring.Vec, len(words))
		for j, w := range words {
			out[j] = w.Get().Like(r, n)
		}
		if out[0].ShapeOnly() {
			return out
		}
		ring.Parallel(n, chunk, func(from, to int) {
			var phases [chunk]fixed.Phase
			var fractions [chunk]uint64
			var cos, sin [chunk]int64
			room := ring.NewUninitialised(r, chunk)
			for lo := from; lo < to; lo += chunk {
				hi := min(lo+chunk, to)
				m := hi - lo
				publicPhases(ps, lo, hi, phases[:m])
				for i, t := range phases[:m] {
					fractions[i] = t.Hi
				}
				add := func(j, block int, times []int64) {
					at := block*n + lo
					ring.MulAddSmall(out[j].Slice(lo, hi), words[j].Get().Part(room, at, at+m), times)
				}
				for i := range m {
					cos[i] = z.constant
				}
				for j, by := range times {
					if len(by) > 0 {
						add(j, 0, cos[:m])
						o := out[j].Slice(lo, hi)
						ring.Lsh(o, o, gb)
					}
				}
				for k := 1; k <= harmonics; k++ {
					z.public(k, fractions[:m], cos[:m], sin[:m])
					for j, by := range times {
						first := min(len(by), 1)
						add(j, first+k-1, cos[:m])
						add(j, first+harmonics+k-1, sin[:m])
					}
				}
			}
			room.Free()
		})
		if p.first() {
			for j, by := range times {
				if len(by) == 0 {
					c := out[j].Like(r, n)
					ring.AddInt(c, c, z.constant)
					ring.Lsh(c, c, gb)
					ring.Add(out[j], out[j], c)
					c.Free()
				}
			}
		}
		return out
	}, ds...)
	out := make([]*flow.Future[ring.Vec], len(times))
	for j := range out {
		out[j] = flow.Pick(op, func() ring.Vec { return all.Get()[j] }, all)
	}
	return out
}

// truncateReduceFresh is a share of value/2^t over r, from a share over a ring of at least t more bits, with
// a fresh sharing of zero (docs/protocols/arithmetic.md#truncate-reduce). It is off by less than n/2 units;
// nothing is sent. Call it once for a value: each call rounds with another coin.
func (p *Party) truncateReduceFresh(op *flow.Op, v *flow.Future[ring.Vec], n int, r ring.Ring, t int) *flow.Future[ring.Vec] {
	return p.truncateReduceShares(op, v, op.Next(), r, n, t)
}

// selectShares is a share over r of b·z, from shares of z and of ρ·z, for b = β ⊕ ρ: ρ·z where β is 0, z − ρ·z where
// β is 1.
func (p *Party) selectShares(op *flow.Op, b *bit, z, rz *flow.Future[ring.Vec], r ring.Ring, n int) *flow.Future[ring.Vec] {
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		spendCyclic(op, r, n)
		op.Spend(flow.Bytes, bytes(r, n))
		if rz.Get().ShapeOnly() {
			return rz.Get().Clone()
		}
		other := z.Get().UninitialisedLike(rz.Get().Ring(), n)
		ring.Sub(other, z.Get(), rz.Get())
		out := selectByBit(b.m.Get(), other, rz.Get(), n)
		other.Free()
		return out
	}, z, rz, b.m)
}

// spendCyclic adds to op's work that n elements of r are computed, if r is cyclic.
func spendCyclic(op *flow.Op, r ring.Ring, n int) {
	if r.Cyclic {
		op.Spend(flow.Cyclic, int64(n*r.Words()))
	}
}

// selectByBit is a where the public bit is 1 and b where it is 0, for each block of n elements.
func selectByBit(bits ring.Bits, a, b ring.Vec, n int) ring.Vec {
	out := b.UninitialisedLike(b.Ring(), b.Len())
	for lo := 0; lo < out.Len(); lo += n {
		ring.Choose(out.Slice(lo, lo+n), a.Slice(lo, lo+n), b.Slice(lo, lo+n), bits)
	}
	return out
}

// plusPolyShare is the sum of a share and of this party's share of a polynomial.
func (p *Party) plusPolyShare(op *flow.Op, v *flow.Future[ring.Vec], y *poly, r ring.Ring, n int) *flow.Future[ring.Vec] {
	return p.plusPolyTruncateReduced(op, v, y, r, n, 0)
}

// plusPolyTruncateReduced is the sum of a share over r and of a polynomial over a ring of drop more bits,
// truncate-reduced by drop.
func (p *Party) plusPolyTruncateReduced(op *flow.Op, v *flow.Future[ring.Vec], y *poly, r ring.Ring, n, drop int) *flow.Future[ring.Vec] {
	w := p.polyTruncateReduced(op, y, op.Next(), ring.Z(r.Bits+drop), n, drop)
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		out := v.Get().UninitialisedLike(r, n)
		ring.Add(out, v.Get(), w.Get())
		return out
	}, v, w)
}

// bigConstant is the coefficient c, rounded down to 62 significant bits.
func bigConstant(c *big.Int) *coef {
	if c.IsInt64() {
		return constant(c.Int64())
	}
	s := c.BitLen() - 62 // lower bits do not matter in constants of functions
	return constant(new(big.Int).Rsh(c, uint(s)).Int64()).times(pow2(s))
}
