package eval

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

var (
	nan, inf = math.NaN(), math.Inf(1)
	zero     = math.Copysign(0, -1) // -0
)

func TestExactElementwise(t *testing.T) {
	nan32, inf32, zero32 := float32(nan), float32(inf), float32(zero)
	cases := []struct {
		name string
		args []*tensor.Array
		want *tensor.Array
	}{
		{"stablehlo.add", []*tensor.Array{vec[uint32](math.MaxUint32, 7), vec[uint32](2, 8)}, vec[uint32](1, 15)},
		{"stablehlo.add", []*tensor.Array{vec[int8](127, -128), vec[int8](1, -1)}, vec[int8](-128, 127)},
		{"stablehlo.add", []*tensor.Array{vec(true, true, false), vec(true, false, false)}, vec(true, true, false)},
		{"stablehlo.add", []*tensor.Array{vec[float32](1<<24, 0.1), vec[float32](1, 0.2)}, vec[float32](1<<24, 0.3)},
		{"stablehlo.add", []*tensor.Array{vec[complex64](1 + 2i), vec[complex64](3 - 1i)}, vec[complex64](4 + 1i)},
		{"stablehlo.add", []*tensor.Array{half(tensor.F16, 2048, 60000), half(tensor.F16, 1, 60000)}, half(tensor.F16, 2048, inf)},
		{"stablehlo.add", []*tensor.Array{half(tensor.BF16, 256), half(tensor.BF16, 1)}, half(tensor.BF16, 256)},
		{"stablehlo.add", []*tensor.Array{vec[int64](), vec[int64]()}, vec[int64]()},
		{"stablehlo.subtract", []*tensor.Array{vec[uint8](3), vec[uint8](5)}, vec[uint8](254)},
		{"stablehlo.subtract", []*tensor.Array{scalar[float64](inf), scalar[float64](inf)}, scalar[float64](nan)},
		{"stablehlo.multiply", []*tensor.Array{vec[int32](65536, -7), vec[int32](65536, 3)}, vec[int32](0, -21)},
		{"stablehlo.multiply", []*tensor.Array{vec(true, true), vec(true, false)}, vec(true, false)},
		{"stablehlo.multiply", []*tensor.Array{vec[complex128](1 + 2i), vec[complex128](3 - 1i)}, vec[complex128](5 + 5i)},
		{
			"stablehlo.divide",
			[]*tensor.Array{vec[int8](7, -7, 7, -7, 5, -128, 127), vec[int8](3, 3, -3, -3, 0, -1, -128)},
			vec[int8](2, -2, -2, 2, -1, -128, 0),
		},
		{"stablehlo.divide", []*tensor.Array{vec[uint64](7, 5), vec[uint64](2, 0)}, vec[uint64](3, math.MaxUint64)},
		{"stablehlo.divide", []*tensor.Array{vec[int64](math.MinInt64, 5), vec[int64](-1, 0)}, vec[int64](math.MinInt64, -1)},
		{"stablehlo.divide", []*tensor.Array{vec[float32](1, -1, 0), vec[float32](0, 0, 0)}, vec[float32](inf32, -inf32, nan32)},
		{
			"stablehlo.remainder",
			[]*tensor.Array{vec[int8](7, -7, 7, -7, 5, -128, 127), vec[int8](3, 3, -3, -3, 0, -1, -128)},
			vec[int8](1, -1, 1, -1, 5, 0, 127),
		},
		{"stablehlo.remainder", []*tensor.Array{vec[uint32](7, 9), vec[uint32](4, 0)}, vec[uint32](3, 9)},
		{
			"stablehlo.remainder",
			[]*tensor.Array{vec[float32](5.5, -5.5, 5.5, inf32, 1, zero32, 0, 3), vec[float32](2, 2, -2, 1, inf32, 2, 0, 0.5)},
			vec[float32](1.5, -1.5, 1.5, nan32, 1, zero32, nan32, 0),
		},
		{
			"stablehlo.power",
			[]*tensor.Array{vec[int32](2, -1, -1, 1, 3, 0, 0, -2, 7), vec[int32](-1, -3, -2, -5, 40, 0, -1, 31, 3)},
			vec[int32](0, -1, 1, 1, 689956897, 1, 0, math.MinInt32, 343),
		},
		{
			"stablehlo.power",
			[]*tensor.Array{vec(-8, 0, 0, zero, -2, nan, 1, -1, -inf), vec(1./3, 0, -1, -1, 3, 0, nan, inf, 3)},
			vec(nan, 1, inf, -inf, -8, 1, 1, 1, -inf),
		},
		{"stablehlo.negate", []*tensor.Array{vec[int8](-128, 5)}, vec[int8](-128, -5)},
		{"stablehlo.negate", []*tensor.Array{vec[uint16](1)}, vec[uint16](65535)},
		{"stablehlo.negate", []*tensor.Array{vec(0, zero, 2)}, vec(zero, 0, -2)},
		{"stablehlo.abs", []*tensor.Array{vec[int8](-128, -5, 6)}, vec[int8](-128, 5, 6)},
		{"stablehlo.abs", []*tensor.Array{vec[uint8](200)}, vec[uint8](200)},
		{"stablehlo.abs", []*tensor.Array{vec(zero, -inf, nan)}, vec(0, inf, nan)},
		{"stablehlo.abs", []*tensor.Array{vec[complex64](3 + 4i)}, vec[float32](5)},
		{"stablehlo.sign", []*tensor.Array{vec(nan, zero, 0, -3, 4, inf)}, vec(nan, zero, 0, -1, 1, 1)},
		{"stablehlo.sign", []*tensor.Array{vec[int16](-9, 0, 9)}, vec[int16](-1, 0, 1)},
		{"stablehlo.sign", []*tensor.Array{vec[uint8](0, 200)}, vec[uint8](0, 1)},
		{"stablehlo.sign", []*tensor.Array{vec[complex128](3+4i, 0)}, vec[complex128](0.6+0.8i, 0)},
		{"stablehlo.maximum", []*tensor.Array{vec(nan, 1, 2), vec(1, nan, 3)}, vec(nan, nan, 3)},
		{"stablehlo.maximum", []*tensor.Array{vec[int32](-1, 5), vec[int32](1, 4)}, vec[int32](1, 5)},
		{"stablehlo.maximum", []*tensor.Array{vec[uint32](math.MaxUint32), vec[uint32](1)}, vec[uint32](math.MaxUint32)},
		{"stablehlo.maximum", []*tensor.Array{vec[complex128](1+2i, 3-1i), vec[complex128](1+3i, 2+9i)}, vec[complex128](1+3i, 3-1i)},
		{"stablehlo.maximum", []*tensor.Array{vec(true, false), vec(false, false)}, vec(true, false)},
		{"stablehlo.minimum", []*tensor.Array{vec(nan, 1, 2), vec(1, nan, 3)}, vec(nan, nan, 2)},
		{"stablehlo.minimum", []*tensor.Array{vec[int8](-1, 5), vec[int8](1, 4)}, vec[int8](-1, 4)},
		{"stablehlo.minimum", []*tensor.Array{vec(true, true), vec(false, true)}, vec(false, true)},
		{"stablehlo.minimum", []*tensor.Array{vec[complex128](1+2i, 3-1i), vec[complex128](1+3i, 2+9i)}, vec[complex128](1+2i, 2+9i)},
		{"stablehlo.and", []*tensor.Array{vec[uint8](0b1100), vec[uint8](0b1010)}, vec[uint8](0b1000)},
		{"stablehlo.or", []*tensor.Array{vec[int8](-128), vec[int8](3)}, vec[int8](-125)},
		{"stablehlo.xor", []*tensor.Array{vec(true, true), vec(true, false)}, vec(false, true)},
		{"stablehlo.xor", []*tensor.Array{vec[uint64](1 << 63), vec[uint64](math.MaxUint64)}, vec[uint64](1<<63 - 1)},
		{"stablehlo.not", []*tensor.Array{vec(true, false)}, vec(false, true)},
		{"stablehlo.not", []*tensor.Array{vec[int16](0, 5)}, vec[int16](-1, -6)},
		{"stablehlo.shift_left", []*tensor.Array{vec[int8](-128, 1, 127, 5), vec[int8](7, 8, -1, 1)}, vec[int8](0, 0, 0, 10)},
		{"stablehlo.shift_left", []*tensor.Array{vec[uint64](1, 1), vec[uint64](63, 64)}, vec[uint64](1<<63, 0)},
		{"stablehlo.shift_right_arithmetic", []*tensor.Array{vec[int8](-128, -128, 127, 5), vec[int8](7, 8, -1, 1)}, vec[int8](-1, -1, 0, 2)},
		{"stablehlo.shift_right_arithmetic", []*tensor.Array{vec[uint8](128, 128, 127, 5), vec[uint8](7, 8, 255, 1)}, vec[uint8](255, 255, 0, 2)},
		{"stablehlo.shift_right_logical", []*tensor.Array{vec[int8](-128, -128, 127, 5), vec[int8](7, 8, -1, 1)}, vec[int8](1, 0, 0, 2)},
		{"stablehlo.shift_right_logical", []*tensor.Array{vec[int32](-1), vec[int32](32)}, vec[int32](0)},
		{"stablehlo.popcnt", []*tensor.Array{vec[int8](-1, 5)}, vec[int8](8, 2)},
		{"stablehlo.count_leading_zeros", []*tensor.Array{vec[int8](-1, 5, 0)}, vec[int8](0, 5, 8)},
		{"stablehlo.count_leading_zeros", []*tensor.Array{vec[uint64](1)}, vec[uint64](63)},
		{"stablehlo.ceil", []*tensor.Array{vec(1.2, -1.2, -0.2)}, vec(2, -1, zero)},
		{"stablehlo.floor", []*tensor.Array{vec[float32](1.2, -1.2, nan32)}, vec[float32](1, -2, nan32)},
		{"stablehlo.round_nearest_afz", []*tensor.Array{vec(0.5, 1.5, 2.5, -0.5, -2.5, 0.49999999999999994)}, vec(1.0, 2, 3, -1, -3, 0)},
		{"stablehlo.round_nearest_even", []*tensor.Array{vec(0.5, 1.5, 2.5, -0.5, -2.5)}, vec(0, 2, 2, zero, -2)},
		{"stablehlo.is_finite", []*tensor.Array{vec(1, inf, -inf, nan)}, vec(true, false, false, false)},
		{"chlo.is_inf", []*tensor.Array{vec[float32](1, inf32, -inf32, nan32)}, vec(false, true, true, false)},
		{"chlo.is_pos_inf", []*tensor.Array{vec(1, inf, -inf, nan)}, vec(false, true, false, false)},
		{"chlo.is_neg_inf", []*tensor.Array{vec(1, inf, -inf, nan)}, vec(false, false, true, false)},
		{"stablehlo.clamp", []*tensor.Array{scalar(2.), vec(1, nan, 3, 9), scalar(4.)}, vec(2, nan, 3, 4)},
		{"stablehlo.clamp", []*tensor.Array{scalar(5.), vec(1., 7), scalar(4.)}, vec(4., 4)},
		{"stablehlo.clamp", []*tensor.Array{vec[int32](-1, -5), vec[int32](-3, -4), vec[int32](9, 9)}, vec[int32](-1, -4)},
		{"stablehlo.select", []*tensor.Array{vec(true, false), vec[int8](1, 2), vec[int8](3, 4)}, vec[int8](1, 4)},
		{"stablehlo.select", []*tensor.Array{scalar(false), vec[float32](1, 2), vec[float32](3, 4)}, vec[float32](3, 4)},
		{"stablehlo.select", []*tensor.Array{scalar(true), scalar[uint64](1), scalar[uint64](2)}, scalar[uint64](1)},
		{"stablehlo.complex", []*tensor.Array{vec(1., 2), vec(3, -4.)}, vec[complex128](1+3i, 2-4i)},
		{"stablehlo.real", []*tensor.Array{vec[complex64](1 + 3i)}, vec[float32](1)},
		{"stablehlo.imag", []*tensor.Array{vec[complex64](1 + 3i)}, vec[float32](3)},
		{"stablehlo.imag", []*tensor.Array{vec(2.)}, vec(0.)},
		{"stablehlo.sqrt", []*tensor.Array{vec[float32](2, -1, inf32)}, vec[float32](float32(math.Sqrt2), nan32, inf32)},
		{"chlo.square", []*tensor.Array{vec[int8](16, 5)}, vec[int8](0, 25)},
		{"chlo.square", []*tensor.Array{vec[float32](1.1)}, vec(float32(1.1) * float32(1.1))},
		{"chlo.mulhi", []*tensor.Array{vec[int8](-128, 127, -1), vec[int8](-128, 127, 1)}, vec[int8](64, 63, -1)},
		{"chlo.mulhi", []*tensor.Array{vec[uint32](math.MaxUint32), vec[uint32](math.MaxUint32)}, vec[uint32](math.MaxUint32 - 1)},
		{"chlo.mulhi", []*tensor.Array{vec[int64](-1, math.MinInt64), vec[int64](1, math.MinInt64)}, vec[int64](-1, 1<<62)},
		{"chlo.mulhi", []*tensor.Array{vec[uint64](math.MaxUint64), vec[uint64](2)}, vec[uint64](1)},
		{"chlo.conj", []*tensor.Array{vec[complex64](1 + 3i)}, vec[complex64](1 - 3i)},
		{"chlo.erf_inv", []*tensor.Array{vec(0, 1, -1, 2.)}, vec(0, inf, -inf, nan)},
		{"stablehlo.exponential", []*tensor.Array{vec[float32](-inf32, 0, 1000)}, vec[float32](0, 1, inf32)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			same(t, do(t, c.name, nil, c.want.Type, c.args...), c.want)
		})
	}
}

