package eval

import (
	"cmp"
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// compare compares elements by direction and kind. FLOAT follows IEEE 754 (NaN is unequal to
// everything), TOTALORDER its totalOrder (-NaN < -Inf < … < -0 < 0 < … < Inf < NaN). Integers and
// Bool compare by value.
func compare(c *call) ([]*tensor.Array, error) {
	x, y := c.args[0], c.args[1]
	dir := c.op.Attrs.Str("comparison_direction")
	out := make([]bool, x.Len())
	switch {
	case x.DType.IsComplex():
		equality(dir, complexes(x), complexes(y), out)
	case x.DType.IsFloat() && c.op.Attrs.Str("compare_type") == "TOTALORDER":
		order(dir, totalKeys(x), totalKeys(y), out)
	default:
		compareNative(dir, x, y, out)
	}
	return one(&tensor.Array{Type: tensor.Type{DType: tensor.Bool, Shape: x.Shape}, Data: out}), nil
}

func compareNative(dir string, x, y *tensor.Array, out []bool) {
	switch p := x.Data.(type) {
	case []float32:
		order(dir, p, y.Data.([]float32), out)
		return
	case []int32:
		order(dir, p, y.Data.([]int32), out)
		return
	case []uint32:
		order(dir, p, y.Data.([]uint32), out)
		return
	case []int64:
		order(dir, p, y.Data.([]int64), out)
		return
	}
	switch {
	case x.DType.IsFloat():
		order(dir, x.Floats(), y.Floats(), out)
	case x.DType.IsSigned():
		order(dir, signed(x.Words()), signed(y.Words()), out)
	default:
		order(dir, x.Words(), y.Words(), out)
	}
}

func signed(w []uint64) []int64 {
	out := make([]int64, len(w))
	for i, v := range w {
		out[i] = int64(v)
	}
	return out
}

func order[T cmp.Ordered](dir string, x, y []T, out []bool) {
	y = y[:len(x)]
	switch dir {
	case "LT":
		for i, v := range x {
			out[i] = v < y[i]
		}
	case "LE":
		for i, v := range x {
			out[i] = v <= y[i]
		}
	case "GT":
		for i, v := range x {
			out[i] = v > y[i]
		}
	case "GE":
		for i, v := range x {
			out[i] = v >= y[i]
		}
	default:
		equality(dir, x, y, out)
	}
}

func equality[T comparable](dir string, x, y []T, out []bool) {
	switch dir {
	case "EQ":
		for i, v := range x {
			out[i] = v == y[i]
		}
	case "NE":
		for i, v := range x {
			out[i] = v != y[i]
		}
	}
}

// totalKeys maps floats to integers whose order is totalOrder.
func totalKeys(a *tensor.Array) []int64 {
	out := make([]int64, a.Len())
	key := func(b uint64, bits int) int64 {
		v := int64(b << (64 - bits)) // moves the sign bit to the top
		if v < 0 {
			return v ^ math.MaxInt64
		}
		return v
	}
	switch d := a.Data.(type) {
	case []uint16:
		for i, v := range d {
			out[i] = key(uint64(v), 16)
		}
	case []float32:
		for i, v := range d {
			out[i] = key(uint64(math.Float32bits(v)), 32)
		}
	case []float64:
		for i, v := range d {
			out[i] = key(math.Float64bits(v), 64)
		}
	}
	return out
}

// classify tests every element of a float or complex array.
func classify(test func(float64) bool) kernel {
	return func(c *call) ([]*tensor.Array, error) {
		x := c.args[0]
		out := make([]bool, x.Len())
		switch {
		case x.DType.IsComplex():
			for i, z := range complexes(x) {
				out[i] = test(real(z)) && test(imag(z))
			}
		case x.DType.IsFloat():
			for i, v := range x.Floats() {
				out[i] = test(v)
			}
		}
		return one(&tensor.Array{Type: tensor.Type{DType: tensor.Bool, Shape: x.Shape}, Data: out}), nil
	}
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
func isInf(x float64) bool    { return math.IsInf(x, 0) }
func isPosInf(x float64) bool { return math.IsInf(x, 1) }
func isNegInf(x float64) bool { return math.IsInf(x, -1) }

// byValue returns a comparison of two elements of a real array by position: floats by totalOrder,
// others by value.
func byValue(x *tensor.Array) func(i, j int) int {
	if x.DType.IsFloat() || x.DType.IsSigned() {
		var keys []int64
		if x.DType.IsFloat() {
			keys = totalKeys(x)
		} else {
			keys = signed(x.Words())
		}
		return func(i, j int) int { return cmp.Compare(keys[i], keys[j]) }
	}
	words := x.Words()
	return func(i, j int) int { return cmp.Compare(words[i], words[j]) }
}
