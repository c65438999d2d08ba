package hlo

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the StableHLO operations that address elements by index tensors.
const (
	OpGather           = "stablehlo.gather"
	OpScatter          = "stablehlo.scatter"
	OpTorchIndexSelect = "stablehlo.torch_index_select"
)

// indexOps are operations that address elements by index tensors.
func indexOps() (ops []opDef) {
	ops = append(
		ops,
		opDef{name: OpGather, operands: exactly(2), results: exactly(1), check: checkGather,
			traits: Structured, linear: []int{0},
			attrs: []attrDef{
				required("dimension_numbers", isGather), required("slice_sizes", isInts),
				preset("indices_are_sorted", isFlag, false),
			}},
		opDef{
			name:     OpScatter,
			operands: atLeast(3),
			results:  atLeast(1),
			regions:  exactly(1),
			check:    checkScatter,
			infer:    halfOfOperands,
			params:   reducerParams,
			linear:   []int{0, 2},
			attrs: []attrDef{
				required("scatter_dimension_numbers", isScatter),
				preset("indices_are_sorted", isFlag, false), preset("unique_indices", isFlag, false),
			},
		},
		opDef{name: OpTorchIndexSelect, canonical: (*Op).gather, operands: exactly(2), results: exactly(1), check: checkIndexSelect,
			traits: Structured, linear: []int{0},
			attrs: []attrDef{required("dim", isInt), required("batch_dims", isInt)}},
	)
	return ops
}

// indexing is the common part of gather and scatter: the roles of the dimensions of a table
// (gather's operand, scatter's inputs) and of an index tensor.
type indexing struct {
	table, indices           tensor.Shape
	collapsed                []int // dimensions of the table that windows lack
	tableBatch, indicesBatch []int // corresponding batch dimensions
	indexed                  []int // by component of an index vector: dimension of the table
	vector                   int   // dimension of indices that holds the components
}

// check returns the shape of indices without the dimension of index vectors.
func (x indexing) check() (tensor.Shape, error) {
	if x.vector < 0 || x.vector > len(x.indices) {
		return nil, fmt.Errorf("index_vector_dim is %d, but the indices have %d dimensions", x.vector, len(x.indices))
	}
	numbers := 1
	if x.vector < len(x.indices) {
		numbers = x.indices[x.vector]
	}
	if numbers != len(x.indexed) {
		return nil, fmt.Errorf("an index has %d numbers, but %d dimensions are indexed", numbers, len(x.indexed))
	}
	err := first(
		dimList("the list of dimensions that windows lack", slices.Concat(x.collapsed, x.tableBatch), len(x.table)),
		dimList("the list of indexed dimensions", slices.Concat(x.indexed, x.tableBatch), len(x.table)),
		dimList("the list of the indices' batching dimensions", x.indicesBatch, len(x.indices)))
	if err != nil {
		return nil, err
	}
	if len(x.tableBatch) != len(x.indicesBatch) || !slices.Equal(pick(x.table, x.tableBatch), pick(x.indices, x.indicesBatch)) {
		return nil, fmt.Errorf("the batching dimensions %v and %v are incompatible", x.tableBatch, x.indicesBatch)
	}
	if slices.Contains(x.indicesBatch, x.vector) {
		return nil, fmt.Errorf("dimension %d of the indices holds both numbers and batches", x.vector)
	}
	return without(x.indices, []int{x.vector}), nil
}

// windowed returns the table's dimensions that windows have.
func (x indexing) windowed(sizes tensor.Shape) tensor.Shape {
	return without(sizes, slices.Concat(x.collapsed, x.tableBatch))
}

