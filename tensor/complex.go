package tensor

// Part returns the type of the real and imaginary parts of a complex type, and d itself for other types.
func (d DType) Part() DType {
	switch d {
	case C64:
		return F32
	case C128:
		return F64
	}
	return d
}

// Parts returns the real and the imaginary parts of a complex array as two new arrays.
func (a *Array) Parts() (re, im *Array) {
	x, y := make([]float64, a.Len()), make([]float64, a.Len())
	switch z := a.Data.(type) {
	case []complex64:
		for i, e := range z {
			x[i], y[i] = float64(real(e)), float64(imag(e))
		}
	case []complex128:
		for i, e := range z {
			x[i], y[i] = real(e), imag(e)
		}
	}
	d := a.DType.Part()
	return FromFloats(d, a.Shape, x), FromFloats(d, a.Shape, y)
}
