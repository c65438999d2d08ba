package fxp

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Coordinate is one secret component of an index, along one dimension of a table.
type Coordinate struct {
	X      *Value // the component, an integer; its range is 0 to Most
	Most   uint64 // the largest valid component
	Stride int64  // the number of rows by which a step of the component moves the index
	Within bool   // whether X is known to be in its range, so that no comparison is needed
}

// Index returns indices of the given number of bits: element by element, the sum of the coordinates xs times their
// strides. If outside is negative, every coordinate is clamped to its range first. Otherwise an index with a
// coordinate beyond its range is replaced by the number outside. Comparisons are made in the coordinates' own types;
// the values that they select have at most an index's bits.
func (a *Arith) Index(op *flow.Op, xs []Coordinate, bits, outside int) mpc.Secret {
	r := ring.Z(bits)
	terms, strides := []mpc.Secret{}, []int64{}
	var good []mpc.Bit
	for _, x := range xs {
		low := a.P.Narrow(op, r, a.wideEnough(op, x.X, bits))
		terms, strides = append(terms, low), append(strides, x.Stride)
		signed := x.X.Type.DType.IsSigned()
		within := a.within(op, x)
		if within == nil {
			continue
		}
		if outside >= 0 {
			good = append(good, within)
			continue
		}
		n := low.Len()
		zero := a.P.Public(op, a.same(op, r, n, 0), 0)
		above := a.P.AddPublic(op, within, a.same(op, ring.Z(1), n, 1), 0)
		if signed {
			below := a.P.MSB(op, x.X.S)
			above = a.P.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1}}, above, below)
			terms, strides = append(terms, a.P.Select(op, r, below, low, zero)), append(strides, -x.Stride)
		}
		over := a.P.AddPublic(op, low, a.same(op, r, n, -int64(x.Most)), bits)
		terms, strides = append(terms, a.P.Select(op, r, above, over, zero)), append(strides, -x.Stride)
	}
	sum := a.P.Linear(op, maps.Combine{N: terms[0].Len(), Coef: strides}, terms...)
	if len(good) == 0 {
		return sum
	}
	none := a.P.Public(op, a.same(op, r, sum.Len(), int64(outside)), bits)
	return a.P.Select(op, r, a.P.And(op, good...), sum, none)
}

// within returns the bit 0 ≤ x ≤ Most: one comparison of x read as unsigned. It returns nil if the bit is
// always 1.
func (a *Arith) within(op *flow.Op, x Coordinate) mpc.Bit {
	r := x.X.S.Ring()
	if x.Within || r.Bits < 64 && x.Most+1 >= 1<<r.Bits {
		return nil
	}
	limit := a.P.Public(op, a.same(op, r, x.X.S.Len(), int64(x.Most+1)), r.Bits)
	return a.P.LessFullRange(op, x.X.S, limit, false)
}

// wideEnough returns an integer in a ring of at least the given number of bits.
func (a *Arith) wideEnough(op *flow.Op, x *Value, bits int) mpc.Secret {
	if x.S.Ring().Bits >= bits {
		return x.S
	}
	return a.P.Extend(op, ring.Z(bits), x.S, x.Type.DType.IsSigned())
}

// same returns a public vector of n elements c.
func (a *Arith) same(op *flow.Op, r ring.Ring, n int, c int64) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, n)
	}
	v := ring.New(r, n)
	ring.AddInt(v, v, c)
	return v
}

// LocalIndex returns n indices of the given number of bits that the party owner knows, shared. words is called at the
// owner only.
func (a *Arith) LocalIndex(op *flow.Op, owner, n, bits int, words func() []uint64) mpc.Secret {
	r := ring.Z(bits)
	return a.P.Input(op, owner, r, n, bits, func() ring.Vec {
		if w := words(); w != nil {
			return ring.FromWords(r, append([]uint64{}, w...))
		}
		return ring.ShapeOnly(r, n)
	})
}

// Lookup returns the rows of tables that the indices select, as t describes, in the given shape. A table is truncated
// first if it has fewer elements than the rows that are looked up.
func (a *Arith) Lookup(op *flow.Op, index mpc.Secret, table *Value, t mpc.Table, shape tensor.Shape) *Value {
	table = a.proper(op, table)
	if !table.S.Opened() && table.S.Len() <= index.Len()*t.Rows() {
		table = a.Rescale(op, table)
	}
	return newValue(a.P.Lookup(op, index, table.S, t), tensor.Type{DType: table.Type.DType, Shape: shape}, table.Scale)
}

// LookupByBits is Lookup in tables of floats of type of that the party owner knows: it shares their bits, which are looked up, and makes
// numbers of what is found. It returns nil if that costs no less than Lookup. arr is called at the owner only.
func (a *Arith) LookupByBits(
	op *flow.Op, index mpc.Secret, owner int, of tensor.Type, arr func() *tensor.Array, t mpc.Table, shape tensor.Shape,
) *Value {
	forms, ok := mpc.As[mpc.BitForms](a.P)
	r, width := a.RingOf(of.DType), a.bound(of.DType)+1
	if !ok || !slices.Equal(t.Offsets, []int{0}) || !forms.LooksUpByBits(op, r, width, mpc.Lookups{Indices: index.Len(), Table: t}) {
		return nil
	}
	scale := a.scaleOf(of.DType)
	table := a.inputByBits(op, owner, r, of.Shape.Size(), width, func() ring.Vec { return encoder(arr, of, r, scale)() })
	rows := a.P.Unopened(op, a.P.Lookup(op, index, table, t))
	return newValue(rows, tensor.Type{DType: of.DType, Shape: shape}, scale)
}

