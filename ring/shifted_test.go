package ring

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestShifted compares sums and products with shifted vectors of narrower rings with integers.
func TestShifted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := func(most int, label string) int {
			return min(most, rapid.SampledFrom([]int{1, 7, 18, 63, 64, 65, 82, 127, 128, 129, 200}).Draw(t, label))
		}
		r := Z(width(200, "width"))
		narrow := Z(width(r.Bits, "narrow"))
		by := rapid.IntRange(0, r.Bits-1).Draw(t, "by")
		n := rapid.IntRange(0, 9).Draw(t, "n")
		prg := NewPRG(Seed{byte(rapid.IntRange(0, 255).Draw(t, "seed"))})
		d, c, a := New(r, n), New(r, n), New(narrow, n)
		for i, v := range []Vec{d, c, a} {
			prg.Vec(v, uint64(i), 0)
		}
		plus, minus, product := d.Clone(), d.Clone(), d.Clone()
		AddShifted(plus, a, by, false)
		AddShifted(minus, a, by, true)
		MulAddShifted(product, c, a, by)
		mod := new(big.Int).Lsh(big.NewInt(1), uint(r.Bits))
		unsigned := func(v Vec, i int) *big.Int {
			x := v.Int(i)
			return x.Mod(x, new(big.Int).Lsh(big.NewInt(1), uint(v.Ring().Bits)))
		}
		for i := range n {
			x := new(big.Int).Lsh(unsigned(a, i), uint(by))
			for _, w := range []struct {
				name string
				got  Vec
				by   *big.Int
			}{{"plus", plus, big.NewInt(1)}, {"minus", minus, big.NewInt(-1)}, {"product", product, unsigned(c, i)}} {
				want := new(big.Int).Mul(x, w.by)
				want.Mod(want.Add(want, unsigned(d, i)), mod)
				if unsigned(w.got, i).Cmp(want) != 0 {
					t.Fatalf("%s: %v in %v by 2^%d into %v: %v, want %v", w.name, unsigned(a, i), narrow, by, r, unsigned(w.got, i), want)
				}
			}
		}
	})
}
