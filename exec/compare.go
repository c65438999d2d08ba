package exec

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// compare returns one of the bits x < y, y < x, x = y, or its negation.
func compare(c *opRun, in []*value) ([]*value, error) {
	dir := c.o.Attrs.Str("comparison_direction")
	if in[0].hasOrdinals() && in[1].hasOrdinals() && in[0].typ.DType == in[1].typ.DType {
		if out := c.compareOrdinals(dir, in[0], in[1]); out != nil {
			return []*value{out}, nil
		}
	}
	c.numbers(in)
	if dir == "EQ" || dir == "NE" {
		in = c.coarse(in)
	}
	x, y := c.comparands(in)
	var out *value
	var err error
	switch dir {
	case "LT", "GE":
		out, err = c.less(x, y)
	case "GT", "LE":
		out, err = c.less(y, x)
	case "EQ", "NE":
		out, err = c.equal(x, y)
	default:
		return nil, refuse(c.o, "has direction "+dir, "")
	}
	if err != nil {
		return nil, err
	}
	if dir == "GE" || dir == "LE" || dir == "NE" {
		out = c.negated(out)
	}
	return []*value{c.withoutNaN(in, out, dir == "NE")}, nil
}

// comparands returns the operands of a comparison. A value that is also selected from by the same comparison
// is rounded for the selection; it is then compared in its rounded form, so that it is opened once.
func (c *opRun) comparands(in []*value) (x, y *value) {
	out := []*value{in[0], in[1]}
	if c.fine(in...) {
		return out[0], out[1]
	}
	for i, v := range in {
		if dir := c.o.Attrs.Str("comparison_direction"); (dir == "EQ" || dir == "NE") && c.matched(c.o.Operands[i]) {
			out[i] = c.rounded(v)
			continue
		}
		other, round := c.o.Operands[1-i], c.Arith.Rescale
		if in[1-i].owner == Public {
			other, round = nil, c.Arith.Comparand
		}
		if v.owner == Secret && v.typ.DType.IsFloat() && c.chosenFrom(c.o.Operands[i], other) {
			out[i] = &value{typ: v.typ, owner: v.owner, sec: round(c.op, v.sec), repeats: v.repeats}
		}
	}
	return out[0], out[1]
}

// less returns the bit x < y.
func (c *opRun) less(x, y *value) (*value, error) {
	d := x.typ.DType
	switch {
	case d == tensor.Bool:
		return first(c.and(c.negated(x), y))
	case c.fine(x, y):
		return c.fineLess(x, y), nil
	case y.owner == Public && d.IsSigned() && allZero(y.array()):
		return secret(c.Arith.Negative(c.op, c.share(x, 0))), nil
	case y.owner == Public:
		return secret(c.Arith.LessPublic(c.op, c.share(x, 0), y.array(), false)), nil
	case x.owner == Public:
		return secret(c.Arith.LessPublic(c.op, c.share(y, 0), x.array(), true)), nil
	case d.IsFloat() && (closed(x) || closed(y)) && (x.sec == nil || y.sec == nil):
		known, swapped := c.onGrid(y), x.sec == nil // a known operand is added locally, not shared
		if swapped {
			known, x = c.onGrid(x), y
		}
		return secret(c.Arith.LessLocal(c.op, x.sec, known.owner, func() *tensor.Array { return known.array() }, swapped)), nil
	}
	return secret(c.Arith.Less(c.op, c.share(x, 0), c.share(y, 0))), nil
}

// onGrid returns floats that one party knows, rounded as they are encoded.
func (c *opRun) onGrid(v *value) *value {
	if v.owner == Secret || v.sec != nil {
		return v
	}
	out := &value{typ: v.typ, owner: v.owner}
	if v.array() != nil {
		out.arr = tensor.FromFloats(v.typ.DType, v.typ.Shape, c.Arith.OnGrid(v.array()).Floats())
	}
	return out
}

// closed reports whether v is a secret that is not open.
func closed(v *value) bool { return v.sec != nil && !v.sec.S.Opened() }

// equal returns the bit x = y.
func (c *opRun) equal(x, y *value) (*value, error) {
	x, y, _ = ordered([]*value{x, y})
	if x.typ.DType == tensor.Bool {
		out, err := first(c.sum([]*value{x, y}))
		if err != nil {
			return nil, err
		}
		return c.negated(out), nil
	}
	if y.owner == Public && x.hot != nil {
		return x.hot.equal(c, y.array()), nil
	}
	if y.owner == Public {
		return secret(c.Arith.EqualPublic(c.op, c.share(x, 0), y.array())), nil
	}
	return secret(c.Arith.Equal(c.op, c.share(x, 0), c.share(y, 0))), nil
}

// withoutNaN sets elements that were compared with a public NaN: NaN is unequal to everything, and neither
// less nor greater.
func (c *opRun) withoutNaN(in []*value, out *value, to bool) *value {
	var ordered []bool
	for _, v := range in {
		if v.owner != Public || !v.typ.DType.IsFloat() {
			continue
		}
		if _, same := v.array().Uniform(); same {
			continue // one number, which is not NaN
		}
		for i, f := range v.array().Floats() {
			if math.IsNaN(f) {
				if ordered == nil {
					ordered = slices.Repeat([]bool{true}, out.typ.Shape.Size())
				}
				ordered[i] = false
			}
		}
	}
	if ordered == nil {
		return out
	}
	fill := make([]bool, len(ordered))
	for i, ok := range ordered {
		fill[i] = to && !ok
	}
	array := func(b []bool) *tensor.Array { return &tensor.Array{Type: out.typ, Data: b} }
	kept := c.Arith.MulPublic(c.op, out.sec, array(ordered))
	return secret(c.Arith.AddPublic(c.op, kept, array(fill)))
}

