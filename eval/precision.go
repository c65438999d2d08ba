package eval

import (
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// layout is the numbers of exponent and mantissa bits of a binary float.
type layout struct{ exp, man int }

var layouts = map[tensor.DType]layout{
	tensor.F16:  {5, 10},
	tensor.BF16: {8, 7},
	tensor.F32:  {8, 23},
	tensor.F64:  {11, 52},
}

func (l layout) sign() uint64     { return 1 << (l.exp + l.man) }
func (l layout) infinity() uint64 { return (1<<l.exp - 1) << l.man }

// mapBits applies f to the bit patterns of a float array.
func mapBits(x *tensor.Array, f func(uint64) uint64) *tensor.Array {
	out := tensor.NewArray(x.Type)
	switch d := x.Data.(type) {
	case []uint16:
		for i, v := range d {
			out.Data.([]uint16)[i] = uint16(f(uint64(v)))
		}
	case []float32:
		for i, v := range d {
			out.Data.([]float32)[i] = math.Float32frombits(uint32(f(uint64(math.Float32bits(v)))))
		}
	case []float64:
		for i, v := range d {
			out.Data.([]float64)[i] = math.Float64frombits(f(math.Float64bits(v)))
		}
	}
	return out
}

// reducePrecision rounds to a float with fewer exponent and mantissa bits: to nearest, ties to
// even; overflow becomes infinite, underflow below the normal numbers becomes zero.
func reducePrecision(c *call) ([]*tensor.Array, error) {
	x := c.args[0]
	l := layouts[x.DType]
	exp, man := c.op.Attrs.Int("exponent_bits", l.exp), c.op.Attrs.Int("mantissa_bits", l.man)
	return one(mapBits(x, func(b uint64) uint64 { return l.round(b, exp, man) })), nil
}

func (l layout) round(b uint64, exp, man int) uint64 {
	sign := b & l.sign()
	b &^= l.sign()
	if b >= l.infinity() { // NaN stays NaN
		return sign | b
	}
	if drop := l.man - man; drop > 0 {
		odd := b >> drop & 1
		b = (b + 1<<(drop-1) - 1 + odd) >> drop << drop
	}
	if exp < l.exp {
		bias, half := 1<<(l.exp-1)-1, 1<<(exp-1)-1 // the biases of both formats
		switch e := int(b>>l.man) - bias; {
		case e > half:
			return sign | l.infinity()
		case e <= -half:
			return sign
		}
	}
	return sign | b
}

// nextAfter returns the float next to x in the direction of y.
func nextAfter(c *call) ([]*tensor.Array, error) {
	x, y := c.args[0], c.args[1]
	l := layouts[x.DType]
	from, to, i := x.Floats(), y.Floats(), -1
	return one(mapBits(x, func(b uint64) uint64 {
		i++
		p, q := from[i], to[i]
		switch {
		case math.IsNaN(p):
			return b
		case math.IsNaN(q):
			return l.infinity() | 1<<(l.man-1)
		case p == q: // for zeros of different sign, y
			if p == 0 && math.Signbit(q) {
				return l.sign()
			} else if p == 0 {
				return 0
			}
			return b
		case p == 0 && q < 0:
			return l.sign() | 1
		case p == 0:
			return 1
		case (p < q) == (p > 0):
			return b + 1
		}
		return b - 1
	})), nil
}
