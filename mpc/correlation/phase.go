package correlation

import (
	"sync"

	"github.com/tacet-mpc/tacet/mpc/fixed"
	"github.com/tacet-mpc/tacet/ring"
)

// phaseSums is the sum of a request's phases, for each element.
func (e *evaluator) phaseSums(r *Request) []fixed.Phase {
	p := r.phases()
	out := make([]fixed.Phase, r.Factors[0].Mask.N)
	for _, f := range r.Factors[:p] {
		v := e.maskValue(f.Mask)
		w, k, bits := v.Words(), v.Ring().Words(), v.Ring().Bits
		ring.Parallel(len(out), 1<<12, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				out[i] = out[i].Plus(phaseOf(f, w[i*k:(i+1)*k], bits))
			}
		})
	}
	return out
}

// phaseOf is one element's phase.
func phaseOf(f Factor, v []uint64, bits int) fixed.Phase {
	switch f.Part {
	case LongPhase:
		return fixed.PhaseOf(v, f.C, 128)
	case LongPhaseWrap:
		var wrapped [2]uint64 // λ − 2^k·top mod 2^128
		copy(wrapped[:], v)
		top := -(v[(bits-1)/64] >> ((bits - 1) % 64) & 1)
		for j := range wrapped {
			if low := bits - 64*j; low < 64 {
				wrapped[j] |= top << max(low, 0)
			}
		}
		return fixed.PhaseOf(wrapped[:], f.C, 128)
	}
	return fixed.PhaseOf(v, f.C, bits)
}

// waves computes cosines and sines of the phases' multiples, times the other factors, which are 0,
// 1 and −1. It returns a function that sets dst to the elements from lo on.
func (e *evaluator) waves(r *Request) func(dst ring.Vec, lo int) {
	sums := e.phaseSums(r)
	n := len(sums)
	phases, by := make([]uint64, n), make([]int64, n) // the other factors' product
	for i, t := range sums {
		phases[i], by[i] = t.Hi, 1
	}
	times := r.Factors[r.phases():]
	for _, f := range times {
		b := e.bitOf(f)
		for i := range by {
			x := int64(b.Get(i))
			if f.Part == Sign {
				x = 1 - 2*x
			}
			by[i] *= x
		}
	}
	first, below := min(len(times), 1), 0 // below is the number of harmonics that are not asked for
	if r.First > 0 {
		first, below = 0, r.First-1
	}
	rounded := fixed.NewWave(1<<50, 0, 49-r.Scale)
	return func(dst ring.Vec, lo int) {
		room := waveRooms.Get().(*[2][blockLength]int64)
		defer waveRooms.Put(room)
		cos, sin := room[0][:dst.Len()], room[1][:dst.Len()]
		for at := 0; at < dst.Len(); {
			block, i := (lo+at)/n, (lo+at)%n
			m := min(n-i, dst.Len()-at)
			c, s := cos[:m], sin[:m]
			switch harmonic := block - first; {
			case harmonic < 0:
				copy(c, by[i:])
			case harmonic < r.Harmonics:
				rounded.At(uint64(below+harmonic+1), phases[i:i+m], c, s)
			default:
				rounded.At(uint64(below+harmonic-r.Harmonics+1), phases[i:i+m], s, c)
			}
			if len(times) > 0 && block >= first {
				for j, x := range by[i : i+m] {
					c[j] *= x
				}
			}
			ring.SetInts(dst.Slice(at, at+m), c)
			at += m
		}
	}
}

// waveRooms are buffers for a block of cosines and sines.
var waveRooms = sync.Pool{New: func() any { return new([2][blockLength]int64) }}

// bitOf is the vector of bits of a factor that is a bit, or the sign of one.
func (e *evaluator) bitOf(f Factor) ring.Bits {
	if f.Part == Sign {
		return e.bits(f.Mask)[f.Width]
	}
	return e.bitFactor(f)
}

// exponential is 2^(Off−e), as a mantissa and a rotation, times the other factors.
func (e *evaluator) exponential(r *Request) ring.Vec {
	sums := e.phaseSums(r)
	q := uint64(r.Out.Bits)
	mantissa, rot := make([]uint64, len(sums)), make([]uint16, len(sums))
	down := 62 - r.Scale
	half := uint64(1) << down >> 1
	for i, t := range sums {
		whole, frac := t.Split(q)
		mantissa[i] = (fixed.Exp2(^frac) + half) >> down
		e := uint64(r.Off) + q - 1 - whole // below 2q; no division, because its time would depend on a mask
		rot[i] = uint16(e - q&^-((e-q)>>63))
	}
	out := ring.Powers(r.Out, mantissa, rot)
	for _, f := range r.Factors[r.phases():] {
		v := e.factor(f, r.Out)
		ring.Mul(out, out, v)
		v.Free()
	}
	return out
}
