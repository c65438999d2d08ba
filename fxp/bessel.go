package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// besselPoints is the number of angles at which an integral over half a period is sampled. The midpoint
// rule's error is the Bessel function of order 2·besselPoints − 1, below 1e-5 for |x| < 300.
const besselPoints = 32

// BesselI1e returns e^−|x|·I₁(x): the mean of e^(|x|·(cos θ − 1))·cos θ over θ in (0, π), with x's sign. It
// computes one exponential for each angle, all at once.
func (a *Arith) BesselI1e(op *flow.Op, x *Value) *Value {
	x, _ = a.argument(op, x)
	shape, n := x.Type.Shape, x.S.Len()
	negative := a.Negative(op, x)
	size := a.View(op, tensor.Reshaped(shape, tensor.Shape{n}), a.Signed(op, negative, x))
	exponents, weights := make([]float64, besselPoints*n), make([]float64, besselPoints*n)
	for i := range besselPoints {
		cos := math.Cos(math.Pi * (float64(i) + 0.5) / besselPoints)
		for e := range n {
			exponents[i*n+e], weights[i*n+e] = cos-1, cos/besselPoints
		}
	}
	all := tensor.Shape{besselPoints, n}
	spread := a.View(op, tensor.Broadcast(tensor.Shape{n}, []int{1}, all), size)
	terms := a.Exp(op, a.MulPublic(op, spread, tensor.FromFloats(tensor.F64, all, exponents)), false, Range{math.Inf(-1), 0}, false)
	sum := a.Sum(op, a.MulPublic(op, terms, tensor.FromFloats(tensor.F64, all, weights)), 1, besselPoints, n, shape)
	return a.Signed(op, negative, sum)
}
