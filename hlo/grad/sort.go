package grad

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// places returns, for each element of a sort's results, the index that it had before, along the sorted dimension. A
// sort that carries no indices is changed to carry them, so that it is done once.
func (w *writer) places(o *hlo.Op) *hlo.Value {
	d := o.Attrs.Int("dimension", 0)
	for i, v := range o.Operands {
		if c := w.c.def[v]; c != nil && c.Name == hlo.OpIota && c.Attrs.Int("iota_dimension", -1) == d && v.Type.DType.IsInt() {
			return o.Results[i]
		}
	}
	t := tensor.Type{DType: tensor.I32, Shape: o.Operands[0].Type.Shape}
	in := &writer{c: w.c, at: o}
	o.Operands = append(slices.Clone(o.Operands), in.iota(t, d))
	w.c.before[o] = append(w.c.before[o], in.ops...)
	s := scalar(tensor.I32)
	o.Regions[0].Params = append(o.Regions[0].Params, &hlo.Value{Type: s, Pos: o.Pos}, &hlo.Value{Type: s, Pos: o.Pos})
	v := &hlo.Value{Type: t, Pos: o.Pos}
	o.Results = append(slices.Clone(o.Results), v)
	w.c.def[v] = o
	return v
}

// sortBack sorts the cotangents by the places that the elements had.
func sortBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	given := slices.Clone(ct)
	operands := slices.Clone(o.Operands)
	at := r.places(o)
	keys := []*hlo.Value{at}
	var to []*hlo.Value
	for i, c := range given {
		if c != nil && r.wants(operands[i]) {
			keys, to = append(keys, c), append(to, operands[i])
		}
	}
	sorted := r.sortBy(keys, o.Attrs.Int("dimension", 0))
	for i, v := range to {
		r.give(v, sorted[i+1])
	}
}

// sortBy sorts tensors by the first of them, integers that differ.
func (w *writer) sortBy(xs []*hlo.Value, d int) []*hlo.Value {
	var params []tensor.Type
	for _, x := range xs {
		params = append(params, scalar(x.Type.DType), scalar(x.Type.DType))
	}
	less := w.region(params, func(in *writer, p []*hlo.Value) []*hlo.Value { return []*hlo.Value{in.compare("LT", p[0], p[1])} })
	return w.emit(hlo.OpSort, nil, hlo.Attrs{"dimension": int64(d), "is_stable": false}, []*hlo.Block{less}, xs...)
}

// sortFore moves tangents as the sort moved elements.
func sortFore(f *forward, o *hlo.Op) []*hlo.Value {
	operands := slices.Clone(o.Operands)
	at := f.places(o)
	d, n := o.Attrs.Int("dimension", 0), len(at.Type.Shape)
	perm := append(slices.Delete(count(n), d, d+1), d) // the sorted dimension last
	out := make([]*hlo.Value, len(o.Results))
	for i, v := range operands {
		if t := f.dot[v]; t != nil {
			out[i] = f.transpose(f.takeAlong(f.transpose(t, perm), f.transpose(at, perm)), inverse(perm))
		}
	}
	return out
}
