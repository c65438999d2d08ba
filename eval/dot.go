package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// wide is an accumulator type: float64 for floats (rounded once to the result's type at the end),
// 64-bit words modulo 2^64 for integers (truncated to the result's type), complex128 for complex
// numbers.
type wide interface {
	float64 | uint64 | complex128 | int32
}

// dotGeneral computes dot_general with the result dimensions batch, lhs, rhs.
func dotGeneral(c *call) ([]*tensor.Array, error) {
	d := c.op.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	return c.contract(*d)
}

func (c *call) contract(d hlo.DotDims) ([]*tensor.Array, error) {
	x, rows := matrices(c.args[0], d.LHSBatch, d.LHSContract)
	y, cols := matrices(c.args[1], d.RHSBatch, d.RHSContract)
	p := product{m: rows, n: cols, k: algo.Size(c.args[0].Shape, d.LHSContract), batch: algo.Size(c.args[0].Shape, d.LHSBatch)}
	t := c.result(0)
	switch e := x.DType; {
	case e.IsComplex() || y.DType.IsComplex():
		out, err := multiply(c, p, complexes(x), complexes(y))
		if err != nil {
			return nil, err
		}
		return one(fromComplexes(t.DType, t.Shape, out)), nil
	case e.IsFloat() || y.DType.IsFloat():
		out, err := multiply(c, p, x.Floats(), y.Floats())
		if err != nil {
			return nil, err
		}
		return one(fromFloats(t, out)), nil
	}
	if xs, ok := x.Data.([]int32); ok && y.DType == tensor.I32 && t.DType == tensor.I32 { // without copies in words
		out, err := multiply(c, p, xs, y.Data.([]int32))
		if err != nil {
			return nil, err
		}
		return one(&tensor.Array{Type: t, Data: out}), nil
	}
	out, err := multiply(c, p, x.Words(), y.Words())
	if err != nil {
		return nil, err
	}
	return one(fromWords(t, out)), nil
}

// fromFloats rounds sums to the result's type.
func fromFloats(t tensor.Type, v []float64) *tensor.Array {
	if !t.DType.IsFloat() {
		return converted(tensor.FromFloats(tensor.F64, t.Shape, v), t.DType)
	}
	return tensor.FromFloats(t.DType, t.Shape, v)
}

// fromWords truncates sums to the result's type. A sum of Bools is or.
func fromWords(t tensor.Type, w []uint64) *tensor.Array {
	words := tensor.FromWords(tensor.U64, t.Shape, w)
	if t.DType.IsFloat() {
		return converted(tensor.FromWords(tensor.I64, t.Shape, w), t.DType)
	}
	return converted(words, t.DType)
}

// matrices transposes a tensor to a batch of matrices whose rows run along the contracted
// dimensions.
func matrices(a *tensor.Array, batch, contract []int) (m *tensor.Array, rows int) {
	free := algo.Others(len(a.Shape), batch, contract)
	return apply(tensor.Transposed(a.Shape, slices.Concat(batch, free, contract)), a), algo.Size(a.Shape, free)
}

// product describes a batch of matrix products: out[b] = x[b]·y[b]ᵀ with x of m×k and y of n×k.
type product struct{ batch, m, n, k int }

func multiply[T wide](c *call, p product, x, y []T) ([]T, error) {
	out := make([]T, p.batch*p.m*p.n)
	for b := range p.batch {
		xb, yb, ob := x[b*p.m*p.k:], y[b*p.n*p.k:], out[b*p.m*p.n:]
		if of, ok := any(ob).([]float64); ok && tile != nil && p.m >= leastTiledRows && p.n >= tileColumns && p.k > 0 {
			if err := p.tiled(c, of, any(xb).([]float64), any(yb).([]float64)); err != nil {
				return nil, err
			}
			continue
		}
		for i := 0; i < p.m; i += 2 {
			if err := c.alive(); err != nil {
				return nil, err
			}
			x0 := xb[i*p.k : (i+1)*p.k]
			if i+1 == p.m {
				rowTimes(ob[i*p.n:(i+1)*p.n], x0, yb)
				continue
			}
			twoRowsTimes(ob[i*p.n:(i+2)*p.n], x0, xb[(i+1)*p.k:(i+2)*p.k], yb)
		}
	}
	return out, nil
}

// Explicit conversions keep processors from fusing products into sums, so that all machines compute
// the same result.

// rowTimes computes one row of a product.
func rowTimes[T wide](out, x, y []T) {
	k := len(x)
	for j := range out {
		var s T
		row := y[j*k : (j+1)*k]
		for i, v := range x {
			s += T(v * row[i])
		}
		out[j] = s
	}
}

// twoRowsTimes computes two rows of a product in blocks of 2×2. Each sum is in the same order as in
// rowTimes.
func twoRowsTimes[T wide](out, x0, x1, y []T) {
	k, n := len(x0), len(out)/2
	x1 = x1[:k]
	j := 0
	for ; j+1 < n; j += 2 {
		y0, y1 := y[j*k:(j+1)*k], y[(j+1)*k:(j+2)*k]
		y0, y1 = y0[:k], y1[:k]
		var s00, s01, s10, s11 T
		for i, v := range x0 {
			w, a, b := x1[i], y0[i], y1[i]
			s00 += T(v * a)
			s01 += T(v * b)
			s10 += T(w * a)
			s11 += T(w * b)
		}
		out[j], out[j+1], out[n+j], out[n+j+1] = s00, s01, s10, s11
	}
	if j < n {
		rowTimes(out[j:j+1], x0, y[j*k:])
		rowTimes(out[n+j:n+j+1], x1, y[j*k:])
	}
}