// The expected values are those of XLA's CPU backend in float64.
func TestFunctions(t *testing.T) {
	x := vec(0.1, 0.5, 1, 2.5, 7, 30, -0.5, -3.3)
	full := func(v float64) *tensor.Array { return vec(v, v, v, v, v, v, v, v) }
	cases := []struct {
		name string
		args []*tensor.Array
		want *tensor.Array
	}{
		{
			"chlo.digamma",
			[]*tensor.Array{x},
			vec(
				-10.423754940411078,
				-1.9635100260214255,
				-0.5772156649015334,
				0.7031566406452437,
				1.8727843350984674,
				3.384438132685524,
				0.03648997397857731,
				3.620353460592125,
			),
		},
		{"chlo.digamma", []*tensor.Array{vec(0, -2, inf, -inf)}, vec(nan, nan, inf, nan)},
		{
			"chlo.lgamma",
			[]*tensor.Array{x},
			vec(
				2.252712651734206,
				0.5723649429247004,
				0.0,
				0.2846828704729196,
				6.579251212010101,
				71.25703896716799,
				1.2655121234846451,
				-0.8243558050174249,
			),
		},
		{
			"chlo.polygamma",
			[]*tensor.Array{full(0), x},
			vec(
				-10.423754940411078,
				-1.9635100260214255,
				-0.5772156649015334,
				0.7031566406452437,
				1.8727843350984674,
				3.384438132685524,
				0.03648997397857731,
				3.620353460592125,
			),
		},
		{
			"chlo.polygamma",
			[]*tensor.Array{full(1), x},
			vec(
				101.43329915079275,
				4.93480220054468,
				1.6449340668482264,
				0.4903577561002349,
				0.15354517795933756,
				0.033895060357739946,
				8.934802200544677,
				14.817739525515929,
			),
		},
		{
			"chlo.polygamma",
			[]*tensor.Array{full(2), x},
			vec(
				-2001.8614573783416,
				-16.828796644234295,
				-2.4041138063191854,
				-0.2362040516417271,
				-0.02353047298585521,
				-0.0011487652037285984,
				-0.828796644234319,
				68.76944547748514,
			),
		},
		{
			"chlo.polygamma",
			[]*tensor.Array{full(3), x},
			vec(
				60004.51287679031,
				97.4090910340025,
				6.493939402266834,
				0.22390584881725223,
				0.0071981985631254485,
				7.786003664736134e-05,
				193.40909103400256,
				768.985658255429,
			),
		},
		{"chlo.polygamma", []*tensor.Array{vec(-1, 0.5), vec(1., 1)}, vec(nan, nan)},
		{
			"chlo.zeta",
			[]*tensor.Array{vec(1.5, 2, 3, 4, 10, 2.5, 1.1), vec(0.5, 1, 1, 2.5, 0.1, 30, 7)},
			vec(
				4.776537947554833,
				1.6449340668482264,
				1.2020569031595942,
				0.037317641469542015,
				10000000000.386148,
				0.004160042573845588,
				8.2920470568943,
			),
		},
		{
			"chlo.zeta",
			[]*tensor.Array{vec(2, 3, 2, 2.5, 1, 0.5, 2, 3), vec(-0.5, -1.5, -2, -0.5, 2, 2, 0, 0)},
			vec(8.934802200544677, 0.11810202582086413, inf, nan, inf, nan, inf, nan),
		},
		{
			"chlo.bessel_i1e",
			[]*tensor.Array{vec(0, 0.1, 1, 5, 10, 29, 31, 100, 1000, -2)},
			vec(
				0.0,
				0.045298446808809324,
				0.2079104153497085,
				0.16397226694454234,
				0.12126268138445552,
				0.07311311793938836,
				0.07077639283438568,
				0.03974415302513025,
				0.012610930256928629,
				-0.2152692892489377,
			),
		},
		{"chlo.erf_inv", []*tensor.Array{vec(0.5, -0.9, 0.99)}, vec(0.47693627620446977, -1.163087153676674, 1.8213863677184496)},
		{"chlo.erf", []*tensor.Array{vec(0.5, -2)}, vec(0.5204998778130465, -0.9953222650189527)},
		{"chlo.erfc", []*tensor.Array{vec(0.5, 5)}, vec(0.4795001221869535, 1.5374597944280347e-12)},
		{"chlo.acosh", []*tensor.Array{vec(1, 0.5, 2.)}, vec(0, nan, 1.3169578969248166)},
		{"chlo.atanh", []*tensor.Array{vec(1, -1, 0.5, 2)}, vec(inf, -inf, 0.5493061443340548, nan)},
		{"chlo.asinh", []*tensor.Array{vec(1.)}, vec(0.881373587019543)},
		{"chlo.acos", []*tensor.Array{vec(0.5)}, vec(math.Pi / 3)},
		{"chlo.asin", []*tensor.Array{vec(0.5)}, vec(math.Pi / 6)},
		{"chlo.atan", []*tensor.Array{vec(1.)}, vec(math.Pi / 4)},
		{"chlo.sinh", []*tensor.Array{vec(1.)}, vec(1.1752011936438014)},
		{"chlo.cosh", []*tensor.Array{vec(1.)}, vec(1.5430806348152437)},
		{"chlo.tan", []*tensor.Array{vec(1.)}, vec(1.5574077246549023)},
		{"stablehlo.cbrt", []*tensor.Array{vec(-8., 27)}, vec(-2., 3)},
		{"stablehlo.logistic", []*tensor.Array{vec[float64](0, 2, -800, 800)}, vec(0.5, 0.8807970779778823, 0, 1)},
		{"stablehlo.log_plus_one", []*tensor.Array{vec(1e-20, -1, -2)}, vec(1e-20, -inf, nan)},
		{"stablehlo.exponential_minus_one", []*tensor.Array{vec(1e-20, 1)}, vec(1e-20, math.E-1)},
		{"stablehlo.atan2", []*tensor.Array{vec(1, 0, zero), vec(-1., -1, -1)}, vec(3*math.Pi/4, math.Pi, -math.Pi)},
		{
			"stablehlo.power",
			[]*tensor.Array{vec[complex128](1+2i, 0, 0), vec[complex128](0.5-1i, 0, 2)},
			vec[complex128](4.382565059863358-1.1243974773611554i, 1, 0),
		},
		{
			"stablehlo.log_plus_one",
			[]*tensor.Array{vec[complex128](1e-10+1e-10i, 2-3i)},
			vec[complex128](1e-10+9.999999999e-11i, 1.4451858789480823-0.7853981633974483i),
		},
		{
			"stablehlo.exponential_minus_one",
			[]*tensor.Array{vec[complex128](1e-10+1e-10i, 1-2i)},
			vec[complex128](1e-10+1.0000000001000001e-10i, -2.1312043837568138-2.471726672004819i),
		},
		{"stablehlo.tanh", []*tensor.Array{vec[complex128](0.3 - 2i)}, vec[complex128](1.197118705382221 + 1.4230382877231793i)},
		{"stablehlo.logistic", []*tensor.Array{vec[complex128](0.3 - 2i)}, vec[complex128](0.7419932623851276 - 0.7225917468588768i)},
		{"stablehlo.rsqrt", []*tensor.Array{vec[complex128](0.3 - 2i)}, vec[complex128](0.5328310284161304 + 0.4588673790880732i)},
		{"stablehlo.atan2", []*tensor.Array{vec[complex128](3), vec[complex128](4)}, vec[complex128](complex(math.Atan2(3, 4), 0))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			near(t, do(t, c.name, nil, c.want.Type, c.args...), c.want, 2e-14)
		})
	}
}

