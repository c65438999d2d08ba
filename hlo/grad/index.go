package grad

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// limits returns the largest start of a window along each indexed dimension.
func limits(table tensor.Shape, sizes []int, indexed []int) []int {
	out := make([]int, len(indexed))
	for i, d := range indexed {
		out[i] = table[d] - sizes[d]
	}
	return out
}

// inRange reports whether indices are known to lie between 0 and the limits.
func (w *writer) inRange(indices *hlo.Value, most []int) bool {
	if len(most) == 0 {
		return true
	}
	lo, hi := w.c.ranges.Of(indices)
	return lo >= 0 && hi <= float64(slices.Min(most))
}

// spreadLimits is the tensor of limits for each element of indices.
func (w *writer) spreadLimits(indices *hlo.Value, most []int, vector int) *hlo.Value {
	words := make([]uint64, len(most))
	for i, n := range most {
		words[i] = uint64(n)
		if k := highest(indices.Type.DType); indices.Type.DType.IsSigned() && float64(n) > k {
			words[i] = uint64(k) // no index is larger
		}
	}
	s := indices.Type.Shape
	if vector == len(s) {
		one := w.constant(tensor.FromWords(indices.Type.DType, tensor.Shape{}, words))
		return w.broadcast(one, nil, s)
	}
	return w.broadcast(w.constant(tensor.FromWords(indices.Type.DType, tensor.Shape{len(most)}, words)), []int{vector}, s)
}

// clamped are indices as gather takes them: moved to where the window lies within the table.
func (w *writer) clamped(indices *hlo.Value, most []int, vector int) *hlo.Value {
	if w.inRange(indices, most) {
		return indices
	}
	return w.one(hlo.OpClamp, nil, w.zeros(indices.Type), indices, w.spreadLimits(indices, most, vector))
}

// gatherBack adds the cotangents at the places from which elements were taken.
func gatherBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	d := o.Attrs["dimension_numbers"].(*hlo.GatherDims)
	x, indices := o.Operands[0], o.Operands[1]
	if x.Type.Shape.Size() == 0 {
		return
	}
	most := limits(x.Type.Shape, o.Attrs.Ints("slice_sizes"), d.StartIndexMap)
	at := r.clamped(indices, most, d.IndexVectorDim)
	r.give(x, r.scatter(hlo.OpAdd, r.zeros(x.Type), at, ct[0], scatterOf(d), hlo.Attrs{"indices_are_sorted": o.Attrs["indices_are_sorted"]}))
}

// scatterOf are the dimension numbers of the scatter that undoes a gather, gatherOf those of the inverse.
func scatterOf(d *hlo.GatherDims) *hlo.ScatterDims {
	return &hlo.ScatterDims{UpdateWindowDims: d.OffsetDims, InsertedWindowDims: d.CollapsedSliceDims, InputBatchingDims: d.OperandBatchingDims,
		ScatterIndicesBatchingDims: d.StartIndicesBatchingDims, ScatterDimsToOperandDims: d.StartIndexMap, IndexVectorDim: d.IndexVectorDim}
}

func gatherOf(d *hlo.ScatterDims) *hlo.GatherDims {
	return &hlo.GatherDims{OffsetDims: d.UpdateWindowDims, CollapsedSliceDims: d.InsertedWindowDims, OperandBatchingDims: d.InputBatchingDims,
		StartIndicesBatchingDims: d.ScatterIndicesBatchingDims, StartIndexMap: d.ScatterDimsToOperandDims, IndexVectorDim: d.IndexVectorDim}
}

// scatter combines updates with x at indices.
func (w *writer) scatter(combine string, x, indices, updates *hlo.Value, d *hlo.ScatterDims, more hlo.Attrs) *hlo.Value {
	attrs := hlo.Attrs{"scatter_dimension_numbers": d}
	for name, v := range more {
		if v != nil {
			attrs[name] = v
		}
	}
	body := w.combiner(hlo.OpAdd, x.Type.DType)
	if combine == "" {
		s := scalar(x.Type.DType)
		body = w.region([]tensor.Type{s, s}, func(_ *writer, p []*hlo.Value) []*hlo.Value { return p[1:] })
	}
	return w.emit(hlo.OpScatter, nil, attrs, []*hlo.Block{body}, x, indices, updates)[0]
}

