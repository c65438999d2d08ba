package eval

import (
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// binaryOp is an operation of two operands and a result of one type, with a function for each kind
// of element as in unaryOp. If native names a loop for the element type, that loop runs instead and
// must give the same results.
type binaryOp struct {
	float  func(x, y float64) float64
	word   func(x, y uint64, w width) uint64
	cmplx  func(x, y complex128) complex128
	native loop
}

var binaries = map[string]binaryOp{
	hlo.OpAdd: {
		float: func(x, y float64) float64 { return x + y }, word: addWord,
		cmplx: func(x, y complex128) complex128 { return x + y }, native: addLoop,
	},
	hlo.OpAnd:   {word: func(x, y uint64, _ width) uint64 { return x & y }, native: andLoop},
	hlo.OpAtan2: {float: math.Atan2, cmplx: atan2},
	hlo.OpDivide: {
		float: func(x, y float64) float64 { return x / y }, word: divWord,
		cmplx: func(x, y complex128) complex128 { return x / y }, native: divLoop,
	},
	hlo.OpMaximum: {
		float: func(x, y float64) float64 { return max(x, y) }, word: maxWord,
		cmplx: func(x, y complex128) complex128 { return pick(lessComplex(x, y), y, x) }, native: maxLoop,
	},
	hlo.OpMinimum: {
		float: func(x, y float64) float64 { return min(x, y) }, word: minWord,
		cmplx: func(x, y complex128) complex128 { return pick(lessComplex(y, x), y, x) }, native: minLoop,
	},
	hlo.OpMultiply: {
		float: func(x, y float64) float64 { return x * y }, word: func(x, y uint64, _ width) uint64 { return x * y },
		cmplx: func(x, y complex128) complex128 { return x * y }, native: mulLoop,
	},
	hlo.OpOr:                   {word: func(x, y uint64, _ width) uint64 { return x | y }, native: orLoop},
	hlo.OpPower:                {float: math.Pow, word: powWord, cmplx: cmplx.Pow},
	hlo.OpRemainder:            {float: math.Mod, word: remWord},
	hlo.OpShiftLeft:            {word: shiftLeft},
	hlo.OpShiftRightArithmetic: {word: shiftRightArithmetic},
	hlo.OpShiftRightLogical:    {word: shiftRightLogical},
	hlo.OpSubtract: {
		float: func(x, y float64) float64 { return x - y }, word: func(x, y uint64, _ width) uint64 { return x - y },
		cmplx: func(x, y complex128) complex128 { return x - y }, native: subLoop,
	},
	hlo.OpXor: {word: func(x, y uint64, _ width) uint64 { return x ^ y }, native: xorLoop},

	hlo.OpMulhi:     {word: highWord},
	hlo.OpPolygamma: {float: polygamma},
	hlo.OpZeta:      {float: zeta},
}

func (b binaryOp) run(c *call) ([]*tensor.Array, error) {
	x, y := c.args[0], c.args[1]
	if b.native != none {
		if out := runLoop(b.native, x, y); out != nil {
			return one(out), nil
		}
	}
	return one(b.general(x, y)), nil
}

// check returns an error for element types without a function.
func (b binaryOp) check(op *hlo.Op) error {
	return requireElements(op, b.float != nil, b.cmplx != nil, b.word != nil)
}

// general computes without native loops and is their specification.
func (b binaryOp) general(x, y *tensor.Array) *tensor.Array {
	switch d := x.DType; {
	case d.IsFloat():
		return zipFloats(x, y, b.float)
	case d.IsComplex():
		p, q := complexes(x), complexes(y)
		out := make([]complex128, len(p))
		for i := range out {
			out[i] = b.cmplx(p[i], q[i])
		}
		return fromComplexes(d, x.Shape, out)
	default:
		p, q, w := x.Words(), y.Words(), widthOf(d)
		out := make([]uint64, len(p))
		for i := range out {
			out[i] = b.word(p[i], q[i], w)
		}
		return tensor.FromWords(d, x.Shape, out)
	}
}

// zipFloats applies f to the elements of two float arrays.
func zipFloats(x, y *tensor.Array, f func(x, y float64) float64) *tensor.Array {
	p, q := x.Floats(), y.Floats()
	out := make([]float64, len(p))
	for i := range out {
		out[i] = f(p[i], q[i])
	}
	return tensor.FromFloats(x.DType, x.Shape, out)
}

func addWord(x, y uint64, w width) uint64 {
	if w.bits == 1 {
		return x | y
	}
	return x + y
}

func maxWord(x, y uint64, w width) uint64 {
	if w.signed {
		return uint64(max(int64(x), int64(y)))
	}
	return max(x, y)
}

func minWord(x, y uint64, w width) uint64 {
	if w.signed {
		return uint64(min(int64(x), int64(y)))
	}
	return min(x, y)
}

// highWord returns the upper half of the double-width product.
func highWord(x, y uint64, w width) uint64 {
	if w.bits < 64 {
		return uint64(int64(x*y) >> w.bits) // for both signs: the bits shifted in are cut off
	}
	high, _ := bits.Mul64(x, y)
	if w.signed && int64(x) < 0 {
		high -= y
	}
	if w.signed && int64(y) < 0 {
		high -= x
	}
	return high
}

// divWord divides and truncates towards zero; x/0 has all bits set, MIN/-1 is MIN.
func divWord(x, y uint64, w width) uint64 {
	switch {
	case y == 0:
		return math.MaxUint64
	case w.signed && int64(y) == -1:
		return -x
	case w.signed:
		return uint64(int64(x) / int64(y))
	}
	return x / y
}

// remWord returns the remainder with the sign of x; x rem 0 is x, MIN rem -1 is 0.
func remWord(x, y uint64, w width) uint64 {
	switch {
	case y == 0:
		return x
	case w.signed && int64(y) == -1:
		return 0
	case w.signed:
		return uint64(int64(x) % int64(y))
	}
	return x % y
}

// powWord returns x^y modulo the word size. For negative exponents, bases 1 and -1 give ±1 by
// parity and all other bases give 0.
func powWord(x, y uint64, w width) uint64 {
	if w.signed && int64(y) < 0 {
		switch {
		case x == 1 || int64(x) == -1 && y&1 == 0:
			return 1
		case int64(x) == -1:
			return x
		}
		return 0
	}
	p := uint64(1)
	for ; y != 0; y >>= 1 {
		if y&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}

// Shift amounts are unsigned. Amounts of the width or more shift all bits out.

func shiftLeft(x, y uint64, w width) uint64 {
	if y&w.mask() >= uint64(w.bits) {
		return 0
	}
	return x << (y & w.mask())
}

func shiftRightLogical(x, y uint64, w width) uint64 {
	if y&w.mask() >= uint64(w.bits) {
		return 0
	}
	return (x & w.mask()) >> (y & w.mask())
}

func shiftRightArithmetic(x, y uint64, w width) uint64 {
	up := 64 - w.bits // moves the sign bit to the top of the 64-bit word
	return uint64(int64(x<<up)>>min(y&w.mask(), uint64(w.bits-1))) >> up
}

// lessComplex is the lexicographic order that maximum and minimum use.
func lessComplex(x, y complex128) bool {
	return real(x) < real(y) || real(x) == real(y) && imag(x) < imag(y)
}

func pick(first bool, x, y complex128) complex128 {
	if first {
		return x
	}
	return y
}

// atan2 of complex numbers is -i·log((x + iy)/√(x² + y²)).
func atan2(y, x complex128) complex128 {
	return -1i * cmplx.Log((x+1i*y)/cmplx.Sqrt(x*x+y*y))
}