func checkGather(o *Op) error {
	d := o.Attrs["dimension_numbers"].(*GatherDims)
	x := indexing{
		o.shape(0),
		o.shape(1),
		d.CollapsedSliceDims,
		d.OperandBatchingDims,
		d.StartIndicesBatchingDims,
		d.StartIndexMap,
		d.IndexVectorDim,
	}
	batch, err := x.check()
	if err := first(err, o.wants(1, classInt), o.lengths(rank(o), "slice_sizes")); err != nil {
		return err
	}
	sizes := tensor.Shape(o.Attrs.Ints("slice_sizes"))
	for i, n := range sizes {
		if n < 0 || n > o.shape(0)[i] {
			return fmt.Errorf("slice_sizes takes %d of dimension %d, which has size %d", n, i, o.shape(0)[i])
		}
		if n > 1 && (slices.Contains(d.CollapsedSliceDims, i) || slices.Contains(d.OperandBatchingDims, i)) {
			return fmt.Errorf("slice_sizes takes %d of dimension %d, which the result lacks", n, i)
		}
	}
	shape, err := interleave(batch, x.windowed(sizes), d.OffsetDims)
	if err != nil {
		return fmt.Errorf("offset_dims: %w", err)
	}
	return o.givesShape(shape)
}

// interleave places the window's dimensions at the given positions and the others in order at the
// remaining positions.
func interleave(others, window tensor.Shape, places []int) (tensor.Shape, error) {
	if len(places) != len(window) {
		return nil, fmt.Errorf("has %d places for windows of %d dimensions", len(places), len(window))
	}
	if !slices.IsSorted(places) {
		return nil, fmt.Errorf("must be sorted")
	}
	out := make(tensor.Shape, len(others)+len(window))
	if err := dimList("the list", places, len(out)); err != nil {
		return nil, err
	}
	for i := range out {
		if slices.Contains(places, i) {
			out[i], window = window[0], window[1:]
		} else {
			out[i], others = others[0], others[1:]
		}
	}
	return out, nil
}

func checkScatter(o *Op) error {
	n := len(o.Operands) / 2
	if len(o.Operands) != 2*n+1 || len(o.Results) != n {
		return fmt.Errorf(
			"has %d operands and %d results, but takes indices, and an input and an update for each result",
			len(o.Operands),
			len(o.Results),
		)
	}
	d := o.Attrs["scatter_dimension_numbers"].(*ScatterDims)
	x := indexing{
		o.shape(0),
		o.shape(n),
		d.InsertedWindowDims,
		d.InputBatchingDims,
		d.ScatterIndicesBatchingDims,
		d.ScatterDimsToOperandDims,
		d.IndexVectorDim,
	}
	batch, err := x.check()
	if err := first(err, o.wants(n, classInt)); err != nil {
		return err
	}
	update := o.shape(n + 1)
	if err := dimList("update_window_dims", d.UpdateWindowDims, len(update)); err != nil {
		return err
	}
	window, most := pick(update, d.UpdateWindowDims), x.windowed(o.shape(0))
	shape, err := interleave(batch, window, d.UpdateWindowDims)
	if err != nil {
		return fmt.Errorf("update_window_dims: %w", err)
	}
	if !shape.Equal(update) || len(window) != len(most) {
		return fmt.Errorf("updates of type %v are incompatible with indices of type %v and inputs of type %v", o.in(n+1), o.in(n), o.in(0))
	}
	for i, size := range window {
		if size > most[i] {
			return fmt.Errorf("updates of type %v are larger than the inputs, %v", o.in(n+1), o.in(0))
		}
	}
	for i := range n {
		if u := o.in(n + 1 + i); !o.shape(i).Equal(o.shape(0)) || !u.Shape.Equal(update) || u.DType != o.in(i).DType {
			return fmt.Errorf("input %d has type %v and its update %v", i, o.in(i), u)
		}
	}
	return first(o.wantsRegion(0, scalars(o.Operands[:n])), o.gives(types(o.Operands[:n])...))
}

func checkIndexSelect(o *Op) error {
	dim, batch := o.Attrs.Int("dim", 0), o.Attrs.Int("batch_dims", 0)
	table, index := o.shape(0), o.shape(1)
	if err := first(o.wants(1, classInt), o.oneDim("dim", len(table))); err != nil {
		return err
	}
	if batch < 0 || batch > dim || batch > len(index) || !slices.Equal(table[:batch], index[:batch]) {
		return fmt.Errorf("%d batch dimensions are incompatible with %v and %v", batch, o.in(0), o.in(1))
	}
	return o.givesShape(slices.Concat(table[:dim], index[batch:], table[dim+1:]))
}
