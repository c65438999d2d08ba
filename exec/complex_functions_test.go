package exec_test

import "testing"

// near1 is an operation of complex numbers whose parts are between lo and hi.
func (p program) between(lo, hi float64) program {
	p.lo, p.hi = lo, hi
	return p
}

func TestComplexFunctions(t *testing.T) {
	for _, op := range []string{
		"stablehlo.exponential", "stablehlo.exponential_minus_one", "stablehlo.log", "stablehlo.log_plus_one", "stablehlo.sqrt", "stablehlo.rsqrt", "stablehlo.cbrt",
		"stablehlo.tanh", "stablehlo.logistic", "stablehlo.sign", "stablehlo.sine", "stablehlo.cosine", "stablehlo.tan", "chlo.tan",
		"chlo.sinh", "chlo.cosh", "chlo.asinh", "chlo.asin", "chlo.acos", "chlo.acosh", "chlo.atanh", "chlo.atan",
	} {
		agree(t, complexOp(op, "%z", 200).between(0.25, 0.7))
	}
	agree(t, complexOp("stablehlo.divide", "%z, %w", 60).between(0.5, 2), complexOp("stablehlo.power", "%z, %w", 200).between(0.5, 1.5),
		complexOp("stablehlo.atan2", "%z, %w", 400).between(0.5, 1))
}
