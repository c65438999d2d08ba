package eval

import (
	"context"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestFloatToInteger(t *testing.T) {
	x := vec(nan, inf, -inf, 300.7, -300.7, 1e10, -1e10, 1e20, -1e20, -0.9, 2147483647, 4294967295)
	for _, want := range []*tensor.Array{
		vec[int8](0, 127, -128, 127, -128, 127, -128, 127, -128, 0, 127, 127),
		vec[uint8](0, 255, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255),
		vec[int16](0, 32767, -32768, 300, -300, 32767, -32768, 32767, -32768, 0, 32767, 32767),
		vec[uint16](0, 65535, 0, 300, 0, 65535, 0, 65535, 0, 0, 65535, 65535),
		vec[int32](0, 2147483647, -2147483648, 300, -300, 2147483647, -2147483648, 2147483647, -2147483648, 0, 2147483647, 2147483647),
		vec[uint32](0, 4294967295, 0, 300, 0, 4294967295, 0, 4294967295, 0, 0, 2147483647, 4294967295),
		vec[int64](0, 9223372036854775807, -9223372036854775808, 300, -300, 10000000000, -10000000000, 9223372036854775807,
			-9223372036854775808, 0, 2147483647, 4294967295),
		vec[uint64](0, 18446744073709551615, 0, 300, 0, 10000000000, 0, 18446744073709551615, 0, 0, 2147483647, 4294967295),
		vec(true, true, true, true, true, true, true, true, true, true, true, true),
	} {
		same(t, do(t, "stablehlo.convert", nil, want.Type, x), want)
		same(
			t,
			do(t, "stablehlo.convert", nil, typ(want.DType, 1), half(tensor.F16, nan)),
			do(t, "stablehlo.convert", nil, typ(want.DType, 1), vec(nan)),
		)
	}
}

func TestConvert(t *testing.T) {
	cases := []struct{ x, want *tensor.Array }{
		{vec[int32](-1, 300), vec[uint8](255, 44)},
		{vec[uint8](200), vec[int8](-56)},
		{vec[int8](-1), vec[uint64](math.MaxUint64)},
		{vec[int64](0, -4), vec(false, true)},
		{vec(true, false), vec[float32](1, 0)},
		{vec(true, false), vec[int16](1, 0)},
		{vec(0, zero, nan, 0.1), vec(false, false, true, true)},
		{
			vec[int64](math.MaxInt64, 1<<53+1, 1<<24+1, -(1<<60 + 1), 0x7ffffe0000000000),
			vec[float32](1<<63, 1<<53, 1<<24, -1<<60, 9223369837831520256),
		},
		{vec[uint64](math.MaxUint64), vec[float32](1 << 64)},
		{vec[int64](1<<40 + 1<<39 + 1), half(tensor.BF16, 1<<40+1<<39)},
		{vec[int32](2049, 65519, 65520), half(tensor.F16, 2048, 65504, inf)},
		{vec(1+1./2048, 1+3./2048), half(tensor.F16, 1, 1+2./1024)},
		{vec[float32](3.4e38), half(tensor.BF16, inf)},
		{half(tensor.F16, 1.5), vec(1.5)},
		{vec[complex64](1 + 2i), vec[complex128](1 + 2i)},
		{vec[complex128](1.5 + 2i), vec[int8](1)},
		{vec[complex128](2i, 0), vec(true, false)},
		{vec[int16](-3), vec[complex64](-3)},
		{vec(0.1), vec(complex64(complex(float32(0.1), 0)))},
	}
	for _, c := range cases {
		same(t, do(t, "stablehlo.convert", nil, c.want.Type, c.x), c.want)
	}
}

// Integers convert to float32 with the same rounding as exact rationals.
func TestIntegerToFloatRoundsOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.Uint64().Draw(rt, "v")
		want, _ := new(big.Float).SetUint64(v).Float32()
		same(rt, converted(vec(v), tensor.F32), vec(want))
		want, _ = new(big.Float).SetInt64(int64(v)).Float32()
		same(rt, converted(vec(int64(v)), tensor.F32), vec(want))
	})
}

