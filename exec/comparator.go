package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
)

// comparator decides for two rows whether the first belongs before the second.
type comparator struct {
	key        int // the one operand that is compared, by its value; −1: the body decides
	descending bool
	uses       map[int]bool // the operands that the body depends on
	body       *hlo.Block
}

// comparatorOf reads a sort's body.
func comparatorOf(b *hlo.Block) comparator {
	c := comparator{key: -1, uses: map[int]bool{}, body: simplified(b)}
	ret := c.body.Return().Operands[0]
	for _, o := range c.body.Ops {
		for _, v := range o.Operands {
			if i := slices.Index(b.Params, v); i >= 0 {
				c.uses[i/2] = true
			}
		}
		if o.Name != hlo.OpCompare || o.Results[0] != ret {
			continue
		}
		x, y := slices.Index(b.Params, o.Operands[0]), slices.Index(b.Params, o.Operands[1])
		dir := o.Attrs.Str("comparison_direction")
		up, down := dir == "LT" || dir == "LE", dir == "GT" || dir == "GE" // of equal rows neither comes first
		if x < 0 || x^1 != y || !up && !down || b.Params[x].Type.DType.IsComplex() {
			continue
		}
		c.key, c.descending = x/2, down != (x > y)
	}
	return c
}

// before returns the bit "x belongs before y".
func (cmp comparator) before(c *opRun, x, y []*value) (mpc.Bit, error) {
	if cmp.key >= 0 {
		if cmp.descending {
			x, y = y, x
		}
		less, err := c.less(x[cmp.key], y[cmp.key])
		if err != nil {
			return nil, err
		}
		return c.share(less, 0).S, nil
	}
	args := make([]*value, 0, 2*len(x))
	for i := range x {
		args = append(args, x[i], y[i])
	}
	out, err := c.region(cmp.body).Apply(args...)
	if err != nil {
		return nil, err
	}
	return c.share(out[0], 0).S, nil
}

// simplified returns a body without operations that have no effect on secrets, which are neither NaN nor
// negative zeros: comparisons of a value with itself, zeros substituted for zeros, selections by either, and
// operations that are then unused. A body that is not elementwise is returned unchanged.
func simplified(b *hlo.Block) *hlo.Block {
	if !algo.Liftable(b) {
		return b
	}
	alias, zero, isZero, truth := map[*hlo.Value]*hlo.Value{}, map[*hlo.Value]bool{}, map[*hlo.Value]*hlo.Value{}, map[*hlo.Value]bool{}
	get := func(v *hlo.Value) *hlo.Value {
		if a := alias[v]; a != nil {
			return a
		}
		return v
	}
	known := map[*hlo.Value]bool{}
	out := &hlo.Block{Params: b.Params}
	for _, op := range b.Ops {
		o := *op
		o.Operands = make([]*hlo.Value, len(op.Operands))
		for i, v := range op.Operands {
			o.Operands[i] = get(v)
		}
		in := o.Operands
		switch {
		case o.Name == hlo.OpConstant:
			zero[o.Results[0]] = isZeroConstant(&o)
		case o.Name == hlo.OpCompare:
			dir := o.Attrs.Str("comparison_direction")
			switch {
			case in[0] == in[1]:
				known[o.Results[0]], truth[o.Results[0]] = true, dir == "EQ" || dir == "GE" || dir == "LE"
			case dir == "EQ" && zero[in[1]]:
				isZero[o.Results[0]] = in[0]
			}
		case o.Name == hlo.OpSelect && known[in[0]]:
			alias[o.Results[0]] = in[2]
			if truth[in[0]] {
				alias[o.Results[0]] = in[1]
			}
		case o.Name == hlo.OpSelect && zero[in[1]] && isZero[in[0]] == in[2]:
			alias[o.Results[0]] = in[2]
		}
		out.Ops = append(out.Ops, &o)
	}
	return withoutUnused(out)
}

// withoutUnused removes operations whose results are unused.
func withoutUnused(b *hlo.Block) *hlo.Block {
	used := map[*hlo.Value]bool{}
	var ops []*hlo.Op
	for i := len(b.Ops) - 1; i >= 0; i-- {
		o := b.Ops[i]
		if i < len(b.Ops)-1 && !slices.ContainsFunc(o.Results, func(v *hlo.Value) bool { return used[v] }) {
			continue
		}
		for _, v := range o.Operands {
			used[v] = true
		}
		ops = append(ops, o)
	}
	slices.Reverse(ops)
	return &hlo.Block{Params: b.Params, Ops: ops}
}

// isZeroConstant reports whether a constant operation's only element is zero.
func isZeroConstant(o *hlo.Op) bool {
	c, _ := o.Constant()
	x, ok := c.Uniform()
	return ok && x == 0 && c.Type.Shape.Size() == 1
}
