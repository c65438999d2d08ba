package fxp_test

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/ring"
)

// masking is the protocol plain with masked values that are open or not, as they are in protocols that mask:
// inputs and public numbers are open, linear maps of open values are, and so is what was opened. It reaches
// the forms that package fxp has for open values.
type masking struct{ p plain.Party }

// rounding is masking among so many parties, whose truncations are off by up to half a unit for each.
type rounding struct {
	masking
	computing int
}

func (r rounding) Computing() int { return r.computing }

// masked is a vector of the protocol plain.
type masked struct {
	mpc.Secret
	open bool
}

func (m *masked) Opened() bool                  { return m.open }
func (m *masked) Clear() *flow.Future[ring.Vec] { return m.Secret.(mpc.Clear).Clear() }

func closed(s mpc.Secret) mpc.Secret { return &masked{s, false} }
func opened(s mpc.Secret) mpc.Secret { return &masked{s, true} }
func inner(s mpc.Secret) mpc.Secret  { return s.(*masked).Secret }

func inners(xs []mpc.Secret) []mpc.Secret {
	out := make([]mpc.Secret, len(xs))
	for i, x := range xs {
		out[i] = inner(x)
	}
	return out
}

// as wraps s, open if all of xs are.
func as(s mpc.Secret, xs ...mpc.Secret) mpc.Secret {
	for _, x := range xs {
		if !x.Opened() {
			return closed(s)
		}
	}
	return opened(s)
}

// used opens operands that a gate reads.
func used(xs ...mpc.Secret) {
	for _, x := range xs {
		x.(*masked).open = true
	}
}

