package exec

import (
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	for _, kind := range "sd" {
		prefix := "lapack_" + string(kind)
		customs[prefix+"getrf_ffi"] = getrf
		customs[prefix+"geqrf_ffi"] = geqrf
		customs[prefix+"orgqr_ffi"] = orgqr
		customs[prefix+"syevd_ffi"] = syevd
		customs[prefix+"gesdd_ffi"] = gesdd
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

// results are secrets as results of the operation, and public zeros as those
// that are left.
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
	return fxp.Rotations{Rounds: eval.Rounds(n), Sweeps: eval.Sweeps(n)}
}

// syevd gives eigenvectors and eigenvalues of symmetric matrices, of which it
// reads one triangle.
func syevd(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	m, _, n, _ := c.matrices(in[0])
	m = c.triangles(m, c.turned(m), eval.BackendLetter(c.o, "uplo") != 'U')
	values, vectors := c.Arith.Eigen(c.op, c.share(m, c.Arith.Fraction), rotations(n))
	return c.results(vectors, values), nil
}

// gesdd gives singular values and vectors, as many as there are values.
func gesdd(c *opRun, in []*value) ([]*value, error) {
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	x, _, m, n := c.matrices(in[0])
	alone := eval.BackendLetter(c.o, "mode") == 'N' // values alone are asked for
	for i, want := range map[int]int{2: m * min(m, n), 3: n * min(m, n)} {
		if alone {
			break
		}
		if s := c.o.Results[i].Type.Shape; s[len(s)-1]*s[len(s)-2] > want {
			return nil, refuse(c.o, "asks for singular vectors that have no singular value", "use full_matrices=False")
		}
	}
	wide := m < n
	if wide {
		x = c.turned(x)
	}
	values, u, v := c.Arith.Singular(c.op, c.share(x, c.Arith.Fraction), rotations(min(m, n)))
	if wide {
		u, v = v, u
	}
	out := c.results(nil, values)
	t := c.o.Results[3].Type
	if alone {
		for i := 2; i <= 3; i++ {
			t := c.o.Results[i].Type
			out[i] = &value{typ: t, who: Public, arr: tensor.NewArray(t)}
		}
		return out, nil
	}
	v2 := c.turned(secret(v))
	if c.o.Results[2].Type.Shape.Size() > 0 && t.Shape.Size() > 0 {
		out[2] = c.view(secret(u), tensor.Reshaped(u.Type.Shape, c.o.Results[2].Type.Shape))
		out[3] = c.view(v2, tensor.Reshaped(v2.typ.Shape, t.Shape))
	}
	return out, nil
}
