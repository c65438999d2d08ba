package exec

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// argReduce is an arg-reduction: the extreme of each column and the index that belongs to it, of equal ones
// the first. In a group of rows all pairs are compared at once; a row wins if it wins against all others.
type argReduce struct {
	c     *opRun
	least bool
}

// argOf recognises a body that keeps the smaller (or larger) of two numbers and its index, and of equal
// numbers the smaller index, where indices are public and ascend: so the first of equal numbers wins.
func (c *opRun) argOf(b *hlo.Block, rows []*value) *argReduce {
	if len(rows) != 2 || rows[0].owner == Public || !ascending(rows[1]) || !comparesOnly(b) {
		return nil
	}
	d := rows[0].typ.DType
	if !d.IsFloat() && !d.IsInt() {
		return nil
	}
	for _, least := range []bool{true, false} {
		if isArg(b, least) {
			return &argReduce{c, least}
		}
	}
	return nil
}

// ascending reports whether a value is public and increases along every column.
func ascending(v *value) bool {
	if v.owner != Public || v.array() == nil || !v.typ.DType.IsInt() {
		return false
	}
	w, n := v.array().Words(), v.typ.Shape[1]
	for i := n; i < len(w); i++ {
		if int64(w[i]) <= int64(w[i-n]) {
			return false
		}
	}
	return true
}

// comparesOnly reports whether a body does nothing but compare its first with its third parameter and its
// second with its fourth, and select. Then the orders of the two pairs determine all of its results.
func comparesOnly(b *hlo.Block) bool {
	if len(b.Params) != 4 {
		return false
	}
	pair := map[*hlo.Value]int{}
	for i, p := range b.Params {
		pair[p] = 1 + i%2
	}
	for _, o := range b.Ops[:len(b.Ops)-1] {
		switch o.Name {
		case hlo.OpCompare, hlo.OpSelect, hlo.OpMinimum, hlo.OpMaximum:
			in := o.Operands[len(o.Operands)-2:]
			if pair[in[0]] == 0 || pair[in[0]] != pair[in[1]] {
				return false
			}
			if o.Name != hlo.OpCompare {
				pair[o.Results[0]] = pair[in[0]]
			}
		case hlo.OpAnd, hlo.OpOr, hlo.OpXor, hlo.OpNot:
			if o.Results[0].Type.DType != tensor.Bool {
				return false
			}
		default:
			return false
		}
	}
	ret := b.Return().Operands
	return len(ret) == 2 && pair[ret[0]] == 1 && pair[ret[1]] == 2
}

// isArg evaluates the body for all orders of the two pairs and reports whether it is an arg-reduction.
func isArg(b *hlo.Block, least bool) bool {
	number := func(t tensor.DType, v uint64) *tensor.Array {
		if t.IsFloat() {
			return tensor.FromFloats(t, nil, []float64{float64(v)})
		}
		return tensor.FromWords(t, nil, []uint64{v})
	}
	for order := range 9 {
		x := [4]uint64{1, 1, uint64(order % 3), uint64(order / 3)} // x, i, y, j
		args := make([]*tensor.Array, 4)
		for k, p := range b.Params {
			args[k] = number(p.Type.DType, x[k])
		}
		out, err := eval.Block(context.Background(), nil, b, args)
		if err != nil {
			return false
		}
		v, i := x[0], x[1]
		switch {
		case x[2] == x[0]:
			i = min(x[1], x[3])
		case x[2] < x[0] == least:
			v, i = x[2], x[3]
		}
		if fmt.Sprint(out[0].Data) != fmt.Sprint(number(b.Params[0].Type.DType, v).Data) || out[1].Words()[0] != i {
			return false
		}
	}
	return true
}

// reduce returns the extreme of each column of two rows×columns values, the numbers and their indices, and of
// the initial values.
func (a *argReduce) reduce(rows, inits []*value) ([]*value, error) {
	c := a.c
	x, index := secret(c.Arith.Comparand(c.op, c.share(rows[0], c.Arith.Fraction))), rows[1]
	n := x.typ.Shape[1]
	wanted := c.reads(c.o.Results[0]) > 0 || !a.beyond(inits, index)
	var hot *oneHot
	for x.typ.Shape[0] > 1 {
		m := x.typ.Shape[0]
		k := fxp.FanIn(m)
		g := m / k
		spread := func(v *value) *value { // k×g×n: the i-th of all groups together
			v = c.view(v, tensor.Sliced(v.typ.Shape, []int{0, 0}, []int{k * g, n}, []int{1, 1}))
			v = c.view(v, tensor.Reshaped(v.typ.Shape, tensor.Shape{g, k, n}))
			v = c.view(v, tensor.Transposed(v.typ.Shape, []int{1, 0, 2}))
			return c.view(v, tensor.Reshaped(v.typ.Shape, tensor.Shape{k, g * n}))
		}
		xs, is := spread(x), spread(index)
		won := c.Arith.Winners(c.op, xs.sec, k, g*n, a.least)
		if m == k {
			hot = c.oneHot(won, is)
		}
		var next []*value
		if m > k || wanted {
			next = append(next, c.chosen(won, xs, g, n))
		} else {
			next = append(next, x)
		}
		next = append(next, c.chosen(won, is, g, n))
		if m > g*k {
			over := func(v *value) *value {
				return c.view(v, tensor.Sliced(v.typ.Shape, []int{g * k, 0}, []int{m, n}, []int{1, 1}))
			}
			next[0] = c.concatenated([]*value{next[0], over(x)})
			next[1] = c.concatenated([]*value{next[1], over(index)})
		}
		x, index = next[0], next[1]
		if m == k {
			break
		}
		x = secret(c.Arith.Comparand(c.op, x.sec))
	}
	shape := tensor.Shape{n}
	if x.typ.Shape[0] > 1 { // otherwise nothing reads it
		x = c.spread(inits[0], shape)
	}
	out := []*value{c.view(x, tensor.Reshaped(x.typ.Shape, shape)), c.view(index, tensor.Reshaped(index.typ.Shape, shape))}
	if a.beyond(inits, rows[1]) {
		out[1].hot = hot
		return out, nil
	}
	return c.region(c.o.Regions[0]).Apply(c.spread(inits[0], shape), c.spread(inits[1], shape), out[0], out[1])
}

// beyond reports whether the initial values are public and have no effect: every number is at least as good
// as theirs, and their index is not after the first.
func (a *argReduce) beyond(inits []*value, index *value) bool {
	v, i := inits[0], inits[1]
	if v.owner != Public || i.owner != Public {
		return false
	}
	body := hlo.OpMaximum
	if a.least {
		body = hlo.OpMinimum
	}
	if !algo.Neutral(body, v.array()) {
		return false
	}
	return v.typ.DType.IsFloat() || index.array() != nil && index.array().Words()[0] == i.array().Words()[0]
}

// chosen returns the winners' elements, g×n, of a value of k×(g·n).
func (c *opRun) chosen(won *fxp.Value, x *value, g, n int) *value {
	k := x.typ.Shape[0]
	var kept *fxp.Value
	if x.owner == Public {
		kept = c.Arith.MulPublic(c.op, c.Arith.Number(c.op, won, x.typ.DType), x.array())
	} else {
		kept = c.Arith.Kept(c.op, won, x.sec)
	}
	return secret(c.Arith.Sum(c.op, kept, 1, k, g*n, tensor.Shape{g, n}))
}
