// Package plain computes in clear what protocols compute on shares: the same
// rings, the same fixed point, the same truncations (to nearest). It is the
// oracle for the protocols, and `--protocol plain` on the command line. One
// party holds everything; nothing is sent and nothing is secret.
package plain

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Party is the only party. Note, if not nil, is told of elements for which
// protocols would give wrong or saturated results.
type Party struct {
	Note func(where, what string)
}

// value is a vector in clear.
type value struct {
	ring  ring.Ring
	n     int
	bound int
	v     *flow.Of[ring.Vec]
}

func (x *value) Len() int        { return x.n }
func (x *value) Ring() ring.Ring { return x.ring }
func (x *value) Bound() int      { return x.bound }

// Opened is always false: a value that is not open is truncated and dropped
// as it would be on shares.
func (x *value) Opened() bool { return false }

// Name is "plain".
func (Party) Name() string { return "plain" }

func of(x mpc.Secret) *value { return x.(*value) }

// apply is a step that computes a vector from others.
func apply(op *flow.Op, r ring.Ring, n, bound int, f func(dst ring.Vec, src []ring.Vec), xs ...*value) *value {
	deps := make([]flow.Dep, len(xs))
	for i, x := range xs {
		deps[i] = x.v
	}
	out := &value{ring: r, n: n, bound: min(bound, r.Bits-2)}
	out.v = flow.Do(op, int64(n)*int64(r.Words())*8, func() ring.Vec {
		src := make([]ring.Vec, len(xs))
		like := ring.New(r, 0)
		if op.Graph.Weightless() {
			like = ring.Weightless(r, 0)
		}
		for i, x := range xs {
			src[i] = x.v.Get()
		}
		dst := like.Like(r, n)
		if !dst.Weightless() || n == 0 {
			f(dst, src)
		}
		return dst
	}, deps...)
	return out
}

// Clear is the promise of what a value of this protocol is.
func Clear(x mpc.Secret) *flow.Of[ring.Vec] { return of(x).v }

// Input takes the vector as it is.
func (Party) Input(op *flow.Op, _ int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	return apply(op, r, n, bound, func(dst ring.Vec, _ []ring.Vec) { ring.Low(dst, words()) })
}

// Public takes the vector as it is.
func (Party) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	return &value{ring: words.Ring(), n: words.Len(), bound: bound, v: flow.Known(words)}
}

// Held takes the vector as it is.
func (p Party) Held(v ring.Vec, bound int) mpc.Secret {
	return &value{ring: v.Ring(), n: v.Len(), bound: bound, v: flow.Known(v)}
}

// AddKnown adds.
func (Party) AddKnown(op *flow.Op, x mpc.Secret, _ int, words func() ring.Vec) mpc.Secret {
	return apply(op, x.Ring(), x.Len(), x.Ring().Bits-1, func(dst ring.Vec, src []ring.Vec) { ring.Add(dst, src[0], words()) }, of(x))
}

// AddPublic adds.
func (Party) AddPublic(op *flow.Op, x mpc.Secret, words ring.Vec, bound int) mpc.Secret {
	return apply(op, x.Ring(), x.Len(), max(x.Bound(), bound)+1, func(dst ring.Vec, src []ring.Vec) { ring.Add(dst, src[0], words) }, of(x))
}

// Linear applies the map.
func (Party) Linear(op *flow.Op, m maps.Linear, xs ...mpc.Secret) mpc.Secret {
	bound := 0
	var in []*value
	for _, x := range xs {
		bound = max(bound, x.Bound())
		in = append(in, of(x))
	}
	return apply(op, xs[0].Ring(), m.Out(), bound+m.Growth(), func(dst ring.Vec, src []ring.Vec) { m.Apply(dst, src...) }, in...)
}

// Product applies the map in ring out.
func (Party) Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y mpc.Secret) mpc.Secret {
	return apply(op, out, b.Out(), out.Bits, func(dst ring.Vec, src []ring.Vec) {
		b.Apply(dst, wide(src[0], out), wide(src[1], out))
	}, of(x), of(y))
}

// wide reads signed values into a wider ring.
func wide(v ring.Vec, r ring.Ring) ring.Vec {
	if v.Ring() == r {
		return v
	}
	out := ring.New(r, v.Len())
	ring.SignExtend(out, v)
	return out
}

// Truncate divides to nearest, halves up.
func (Party) Truncate(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	return apply(op, x.Ring(), x.Len(), x.Bound()-by, func(dst ring.Vec, src []ring.Vec) {
		ring.AddPow(dst, src[0], by-1, false)
		ring.Arsh(dst, dst, by)
	}, of(x))
}

// Drop divides likewise and leaves the ring narrower.
func (Party) Drop(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	r := ring.Z(x.Ring().Bits - by)
	return apply(op, r, x.Len(), x.Bound()-by, func(dst ring.Vec, src []ring.Vec) {
		sum := ring.New(x.Ring(), x.Len())
		ring.AddPow(sum, src[0], by-1, false)
		ring.Rsh(dst, sum, by)
	}, of(x))
}

// Relu is max(x, 0).
func (Party) Relu(op *flow.Op, out ring.Ring, x mpc.Secret) mpc.Secret {
	return apply(op, out, x.Len(), x.Bound(), func(dst ring.Vec, src []ring.Vec) {
		v := wide(src[0], out)
		keep := ring.Bit(v, out.Bits-1)
		ring.Not(keep, keep)
		ring.FromBits(dst, keep)
		ring.Mul(dst, dst, v)
	}, of(x))
}

// Max is a + max(b − a, 0), one operand after the other.
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

// Disclose does nothing: the only party knows.
func (Party) Disclose(_ *flow.Op, x mpc.Secret) mpc.Secret { return x }

// Aside is the vector itself.
func (Party) Aside(_ *flow.Op, x mpc.Secret) *flow.Of[ring.Vec] { return of(x).v }

// Unopened does nothing: nothing is opened.
func (Party) Unopened(_ *flow.Op, x mpc.Secret) mpc.Secret { return x }

// Settle does nothing: values are ready when they are made.
func (Party) Settle(*flow.Op, mpc.Secret) {}

// Reveal gives the value.
func (Party) Reveal(_ *flow.Op, x mpc.Secret, _ []int) *flow.Of[ring.Vec] {
	return flow.Known(of(x).v.Get())
}
