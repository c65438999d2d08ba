package derived

import (
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// complete is a core with defaults for the groups that it does not implement.
type complete struct {
	mpc.Core
	mpc.Additions
	mpc.Openings
	mpc.Reductions
	mpc.Comparisons
	mpc.Selections
	mpc.Rectifiers
	mpc.Compositions
	mpc.Functions
	mpc.Indexing
	mpc.Sorts
}

// Unwrap returns the core.
func (w *complete) Unwrap() mpc.Core { return w.Core }

// Complete returns a protocol that consists of core's operations and, for the groups that core does not implement
// (Reductions, Comparisons and so on of package mpc), the defaults. It returns core itself if core implements all
// groups.
func Complete(core mpc.Core) mpc.Protocol {
	if p, ok := core.(mpc.Protocol); ok {
		return p
	}
	d := &defaults{}
	d.slots, _ = core.(Slots)
	d.bounder, _ = core.(mpc.Bounder)
	w := &complete{
		Core:         core,
		Additions:    override[mpc.Additions](core, d),
		Openings:     override[mpc.Openings](core, d),
		Reductions:   override[mpc.Reductions](core, d),
		Comparisons:  override[mpc.Comparisons](core, d),
		Selections:   override[mpc.Selections](core, d),
		Rectifiers:   override[mpc.Rectifiers](core, d),
		Compositions: override[mpc.Compositions](core, d),
		Functions:    override[mpc.Functions](core, d),
		Indexing:     override[mpc.Indexing](core, d),
		Sorts:        override[mpc.Sorts](core, d),
	}
	d.p = w
	return w
}

// override returns the core's implementation of a group, or else the default.
func override[T any](core mpc.Core, otherwise T) T {
	if t, ok := core.(T); ok {
		return t
	}
	return otherwise
}

// defaults implements the groups by calls of p, overrides included.
type defaults struct {
	p       mpc.Protocol
	slots   Slots       // nil if the core has none
	bounder mpc.Bounder // nil if the core makes no use of bounds
}

// Slots is implemented by a core that evaluates some functions with fewer bytes than the defaults. Methods return nil
// where they do not.
type Slots interface {
	// Exponential is mpc.Functions.Exp.
	Exponential(op *flow.Op, x mpc.Secret, f mpc.ExpOf) mpc.Secret
	// Series returns the table's function with out fraction bits, of x with in, in a ring that holds it, for arguments in the
	// table's interval; for others an arbitrary value.
	Series(op *flow.Op, x mpc.Secret, in int, t *fourier.Table, out int) mpc.Secret
	// SeriesBytes returns about what both parties send for Series of n elements; ok is false if Series returns nil.
	SeriesBytes(n int, t *fourier.Table, out int) (size int, ok bool)
}

// AddLocal shares the vector and adds it.
func (d *defaults) AddLocal(op *flow.Op, x mpc.Secret, owner int, words func() ring.Vec) mpc.Secret {
	return d.sum(op, x, d.p.Input(op, owner, x.Ring(), x.Len(), x.Ring().Bits-2, words))
}

// AddPublic adds the vector as a secret.
func (d *defaults) AddPublic(op *flow.Op, x mpc.Secret, words ring.Vec, bound int) mpc.Secret {
	return d.sum(op, x, d.p.Public(op, words, bound))
}

// Open does nothing.
func (d *defaults) Open(*flow.Op, ...mpc.Secret) {}

// Unopened does nothing.
func (d *defaults) Unopened(_ *flow.Op, x mpc.Secret) mpc.Secret { return x }

// Finalize makes the party's share.
func (d *defaults) Finalize(op *flow.Op, x mpc.Secret) { flow.Force(op, d.p.AdditiveShare(op, x)) }

// TruncateReduce truncates and narrows.
func (d *defaults) TruncateReduce(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	return d.p.Narrow(op, ring.Z(x.Ring().Bits-by), d.p.Truncate(op, x, by))
}

// combined is the sum of the operands times public coefficients.
func (d *defaults) combined(op *flow.Op, coef []int64, xs ...mpc.Secret) mpc.Secret {
	return d.p.Linear(op, maps.Combine{N: xs[0].Len(), Coef: coef}, xs...)
}

func (d *defaults) sum(op *flow.Op, x, y mpc.Secret) mpc.Secret {
	return d.combined(op, []int64{1, 1}, x, y)
}

func (d *defaults) difference(op *flow.Op, x, y mpc.Secret) mpc.Secret {
	return d.combined(op, []int64{1, -1}, x, y)
}

// times is the elementwise product in ring r, which both operands have.
func (d *defaults) times(op *flow.Op, x, y mpc.Secret) mpc.Secret {
	return d.timesUpTo(op, x, y, 0)
}

// timesUpTo is times, of a product that loses its low bits: it may be wrong in all of them but those that say how it is
// rounded.
func (d *defaults) timesUpTo(op *flow.Op, x, y mpc.Secret, low int) mpc.Secret {
	const rounding = 8
	return d.p.Product(op, x.Ring(), maps.Elementwise{N: x.Len()}, x, y, max(0, low-rounding))
}

// filled is a public vector of n times c.
func filled(op *flow.Op, r ring.Ring, n int, c *big.Int) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, n)
	}
	one := ring.New(r, 1)
	ring.Low(one, ring.FromBig(r, []*big.Int{c}))
	out := ring.New(r, n)
	ring.Gather(out, one, make([]int32, n))
	return out
}

