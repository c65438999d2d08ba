package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// shuffles reports whether n rows are sorted by revealed comparisons of shuffled rows.
func (c *opRun) shuffles(n int) bool {
	switch c.Arith.Options.Sort {
	case "shuffle":
		return n > 1
	case "auto":
		return n > maxRanked
	}
	return false
}

// shuffled sorts rows along the last dimension by keys, which are functions of the rows in a comparator's
// body, and returns the first rows.
func (c *opRun) shuffled(rows []*value, body *hlo.Block, keys []sortKey, first int) ([]*value, error) {
	shape := rows[0].typ.Shape
	n := shape[len(shape)-1]
	s := mpc.Sorting{Groups: shape.Size() / n, Rows: n, First: first}
	by := make([]*fxp.Value, len(keys))
	for i, k := range keys {
		v, err := c.keyOf(rows, body, k)
		if err != nil {
			return nil, err
		}
		by[i] = c.share(v, c.Arith.Fraction)
		s.Descending = append(s.Descending, k.descending)
	}
	var moved []*fxp.Value
	places := map[int]ring.Ring{} // operands that are row numbers
	for i, v := range rows {
		if countsLast(v) {
			places[i] = c.Arith.RingOf(v.typ.DType)
			s.At = ring.Z(max(s.At.Bits, places[i].Bits))
			continue
		}
		moved = append(moved, c.share(v, c.Arith.Fraction))
	}
	sorted, at := c.Arith.Sort(c.op, s, by, moved)
	out := make([]*value, len(rows))
	for i, v := range rows {
		r, counts := places[i]
		if !counts {
			out[i], sorted = secret(sorted[0]), sorted[1:]
			continue
		}
		t := tensor.Type{DType: v.typ.DType, Shape: append(slices.Clone(shape[:len(shape)-1]), first)}
		out[i] = secret(fxp.NewValue(c.Arith.P.Narrow(c.op, r, at), t, 0))
	}
	return out, nil
}

// keyOf computes a key of all rows at once.
func (c *opRun) keyOf(rows []*value, body *hlo.Block, k sortKey) (*value, error) {
	if i := slices.Index(body.Params, k.of); i >= 0 {
		return rows[i/2], nil
	}
	args := make([]*value, len(body.Params))
	for i := range args {
		args[i] = rows[i/2]
	}
	return first(c.region(function(body, k.of)).Apply(args...))
}

// countsLast reports whether a public value holds positions along the last dimension.
func countsLast(v *value) bool {
	if v.owner != Public || !v.typ.DType.IsInt() || v.typ.Shape.Size() == 0 {
		return false
	}
	shape := v.typ.Shape
	last := []int{len(shape) - 1}
	counts := positions(tensor.Type{DType: v.typ.DType, Shape: tensor.Shape{shape[last[0]]}})
	return slices.Equal(v.array().Words(), eval.Copy(tensor.Broadcast(counts.Shape, last, shape), counts).Words())
}
