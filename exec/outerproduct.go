package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// The gradient that comes back to a ReLU through a layer of one unit is an outer product x[i]·y[j] of which secret bits b[i,j]
// select elements. Mostly only contractions with matrices z of few rows, and sums, read it: the gradients of the layer before.
// Σ_i z[a,i]·x[i]·y[j]·b[i,j] is y[j]·Σ_i (z[a,i]·x[i])·b[i,j]. The products z·x are opened, which are fewer than the elements
// of the outer product, and multiplied with bits; the protocol deals a number for each of these products, one for each row of
// z and element of the outer product.

// mostRows is the largest number of rows of all matrices with which a selected outer product is contracted in this way. As many
// numbers are dealt for an element. To open the element, its product with the bit is dealt first, in about five.
const mostRows = 8

// laterOuter returns the outer product of two vectors as a value that is made when an operation other than a selection reads it.
func (c *opRun) laterOuter(x, y *value) *value {
	shape := c.o.Results[0].Type.Shape
	if len(shape) != 2 {
		return secret(c.Arith.Outer(c.op, shape, c.share(x, 0), c.share(y, 0)))
	}
	of := c.Arith.OuterOf(c.op, c.share(x, 0), c.share(y, 0))
	out := c.laterNumber(c.o.Results[0].Type, nil, func(c *opRun) *fxp.Value { return c.Arith.Outer(c.op, shape, of.X, of.Y) })
	out.outer = of
	return out
}

// selectOuter returns the elements of an outer product that a secret boolean selects against zeros as a value that is made when an
// operation other than contractions and sums of few rows reads it; nil if such operations read it, or if it is another selection.
func (c *opRun) selectOuter(in []*value) *value {
	x, y, negated := in[1], in[2], false
	if x.owner == Public {
		x, y, negated = in[2], in[1], true
	}
	if x.outer == nil || x.outer.Bits != nil || y.owner != Public || in[0].typ.Shape.Size() != x.typ.Shape.Size() ||
		c.finely() || c.guarded() || !c.contractedOnly(c.o.Results[0]) {
		return nil
	}
	if v, ok := y.array().Uniform(); !ok || v != 0 {
		return nil
	}
	bits := c.share(in[0], 0)
	if negated {
		bits = c.Arith.Not(c.op, bits)
	}
	out := c.laterNumber(c.o.Results[0].Type, nil, func(c *opRun) *fxp.Value {
		c.numbers(in)
		picked, err := c.pick(in[0], in[1], in[2])
		if err != nil {
			panic(err) // of complex numbers only
		}
		return picked[0].sec
	})
	out.outer = &fxp.Outer{X: x.outer.X, Y: x.outer.Y, Bits: bits}
	return out
}

// contractedOnly reports whether sums over one of two dimensions, and contractions with matrices of mostRows rows together, are all
// that reads v, and open fewer elements than v has.
func (c *opRun) contractedOnly(v *hlo.Value) bool {
	readers := c.readersOf(v)
	if len(readers) == 0 || c.taken[v] || len(v.Type.Shape) != 2 {
		return false
	}
	rows, opened := 0, 0
	for _, o := range readers {
		if c.inPattern(o) || o.Results[0].Type.DType != v.Type.DType {
			return false
		}
		switch o.Name {
		case hlo.OpReduce:
			if o.Operands[0] != v || len(o.Results) != 1 || algo.Reducer(o.Regions[0]) != hlo.OpAdd || len(o.Attrs.Ints("dimensions")) != 1 {
				return false
			}
		case hlo.OpDotGeneral:
			i := slices.Index(o.Operands, v)
			d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
			if i < 0 || o.Operands[1-i] == v || matrixDim(o.Operands[1-i].Type.Shape, 1-i, d) < 0 {
				return false
			}
			dim := matrixDim(v.Type.Shape, i, d)
			if dim < 0 {
				return false
			}
			size := o.Operands[1-i].Type.Shape.Size()
			rows, opened = rows+size/v.Type.Shape[dim], opened+size
		default:
			return false
		}
	}
	return rows <= mostRows && opened < v.Type.Shape.Size()
}

// matrixDim returns the dimension of operand i, of the given shape, that a product contracts, if that is the only one, the operand
// is a matrix, and no dimension is of a batch; else −1.
func matrixDim(s tensor.Shape, i int, d *hlo.DotDims) int {
	if len(s) != 2 || s.Size() == 0 {
		return -1
	}
	return vectorDim(s, i, d)
}

// outerProduct returns the product of a selected outer product with a matrix; nil if it is another product, or the matrix is public.
func (c *opRun) outerProduct(x, y *value, d *hlo.DotDims) *value {
	if c.finely() || c.guarded() || c.o.Name != hlo.OpDotGeneral {
		return nil
	}
	in := []*value{x, y}
	for i, v := range in {
		z := in[1-i]
		if v.outer == nil || v.outer.Bits == nil || v.later == nil || z.owner == Public || c.inFineForm(z) {
			continue
		}
		dim, along := matrixDim(v.typ.Shape, i, d), matrixDim(z.typ.Shape, 1-i, d)
		if dim < 0 || along < 0 {
			continue
		}
		z = c.view(z, tensor.Transposed(z.typ.Shape, []int{1 - along, along}))
		out := secret(c.Arith.ContractOuter(c.op, v.outer, dim, c.share(z, 0)))
		if i == 0 {
			out = c.view(out, tensor.Transposed(out.typ.Shape, []int{1, 0}))
		}
		return out
	}
	return nil
}

// outerSum returns the sum over one dimension of a selected outer product; nil for another sum.
func (c *opRun) outerSum(x *value, dims []int) *value {
	if x.outer == nil || x.outer.Bits == nil || x.later == nil || len(dims) != 1 || c.finely() || c.guarded() {
		return nil
	}
	z := c.Arith.ContractOuter(c.op, x.outer, dims[0], nil)
	return c.view(secret(z), tensor.Reshaped(z.Type.Shape, c.o.Results[0].Type.Shape))
}