// plus is x + c for a public number c.
func (d *defaults) plus(op *flow.Op, x mpc.Secret, c *big.Int) mpc.Secret {
	return d.p.AddPublic(op, x, filled(op, x.Ring(), x.Len(), c), c.BitLen())
}

// constant is a public number as a secret.
func (d *defaults) constant(op *flow.Op, r ring.Ring, n int, c *big.Int) mpc.Secret {
	return d.p.Public(op, filled(op, r, n, c), c.BitLen())
}

// not negates bits.
func (d *defaults) not(op *flow.Op, b mpc.Bit) mpc.Bit { return d.plus(op, b, big.NewInt(1)) }

// view copies elements by a view.
func (d *defaults) view(op *flow.Op, v tensor.View, xs ...mpc.Secret) mpc.Secret {
	lens := make([]int, len(xs))
	for i, x := range xs {
		lens[i] = x.Len()
	}
	return d.p.Linear(op, maps.NewView(v, lens...), xs...)
}

// part is elements [lo, hi).
func (d *defaults) part(op *flow.Op, x mpc.Secret, lo, hi int) mpc.Secret {
	if lo == 0 && hi == x.Len() {
		return x
	}
	return d.view(op, tensor.Sliced(tensor.Shape{x.Len()}, []int{lo}, []int{hi}, []int{1}), x)
}

// concat concatenates vectors.
func (d *defaults) concat(op *flow.Op, xs ...mpc.Secret) mpc.Secret {
	if len(xs) == 1 {
		return xs[0]
	}
	shapes := make([]tensor.Shape, len(xs))
	for i, x := range xs {
		shapes[i] = tensor.Shape{x.Len()}
	}
	return d.view(op, tensor.Concatenated(shapes, 0), xs...)
}

// repeated is x, element by element each so often, or all of it so often.
func (d *defaults) repeated(op *flow.Op, x mpc.Secret, times int, each bool) mpc.Secret {
	if times == 1 {
		return x
	}
	n := x.Len()
	if each {
		return d.view(op, tensor.Broadcast(tensor.Shape{n}, []int{0}, tensor.Shape{n, times}), x)
	}
	return d.view(op, tensor.Broadcast(tensor.Shape{n}, []int{1}, tensor.Shape{times, n}), x)
}

// in reads signed numbers into a ring that is as wide or wider.
func (d *defaults) in(op *flow.Op, r ring.Ring, x mpc.Secret) mpc.Secret {
	if x.Ring() == r {
		return x
	}
	return d.p.Extend(op, r, x, true)
}

// wider brings two operands into the wider of their rings.
func (d *defaults) wider(op *flow.Op, x, y mpc.Secret, signed bool) (_, _ mpc.Secret) {
	switch a, b := x.Ring(), y.Ring(); {
	case a.Bits < b.Bits:
		x = d.p.Extend(op, b, x, signed)
	case b.Bits < a.Bits:
		y = d.p.Extend(op, a, y, signed)
	}
	return x, y
}

// weighted is the sum of planes of n elements times public numbers of any size, all in
// the planes' ring.
func (d *defaults) weighted(op *flow.Op, planes mpc.Secret, weights []*big.Int) mpc.Secret {
	r, n := planes.Ring(), planes.Len()/len(weights)
	row, bits := ring.FromBig(r, weights), 0
	for _, w := range weights {
		bits = max(bits, w.BitLen())
	}
	return d.p.Linear(
		op,
		maps.With{B: maps.MatMul{Batch: 1, M: 1, K: len(weights), N: n}, Public: row, Bits: bits + maps.CeilLog2(len(weights))},
		planes,
	)
}
