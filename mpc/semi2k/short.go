package semi2k

import (
	"math"
	"math/big"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/fixed"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// shortTable is a Fourier table whose value is wanted modulo 2^w only. The dealt word of a harmonic has as many
// bits as its coefficient leaves significant (docs/protocols/look-ups.md#short-words): a word times a coefficient
// times 2^z modulo 2^K needs the word modulo 2^(K−z).
type shortTable struct {
	*series // coefficients at scale out + shortGuard, but at most mostShort
	table   *fourier.Table
	gain    *big.Float // that multiplies the table's value; nil for 1
	out     int        // fraction bits of the value
	width   int        // w
	scale   int        // fraction bits of the sum
	groups  []harmonics
	// constant is table's constant less middle, at the sum's scale.
	constant *big.Int
	// middle is the middle of the values, in units of 2^−out: they differ from it by less than 2^(w−2).
	middle *big.Int
}

// harmonics are adjacent harmonics whose words have one scale and width.
type harmonics struct {
	first, count int
	scale        int // fraction bits of the words
	shift        int // by which words times coefficients are shifted to the sum's scale
	ring         ring.Ring
}

const (
	// shortGuard is the number of fraction bits of public coefficients beyond the result's, and of a dealt word
	// beyond those of its product with the coefficient: the roundings of all words, and of all coefficients, of N
	// harmonics are 2^−shortGuard times √(N/3) units in rms. They depend on the mask: whoever knows the masks knows
	// the value before its last rounding so much better, and can compare the result with it (TestShortWordsTellLittle).
	// Accuracy alone would need two bits less.
	shortGuard = 7
	// mostShort is the largest number of fraction bits of public coefficients: those of words are at most the bits
	// of the largest amplitude more, and a request has room for 60.
	mostShort = 50
	// leastShort is the least number of fraction bits of a dealt word.
	leastShort = 2
	// unevenShort is by how many bits words of one request may be longer than their coefficients ask for.
	unevenShort = 1
)

// ring is the ring of the sum.
func (t *shortTable) ring() ring.Ring { return ring.Z(t.width + t.scale - t.out) }

// shortKey identifies a shortTable.
type shortKey struct {
	table *fourier.Table
	out   int
}

var shortTables sync.Map // shortKey → *shortTable

// shortTableOf returns the short form of a windowed function's table, or of its folded one, for values with out
// fraction bits. Tables that a tolerance does not shorten are cached.
func shortTableOf(f *fourier.Function, class fourier.Class, folded bool, tolerance float64, out int) *shortTable {
	lowest, highest := f.Bounds(class)
	whole := fourier.Lookup(f.Name, class)
	if folded {
		lowest, highest = f.FoldedBounds(class)
		whole = fourier.Lookup(f.Name+"/folded", class)
	}
	t := whole.WithTolerance(tolerance)
	if t != whole {
		return newShortTable(t, lowest, highest, out)
	}
	key := shortKey{t, out}
	if have, ok := shortTables.Load(key); ok {
		return have.(*shortTable)
	}
	kept, _ := shortTables.LoadOrStore(key, newShortTable(t, lowest, highest, out))
	return kept.(*shortTable)
}

// logKey identifies the short table of gain·log2 u: values with so many fraction bits modulo 2^width, and coefficients
// with so many more.
type logKey struct {
	table *fourier.Table
	gain  float64
	out   int
	width int
	guard int
}

var logTables sync.Map // logKey → *shortTable

// logTable returns the short table of a key.
func logTable(key logKey) *shortTable {
	if have, ok := logTables.Load(key); ok {
		return have.(*shortTable)
	}
	s := &shortTable{table: key.table, gain: big.NewFloat(key.gain), out: key.out, width: key.width, middle: new(big.Int)}
	s.fill(min(key.out+key.guard, mostShort), 0)
	kept, _ := logTables.LoadOrStore(key, s)
	return kept.(*shortTable)
}

// newShortTable is the short form of a table of values in [lowest, highest] but for the table's error.
func newShortTable(t *fourier.Table, lowest, highest float64, out int) *shortTable {
	s := &shortTable{table: t, out: out, middle: units((lowest+highest)/2, out)}
	// Room for the table's error, and for a few units of roundings.
	half := (highest-lowest)/2 + t.Err + math.Ldexp(4, -out)
	for s.width = 3; math.Ldexp(1, s.width-2-out) < half; s.width++ {
	}
	s.fill(min(out+shortGuard, mostShort), unevenShort)
	return s
}

// fill computes the coefficients, at a scale, and the words' scales, where words of one request may be longer than their
// coefficients ask for by so many bits.
func (s *shortTable) fill(at, uneven int) {
	t := s.table
	s.series = seriesOf(t, s.gain, at)
	scales := make([]int, t.N())
	most := 0
	for n := range scales {
		scales[n] = max(leastShort, at+amplitudeBits(t, s.gain, n+1))
		most = max(most, scales[n])
	}
	s.scale = at + most
	for n := 0; n < len(scales); {
		lo, hi, to := scales[n], scales[n], n+1
		for to < len(scales) && max(hi, scales[to])-min(lo, scales[to]) <= uneven {
			lo, hi, to = min(lo, scales[to]), max(hi, scales[to]), to+1
		}
		s.groups = append(s.groups, harmonics{
			first: n + 1, count: to - n, scale: hi, shift: most - hi, ring: ring.Z(s.ring().Bits - (most - hi)),
		})
		n = to
	}
	first := new(big.Float).SetPrec(prec).SetInt64(t.C[0])
	if s.gain != nil {
		first.Mul(first, s.gain)
	}
	s.constant = roundBig(first.SetMantExp(first, s.scale-t.Frac))
	s.constant.Sub(s.constant, new(big.Int).Lsh(s.middle, uint(s.scale-s.out)))
}

// amplitudeBits is ⌈log2 A⌉ of the amplitude A of a table's harmonic n times the gain, if that is not nil, computed
// exactly: the same on every machine.
func amplitudeBits(t *fourier.Table, gain *big.Float, n int) int {
	c, s := big.NewInt(t.C[n]), big.NewInt(t.S[n-1])
	square := new(big.Float).SetPrec(prec).SetInt(new(big.Int).Add(c.Mul(c, c), s.Mul(s, s)))
	if gain != nil {
		square.Mul(square, gain).Mul(square, gain)
	}
	if square.Sign() == 0 {
		return -t.Frac
	}
	mantissa := new(big.Float)
	bits := square.MantExp(mantissa) // of A², rounded up to a power of two
	if mantissa.Cmp(big.NewFloat(0.5)) == 0 {
		bits--
	}
	return (bits+1)>>1 - t.Frac
}

// shortWaves returns this party's share over t.ring() of 2^scale·(table(x) − middle), where x is the phase's value:
// as waves does, with words of t's widths. If sign is not nil, it is times 1 − 2·sign, and t.middle is 0.
func (p *Party) shortWaves(op *flow.Op, ph phase, t *shortTable, sign *bit) *flow.Future[ring.Vec] {
	n, r := ph.x.n, t.ring()
	ps := []phase{ph}
	ds := phaseDeps(ps)
	var by []correlation.Factor
	var one *flow.Future[ring.Stream] // 1 − 2ρ, which the table's constant multiplies
	constant := 0                     // bits of the constant that the ring of one has no room for
	if sign != nil {
		by = factorsOf(signFactor(sign))
		constant = t.scale - t.series.scale
		one = p.takeStream(op, &correlation.Request{Kind: correlation.Product, Factors: by, Out: ring.Z(r.Bits - constant), N: n})
		ds = append(ds, one)
	}
	var words []*flow.Future[ring.Stream]
	for _, g := range t.groups {
		w := p.takeStream(op, &correlation.Request{
			Kind: correlation.Waves, Factors: phaseFactors(ps, by), Out: g.ring,
			N: n * correlation.WaveBlocks(g.count, false), First: g.first, Harmonics: g.count, Scale: g.scale,
		})
		words = append(words, w)
		ds = append(ds, w)
	}
	sum := flow.Do(op, bytes(r, n), func() ring.Vec {
		op.Spend(flow.Waves, int64(n*t.table.N()))
		op.Spend(flow.Powers, int64(n)) // phases
		out := words[0].Get().Like(r, n)
		if out.ShapeOnly() {
			return out
		}
		var free ring.Vec
		if p.first() && sign == nil {
			free = copies(r, t.constant, min(n, chunk))
		}
		ring.Parallel(n, chunk, func(from, to int) {
			var phases [chunk]fixed.Phase
			var fractions [chunk]uint64
			var cos, sin [chunk]int64
			own, room := make([]ring.Vec, len(t.groups)), ring.NewUninitialised(r, chunk)
			for i, g := range t.groups {
				own[i] = ring.NewUninitialised(g.ring, chunk)
			}
			for lo := from; lo < to; lo += chunk {
				hi := min(lo+chunk, to)
				m := hi - lo
				publicPhases(ps, lo, hi, phases[:m])
				for i, t := range phases[:m] {
					fractions[i] = t.Hi
				}
				sum := out.Slice(lo, hi)
				switch {
				case sign != nil:
					wide := room.Slice(0, m)
					v := one.Get()
					part := ring.NewUninitialised(v.Ring(), m)
					ring.Low(wide, v.Part(part, lo, hi))
					part.Free()
					ring.Lsh(wide, wide, constant)
					for i := range m {
						cos[i] = t.series.constant
					}
					ring.MulAddSmall(sum, wide, cos[:m])
				case p.first():
					copy(sum.Words(), free.Slice(0, m).Words())
				}
				for i, g := range t.groups {
					add := func(block int, times []int64) {
						at := block*n + lo
						v := words[i].Get().Part(own[i], at, at+m)
						if v.Ring() != r { // zero-extended: what is above its bits is multiplied out of the ring
							wide := room.Slice(0, m)
							ring.Low(wide, v)
							v = wide
						}
						for j := range times {
							times[j] <<= g.shift
						}
						ring.MulAddSmall(sum, v, times)
					}
					for k := range g.count {
						t.public(g.first+k, fractions[:m], cos[:m], sin[:m])
						add(k, cos[:m])
						add(g.count+k, sin[:m])
					}
				}
			}
			room.Free()
			for _, v := range own {
				v.Free()
			}
		})
		return out
	}, ds...)
	if sign != nil {
		sum = p.applySign(op, sign, sum, r, n)
	}
	return sum
}
