package fxp_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestEncode: a float becomes the nearest integer to x·2^scale, ties to even, of exact arithmetic.
func TestEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ring.Z(rapid.SampledFrom([]int{8, 32, 33, 62, 63, 64, 65, 100, 128, 192}).Draw(t, "ring"))
		scale := rapid.IntRange(0, 40).Draw(t, "scale")
		x := rapid.Float64().Draw(t, "x")
		got := fxp.Encode(floats(x), r, scale).Int(0)
		z, _ := new(big.Float).SetMantExp(big.NewFloat(x), scale).Rat(nil)
		want := nearest(z)
		limit := new(big.Int).Lsh(big.NewInt(1), uint(r.Bits-2))
		if want.CmpAbs(limit) >= 0 { // half of the range, on its side
			want = new(big.Int).Sub(new(big.Int).Rsh(limit, 1), big.NewInt(1))
			if x < 0 {
				want.Neg(want)
			}
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("%v·2^%d in %v is %v, want %v", x, scale, r, got, want)
		}
		if back := fxp.Decode(fxp.Encode(floats(x), r, scale), floats(x).Type, scale).Floats()[0]; math.Abs(x) < math.Ldexp(1, r.Bits-3-scale) &&
			math.Abs(back-x) > math.Ldexp(1, -scale-1)+math.Abs(x)*0x1p-53 {
			t.Fatalf("%v comes back as %v", x, back)
		}
	})
}

// nearest rounds to the nearest integer, ties to even.
func nearest(z *big.Rat) *big.Int {
	twice := new(big.Rat).Mul(z, big.NewRat(2, 1))
	twice.Add(twice, big.NewRat(1, 1))
	down := new(big.Int).Div(twice.Num(), new(big.Int).Mul(twice.Denom(), big.NewInt(2))) // ⌊z + ½⌋
	if tie := new(big.Rat).Sub(new(big.Rat).SetInt(down), z); tie.Cmp(big.NewRat(1, 2)) == 0 && down.Bit(0) == 1 {
		down.Sub(down, big.NewInt(1))
	}
	return down
}

func TestEncodeSpecials(t *testing.T) {
	for _, bits := range []int{32, 64, 128} {
		v := fxp.Encode(floats(math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)), ring.Z(bits), 4)
		half := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits-3)), big.NewInt(1))
		if v.Int(0).Sign() != 0 || v.Int(3).Sign() != 0 || v.Int(1).Cmp(half) != 0 || v.Int(2).Cmp(new(big.Int).Neg(half)) != 0 {
			t.Errorf("ring %d: NaN, ∞, −∞, −0 become %v %v %v %v", bits, v.Int(0), v.Int(1), v.Int(2), v.Int(3))
		}
	}
}

// TestIntegersRoundTrip: integers of all types keep their bits, in rings of their width and wider ones.
func TestIntegersRoundTrip(t *testing.T) {
	for _, d := range []tensor.DType{tensor.I8, tensor.U8, tensor.I16, tensor.U16, tensor.I32, tensor.U32, tensor.I64, tensor.U64,
		tensor.Bool} {
		top := uint64(1) << (d.Bits() - 1)
		a := tensor.FromWords(d, shape{5}, []uint64{0, 1, top, top - 1, ^uint64(0)})
		for _, r := range []ring.Ring{ring.Z(d.Bits()), ring.Z(128)} {
			if got := fxp.Decode(fxp.Encode(a, r, 0), a.Type, 0); fmt.Sprint(got.Data) != fmt.Sprint(a.Data) {
				t.Errorf("%v in %v: %v, want %v", d, r, got.Data, a.Data)
			}
		}
		if d.IsSigned() {
			if x := fxp.Encode(a, ring.Z(128), 3).Int(4); x.Int64() != -8 {
				t.Errorf("%v: −1 at scale 3 is %v", d, x)
			}
		}
	}
}

func TestDecodeComplex(t *testing.T) {
	v := ring.FromInts(ring.Z(64), []int64{4, -8, 2, 6})
	for _, d := range []tensor.DType{tensor.C64, tensor.C128} {
		got := fxp.Decode(v, tensor.Type{DType: d, Shape: shape{2}}, 2)
		if s := fmt.Sprint(got.Data); s != "[(1+0.5i) (-2+1.5i)]" {
			t.Errorf("%v: %s", d, s)
		}
	}
}
