//go:build !purego

package fixed

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../../ring/asm . -out ../../mpc/fixed/waves_amd64.s -stubs ../../mpc/fixed/stubs_amd64.go -pkg fixed

func special() []kernels {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512IFMA {
		return []kernels{{"AVX-512 with IFMA", wavesIFMA}}
	}
	return nil
}

// wavesIFMA computes waves on blocks of eight phases in assembly and on the remaining phases in Go.
func wavesIFMA(w *Wave, n uint64, phases []uint64, c, s []int64) {
	c, s = c[:len(phases)], s[:len(phases)]
	if blocks := len(phases) / 8; blocks > 0 && w.shift >= 0 {
		waves52(first(c), first(s), &phases[0], blocks, n, &w.a, uint64(w.shift))
		phases, c, s = phases[8*blocks:], c[8*blocks:], s[8*blocks:]
	}
	waves(w, n, phases, c, s)
}

func first(x []int64) *uint64 { return (*uint64)(unsafe.Pointer(unsafe.SliceData(x))) }
