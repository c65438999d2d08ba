package fixed

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWave compares with exact cosines.
func TestWave(t *testing.T) {
	turn := new(big.Float).SetMantExp(pi(), 1-64)
	rng := rand.New(rand.NewPCG(9, 10))
	for _, phase := range phases(300) {
		x := mul(turn, new(big.Float).SetPrec(precision).SetInt64(int64(phase)))
		cos, sin := exponential(x, 0, 2), exponential(x, 1, 2)
		for _, shift := range []int{-3, 0, 1, 2, 20, 40} {
			a, b := int64(rng.Uint64())>>13>>rng.IntN(50), int64(rng.Uint64())>>13>>rng.IntN(50)
			w := NewWave(a, b, shift)
			c, s := make([]int64, 1), make([]int64, 1)
			w.At(1, []uint64{phase}, c, s)
			for _, v := range []struct {
				got        int64
				a, b, x, y *big.Float
			}{{c[0], integerFloat(a), integerFloat(b), cos, sin}, {s[0], integerFloat(a), integerFloat(-b), sin, cos}} {
				want := new(big.Float).SetPrec(precision).Add(mul(v.a, v.x), mul(v.b, v.y))
				want.SetMantExp(want, -shift-1)
				diff, _ := want.Sub(want, integerFloat(v.got)).Float64()
				bound := 0.5 + 4/float64(int64(1)<<max(shift, 0))
				if shift < 0 {
					bound = 4 * float64(int64(1)<<-shift)
				}
				if diff = max(diff, -diff); diff > bound {
					t.Fatalf("wave of %d and %d, shift %d, at %#x: %d is off by %v", a, b, shift, phase, v.got, diff)
				}
			}
		}
	}
}

func integerFloat(x int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(x) }

func TestWavePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a factor of 52 bits")
		}
	}()
	NewWave(1, -1<<51, 3)
}

// checkWaves compares all kernels with the portable one; guards surround the results.
func checkWaves(t interface {
	Fatalf(string, ...any)
}, w Wave, n uint64, phases []uint64) {
	const band, guard = 16, 0x5eed
	run := func(k kernels) (c, s []int64) {
		c, s = make([]int64, len(phases)+2*band), make([]int64, len(phases)+2*band)
		for i := range c {
			c[i], s[i] = guard, guard
		}
		k.waves(&w, n, phases, c[band:band+len(phases)], s[band:band+len(phases)])
		return c, s
	}
	wantC, wantS := run(portable)
	for _, k := range available() {
		if c, s := run(k); !slices.Equal(c, wantC) || !slices.Equal(s, wantS) {
			t.Fatalf("%s: wave %+v at %d times %x is\n%x\n%x, want\n%x\n%x", k.name, w, n, phases, c, s, wantC, wantS)
		}
	}
}

func TestWaveKernels(t *testing.T) {
	all := phases(3000)
	rng := rand.New(rand.NewPCG(11, 12))
	for _, shift := range []int{-2, 0, 1, 13, 40, 50} {
		for _, f := range [][2]int64{{1 << 50, 0}, {0, -1 << 50}, {1<<51 - 1, 1<<51 - 1}, {-1<<51 + 1, 1}, {-5, -7}, {0, 0}} {
			checkWaves(t, NewWave(f[0], f[1], shift), 1+rng.Uint64()%200, all)
		}
	}
	for n := range 40 {
		checkWaves(t, NewWave(123456789, -987654321, 7), 3, all[:n])
	}
}

func FuzzWaveKernels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		factor := rapid.Int64Range(-1<<51+1, 1<<51-1)
		checkWaves(t, NewWave(factor.Draw(t, "a"), factor.Draw(t, "b"), rapid.IntRange(-5, 60).Draw(t, "shift")),
			rapid.Uint64().Draw(t, "n"), rapid.SliceOfN(rapid.Uint64(), 0, 40).Draw(t, "phases"))
	}))
}

func BenchmarkWaves(b *testing.B) {
	const n = 1024
	all := phases(n)[:n]
	c, s := make([]int64, n), make([]int64, n)
	w := NewWave(123456789, -987654321, 7)
	for _, k := range available() {
		b.Run(fmt.Sprint(k.name), func(b *testing.B) {
			for b.Loop() {
				k.waves(&w, 3, all, c, s)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/n, "ns/elem")
		})
	}
}
