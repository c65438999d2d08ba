package eval

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// customs are the supported targets of custom_call: LAPACK routines, which JAX prints for linear
// algebra on CPUs, and sharding annotations, which are the identity on one device.
var customs = hlo.Table[kernel]{
	"ApproxTopK":        approxTopK,
	"Sharding":          barrier,
	"mhlo.topk":         topKCall,
	"tacet.reveal":      barrier,
	hlo.RevealToTarget:  barrier,
	"tacet.unopened":    barrier,
	"tacet.integer":     nearestInteger,
	"tacet.real":        scaledInteger,
	"tacet.outside":     outside,
	"tacet.squares":     weightedSquares,
	hlo.NarrowTarget:    narrowed,
	hlo.WideTarget:      wideInteger,
	hlo.SigmoidTarget:   sigmoidOfInteger,
	"lapack_spotrf_ffi": potrf,
	"lapack_dpotrf_ffi": potrf,
	"lapack_cpotrf_ffi": potrf,
	"lapack_zpotrf_ffi": potrf,
	"lapack_strsm_ffi":  trsm,
	"lapack_dtrsm_ffi":  trsm,
	"lapack_ctrsm_ffi":  trsm,
	"lapack_ztrsm_ffi":  trsm,
}

// nearestInteger returns the nearest integers, of the result's type.
func nearestInteger(c *call) ([]*tensor.Array, error) {
	x := slices.Clone(c.args[0].Floats())
	for i, v := range x {
		x[i] = math.RoundToEven(v)
	}
	return one(converted(tensor.FromFloats(tensor.F64, c.args[0].Shape, x), c.result(0).DType)), nil
}

// scaledInteger returns integers as floats, divided by a power of two.
func scaledInteger(c *call) ([]*tensor.Array, error) {
	r, _ := hlo.RealOf(c.op)
	x := slices.Clone(c.args[0].Floats())
	for i := range x {
		x[i] = math.Ldexp(x[i], -r.Scale)
	}
	return one(tensor.FromFloats(c.result(0).DType, c.args[0].Shape, x)), nil
}

// outside returns whether integers are outside of the range of hlo.Real.
func outside(c *call) ([]*tensor.Array, error) {
	r, _ := hlo.RealOf(c.op)
	out := make([]bool, c.args[0].Len())
	for i, v := range c.args[0].Floats() {
		out[i] = math.Abs(v) >= math.Ldexp(1, r.Bits) || v >= math.Ldexp(1, r.Below)
	}
	return one(&tensor.Array{Type: c.result(0), Data: out}), nil
}

// narrowed returns the nearest integers to x·2^−by.
func narrowed(c *call) ([]*tensor.Array, error) {
	n, _ := hlo.NarrowOf(c.op)
	return c.signed(func(x int64) int64 {
		if n.By == 0 {
			return x
		}
		return (x>>(n.By-1) + 1) >> 1
	})
}

// wideInteger returns integers of another type.
func wideInteger(c *call) ([]*tensor.Array, error) {
	return c.signed(func(x int64) int64 { return x })
}

// sigmoidOfInteger returns sigmoids of integers as integers.
func sigmoidOfInteger(c *call) ([]*tensor.Array, error) {
	n, _ := hlo.NarrowOf(c.op)
	return c.signed(func(x int64) int64 {
		return int64(math.RoundToEven(math.Ldexp(1/(1+math.Exp(-math.Ldexp(float64(x), -n.By))), n.Fraction)))
	})
}

// signed applies a function to signed integers.
func (c *call) signed(f func(x int64) int64) ([]*tensor.Array, error) {
	x := c.args[0]
	out, shift := slices.Clone(x.Words()), 64-x.DType.Bits()
	for i, v := range out {
		out[i] = uint64(f(int64(v<<shift) >> shift))
	}
	return one(tensor.FromWords(c.result(0).DType, x.Shape, out)), nil
}

// weightedSquares returns xᵀ·diag(w)·x of integers.
func weightedSquares(c *call) ([]*tensor.Array, error) {
	shape := c.args[0].Shape
	batch, rows, k := shape[0], shape[1], shape[2]
	x, w, out := c.args[0].Words(), c.args[1].Words(), make([]uint64, batch*k*k)
	for b := range batch {
		y := out[b*k*k : (b+1)*k*k]
		for i := b * rows; i < (b+1)*rows; i++ {
			row := x[i*k : (i+1)*k]
			for j, v := range row {
				v *= w[i]
				for l, u := range row[:j+1] {
					y[j*k+l] += v * u
				}
			}
		}
		for j := range k {
			for l := range j {
				y[l*k+j] = y[j*k+l]
			}
		}
	}
	return one(tensor.FromWords(c.result(0).DType, c.result(0).Shape, out)), nil
}

func customCall(c *call) ([]*tensor.Array, error) {
	return customs[c.op.Attrs.Str("call_target_name")](c)
}

// BackendOption returns an option of a LAPACK call, such as 'L' for a lower triangle: the character code in the
// call's backend configuration under the given name.
func BackendOption(op *hlo.Op, name string) byte {
	v, _ := op.Attrs.Dict("mhlo.backend_config")[name].(int64)
	return byte(v)
}

// potrf is a Cholesky factorization in place: the other triangle keeps its values. Its second
// result is 0, or the order of the leading minor that is not positive definite.
func potrf(c *call) ([]*tensor.Array, error) {
	a := c.args[0]
	n := a.Shape[len(a.Shape)-1]
	upper := BackendOption(c.op, "uplo") == 'U'
	out := append([]complex128(nil), complexes(a)...)
	info := make([]uint64, c.result(1).Shape.Size())
	for b := range info {
		m := matrix{out[b*n*n : (b+1)*n*n], n, upper, upper}
		info[b] = uint64(factor(m, m))
	}
	return []*tensor.Array{fromReals(a.DType, a.Shape, out), tensor.FromWords(c.result(1).DType, c.result(1).Shape, info)}, nil
}

// trsm solves equations with a triangular matrix.
func trsm(c *call) ([]*tensor.Array, error) {
	trans := BackendOption(c.op, "trans_x")
	t := triangular{
		matrixLeft: BackendOption(c.op, "side") == 'L', lower: BackendOption(c.op, "uplo") == 'L',
		unit: BackendOption(c.op, "diag") == 'U', transpose: trans != 'N', conjugate: trans == 'C',
	}
	return t.solve(c, c.args[0], c.args[1])
}