// scattered describes a scatter for its derivative.
type scattered struct {
	x, indices, updates *hlo.Value
	dims                *hlo.ScatterDims
	sizes               []int  // of the windows, by dimension of x
	combine             string // operation that combines, "" where updates replace
	attrs               hlo.Attrs
	unique              bool
}

func (w *writer) scatterAt(o *hlo.Op) scattered {
	if len(o.Operands) != 3 {
		w.refuse(o, "scatters several tensors together, whose derivative is not known", "scatter one tensor after the other")
	}
	d := o.Attrs["scatter_dimension_numbers"].(*hlo.ScatterDims)
	s := scattered{x: o.Operands[0], indices: o.Operands[1], updates: o.Operands[2], dims: d,
		attrs:  hlo.Attrs{"indices_are_sorted": o.Attrs["indices_are_sorted"], "unique_indices": o.Attrs["unique_indices"]},
		unique: o.Attrs.Bool("unique_indices")}
	next := 0
	for i := range s.x.Type.Shape {
		if slices.Contains(d.InsertedWindowDims, i) || slices.Contains(d.InputBatchingDims, i) {
			s.sizes = append(s.sizes, 1)
			continue
		}
		s.sizes = append(s.sizes, s.updates.Type.Shape[d.UpdateWindowDims[next]])
		next++
	}
	b := o.Regions[0]
	switch {
	case algo.Reducer(b) == hlo.OpAdd:
		s.combine = hlo.OpAdd
	case len(b.Ops) == 1 && b.Ops[0].Operands[0] == b.Params[1]:
	case algo.Reducer(b) == hlo.OpMultiply && s.unique:
		s.combine = hlo.OpMultiply
	default:
		w.refuse(o, "combines elements in a way whose derivative is not known",
			"combine by add, replace elements, or multiply at indices that are unique (unique_indices = true)")
	}
	return s
}

// taken are the elements of v at the places to which updates go, 0 for updates that are dropped.
func (w *writer) taken(s scattered, v *hlo.Value) *hlo.Value {
	if s.updates.Type.Shape.Size() == 0 {
		return w.zeros(tensor.Type{DType: v.Type.DType, Shape: s.updates.Type.Shape})
	}
	g := w.one(hlo.OpGather, hlo.Attrs{"dimension_numbers": gatherOf(s.dims), "slice_sizes": list(s.sizes),
		"indices_are_sorted": s.attrs["indices_are_sorted"]}, v, s.indices)
	most := limits(s.x.Type.Shape, s.sizes, s.dims.ScatterDimsToOperandDims)
	if w.inRange(s.indices, most) {
		return g
	}
	ok := w.compare("LE", s.indices, w.spreadLimits(s.indices, most, s.dims.IndexVectorDim))
	if s.indices.Type.DType.IsSigned() {
		ok = w.one(hlo.OpAnd, nil, w.compare("GE", s.indices, w.zeros(s.indices.Type)), ok)
	}
	if s.dims.IndexVectorDim < len(s.indices.Type.Shape) {
		yes := w.number(scalar(tensor.Bool), 1)
		ok = w.reduce(hlo.OpAnd, ok, yes, []int{s.dims.IndexVectorDim})
	}
	rank := len(s.updates.Type.Shape)
	return w.where(w.broadcast(ok, without(rank, s.dims.UpdateWindowDims), s.updates.Type.Shape), g)
}

// winners reports which updates are in the result of a scatter that replaces elements: if several go to one place, one
// of them is. A scatter of the updates' numbers tells which.
func (w *writer) winners(s scattered) *hlo.Value {
	t := tensor.Type{DType: tensor.I32, Shape: tensor.Shape{s.updates.Type.Shape.Size()}}
	ids := w.reshape(w.one(hlo.OpAdd, nil, w.iota(t, 0), w.number(t, 1)), s.updates.Type.Shape)
	zeros := w.zeros(tensor.Type{DType: tensor.I32, Shape: s.x.Type.Shape})
	last := w.scatter("", zeros, s.indices, ids, s.dims, s.attrs)
	return w.compare("EQ", w.taken(s, last), ids)
}

func scatterBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	s, t := r.scatterAt(o), ct[0]
	switch s.combine {
	case hlo.OpAdd:
		r.give(s.x, t)
		if r.wants(s.updates) {
			r.give(s.updates, r.taken(s, t))
		}
	case hlo.OpMultiply:
		if r.wants(s.x) {
			k := hlo.NewCopier()
			r.give(s.x, r.emit(o.Name, nil, o.Attrs, []*hlo.Block{k.Block(o.Regions[0])}, t, s.indices, s.updates)[0])
		}
		if r.wants(s.updates) {
			r.give(s.updates, r.taken(s, r.mul(t, s.x)))
		}
	default:
		if r.wants(s.x) {
			r.give(s.x, r.scatter("", t, s.indices, r.zeros(s.updates.Type), s.dims, s.attrs))
		}
		if r.wants(s.updates) {
			g := r.taken(s, t)
			if !s.unique && s.updates.Type.Shape.Size() > 1 {
				g = r.where(r.winners(s), g)
			}
			r.give(s.updates, g)
		}
	}
}

func scatterFore(f *forward, o *hlo.Op) []*hlo.Value {
	s := f.scatterAt(o)
	dx, du := f.orZeros(f.dot[s.x], s.x.Type), f.orZeros(f.dot[s.updates], s.updates.Type)
	switch s.combine {
	case hlo.OpAdd:
		return []*hlo.Value{f.scatter(hlo.OpAdd, dx, s.indices, du, s.dims, s.attrs)}
	case hlo.OpMultiply:
		k := hlo.NewCopier()
		first := f.emit(o.Name, nil, o.Attrs, []*hlo.Block{k.Block(o.Regions[0])}, dx, s.indices, s.updates)[0]
		at := f.mul(f.taken(s, s.x), du)
		return []*hlo.Value{f.add(first, f.scatter(hlo.OpAdd, f.zeros(s.x.Type), s.indices, at, s.dims, s.attrs))}
	}
	if s.unique || s.updates.Type.Shape.Size() <= 1 {
		return []*hlo.Value{f.scatter("", dx, s.indices, du, s.dims, s.attrs)}
	}
	base := f.scatter("", dx, s.indices, f.zeros(s.updates.Type), s.dims, s.attrs)
	return []*hlo.Value{f.scatter(hlo.OpAdd, base, s.indices, f.where(f.winners(s), du), s.dims, hlo.Attrs{"indices_are_sorted": s.attrs["indices_are_sorted"]})}
}

// topKBack puts the cotangents of the largest values at their indices.
func topKBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x, indices := o.Operands[0], o.Results[1]
	if x.Type.Shape.Size() == 0 || indices.Type.Shape.Size() == 0 {
		return
	}
	r.give(x, r.scatter(hlo.OpAdd, r.zeros(x.Type), indices, ct[0], scatterOf(alongLast(len(x.Type.Shape))), hlo.Attrs{"unique_indices": true}))
}

func topKFore(f *forward, o *hlo.Op) []*hlo.Value {
	return []*hlo.Value{f.takeAlong(f.dot[o.Operands[0]], o.Results[1]), nil}
}

// takeAlong are the elements of v at indices along the last dimension.
func (w *writer) takeAlong(v, indices *hlo.Value) *hlo.Value {
	n := len(v.Type.Shape)
	return w.one(hlo.OpGather, hlo.Attrs{"dimension_numbers": alongLast(n), "slice_sizes": list(slices.Repeat([]int{1}, n))}, v, indices)
}

// alongLast are the dimension numbers of a gather of single elements along the last of n dimensions; the other
// dimensions are batches. The indices have as many dimensions.
func alongLast(n int) *hlo.GatherDims {
	return &hlo.GatherDims{CollapsedSliceDims: []int{n - 1}, OperandBatchingDims: count(n - 1), StartIndicesBatchingDims: count(n - 1),
		StartIndexMap: []int{n - 1}, IndexVectorDim: n}
}
