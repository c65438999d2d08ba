package eval

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/tacet-mpc/tacet/tensor"
)

// convert changes the element type as XLA's CPU backend does: integers wrap
// around, floats go to integers by truncation towards zero with saturation
// and NaN as 0, everything but zero is true, and a conversion to a float
// rounds once. Complex numbers lose their imaginary part.
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
			out[i] = oddFloat(v, w)
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
	switch limit := math.Ldexp(1, bits.Len64(high)); { // one above the greatest value
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

// oddFloat converts an integer to float64, rounding to odd where 53 bits do
// not hold it: rounding that once more to a shorter float gives what rounding
// the integer itself gives.
func oddFloat(v uint64, w width) float64 {
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

// bitcast reads the bits of elements as another type. From a wider type, the
// parts stand in a new last dimension, lowest bits first; to a wider one, the
// last dimension gives the parts.
func bitcast(c *call) ([]*tensor.Array, error) {
	x, d := c.args[0], c.result(0).DType
	raw, err := binary.Append(nil, binary.LittleEndian, x.Data)
	if err != nil {
		panic("eval: " + err.Error()) // a type that arrays do not have
	}
	shape := x.Shape
	if x.DType.Bits() != d.Bits() {
		shape = c.result(0).Shape
	}
	out := tensor.NewArray(tensor.Type{DType: d, Shape: shape})
	if _, err := binary.Decode(raw, binary.LittleEndian, out.Data); err != nil {
		panic("eval: " + err.Error()) // the sizes are checked
	}
	return one(out), nil
}
