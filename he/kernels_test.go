package he

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// closed replaces numbers that forwardSigned, forwardWhole and forwardLifted make by those below q.
func closed(m *modulus, v []uint64) []uint64 {
	for i := range v {
		if m.light {
			v[i] = v[i] & (1<<52 - 1) % m.q
		}
	}
	return v
}

// TestKernels compares kernels with the portable one, for primes of several sizes, transforms of 2^8 to 2^14 numbers with the
// largest ones among them, and lengths that are no multiple of a vector.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{1}))
	uniform := func(n int, below uint64) []uint64 {
		out := make([]uint64, n)
		for i := range out {
			if out[i] = r.Uint64N(below); r.IntN(5) == 0 {
				out[i] = []uint64{0, 1, below / 2, below/2 + 1, below - 1}[r.IntN(5)]
			}
		}
		return out
	}
	signed := func(n int, most int64) []uint64 {
		out := make([]uint64, n)
		for i := range out {
			if out[i] = uint64(r.Int64N(2*most+1) - most); r.IntN(5) == 0 {
				out[i] = uint64([]int64{-most, most, 0}[r.IntN(3)])
			}
		}
		return out
	}
	wide := signed(1<<14, 1<<61)
	lows, highs := make([]uint64, 1<<14), make([]int32, 1<<14)
	for log := 8; log <= 14; log++ {
		for _, size := range []int{22, 30, 48, 50, 51, 60} {
			n := 1 << log
			m := newModulus(primes(size, n, 1, nil)[0], n)
			other := primes(60, n, 2, nil)[1]
			same := func(what string, of func(k kernels) any) {
				want := fmt.Sprint(of(portable))
				for _, k := range available() {
					if fmt.Sprint(of(k)) != want {
						t.Fatalf("%s of %d numbers modulo a prime of %d bits differs in %s", what, n, size, k.name)
					}
				}
			}
			a := uniform(n, m.q)
			same("forward", func(k kernels) any { b := slices.Clone(a); k.forward(m, b); return b })
			same("backward", func(k kernels) any { b := slices.Clone(a); k.backward(m, b); return b })
			for i := range n { // all corners
				highs[i] = []int32{0, 1, -1, 1 << 28, -1 << 28, r.Int32N(1<<29) - 1<<28}[r.IntN(6)]
				lows[i] = uint64(int64(highs[i])<<highShift + []int64{0, 1, -1, 1<<61 - 1, 1 - 1<<61, r.Int64N(1<<62) - 1<<61}[r.IntN(6)])
				if i < 64 { // all numbers alike: sums are as large as they may be
					highs[i], lows[i] = 1<<28, 1<<61-1+1<<(28+highShift)&(1<<64-1)
				}
			}
			same("forward of two words", func(k kernels) any {
				b := make([]uint64, n)
				k.forwardWhole(m, b, lows[:n], highs[:n])
				return closed(m, b)
			})
			words := uniform(n, 1<<64-1)
			copy(words, []uint64{0, 1<<64 - 1, 1, 1 << 63, 1<<63 - 1, 1 << 52, 1<<64 - 1<<52, 99})
			same("forward of words", func(k kernels) any { b := make([]uint64, n); k.forwardSigned(m, b, words); return closed(m, b) })
			for _, q := range []uint64{m.q, other, primes(size, n, 2, nil)[1]} {
				v := uniform(n, q)
				same("forward of lifted numbers", func(k kernels) any { b := make([]uint64, n); k.forwardLifted(m, b, v, q); return closed(m, b) })
			}
			if size == lightBits { // of a smaller prime, and of a larger one
				small := newModulus(primes(size, n, 2, nil)[1], n)
				v := uniform(n, m.q)
				same("forward of lifted numbers", func(k kernels) any {
					b := make([]uint64, n)
					k.forwardLifted(small, b, v, m.q)
					return closed(small, b)
				})
			}
			for _, turn := range []int{1, 5, n - 1, 2*n - 1} {
				same("turned", func(k kernels) any { v := make([]uint64, n); k.turned(v, a, turn, m.q); return v })
				same("turned modulo 2^64", func(k kernels) any { v := make([]uint64, n); k.turned(v, wide[:n], turn, 0); return v })
				same("turned halves", func(k kernels) any { v := make([]int32, n); k.turnedHalves(v, halves(wide)[:n], turn); return v })
			}
			places := make([]uint32, n)
			for i := range places {
				places[i] = uint32(r.IntN(n))
			}
			same("picked", func(k kernels) any { v := make([]uint64, n); k.picked(v, a, places); return v })
			if log > 8 {
				continue
			}
			for _, count := range []int{1, 3, dotted} {
				var list []factors
				most := m.q
				if m.light {
					most = 1 << 52
				}
				for range count {
					list = append(list, factors{uniform(n, m.q), uniform(n, m.q), uniform(n, most)})
				}
				for i := range list { // the largest sum
					list[i].x0[1], list[i].x1[1], list[i].y[1] = m.q-1, m.q-1, most-1
				}
				for i := range 4 {
					same("dot", func(k kernels) any {
						b, c := slices.Clone(a), slices.Clone(list[0].x1)
						k.dot(m, b, c, list, i%2 == 1, i/2 == 1)
						return [2]any{b, c}
					})
					same("dot with one sum", func(k kernels) any { b := slices.Clone(a); k.dot(m, b, nil, list, i%2 == 1, false); return b })
				}
			}
			for _, l := range []int{1, 7, 8, 40, 61} {
				x, y, z, long := uniform(l, m.q), uniform(l, m.q), uniform(l, m.q), uniform(l, other)
				same("mulAdd", func(k kernels) any { b := slices.Clone(z); k.mulAdd(m, b, x, y); return b })
				same("add", func(k kernels) any { b := slices.Clone(z); k.add(m, b, x); return b })
				same("scale", func(k kernels) any { b := slices.Clone(x); k.scale(m, b, m.twiddle(m.q-2)); return b })
				same("scale of the largest", func(k kernels) any {
					b := slices.Repeat([]uint64{m.q - 1}, l)
					k.scale(m, b, m.twiddle(m.q-1))
					return b
				})
				same("lift", func(k kernels) any { b := make([]uint64, l); k.lift(m, b, long, other); return b })
				same("divide", func(k kernels) any { b := make([]uint64, l); k.divide(m, b, x, long, other); return b })
				for _, of := range []int{22, 48, 50, 52} { // primes of which some are floating-point numbers in some kernels
					by := primes(of, n, 2, nil)[1]
					v := uniform(l, by)
					same(fmt.Sprint("lift from ", of), func(k kernels) any { b := make([]uint64, l); k.lift(m, b, v, by); return b })
					same(fmt.Sprint("divide from ", of), func(k kernels) any { b := make([]uint64, l); k.divide(m, b, x, v, by); return b })
				}
				u, v := signed(l, 1<<60), signed(l, 1<<60)
				for _, wraps := range []bool{false, true} {
					same("plus", func(k kernels) any { b := slices.Clone(u); k.plus(b, v, wraps); return b })
					same("plus of halves", func(k kernels) any { b := slices.Clone(halves(u)); k.plusHalves(b, halves(v), wraps); return b })
					same("butterfly of halves", func(k kernels) any {
						b, c := slices.Clone(halves(u)), make([]int32, 2*l)
						k.butterflyHalves(b, halves(v), c, wraps)
						return [2]any{b, c}
					})
					same("butterfly", func(k kernels) any {
						b, c := slices.Clone(u), make([]uint64, l)
						k.butterfly(b, v, c, wraps)
						return [2]any{b, c}
					})
				}
			}
		}
	}
}
