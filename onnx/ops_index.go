package onnx

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var indexOps = map[string]operation{
	".Slice":           {build: slice, known: []int{1, 2, 3, 4}},
	".Gather":          {build: gather},
	".GatherElements":  {build: gatherElements},
	".GatherND":        {build: gatherND},
	".Scatter":         {build: scatterElements},
	".ScatterElements": {build: scatterElements},
	".ScatterND":       {build: scatterND},
	".OneHot":          {build: oneHot, known: []int{1}},
	".TopK":            {build: topK, known: []int{1}},
	".Compress":        {build: compress, known: []int{1}},
	".NonZero":         {build: nonZero, known: []int{0}},
	".ReverseSequence": {build: reverseSequence, known: []int{1}},
	".TensorScatter":   {build: tensorScatter},
}

func slice(x *node) []*value {
	b, s := x.b, x.shape(0)
	starts, ends, axes, steps := x.ints("starts"), x.ints("ends"), x.ints("axes"), []int(nil)
	for i, to := range []*[]int{nil, &starts, &ends, &axes, &steps} {
		if i > 0 && x.has(i) {
			*to = x.numbers(i)
		}
	}
	if axes == nil {
		for i := range starts {
			axes = append(axes, i)
		}
	}
	axes = x.axes(axes, len(s))
	if steps == nil {
		steps = slices.Repeat([]int{1}, len(axes))
	}
	if len(starts) != len(axes) || len(ends) != len(axes) || len(steps) != len(axes) {
		x.fail("the file is damaged", "starts, ends, axes and steps are not as many")
	}
	from, to, by := make([]int, len(s)), slices.Clone(s), slices.Repeat([]int{1}, len(s))
	var reversed []int
	for i, a := range axes {
		n, step := s[a], steps[i]
		if step == 0 {
			x.fail("the file is damaged", "a step is 0")
		}
		start, end := starts[i], ends[i]
		if start < 0 {
			start += n
		}
		if end < 0 {
			end += n
		}
		if step > 0 {
			start, end = max(0, min(n, start)), max(0, min(n, end))
			from[a], to[a], by[a] = start, max(start, end), step
			continue
		}
		// The same elements in ascending order, reversed afterwards.
		start, end = max(-1, min(n-1, start)), max(-1, min(n-1, end))
		count := max(0, (start-end-step-1)/-step)
		reversed = append(reversed, a)
		if count == 0 {
			from[a], to[a] = 0, 0
			continue
		}
		from[a], to[a], by[a] = start+(count-1)*step, start+1, -step
	}
	for i := range by {
		by[i] = min(by[i], max(1, s[i]))
	}
	v := b.StridedSlice(x.v(0), from, to, by)
	if reversed != nil {
		v = b.Reverse(v, reversed...)
	}
	return one(v)
}

// index returns indices into n elements: negative ones count from the end. Of constants the result is a constant.
func (x *node) index(i, n int) build.Value {
	b := x.b
	if v := x.value(i); v.isKnown() && !v.isWeight() && v.typ.DType.IsInt() {
		list := x.numbers(i)
		out := make([]int32, len(list))
		for j, k := range list {
			if k < 0 {
				k += n
			}
			if k < 0 || k >= n {
				x.fail("the model does not take inputs of this shape", "index %d of %d elements", list[j], n)
			}
			out[j] = int32(k)
		}
		return b.Array(&tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: v.typ.Shape}, Data: out})
	}
	v := x.v(i)
	return wrapIndex(b, v, n)
}

// wrapIndex counts negative indices from the end.
func wrapIndex(b *build.Builder, v build.Value, n int) build.Value {
	if v.DType() == tensor.I64 { // sizes fit i32
		v = b.Convert(v, tensor.I32)
	}
	if !v.DType().IsSigned() {
		return v
	}
	return b.Select(b.Less(v, 0), b.Add(v, n), v)
}

func gather(x *node) []*value {
	s := x.shape(0)
	dim := x.axis(x.int("axis", 0), len(s))
	if s[dim] == 0 && x.shape(1).Size() > 0 {
		x.fail("the model does not take inputs of this shape", "dimension %d has no elements", dim)
	}
	return one(x.b.Take(x.v(0), x.index(1, s[dim]), dim))
}

