package correlation

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// evaluator computes the values of masks and requests. A mask is computed at its first use and
// dropped after its last.
type evaluator struct {
	d     *Local
	state map[*Mask]*maskState
	first uint32 // number of the first operation instance with a request
}

type maskState struct {
	readers atomic.Int32 // requests and derived masks that have yet to use it
	counted bool         // the masks that it is made of are counted
	mu      sync.Mutex
	done    bool
	kept    bool // vec belongs to Local.Kept
	vec     ring.Vec
	bits    []ring.Bits
}

// free gives back the value's memory, which nothing reads any more.
func (s *maskState) free() {
	if !s.kept {
		s.vec.Free()
	}
	ring.FreePlanes(s.bits)
	s.vec, s.bits = ring.Vec{}, nil
}

func newEvaluator(d *Local, f *Manifest) (*evaluator, error) {
	e := &evaluator{d: d, state: map[*Mask]*maskState{}, first: math.MaxUint32}
	for _, r := range f.Requests {
		e.first = min(e.first, r.ID.Op())
		err := r.check()
		for i := 0; i < len(r.Factors) && err == nil; i++ {
			err = e.count(r.Factors[i].Mask)
		}
		if err != nil {
			return nil, malformed(r, err)
		}
	}
	return e, nil
}

// count adds a reader to m and, the first time, to the masks that it is made of.
func (e *evaluator) count(m *Mask) error {
	s := e.state[m]
	if s == nil {
		s = &maskState{}
		e.state[m] = s
		if err := m.check(len(e.d.prgs)); err != nil {
			return err
		}
		for _, o := range m.Of {
			if err := e.count(o); err != nil {
				return err
			}
		}
		s.counted = true
	}
	if !s.counted {
		return fmt.Errorf("mask %v is derived from itself", m.ID)
	}
	s.readers.Add(1)
	return nil
}

// releaseFactors removes the request from the readers of its masks.
func (e *evaluator) releaseFactors(r *Request) {
	for _, x := range r.Factors {
		e.release(x.Mask)
	}
}

func (e *evaluator) release(m *Mask) {
	s := e.state[m]
	if s.readers.Add(-1) > 0 {
		return
	}
	s.mu.Lock()
	computed := s.done
	s.free()
	s.mu.Unlock()
	if !computed {
		for _, o := range m.Of { // it was never computed
			e.release(o)
		}
	}
}

// maskValue is the value of a ring mask. Callers must not write to it.
func (e *evaluator) maskValue(m *Mask) ring.Vec {
	s := e.state[m]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return s.vec
	}
	switch m.Kind {
	case Owned:
		if e.d.Kept != nil && m.ID.Op() < e.first {
			s.vec, s.kept = e.d.Kept.value(m, e.d.prgs[m.Owner]), true
		} else {
			s.vec = m.seeded(e.d.prgs[m.Owner])
		}
	case Fresh:
		s.vec = m.sum(e.d.prgs[:e.d.n])
	case Zero:
		s.vec = ring.New(m.Ring, m.N)
	case Derived:
		s.vec = e.apply(m, e.maskValue)
		for _, o := range m.Of {
			e.release(o)
		}
	case Upper:
		s.vec = m.upperOf(e.d.prgs[0])
		for _, p := range e.d.prgs[1:e.d.n] {
			v := m.upperOf(p)
			ring.Add(s.vec, s.vec, v)
			v.Free()
		}
		e.release(m.Of[0])
	case Shuffled:
		v := e.maskValue(m.Of[0])
		for i, p := range e.d.prgs[:e.d.n] {
			next := m.shuffledBy(p, v)
			if i > 0 {
				v.Free()
			}
			v = next
		}
		s.vec = v
		e.release(m.Of[0])
	default:
		panic("mask of bits used as a vector")
	}
	s.done = true
	return s.vec
}

// bits is the value of a mask of bits, plane by plane.
func (e *evaluator) bits(m *Mask) []ring.Bits {
	s := e.state[m]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return s.bits
	}
	if m.Kind != FreshBits {
		panic("ring mask used as bits")
	}
	s.bits = m.seededBits(e.d.prgs[0])
	for _, p := range e.d.prgs[1:e.d.n] {
		p.XorPlanes(s.bits, uint64(m.ID), laneMask)
	}
	s.done = true
	return s.bits
}

