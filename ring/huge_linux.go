package ring

import (
	"syscall"
	"unsafe"
)

const (
	hugePage     = 2 << 20
	madvHugePage = 14 // MADV_HUGEPAGE of madvise(2)
)

// hugeMin is the size in words from which new buffers ask for huge pages: the kernel then clears and maps 2 MiB
// at a time when they are first written.
const hugeMin = 4 << 20 / 8

// adviseHuge asks the kernel for huge pages where w covers whole ones, if w is long. It is a hint: errors are ignored.
func adviseHuge(w []uint64) {
	if len(w) < hugeMin {
		return
	}
	skip := int(-uintptr(unsafe.Pointer(&w[0]))&(hugePage-1)) / 8
	if n := (len(w) - skip) / (hugePage / 8) * (hugePage / 8); n > 0 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&w[skip])), n*8), madvHugePage)
	}
}
