// Package plain computes in the clear what the other protocols compute on shares: in the same rings and fixed
// point, with truncations to the nearest integer. It is the reference that tests compare protocols with, and
// `--protocol plain` on the command line. One party holds all values; nothing is sent and nothing is secret.
package plain

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Party implements mpc.Protocol for the only party of a session, which holds all values in cleartext.
type Party struct {
	// Note, if not nil, is called for operations with elements for which other protocols would return wrong or
	// saturated results. where is the operation's place in the program; what describes the elements.
	Note func(where, what string)
}

// value is a vector in the clear.
type value struct {
	ring  ring.Ring
	n     int
	bound int
	v     *flow.Future[ring.Vec]
}

func (x *value) Len() int        { return x.n }
func (x *value) Ring() ring.Ring { return x.ring }
func (x *value) Bound() int      { return x.bound }

// Opened is always false, so that callers truncate values as they would truncate additive shares.
func (x *value) Opened() bool { return false }

func of(x mpc.Secret) *value { return x.(*value) }

// apply adds a step that computes a vector of n elements over r from others.
func apply(op *flow.Op, r ring.Ring, n, bound int, f func(dst ring.Vec, src []ring.Vec), xs ...*value) *value {
	deps := make([]flow.Dep, len(xs))
	for i, x := range xs {
		deps[i] = x.v
	}
	out := &value{ring: r, n: n, bound: min(bound, r.Bits-2)}
	out.v = flow.Do(op, int64(n)*int64(r.Words())*8, func() ring.Vec {
		src := make([]ring.Vec, len(xs))
		like := ring.New(r, 0)
		if op.Graph.DryRun() {
			like = ring.ShapeOnly(r, 0)
		}
		for i, x := range xs {
			src[i] = x.v.Get()
		}
		dst := like.Like(r, n)
		if !dst.ShapeOnly() || n == 0 {
			f(dst, src)
		}
		return dst
	}, deps...)
	return out
}

// Clear returns the future of the value's elements.
func (x *value) Clear() *flow.Future[ring.Vec] { return x.v }

// Input implements mpc.Core: it returns the vector as it is.
func (Party) Input(op *flow.Op, _ int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	return apply(op, r, n, bound, func(dst ring.Vec, _ []ring.Vec) { ring.Low(dst, words()) })
}

// Public implements mpc.Core: it returns the vector as it is.
func (Party) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	return &value{ring: words.Ring(), n: words.Len(), bound: bound, v: flow.Resolved(words)}
}

// FromShare implements mpc.Core: it returns v as the value itself.
func (p Party) FromShare(v ring.Vec, bound int) mpc.Secret {
	return &value{ring: v.Ring(), n: v.Len(), bound: bound, v: flow.Resolved(v)}
}

// AddLocal implements mpc.Additions: it adds the vector.
func (Party) AddLocal(op *flow.Op, x mpc.Secret, _ int, words func() ring.Vec) mpc.Secret {
	return apply(op, x.Ring(), x.Len(), x.Ring().Bits-1, func(dst ring.Vec, src []ring.Vec) { ring.Add(dst, src[0], words()) }, of(x))
}

// AddPublic implements mpc.Additions: it adds the vector.
func (Party) AddPublic(op *flow.Op, x mpc.Secret, words ring.Vec, bound int) mpc.Secret {
	return apply(op, x.Ring(), x.Len(), max(x.Bound(), bound)+1, func(dst ring.Vec, src []ring.Vec) { ring.Add(dst, src[0], words) }, of(x))
}

// Linear implements mpc.Core: it applies the map.
func (Party) Linear(op *flow.Op, m maps.Linear, xs ...mpc.Secret) mpc.Secret {
	bound := 0
	var in []*value
	for _, x := range xs {
		bound = max(bound, x.Bound())
		in = append(in, of(x))
	}
	return apply(op, xs[0].Ring(), m.Out(), bound+m.Growth(), func(dst ring.Vec, src []ring.Vec) { m.Apply(dst, src...) }, in...)
}

// Product implements mpc.Core: it applies the map in ring out, exactly.
func (Party) Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y mpc.Secret, _ int) mpc.Secret {
	return apply(op, out, b.Out(), out.Bits, func(dst ring.Vec, src []ring.Vec) {
		b.Apply(dst, wide(src[0], out), wide(src[1], out))
	}, of(x), of(y))
}

// wide sign-extends signed numbers into ring r.
func wide(v ring.Vec, r ring.Ring) ring.Vec {
	if v.Ring() == r {
		return v
	}
	out := ring.New(r, v.Len())
	ring.SignExtend(out, v)
	return out
}

