package eval

import (
	"math"
	"math/cmplx"

	"github.com/tacet-mpc/tacet/tensor"
)

// complexes returns the elements of any array as complex128.
func complexes(a *tensor.Array) []complex128 {
	switch d := a.Data.(type) {
	case []complex128:
		return d
	case []complex64:
		out := make([]complex128, len(d))
		for i, v := range d {
			out[i] = complex128(v)
		}
		return out
	}
	re := a.Floats()
	out := make([]complex128, len(re))
	for i, v := range re {
		out[i] = complex(v, 0)
	}
	return out
}

// fromComplexes returns an array of type d, C64 or C128.
func fromComplexes(d tensor.DType, s tensor.Shape, z []complex128) *tensor.Array {
	a := tensor.NewArray(tensor.Type{DType: d, Shape: s})
	switch out := a.Data.(type) {
	case []complex64:
		for i, v := range z {
			out[i] = complex64(v)
		}
	case []complex128:
		copy(out, z)
	}
	return a
}

// partType returns the type of a complex type's real and imaginary parts.
func partType(d tensor.DType) tensor.DType {
	switch d {
	case tensor.C64:
		return tensor.F32
	case tensor.C128:
		return tensor.F64
	}
	return d
}

func makeComplex(c *call) ([]*tensor.Array, error) {
	re, im := c.args[0].Floats(), c.args[1].Floats()
	z := make([]complex128, len(re))
	for i := range z {
		z[i] = complex(re[i], im[i])
	}
	return one(fromComplexes(c.result(0).DType, c.args[0].Shape, z)), nil
}

// parts maps complex numbers to real numbers.
func parts(x *tensor.Array, f func(complex128) float64) *tensor.Array {
	z := complexes(x)
	out := make([]float64, len(z))
	for i, v := range z {
		out[i] = f(v)
	}
	return tensor.FromFloats(partType(x.DType), x.Shape, out)
}

func realPart(c *call) ([]*tensor.Array, error) {
	if !c.args[0].DType.IsComplex() {
		return c.args, nil
	}
	return one(parts(c.args[0], func(z complex128) float64 { return real(z) })), nil
}

func imagPart(c *call) ([]*tensor.Array, error) {
	x := c.args[0]
	if !x.DType.IsComplex() {
		return one(tensor.NewArray(x.Type)), nil
	}
	return one(parts(x, func(z complex128) float64 { return imag(z) })), nil
}

// absolute is a unary operation, except that complex numbers have a real result. The absolute value
// of the smallest integer of a type is that integer.
func absolute(c *call) ([]*tensor.Array, error) {
	if c.args[0].DType.IsComplex() {
		return one(parts(c.args[0], cmplx.Abs)), nil
	}
	return unaryOp{float: math.Abs, word: func(x uint64, w width) uint64 {
		if w.signed && int64(x) < 0 {
			return -x
		}
		return x
	}}.run(c)
}