// gatherElements takes, at each place of the indices, the element with the index's number along a dimension.
func gatherElements(x *node) []*value {
	b, s, at := x.b, x.shape(0), x.shape(1)
	dim := x.axis(x.int("axis", 0), len(s))
	if len(at) != len(s) {
		x.fail("the file is damaged", "the data have %d dimensions, and the indices %d", len(s), len(at))
	}
	v := x.v(0)
	for d, n := range at { // other dimensions of the indices may be smaller
		if d != dim && n < s[d] {
			v = part(b, v, d, 0, n)
		}
	}
	dims := hlo.GatherDims{CollapsedSliceDims: []int{dim}, StartIndexMap: []int{dim}, IndexVectorDim: len(s)}
	for d := range s {
		if d != dim {
			dims.OperandBatchingDims = append(dims.OperandBatchingDims, d)
			dims.StartIndicesBatchingDims = append(dims.StartIndicesBatchingDims, d)
		}
	}
	return one(b.Gather(v, x.index(1, s[dim]), dims, slices.Repeat([]int{1}, len(s))...))
}

// places are index vectors, along the last dimension, in which negative indices count from the end.
func (x *node) places(i int, sizes []int) build.Value {
	b, s := x.b, x.shape(i)
	last := len(s) - 1
	wide := make([]int32, len(sizes))
	for j, n := range sizes {
		wide[j] = int32(n)
	}
	v := x.v(i)
	if v.DType() == tensor.I64 {
		v = b.Convert(v, tensor.I32)
	}
	if !v.DType().IsSigned() {
		return v
	}
	bounds := b.Convert(b.Array(&tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: tensor.Shape{len(wide)}}, Data: wide}), v.DType())
	return b.Select(b.Less(v, 0), b.Add(v, b.BroadcastInDim(bounds, []int{last}, s...)), v)
}

func gatherND(x *node) []*value {
	b, s, at := x.b, x.shape(0), x.ensureDims(1, 1, 64)
	batch := x.int("batch_dims", 0)
	k := at[len(at)-1]
	if batch < 0 || batch+k > len(s) || batch >= len(at) {
		x.fail("the file is damaged", "indices of %d numbers with %d batch dimensions do not fit a tensor of %d dimensions", k, batch, len(s))
	}
	places := x.places(1, s[batch:batch+k])
	dims, sizes := hlo.GatherDims{IndexVectorDim: len(at) - 1}, s.Clone()
	for d := range s {
		switch {
		case d < batch:
			dims.OperandBatchingDims = append(dims.OperandBatchingDims, d)
			dims.StartIndicesBatchingDims = append(dims.StartIndicesBatchingDims, d)
			sizes[d] = 1
		case d < batch+k:
			dims.CollapsedSliceDims = append(dims.CollapsedSliceDims, d)
			dims.StartIndexMap = append(dims.StartIndexMap, d)
			sizes[d] = 1
		default:
			dims.OffsetDims = append(dims.OffsetDims, len(at)-1+d-batch-k)
		}
	}
	return one(b.Gather(x.v(0), places, dims, sizes...))
}

// combine is how a scatter combines an element with an update; nil if the update replaces it.
func (x *node) combine() func(old, update build.Value) build.Value {
	b := x.b
	switch kind := x.text("reduction", "none"); kind {
	case "none":
		return nil
	case "add":
		return func(l, r build.Value) build.Value { return b.Add(l, r) }
	case "mul":
		return func(l, r build.Value) build.Value { return b.Mul(l, r) }
	case "max":
		return func(l, r build.Value) build.Value { return b.Max(l, r) }
	case "min":
		return func(l, r build.Value) build.Value { return b.Min(l, r) }
	default:
		x.fail("the file is damaged", "reduction is %q", kind)
		return nil
	}
}