func TestBitcast(t *testing.T) {
	cases := []struct{ x, want *tensor.Array }{
		{vec[float32](1), vec[uint32](0x3f800000)},
		{vec[uint64](0x4000000000000000), vec(2.)},
		{half(tensor.F16, 1), vec[int16](0x3c00)},
		{vec[uint64](0x0102030405060708), shaped([]uint32{0x05060708, 0x01020304}, 1, 2)},
		{shaped([]uint8{1, 2, 3, 4}, 2, 2), vec[uint16](0x0201, 0x0403)},
		{vec(true), vec(true)},
		{vec[float32](), vec[int32]()},
		{scalar[uint16](0x1234), vec[int8](0x34, 0x12)},
	}
	for _, c := range cases {
		same(t, do(t, "stablehlo.bitcast_convert", nil, c.want.Type, c.x), c.want)
	}
	_, err := Op(
		context.Background(),
		newOp("stablehlo.bitcast_convert", nil, []tensor.Type{typ(tensor.U8, 1)}, vec(true)),
		[]*tensor.Array{vec(true)},
	)
	if err == nil {
		t.Fatal("a bool has no bits")
	}
}

func TestCompare(t *testing.T) {
	negNaN := math.Copysign(nan, -1)
	x := []float64{1, 2, 2, zero, nan, inf}
	y := []float64{2, 2, 1, 0, nan, nan}
	cases := []struct {
		dir, kind string
		x, y      *tensor.Array
		want      []bool
	}{
		{"LT", "FLOAT", vec(x...), vec(y...), []bool{true, false, false, false, false, false}},
		{"LE", "FLOAT", vec(x...), vec(y...), []bool{true, true, false, true, false, false}},
		{"GT", "FLOAT", vec(x...), vec(y...), []bool{false, false, true, false, false, false}},
		{"GE", "FLOAT", vec(x...), vec(y...), []bool{false, true, true, true, false, false}},
		{"EQ", "FLOAT", vec(x...), vec(y...), []bool{false, true, false, true, false, false}},
		{"NE", "FLOAT", vec(x...), vec(y...), []bool{true, false, true, false, true, true}},
		{"LT", "TOTALORDER", vec(x...), vec(y...), []bool{true, false, false, true, false, true}},
		{"GE", "TOTALORDER", vec(x...), vec(y...), []bool{false, true, true, false, true, false}},
		{"EQ", "TOTALORDER", vec(x...), vec(y...), []bool{false, true, false, false, true, false}},
		{"LT", "TOTALORDER", vec(negNaN, -inf, -1), vec(-inf, -1, -0.5), []bool{true, true, true}},
		{"LT", "TOTALORDER", half(tensor.BF16, -2, zero), half(tensor.BF16, -1, 0), []bool{true, true}},
		{"LT", "TOTALORDER", vec[float32](-2, float32(zero)), vec[float32](-1, 0), []bool{true, true}},
		{"LT", "FLOAT", half(tensor.F16, 1), half(tensor.F16, 2), []bool{true}},
		{"LT", "SIGNED", vec[int8](-1), vec[int8](1), []bool{true}},
		{"LT", "UNSIGNED", vec[uint8](255), vec[uint8](1), []bool{false}},
		{"GT", "SIGNED", vec[int32](-1, 4), vec[int32](1, 3), []bool{false, true}},
		{"GT", "UNSIGNED", vec[uint32](math.MaxUint32), vec[uint32](1), []bool{true}},
		{"GE", "SIGNED", vec[int64](math.MinInt64), vec[int64](1), []bool{false}},
		{"LE", "", vec[uint64](1), vec[uint64](math.MaxUint64), []bool{true}},
		{"LT", "UNSIGNED", vec(false, true), vec(true, true), []bool{true, false}},
		{"EQ", "FLOAT", vec[complex64](1+2i, 1), vec[complex64](1+2i, 2), []bool{true, false}},
		{"NE", "FLOAT", vec[complex64](1+2i, 1), vec[complex64](1+2i, 2), []bool{false, true}},
	}
	for _, c := range cases {
		got := do(t, "stablehlo.compare", hlo.Attrs{"comparison_direction": hlo.Enum(c.dir), "compare_type": hlo.Enum(c.kind)},
			typ(tensor.Bool, len(c.want)), c.x, c.y)
		same(t, got, vec(c.want...))
	}
	op := newOp(
		"stablehlo.compare",
		hlo.Attrs{"comparison_direction": hlo.Enum("LT")},
		[]tensor.Type{typ(tensor.Bool, 1)},
		vec[complex64](1),
		vec[complex64](1),
	)
	if _, err := Op(context.Background(), op, []*tensor.Array{vec[complex64](1), vec[complex64](1)}); err == nil {
		t.Fatal("complex numbers have no order")
	}
}
