package grad

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// extreme is OpMaximum or OpMinimum if a reduction or window of one operand is one, OpAdd for a sum, else another name
// or "".
func extreme(o *hlo.Op) string {
	if len(o.Operands) != 2 {
		return ""
	}
	return algo.Reducer(o.Regions[0])
}

// reduceBack: a sum's cotangent is repeated; that of a maximum goes to the elements that are equal to it, in equal
// parts. Other reductions are written as a tree of elementwise operations.
func reduceBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	axes := o.Attrs.Ints("dimensions")
	x := o.Operands[0]
	switch extreme(o) {
	case hlo.OpAdd:
		if r.wants(x) {
			r.give(x, r.along(ct[0], axes, x.Type.Shape))
		}
		if init := o.Operands[1]; r.wants(init) {
			r.give(init, r.total(ct[0], count(len(ct[0].Type.Shape))))
		}
	case hlo.OpMaximum, hlo.OpMinimum:
		if r.wants(o.Operands[1]) {
			r.refuse(o, "is not differentiable in its initial value", "pass a constant, and take the maximum with the value afterwards")
		}
		hit := r.compare("EQ", x, r.along(o.Results[0], axes, x.Type.Shape))
		ones := r.convert(hit, x.Type.DType)
		part := r.div(ct[0], r.total(ones, axes))
		r.give(x, r.where(hit, r.along(part, axes, x.Type.Shape)))
	default:
		r.through(o, ct, r.tree(o))
	}
}

func reduceFore(f *forward, o *hlo.Op) []*hlo.Value {
	axes := o.Attrs.Ints("dimensions")
	x := o.Operands[0]
	switch extreme(o) {
	case hlo.OpAdd:
		return linearFore(f, o)
	case hlo.OpMaximum, hlo.OpMinimum:
		if f.dot[o.Operands[1]] != nil {
			f.refuse(o, "is not differentiable in its initial value", "pass a constant, and take the maximum with the value afterwards")
		}
		hit := f.compare("EQ", x, f.along(o.Results[0], axes, x.Type.Shape))
		sum := f.total(f.where(hit, f.dot[x]), axes)
		return []*hlo.Value{f.div(sum, f.total(f.convert(hit, x.Type.DType), axes))}
	}
	return f.through(o, f.tree(o))
}

// expansion is what an operation does, in operations that have rules.
type expansion struct {
	ops     []*hlo.Op
	results []*hlo.Value
}

// through differentiates an expansion of o in o's place.
func (r *reverse) through(o *hlo.Op, ct []*hlo.Value, e expansion) {
	r.ops = append(r.ops, e.ops...)
	r.c.varyIn(e.ops)
	for i, v := range e.results {
		r.give(v, ct[i])
	}
	r.sweep(e.ops)
	r.at = o
}

// expand writes an expansion.
func (w *writer) expand(body func(in *writer) []*hlo.Value) expansion {
	in := &writer{c: w.c, at: w.at}
	out := body(in)
	return expansion{in.ops, out}
}

// tree writes a reduction as a tree: the elements along the reduced dimensions are halved until one is left.
func (w *writer) tree(o *hlo.Op) expansion {
	n := len(o.Operands) / 2
	axes := o.Attrs.Ints("dimensions")
	shape := o.Operands[0].Type.Shape
	kept := without(len(shape), axes)
	size := 1
	for _, d := range axes {
		size *= shape[d]
	}
	return w.expand(func(in *writer) []*hlo.Value {
		xs := make([]*hlo.Value, n)
		out := o.Results[0].Type.Shape
		flatShape := append(out.Clone(), size)
		for i, v := range o.Operands[:n] {
			xs[i] = in.reshape(in.transpose(v, slices.Concat(kept, slices.Sorted(slices.Values(axes)))), flatShape)
		}
		last := len(out)
		for size > 1 {
			half := size / 2
			var left, right, rest []*hlo.Value
			for _, x := range xs {
				left, right = append(left, in.part(x, last, 0, half)), append(right, in.part(x, last, half, 2*half))
				if size%2 == 1 {
					rest = append(rest, in.part(x, last, 2*half, size))
				}
			}
			xs = in.lifted(o, o.Regions[0], slices.Concat(left, right))
			for i := range rest {
				xs[i] = in.one(hlo.OpConcatenate, hlo.Attrs{"dimension": int64(last)}, xs[i], rest[i])
			}
			size = half + size%2
		}
		inits := make([]*hlo.Value, n)
		for i, v := range o.Operands[n:] {
			inits[i] = in.broadcast(v, nil, out)
		}
		if size == 0 {
			return inits
		}
		for i := range xs {
			xs[i] = in.reshape(xs[i], out)
		}
		return in.lifted(o, o.Regions[0], slices.Concat(inits, xs))
	})
}

// lifted writes a region over scalars as operations on tensors.
func (w *writer) lifted(o *hlo.Op, b *hlo.Block, args []*hlo.Value) []*hlo.Value {
	if !algo.Liftable(b) {
		w.refuse(o, "has a region that is not elementwise, whose derivative is not known", "write the region with elementwise operations")
	}
	values := map[*hlo.Value]*hlo.Value{}
	var shape tensor.Shape
	for i, p := range b.Params {
		values[p], shape = args[i], args[i].Type.Shape
	}
	of := func(v *hlo.Value) *hlo.Value {
		if values[v] == nil { // from outside of the region
			values[v] = w.broadcast(v, nil, shape)
		}
		return values[v]
	}
	for _, in := range b.Ops[:len(b.Ops)-1] {
		operands := make([]*hlo.Value, len(in.Operands))
		for i, v := range in.Operands {
			operands[i] = of(v)
		}
		switch {
		case in.Name == hlo.OpConstant:
			c, _ := in.Constant()
			values[in.Results[0]] = w.broadcast(w.constant(c.Array()), nil, shape)
		case in.Callee != nil:
			for i, v := range w.lifted(o, in.Callee.Body, operands) {
				values[in.Results[i]] = v
			}
		case in.Is(hlo.Moving) || in.Name == hlo.OpOptimizationBarrier:
			for i, v := range in.Results {
				values[v] = operands[i]
			}
		default:
			t := tensor.Type{DType: in.Results[0].Type.DType, Shape: shape}
			values[in.Results[0]] = w.typed(in.Name, t, in.Attrs, operands...)
		}
	}
	out := make([]*hlo.Value, len(b.Return().Operands))
	for i, v := range b.Return().Operands {
		out[i] = of(v)
	}
	return out
}

// mapExpansion is the expansion of map.
func mapExpansion(w *writer, o *hlo.Op) expansion {
	return w.expand(func(in *writer) []*hlo.Value { return in.lifted(o, o.Regions[0], o.Operands) })
}
