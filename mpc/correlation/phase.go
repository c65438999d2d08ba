package correlation

import (
	"github.com/tacet-mpc/tacet/mpc/fixed"
	"github.com/tacet-mpc/tacet/ring"
)

// turns is the sum of a request's phases, for each element.
func (e *evaluator) turns(r *Request) []fixed.Turn {
	p := r.phases()
	out := make([]fixed.Turn, r.Factors[0].Mask.N)
	for _, f := range r.Factors[:p] {
		v := e.whole(f.Mask)
		w, k, bits := v.Words(), v.Ring().Words(), v.Ring().Bits
		ring.Parallel(len(out), 1<<12, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				out[i] = out[i].Plus(turn(f, w[i*k:(i+1)*k], bits))
			}
		})
	}
	return out
}

// turn is one element's phase.
func turn(f Factor, v []uint64, bits int) fixed.Turn {
	switch f.Part {
	case LongPhase:
		return fixed.TurnOf(v, f.C, 128)
	case LongPhaseWrap:
		var wrapped [2]uint64 // λ − 2^k·top mod 2^128
		copy(wrapped[:], v)
		top := -(v[(bits-1)/64] >> ((bits - 1) % 64) & 1)
		for j := range wrapped {
			if low := bits - 64*j; low < 64 {
				wrapped[j] |= top << max(low, 0)
			}
		}
		return fixed.TurnOf(wrapped[:], f.C, 128)
	}
	return fixed.TurnOf(v, f.C, bits)
}

// waves are cosines and sines of the phases' multiples, times the other
// factors, which are 0, 1 and −1: a function that sets a vector to the elements from
// a place on.
func (e *evaluator) waves(r *Request) func(dst ring.Vec, lo int) {
	turns := e.turns(r)
	n := len(turns)
	phases, by := make([]uint64, n), make([]int64, n) // the other factors' product
	for i, t := range turns {
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
	first := min(len(times), 1)
	rounded := fixed.NewWave(1<<50, 0, 49-r.Scale)
	return func(dst ring.Vec, lo int) {
		cos, sin := make([]int64, dst.Len()), make([]int64, dst.Len())
		for at := 0; at < dst.Len(); {
			block, i := (lo+at)/n, (lo+at)%n
			m := min(n-i, dst.Len()-at)
			c, s := cos[:m], sin[:m]
			switch harmonic := block - first; {
			case harmonic < 0:
				copy(c, by[i:])
			case harmonic < r.Harmonics:
				rounded.At(uint64(harmonic+1), phases[i:i+m], c, s)
			default:
				rounded.At(uint64(harmonic-r.Harmonics+1), phases[i:i+m], s, c)
			}
			if len(times) > 0 && block > 0 {
				for j, x := range by[i : i+m] {
					c[j] *= x
				}
			}
			ring.SetInts(dst.Slice(at, at+m), c)
			at += m
		}
	}
}

// bitOf are the bits of a factor that is a bit or its sign.
func (e *evaluator) bitOf(f Factor) ring.Bits {
	if f.Part == Sign {
		return e.bits(f.Mask)[f.Width]
	}
	return e.bitFactor(f)
}

// exponential is 2^(Off−e), mantissa and rotation, times the other factors.
func (e *evaluator) exponential(r *Request) ring.Vec {
	turns := e.turns(r)
	q := uint64(r.Out.Bits)
	mantissa, rot := make([]uint64, len(turns)), make([]uint16, len(turns))
	down := 62 - r.Scale
	half := uint64(1) << down >> 1
	for i, t := range turns {
		whole, frac := t.Split(q)
		mantissa[i] = (fixed.Exp2(^frac) + half) >> down
		e := uint64(r.Off) + q - 1 - whole // below 2q; whole is a mask's: no division
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
