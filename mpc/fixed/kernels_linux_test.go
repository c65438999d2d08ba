package fixed

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// fenced is n words at the end of mapped memory: reading past them is a fault.
func fenced(t *testing.T, n int) []uint64 {
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
	return unsafe.Slice((*uint64)(unsafe.Pointer(&mem[size-8*n])), n)
}

// Kernels read and write nothing beyond their operands.
func TestWaveKernelsFenced(t *testing.T) {
	w := NewWave(123456789, -987654321, 7)
	for _, n := range []int{1, 7, 8, 9, 24, 31} {
		phases, c, s := fenced(t, n), fenced(t, n), fenced(t, n)
		for _, k := range available() {
			k.waves(&w, 3, phases, signed(c), signed(s))
		}
	}
}

func signed(w []uint64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(w))), len(w))
}
