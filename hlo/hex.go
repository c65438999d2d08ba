package hlo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// hexArray reads "0x…": the elements' bytes, little endian. The bytes of a single element mean a
// splat.
func (p *parser) hexArray(t tensor.Type) any {
	text := p.src[p.tok.start+1 : p.tok.end-1]
	if !bytes.HasPrefix(text, []byte("0x")) || len(text)%2 != 0 {
		p.fail("a constant's string is hexadecimal: \"0x…\" with two digits a byte")
	}
	digits := text[2:]
	at := p.tok.start + 3
	width := max(1, t.DType.Bits()/8)
	n, given := t.Shape.Size(), len(digits)/2
	packed := t.DType == tensor.Bool && n > 8 && given == (n+7)/8 // older versions of MLIR: one bit per element
	switch {
	case packed:
		raw := tensor.NewArray(tensor.Type{DType: tensor.U8, Shape: tensor.Shape{given}})
		p.decode(raw, digits, at)
		return unpack(raw.Data.([]uint8), t)
	case given == width && n != 1:
		one := tensor.NewArray(scalar(t.DType))
		p.decode(one, digits, at)
		return repeated(one, t)
	case n > given || given != n*width:
		p.fail("the string has %d bytes, but %v takes %d", given, t, byteSize(t))
	}
	a := tensor.NewArray(t)
	p.decode(a, digits, at)
	return a
}

// unpack spreads bits, lowest first, to elements.
func unpack(bits []uint8, t tensor.Type) *tensor.Array {
	a := tensor.NewArray(t)
	out := a.Data.([]bool)
	for i := range out {
		out[i] = bits[i/8]>>(i%8)&1 != 0
	}
	return a
}

// chunk is the number of bytes that decode buffers; a multiple of every element's size.
const chunk = 4096

// decode reads hexadecimal digits, which begin at offset at, into a's elements.
func (p *parser) decode(a *tensor.Array, digits []byte, at int) {
	var buf [chunk]byte
	width := max(1, a.DType.Bits()/8)
	for done := 0; len(digits) > 0; {
		p.alive()
		n := min(2*chunk, len(digits))
		if _, err := hex.Decode(buf[:], digits[:n]); err != nil {
			bad := p.run(at, classHex)
			p.failOff(bad, "%q is not a hexadecimal digit", string(p.src[bad]))
		}
		put(a.Data, done, buf[:n/2])
		done += n / 2 / width
		digits, at = digits[n:], at+n
	}
}

// put writes little-endian elements into data from element i on.
func put(data any, i int, b []byte) {
	le := binary.LittleEndian
	switch d := data.(type) {
	case []bool:
		for j, v := range b {
			d[i+j] = v&1 != 0
		}
	case []uint8:
		copy(d[i:], b)
	case []int8:
		for j, v := range b {
			d[i+j] = int8(v)
		}
	case []uint16:
		for d = d[i:]; len(b) >= 2; d, b = d[1:], b[2:] {
			d[0] = le.Uint16(b)
		}
	case []int16:
		for d = d[i:]; len(b) >= 2; d, b = d[1:], b[2:] {
			d[0] = int16(le.Uint16(b))
		}
	case []uint32:
		for d = d[i:]; len(b) >= 4; d, b = d[1:], b[4:] {
			d[0] = le.Uint32(b)
		}
	case []int32:
		for d = d[i:]; len(b) >= 4; d, b = d[1:], b[4:] {
			d[0] = int32(le.Uint32(b))
		}
	case []float32:
		for d = d[i:]; len(b) >= 4; d, b = d[1:], b[4:] {
			d[0] = math.Float32frombits(le.Uint32(b))
		}
	case []uint64:
		for d = d[i:]; len(b) >= 8; d, b = d[1:], b[8:] {
			d[0] = le.Uint64(b)
		}
	case []int64:
		for d = d[i:]; len(b) >= 8; d, b = d[1:], b[8:] {
			d[0] = int64(le.Uint64(b))
		}
	case []float64:
		for d = d[i:]; len(b) >= 8; d, b = d[1:], b[8:] {
			d[0] = math.Float64frombits(le.Uint64(b))
		}
	case []complex64:
		for d = d[i:]; len(b) >= 8; d, b = d[1:], b[8:] {
			d[0] = complex(math.Float32frombits(le.Uint32(b)), math.Float32frombits(le.Uint32(b[4:])))
		}
	case []complex128:
		for d = d[i:]; len(b) >= 16; d, b = d[1:], b[16:] {
			d[0] = complex(math.Float64frombits(le.Uint64(b)), math.Float64frombits(le.Uint64(b[8:])))
		}
	}
}
