package hlo

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// mostListed is how many elements are listed one by one; arrays of more are
// printed as hexadecimal bytes.
const mostListed = 100

// dense writes dense<…> : T.
func (w *printer) dense(a *tensor.Array) {
	w.token("dense<" + elementsText(a) + "> : " + a.Type.String())
}

// elementsText is what stands in dense<…>: one element where all have the same
// bits, a list in brackets, or a string of hexadecimal bytes.
func elementsText(a *tensor.Array) string {
	n := a.Len()
	if n == 0 {
		return ""
	}
	raw := littleEndian(a)
	width := len(raw) / n
	text := func(i int) string { return elementText(a.DType, raw[i*width:(i+1)*width]) }
	switch {
	case len(a.Shape) == 0 || uniform(raw, width):
		return text(0)
	case n > mostListed && a.DType != tensor.Bool:
		return `"0x` + strings.ToUpper(hex.EncodeToString(raw)) + `"`
	}
	var b strings.Builder
	next := 0
	var nested func(shape tensor.Shape)
	nested = func(shape tensor.Shape) {
		if len(shape) == 0 {
			b.WriteString(text(next))
			next++
			return
		}
		b.WriteByte('[')
		for i := range shape[0] {
			if i > 0 {
				b.WriteString(", ")
			}
			nested(shape[1:])
		}
		b.WriteByte(']')
	}
	nested(a.Shape)
	return b.String()
}

// littleEndian is the bytes of an array's elements.
func littleEndian(a *tensor.Array) []byte {
	raw, err := binary.Append(nil, binary.LittleEndian, a.Data)
	if err != nil {
		panic(err) // elements have fixed sizes
	}
	return raw
}

// uniform reports whether all elements of the given width have the same bytes.
func uniform(raw []byte, width int) bool {
	return string(raw[width:]) == string(raw[:len(raw)-width])
}

// elementText is an element, given by its bytes.
func elementText(d tensor.DType, raw []byte) string {
	var bits uint64
	for i, b := range raw[:min(8, len(raw))] {
		bits |= uint64(b) << (8 * i)
	}
	switch {
	case d == tensor.Bool:
		return strconv.FormatBool(bits != 0)
	case d.IsComplex():
		half := len(raw) / 2
		return "(" + elementText(d.Part(), raw[:half]) + "," + elementText(d.Part(), raw[half:]) + ")"
	case d.IsFloat():
		x := floatOfBits(d, bits)
		if math.IsNaN(x) {
			return hexText(d, bits) // keeps its payload
		}
		return floatText(d, x)
	case d.IsSigned():
		shift := 64 - d.Bits()
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	}
	return strconv.FormatUint(bits, 10)
}

// floatText is a float of type d: six digits behind the point where they say
// all, else as many as are needed; the bits where it is not finite.
func floatText(d tensor.DType, x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return hexText(d, bitsOfFloat(d, x))
	}
	s := strconv.FormatFloat(x, 'e', 6, 64)
	if y, err := strconv.ParseFloat(s, 64); err == nil && rounded(d, y) == x {
		return s
	}
	if d == tensor.F64 {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'e', -1, 32)
}

// hexText is the bit pattern of a float.
func hexText(d tensor.DType, bits uint64) string { return fmt.Sprintf("0x%0*X", d.Bits()/4, bits) }

// bitsOfFloat is the bit pattern of the value of type d next to x.
func bitsOfFloat(d tensor.DType, x float64) uint64 {
	switch d {
	case tensor.F16:
		return uint64(tensor.FloatToF16(x))
	case tensor.BF16:
		return uint64(tensor.FloatToBF16(x))
	case tensor.F32:
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}
