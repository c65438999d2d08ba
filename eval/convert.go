package eval

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/tacet-mpc/tacet/tensor"
)

// convert changes the element type like XLA's CPU backend: integers wrap around; floats convert to
// integers by truncation towards zero with saturation, and NaN to 0; every value except zero is
// true; a conversion to a float rounds once. Complex numbers lose their imaginary part.
func convert(c *call) ([]*tensor.Array, error) {
	return one(converted(c.args[0], c.result(0).DType)), nil
}

func converted(x *tensor.Array, d tensor.DType) *tensor.Array {
	switch {
	case x.DType == d:
		return x
	case d.IsComplex():
		if x.DType.IsComplex() {
			return fromComplexes(d, x.Shape, complexes(x))
		}
		return fromComplexes(d, x.Shape, complexes(converted(x, partType(d))))
	case d == tensor.Bool:
		return nonZero(x)
	case x.DType.IsComplex():
		return converted(parts(x, func(z complex128) float64 { return real(z) }), d)
	case x.DType.IsFloat() && d.IsFloat():
		return tensor.FromFloats(d, x.Shape, x.Floats())
	case x.DType.IsFloat():
		w := widthOf(d)
		in := x.Floats()
		out := make([]uint64, len(in))
		for i, v := range in {
			out[i] = saturate(v, w)
		}
		return tensor.FromWords(d, x.Shape, out)
	case d == tensor.F64:
		return tensor.FromFloats(d, x.Shape, x.Floats())
	case d.IsFloat():
		in, w := x.Words(), widthOf(x.DType)
		out := make([]float64, len(in))
		for i, v := range in {
			out[i] = roundToOdd(v, w)
		}
		return tensor.FromFloats(d, x.Shape, out)
	}
	return tensor.FromWords(d, x.Shape, x.Words())
}

func nonZero(x *tensor.Array) *tensor.Array {
	out := make([]bool, x.Len())
	switch {
	case x.DType.IsComplex():
		for i, v := range complexes(x) {
			out[i] = v != 0
		}
	case x.DType.IsFloat():
		for i, v := range x.Floats() {
			out[i] = v != 0
		}
	default:
		for i, v := range x.Words() {
			out[i] = v != 0
		}
	}
	return &tensor.Array{Type: tensor.Type{DType: tensor.Bool, Shape: x.Shape}, Data: out}
}

// saturate truncates v to an integer of the given width.
func saturate(v float64, w width) uint64 {
	low, high := uint64(0), w.mask()
	if w.signed {
		high >>= 1
		low = ^high
	}
	switch limit := math.Ldexp(1, bits.Len64(high)); { // one more than the largest value
	case math.IsNaN(v):
		return 0
	case v >= limit:
		return high
	case w.signed && v < -limit:
		return low
	case !w.signed && v < 0:
		return 0
	case w.signed:
		return uint64(int64(v))
	}
	return uint64(v)
}

// roundToOdd converts an integer to float64, rounding to odd if 53 bits cannot hold it. Rounding the
// result once more to a shorter float then equals rounding the integer directly.
func roundToOdd(v uint64, w width) float64 {
	neg := w.signed && int64(v) < 0
	if neg {
		v = -v
	}
	if lost := max(0, bits.Len64(v)-53); v&(1<<lost-1) != 0 {
		v = v>>lost<<lost | 1<<lost
	}
	if neg {
		return -float64(v)
	}
	return float64(v)
}

// bitcast reinterprets the bits of elements as another type. A wider element becomes a new last
// dimension, lowest bits first; the last dimension of narrower elements becomes one wider element.
func bitcast(c *call) ([]*tensor.Array, error) {
	x, d := c.args[0], c.result(0).DType
	raw, err := binary.Append(nil, binary.LittleEndian, x.Data)
	if err != nil {
		panic("eval: " + err.Error()) // arrays do not have such a type
	}
	shape := x.Shape
	if x.DType.Bits() != d.Bits() {
		shape = c.result(0).Shape
	}
	out := tensor.NewArray(tensor.Type{DType: d, Shape: shape})
	if _, err := binary.Decode(raw, binary.LittleEndian, out.Data); err != nil {
		panic("eval: " + err.Error()) // the verifier has checked the sizes
	}
	return one(out), nil
}
