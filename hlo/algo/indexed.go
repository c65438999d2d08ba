package algo

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Indexed describes windows of an operand whose starts are given by index vectors, in gather, scatter and
// torch_index_select. It maps the elements of gather's result or of scatter's updates, whose shape is Outer, to
// elements of the operand, whose shape is In.
type Indexed struct {
	In, Outer  tensor.Shape
	Sizes      []int // sizes of a window, one for each dimension of In
	WindowDims []int // dimensions of Outer that index into a window; the others index the index vectors
	Dropped    []int // dimensions of In that no dimension of Outer indexes
	Vector     int   // dimension of the indices that holds the components of an index vector; their rank if they are scalars
	Targets    []int // for each component of an index vector, the dimension of In that it indexes
	// Batching are the batching dimensions of In, IndexBatching the corresponding dimensions of the indices.
	Batching, IndexBatching []int
}

// GatherOf returns the windows of the gather o.
func GatherOf(o *hlo.Op) Indexed {
	d := o.Attrs["dimension_numbers"].(*hlo.GatherDims)
	return Indexed{
		In: o.Operands[0].Type.Shape, Outer: o.Results[0].Type.Shape, Sizes: o.Attrs.Ints("slice_sizes"),
		WindowDims: d.OffsetDims, Dropped: slices.Concat(d.CollapsedSliceDims, d.OperandBatchingDims),
		Vector: d.IndexVectorDim, Targets: d.StartIndexMap,
		Batching: d.OperandBatchingDims, IndexBatching: d.StartIndicesBatchingDims,
	}
}

// ScatterOf returns the windows of the scatter o.
func ScatterOf(o *hlo.Op) Indexed {
	d := o.Attrs["scatter_dimension_numbers"].(*hlo.ScatterDims)
	x := Indexed{
		In: o.Operands[0].Type.Shape, Outer: o.Operands[len(o.Operands)/2+1].Type.Shape,
		WindowDims: d.UpdateWindowDims, Dropped: slices.Concat(d.InsertedWindowDims, d.InputBatchingDims),
		Vector: d.IndexVectorDim, Targets: d.ScatterDimsToOperandDims,
		Batching: d.InputBatchingDims, IndexBatching: d.ScatterIndicesBatchingDims,
	}
	x.Sizes = make([]int, len(x.In))
	for d, outer := range x.throughDims() {
		if x.Sizes[d] = 1; outer >= 0 {
			x.Sizes[d] = x.Outer[outer]
		}
	}
	return x
}

// throughDims returns, for each dimension of In, the dimension of Outer that runs through a window along it, -1
// if there is none.
func (x Indexed) throughDims() []int {
	out, windows := make([]int, len(x.In)), x.WindowDims
	for d := range out {
		out[d] = -1
		if !slices.Contains(x.Dropped, d) {
			out[d], windows = windows[0], windows[1:]
		}
	}
	return out
}

// Order returns a permutation of Outer's dimensions: first those of the indices (IndexBatching, then the others),
// then those that run through a window along Targets, then those along In's other dimensions. indexRank is the rank
// of the indices.
func (x Indexed) Order(indexRank int) []int {
	at := make([]int, indexRank) // dimensions of Outer for those of the indices except Vector
	free := Others(len(x.Outer), x.WindowDims)
	for k, i := range Others(indexRank, []int{x.Vector}) {
		at[i] = free[k]
	}
	var perm []int
	for _, i := range slices.Concat(x.IndexBatching, Others(indexRank, x.IndexBatching, []int{x.Vector})) {
		perm = append(perm, at[i])
	}
	through := x.throughDims()
	for _, d := range slices.Concat(x.Targets, Others(len(x.In), x.Targets)) {
		if through[d] >= 0 {
			perm = append(perm, through[d])
		}
	}
	return perm
}

// Clamped returns the view that takes, for each element of Outer, its element of In. indices are the index vectors of the
// operation; the starts that they give are clamped, as gather and dynamic_slice do, so that windows lie within In.
func (x Indexed) Clamped(indices *tensor.Array) tensor.View {
	_, run := x.offsets()
	if run < longRun {
		return tensor.Listed(x.Outer, x.In.Size(), func() []int32 { return x.positions(indices, x.clamp) })
	}
	return tensor.InRuns(x.Outer, x.In.Size(), func() []tensor.Run {
		var runs []tensor.Run
		for _, p := range x.runs(indices, x.clamp) {
			runs = tensor.AppendRun(runs, int(p), run)
		}
		return runs
	})
}

// longRun is the number of elements from which a run takes less memory than a list of its positions.
const longRun = 6

// clamp moves the start of a window so that the window lies within In.
func (x Indexed) clamp(start []int) bool {
	for d := range start {
		start[d] = min(max(start[d], 0), x.In[d]-x.Sizes[d])
	}
	return true
}

// Inside returns, for each element of Outer, its position in In; tensor.Fill for all elements of a window that does
// not lie within In.
func (x Indexed) Inside(indices *tensor.Array) []int32 {
	return x.positions(indices, func(start []int) bool {
		for d, s := range start {
			if s < 0 || s > x.In[d]-x.Sizes[d] {
				return false
			}
		}
		return true
	})
}

