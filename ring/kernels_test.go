package ring

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// guard surrounds what a kernel may write, and read.
const guard = 0xdeadbeefdeadbeef

// guarded is n words of a stream in the middle of guards.
func guarded(n int, id uint64) (all, part []uint64) {
	const band = 64
	all = make([]uint64, n+2*band)
	part = all[band : band+n : band+n]
	NewPRG(Seed{7}).Vec(FromWords(Z(64), part), id, 0)
	for i := range band {
		all[i], all[len(all)-1-i] = guard, guard
	}
	return all, part
}

// checkMatMul compares all kernels for elements of w words with the portable one.
func checkMatMul(t tb, w, m, k, n int) {
	kernel := func(x kernels) func(c, a, b []uint64, m, k, n int) {
		if w == 2 {
			return x.matMul128
		}
		return x.matMul64
	}
	_, a := guarded(w*m*k, 1)
	_, b := guarded(w*k*n, 2)
	_, want := guarded(w*m*n, 3)
	kernel(portable)(want, a, b, m, k, n)
	for _, x := range available() {
		all, c := guarded(w*m*n, 3)
		kernel(x)(c, a, b, m, k, n)
		for i := range c {
			if c[i] != want[i] {
				t.Fatalf("%s: %d×%d times %d×%d of %d words, word %d is %x, want %x", x.name, m, k, k, n, w, i, c[i], want[i])
			}
		}
		for i := range 64 {
			if all[i] != guard || all[len(all)-1-i] != guard {
				t.Fatalf("%s: %d×%d times %d×%d of %d words writes outside", x.name, m, k, k, n, w)
			}
		}
	}
}

func TestMatMulKernels(t *testing.T) {
	for m := 0; m <= 14; m++ {
		for n := 0; n <= 40; n++ {
			for _, k := range []int{0, 1, 3, 6} {
				checkMatMul(t, 1, m, k, n)
				checkMatMul(t, 2, m, k, n)
			}
		}
	}
	for _, s := range [][3]int{{13, 257, 33}, {12, 600, 65}, {100, 1, 100}, {7, 513, 32}, {64, 64, 64}, {1, 1000, 10}} {
		checkMatMul(t, 1, s[0], s[1], s[2])
		checkMatMul(t, 2, s[0], s[1], s[2])
	}
}

func FuzzMatMulKernels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		size := rapid.IntRange(0, 80)
		checkMatMul(t, rapid.IntRange(1, 2).Draw(t, "words"), size.Draw(t, "m"), rapid.IntRange(0, 600).Draw(t, "k"), size.Draw(t, "n"))
	}))
}

func BenchmarkMatMulKernels(b *testing.B) {
	for _, s := range [][3]int{{256, 256, 256}, {1024, 1024, 1024}, {64, 576, 64}, {16, 2304, 256}, {1, 512, 1000}, {200, 200, 16}} {
		for _, x := range available() {
			for w, kernel := range []func(c, a, b []uint64, m, k, n int){x.matMul64, x.matMul128} {
				b.Run(fmt.Sprintf("%d/%dx%dx%d/%s", 64*(w+1), s[0], s[1], s[2], x.name), func(b *testing.B) {
					m, k, n := s[0], s[1], s[2]
					_, a := guarded(m*k*(w+1), 1)
					_, y := guarded(k*n*(w+1), 2)
					c := make([]uint64, m*n*(w+1))
					for b.Loop() {
						kernel(c, a, y, m, k, n)
					}
					b.ReportMetric(float64(m)*float64(k)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmul/s")
				})
			}
		}
	}
}
