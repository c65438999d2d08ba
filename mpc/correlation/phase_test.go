package correlation

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// taken is the sum of all computing parties' results of Take.
func (s *session) taken(t testing.TB, r *Request) ring.Vec {
	t.Helper()
	sum := ring.New(r.Out, r.N)
	for i, p := range s.parties[:s.n] {
		m, err := p.Take(context.Background(), r)
		if err != nil {
			t.Fatalf("%v at party %d: %v", r.Kind, i, err)
		}
		if m.Vec.Len() != r.N || m.Vec.Ring() != r.Out {
			t.Fatalf("%v: party %d takes %d elements of %v, want %d of %v", r.Kind, i, m.Vec.Len(), m.Vec.Ring(), r.N, r.Out)
		}
		ring.Add(sum, sum, m.Vec.Vec())
	}
	return sum
}

// phase128 is a factor's phase of a mask element as a fraction of a period, times 2^128.
func (f Factor) phase128(x *big.Int) *big.Int {
	c := new(big.Int).SetUint64(f.C[1])
	c.Lsh(c, 64).Or(c, new(big.Int).SetUint64(f.C[0]))
	k := f.Mask.Ring.Bits
	switch f.Part {
	case Phase:
		c.Lsh(mod(c.Mul(c, x), k), uint(128-k))
	case LongPhase:
		c.Mul(c, x)
	case LongPhaseWrap:
		if x.Bit(k-1) == 1 {
			x = new(big.Int).Sub(x, pow2(k))
		}
		c.Mul(c, x)
	default:
		panic(fmt.Sprintf("part %d", f.Part))
	}
	return mod(c, 128)
}

// phases are the sum of a request's phases, times 2^128, and the product of its other factors.
func (s *session) phases(t testing.TB, r *Request) (sums, times []*big.Int) {
	n := r.Factors[0].Mask.N
	sums, times = make([]*big.Int, n), make([]*big.Int, n)
	for i := range sums {
		sums[i], times[i] = new(big.Int), big.NewInt(1)
	}
	for _, f := range r.Factors {
		for i, x := range s.whole(t, f.Mask) {
			switch {
			case f.Part.IsPhase():
				sums[i] = mod(sums[i].Add(sums[i], f.phase128(x)), 128)
			case f.Part == Sign:
				times[i].Mul(times[i], big.NewInt(1-2*x.Int64()))
			default:
				times[i].Mul(times[i], f.part(x))
			}
		}
	}
	return sums, times
}

// fraction is x/2^128.
func fraction(x *big.Int) float64 {
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(x), -128).Float64()
	return f
}

// checkWaves compares with cosines and sines in float64, to half a unit of the dealt values.
func (s *session) checkWaves(t testing.TB, r *Request) {
	t.Helper()
	sum := s.taken(t, r)
	sums, times := s.phases(t, r)
	n, block := len(sums), 0
	check := func(i int, want, tolerance float64) {
		t.Helper()
		got, _ := new(big.Float).SetInt(sum.Int(block*n + i)).Float64()
		if math.Abs(got-want) > tolerance {
			t.Fatalf("%v of %v in %v among %d: block %d, element %d adds up to %v, want %v", r.Kind, describe(r), r.Out, s.n, block, i, got, want)
		}
	}
	if r.phases() < len(r.Factors) && r.First == 0 {
		for i, x := range times {
			check(i, float64(x.Int64()), 0)
		}
		block++
	}
	for _, f := range []func(float64) float64{math.Cos, math.Sin} {
		for j := max(1, r.First); j < max(1, r.First)+r.Harmonics; j++ {
			for i, x := range sums {
				a := 2 * math.Pi * fraction(mod(new(big.Int).Mul(x, big.NewInt(int64(j))), 128))
				check(i, math.Ldexp(f(a), r.Scale)*float64(times[i].Int64()), 0.55)
			}
			block++
		}
	}
	if block*n != r.N {
		t.Fatalf("%d blocks of %d in %d elements", block, n, r.N)
	}
}

// checkExponential undoes the rotation, and compares with the mantissa (to one unit) times the
// other factors, exactly.
func (s *session) checkExponential(t testing.TB, r *Request) {
	t.Helper()
	sum, q := s.taken(t, r), r.Out.Bits
	sums, times := s.phases(t, r)
	m := new(big.Int).Sub(pow2(q), big.NewInt(1))
	for i, x := range sums {
		e := new(big.Int).Mul(x, big.NewInt(int64(q)))
		whole := int(new(big.Int).Rsh(e, 128).Int64())
		mantissa := math.Ldexp(math.Exp2(1-fraction(mod(e, 128))), r.Scale)
		rotation := ((r.Off-1-whole)%q + q) % q
		got := new(big.Int).Mul(sum.Int(i), pow2(q-rotation))
		got.Mod(got, m)
		near := false
		for d := int64(-1); d <= 1; d++ {
			want := new(big.Int).Mul(big.NewInt(int64(math.RoundToEven(mantissa))+d), times[i])
			near = near || got.Cmp(want.Mod(want, m)) == 0
		}
		if !near {
			t.Fatalf("%v of %v in %v among %d: element %d adds up to %x times 2^%d, want %v times %v", r.Kind, describe(r), r.Out, s.n, i, got, rotation, mantissa, times[i])
		}
	}
}

