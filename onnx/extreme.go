package onnx

import (
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// extreme is the largest value of a type, or the smallest if sign is -1.
func extreme(d tensor.DType, sign int) any {
	switch bits := max(1, d.Bits()); {
	case d.IsFloat():
		return math.Inf(sign)
	case d == tensor.Bool:
		return sign > 0
	case d.IsSigned() && sign < 0:
		return int64(math.MinInt64) >> (64 - bits)
	case d.IsSigned():
		return int64(math.MaxInt64) >> (64 - bits)
	case sign < 0:
		return 0
	default:
		return uint64(math.MaxUint64) >> (64 - bits)
	}
}
