package exec

import (
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	for _, kind := range "sd" {
		prefix := "lapack_" + string(kind)
		customs.Add(prefix+"getrf_ffi", getrf)
		customs.Add(prefix+"geqrf_ffi", geqrf)
		customs.Add(prefix+"orgqr_ffi", orgqr)
		customs.Add(prefix+"syevd_ffi", syevd)
		customs.Add(prefix+"gesdd_ffi", gesdd)
	}
}

// getrf is the LU factorization with partial pivoting.
func getrf(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	m, _, _, _ := c.matrices(in[0])
	lu, pivots := c.Arith.LU(c.op, c.share(m, c.Arith.Fraction), c.o.Results[1].Type.DType)
	return c.results(lu, pivots), nil
}

// results returns secrets as the operation's first results, and public zeros as the remaining ones.
func (c *opRun) results(in ...*fxp.Value) []*value {
	out := make([]*value, len(c.o.Results))
	for i, r := range c.o.Results {
		if i >= len(in) || in[i] == nil {
			out[i] = zeros(r.Type)
			continue
		}
		out[i] = c.view(secret(in[i]), tensor.Reshaped(in[i].Type.Shape, r.Type.Shape))
	}
	return out
}

// geqrf is the QR factorization by reflections.
func geqrf(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	m, _, _, _ := c.matrices(in[0])
	qr, taus := c.Arith.QR(c.op, c.share(m, c.Arith.Fraction))
	return c.results(qr, taus), nil
}

// orgqr multiplies reflections.
func orgqr(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	m, batch, _, _ := c.matrices(in[0])
	k := in[1].typ.Shape[len(in[1].typ.Shape)-1]
	taus := c.view(in[1], tensor.Reshaped(in[1].typ.Shape, tensor.Shape{batch, k}))
	return c.results(c.Arith.Q(c.op, c.share(m, c.Arith.Fraction), c.share(taus, c.Arith.Fraction))), nil
}

func rotations(n int) fxp.Rotations {
	return fxp.Rotations{Rounds: eval.JacobiRounds(n), Sweeps: eval.JacobiSweeps(n)}
}

// syevd returns eigenvectors and eigenvalues of symmetric matrices, of which it reads one triangle.
func syevd(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	m, _, n, _ := c.matrices(in[0])
	m = c.triangles(m, c.transposed(m), eval.BackendOption(c.o, "uplo") != 'U')
	values, vectors := c.Arith.Eigen(c.op, c.share(m, c.Arith.Fraction), rotations(n))
	return c.results(vectors, values), nil
}

// gesdd returns singular values and as many singular vectors.
func gesdd(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	x, _, m, n := c.matrices(in[0])
	alone := eval.BackendOption(c.o, "mode") == 'N' // the program asks for the values only
	wide := m < n
	if wide {
		x = c.transposed(x)
	}
	values, u, v := c.Arith.Singular(c.op, c.share(x, c.Arith.Fraction), rotations(min(m, n)))
	out := c.results(nil, values)
	t := c.o.Results[3].Type
	if alone {
		for i := 2; i <= 3; i++ {
			t := c.o.Results[i].Type
			out[i] = &value{typ: t, owner: Public, arr: tensor.NewArray(t)}
		}
		return out, nil
	}
	if long := c.o.Results[2].Type.Shape; !wide && long[len(long)-1] > n || wide && c.o.Results[3].Type.Shape[len(long)-2] > m {
		u = c.completed(u)
	}
	if wide {
		u, v = v, u
	}
	v2 := c.transposed(secret(v))
	if c.o.Results[2].Type.Shape.Size() > 0 && t.Shape.Size() > 0 {
		out[2] = c.view(secret(u), tensor.Reshaped(u.Type.Shape, c.o.Results[2].Type.Shape))
		out[3] = c.view(v2, tensor.Reshaped(v2.typ.Shape, t.Shape))
	}
	return out, nil
}

// completed returns batch×m×n matrices with orthonormal columns and m − n more columns that are orthogonal to
// them: the last columns of the orthogonal factor.
func (c *opRun) completed(u *fxp.Value) *fxp.Value {
	batch, m, n := u.Type.Shape[0], u.Type.Shape[1], u.Type.Shape[2]
	qr, taus := c.Arith.QR(c.op, u)
	square := tensor.Shape{batch, m, m}
	wide := c.Arith.View(c.op, tensor.Padded(qr.Type.Shape, []int{0, 0, 0}, []int{0, 0, m - n}, []int{0, 0, 0}), qr)
	q := c.Arith.Q(c.op, wide, taus)
	rest := c.Arith.View(c.op, tensor.Sliced(square, []int{0, 0, n}, square, []int{1, 1, 1}), q)
	return c.Arith.View(c.op, tensor.Concatenated([]tensor.Shape{u.Type.Shape, rest.Type.Shape}, 2), u, rest)
}
