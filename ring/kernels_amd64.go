//go:build !purego

package ring

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg ring

func special() []kernels {
	var out []kernels
	if cpu.X86.HasAVX2 {
		out = append(out, kernels{"AVX2", matMul256, nil, matMulHalf256, matMul128, elementsAVX2(), portableBits})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW {
		out = append(out, kernels{"AVX-512", matMul512, matMul512Columns, matMulHalf512, matMul128, elementsAVX512(), bitsAVX512})
		if cpu.X86.HasAVX512IFMA && cpu.X86.HasAVX512VBMI {
			ifma := kernels{"AVX-512 with IFMA", matMul512, matMul512Columns, matMulHalf512, matMulIFMA, elementsIFMA(), bitsVBMI}
			out = append(out, ifma)
			if cpu.X86.HasAVX512VNNI && splitIsFaster() {
				ifma.name, ifma.matMul64, ifma.matMulColumns = "AVX-512 with IFMA and VNNI", matMulSplit, matMulSplitColumns
				out = append(out, ifma)
			}
		}
	}
	return out
}