// inputByBits returns n numbers in ring r that the party owner knows, by the low width bits of each, in which they are signed
// numbers. P must implement mpc.BitForms.
func (a *Arith) inputByBits(op *flow.Op, owner int, r ring.Ring, n, width int, words func() ring.Vec) mpc.Secret {
	bits := a.P.Input(op, owner, ring.Z(1), n*width, 1, func() ring.Vec {
		if v := words(); !v.ShapeOnly() {
			return planesOf(v, width)
		}
		return ring.ShapeOnly(ring.Z(1), n*width)
	})
	return a.fromBits(op, r, n, bits)
}

// planesOf returns the low width bits of numbers, bit 0 of all of them first.
func planesOf(v ring.Vec, width int) ring.Vec {
	n, k := v.Len(), v.Ring().Words()
	out := ring.New(ring.Z(1), n*width)
	for j := range n {
		for i := range width {
			out.Words()[i*n+j] = v.Words()[j*k+i/64] >> (i % 64) & 1
		}
	}
	return out
}

func (a *Arith) fromBits(op *flow.Op, r ring.Ring, n int, bits mpc.Bit) mpc.Secret {
	forms, ok := mpc.As[mpc.BitForms](a.P)
	if !ok {
		panic("fxp: numbers by their bits of a protocol without mpc.BitForms")
	}
	return forms.FromBits(op, r, n, bits)
}

// LookupOwned is Lookup at n rows that the party owner knows: it shares their one-hot vectors, which multiply the tables. places is called
// at the owner only; a place beyond the table selects zeros.
func (a *Arith) LookupOwned(op *flow.Op, owner, n int, places func() []uint64, table *Value, t mpc.Table, shape tensor.Shape) *Value {
	table = a.proper(op, table)
	if !table.S.Opened() && table.S.Len() <= n*t.Rows() {
		table = a.Rescale(op, table)
	}
	r := table.S.Ring()
	hots := a.P.Input(op, owner, r, n*t.Cells, 1, func() ring.Vec {
		at := places()
		if at == nil {
			return ring.ShapeOnly(r, n*t.Cells)
		}
		out := ring.New(r, n*t.Cells)
		for i, place := range at {
			if place < uint64(t.Cells) {
				out.Words()[(i*t.Cells+int(place))*r.Words()] = 1
			}
		}
		return out
	})
	rows := a.P.Product(op, r, maps.MatMul{Batch: t.Groups, M: n / t.Groups, K: t.Cells, N: t.Rows()}, hots, table.S, 0)
	return newValue(rows, tensor.Type{DType: table.Type.DType, Shape: shape}, table.Scale)
}

// Place returns tables to which the rows x are added at the positions that the indices select, as mpc.Indexing
// describes, in the given shape.
func (a *Arith) Place(op *flow.Op, index mpc.Secret, x *Value, t mpc.Table, shape tensor.Shape) *Value {
	x = a.proper(op, x)
	if !x.S.Opened() && x.S.Len() <= t.Size() {
		x = a.Rescale(op, x)
	}
	return newValue(a.P.Place(op, index, x.S, t), tensor.Type{DType: x.Type.DType, Shape: shape}, x.Scale)
}

// LastOf returns index, of the given number of bits and for the given number of tables (groups), in which every index
// that a later index of the same table equals is replaced by outside: of several equal indices the last stays. All
// pairs are compared at once.
func (a *Arith) LastOf(op *flow.Op, index mpc.Secret, groups, bits, outside int) mpc.Secret {
	all := index.Len()
	n := all / groups
	if n < 2 {
		return index
	}
	r := ring.Z(bits)
	index = a.P.Narrow(op, r, index)
	a.P.Open(op, index)
	pairs := groups * n * (n - 1) / 2
	// each calls f for all pairs, ordered by distance: for distance d, index i with index j = i + d.
	each := func(f func(d, i, j int)) {
		for d := 1; d < n; d++ {
			for i := range all {
				if i%n+d < n {
					f(d, i, i+d)
				}
			}
		}
	}
	side := func(later bool) mpc.Secret {
		return a.P.Linear(op, maps.NewView(tensor.Listed(tensor.Shape{pairs}, all, func() []int32 {
			out := make([]int32, 0, pairs)
			each(func(_, i, j int) {
				if later {
					i = j
				}
				out = append(out, int32(i))
			})
			return out
		}), all), index)
	}
	same := a.P.Equal(op, side(false), side(true))
	alone := make([]mpc.Bit, n-1)
	for d := range alone {
		row := a.P.Linear(op, maps.NewView(tensor.Listed(tensor.Shape{all}, pairs, func() []int32 {
			out := make([]int32, all)
			for i := range out {
				out[i] = tensor.Fill
			}
			at := int32(0)
			each(func(e, i, _ int) {
				if e == d+1 {
					out[i] = at
				}
				at++
			})
			return out
		}), pairs), same)
		alone[d] = a.P.AddPublic(op, row, a.same(op, ring.Z(1), all, 1), 0)
	}
	none := a.P.Public(op, a.same(op, r, all, int64(outside)), bits)
	return a.P.Select(op, r, a.P.And(op, alone...), index, none)
}