func scatterElements(x *node) []*value {
	b, s, at := x.b, x.shape(0), x.shape(1)
	dim := x.axis(x.int("axis", 0), len(s))
	if len(at) != len(s) || !at.Equal(x.shape(2)) {
		x.fail("the file is damaged", "data, indices and updates have shapes %v, %v and %v", s, at, x.shape(2))
	}
	if at.Size() == 0 {
		return one(x.v(0))
	}
	dims := hlo.ScatterDims{InsertedWindowDims: []int{dim}, ScatterDimsToOperandDims: []int{dim}, IndexVectorDim: len(s)}
	whole := true
	for d := range s {
		if d != dim {
			dims.InputBatchingDims = append(dims.InputBatchingDims, d)
			dims.ScatterIndicesBatchingDims = append(dims.ScatterIndicesBatchingDims, d)
			whole = whole && at[d] == s[d]
		}
	}
	data, index := x.v(0), x.index(1, s[dim])
	if whole {
		return one(b.Scatter(data, index, x.v(2), dims, x.combine()))
	}
	// Only a corner of the data is written to: the rest is put around the result.
	start, limit := make([]int, len(s)), at.Clone()
	limit[dim] = s[dim]
	inner := b.Scatter(b.Slice(data, start, limit), index, x.v(2), dims, x.combine())
	zeros := make([]build.Value, len(s))
	for i := range zeros {
		zeros[i] = b.Const(tensor.I32, 0)
	}
	return one(b.DynamicUpdateSlice(data, inner, zeros))
}

func scatterND(x *node) []*value {
	b, s, at := x.b, x.shape(0), x.ensureDims(1, 1, 64)
	k := at[len(at)-1]
	if k > len(s) {
		x.fail("the file is damaged", "indices of %d numbers do not fit a tensor of %d dimensions", k, len(s))
	}
	dims := hlo.ScatterDims{IndexVectorDim: len(at) - 1}
	for d := range s {
		if d < k {
			dims.InsertedWindowDims = append(dims.InsertedWindowDims, d)
			dims.ScatterDimsToOperandDims = append(dims.ScatterDimsToOperandDims, d)
		} else {
			dims.UpdateWindowDims = append(dims.UpdateWindowDims, len(at)-1+d-k)
		}
	}
	return one(b.Scatter(x.v(0), x.places(1, s[:k]), x.v(2), dims, x.combine()))
}

func oneHot(x *node) []*value {
	b, s := x.b, x.shape(0)
	depth := int(x.number(1))
	if depth <= 0 {
		x.fail("the file is damaged", "the depth is %d", depth)
	}
	dim := x.axis(x.int("axis", -1), len(s)+1)
	at := x.v(0)
	if at.DType().IsFloat() {
		at = b.Convert(at, tensor.I32)
	}
	at = wrapIndex(b, at, depth)
	shape, from := slices.Insert(s.Clone(), dim, depth), []int{}
	for i := range shape {
		if i != dim {
			from = append(from, i)
		}
	}
	x.sized(shape)
	hot := b.Equal(b.BroadcastInDim(at, from, shape...), b.Iota(at.DType(), dim, shape...))
	if x.shape(2).Size() != 2 {
		x.fail("the file is damaged", "there are %d values, want those of off and on", x.shape(2).Size())
	}
	if v := x.value(2); v.isKnown() && !v.isWeight() || x.in[2].array != nil {
		if f := v.elements(); !f.DType.IsComplex() && f.Floats()[0] == 0 && f.Floats()[1] == 1 {
			return one(x.cast(hot, f.DType))
		}
	}
	off, on := b.Reshape(part(b, x.v(2), 0, 0, 1)), b.Reshape(part(b, x.v(2), 0, 1, 2))
	return one(b.Select(hot, on, off))
}