// phaseFactors are phases of masks of all kinds and widths, single and in sums.
func (s *session) phaseFactors(n int) [][]Factor {
	wide := Multiplier{0x9e3779b97f4a7c15, 0xf39cc0605cedc835}
	var out [][]Factor
	for _, k := range []int{27, 32, 64, 96, 128} {
		x, y := NewFresh(s.id(), ring.Z(k), n), NewOwned(s.id(), ring.Z(k), n, s.n)
		sum := NewDerived(s.id(), ring.Z(k), maps.Combine{N: n, Coef: []int64{3, -1}}, x, y)
		for _, c := range []Multiplier{{1}, {12345678901}, {0, 1 << 62}, wide} {
			for _, part := range []Part{Phase, LongPhase, LongPhaseWrap} {
				out = append(out, []Factor{{Mask: x, Part: part, C: c}})
			}
			out = append(out, []Factor{{Mask: sum, Part: Phase, C: c}, {Mask: y, Part: Phase, C: wide}})
		}
	}
	return out
}

func TestWaves(t *testing.T) {
	const size = 7
	for _, n := range partyCounts {
		s := newSession(n, 40)
		var rs []*Request
		a, b := NewFreshBits(s.id(), size, 1), NewFreshBits(s.id(), size, 1)
		x := NewFresh(s.id(), ring.Z(64), size)
		others := [][]Factor{nil, {{Mask: a}}, {{Mask: a, Part: Sign}}, {{Mask: a}, {Mask: b, Part: Sign}}, {{Mask: x, Part: Bit, Width: 63}}}
		for i, fs := range s.phaseFactors(size) {
			for _, out := range []struct{ bits, scale int }{{104, 31}, {184, 44}, {33, 30}, {23, 21}} {
				times, harmonics := others[len(rs)%len(others)], []int{1, 2, 5}[i%3]
				first := []int{0, 1, 7}[len(rs)%3]
				rs = append(rs, &Request{ID: ID(s.id()), Kind: Waves, Factors: append(fs[:len(fs):len(fs)], times...), Out: ring.Z(out.bits),
					N: size * WaveBlocks(harmonics, times != nil && first == 0), First: first, Harmonics: harmonics, Scale: out.scale})
			}
		}
		s.deal(t, rs...)
		for _, r := range rs {
			s.checkWaves(t, r)
		}
	}
}

func TestExponentials(t *testing.T) {
	const size = 7
	for _, n := range partyCounts {
		s := newSession(n, 41)
		var rs []*Request
		bit := NewFreshBits(s.id(), size, 1)
		x := NewFresh(s.id(), ring.Z(64), size)
		others := [][]Factor{
			nil, {{Mask: bit}}, {{Mask: bit, Part: Sign}}, {{Mask: x, Part: LowBits, Width: 64}},
			{{Mask: x, Part: Bit, Width: 63}, {Mask: bit, Part: Sign}},
		}
		for _, fs := range s.phaseFactors(size) {
			for _, out := range []struct{ q, scale, off int }{{128, 30, 21}, {136, 30, 0}, {240, 34, 61}} {
				times := others[len(rs)%len(others)]
				rs = append(rs, &Request{ID: ID(s.id()), Kind: Exponential, Factors: append(fs[:len(fs):len(fs)], times...), Out: ring.M(out.q),
					N: size, Scale: out.scale, Off: out.off})
			}
		}
		s.deal(t, rs...)
		for _, r := range rs {
			s.checkExponential(t, r)
		}
	}
}

// Shape-only results have the right lengths and rings, and recorded requests count their elements'
// bits.
func TestPhasesAreRecorded(t *testing.T) {
	x, bit := NewFresh(1, ring.Z(64), 5), NewFreshBits(2, 5, 1)
	theta := Factor{Mask: x, Part: Phase, C: Multiplier{77}}
	rec := &Recorder{}
	for i, r := range []*Request{
		{Kind: Waves, Factors: []Factor{theta}, Out: ring.Z(104), N: 30, Harmonics: 3, Scale: 31},
		{Kind: Waves, Factors: []Factor{theta, {Mask: bit}}, Out: ring.Z(104), N: 35, Harmonics: 3, Scale: 31},
		{Kind: Exponential, Factors: []Factor{theta}, Out: ring.M(136), N: 5, Scale: 30, Off: 21},
	} {
		r.ID = ID(10 + i)
		m, err := rec.Take(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Vec.ShapeOnly() || m.Vec.Len() != r.N || m.Vec.Ring() != r.Out {
			t.Errorf("%v: %d elements of %v are recorded, want %d of %v", r.Kind, m.Vec.Len(), m.Vec.Ring(), r.N, r.Out)
		}
		if want := int64(r.N) * int64(r.Out.Bits) / 8; r.Bytes() != want {
			t.Errorf("%v: %d bytes, want %d", r.Kind, r.Bytes(), want)
		}
	}
	if got := rec.Manifest().Bytes(); got != (30+35)*13+5*17 {
		t.Errorf("%d bytes are recorded", got)
	}
}
