package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// gatherView reads, for every index vector, a slice of the operand whose start is clamped so that
// the slice lies within the operand.
func gatherView(op *hlo.Op, public func(int) *tensor.Array) (tensor.View, []int, error) {
	dims := op.Attrs["dimension_numbers"].(*hlo.GatherDims)
	in, out := shapeOf(op, 0), resultShape(op)
	indices := public(1)
	if indices == nil {
		return tensor.View{}, nil, failf(op, "indices are not public")
	}
	w := windows{
		in: in, outer: out, windowDims: dims.OffsetDims,
		vector: dims.IndexVectorDim, targets: dims.StartIndexMap,
		batching: dims.OperandBatchingDims, indexBatching: dims.StartIndicesBatchingDims,
		dropped: append(slices.Clone(dims.CollapsedSliceDims), dims.OperandBatchingDims...),
	}
	return w.clamped(indices, op.Attrs.Ints("slice_sizes")), []int{0}, nil
}

// clamped returns the view of windows whose starts are clamped so that windows of the given sizes
// lie within the operand.
func (w windows) clamped(indices *tensor.Array, sizes []int) tensor.View {
	return tensor.Listed(w.outer, w.in.Size(), func() []int32 {
		return w.positions(indices, func(start []int) bool {
			for d := range start {
				start[d] = min(max(start[d], 0), w.in[d]-sizes[d])
			}
			return true
		})
	})
}

// windows maps the elements of gather's result or of scatter's updates ("outer") to elements of the
// operand ("in").
type windows struct {
	in, outer  tensor.Shape
	windowDims []int // dimensions of outer that index into a window; the others index the index vectors
	dropped    []int // dimensions of the operand that no dimension of outer indexes
	vector     int   // dimension of indices that holds the components of an index vector; the rank of indices if they are scalars
	targets    []int // by component of an index vector: dimension of the operand
	// batch dimensions of the operand, and the corresponding dimensions of the indices
	batching, indexBatching []int
}

// positions returns for each element of outer its position in the operand. adjust may change a
// window's start; if it returns false, the elements of the window have no position (tensor.Fill).
func (w windows) positions(indices *tensor.Array, adjust func(start []int) bool) []int32 {
	free, base := w.bases(indices, adjust)

	// A step along a dimension of outer leads to another index vector or to another element of the
	// window.
	freeStrides, inStrides := free.Strides(), w.in.Strides()
	var through []int
	for d := range w.in {
		if !slices.Contains(w.dropped, d) {
			through = append(through, inStrides[d])
		}
	}
	vectors := tensor.View{Shape: w.outer, In: len(base), Strides: make([]int, len(w.outer))}
	offsets := tensor.View{Shape: w.outer, In: w.in.Size(), Strides: make([]int, len(w.outer))}
	for d := range w.outer {
		if slices.Contains(w.windowDims, d) {
			offsets.Strides[d], through = through[0], through[1:]
		} else {
			vectors.Strides[d], freeStrides = freeStrides[0], freeStrides[1:]
		}
	}
	place := offsets.Index()
	for i, v := range vectors.Index() {
		if base[v] < 0 {
			place[i] = tensor.Fill
		} else {
			place[i] += int32(base[v])
		}
	}
	return place
}

// bases returns the shape of the indices without the dimension of index vectors, and for each index
// vector the position in the operand where its window starts.
func (w windows) bases(indices *tensor.Array, adjust func(start []int) bool) (tensor.Shape, []int) {
	strides := indices.Shape.Strides()
	var free tensor.Shape
	var freeStrides, coordinate []int // coordinate: position of a dimension of indices in free
	for d, n := range indices.Shape {
		coordinate = append(coordinate, len(free))
		if d != w.vector {
			free, freeStrides = append(free, n), append(freeStrides, strides[d])
		}
	}
	step := 0
	if w.vector < len(strides) {
		step = strides[w.vector]
	}
	at := positions(indices)
	inStrides := w.in.Strides()
	rows := tensor.View{Shape: free, In: len(at), Strides: freeStrides}.Index()
	base := make([]int, len(rows))
	start := make([]int, len(w.in))
	for i, row := range rows {
		clear(start)
		for k, d := range w.targets {
			start[d] = at[int(row)+k*step]
		}
		for k, d := range w.batching {
			c := coordinate[w.indexBatching[k]]
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