// Functions of 16- and 32-bit floats are computed in float64 and rounded once.
func TestFloatsRoundOnce(t *testing.T) {
	for _, d := range []tensor.DType{tensor.F16, tensor.BF16, tensor.F32} {
		x := tensor.FromFloats(d, tensor.Shape{3}, []float64{0.3, 1.7, 3})
		want := make([]float64, 3)
		for i, v := range x.Floats() {
			want[i] = math.Tanh(v)
		}
		same(t, do(t, "stablehlo.tanh", nil, x.Type, x), tensor.FromFloats(d, x.Shape, want))
	}
}

var natives = []string{
	"stablehlo.add", "stablehlo.and", "stablehlo.divide", "stablehlo.maximum", "stablehlo.minimum",
	"stablehlo.multiply", "stablehlo.or", "stablehlo.subtract", "stablehlo.xor",
}

var reals = []tensor.DType{
	tensor.I8, tensor.I16, tensor.I32, tensor.I64, tensor.U8, tensor.U16, tensor.U32, tensor.U64, tensor.F32, tensor.F64,
}

// Native loops equal their specification.
func TestNativeLoops(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := rapid.SampledFrom(reals).Draw(rt, "type")
		op := binaries[rapid.SampledFrom(natives).Draw(rt, "op")]
		n := rapid.IntRange(0, 9).Draw(rt, "n")
		draw := func(name string) *tensor.Array {
			if d.IsFloat() {
				edge := rapid.SampledFrom([]float64{0, zero, inf, -inf, nan, 1, math.MaxFloat32, 1e-45})
				return tensor.FromFloats(d, tensor.Shape{n}, rapid.SliceOfN(rapid.OneOf(edge, rapid.Float64()), n, n).Draw(rt, name))
			}
			return tensor.FromWords(d, tensor.Shape{n}, rapid.SliceOfN(rapid.Uint64(), n, n).Draw(rt, name))
		}
		if d.IsFloat() && op.float == nil {
			return
		}
		x, y := draw("x"), draw("y")
		if out := runLoop(op.native, x, y); out != nil {
			same(rt, out, op.general(x, y))
		}
	})
}