func (m masking) Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	return opened(m.p.Input(op, owner, r, n, bound, words))
}
func (m masking) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	return opened(m.p.Public(op, words, bound))
}
func (m masking) FromShare(v ring.Vec, bound int) mpc.Secret { return closed(m.p.FromShare(v, bound)) }
func (m masking) AdditiveShare(op *flow.Op, x mpc.Secret) *flow.Future[ring.Vec] {
	return m.p.AdditiveShare(op, inner(x))
}
func (m masking) Linear(op *flow.Op, l maps.Linear, xs ...mpc.Secret) mpc.Secret {
	return as(m.p.Linear(op, l, inners(xs)...), xs...)
}
func (m masking) Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y mpc.Secret, slack int) mpc.Secret {
	used(x, y)
	return closed(m.p.Product(op, out, b, inner(x), inner(y), slack))
}
func (m masking) Truncate(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	return closed(m.p.Truncate(op, inner(x), by))
}
func (m masking) TruncateReduce(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	return closed(m.p.TruncateReduce(op, inner(x), by))
}
func (m masking) Narrow(op *flow.Op, r ring.Ring, x mpc.Secret) mpc.Secret {
	return as(m.p.Narrow(op, r, inner(x)), x)
}
func (m masking) Extend(op *flow.Op, out ring.Ring, x mpc.Secret, signed bool) mpc.Secret {
	used(x)
	return opened(m.p.Extend(op, out, inner(x), signed))
}
func (m masking) BitDecompose(op *flow.Op, x mpc.Secret) mpc.Bit {
	used(x)
	return closed(m.p.BitDecompose(op, inner(x)))
}
func (m masking) B2A(op *flow.Op, out ring.Ring, b mpc.Bit) mpc.Secret {
	used(b)
	return closed(m.p.B2A(op, out, inner(b)))
}
func (m masking) RevealToComputing(op *flow.Op, x mpc.Secret) mpc.Secret {
	return opened(m.p.RevealToComputing(op, inner(x)))
}
func (m masking) RevealTo(op *flow.Op, x mpc.Secret, to int) *flow.Future[ring.Vec] {
	return m.p.RevealTo(op, inner(x), to)
}
func (m masking) InputLate(op *flow.Op, owner int, r ring.Ring, n, bound int, words *flow.Future[ring.Vec]) mpc.Secret {
	return closed(m.p.InputLate(op, owner, r, n, bound, words))
}
func (m masking) Reveal(op *flow.Op, x mpc.Secret, to []int) *flow.Future[ring.Vec] {
	return m.p.Reveal(op, inner(x), to)
}
func (m masking) AddLocal(op *flow.Op, x mpc.Secret, owner int, words func() ring.Vec) mpc.Secret {
	return closed(m.p.AddLocal(op, inner(x), owner, words))
}
func (m masking) AddPublic(op *flow.Op, x mpc.Secret, words ring.Vec, bound int) mpc.Secret {
	return as(m.p.AddPublic(op, inner(x), words, bound), x)
}
func (m masking) Open(_ *flow.Op, xs ...mpc.Secret) { used(xs...) }
func (m masking) Unopened(op *flow.Op, x mpc.Secret) mpc.Secret {
	return closed(m.p.Unopened(op, inner(x)))
}
func (m masking) Finalize(op *flow.Op, x mpc.Secret) { m.p.Finalize(op, inner(x)) }
func (m masking) LessConst(op *flow.Op, x mpc.Secret, c int64) mpc.Bit {
	used(x)
	return closed(m.p.LessConst(op, inner(x), c))
}
func (m masking) MSB(op *flow.Op, x mpc.Secret) mpc.Bit {
	used(x)
	return closed(m.p.MSB(op, inner(x)))
}
func (m masking) Less(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	return closed(m.p.Less(op, inner(x), inner(y)))
}
func (m masking) LessFullRange(op *flow.Op, x, y mpc.Secret, signed bool) mpc.Bit {
	used(x, y)
	return closed(m.p.LessFullRange(op, inner(x), inner(y), signed))
}
func (m masking) Equal(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	return closed(m.p.Equal(op, inner(x), inner(y)))
}
func (m masking) And(op *flow.Op, xs ...mpc.Bit) mpc.Bit {
	used(xs...)
	return closed(m.p.And(op, inners(xs)...))
}
func (m masking) Select(op *flow.Op, out ring.Ring, b mpc.Bit, x, y mpc.Secret) mpc.Secret {
	used(b)
	return closed(m.p.Select(op, out, inner(b), inner(x), inner(y)))
}
func (m masking) Swap(op *flow.Op, b mpc.Bit, xs, ys []mpc.Secret) (first, second []mpc.Secret) {
	first, second = m.p.Swap(op, inner(b), inners(xs), inners(ys))
	for i := range first {
		first[i], second[i] = opened(first[i]), opened(second[i])
	}
	return first, second
}
func (m masking) Relu(op *flow.Op, out ring.Ring, x mpc.Secret) mpc.Secret {
	used(x)
	return closed(m.p.Relu(op, out, inner(x)))
}
func (m masking) Clamp(op *flow.Op, out ring.Ring, x mpc.Secret, low, high int64) mpc.Secret {
	used(x)
	return closed(m.p.Clamp(op, out, inner(x), low, high))
}
func (m masking) Max(op *flow.Op, out ring.Ring, xs ...mpc.Secret) mpc.Secret {
	if len(xs) > 1 {
		return closed(m.p.Max(op, out, inners(xs)...))
	}
	return as(m.p.Max(op, out, inners(xs)...), xs...) // a sign-extension
}
func (m masking) BitCompose(op *flow.Op, out ring.Ring, bits mpc.Bit) mpc.Secret {
	used(bits)
	return closed(m.p.BitCompose(op, out, inner(bits)))
}
func (m masking) Floor(op *flow.Op, out ring.Ring, x mpc.Secret, by int, signed bool) mpc.Secret {
	used(x)
	return closed(m.p.Floor(op, out, inner(x), by, signed))
}
func (m masking) Exp(op *flow.Op, x mpc.Secret, f mpc.ExpOf) mpc.Secret {
	used(x)
	return closed(m.p.Exp(op, inner(x), f))
}
func (m masking) EvalTable(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string) mpc.Secret {
	used(x)
	return closed(m.p.EvalTable(op, inner(x), f, name))
}
func (m masking) EvalTableWithTails(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string, thrifty bool) mpc.Secret {
	used(x)
	return closed(m.p.EvalTableWithTails(op, inner(x), f, name, thrifty))
}
func (m masking) SinCos(op *flow.Op, x mpc.Secret, f mpc.Fixed) (sin, cos mpc.Secret) {
	used(x)
	s, c := m.p.SinCos(op, inner(x), f)
	return closed(s), closed(c)
}
func (m masking) Log(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, two bool) mpc.Secret {
	used(x)
	return closed(m.p.Log(op, inner(x), f, n, two))
}
func (m masking) Power(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, a float64) mpc.Secret {
	used(x)
	return closed(m.p.Power(op, inner(x), f, n, a))
}
func (m masking) Divide(op *flow.Op, y mpc.Secret, fy int, x mpc.Secret, f mpc.Fixed, n mpc.Normal, root bool) mpc.Secret {
	used(x, y)
	return closed(m.p.Divide(op, inner(y), fy, inner(x), f, n, root))
}
func (m masking) PowerSecret(op *flow.Op, x, y mpc.Secret, fy int, f mpc.Fixed, n mpc.Normal) mpc.Secret {
	used(x, y)
	return closed(m.p.PowerSecret(op, inner(x), inner(y), fy, f, n))
}
func (m masking) FloorReal(op *flow.Op, x mpc.Secret, by int, quotient bool) mpc.Secret {
	used(x)
	return closed(m.p.FloorReal(op, inner(x), by, quotient))
}
func (m masking) Softmax(op *flow.Op, x mpc.Secret, f mpc.Fixed, n int, kind mpc.RowKind) mpc.Secret {
	used(x)
	return closed(m.p.Softmax(op, inner(x), f, n, kind))
}
func (m masking) Normalize(op *flow.Op, x mpc.Secret, f mpc.Fixed, n int, epsilon float64, centred bool) mpc.Secret {
	used(x)
	return closed(m.p.Normalize(op, inner(x), f, n, epsilon, centred))
}
func (m masking) Lookup(op *flow.Op, index, table mpc.Secret, t mpc.Table) mpc.Secret {
	used(index, table)
	return closed(m.p.Lookup(op, inner(index), inner(table), t))
}
func (m masking) Place(op *flow.Op, index, x mpc.Secret, t mpc.Table) mpc.Secret {
	used(index, x)
	return closed(m.p.Place(op, inner(index), inner(x), t))
}
func (m masking) Sort(op *flow.Op, s mpc.Sorting, keys, xs []mpc.Secret) (sorted []mpc.Secret, at mpc.Secret) {
	sorted, at = m.p.Sort(op, s, inners(keys), inners(xs))
	for i, x := range sorted {
		sorted[i] = closed(x)
	}
	if at != nil {
		at = closed(at)
	}
	return sorted, at
}
