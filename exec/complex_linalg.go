package exec

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// A complex matrix is a real one of twice its size, whose 2×2 blocks are its
// elements:
//
//	a + bi  ↦  a −b
//	           b  a
//
// Products are kept, so factors are those of the real matrix where these are
// unique: a Cholesky factor, and a triangular one with ones on its diagonal.

func init() {
	complexOps.Add(hlo.OpCustomCall, customCall)
	for _, kind := range "cz" {
		prefix := "lapack_" + string(kind)
		customs.Add(prefix+"potrf_ffi", potrf)
		customs.Add(prefix+"trsm_ffi", trsm)
	}
}

// blocks returns the lower triangles of batch×n×n complex matrices as real matrices of twice the size, with
// zeros above the blocks' diagonal: elements of the diagonal are taken as real.
func (c *opRun) blocks(x *value, batch, n int) *value {
	re, im := c.parts(x)
	size := int32(batch * n * n)
	index := make([]int32, 0, 4*size)
	for b := range batch {
		for row := range 2 * n {
			for column := range 2 * n {
				at := int32(b*n*n + row/2*n + column/2)
				switch {
				case column > row || row/2 == column/2 && row != column:
					at = tensor.Fill
				case row%2 > column%2:
					at += size
				case row%2 < column%2:
					at += 2 * size
				}
				index = append(index, at)
			}
		}
	}
	return c.pickedFrom(index, tensor.Shape{batch, 2 * n, 2 * n}, re, im, c.opposite(im))
}

// columns returns the complex numbers whose real and imaginary parts lie below each other in a batch×2n×m
// value.
func (c *opRun) columns(x *value, d tensor.DType) *value {
	s := x.typ.Shape
	part := func(first int) *value {
		return c.view(x, tensor.Sliced(s, []int{0, first, 0}, []int{s[0], s[1], s[2]}, []int{1, 2, 1}))
	}
	return paired(d, part(0), part(1))
}

// conjugated returns the conjugate of a complex value; a real value is returned unchanged.
func (c *opRun) conjugated(x *value) *value {
	if !x.typ.DType.IsComplex() {
		return x
	}
	re, im := c.parts(x)
	return paired(x.typ.DType, re, c.opposite(im))
}

// choleskyComplex factors batch×n×n Hermitian matrices.
func (c *opRun) choleskyComplex(m *value, batch, n int) *value {
	l := secret(c.Arith.Cholesky(c.op, c.share(c.blocks(m, batch, n), c.Arith.Fraction), batch, 2*n))
	left := c.view(l, tensor.Sliced(l.typ.Shape, []int{0, 0, 0}, []int{batch, 2 * n, 2 * n}, []int{1, 1, 2}))
	return c.columns(left, m.typ.DType)
}

// solveComplex solves l·x = b for lower triangular l: it divides the equations by their diagonal elements
// first.
func (c *opRun) solveComplex(l, b *value, batch, n, m int, unit bool) (*value, error) {
	d := l.typ.DType
	if !unit {
		diagonal := c.view(l, tensor.View{Shape: tensor.Shape{batch, n}, In: batch * n * n, Strides: []int{n * n, n + 1}})
		re, _ := c.parts(diagonal)
		inverse, err := first(complexQuotient(c, []*value{paired(d, constantly(re, 1), zeros(re.typ)), diagonal}))
		if err != nil {
			return nil, err
		}
		for _, v := range []struct {
			x       **value
			columns int
		}{{&l, n}, {&b, m}} {
			factor := c.view(inverse, tensor.Broadcast(inverse.typ.Shape, []int{0, 1}, tensor.Shape{batch, n, v.columns}))
			if *v.x, err = first(complexProduct(c, []*value{*v.x, factor})); err != nil {
				return nil, err
			}
		}
	}
	re, im := c.parts(b)
	index := make([]int32, 0, 2*batch*n*m)
	for i := range batch * n {
		for part := range 2 {
			for j := range m {
				index = append(index, int32(part*batch*n*m+i*m+j))
			}
		}
	}
	right := c.pickedFrom(index, tensor.Shape{batch, 2 * n, m}, re, im)
	in := c.shareAll([]*value{c.blocks(l, batch, n), right})
	return c.columns(secret(c.Arith.SolveLower(c.op, in[0], in[1], batch, 2*n, m, true)), d), nil
}