func TestNextAfter(t *testing.T) {
	f := math.Float32frombits
	x := vec(0, 0, 1, 1, -1, f(0x7f800000), f(0x7fc00000), f(1), 0)
	y := vec[float32](1, -1, 2, 0, 0, 0, 1, 0, float32(zero))
	got := do(t, "chlo.next_after", nil, x.Type, x, y)
	var bits []uint32
	for _, v := range got.Data.([]float32) {
		bits = append(bits, math.Float32bits(v))
	}
	same(t, vec(bits...), vec[uint32](1, 2147483649, 1065353217, 1065353215, 3212836863, 2139095039, 2143289344, 0, 2147483648))
	same(t, do(t, "chlo.next_after", nil, typ(tensor.F64, 3), vec(zero, 2., 0), vec(0., 2, zero)), vec(0, 2, zero))
	same(t, do(t, "chlo.next_after", nil, typ(tensor.F16, 1), half(tensor.F16, 1), half(tensor.F16, 2)), half(tensor.F16, 1+1./1024))
	same(t, do(t, "chlo.next_after", nil, typ(tensor.F64, 2), vec(1, nan), vec(nan, 1)), vec(nan, nan))
}

func TestReducePrecision(t *testing.T) {
	x := []float64{1.0001, -3.14159, 65519, 65520, 1e-8, 1e-7, 6e-5, nan, inf, 0.3, 448, 464, 480, 3, 1.5, zero}
	cases := []struct {
		exp, man int64
		want     []float64
	}{
		{5, 10, []float64{1.0, -3.140625, 65504.0, inf, 0.0, 0.0, 0.0, nan, inf, 0.300048828125, 448.0, 464.0, 480.0, 3.0, 1.5, zero}},
		{
			8,
			7,
			[]float64{
				1.0,
				-3.140625,
				65536.0,
				65536.0,
				1.0011717677116394e-08,
				1.0011717677116394e-07,
				6.008148193359375e-05,
				nan,
				inf,
				0.30078125,
				448.0,
				464.0,
				480.0,
				3.0,
				1.5,
				zero,
			},
		},
		{5, 60, []float64{1.0001, -3.14159, 65519, 65520, 0, 0, 0, nan, inf, 0.3, 448, 464, 480, 3, 1.5, zero}},
		{4, 3, []float64{1.0, -3.25, inf, inf, 0.0, 0.0, 0.0, nan, inf, 0.3125, inf, inf, inf, 3.0, 1.5, zero}},
		{5, 2, []float64{1.0, -3.0, inf, inf, 0.0, 0.0, 6.103515625e-05, nan, inf, 0.3125, 448.0, 448.0, 512.0, 3.0, 1.5, zero}},
		{
			8,
			0,
			[]float64{
				1.0,
				-4.0,
				65536.0,
				65536.0,
				7.450580596923828e-09,
				1.1920928955078125e-07,
				6.103515625e-05,
				nan,
				inf,
				0.25,
				512.0,
				512.0,
				512.0,
				2.0,
				2.0,
				zero,
			},
		},
		{2, 3, []float64{1.0, -3.25, inf, inf, 0.0, 0.0, 0.0, nan, inf, 0.0, inf, inf, inf, 3.0, 1.5, zero}},
	}
	for _, c := range cases {
		in := tensor.FromFloats(tensor.F32, tensor.Shape{len(x)}, x)
		got := do(t, "stablehlo.reduce_precision", hlo.Attrs{"exponent_bits": c.exp, "mantissa_bits": c.man}, in.Type, in)
		same(t, got, tensor.FromFloats(tensor.F32, in.Shape, c.want))
	}
}