// pick returns x where p is true and y where it is false; p is secret or known to one party.
func (c *opRun) pick(p, x, y *value) ([]*value, error) {
	b := c.share(p, 0)
	if x.typ.DType.IsComplex() {
		re, im := c.parts(x)
		re2, im2 := c.parts(y)
		real, err := first(c.pick(p, re, re2))
		if err != nil {
			return nil, err
		}
		imag, err := first(c.pick(p, im, im2))
		return []*value{paired(x.typ.DType, real, imag)}, err
	}
	if c.fine(x, y) || c.smallProducts(x, y) {
		return one(c.Arith.SelectFine(c.op, b, c.fineShare(x), c.fineShare(y)))
	}
	in := []*value{x, y}
	if c.guarded() {
		for i, v := range in {
			if in[1-i].owner != Secret || v.owner != Public {
				continue
			}
			if f, ok := v.array().Uniform(); ok && f == 0 {
				if i == 0 {
					b = c.Arith.Not(c.op, b)
				}
				return one(c.keep(b, in[1-i].sec))
			}
		}
		xs := c.shareAll(in)
		return one(c.Arith.SelectGuarded(c.op, b, xs[0], xs[1]))
	}
	for i, v := range in {
		if in[1-i].owner == Public && v.sec != nil && v.typ.DType.IsFloat() {
			in[i] = secret(c.Arith.Selectable(c.op, v.sec)) // the masked value
		}
	}
	xs := c.shareAll(in)
	return one(c.Arith.Select(c.op, b, xs[0], xs[1]))
}

// extremeInt returns the larger, or the smaller if least, of two integers or booleans.
func (c *opRun) extremeInt(x, y *value, least bool) ([]*value, error) {
	if x.typ.DType == tensor.Bool {
		if least {
			return c.and(x, y)
		}
		return c.or(x, y)
	}
	below, err := c.less(x, y)
	if err != nil {
		return nil, err
	}
	if least {
		return c.pick(below, x, y)
	}
	return c.pick(below, y, x)
}

// sign returns [0 < x] − [x < 0] for floats, and 1 − [x = 0] − 2·[x < 0] for integers.
func sign(c *opRun, in []*value) ([]*value, error) {
	x := in[0].sec
	d := x.Type.DType
	if d.IsFloat() {
		zero := tensor.NewArray(x.Type)
		above, below := c.Arith.LessPublic(c.op, x, zero, true), c.Arith.LessPublic(c.op, x, zero, false)
		c.Arith.Open(c.op, above, below)
		return one(c.Arith.Combine(c.op, []int64{1, -1}, c.Arith.Number(c.op, above, d), c.Arith.Number(c.op, below, d)))
	}
	zero := c.Arith.EqualPublic(c.op, x, tensor.NewArray(x.Type))
	nonzero := c.Arith.Number(c.op, c.Arith.Not(c.op, zero), d)
	if !d.IsFloat() && !d.IsSigned() {
		return one(nonzero)
	}
	negative := c.Arith.Number(c.op, c.Arith.Negative(c.op, x), d)
	return one(c.Arith.Combine(c.op, []int64{1, -2}, nonzero, negative))
}

func allZero(a *tensor.Array) bool {
	for _, w := range a.Words() {
		if w != 0 {
			return false
		}
	}
	return true
}

// isFinite returns true: secrets have no other values.
func isFinite(c *opRun, in []*value) ([]*value, error) {
	t := c.o.Results[0].Type
	ok := make([]bool, t.Shape.Size())
	for i := range ok {
		ok[i] = true
	}
	return []*value{{typ: t, owner: Public, arr: &tensor.Array{Type: t, Data: ok}}}, nil
}

// convert converts between types. Between floats it changes nothing, booleans it opens, and from integers it
// is exact: it wraps around where the result is narrower.
func convert(c *opRun, in []*value) ([]*value, error) {
	x, t := in[0].sec, c.o.Results[0].Type
	d := x.Type.DType
	switch {
	case d.IsFloat() && t.DType.IsFloat() || d == t.DType:
		y := *x
		y.Type = t
		return one(&y)
	case t.DType == tensor.Bool:
		return one(c.Arith.Not(c.op, c.Arith.EqualPublic(c.op, x, tensor.NewArray(x.Type))))
	case d == tensor.Bool && !t.DType.IsComplex():
		out := secret(c.Arith.Number(c.op, x, t.DType))
		out.bits = x
		return []*value{out}, nil
	case d.IsInt() && !t.DType.IsComplex():
		return one(c.Arith.Integer(c.op, x, t.DType))
	case d.IsFloat() && t.DType.IsInt():
		return one(c.truncated(x, t.DType))
	}
	return nil, refuse(c.o, "from "+d.String()+" to "+t.DType.String()+" is not built yet for secrets", "")
}

func first(out []*value, err error) (*value, error) {
	if err != nil {
		return nil, err
	}
	return out[0], nil
}
