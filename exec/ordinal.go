package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// Floats are compared exactly, as the program's float type says, if no operation has computed with them as
// secrets: each operand is public, known to one party, or consists of elements of such values, copied by
// views, look-ups and selections. Parties then share the ordinals of what they know (package fxp), which are
// copied in the same way, and ordinals are compared. Fixed-point numbers are shared besides if another
// operation reads them.

// movement says that a float was copied from other values.
type movement struct {
	depth int // of copies, from a value that is no copy
	from  []*value
	// ordinals copies the ordinals of from.
	ordinals func(c *opRun, from []*fxp.Value) *fxp.Value
	// byBits says that ordinals can copy the ordinals' bits too (fxp.Arith.InputOrdinalBits). by describes how it copies secrets.
	byBits bool
	by     mpc.Copies
}

// movedBy returns the movement of a value that is copied from others; nil if the program compares no floats, or
// if an operation has computed one of the others as a secret.
func (x *run) movedBy(from []*value, ordinals func(c *opRun, from []*fxp.Value) *fxp.Value) *movement {
	if !from[0].typ.DType.IsFloat() || !x.comparesFloats() {
		return nil
	}
	m := &movement{depth: 1, from: from, ordinals: ordinals}
	for _, u := range from {
		if !u.hasOrdinals() || u.typ.DType != from[0].typ.DType {
			return nil
		}
		if u.moved != nil {
			m.depth = max(m.depth, u.moved.depth+1)
		}
	}
	if m.depth > maps.MaxSteps {
		return nil
	}
	return m
}

// movedByView is movedBy for a view of values laid end to end.
func (x *run) movedByView(v tensor.View, from []*value) *movement {
	m := x.movedBy(from, func(c *opRun, from []*fxp.Value) *fxp.Value { return c.Arith.ViewOrdinals(c.op, v, from...) })
	if m != nil {
		m.byBits = true
	}
	return m
}

// copies returns the operation's result of type t, a float that is copied from other values. If only
// comparisons read it, its fixed-point form is made when one of them asks for it.
func (c *opRun) copies(t tensor.Type, m *movement, number func(c *opRun) *fxp.Value) *value {
	if m == nil || !c.comparedOnly(c.o.Results[0], 0) {
		out := secret(number(c))
		out.moved = m
		return out
	}
	return c.laterNumber(t, m, number)
}

// laterNumber returns a float whose fixed-point form is made when an operation asks for it.
func (c *opRun) laterNumber(t tensor.Type, m *movement, number func(c *opRun) *fxp.Value) *value {
	o, s := c.o, c.scope
	return &value{typ: t, owner: Secret, moved: m, later: func(c *opRun) *fxp.Value {
		return number(&opRun{run: c.run, op: c.op, o: o, scope: s})
	}}
}

// maxCopies bounds the chain of copies between a value and the comparisons that read it.
const maxCopies = 16

// comparedOnly reports whether comparisons of floats, directly or through copies, are all that reads a value.
func (x *run) comparedOnly(v *hlo.Value, depth int) bool {
	if x.taken[v] || depth > maxCopies || len(x.readersOf(v)) == 0 {
		return false
	}
	for _, o := range x.readersOf(v) {
		if x.inPattern(o) {
			return false
		}
		copies := isView(o) && o.Name != hlo.OpScatter || o.Name == hlo.OpSelect && o.Operands[0] != v
		if o.Name != hlo.OpCompare && !(copies && len(o.Results) == 1 && x.comparedOnly(o.Results[0], depth+1)) {
			return false
		}
	}
	return true
}

// inPattern reports whether an operation is evaluated as part of a pattern.
func (x *run) inPattern(o *hlo.Op) bool {
	return x.Facts != nil && (x.Facts.Patterns.Skipped(o) || x.Facts.Patterns.At(o) != nil)
}

