package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// vectorProduct returns the product of a matrix with a vector, or the outer product of two vectors, without opening the matrix
// or the outer product, in a protocol whose selections stay symbolic; nil if this is not such a product, or not worth it. So
// neither a ReLU before a layer of one unit nor the gradient that comes back through the two is opened. More is dealt for it,
// which is why it is not done where all bytes count.
func (c *opRun) vectorProduct(x, y *value, d *hlo.DotDims) *value {
	if z := c.outerProduct(x, y, d); z != nil {
		return z
	}
	if c.op.Objective == flow.ForTotal || c.finely() || c.guarded() || c.o.Name != hlo.OpDotGeneral || !c.Arith.HasSymbolic() {
		return nil
	}
	in := []*value{x, y}
	for i, v := range in {
		if v.owner == Public || !v.typ.DType.IsFloat() || c.inFineForm(v) || v.bits != nil || c.o.Operands[i].Type.DType != v.typ.DType {
			return nil
		}
	}
	dims := []int{-1, -1} // the contracted dimension of each operand
	for i := range in {
		dims[i] = vectorDim(c.o.Operands[i].Type.Shape, i, d)
	}
	if dims[0] < 0 || dims[1] < 0 {
		return nil
	}
	shape := c.o.Results[0].Type.Shape
	sizes := []int{x.typ.Shape.Size(), y.typ.Shape.Size()}
	if k := x.typ.Shape[dims[0]]; k == 1 {
		if sizes[0] > 1 && sizes[1] > 1 && c.selectedOnly(c.o.Results[0]) {
			return c.laterOuter(x, y)
		}
		return nil
	}
	for i, v := range in {
		if v.owner == Secret && sizes[1-i] < sizes[i] && c.Arith.Symbolic(c.share(v, 0)) && c.timesVectorsOnly(c.o.Operands[i]) {
			z := secret(c.Arith.TimesVector(c.op, c.share(v, 0), c.share(in[1-i], 0), dims[i]))
			return c.view(z, tensor.Reshaped(z.typ.Shape, shape))
		}
	}
	return nil
}

// vectorDim returns the dimension of operand i that a product of matrices contracts, if that is the only one, no dimension is of
// a batch, and it is the operand's first or last; else −1.
func vectorDim(s tensor.Shape, i int, d *hlo.DotDims) int {
	batch, dims := d.LHSBatch, d.LHSContract
	if i == 1 {
		batch, dims = d.RHSBatch, d.RHSContract
	}
	if len(batch) > 0 || len(dims) != 1 || dims[0] != 0 && dims[0] != len(s)-1 {
		return -1
	}
	return dims[0]
}

// timesVectorsOnly reports whether products with vectors are all that reads a matrix.
func (c *opRun) timesVectorsOnly(v *hlo.Value) bool {
	if c.taken[v] || !c.given[v] && c.reads(v) == 0 {
		return false
	}
	return !slices.ContainsFunc(c.readersOf(v), func(o *hlo.Op) bool {
		if o.Name != hlo.OpDotGeneral || o.Operands[0] == o.Operands[1] {
			return true
		}
		d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
		i := slices.Index(o.Operands, v)
		if i < 0 {
			return true
		}
		dim := vectorDim(v.Type.Shape, i, d)
		return dim < 0 || o.Operands[1-i].Type.Shape.Size() != v.Type.Shape[dim]
	})
}

// selectedOnly reports whether selections against constants are all that reads a value.
func (c *opRun) selectedOnly(v *hlo.Value) bool {
	readers := c.readersOf(v)
	return len(readers) > 0 && !c.taken[v] && !slices.ContainsFunc(readers, func(o *hlo.Op) bool {
		return o.Name != hlo.OpSelect || o.Operands[0] == v || c.inPattern(o)
	})
}
