package build

import (
	"maps"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Region is a Go function that builds a region of an operation. It gets the region's parameters and returns the
// region's results.
type Region func(params []Value) []Value

// Op builds the operation of the given full name, such as "stablehlo.sort" or
// "chlo.erf", and returns its results. Attributes have the names and Go types
// that hlo.Attrs documents; Go's int, []int and float32 stand for int64, []int64
// and float64. Attributes with defaults may be missing. The callee of func.call
// and the decomposition of stablehlo.composite are given by name.
//
// Operations whose result types do not follow from the rest (stablehlo.convert,
// iota, reshape, broadcast_in_dim, …) need TypedOp.
//
// An operation with a second form, such as chlo.broadcast_add, is built in its canonical form.
//
// After a mistake Op returns zero Values, as many as the operation may have.
func (b *Builder) Op(name string, operands []Value, attrs hlo.Attrs, regions ...Region) []Value {
	return b.op(name, nil, operands, attrs, regions)
}

// TypedOp is Op with the types of the results given. They are checked against the rules for the operation.
func (b *Builder) TypedOp(name string, results []tensor.Type, operands []Value, attrs hlo.Attrs, regions ...Region) []Value {
	return b.op(name, results, operands, attrs, regions)
}

// op builds an operation.
func (b *Builder) op(name string, results []tensor.Type, operands []Value, attrs hlo.Attrs, regions []Region) []Value {
	const most = 3 // results that an operation may have beyond its operands
	failed := make([]Value, max(most, len(results), len(operands)))
	if !b.writable() {
		return failed
	}
	if name == hlo.OpFuncReturn || name == hlo.OpReturn {
		b.failIn(name, "is written by this package", "call Return, or return values from the Go function that builds a region")
		return failed
	}
	vs := b.use(operands)
	if b.m.err != nil {
		return failed
	}
	s := caller()
	o := &hlo.Op{Name: name, Operands: vs, Attrs: plainAttrs(attrs), Pos: s.pos()}
	for _, t := range results {
		o.Results = append(o.Results, &hlo.Value{Type: tensor.Type{DType: t.DType, Shape: append(tensor.Shape{}, t.Shape...)}})
	}
	if !b.checkAttrs(name, o.Attrs) || !b.callee(o) || !b.regions(o, regions) {
		return failed
	}
	o.Loc = b.path(o)
	if err := o.Infer(); err != nil {
		b.failRule(name, err)
		return failed
	}
	b.at.Ops = append(b.at.Ops, o.Canonical()...)
	out := make([]Value, len(o.Results))
	for i, v := range o.Results {
		v.Pos = o.Pos
		out[i] = Value{v, b.at, o.Name == hlo.OpConstant}
	}
	return out
}

// one builds an operation of one result.
func (b *Builder) one(name string, attrs hlo.Attrs, operands ...Value) Value {
	return b.op(name, nil, operands, attrs, nil)[0]
}

// typed builds an operation of one result of type t.
func (b *Builder) typed(name string, t tensor.Type, attrs hlo.Attrs, operands ...Value) Value {
	return b.op(name, []tensor.Type{t}, operands, attrs, nil)[0]
}

// callee finds the function that an operation names.
func (b *Builder) callee(o *hlo.Op) bool {
	name, ok := o.Attrs["callee"].(string)
	if o.Name == hlo.OpComposite {
		name, ok = o.Attrs["decomposition"].(string)
	} else if o.Name != hlo.OpCall {
		return true
	}
	for _, f := range b.m.funcs {
		if ok && f.fn.Name == name {
			return b.calls(o, f)
		}
	}
	if ok { // else the registry says that the attribute is missing
		b.failIn(o.Name, "there is no function "+name, "begin it with Func")
	}
	return !ok
}

// calls has an operation call a function that has returned.
func (b *Builder) calls(o *hlo.Op, f *Builder) bool {
	if !f.returned {
		b.failIn(o.Name, "function "+f.fn.Name+" has not returned", "finish it with Return first; loops are written with While, not with recursion")
		return false
	}
	o.Callee = f.fn
	return true
}

// regions builds an operation's regions.
func (b *Builder) regions(o *hlo.Op, regions []Region) bool {
	if len(regions) == 0 {
		return true
	}
	params, err := o.RegionParams()
	if err != nil {
		b.failRule(o.Name, err)
		return false
	}
	control := o.Is(hlo.Control)
	for _, r := range regions {
		block := b.region(params, control, r)
		if b.m.err != nil {
			return false
		}
		o.Regions = append(o.Regions, block)
	}
	return true
}

// mostRegions bounds how deep regions may be nested, so that Parse reads what
// is printed.
const mostRegions = 48

// region builds one region, of a loop or branch if control is true.
func (b *Builder) region(params []tensor.Type, control bool, body Region) *hlo.Block {
	if body == nil {
		b.fail("the Go function of a region is nil", "pass the function that builds the region")
		return nil
	}
	in := &block{Block: &hlo.Block{}, b: b, outer: b.at, depth: b.at.depth + 1, scoped: b.at.scoped && control, alone: !control}
	if in.depth > mostRegions {
		b.fail("regions are nested too deep", "put inner ones into functions")
		return nil
	}
	pos := caller().pos()
	args := make([]Value, len(params))
	for i, t := range params {
		v := &hlo.Value{Type: t, Pos: pos}
		in.Params = append(in.Params, v)
		args[i] = Value{v: v, in: in}
	}
	b.at = in
	defer func() { b.at, in.closed = in.outer, true }()
	vs := b.use(body(args))
	in.Ops = append(in.Ops, &hlo.Op{Name: hlo.OpReturn, Operands: vs, Attrs: hlo.Attrs{}, Pos: pos})
	return in.Block
}

// plainAttrs is a copy with the Go types that hlo.Attrs documents.
func plainAttrs(attrs hlo.Attrs) hlo.Attrs {
	out := make(hlo.Attrs, len(attrs))
	maps.Copy(out, attrs)
	for name, v := range out {
		switch v := v.(type) {
		case int:
			out[name] = int64(v)
		case []int:
			out[name] = ints(v)
		case float32:
			out[name] = float64(v)
		}
	}
	return out
}

// ints is a list of integers as attributes have it.
func ints(list []int) []int64 {
	out := make([]int64, len(list))
	for i, x := range list {
		out[i] = int64(x)
	}
	return out
}
