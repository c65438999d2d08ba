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

// phase is c·x mod 2^w as a fraction of a period 2^w, for a masked x in
// Z_2^w. The wrap of Δ − λ is a whole period.
type phase struct {
	x *share // masked
	c [2]uint64
}

// newPhase is the phase of x at the given scale for a period in units of x:
// the nearest multiplier to 2^(w−scale)/period.
func newPhase(x *share, scale int, period *big.Float) phase {
	c := new(big.Float).SetPrec(prec).Quo(pow2Float(x.ring.Bits-scale), period)
	return phase{x, multiplier(roundBig(c))}
}

// prec is the precision, in bits, of constants of functions.
const prec = 320

func pow2Float(e int) *big.Float {
	return new(big.Float).SetPrec(prec).SetMantExp(big.NewFloat(1), e)
}

// roundBig is the nearest integer.
func roundBig(x *big.Float) *big.Int {
	half := big.NewFloat(0.5)
	if x.Sign() < 0 {
		half = big.NewFloat(-0.5)
	}
	i, _ := new(big.Float).SetPrec(prec).Add(x, half).Int(nil)
	return i
}

// multiplier is an integer modulo 2^128.
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

// publicTurns is the sum of the phases of Δ for elements [lo, hi).
func publicTurns(ps []phase, lo, hi int, out []fixed.Turn) {
	clear(out)
	for _, ph := range ps {
		d := ph.x.masked.delta.Get()
		w, k, width := d.Words(), d.Ring().Words(), d.Ring().Bits
		for i := lo; i < hi; i++ {
			out[i-lo] = out[i-lo].Plus(fixed.TurnOf(w[i*k:(i+1)*k], ph.c, width))
		}
	}
}

// chunk is how many elements are worked on at a time: what is kept of them
// stays in the cache.
const chunk = 512

// exponentials are this party's shares over Z_(2^q−1) of 2^(e+off)·2^(2g)
// times each of the given products of factors, e the sum of the phases read
// as an exponent modulo q: a public mantissa and rotation times a dealt word.
func (p *Party) exponentials(op *flow.Op, ps []phase, q, g, off int, times ...[]correlation.Factor) []*flow.Of[ring.Vec] {
	r, n := ring.M(q), ps[0].x.n
	ds := phaseDeps(ps)
	var words []*flow.Of[ring.Stream]
	for _, t := range times {
		w := p.takeStream(op, &correlation.Request{
			Kind: correlation.Exponential, Factors: phaseFactors(ps, t), Out: r, N: n, Scale: g, Off: off,
		})
		words = append(words, w)
		ds = append(ds, w)
	}
	all := flow.Do(op, int64(len(times))*bytes(r, n), func() []ring.Vec {
		op.Spend(flow.Powers, int64(n*len(times)))
		out := make([]ring.Vec, len(words))
		for j, w := range words {
			out[j] = w.Get().Like(r, n)
		}
		if out[0].Weightless() {
			return out
		}
		down := 62 - g
		half := uint64(1) << down >> 1
		ring.Parallel(n, chunk, func(from, to int) {
			var turns [chunk]fixed.Turn
			var mantissa [chunk]uint64
			var rot [chunk]uint16
			room := ring.Blank(r, chunk)
			for lo := from; lo < to; lo += chunk {
				hi := min(lo+chunk, to)
				publicTurns(ps, lo, hi, turns[:hi-lo])
				for i := range hi - lo {
					whole, frac := turns[i].Split(uint64(q))
					mantissa[i], rot[i] = (fixed.Exp2(frac)+half)>>down, uint16(whole)
				}
				for j, w := range words {
					ring.Rotated(out[j].Slice(lo, hi), w.Get().Part(room, lo, hi), mantissa[:hi-lo], rot[:hi-lo])
				}
			}
			room.Free()
		})
		return out
	}, ds...)
	out := make([]*flow.Of[ring.Vec], len(times))
	for j := range out {
		out[j] = flow.Pick(op, func() ring.Vec { return all.Get()[j] }, all)
	}
	return out
}

// series is a Fourier table times a gain, as the integers that multiply sines
// and cosines: at 2^at to one, rounded to 2^scale to one in the end.
type series struct {
	constant  int64 // at 2^scale
	waves     []fixed.Wave
	at, scale int
}

// seriesKey names a series; a gain by its exact text.
type seriesKey struct {
	table *fourier.Table
	gain  string
	scale int
}

// mostSeries bounds how many series are kept.
const mostSeries = 1 << 10

var (
	seriesKept  sync.Map // seriesKey → *series
	seriesCount atomic.Int32
)

