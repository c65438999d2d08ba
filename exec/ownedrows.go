package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// ownedRows is a look-up, at indices that one party knows, in a table so large that the party shares one-hot vectors instead of
// indices: what is dealt for an index takes as many elements as the table has rows, and more where the table is not public.
type ownedRows struct {
	owner   int
	x       *indexed
	at      coordinates
	operand *value
	out     tensor.Shape // of the result
	perm    []int        // a permutation of out's dimensions: those of the indices come first
	indices int          // how many of them there are
}

// leastOwned is the number of elements, of all rows of all indices' tables, above which a look-up is one of one-hot vectors. It is a
// variable so that tests can lower it.
var leastOwned = 1 << 22

// ownedRowsOf describes a look-up as one of one-hot vectors; nil if it is another one.
func (c *opRun) ownedRowsOf(x *indexed, operand *value, at coordinates, w algo.Indexed, perm []int) *ownedRows {
	owner := Public
	for _, v := range at.of {
		owner = join(owner, v.owner)
	}
	n := at.of[0].typ.Shape.Size()
	if owner == Secret || operand.owner == Public || !operand.typ.DType.IsFloat() || n*x.table.Columns<<x.table.Bits() <= leastOwned ||
		!slices.Equal(x.table.Offsets, []int{0}) || c.comparesFloats() && operand.hasOrdinals() {
		return nil
	}
	return &ownedRows{owner, x, at, operand, w.Outer, perm, len(w.Outer) - len(w.WindowDims)}
}

// value returns the rows. If a selection alone reads them, they are looked up when it has been seen.
func (r *ownedRows) value(c *opRun) *value {
	v := c.o.Results[0]
	number := func(c *opRun) *fxp.Value { return r.number(c, nil) }
	if readers := c.readersOf(v); len(readers) != 1 || readers[0].Name != hlo.OpSelect || readers[0].Operands[1] != v || c.taken[v] {
		return secret(number(c))
	}
	out := c.laterNumber(v.Type, nil, number)
	out.owned = r
	return out
}

// number looks the rows up. If taken is not nil, it is the owner's boolean for each element of the result, the same for all of a row,
// and rows for which it is false are zeros. taken.array() is nil at other parties.
func (r *ownedRows) number(c *opRun, taken *value) *fxp.Value {
	shape, back := permuted(r.out, r.perm)
	n := r.at.of[0].typ.Shape.Size()
	tables := c.share(c.view(r.operand, r.x.tables()), c.Arith.Fraction)
	rows := c.Arith.LookupOwned(c.op, r.owner, n, func() []uint64 {
		places := r.x.inClear(r.at)
		if places == nil || taken == nil {
			return places
		}
		if taken.array() == nil {
			return nil
		}
		of := tensor.Apply(tensor.Transposed(r.out, r.perm), false, taken.array().Data.([]bool))
		for i := range places {
			if !of[i*r.x.table.Rows()] {
				places[i] = uint64(r.x.table.Cells)
			}
		}
		return places
	}, tables, r.x.table, shape)
	return c.Arith.View(c.op, tensor.Transposed(shape, back), rows)
}

// chosen returns select(p, rows, zero) without a product, where p is a boolean of each row that the indices' owner knows, and what
// else is chosen is 0 in fixed point, as NaN is; nil for any other selection. JAX fills rows in where an index is out of range.
func (r *ownedRows) chosen(c *opRun, p, other *value) *value {
	same := func(a, b int) bool {
		x, _ := mpc.Owner(a)
		y, _ := mpc.Owner(b)
		return x == y && x >= 0
	}
	if !same(p.owner, r.owner) || other.owner != Public || other.array() == nil || !p.typ.Shape.Equal(r.out) || p.broadcast == nil {
		return nil
	}
	if slices.ContainsFunc(p.broadcast, func(d int) bool { return !slices.Contains(r.perm[:r.indices], d) }) ||
		slices.ContainsFunc(other.array().Floats(), func(x float64) bool { return x == x && x != 0 }) {
		return nil
	}
	return secret(r.number(c, p))
}
