package tensor

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestDTypes(t *testing.T) {
	for d := Bool; d <= C128; d++ {
		got, err := ParseDType(d.String())
		if err != nil || got != d {
			t.Errorf("%s parses as %v, %v", d, got, err)
		}
		classes := 0
		for _, is := range []bool{d == Bool, d.IsInt(), d.IsFloat(), d.IsComplex()} {
			if is {
				classes++
			}
		}
		if classes != 1 {
			t.Errorf("%s is in %d classes", d, classes)
		}
		if a := NewArray(Type{d, Shape{2, 3}}); a.Len() != 6 {
			t.Errorf("%s: %d elements", d, a.Len())
		}
	}
	for _, s := range []string{"", "invalid", "f8", "si32", "complex<f16>"} {
		if d, err := ParseDType(s); err == nil {
			t.Errorf("%q parses as %s", s, d)
		}
	}
	for d, bits := range map[DType]int{Bool: 1, I8: 8, U64: 64, F16: 16, BF16: 16, F32: 32, C64: 64, C128: 128} {
		if d.Bits() != bits {
			t.Errorf("%s has %d bits", d, d.Bits())
		}
	}
	if !I64.IsSigned() || U8.IsSigned() || F32.IsSigned() {
		t.Error("signed integers are I8 to I64")
	}
}

// Every binary16 pattern converts to float64 and back.
func TestF16RoundTrip(t *testing.T) {
	for h := range 1 << 16 {
		x := F16ToFloat(uint16(h))
		if math.IsNaN(x) {
			if h>>10&31 != 31 || h&1023 == 0 {
				t.Fatalf("%#04x is no NaN", h)
			}
			continue
		}
		if back := FloatToF16(x); back != uint16(h) {
			t.Fatalf("%#04x is %v is %#04x", h, x, back)
		}
	}
}

func TestHalfValues(t *testing.T) {
	for _, c := range []struct {
		x         float64
		f16, bf16 uint16
	}{
		{0, 0, 0},
		{math.Copysign(0, -1), 0x8000, 0x8000},
		{1, 0x3c00, 0x3f80},
		{-2, 0xc000, 0xc000},
		{1 + 1./2048, 0x3c00, 0x3f80},          // a tie, to even
		{1 + 3./2048, 0x3c02, 0x3f80},          // a tie, to even
		{1 + 1./2048 + 1e-12, 0x3c01, 0x3f80},  // just above a tie
		{1 + 1./256, 0x3c04, 0x3f80},           // bfloat16's tie
		{1 + 1./256 + 1e-15, 0x3c04, 0x3f81},   // lost if rounded to float32 first
		{65504, 0x7bff, 0x4780},                // binary16's largest number
		{65519.9, 0x7bff, 0x4780},              //
		{65520, 0x7c00, 0x4780},                // a tie with 65536
		{math.Ldexp(1, -24), 0x0001, 0x3380},   // binary16's smallest positive number
		{math.Ldexp(1, -25), 0x0000, 0x3300},   // a tie with 0
		{math.Ldexp(1.5, -25), 0x0001, 0x3340}, //
		{math.Inf(1), 0x7c00, 0x7f80},
		{math.Inf(-1), 0xfc00, 0xff80},
		{1e300, 0x7c00, 0x7f80},
		{-1e-300, 0x8000, 0x8000},
		{math.NaN(), 0x7e00, 0x7fc0},
	} {
		if got := FloatToF16(c.x); got != c.f16 {
			t.Errorf("%v in binary16: %#04x, want %#04x", c.x, got, c.f16)
		}
		if got := FloatToBF16(c.x); got != c.bf16 {
			t.Errorf("%v in bfloat16: %#04x, want %#04x", c.x, got, c.bf16)
		}
	}
}

// FloatToBF16 rounds to 8 significant bits, to nearest, ties to even.
func TestBF16RoundsOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := math.Ldexp(rapid.Float64Range(-2, 2).Draw(rt, "m"), rapid.IntRange(-100, 100).Draw(rt, "e"))
		want, _ := new(big.Float).SetPrec(8).SetMode(big.ToNearestEven).SetFloat64(x).Float64()
		if math.Abs(want) < math.Ldexp(1, -126) && want != 0 {
			rt.Skip("subnormal")
		}
		got := float64(math.Float32frombits(uint32(FloatToBF16(x)) << 16))
		if got != want {
			rt.Fatalf("%v rounds to %v, want %v", x, got, want)
		}
	})
}

// TestExtreme compares the ends of types with Go's.
func TestExtreme(t *testing.T) {
	for d, want := range map[DType][2]any{
		Bool: {false, true}, I8: {int64(math.MinInt8), int64(math.MaxInt8)}, I64: {int64(math.MinInt64), int64(math.MaxInt64)},
		U8: {uint64(0), uint64(math.MaxUint8)}, U64: {uint64(0), uint64(math.MaxUint64)}, F16: {math.Inf(-1), math.Inf(1)},
	} {
		if got := [2]any{d.Extreme(-1), d.Extreme(1)}; got != want {
			t.Errorf("%v: %v, want %v", d, got, want)
		}
	}
}
