//go:build !purego

package eval

import "golang.org/x/sys/cpu"

//go:generate go run -C ../ring/asm . -out ../../eval/kernels_amd64.s -stubs ../../eval/stubs_amd64.go -pkg eval

func init() {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ:
		tile = tileOf(products512)
	case cpu.X86.HasAVX2:
		tile = tileOf(products256)
	}
}

// tileOf returns tile by a kernel.
func tileOf(products func(out *float64, ldout int, x *float64, ldx int, y *float64, k int)) tileKernel {
	return func(out []float64, ldout int, x []float64, ldx int, y []float64) {
		if k := len(y) / tileColumns; k > 0 {
			_, _ = out[(tileRows-1)*ldout+tileColumns-1], x[(tileRows-1)*ldx+k-1]
			products(&out[0], ldout, &x[0], ldx, &y[0], k)
		}
	}
}