// apply computes a derived mask from its operands' values.
func (e *evaluator) apply(m *Mask, of func(*Mask) ring.Vec) ring.Vec {
	src := make([]ring.Vec, len(m.Of))
	for i, o := range m.Of {
		src[i] = of(o)
		if src[i].Ring() != m.Ring {
			low := ring.NewUninitialised(m.Ring, src[i].Len())
			ring.Low(low, src[i])
			src[i] = low
			defer low.Free()
		}
	}
	out := ring.NewUninitialised(m.Ring, m.N)
	m.Map.Apply(out, src...)
	return out
}

// share is computing party i's share of a ring mask, which the caller frees. A mask that several others are derived from is
// computed once.
func (e *evaluator) share(m *Mask, i int) ring.Vec {
	known := map[*Mask]ring.Vec{}
	var of func(m *Mask) ring.Vec
	of = func(m *Mask) ring.Vec {
		v, ok := known[m]
		switch {
		case ok:
			return v
		case m.Kind == Derived:
			v = e.apply(m, of)
		case m.Kind == Upper:
			v = m.upperOf(e.d.prgs[i])
		case m.Kind == Owned && m.Owner >= e.d.n:
			panic("shares of a mask whose owner does not compute")
		case m.Kind == Shuffled:
			panic("shares of a mask that was shuffled")
		case m.Kind == Zero || m.Kind == Owned && m.Owner != i:
			v = ring.New(m.Ring, m.N)
		default:
			v = m.seeded(e.d.prgs[i])
		}
		known[m] = v
		return v
	}
	out := of(m)
	for o, v := range known {
		if o != m {
			v.Free()
		}
	}
	return out
}

// dealt is a dealt value: bits, or over the request's Shares, laid out or as what
// sets a vector to its elements from a place on.
type dealt struct {
	vec  ring.Vec
	bits []ring.Bits
	fill func(dst ring.Vec, lo int)
}

// value computes what a request asks for; the caller owns it.
func (e *evaluator) value(r *Request) dealt {
	switch r.Kind {
	case BitProduct:
		return dealt{bits: e.bitProducts(r)}
	case Thermometer:
		return dealt{bits: e.thermometers(r)}
	case Product:
		k := r.Shares()
		out := e.factor(r.Factors[0], k)
		for _, f := range r.Factors[1:] {
			v, own := e.operand(f, k)
			ring.Mul(out, out, v)
			if own {
				v.Free()
			}
		}
		return dealt{vec: r.shifted(out)}
	case Lift:
		return dealt{vec: e.lift(r)}
	case Bilinear:
		k := r.Shares()
		out := ring.NewUninitialised(k, r.N)
		if i := r.Streamed(); i >= 0 {
			v, own := e.operand(r.Factors[1-i], k)
			of, m := e.stream(r.Factors[i].Mask), r.B.(maps.MatMul)
			if i == 0 {
				ring.MatMulStreamLeft(out, of, v, m.M, m.K, m.N)
			} else {
				ring.MatMulStream(out, v, of, m.M, m.K, m.N)
			}
			if own {
				v.Free()
			}
			return dealt{vec: r.shifted(out)}
		}
		a, aOwn := e.operand(r.Factors[0], k)
		b, bOwn := e.operand(r.Factors[1], k)
		if len(r.Factors) == 3 {
			if !bOwn {
				b, bOwn = b.Clone(), true
			}
			c, own := e.operand(r.Factors[2], k)
			ring.Mul(b, b, c)
			if own {
				c.Free()
			}
		}
		r.B.Apply(out, a, b)
		if bOwn {
			b.Free()
		}
		if aOwn {
			a.Free()
		}
		return dealt{vec: r.shifted(out)}
	case WrapTable:
		return dealt{vec: e.wrapTable(r)}
	case Waves:
		return dealt{fill: e.waves(r)}
	case Exponential:
		return dealt{vec: e.exponential(r)}
	case OneHot:
		return dealt{vec: e.oneHot(r)}
	case Rotated:
		return dealt{vec: e.rotated(r)}
	case Placed:
		return dealt{vec: e.placed(r)}
	}
	panic(fmt.Sprintf("kind %d", r.Kind))
}

