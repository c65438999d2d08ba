//go:build !purego

package ring

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg ring

// streamsVAES encrypt four blocks by an instruction.
var streamsVAES = streamKernels{
	roundKeys: func(k *roundKeys, s Seed) { expandKey((*[176]byte)(k), (*[16]byte)(&s)) },
	blocks: func(d *byte, k *roundKeys, id, next uint64, n int) {
		counterBlocks(d, (*[176]byte)(k), id, next, n)
	},
}

func special() []kernels {
	var out []kernels
	if cpu.X86.HasAVX2 {
		out = append(out, kernels{"AVX2", matMul256, nil, matMulHalf256, matMul128, streamKernels{}, elementsAVX2(), bitsAVX2})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW {
		out = append(out, kernels{"AVX-512", matMul512, matMul512Columns, matMulHalf512, matMul128, streamKernels{}, elementsAVX512(), bitsAVX512})
		if cpu.X86.HasAVX512IFMA && cpu.X86.HasAVX512VBMI {
			ifma := kernels{"AVX-512 with IFMA", matMul512, matMul512Columns, matMulHalf512, matMulIFMA, streamKernels{}, elementsIFMA(), bitsVBMI}
			if cpu.X86.HasAES && cpu.X86.HasAVX && cpu.X86.HasAVX512VAES {
				ifma.streamKernels = streamsVAES
			}
			out = append(out, ifma)
			if cpu.X86.HasAVX512VNNI && splitIsFaster() {
				ifma.name, ifma.matMul64, ifma.matMulColumns = "AVX-512 with IFMA and VNNI", matMulSplit, matMulSplitColumns
				out = append(out, ifma)
			}
		}
	}
	return out
}
