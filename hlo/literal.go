package hlo

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// writer returns a function that reads one element from the text into a.
func (p *parser) writer(a *tensor.Array) func(i int) {
	switch d := a.Data.(type) {
	case []bool:
		return func(i int) { d[i] = p.boolElement() }
	case []int8:
		return func(i int) { d[i] = int8(p.intElement(a.DType)) }
	case []int16:
		return func(i int) { d[i] = int16(p.intElement(a.DType)) }
	case []int32:
		return func(i int) { d[i] = int32(p.intElement(a.DType)) }
	case []int64:
		return func(i int) { d[i] = p.intElement(a.DType) }
	case []uint8:
		return func(i int) { d[i] = uint8(p.intElement(a.DType)) }
	case []uint16:
		if a.DType.IsFloat() {
			return func(i int) { d[i] = uint16(p.floatBits(a.DType)) }
		}
		return func(i int) { d[i] = uint16(p.intElement(a.DType)) }
	case []uint32:
		return func(i int) { d[i] = uint32(p.intElement(a.DType)) }
	case []uint64:
		return func(i int) { d[i] = uint64(p.intElement(a.DType)) }
	case []float32:
		return func(i int) { d[i] = p.float32() }
	case []float64:
		return func(i int) { d[i] = p.float64() }
	case []complex64:
		return func(i int) {
			p.expect("(")
			re := p.float32()
			p.expect(",")
			d[i] = complex(re, p.float32())
			p.expect(")")
		}
	case []complex128:
		return func(i int) {
			p.expect("(")
			re := p.float64()
			p.expect(",")
			d[i] = complex(re, p.float64())
			p.expect(")")
		}
	}
	panic("hlo: no elements of type " + a.DType.String())
}

func (p *parser) float32() float32 { return math.Float32frombits(uint32(p.floatBits(tensor.F32))) }
func (p *parser) float64() float64 { return math.Float64frombits(p.floatBits(tensor.F64)) }

// boolElement reads true, false, 1 or 0.
func (p *parser) boolElement() bool {
	if p.tok.kind != kInt {
		return p.boolean()
	}
	switch p.text() {
	case "0":
		p.next()
		return false
	case "1":
		p.next()
		return true
	}
	p.unexpected("true or false")
	return false
}

// intElement reads an integer of type d. Signed types accept the unsigned numbers of their width
// too, as bit patterns.
func (p *parser) intElement(d tensor.DType) int64 {
	pos := p.here()
	neg := p.accept("-")
	if p.tok.kind == kFloat {
		p.fail("%v takes integers, not %s", d, p.text())
	}
	digits := p.take(kInt, "an integer")
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "0x"), base(digits), 64)
	bits := d.Bits()
	fits := err == nil && (bits == 64 || u>>bits == 0)
	if neg {
		fits = err == nil && d.IsSigned() && u <= 1<<(bits-1)
	}
	if !fits {
		failAt(pos, p.op, "the integer does not fit %v", d)
	}
	if neg {
		return -int64(u)
	}
	return int64(u)
}

// floatBits reads a float, decimal or as a hexadecimal bit pattern, and returns its bit pattern in
// d.
func (p *parser) floatBits(d tensor.DType) uint64 {
	pos := p.here()
	neg := p.accept("-")
	k, digits := p.tok.kind, p.text()
	switch {
	case k == kInt && strings.HasPrefix(digits, "0x") && !neg:
		p.next()
		bits, err := strconv.ParseUint(digits[2:], 16, 64)
		if err != nil || d.Bits() < 64 && bits>>d.Bits() != 0 {
			failAt(pos, p.op, "the bit pattern %s is wider than %v", shorten(digits), d)
		}
		return bits
	case k == kInt:
		p.refuse(fmt.Sprintf("%v takes floats, not the integer %s", d, shorten(digits)), "write "+shorten(digits)+".0")
	case k != kFloat:
		p.unexpected("a number")
	}
	p.next()
	if d == tensor.F32 {
		x, err := strconv.ParseFloat(digits, 32)
		if err != nil {
			failAt(pos, p.op, "%s does not fit f32", shorten(digits))
		}
		if neg {
			x = -x
		}
		return uint64(math.Float32bits(float32(x)))
	}
	x, err := parseFloat(digits, neg)
	if err != nil {
		failAt(pos, p.op, "%v", err)
	}
	switch d {
	case tensor.F16:
		return uint64(tensor.FloatToF16(x))
	case tensor.BF16:
		return uint64(tensor.FloatToBF16(x))
	}
	return math.Float64bits(x)
}

// parseFloat reads a decimal fraction.
func parseFloat(digits string, neg bool) (float64, error) {
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, fmt.Errorf("%s does not fit f64", shorten(digits))
	}
	if neg {
		x = -x
	}
	return x, nil
}