// seriesOf is newSeries, made once, as a loop asks for it again and again.
func seriesOf(t *fourier.Table, gain *big.Float, scale int) *series {
	key := seriesKey{table: t, scale: scale}
	if gain != nil {
		key.gain = gain.Text('p', 0)
	}
	if z, ok := seriesKept.Load(key); ok {
		return z.(*series)
	}
	z := newSeries(t, gain, scale)
	if seriesCount.Add(1) <= mostSeries {
		seriesKept.Store(key, z)
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
	largest := 0 // bits of the largest coefficient at scale
	for n := range t.N() {
		largest = max(largest, exact(t.C[n+1], scale).BitLen(), exact(t.S[n], scale).BitLen())
	}
	z := &series{constant: exact(t.C[0], scale).Int64(), at: scale + 50 - largest, scale: scale}
	for n := range t.N() {
		z.waves = append(z.waves, fixed.NewWave(exact(t.C[n+1], z.at).Int64(), exact(t.S[n], z.at).Int64(), z.at-scale-1))
	}
	return z
}

// public sets c and s to the coefficients of the mask's n-th cosine and sine.
func (z *series) public(n int, phases []uint64, c, s []int64) {
	z.waves[n-1].At(uint64(n), phases, c, s)
}

// waves are this party's shares over Z_2^K of table(x)·gain·2^(scale+gb) times
// each of the given products of bits and signs, x the phase's value. Local:
// by the addition theorem public times dealt.
func (p *Party) waves(op *flow.Op, ph phase, t *fourier.Table, gain *big.Float, r ring.Ring, scale, gb int, times ...[]correlation.Factor) []*flow.Of[ring.Vec] {
	z, n, harmonics := seriesOf(t, gain, scale), ph.x.n, t.N()
	ps := []phase{ph}
	ds := phaseDeps(ps)
	var words []*flow.Of[ring.Stream]
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
		out := make([]ring.Vec, len(words))
		for j, w := range words {
			out[j] = w.Get().Like(r, n)
		}
		if out[0].Weightless() {
			return out
		}
		ring.Parallel(n, chunk, func(from, to int) {
			var turns [chunk]fixed.Turn
			var phases [chunk]uint64
			var cos, sin [chunk]int64
			room := ring.Blank(r, chunk)
			for lo := from; lo < to; lo += chunk {
				hi := min(lo+chunk, to)
				m := hi - lo
				publicTurns(ps, lo, hi, turns[:m])
				for i, t := range turns[:m] {
					phases[i] = t.Hi
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
					z.public(k, phases[:m], cos[:m], sin[:m])
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
	out := make([]*flow.Of[ring.Vec], len(times))
	for j := range out {
		out[j] = flow.Pick(op, func() ring.Vec { return all.Get()[j] }, all)
	}
	return out
}

// dropped is a share of value/2^t in Z_2^k from one in a ring of k+t bits or
// more: nearest to within n/2 units, nothing sent (protocols-functions.md §1,
// fact 1). It is called once for a value: each call rounds by a coin of its own.
func (p *Party) dropped(op *flow.Op, v *flow.Of[ring.Vec], n int, r ring.Ring, t int) *flow.Of[ring.Vec] {
	return p.rounded(op, v, op.Next(), r, n, t)
}

// picked is a share of b·z from shares of z and of ρ·z, b = β ⊕ ρ: where β is
// 0 the latter, else their difference.
func (p *Party) picked(op *flow.Op, b *bit, z, rz *flow.Of[ring.Vec], n int) *flow.Of[ring.Vec] {
	return flow.Do(op, 0, func() ring.Vec {
		if rz.Get().Weightless() {
			return rz.Get().Clone()
		}
		other := z.Get().BlankLike(rz.Get().Ring(), n)
		ring.Sub(other, z.Get(), rz.Get())
		out := chosen(b.m.Get(), other, rz.Get(), n)
		other.Free()
		return out
	}, z, rz, b.m)
}

// chosen is a where the public bit is 1 and b elsewhere, in each block of n.
func chosen(bits ring.Bits, a, b ring.Vec, n int) ring.Vec {
	out := b.BlankLike(b.Ring(), b.Len())
	for lo := 0; lo < out.Len(); lo += n {
		ring.Choose(out.Slice(lo, lo+n), a.Slice(lo, lo+n), b.Slice(lo, lo+n), bits)
	}
	return out
}

// added is the sum of a share and of a polynomial's.
func (p *Party) added(op *flow.Op, v *flow.Of[ring.Vec], y *poly, r ring.Ring, n int) *flow.Of[ring.Vec] {
	return p.addedDropped(op, v, y, r, n, 0)
}

// addedDropped is the sum of a share over r and of a polynomial's over a ring of
// so many bits more, which are dropped.
func (p *Party) addedDropped(op *flow.Op, v *flow.Of[ring.Vec], y *poly, r ring.Ring, n, drop int) *flow.Of[ring.Vec] {
	w := p.polyDropped(op, y, op.Next(), ring.Z(r.Bits+drop), n, drop)
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		out := v.Get().BlankLike(r, n)
		ring.Add(out, v.Get(), w.Get())
		return out
	}, v, w)
}

// bigConstant is a coefficient of any size, to 62 bits.
func bigConstant(c *big.Int) *coef {
	if c.IsInt64() {
		return constant(c.Int64())
	}
	s := c.BitLen() - 62 // what is below has no weight in a constant of functions
	return constant(new(big.Int).Rsh(c, uint(s)).Int64()).times(pow2(s))
}
