package party

import (
	"math"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// bitPatterns are an array's elements as bit patterns of their type.
func bitPatterns(a *tensor.Array) ring.Vec {
	r := ring.Z(a.DType.Bits())
	switch d := a.Data.(type) {
	case []float32:
		w := make([]uint64, len(d))
		for i, x := range d {
			w[i] = uint64(math.Float32bits(x))
		}
		return ring.FromWords(r, w)
	case []float64:
		w := make([]uint64, len(d))
		for i, x := range d {
			w[i] = math.Float64bits(x)
		}
		return ring.FromWords(r, w)
	case []complex64:
		w := make([]uint64, len(d))
		for i, x := range d {
			w[i] = uint64(math.Float32bits(real(x))) | uint64(math.Float32bits(imag(x)))<<32
		}
		return ring.FromWords(r, w)
	case []complex128:
		w := make([]uint64, 2*len(d))
		for i, x := range d {
			w[2*i], w[2*i+1] = math.Float64bits(real(x)), math.Float64bits(imag(x))
		}
		return ring.FromWords(r, w)
	case []uint16: // half floats too
		w := make([]uint64, len(d))
		for i, x := range d {
			w[i] = uint64(x)
		}
		return ring.FromWords(r, w)
	}
	return ring.FromWords(r, append([]uint64{}, a.Words()...))
}

// fromBitPatterns is the inverse of patterns.
func fromBitPatterns(v ring.Vec, t tensor.Type) *tensor.Array {
	a := tensor.NewArray(t)
	w := v.Words()
	switch d := a.Data.(type) {
	case []float32:
		for i := range d {
			d[i] = math.Float32frombits(uint32(w[i]))
		}
	case []float64:
		for i := range d {
			d[i] = math.Float64frombits(w[i])
		}
	case []complex64:
		for i := range d {
			d[i] = complex(math.Float32frombits(uint32(w[i])), math.Float32frombits(uint32(w[i]>>32)))
		}
	case []complex128:
		for i := range d {
			d[i] = complex(math.Float64frombits(w[2*i]), math.Float64frombits(w[2*i+1]))
		}
	case []uint16:
		for i := range d {
			d[i] = uint16(w[i])
		}
	default:
		return tensor.FromWords(t.DType, t.Shape, w)
	}
	return a
}
