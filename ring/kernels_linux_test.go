package ring

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// fenced is n words at the end of mapped memory: reading past them is a fault.
func fenced(t *testing.T, n int, id uint64) []uint64 {
	page := os.Getpagesize()
	size := (8*n + page - 1) / page * page
	mem, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip("no memory to fence:", err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	if err := syscall.Mprotect(mem[size:], syscall.PROT_NONE); err != nil {
		t.Skip("no fence:", err)
	}
	if n == 0 {
		return nil
	}
	w := unsafe.Slice((*uint64)(unsafe.Pointer(&mem[size-8*n])), n)
	NewPRG(Seed{9}).Vec(FromWords(Z(64), w), id, 0)
	return w
}

// Kernels of matrix products read nothing beyond their operands.
func TestMatMulKernelsFenced(t *testing.T) {
	for _, s := range [][3]int{{1, 3, 1}, {5, 3, 7}, {6, 9, 31}, {13, 5, 9}, {14, 300, 45}, {3, 2, 33}, {7, 4, 57}, {10, 260, 64},
		{4, 3, 79}, {5, 27, 1}, {2, 16, 1}, {1, 9, 1037}, {2, 4, 1032}} {
		m, k, n := s[0], s[1], s[2]
		a, b, c := fenced(t, m*k, 1), fenced(t, k*n, 2), fenced(t, m*n, 3)
		for _, x := range available() {
			x.matMul64(c, a, b, m, k, n)
			x.matMul32(c, a, b, m, k, n)
		}
		a, b, c = fenced(t, 2*m*k, 1), fenced(t, 2*k*n, 2), fenced(t, 2*m*n, 3)
		for _, x := range available() {
			x.matMul128(c, a, b, m, k, n)
		}
	}
}

// Elementwise kernels read nothing beyond their operands.
func TestElementKernelsFenced(t *testing.T) {
	for _, bits := range []int{64, 104, 128} {
		for _, n := range []int{1, 7, 8, 9, 24, 31} {
			for _, by := range []int{0, 5, 64} {
				for _, x := range elementCases(bits, by, [2]uint64{3, 5}, [2]uint64{7, 9}) {
					d, a, b := fenced(t, n*x.words[0], 1), fenced(t, n*x.words[1], 2), fenced(t, n*x.words[2], 3)
					for _, k := range available() {
						x.run(k, d, a, b)
					}
				}
			}
		}
	}
}

// Kernels between words and bits read nothing beyond their operands.
func TestBitKernelsFenced(t *testing.T) {
	for _, n := range []int{1, 64, 65, 192} {
		for d := 1; d <= 8; d++ {
			for _, x := range bitCases(7, d, 1) {
				var w [5][]uint64
				for i, size := range x.words(n) {
					w[i] = fenced(t, size, uint64(i))
				}
				for _, k := range available() {
					x.run(k, n, w)
				}
			}
		}
	}
	for _, bits := range []int{1, 18, 27, 62, 82, 104, 124} {
		for _, n := range []int{64, 65, 96} {
			w := fenced(t, (n*bits+63)/64+1, 1)
			data := asBytes(w)
			for at := range 9 { // the last bytes are before the fence
				size := (at + n*bits + 7) / 8
				if size > len(data) {
					continue
				}
				checkUnpack(t, bits, at, n, data[len(data)-size:])
			}
		}
	}
}