// readersOf returns the operations that read a value as an operand, or in a region unless they run it as a block.
func (x *run) readersOf(v *hlo.Value) []*hlo.Op {
	if x.readers == nil {
		x.readers = map[*hlo.Value][]*hlo.Op{}
		for o, u := range x.uses {
			for _, in := range o.Operands {
				x.readers[in] = append(x.readers[in], o)
			}
			if control[o.Name] == nil { // what its region reads
				for _, in := range u.captured {
					x.readers[in] = append(x.readers[in], o)
				}
			}
		}
	}
	return x.readers[v]
}

// comparesFloats reports whether the program has a comparison of floats.
func (x *run) comparesFloats() bool {
	if x.floatCompares == nil {
		x.floatCompares = new(bool)
		for o := range x.uses {
			if o.Name == hlo.OpCompare && o.Operands[0].Type.DType.IsFloat() {
				*x.floatCompares = true
			}
		}
	}
	return *x.floatCompares
}

// hasOrdinals reports whether a float's ordinals can be shared.
func (v *value) hasOrdinals() bool {
	return v.typ.DType.IsFloat() && (v.owner != Secret || v.moved != nil)
}

// compareOrdinals returns one of the bits x < y, y < x, x = y of two floats that have ordinals, or its negation;
// nil for another direction. NaN compares as in IEEE 754.
func (c *opRun) compareOrdinals(dir string, x, y *value) *value {
	nan := fxp.NaNAbove // of x; that of y is on the other side
	if dir == "GT" || dir == "GE" {
		nan = fxp.NaNBelow
	}
	var out *fxp.Value
	switch dir {
	case "LT", "GE":
		out = c.lessOrdinals(x, y, nan)
	case "GT", "LE":
		out = c.lessOrdinals(y, x, !nan)
	case "EQ", "NE":
		byBits := c.comparesByBits(x, y, nan, true)
		out = c.Arith.EqualOrdinals(c.op, c.ordinals(x, nan, byBits), c.ordinals(y, !nan, byBits))
	default:
		return nil
	}
	if dir == "GE" || dir == "LE" || dir == "NE" {
		out = c.Arith.Not(c.op, out)
	}
	return secret(out)
}

// lessOrdinals returns the bit x < y; nan is the place of x's NaN.
func (c *opRun) lessOrdinals(x, y *value, nan fxp.NaN) *fxp.Value {
	byBits := c.comparesByBits(x, y, nan, false)
	if y.owner == Public && !byBits {
		if v, ok := y.array().Uniform(); ok {
			return c.Arith.LessOrdinal(c.op, c.ordinals(x, nan, false), v, x.typ.DType, !nan, false)
		}
	}
	if x.owner == Public && !byBits {
		if v, ok := x.array().Uniform(); ok {
			return c.Arith.LessOrdinal(c.op, c.ordinals(y, !nan, false), v, x.typ.DType, nan, true)
		}
	}
	return c.Arith.LessOrdinals(c.op, c.ordinals(x, nan, byBits), c.ordinals(y, !nan, byBits))
}

// comparesByBits reports whether x < y, or x = y, is to be a comparison of the ordinals' bits: operands were looked up at
// secret places, and that costs less, what is there already considered.
func (c *opRun) comparesByBits(x, y *value, nan fxp.NaN, equal bool) bool {
	forms, ok := mpc.As[mpc.BitForms](c.Arith.P)
	if !ok {
		return false
	}
	copies := func(byBits bool) (of mpc.Copies, possible bool) {
		type place struct {
			v   *value
			nan fxp.NaN
		}
		seen := map[place]bool{}
		var walk func(v *value, nan fxp.NaN) bool
		walk = func(v *value, nan fxp.NaN) bool {
			if v.owner != Secret || *v.ordinalsOf(nan, byBits) != nil || seen[place{v, nan}] {
				return true
			}
			seen[place{v, nan}] = true
			of.Lookups, of.Selected = append(of.Lookups, v.moved.by.Lookups...), of.Selected+v.moved.by.Selected
			return (v.moved.byBits || !byBits) && !slices.ContainsFunc(v.moved.from, func(u *value) bool { return !walk(u, nan) })
		}
		possible = walk(x, nan) && walk(y, !nan)
		return of, possible
	}
	asBits, possible := copies(true)
	if !possible {
		return false
	}
	asNumbers, _ := copies(false)
	return len(asNumbers.Lookups) > 0 && forms.ComparesByBits(c.op, mpc.BitComparison{
		N: x.typ.Shape.Size(), Width: fxp.OrdinalBits(x.typ.DType), Equal: equal, AsNumbers: asNumbers, AsBits: asBits,
	})
}

