//go:build !purego

package he

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFloatsGrow does single passes of a transform on the largest numbers that they may meet, and checks that results are right and within
// the bound of mostFloats's comment: random transforms come nowhere near it.
func TestFloatsGrow(t *testing.T) {
	if !slices.ContainsFunc(available(), func(k kernels) bool { return k.name == withFMA.name }) {
		t.Skip("no AVX2 or no FMA")
	}
	const n = 1 << 10
	r := rand.New(rand.NewChaCha8([32]byte{3}))
	for _, size := range []int{leastFloatBits, 30, floatBits} {
		m := newModulus(primes(size, n, 1, nil)[0], n)
		if !m.floats() {
			t.Fatalf("kernels do not take a prime of %d bits", size)
		}
		// numbers returns floating-point numbers up to most·q in magnitude, and them modulo q
		numbers := func(most float64) (floats []float64, residues []uint64) {
			top := int64(most * float64(m.q))
			for i := range n {
				x := []int64{top, -top, top - r.Int64N(1000), -top + r.Int64N(1000), r.Int64N(2*top+1) - top}[r.IntN(5)]
				if i < n/2 { // neighbours of one level add up to the largest sum
					x = top
				}
				floats = append(floats, float64(x))
				residues = append(residues, uint64((x%int64(m.q)+int64(m.q))%int64(m.q)))
			}
			return floats, residues
		}
		words := func(f []float64) (out []uint64) {
			for _, x := range f {
				out = append(out, math.Float64bits(x))
			}
			return out
		}
		times := func(x, w uint64) uint64 { y, _ := m.plainMul(x, w); return y }
		// level does one level in groups of 2t numbers modulo q
		level := func(a []uint64, t int, forward bool) {
			for i := range n / (2 * t) {
				for j := range t {
					u, v := &a[2*i*t+j], &a[2*i*t+t+j]
					if forward {
						x := times(*v, m.fwd.w[n/(2*t)+i])
						*u, *v = m.add(*u, x), m.sub(*u, x)
					} else {
						*u, *v = m.add(*u, *v), times(m.sub(*u, *v), m.inv.w[n/(2*t)+i])
					}
				}
			}
		}
		// grown is the bound of numbers after so many levels, of 13
		grown := func(levels int) float64 { return (2.01+16./3)*math.Pow(35./32, float64(levels)) - 16./3 }
		check := func(what string, got, want []uint64, below float64) {
			t.Helper()
			for i := range want {
				x, q := math.Float64frombits(got[i]), float64(m.q)
				if math.Abs(x) > below*q || x != math.Trunc(x) {
					t.Fatalf("%d bits, %s: %.0f is %.3f times the prime, want at most %.3f", size, what, x, x/q, below)
				}
				if y := int64(x) % int64(m.q); uint64(y+int64(m.q))%m.q != want[i] {
					t.Fatalf("%d bits, %s: number %d is %.0f, want %d modulo %d", size, what, i, x, want[i], m.q)
				}
			}
		}

		for _, at := range []int{n / 4, 4} { // the first pass of all levels has the least groups
			floats, want := numbers(grown(9))
			got := words(floats)
			forwardTwoFMA(&got[0], n/(4*at), at, &m.fwd.w[0], m.q)
			level(want, 2*at, true)
			level(want, at, true)
			check("two levels forward", got, want, grown(11))

			floats, want = numbers(1.6)
			got = words(floats)
			backwardTwoFMA(&got[0], n/(4*at), at, &m.inv.w[0], m.q)
			level(want, at, false)
			level(want, 2*at, false)
			check("two levels backward", got, want, 1.6)
		}
		floats, want := numbers(grown(11))
		got := words(floats)
		forwardBlocksFMA(&got[0], n/16, &m.fwd.w[0], m.q)
		level(want, 2, true)
		level(want, 1, true)
		if !slices.Equal(got, want) {
			t.Fatalf("%d bits: last levels forward differ", size)
		}

		floats, want = numbers(1.6)
		got = words(floats)
		backwardOneFMA(&got[0], n/2, m.inv.w[1], m.q)
		scaleLastFMA(&got[0], n/8, m.last.w, m.q)
		level(want, n/2, false)
		for i := range want {
			want[i] = times(want[i], m.last.w)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d bits: last level backward differs", size)
		}

		got = slices.Repeat([]uint64{m.q - 1}, n)
		want = slices.Clone(got)
		backwardBlocksFMA(&got[0], n/16, &m.inv.w[0], m.q)
		level(want, 1, false)
		level(want, 2, false)
		check("first levels backward", got, want, 1.6)
	}
}
