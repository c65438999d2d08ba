package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
)

// errorFunctions recognises erf where a front-end prints its approximation by a quotient of polynomials, as torch-mlir
// does (and with it GELU): clamp(−1, c·P(c²)/Q(c²), 1) with c = clamp(−4, x, 4). The quotient costs a division and eleven
// products on secrets, erf one function. The approximation is within 5e-7 of erf.
var errorFunctions = Pass{"error functions", "erf is recognised in its rational approximation", func(e *editor) {
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpClamp || !e.secretFloat(o.Results[0]) || !e.clamps(o, 1) {
			return false
		}
		q := e.named(o.Operands[1], hlo.OpDivide)
		if q == nil {
			return false
		}
		bottom := e.named(q.Operands[1], hlo.OpAdd)
		top := e.named(q.Operands[0], hlo.OpMultiply)
		if bottom == nil || top == nil {
			return false
		}
		for i, c := range top.Operands {
			inner := e.named(c, hlo.OpClamp)
			if inner == nil || !e.clamps(inner, 4) || !e.polynomial(top.Operands[1-i], c, erfTop) || !e.polynomial(q.Operands[1], c, erfBottom) {
				continue
			}
			return s.replaceResult(o, s.emitLike(hlo.OpErf, inner.Operands[1]))
		}
		return false
	})
}}

// erfTop and erfBottom are the coefficients of P and Q, the highest first.
var (
	erfTop = []float64{
		-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
		-7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02,
	}
	erfBottom = []float64{
		-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03, -1.42647390514189e-02,
	}
)

// clamps reports whether o clamps to ±bound.
func (e *editor) clamps(o *hlo.Op, bound float64) bool {
	low, ok := e.splat(o.Operands[0])
	high, ok2 := e.splat(o.Operands[2])
	return ok && ok2 && low == -bound && high == bound
}

// polynomial reports whether v is the polynomial of c² with these coefficients, by Horner's rule.
func (e *editor) polynomial(v, c *hlo.Value, coefficients []float64) bool {
	for i := len(coefficients) - 1; i > 0; i-- {
		sum := e.named(v, hlo.OpAdd)
		if sum == nil {
			return false
		}
		v = nil
		for j, x := range sum.Operands {
			if k, ok := e.splat(x); ok && near(k, coefficients[i]) {
				v = e.timesSquare(sum.Operands[1-j], c)
				break
			}
		}
		if v == nil {
			return false
		}
	}
	k, ok := e.splat(v)
	return ok && near(k, coefficients[0])
}

// timesSquare returns x of the product x·c², nil if v is no such product.
func (e *editor) timesSquare(v, c *hlo.Value) *hlo.Value {
	product := e.named(v, hlo.OpMultiply)
	if product == nil {
		return nil
	}
	for i, x := range product.Operands {
		square := e.named(x, hlo.OpMultiply, hlo.OpSquare)
		if square == nil || square.Operands[0] != c || square.Operands[len(square.Operands)-1] != c {
			continue
		}
		return product.Operands[1-i]
	}
	return nil
}

// near reports whether two constants differ by at most 1e-5 of their size: they are printed with the digits of
// their type.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-5*math.Abs(y) }
