package exec

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	table.Add(hlo.OpCholesky, func(c *opRun, in []*value) ([]*value, error) {
		l, err := c.cholesky(in[0], c.o.Attrs.Bool("lower"))
		return []*value{l}, err
	})
	table.Add(hlo.OpTriangularSolve, func(c *opRun, in []*value) ([]*value, error) {
		at := c.o.Attrs
		t := triangular{left: at.Bool("left_side"), lower: at.Bool("lower"), unit: at.Bool("unit_diagonal"),
			transpose: at.Str("transpose_a") == "TRANSPOSE" || at.Str("transpose_a") == "ADJOINT", conjugate: at.Str("transpose_a") == "ADJOINT"}
		x, err := c.solve(t, in[0], in[1])
		return []*value{x}, err
	})
	for _, name := range []string{hlo.OpCholesky, hlo.OpTriangularSolve} {
		complexOps.Add(name, table[name])
	}
}

// matrices views a value as batch×rows×columns.
func (c *opRun) matrices(x *value) (y *value, batch, rows, columns int) {
	s := x.typ.Shape
	rank := len(s)
	batch, rows, columns = tensor.Shape(s[:rank-2]).Size(), s[rank-2], s[rank-1]
	return c.view(x, tensor.Reshaped(s, tensor.Shape{batch, rows, columns})), batch, rows, columns
}

// transposed transposes batched matrices.
func (c *opRun) transposed(x *value) *value {
	return c.view(x, tensor.Transposed(x.typ.Shape, []int{0, 2, 1}))
}

// cholesky factors batched matrices; the other triangle is zero.
func (c *opRun) cholesky(x *value, lower bool) (*value, error) {
	complex := x.typ.DType.IsComplex()
	if err := c.floatsOnly([]*value{x}); err != nil && !complex {
		return nil, err
	}
	m, batch, n, _ := c.matrices(x)
	if m.typ.Shape.Size() == 0 {
		return x, nil
	}
	if !lower {
		m = c.conjugated(c.transposed(m))
	}
	var l *value
	if complex {
		l = c.choleskyComplex(m, batch, n)
	} else {
		l = secret(c.Arith.Cholesky(c.op, c.share(m, c.Arith.Fraction), batch, n))
	}
	if !lower {
		l = c.conjugated(c.transposed(l))
	}
	return c.view(l, tensor.Reshaped(l.typ.Shape, x.typ.Shape)), nil
}

// triangular describes a system of linear equations with a triangular matrix: the matrix is left of the
// unknowns; it is lower triangular; its diagonal is ones; and it is transposed, and conjugated, first.
type triangular struct{ left, lower, unit, transpose, conjugate bool }

// solve brings the equations to the form l·x = b with a lower triangular matrix.
func (c *opRun) solve(t triangular, a, b *value) (*value, error) {
	complex := a.typ.DType.IsComplex()
	if err := c.floatsOnly([]*value{a, b}); err != nil && !complex {
		return nil, err
	}
	shape := b.typ.Shape
	if shape.Size() == 0 {
		return b, nil
	}
	if a.owner != Secret && a.sec == nil && !complex {
		return c.solveClear(t, a, b)
	}
	l, batch, n, _ := c.matrices(a)
	if t.conjugate {
		l = c.conjugated(l)
	}
	x, _, _, m := c.matrices(b)
	if !t.left { // xᵀ of aᵀ·xᵀ = bᵀ
		x, m, t.transpose = c.transposed(x), x.typ.Shape[1], !t.transpose
	}
	if t.transpose {
		l, t.lower = c.transposed(l), !t.lower
	}
	if !t.lower { // with rows and columns reversed
		l = c.view(l, tensor.Reversed(l.typ.Shape, []int{1, 2}))
		x = c.view(x, tensor.Reversed(x.typ.Shape, []int{1}))
	}
	if complex {
		var err error
		if x, err = c.solveComplex(l, x, batch, n, m, t.unit); err != nil {
			return nil, err
		}
	} else {
		x = secret(c.Arith.SolveLower(c.op, c.share(l, c.Arith.Fraction), c.share(x, c.Arith.Fraction), batch, n, m, t.unit))
	}
	if !t.lower {
		x = c.view(x, tensor.Reversed(x.typ.Shape, []int{1}))
	}
	if !t.left {
		x = c.transposed(x)
	}
	return c.view(x, tensor.Reshaped(x.typ.Shape, shape)), nil
}

// solveClear multiplies with the inverse of a matrix that is public, or known to one party, which inverts it
// locally.
func (c *opRun) solveClear(t triangular, a, b *value) (*value, error) {
	s := a.typ.Shape
	inverse := &value{typ: a.typ, owner: a.owner}
	mode := hlo.Enum("NO_TRANSPOSE")
	if t.transpose {
		mode = "TRANSPOSE"
	}
	matrix := &hlo.Value{Type: a.typ}
	o := &hlo.Op{
		Name: hlo.OpTriangularSolve, Pos: c.o.Pos, Operands: []*hlo.Value{matrix, matrix}, Results: []*hlo.Value{matrix},
		Attrs: hlo.Attrs{"left_side": true, "lower": t.lower, "unit_diagonal": t.unit, "transpose_a": mode},
	}
	res, err := c.evaluate(c.scope, nil, o, a.owner, []*tensor.Array{a.array(), identities(a.typ)})
	if err != nil {
		return nil, err
	}
	if res != nil {
		inverse.arr = res[0]
	}
	rank := len(s)
	batch := make([]int, rank-2)
	for i := range batch {
		batch[i] = i
	}
	d := &hlo.DotDims{LHSBatch: batch, RHSBatch: batch, LHSContract: []int{rank - 1}, RHSContract: []int{rank - 2}}
	x, y := inverse, b
	if !t.left {
		x, y = b, inverse
	}
	return first(c.matMul([]*value{x, y}, d))
}

// identities returns identity matrices of a type.
func identities(t tensor.Type) *tensor.Array {
	n := t.Shape[len(t.Shape)-1]
	f := make([]float64, t.Shape.Size())
	for i := range f {
		if i%(n*n)%(n+1) == 0 {
			f[i] = 1
		}
	}
	return tensor.FromFloats(t.DType, t.Shape, f)
}
