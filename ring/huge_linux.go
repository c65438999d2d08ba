package ring

import (
	"syscall"
	"unsafe"
)

const (
	hugePage       = 2 << 20
	madvHugePage   = 14 // MADV_HUGEPAGE of madvise(2)
	wordsPerHuge   = hugePage / 8
	hugePageOffset = hugePage - 1
)

// adviseHuge asks the kernel for huge pages where w covers whole ones. It is a hint: errors are ignored.
func adviseHuge(w []uint64) {
	skip := int(-uintptr(unsafe.Pointer(&w[0]))&hugePageOffset) / 8
	if n := (len(w) - skip) / wordsPerHuge * wordsPerHuge; n > 0 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&w[skip])), n*8), madvHugePage)
	}
}
