package fxp_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestBitsOfFloats(t *testing.T) {
	x := []float64{0, 1, -1, 0.5, -2.75, 1023.5, 1. / 256, -3. / 64, 65504}
	for _, c := range []struct {
		from, to tensor.DType
		bits     func(x float64) uint64
	}{
		{tensor.F32, tensor.I32, func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }},
		{tensor.F32, tensor.U32, func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }},
		{tensor.F64, tensor.I64, math.Float64bits}, {tensor.F16, tensor.U16, func(x float64) uint64 { return uint64(tensor.FloatToF16(x)) }},
		{tensor.BF16, tensor.U16, func(x float64) uint64 { return uint64(tensor.FloatToBF16(x)) }},
	} {
		w := make([]uint64, len(x))
		for i, v := range x {
			w[i] = c.bits(v)
		}
		want := fmt.Sprint(tensor.FromWords(c.to, shape{len(x)}, w).Data)
		each(t, wideOnes, func(l *lab) {
			for _, y := range []*fxp.Value{l.in(x...), l.held(x...)} {
				y.Type.DType = c.from
				l.equal(c.from.String(), l.FloatBits(l.op, y, c.to, fxp.Unknown), want)
				l.equal(c.from.String()+" of a range", l.FloatBits(l.op, y, c.to, fxp.Range{Lo: -3, Hi: 1 << 16}), want)
			}
		})
		each(t, wideOnes, func(l *lab) {
			y := l.input(tensor.FromWords(c.to, shape{len(x)}, w))
			units := 8.
			if c.from == tensor.BF16 { // 1023.5 has more bits than bfloat16
				units = math.Ldexp(1, l.Fraction-8)
			}
			l.near("back to "+c.from.String(), l.BitsFloat(l.op, y, c.from), units, x...)
		})
	}
	each(t, wideOnes, func(l *lab) { // zeros, and numbers that are not normalised, of 16 bits
		y := l.integers(tensor.U16, true, 0, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00)
		l.near("f16", l.BitsFloat(l.op, y, tensor.F16), 1, 0, 0, 0x1p-24, -0x1p-14+0x1p-24, 0x1p-14, 1)
	})
	each(t, wideOnes, func(l *lab) {
		y := l.held(0, 0.5, 3)
		y.Type.DType = tensor.F32
		l.equal(
			"not negative",
			l.FloatBits(l.op, y, tensor.U32, fxp.Range{Lo: 0, Hi: 4}),
			fmt.Sprint([]uint32{0, math.Float32bits(0.5), math.Float32bits(3)}),
		)
	})
}
