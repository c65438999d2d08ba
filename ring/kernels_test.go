package ring

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// guard is the number of words around an operand that a kernel must not change.
const guard = 0xdeadbeefdeadbeef

// guarded is n words of a stream between guards.
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

// matMulKernel is a product of matrices, of elements of words words; counts masks the used bits of
// its results.
type matMulKernel struct {
	name   string
	words  int
	counts uint64
	of     func(kernels) func(c, a, b []uint64, m, k, n int)
}

var matMulKernels = []matMulKernel{
	{"32", 1, 1<<32 - 1, func(x kernels) func(c, a, b []uint64, m, k, n int) { return x.matMul32 }},
	{"64", 1, 1<<64 - 1, func(x kernels) func(c, a, b []uint64, m, k, n int) { return x.matMul64 }},
	{"128", 2, 1<<64 - 1, func(x kernels) func(c, a, b []uint64, m, k, n int) { return x.matMul128 }},
}

// checkMatMul compares all kernels of a product with the portable one.
func checkMatMul(t tb, p matMulKernel, m, k, n int) {
	_, a := guarded(p.words*m*k, 1)
	_, b := guarded(p.words*k*n, 2)
	_, want := guarded(p.words*m*n, 3)
	p.of(portable)(want, a, b, m, k, n)
	for _, x := range available() {
		all, c := guarded(p.words*m*n, 3)
		p.of(x)(c, a, b, m, k, n)
		if parts := x.matMulColumns; parts != nil && p.name == "64" {
			_, d := guarded(m*n, 3)
			for lo := 0; lo < n; lo += columnGrain {
				parts(d, a, b, m, k, n, lo, min(lo+columnGrain, n))
			}
			if !slices.Equal(d, c) {
				t.Fatalf("%s: %d×%d times %d×%d differs by columns", x.name, m, k, k, n)
			}
		}
		for i := range c {
			if (c[i]^want[i])&p.counts != 0 {
				t.Fatalf("%s: %d×%d times %d×%d of %s bits, word %d is %x, want %x", x.name, m, k, k, n, p.name, i, c[i], want[i])
			}
		}
		for i := range 64 {
			if all[i] != guard || all[len(all)-1-i] != guard {
				t.Fatalf("%s: %d×%d times %d×%d of %s bits writes outside", x.name, m, k, k, n, p.name)
			}
		}
	}
}

func TestMatMulKernels(t *testing.T) {
	for _, p := range matMulKernels {
		for m := 0; m <= 14; m++ {
			for n := 0; n <= 40; n++ {
				for _, k := range []int{0, 1, 3, 6} {
					checkMatMul(t, p, m, k, n)
				}
			}
		}
		for _, s := range [][3]int{{13, 257, 33}, {12, 600, 65}, {100, 1, 100}, {7, 513, 32}, {64, 64, 64}, {1, 1000, 10}, {5, 3, 56},
			{11, 4, 63}, {9, 259, 130}, {8, 8, 16}, {9, 9, 17}, {10, 10, 31}, {11, 127, 47}, {8, 129, 48},
			{1, 31, 1057}, {2, 9, 2051}, {13, 300, 1065}, {1, 8, 1}, {3, 29, 1}, {20, 200, 1}} {
			checkMatMul(t, p, s[0], s[1], s[2])
		}
	}
}

func FuzzMatMulKernels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		size, p := rapid.IntRange(0, 80), rapid.IntRange(0, len(matMulKernels)-1).Draw(t, "kernel")
		checkMatMul(t, matMulKernels[p], size.Draw(t, "m"), rapid.IntRange(0, 600).Draw(t, "k"), size.Draw(t, "n"))
	}))
}

func BenchmarkMatMulKernels(b *testing.B) {
	for _, s := range [][3]int{{256, 256, 256}, {1024, 1024, 1024}, {64, 576, 64}, {16, 2304, 256}, {4, 512, 512}, {1, 512, 1000},
		{200, 200, 16}, {200, 200, 1}} {
		for _, x := range available() {
			for _, p := range matMulKernels {
				b.Run(fmt.Sprintf("%s/%dx%dx%d/%s", p.name, s[0], s[1], s[2], x.name), func(b *testing.B) {
					m, k, n := s[0], s[1], s[2]
					_, a := guarded(m*k*p.words, 1)
					_, y := guarded(k*n*p.words, 2)
					c := make([]uint64, m*n*p.words)
					for b.Loop() {
						p.of(x)(c, a, y, m, k, n)
					}
					b.ReportMetric(float64(m)*float64(k)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmul/s")
				})
			}
		}
	}
}
