package fxp

import (
	"math"
	"math/big"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Encode returns an array's elements as integers of ring r: floats times 2^scale, rounded to nearest, ties to even;
// integers and booleans times 2^scale for scale > 0 and unchanged otherwise. Floats beyond the range of values
// saturate, and NaN becomes 0.
func Encode(a *tensor.Array, r ring.Ring, scale int) ring.Vec {
	if !a.DType.IsFloat() {
		words := ring.NewUninitialised(ring.Z(64), a.Len())
		a.CopyWords(words.Words())
		var v ring.Vec
		if r.Words() == 1 && !r.Cyclic {
			v = ring.FromWords(r, words.Words())
		} else {
			v = ring.New(r, a.Len())
			if a.DType.IsSigned() && r.Bits > 64 {
				ring.SignExtend(v, words)
			} else {
				ring.Low(v, words)
			}
			words.Free()
		}
		if scale > 0 {
			ring.Lsh(v, v, scale)
		}
		return v
	}
	v := ring.NewUninitialised(r, a.Len())
	w, k := v.Words(), r.Words()
	unit := math.Ldexp(1, scale)
	if list, ok := a.Data.([]float32); ok { // without a copy in 64-bit floats
		limit := r.Bits - 2
		below := math.Ldexp(1, min(limit, 62))
		for i, x := range list {
			y := math.RoundToEven(float64(x) * unit)
			if k == 1 && math.Abs(y) < below { // nearly all numbers
				w[i] = uint64(int64(y))
				continue
			}
			encodeFloat(w[i*k:(i+1)*k], y, limit)
		}
	} else {
		for i, x := range a.Floats() {
			encodeFloat(w[i*k:(i+1)*k], x*unit, r.Bits-2)
		}
	}
	ring.Low(v, v) // clears the bits above the ring's width
	return v
}

// encodeFloat sets w to y, rounded, modulo 2^(64·len(w)). Magnitudes of 2^limit or more saturate to half of
// that.
func encodeFloat(w []uint64, y float64, limit int) {
	y = math.RoundToEven(y)
	if limit <= 62 && math.Abs(y) < float64(int64(1)<<limit) || math.Abs(y) < 1<<62 && limit > 62 {
		w[0] = uint64(int64(y))
		for j := 1; j < len(w); j++ {
			w[j] = uint64(int64(y) >> 63)
		}
		return
	}
	switch {
	case math.IsNaN(y):
		clear(w)
	case math.Abs(y) >= math.Ldexp(1, limit):
		saturate(w, y < 0, limit-1) // so that differences to it fit
	default:
		z, _ := big.NewFloat(y).Int(nil)
		setBig(w, z)
	}
}

// saturate sets w to ±(2^limit − 1).
func saturate(w []uint64, negative bool, limit int) {
	z := new(big.Int).Lsh(big.NewInt(1), uint(limit))
	z.Sub(z, big.NewInt(1))
	if negative {
		z.Neg(z)
	}
	setBig(w, z)
}

func setBig(w []uint64, z *big.Int) {
	z = new(big.Int).And(z, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(64*len(w))), big.NewInt(1)))
	m := new(big.Int).SetUint64(math.MaxUint64)
	for j := range w {
		w[j] = new(big.Int).And(z, m).Uint64()
		z.Rsh(z, 64)
	}
}

// Decode returns the integers v of a ring as an array of type t. For floats the integers are divided by 2^scale; for
// integer types they are reduced modulo 2^bits.
func Decode(v ring.Vec, t tensor.Type, scale int) *tensor.Array {
	if t.DType.IsComplex() {
		return decodeComplex(v, t, scale)
	}
	if !t.DType.IsFloat() {
		k := v.Ring().Words()
		words := make([]uint64, v.Len())
		for i := range words {
			words[i] = v.Words()[i*k]
		}
		return tensor.FromWords(t.DType, t.Shape, words)
	}
	out := make([]float64, v.Len())
	bits := v.Ring().Bits
	if bits <= 64 {
		for i, w := range v.Words() {
			out[i] = math.Ldexp(float64(int64(w<<(64-bits))>>(64-bits)), -scale)
		}
	} else {
		for i := range out {
			f, _ := new(big.Float).SetInt(v.Int(i)).Float64()
			out[i] = math.Ldexp(f, -scale)
		}
	}
	return tensor.FromFloats(t.DType, t.Shape, out)
}

// decodeComplex reads all real parts and then all imaginary parts.
func decodeComplex(v ring.Vec, t tensor.Type, scale int) *tensor.Array {
	n := t.Shape.Size()
	parts := Decode(v, tensor.Type{DType: tensor.F64, Shape: tensor.Shape{2, n}}, scale).Floats()
	out := tensor.NewArray(t)
	switch z := out.Data.(type) {
	case []complex64:
		for i := range z {
			z[i] = complex(float32(parts[i]), float32(parts[n+i]))
		}
	case []complex128:
		for i := range z {
			z[i] = complex(parts[i], parts[n+i])
		}
	}
	return out
}

// factor encodes public factors: m·2^(−scale) ≈ the array's values, |m| ≤ 2^bits. If all values are integers
// of at most fraction bits times one power of two, they are exact and cost only that power's scale. Other
// values get fraction bits, or more if all are below 1.
func factor(a *tensor.Array, r ring.Ring, fraction int) (m ring.Vec, scale, bits int) {
	if !a.DType.IsFloat() {
		return Encode(a, r, 0), 0, r.Bits
	}
	values := a.Floats()
	largest, low := 0.0, math.MaxInt
	for _, x := range values {
		if x == 0 || math.IsNaN(x) {
			continue
		}
		largest = math.Max(largest, math.Abs(x))
		if !math.IsInf(x, 0) {
			low = min(low, lowestBit(x))
		}
	}
	if largest == 0 {
		return Encode(a, r, 0), 0, 0
	}
	_, top := math.Frexp(largest) // largest < 2^top
	switch {
	case math.IsInf(largest, 0):
		return Encode(a, r, fraction), fraction, r.Bits
	case top-low <= fraction:
		scale = -low
	default:
		scale = max(fraction, fraction-top)
	}
	scale = min(scale, 2*fraction) // smaller values round to zero
	if scale >= 0 {
		m = Encode(a, r, scale)
	} else {
		scaled := make([]float64, len(values))
		for i, x := range values {
			scaled[i] = math.Ldexp(x, scale)
		}
		m = Encode(tensor.FromFloats(tensor.F64, a.Shape, scaled), r, 0)
	}
	return m, scale, max(0, top+scale)
}

// lowestBit returns the exponent of the lowest set bit of x: x is an odd integer times 2^lowestBit.
func lowestBit(x float64) int {
	frac, exp := math.Frexp(x)
	n := uint64(math.Abs(math.Ldexp(frac, 53)))
	e := exp - 53
	for n&1 == 0 {
		n >>= 1
		e++
	}
	return e
}