// shifted makes a value of factors that were divided by their powers of two one
// divided by 2^Shift.
func (r *Request) shifted(v ring.Vec) ring.Vec {
	by := -r.Shift()
	for _, f := range r.Factors {
		by += f.Zeros()
	}
	if by > 0 {
		ring.Lsh(v, v, by)
	}
	return v
}

func (e *evaluator) bitFactor(f Factor) ring.Bits {
	if f.Part == Bit {
		return ring.Bit(e.maskValue(f.Mask), f.Width)
	}
	return e.bits(f.Mask)[f.Width]
}

// factor is a factor's value in ring r, divided by 2^Zeros, in a vector of its
// own.
func (e *evaluator) factor(f Factor, r ring.Ring) ring.Vec {
	if r.Cyclic && !f.IsBit() && f.Part != Sign {
		return embed(e.maskValue(f.Mask), r, f)
	}
	out := ring.NewUninitialised(r, f.Mask.N)
	if f.IsBit() {
		ring.FromBits(out, e.bitFactor(f))
		return out
	}
	if f.Part == Sign {
		ring.FromBits(out, e.bits(f.Mask)[f.Width])
		ring.Scale(out, out, -2)
		ring.AddInt(out, out, 1)
		return out
	}
	v := e.maskValue(f.Mask)
	switch f.Part {
	case Whole:
		ring.Low(out, v)
	case LowBits, Shifted:
		low := ring.NewUninitialised(ring.Z(f.Width), f.Mask.N)
		ring.Low(low, v)
		ring.Rsh(out, low, f.Shift)
		low.Free()
	case Wrap, WrapShifted:
		ring.FromBits(out, ring.Bit(v, f.Width-1))
	default:
		panic(fmt.Sprintf("part %d", f.Part))
	}
	return out
}

// operand is a factor's value in ring r, which the caller must not change. own reports whether the caller frees it:
// a whole mask in its own ring is not copied.
func (e *evaluator) operand(f Factor, r ring.Ring) (v ring.Vec, own bool) {
	if f.Part == Whole && !f.IsBit() && !r.Cyclic {
		if v := e.maskValue(f.Mask); v.Ring() == r {
			return v, false
		}
	}
	return e.factor(f, r), true
}

// stream is the value of an owner's mask, expanded where it is read.
func (e *evaluator) stream(m *Mask) ring.Stream {
	return e.d.prgs[m.Owner].Stream(m.Ring, m.N, uint64(m.ID), laneMask)
}

// embed puts a mask's low bits, as integers, into a cyclic ring.
func embed(v ring.Vec, r ring.Ring, f Factor) ring.Vec {
	if f.Part != LowBits || f.Width >= r.Bits {
		panic(fmt.Sprintf("part %d of %d bits in %v", f.Part, f.Width, r))
	}
	out := ring.New(r, v.Len())
	low := ring.NewUninitialised(ring.Z(f.Width), v.Len())
	ring.Low(low, v)
	k, kl := out.Ring().Words(), low.Ring().Words()
	for i := range v.Len() {
		copy(out.Words()[i*k:(i+1)*k], low.Words()[i*kl:(i+1)*kl])
	}
	low.Free()
	return out
}

// thermometers packs [v < l] for every element and v, digit by digit.
func (e *evaluator) thermometers(r *Request) []ring.Bits {
	out, pos := ring.NewUninitialisedPlanes(r.lengths()...), r.Pos
	mask := e.maskValue(r.Factors[0].Mask)
	for i, d := range r.Digits {
		ring.ThermometerTables(out[i], mask, pos, d)
		pos += d
	}
	return out
}

// wrapTable is block j of ⌊(j + n − 1 − R)/M⌋, R the sum of all parties' r.
func (e *evaluator) wrapTable(r *Request) ring.Vec {
	m := r.Factors[0].Mask
	t := m.Ring.Bits
	sum := make([]int64, m.N)
	for i := range e.d.n {
		v := e.share(m, i)
		for j, x := range v.Words() {
			sum[j] += int64(x)
		}
		v.Free()
	}
	ints := make([]int64, 0, r.N)
	for j := range 1<<t - 1 {
		for _, s := range sum {
			ints = append(ints, (int64(j+e.d.n-1)-s)>>t) // floor
		}
	}
	return ring.FromInts(r.Out, ints)
}