// ordinalsOf returns where the ordinals of a value are memoised, or their bits.
func (v *value) ordinalsOf(nan fxp.NaN, byBits bool) **fxp.Value {
	at := 0
	if nan == fxp.NaNAbove {
		at = 1
	}
	if byBits {
		return &v.ordinalBits[at]
	}
	return &v.ordinals[at]
}

// ordinals returns the ordinals of a float that has them, as numbers or by their bits. A party shares those of the values with the fewest
// elements from which the value was copied, once for each place of NaN and each form.
func (c *opRun) ordinals(v *value, nan fxp.NaN, byBits bool) *fxp.Value {
	memo := v.ordinalsOf(nan, byBits)
	switch {
	case v.owner == Public && byBits:
		return c.Arith.PublicOrdinalBits(c.op, v.array(), nan)
	case v.owner == Public:
		return c.Arith.PublicOrdinals(c.op, v.array(), nan)
	case *memo != nil:
		return *memo
	case v.owner != Secret:
		roots, _ := maps.Cut([]*value{v}, func(v *value) maps.Node[*value] {
			n := maps.Node[*value]{Free: v.owner == Public || *v.ordinalsOf(nan, byBits) != nil, Size: v.typ.Shape.Size()}
			if v.moved != nil {
				n.Depth, n.From = v.moved.depth, v.moved.from
			}
			return n
		})
		input := c.Arith.InputOrdinals
		if byBits {
			input = c.Arith.InputOrdinalBits
		}
		for _, r := range roots {
			*r.ordinalsOf(nan, byBits) = input(c.op, r.owner, r.typ, nan, func() *tensor.Array { return r.array() })
		}
	}
	if *memo == nil {
		xs := make([]*fxp.Value, len(v.moved.from))
		for i, u := range v.moved.from {
			xs[i] = c.ordinals(u, nan, byBits)
		}
		*memo = v.moved.ordinals(c, xs)
	}
	return *memo
}

// numbers makes the fixed-point form of secrets that have none yet.
func (c *opRun) numbers(in []*value) {
	for _, v := range in {
		if v.later != nil {
			c.share(v, 0)
		}
	}
}

// choosePrivate is select by a predicate that is not public.
func (c *opRun) choosePrivate(in []*value) ([]*value, error) {
	if rows := in[1].owned; rows != nil && in[1].later != nil {
		if out := rows.chosen(c, in[0], in[2]); out != nil {
			return []*value{out}, nil
		}
	}
	if out := c.selectOuter(in); out != nil {
		return []*value{out}, nil
	}
	m := c.movedBy(in[1:], func(c *opRun, xs []*fxp.Value) *fxp.Value {
		return c.Arith.SelectOrdinals(c.op, c.share(in[0], 0), xs[0], xs[1])
	})
	if m != nil {
		m.byBits, m.by.Selected = true, c.o.Results[0].Type.Shape.Size()
	}
	if m == nil || !c.comparedOnly(c.o.Results[0], 0) {
		c.numbers(in)
		out, err := c.pick(in[0], in[1], in[2])
		if err == nil {
			out[0].moved = m
		}
		return out, err
	}
	return []*value{c.laterNumber(c.o.Results[0].Type, m, func(c *opRun) *fxp.Value {
		c.numbers(in)
		out, err := c.pick(in[0], in[1], in[2])
		if err != nil {
			panic(err) // of complex numbers only
		}
		return out[0].sec
	})}, nil
}
