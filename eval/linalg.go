package eval

import (
	"math"
	"math/cmplx"

	"github.com/tacet-mpc/tacet/tensor"
)

// Matrices, including real ones, are computed in complex128 and rounded once.

// cholesky factors symmetric (Hermitian) positive definite matrices: a = l·lᴴ, or a = uᴴ·u if the
// upper triangle is requested. Only the requested triangle of a is read; the other one of the
// result is zero. A matrix that is not positive definite gives NaN in the triangle.
func cholesky(c *call) ([]*tensor.Array, error) {
	a, lower := c.args[0], c.op.Attrs.Bool("lower")
	n := a.Shape[len(a.Shape)-1]
	in := complexes(a)
	out := make([]complex128, len(in))
	for at := 0; at < len(in); at += n * n {
		if err := c.alive(); err != nil {
			return nil, err
		}
		m := matrix{in[at : at+n*n], n, !lower, !lower}
		if factor(m, matrix{out[at : at+n*n], n, !lower, !lower}) != 0 {
			fillNaN(out[at:at+n*n], n, lower)
		}
	}
	return one(fromReals(a.DType, a.Shape, out)), nil
}

// matrix is an n-row matrix in row-major order, optionally read transposed and conjugated.
type matrix struct {
	data                  []complex128
	n                     int
	transposed, conjugate bool
}

func (m matrix) index(i, j int) int {
	if m.transposed {
		i, j = j, i
	}
	return i*m.n + j
}

func (m matrix) at(i, j int) complex128 {
	v := m.data[m.index(i, j)]
	if m.conjugate {
		return cmplx.Conj(v)
	}
	return v
}

func (m matrix) set(i, j int, v complex128) {
	if m.conjugate {
		v = cmplx.Conj(v)
	}
	m.data[m.index(i, j)] = v
}

// factor writes the lower Cholesky factor of a to l (which may be a). It returns 0, or the order of
// the leading minor that is not positive definite.
func factor(a, l matrix) int {
	for j := range a.n {
		d := real(a.at(j, j))
		for k := range j {
			v := l.at(j, k)
			d -= float64(real(v)*real(v)) + float64(imag(v)*imag(v))
		}
		if !(d > 0) {
			return j + 1
		}
		root := math.Sqrt(d)
		l.set(j, j, complex(root, 0))
		for i := j + 1; i < a.n; i++ {
			s := a.at(i, j)
			for k := range j {
				s -= l.at(i, k) * cmplx.Conj(l.at(j, k))
			}
			l.set(i, j, s/complex(root, 0))
		}
	}
	return 0
}

// fillNaN fills a triangle with NaN.
func fillNaN(m []complex128, n int, lower bool) {
	for i := range n {
		for j := range n {
			if i == j || (j < i) == lower {
				m[i*n+j] = cmplx.NaN()
			}
		}
	}
}

// fromReals rounds to type d and drops imaginary parts if d has none.
func fromReals(d tensor.DType, s tensor.Shape, z []complex128) *tensor.Array {
	if d.IsComplex() {
		return fromComplexes(d, s, z)
	}
	re := make([]float64, len(z))
	for i, v := range z {
		re[i] = real(v)
	}
	return tensor.FromFloats(d, s, re)
}

// triangular describes a system of linear equations with a triangular matrix.
type triangular struct {
	matrixLeft, lower, unit bool // matrix is left of x; is lower triangular; has an implicit diagonal of ones
	transpose, conjugate    bool // applied to the matrix before solving
}

// triangularSolve solves op(a)·x = b, or x·op(a) = b, for each matrix.
func triangularSolve(c *call) ([]*tensor.Array, error) {
	at := c.op.Attrs
	t := triangular{matrixLeft: at.Bool("left_side"), lower: at.Bool("lower"), unit: at.Bool("unit_diagonal")}
	switch mode := at.Str("transpose_a"); mode {
	case "TRANSPOSE":
		t.transpose = true
	case "ADJOINT":
		t.transpose, t.conjugate = true, true
	}
	return t.solve(c, c.args[0], c.args[1])
}

func (t triangular) solve(c *call, a, b *tensor.Array) ([]*tensor.Array, error) {
	rank := len(b.Shape)
	n := a.Shape[len(a.Shape)-1]
	rows, cols := b.Shape[rank-2], b.Shape[rank-1]
	as, x := complexes(a), append([]complex128(nil), complexes(b)...)
	count, step, stride := cols, 1, cols // right-hand sides: their number, distance, and the distance of their elements
	if !t.matrixLeft {
		count, step, stride = rows, cols, 1
	}
	for k := 0; k*rows*cols < len(x); k++ {
		if err := c.alive(); err != nil {
			return nil, err
		}
		m := matrix{as[k*n*n : (k+1)*n*n], n, t.transpose, t.conjugate}
		if !t.matrixLeft { // x·a = b is aᵀ·xᵀ = bᵀ
			m.transposed = !m.transposed
		}
		forward := t.lower != m.transposed
		for r := range count {
			m.substitute(x[k*rows*cols+r*step:], stride, forward, t.unit)
		}
	}
	return one(fromReals(b.DType, b.Shape, x)), nil
}

// substitute solves m·x = b in place, with the elements of b at distance stride: forward if m is
// lower triangular, else backward.
func (m matrix) substitute(x []complex128, stride int, forward, unit bool) {
	for s := range m.n {
		i, from, to := s, 0, s
		if !forward {
			i, from, to = m.n-1-s, m.n-s, m.n
		}
		v := x[i*stride]
		for j := from; j < to; j++ {
			v -= m.at(i, j) * x[j*stride]
		}
		if !unit {
			v /= m.at(i, i)
		}
		x[i*stride] = v
	}
}