// Truncate implements mpc.Core: it divides by 2^by and rounds to the nearest integer, halves up.
func (Party) Truncate(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	return apply(op, x.Ring(), x.Len(), mpc.RoundedBound(x.Bound(), by, 1), func(dst ring.Vec, src []ring.Vec) {
		ring.AddPow(dst, src[0], by-1, false)
		ring.Arsh(dst, dst, by)
	}, of(x))
}

// TruncateReduce implements mpc.Reductions: it is Truncate with the result in a ring with by bits fewer.
func (Party) TruncateReduce(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	r := ring.Z(x.Ring().Bits - by)
	return apply(op, r, x.Len(), mpc.RoundedBound(x.Bound(), by, 1), func(dst ring.Vec, src []ring.Vec) {
		sum := ring.New(x.Ring(), x.Len())
		ring.AddPow(sum, src[0], by-1, false)
		ring.Rsh(dst, sum, by)
	}, of(x))
}

// Relu implements mpc.Rectifiers: it returns max(x, 0).
func (Party) Relu(op *flow.Op, out ring.Ring, x mpc.Secret) mpc.Secret {
	return apply(op, out, x.Len(), x.Bound(), func(dst ring.Vec, src []ring.Vec) {
		v := wide(src[0], out)
		keep := ring.Bit(v, out.Bits-1)
		ring.Not(keep, keep)
		ring.FromBits(dst, keep)
		ring.Mul(dst, dst, v)
	}, of(x))
}

// Clamp implements mpc.Rectifiers: it returns min(max(x, low), high).
func (Party) Clamp(op *flow.Op, out ring.Ring, x mpc.Secret, low, high int64) mpc.Secret {
	return apply(op, out, x.Len(), x.Bound(), func(dst ring.Vec, src []ring.Vec) {
		v := wide(src[0], out)
		for i, c := range []int64{low, high} {
			end, less := ring.New(out, v.Len()), ring.New(out, v.Len())
			ring.AddInt(end, end, c)
			ring.Sub(less, v, end)
			below := ring.Bit(less, out.Bits-1)
			if i == 0 {
				ring.Choose(dst, end, v, below)
			} else {
				ring.Choose(dst, v, end, below)
			}
			v = dst
		}
	}, of(x))
}

// Max implements mpc.Rectifiers: it returns the elementwise maximum.
func (p Party) Max(op *flow.Op, out ring.Ring, xs ...mpc.Secret) mpc.Secret {
	bound := 0
	var in []*value
	for _, x := range xs {
		bound = max(bound, x.Bound())
		in = append(in, of(x))
	}
	return apply(op, out, xs[0].Len(), bound, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, wide(src[0], out))
		diff, keep := ring.New(out, dst.Len()), ring.New(out, dst.Len())
		for _, s := range src[1:] {
			ring.Sub(diff, wide(s, out), dst)
			more := ring.Bit(diff, out.Bits-1)
			ring.Not(more, more)
			ring.FromBits(keep, more)
			ring.MulAdd(dst, keep, diff)
		}
	}, in...)
}

// RevealToComputing implements mpc.Core: it returns x, which the only party knows.
func (Party) RevealToComputing(_ *flow.Op, x mpc.Secret) mpc.Secret { return x }

// RevealTo implements mpc.Core: it returns the vector.
func (Party) RevealTo(_ *flow.Op, x mpc.Secret, _ int) *flow.Future[ring.Vec] { return of(x).v }

// InputLate implements mpc.Core: it returns the vector as it is.
func (Party) InputLate(_ *flow.Op, _ int, r ring.Ring, n, bound int, words *flow.Future[ring.Vec]) mpc.Secret {
	return &value{ring: r, n: n, bound: min(bound, r.Bits-2), v: words}
}

// AdditiveShare implements mpc.Core: it returns the vector itself.
func (Party) AdditiveShare(_ *flow.Op, x mpc.Secret) *flow.Future[ring.Vec] { return of(x).v }

// Unopened implements mpc.Openings: it returns x, because no value is masked.
func (Party) Unopened(_ *flow.Op, x mpc.Secret) mpc.Secret { return x }

// Finalize implements mpc.Openings. It does nothing, because no work is deferred.
func (Party) Finalize(*flow.Op, mpc.Secret) {}

// Reveal implements mpc.Core: it returns the vector.
func (Party) Reveal(_ *flow.Op, x mpc.Secret, _ []int) *flow.Future[ring.Vec] {
	return flow.Resolved(of(x).v.Get())
}