// topK is the k largest or smallest elements along a dimension, with their indices.
func topK(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 1, 64)
	k := x.int("k", 0)
	if x.has(1) {
		k = int(x.number(1))
	}
	dim := x.axis(x.int("axis", -1), len(s))
	if k < 0 || k > s[dim] {
		x.fail("the model does not take inputs of this shape", "%d of %d elements", k, s[dim])
	}
	v := x.v(0)
	last := len(s) - 1
	perm := make([]int, len(s))
	for i := range perm {
		perm[i] = i
	}
	perm[dim], perm[last] = last, dim
	flip := func(v build.Value) build.Value {
		if x.int("largest", 1) != 0 {
			return v
		}
		if v.DType().IsInt() {
			return b.Not(v)
		}
		return b.Neg(v)
	}
	turn := func(v build.Value) build.Value {
		if dim != last {
			return b.Transpose(v, perm...)
		}
		return v
	}
	values, at := b.TopK(flip(turn(v)), k)
	return several(turn(flip(values)), b.Convert(turn(at), tensor.I64))
}

func compress(x *node) []*value {
	keep, ok := x.array(1).Data.([]bool)
	if !ok {
		x.fail("the file is damaged", "the condition has no bools")
	}
	v, dim := x.v(0), 0
	if x.attr("axis") == nil {
		v = x.b.Reshape(v, -1)
	} else {
		dim = x.axis(x.int("axis", 0), v.Rank())
	}
	places := []int{}
	for i, k := range keep {
		if k && i < v.Dim(dim) {
			places = append(places, i)
		}
	}
	return one(take(x.b, v, places, dim))
}

// nonZero is the indices of the elements of a constant that are not 0.
func nonZero(x *node) []*value {
	a := x.array(0)
	var at []int
	for i, f := range a.Floats() {
		if f != 0 {
			at = append(at, i)
		}
	}
	s := a.Shape
	out := make([]int, 0, len(at)*len(s))
	strides := s.Strides()
	for d := range s {
		for _, i := range at {
			out = append(out, i/strides[d]%s[d])
		}
	}
	return known(int64s(out...).Reshape(tensor.Shape{len(s), len(at)}))
}

// reverseSequence reverses the first elements of each sequence; their numbers are known.
func reverseSequence(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 2, 64)
	time, batch := x.axis(x.int("time_axis", 0), len(s)), x.axis(x.int("batch_axis", 1), len(s))
	lengths := x.numbers(1)
	if time == batch || len(lengths) != s[batch] {
		x.fail("the file is damaged", "%d lengths for %d sequences", len(lengths), s[batch])
	}
	var parts []build.Value
	for i, n := range lengths {
		if n < 0 || n > s[time] {
			x.fail("the file is damaged", "the length %d of a sequence of %d", n, s[time])
		}
		x.few(s[batch], s[time])
		places := make([]int, s[time])
		for t := range places {
			if places[t] = t; t < n {
				places[t] = n - 1 - t
			}
		}
		parts = append(parts, take(b, part(b, x.v(0), batch, i, i+1), places, time))
	}
	return one(b.Concat(batch, parts...))
}

// tensorScatter writes an update into a cache, at an index of each sequence.
func tensorScatter(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 2, 64)
	u := x.shape(1)
	dim := x.axis(x.int("axis", -2), len(s))
	if dim == 0 || len(u) != len(s) {
		x.fail("the file is damaged", "the update has shape %v", u)
	}
	circular := x.text("mode", "linear") == "circular"
	var at build.Value
	if x.has(2) {
		at = b.Convert(x.v(2), tensor.I32)
	} else {
		at = b.Const(tensor.I32, 0, s[0])
	}
	places := b.Add(b.BroadcastInDim(at, []int{0}, s[0], u[dim]), b.Iota(tensor.I32, 1, s[0], u[dim]))
	if circular {
		places = b.Rem(places, s[dim])
	}
	// The windows of one position: all other dimensions are whole.
	dims := hlo.ScatterDims{
		InputBatchingDims: []int{0}, ScatterIndicesBatchingDims: []int{0}, InsertedWindowDims: []int{dim},
		ScatterDimsToOperandDims: []int{dim}, IndexVectorDim: 2,
	}
	perm := []int{0, dim}
	for d := 1; d < len(s); d++ {
		if d != dim {
			dims.UpdateWindowDims = append(dims.UpdateWindowDims, len(dims.UpdateWindowDims)+2)
			perm = append(perm, d)
		}
	}
	return one(b.Scatter(x.v(0), places, b.Transpose(x.v(1), perm...), dims, nil))
}