// positions returns for each element of Outer its position in In. adjust may change a window's start; if it
// returns false, the elements of the window have no position (tensor.Fill).
func (x Indexed) positions(indices *tensor.Array, adjust func(start []int) bool) []int32 {
	_, run := x.offsets()
	starts := x.runs(indices, adjust)
	if run == 1 {
		return starts
	}
	out := make([]int32, 0, len(starts)*run)
	for _, p := range starts {
		for i := range run {
			if p == tensor.Fill {
				out = append(out, tensor.Fill)
			} else {
				out = append(out, p+int32(i))
			}
		}
	}
	return out
}

// offsets returns, for each dimension of Outer, how far a step along it moves within a window of In, 0 for
// dimensions of the indices, and the number of elements of Outer at its end that follow one another in In too.
func (x Indexed) offsets() (strides []int, run int) {
	inStrides := x.In.Strides()
	var through []int
	for d, outer := range x.throughDims() {
		if outer >= 0 {
			through = append(through, inStrides[d])
		}
	}
	strides = make([]int, len(x.Outer))
	for d := range x.Outer {
		if slices.Contains(x.WindowDims, d) {
			strides[d], through = through[0], through[1:]
		}
	}
	run = 1
	for d := len(x.Outer) - 1; d >= 0 && slices.Contains(x.WindowDims, d) && strides[d] == run; d-- {
		run *= x.Outer[d]
	}
	return strides, run
}

// runs returns what positions does, for the first element of each run (offsets).
func (x Indexed) runs(indices *tensor.Array, adjust func(start []int) bool) []int32 {
	free, base := x.bases(indices, adjust)
	strides, run := x.offsets()
	lead := len(x.Outer) // the dimensions of Outer that are not part of a run
	for n := 1; n < run; n *= x.Outer[lead] {
		lead--
	}

	// A step along a dimension of Outer leads to another index vector or to another element of the window.
	freeStrides := free.Strides()
	vectors := tensor.View{Shape: x.Outer[:lead], In: len(base), Strides: make([]int, lead)}
	offsets := tensor.View{Shape: x.Outer[:lead], In: x.In.Size(), Strides: strides[:lead]}
	for d := range lead {
		if !slices.Contains(x.WindowDims, d) {
			vectors.Strides[d], freeStrides = freeStrides[0], freeStrides[1:]
		}
	}
	at := offsets.Index()
	for i, v := range vectors.Index() {
		if base[v] < 0 {
			at[i] = tensor.Fill
		} else {
			at[i] += int32(base[v])
		}
	}
	return at
}

// bases returns the shape of the indices without Vector, and for each index vector the position in In where its
// window starts.
func (x Indexed) bases(indices *tensor.Array, adjust func(start []int) bool) (tensor.Shape, []int) {
	strides := indices.Shape.Strides()
	var free tensor.Shape
	var freeStrides, coordinate []int // coordinate: position of a dimension of indices in free
	for d, n := range indices.Shape {
		coordinate = append(coordinate, len(free))
		if d != x.Vector {
			free, freeStrides = append(free, n), append(freeStrides, strides[d])
		}
	}
	step := 0
	if x.Vector < len(strides) {
		step = strides[x.Vector]
	}
	at := Ints(indices)
	inStrides := x.In.Strides()
	rows := tensor.View{Shape: free, In: len(at), Strides: freeStrides}.Index()
	base := make([]int, len(rows))
	start := make([]int, len(x.In))
	for i, row := range rows {
		clear(start)
		for k, d := range x.Targets {
			start[d] = at[int(row)+k*step]
		}
		for k, d := range x.Batching {
			c := coordinate[x.IndexBatching[k]]
			start[d] = i / free[c+1:].Size() % free[c]
		}
		if !adjust(start) {
			base[i] = tensor.Fill
			continue
		}
		for d, s := range start {
			base[i] += s * inStrides[d]
		}
	}
	return free, base
}

// Ints returns the elements of an integer array as ints; values beyond the range of int saturate.
func Ints(a *tensor.Array) []int {
	words := a.Words()
	out := make([]int, len(words))
	for i, w := range words {
		out[i] = int(w)
		if !a.DType.IsSigned() && w > math.MaxInt {
			out[i] = math.MaxInt
		}
	}
	return out
}

// Start returns a scalar start index, clamped so that a window of the given size lies within n elements.
func Start(a *tensor.Array, n, size int) int { return min(max(Ints(a)[0], 0), n-size) }

// Branch returns the number of the region, among n, that the public index or predicate a selects: true selects the
// first one, an index out of range the last one.
func Branch(a *tensor.Array, n int) int {
	if p, ok := a.Data.([]bool); ok {
		if p[0] {
			return 0
		}
		return 1
	}
	if i := Ints(a)[0]; i >= 0 && i < n {
		return i
	}
	return n - 1
}
