package eval

import (
	"context"
	"math/bits"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Bound is an upper bound of what the evaluation of one operation takes. The operations of its regions and of the
// function that it calls are not included: they are counted as they are evaluated.
type Bound struct {
	Results    int64 // bytes of the results
	Scratch    int64 // bytes of memory that are free again when the operation has been evaluated
	Operations int64 // number of scalar operations
}

// BoundOf returns the bound of an operation on operands of the given types. A size that overflows is budget.Most.
func BoundOf(op *hlo.Op, in []tensor.Type) Bound {
	var b Bound
	var elements, out int64 // of operands, of results
	wide := int64(8)        // bytes of an element in the type in which kernels compute
	for _, t := range in {
		elements = budget.Add(elements, budget.Size(t.Shape))
		if t.DType.IsComplex() {
			wide = 16
		}
	}
	for _, r := range op.Results {
		out = budget.Add(out, budget.Size(r.Type.Shape))
		b.Results = budget.Add(b.Results, budget.Bytes(r.Type))
		if r.Type.DType.IsComplex() {
			wide = 16
		}
	}
	all := budget.Add(elements, out)
	b.Operations = out
	switch {
	case returnsItself(op):
		return Bound{}
	case op.Is(hlo.Elementwise):
		for _, t := range in { // in a region that is applied to many elements at once, the operands have their shape
			if n := budget.Size(t.Shape); n > b.Operations {
				b.Operations = n
				b.Results = budget.Mul(n, budget.Width(op.Results[0].Type.DType))
			}
		}
		b.Scratch = budget.Mul(wide, min(budget.Add(elements, b.Operations), int64(len(in)+1)*part))
		return b
	case op.Is(hlo.Structured):
		b.Scratch = listedPositions(op, elements, out)
		return b
	}
	switch op.Name {
	case hlo.OpConstant:
		b.Scratch, b.Operations = 0, 1
		if c, ok := op.Constant(); ok && !c.Repeated {
			b.Results = 0 // the program holds it
		}
	case hlo.OpIota:
		b.Scratch = 3 * wide * longest(op.Results)
	case hlo.OpDotGeneral:
		d := op.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
		b.Scratch = budget.Mul(2*wide, all)
		for _, dim := range d.LHSContract {
			b.Operations = budget.Mul(b.Operations, int64(in[0].Shape[dim]))
		}
	case hlo.OpConvolution:
		d := op.Attrs["dimension_numbers"].(*hlo.ConvDims)
		taps := int64(1)
		for _, s := range d.KerSpatial {
			taps = budget.Mul(taps, int64(in[1].Shape[s]))
		}
		b.Scratch = budget.Add(budget.Mul(2*wide, all), convolutionPositions(op, in))
		b.Operations = budget.Mul(b.Operations, taps, int64(in[1].Shape[d.KerIn]))
	case hlo.OpReduce, hlo.OpMap, hlo.OpScatter:
		b.Scratch = budget.Add(budget.Mul(6*wide, all), bodies(op, all))
		b.Operations = all
	case hlo.OpReduceWindow, hlo.OpSelectAndScatter:
		b = windowBound(op, in, b, wide)
	case hlo.OpSort:
		n := longest(op.Results)
		log := int64(bits.Len64(uint64(n)))
		b.Scratch = budget.Add(budget.Mul(64, n), budget.Mul(3, b.Results), bodies(op, elements))
		b.Operations = budget.Mul(elements, log, log)
	case hlo.OpFFT:
		b.Scratch = budget.Mul(128, all)
		b.Operations = budget.Mul(8, all, int64(bits.Len64(uint64(all))))
	case hlo.OpCholesky, hlo.OpTriangularSolve:
		b = matrixBound(in, b, all)
	case hlo.OpCustomCall:
		b = matrixBound(in, b, all) // LAPACK's routines; the others take less
	case hlo.OpRNGBitGenerator, hlo.OpTopK, hlo.OpBatchNormInference, hlo.OpBatchNormTraining, hlo.OpBatchNormGrad:
		b.Scratch, b.Operations = budget.Mul(6*wide, all), budget.Mul(16, all)
	case hlo.OpWhile, hlo.OpIf, hlo.OpCase, hlo.OpCall, hlo.OpComposite:
		return Bound{Operations: 1} // their blocks' operations are counted
	default:
		b.Scratch = budget.Mul(2*wide, all)
	}
	return b
}

// returnsItself reports whether an operation returns its operands, without a copy.
func returnsItself(op *hlo.Op) bool {
	return op.Name == hlo.OpReshape || op.Is(hlo.Collective) || returnsOperands(op)
}

// listedPositions returns the bytes of the positions that a view lists: none where it is strided.
func listedPositions(op *hlo.Op, in, out int64) int64 {
	switch op.Name {
	case hlo.OpPad, hlo.OpConcatenate, hlo.OpDynamicUpdateSlice:
		return budget.Mul(8, budget.Add(in, out))
	case hlo.OpGather: // the indices as words too
		return budget.Mul(24, budget.Add(in, out))
	}
	return 0
}

// longest returns the largest number of elements of some values.
func longest(vs []*hlo.Value) (n int64) {
	for _, v := range vs {
		n = max(n, budget.Size(v.Type.Shape))
	}
	return n
}

// bodies returns the bytes of the values of regions that are applied to n elements at once. A region that is applied
// to one element after the other takes less at a time, and a record for each element.
func bodies(op *hlo.Op, n int64) int64 {
	values := int64(0)
	for _, r := range op.Regions {
		values += int64(len(r.Ops))
	}
	return budget.Mul(n, budget.Add(64, budget.Mul(8, values)))
}

// windowBound returns the bound of a reduction of windows, which visits the padded operands log2(w) times for windows of w elements,
// or of select_and_scatter, which lists the elements of all windows.
func windowBound(op *hlo.Op, in []tensor.Type, b Bound, wide int64) Bound {
	w := algo.WindowOf(op)
	padded, steps := int64(1), int64(1)
	for d, n := range w.In {
		span := budget.Add(budget.Mul(int64(n), int64(w.Base[d])), int64(max(0, w.Pad[2*d])), int64(max(0, w.Pad[2*d+1])))
		padded = budget.Mul(padded, max(1, span))
		steps += 2 * int64(bits.Len64(uint64(w.Size[d])))
	}
	if op.Name == hlo.OpSelectAndScatter {
		taps := budget.Mul(budget.Size(w.Out), budget.Size(w.Size))
		b.Scratch = budget.Add(budget.Mul(8, taps), budget.Mul(4*wide, padded), bodies(op, budget.Add(padded, budget.Size(w.Out))))
		b.Operations = budget.Add(taps, padded)
		return b
	}
	operands := int64(max(1, len(in)/2))
	b.Scratch = budget.Add(budget.Mul(16, padded), budget.Mul(4*wide, padded, operands), bodies(op, budget.Mul(padded, operands)))
	b.Operations = budget.Mul(padded, operands, steps)
	return b
}

// matrixBound returns the bound of an algorithm on batches of matrices that takes the third power of their size.
func matrixBound(in []tensor.Type, b Bound, all int64) Bound {
	b.Scratch, b.Operations = budget.Mul(64, all), all
	for _, t := range in {
		if n := len(t.Shape); n >= 2 {
			b.Operations = max(b.Operations, budget.Mul(all, int64(max(t.Shape[n-1], t.Shape[n-2]))))
		}
	}
	return b
}

// counted is the number of elements from which an elementwise operation's memory is counted.
const counted = 512

// small reports whether an operation's memory and work are negligible: it counts as one operation.
func small(op *hlo.Op, args []*tensor.Array) bool {
	if !op.Is(hlo.Elementwise) {
		return held(op)
	}
	for _, a := range args {
		if a.Len() > counted {
			return false
		}
	}
	return true
}

func nothing() {}

// begin reserves what the evaluation of an operation takes, and returns what frees the part that is not its results.
func begin(ctx context.Context, op *hlo.Op, args []*tensor.Array) (end func(), err error) {
	b := budget.From(ctx)
	if b == nil {
		return nothing, nil
	}
	if small(op, args) {
		return nothing, b.Spend(op, 1)
	}
	in := make([]tensor.Type, len(args))
	for i, a := range args {
		in[i] = a.Type
	}
	bound := BoundOf(op, in)
	if err := b.Spend(op, budget.Add(bound.Operations, 1)); err != nil {
		return nil, err
	}
	bytes := budget.Add(bound.Results, bound.Scratch)
	if err := b.Take(op, bytes); err != nil {
		return nil, err
	}
	return func() { b.Free(bytes) }, nil
}

// WindowPositions returns an upper bound of the bytes of memory of the list of positions that a reduce_window, a
// select_and_scatter or a convolution makes of its windows' elements. in are the types of the operands.
func WindowPositions(op *hlo.Op, in []tensor.Type) int64 {
	if op.Name == hlo.OpConvolution {
		return convolutionPositions(op, in)
	}
	return windowBound(op, in, Bound{}, 4).Scratch
}

func convolutionPositions(op *hlo.Op, in []tensor.Type) int64 {
	d := op.Attrs["dimension_numbers"].(*hlo.ConvDims)
	n := int64(24)
	for i, s := range d.KerSpatial {
		n = budget.Mul(n, int64(in[1].Shape[s]), int64(op.Results[0].Type.Shape[d.OutSpatial[i]]))
	}
	return n
}
