package eval

import (
	"reflect"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// A viewRule returns the view of an operation that only copies elements, and the numbers of its
// data operands. The view reads the data operands laid end to end.
type viewRule func(op *hlo.Op, public func(i int) *tensor.Array) (tensor.View, []int, error)

// views holds the operations that are views for all attributes. Some others are views in certain
// forms: scatter, and the operations of returnsOperands with one operand.
var views = map[string]viewRule{
	hlo.OpBroadcastInDim:     broadcastView,
	hlo.OpConcatenate:        concatenateView,
	hlo.OpDynamicSlice:       dynamicSliceView,
	hlo.OpDynamicUpdateSlice: dynamicUpdateView,
	hlo.OpGather:             gatherView,
	hlo.OpPad:                padView,
	hlo.OpReshape:            reshapeView,
	hlo.OpReverse:            reverseView,
	hlo.OpSlice:              sliceView,
	hlo.OpTranspose:          transposeView,
}

// View describes an operation that only copies elements: v is the view over its data operands laid
// end to end, and operands are their numbers. The values of the other operands (indices and starts)
// are obtained from public, which is never called for data operands. If public returns nil, which
// means that the operand is not public, View fails. ok is false if the operation is not a view.
//
// Pad's fill value is its last data operand, so no view has elements to fill. A scatter whose body
// returns the update is a view of input and updates. A scatter of several inputs returns the view
// of the first, with operands {0, n+1}: result i is the same view of operands {i, n+1+i}. A
// barrier, a sharding annotation, or a collective between one replica and itself is the identity
// view if it has one operand.
func View(op *hlo.Op, public func(i int) *tensor.Array) (v tensor.View, operands []int, ok bool, err error) {
	rule := views[op.Name]
	switch {
	case op.Name == hlo.OpScatter && setsUpdates(op):
		rule = scatterView
	case len(op.Operands) == 1 && returnsOperands(op):
		rule = reshapeView
	case rule == nil:
		return tensor.View{}, nil, false, nil
	}
	if err := checkIndexable(op); err != nil {
		return tensor.View{}, nil, true, err
	}
	v, operands, err = rule(op, public)
	return v, operands, true, err
}

// copyView evaluates an operation through its view.
func copyView(c *call) ([]*tensor.Array, error) {
	v, operands, _, err := View(c.op, func(i int) *tensor.Array { return c.args[i] })
	if err != nil {
		return nil, err
	}
	src := make([]*tensor.Array, len(operands))
	for i, n := range operands {
		src[i] = c.args[n]
	}
	if v.Strided() && v.Shape.Size() > divided && !v.Identity() {
		return c.copyRows(v, src[0])
	}
	return one(apply(v, src...)), nil
}

// copyRows applies a strided view part by part, along the first dimension of more than one element.
func (c *call) copyRows(v tensor.View, x *tensor.Array) ([]*tensor.Array, error) {
	d := slices.IndexFunc(v.Shape, func(n int) bool { return n > 1 })
	out := tensor.NewArray(tensor.Type{DType: x.DType, Shape: v.Shape})
	all, row := reflect.ValueOf(out.Data), v.Shape[d+1:].Size()
	rows := max(1, part/row)
	for from := 0; from < v.Shape[d]; from += rows {
		if err := c.alive(); err != nil {
			return nil, err
		}
		some := v
		some.Shape, some.Offset = v.Shape.Clone(), v.Offset+from*v.Strides[d]
		some.Shape[d] = min(rows, v.Shape[d]-from)
		reflect.Copy(all.Slice(from*row, (from+some.Shape[d])*row), reflect.ValueOf(apply(some, x).Data))
	}
	return one(out), nil
}

func shapeOf(op *hlo.Op, i int) tensor.Shape { return op.Operands[i].Type.Shape }

func resultShape(op *hlo.Op) tensor.Shape { return op.Results[0].Type.Shape }

func reshapeView(op *hlo.Op, _ func(int) *tensor.Array) (tensor.View, []int, error) {
	return tensor.Reshaped(shapeOf(op, 0), resultShape(op)), []int{0}, nil
}

func transposeView(op *hlo.Op, _ func(int) *tensor.Array) (tensor.View, []int, error) {
	return tensor.Transposed(shapeOf(op, 0), op.Attrs.Ints("permutation")), []int{0}, nil
}

func sliceView(op *hlo.Op, _ func(int) *tensor.Array) (tensor.View, []int, error) {
	a := op.Attrs
	return tensor.Sliced(shapeOf(op, 0), a.Ints("start_indices"), a.Ints("limit_indices"), a.Ints("strides")), []int{0}, nil
}

func reverseView(op *hlo.Op, _ func(int) *tensor.Array) (tensor.View, []int, error) {
	return tensor.Reversed(shapeOf(op, 0), op.Attrs.Ints("dimensions")), []int{0}, nil
}

func broadcastView(op *hlo.Op, _ func(int) *tensor.Array) (tensor.View, []int, error) {
	return tensor.Broadcast(shapeOf(op, 0), op.Attrs.Ints("broadcast_dimensions"), resultShape(op)), []int{0}, nil
}

// leadingBroadcastView is the view of stablehlo.broadcast, which adds leading dimensions.
func concatenateView(op *hlo.Op, _ func(int) *tensor.Array) (tensor.View, []int, error) {
	if len(op.Operands) == 1 {
		return reshapeView(op, nil)
	}
	shapes, operands := make([]tensor.Shape, len(op.Operands)), make([]int, len(op.Operands))
	for i := range shapes {
		shapes[i], operands[i] = shapeOf(op, i), i
	}
	return tensor.Concatenated(shapes, op.Attrs.Int("dimension", 0)), operands, nil
}

// padView reads the fill value as the element after the operand's elements. If no padding is added,
// the fill value is not a data operand.
func padView(op *hlo.Op, _ func(int) *tensor.Array) (tensor.View, []int, error) {
	in, a := shapeOf(op, 0), op.Attrs
	low, high, interior := a.Ints("edge_padding_low"), a.Ints("edge_padding_high"), a.Ints("interior_padding")
	adds := resultShape(op).Size() == 0
	start, limit, stride := make([]int, len(in)), make([]int, len(in)), make([]int, len(in))
	for d, n := range in {
		adds = adds || low[d] > 0 || high[d] > 0 || interior[d] > 0
		start[d], limit[d], stride[d] = -low[d], n+high[d], 1
	}
	if !adds {
		return tensor.Sliced(in, start, limit, stride), []int{0}, nil
	}
	p := tensor.Padded(in, low, high, interior)
	if runs, ok := p.Listing(); ok {
		return tensor.InRuns(p.Shape, p.In+1, func() []tensor.Run {
			filled := slices.Clone(runs)
			for i, r := range filled {
				if r.From == tensor.Fill {
					filled[i] = tensor.Run{From: p.In, N: r.N}
				}
			}
			return filled
		}), []int{0, 1}, nil
	}
	return tensor.Listed(p.Shape, p.In+1, func() []int32 {
		index := slices.Clone(p.Index())
		for i, src := range index {
			if src == tensor.Fill {
				index[i] = int32(p.In)
			}
		}
		return index
	}), []int{0, 1}, nil
}

// starts reads scalar index operands, starting at operand first, and clamps them so that a window
// of the given sizes lies within the operand.
func starts(op *hlo.Op, public func(int) *tensor.Array, first int, in tensor.Shape, sizes []int) ([]int, error) {
	at := make([]int, len(in))
	for d := range at {
		a := public(first + d)
		if a == nil {
			return nil, failf(op, "start index %d is not public", d)
		}
		at[d] = algo.Start(a, in[d], sizes[d])
	}
	return at, nil
}

func dynamicSliceView(op *hlo.Op, public func(int) *tensor.Array) (tensor.View, []int, error) {
	in, sizes := shapeOf(op, 0), op.Attrs.Ints("slice_sizes")
	at, err := starts(op, public, 1, in, sizes)
	if err != nil {
		return tensor.View{}, nil, err
	}
	limit, stride := make([]int, len(in)), make([]int, len(in))
	for d := range in {
		limit[d], stride[d] = at[d]+sizes[d], 1
	}
	return tensor.Sliced(in, at, limit, stride), []int{0}, nil
}

func dynamicUpdateView(op *hlo.Op, public func(int) *tensor.Array) (tensor.View, []int, error) {
	in, upd := shapeOf(op, 0), shapeOf(op, 1)
	at, err := starts(op, public, 2, in, upd)
	if err != nil {
		return tensor.View{}, nil, err
	}
	n := in.Size()
	return tensor.InRuns(in, n+upd.Size(), func() []tensor.Run {
		window := tensor.View{Shape: upd, In: n, Strides: in.Strides()}
		for d, s := range window.Strides {
			window.Offset += at[d] * s
		}
		var runs []tensor.Run
		next, i := 0, n
		window.Runs(func(start, _, count int) { // the last stride is 1
			runs = tensor.AppendRun(tensor.AppendRun(runs, next, start-next), i, count)
			next, i = start+count, i+count
		})
		return tensor.AppendRun(runs, next, n-next)
	}), []int{0, 1}, nil
}
