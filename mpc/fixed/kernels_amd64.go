//go:build !purego

package fixed

import (
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../../ring/asm . -out ../../mpc/fixed/waves_amd64.s -stubs ../../mpc/fixed/stubs_amd64.go -pkg fixed

func special() []kernels {
	var out []kernels
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		out = append(out, kernels{"AVX2 with FMA", inBlocks(floatWaves)})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512IFMA {
		out = append(out, kernels{"AVX-512 with IFMA", inBlocks(func(w *Wave, n uint64, phases, c, s *uint64, blocks int) {
			waves52(c, s, phases, blocks, n, &w.a, uint64(w.shift))
		})})
	}
	return out
}

// inBlocks computes waves on blocks of eight phases in assembly and on the remaining phases in Go.
func inBlocks(kernel func(w *Wave, n uint64, phases, c, s *uint64, blocks int)) func(w *Wave, n uint64, phases []uint64, c, s []int64) {
	return func(w *Wave, n uint64, phases []uint64, c, s []int64) {
		c, s = c[:len(phases)], s[:len(phases)]
		if blocks := len(phases) / 8; blocks > 0 && w.shift >= 0 {
			kernel(w, n, &phases[0], first(c), first(s), blocks)
			phases, c, s = phases[8*blocks:], c[8*blocks:], s[8*blocks:]
		}
		waves(w, n, phases, c, s)
	}
}

// waveWords is what wavesFMA reads of a wave. Products of a factor a and a number x are fractions of 2^52: with 2^52 + x in place of x they
// are a too large.
type waveWords struct {
	a, aAdd, b, bAdd  float64 // factors by 2^-52, and 2^52 less them
	negA, negB, other uint64  // negB is the complement of other, all with the bits of 2^52 flipped
	add, less         uint64  // before the shift and after it: numbers are not negative between
}

func floatWaves(w *Wave, n uint64, phases, c, s *uint64, blocks int) {
	const unit, top = 1 << 52, 1 << 63
	bits := math.Float64bits(unit)
	words := waveWords{
		a: float64(w.a) / unit, aAdd: unit - float64(w.a), b: float64(w.b) / unit, bAdd: unit - float64(w.b),
		negA: w.negA ^ bits, negB: w.negB ^ bits, other: w.negB ^ all52 ^ bits,
		add: w.add - 2*bits + top, less: top >> w.shift,
	}
	wavesFMA(c, s, phases, blocks, n, (*uint64)(unsafe.Pointer(&words)), uint64(w.shift))
}

func first(x []int64) *uint64 { return (*uint64)(unsafe.Pointer(unsafe.SliceData(x))) }
