//go:build !purego

package ring

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg ring

// streamsVAES encrypt four blocks by an instruction, streamsVAES256 two.
var streamsVAES, streamsVAES256 = streamsOf(counterBlocks), streamsOf(counterBlocks256)

func streamsOf(blocks func(d *byte, keys *[176]byte, id, next uint64, blocks int)) streamKernels {
	return streamKernels{
		roundKeys: func(k *roundKeys, s Seed) { expandKey((*[176]byte)(k), (*[16]byte)(&s)) },
		blocks: func(d *byte, k *roundKeys, id, next uint64, n int) {
			blocks(d, (*[176]byte)(k), id, next, n)
		},
	}
}

// hasVAES reports whether a processor with AVX2 encrypts several blocks by an instruction.
func hasVAES() bool { return cpu.X86.HasAVX2 && cpu.X86.HasAES && features()>>9&1 == 1 }

func special() []kernels {
	var out []kernels
	if cpu.X86.HasAVX2 {
		avx2 := kernels{"AVX2", matMul256, matMul256Columns, matMulHalf256, matMul128, halves256, streamKernels{}, elementsAVX2(), bitsAVX2}
		if hasVAES() {
			avx2.streamKernels = streamsVAES256
		}
		out = append(out, avx2)
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW {
		avx512 := kernels{"AVX-512", matMul512, matMul512Columns, matMulHalf512, matMul128, halves512, streamKernels{}, elementsAVX512(), bitsAVX512}
		out = append(out, avx512)
		if cpu.X86.HasAVX512IFMA && cpu.X86.HasAVX512VBMI {
			ifma := kernels{"AVX-512 with IFMA", matMul512, matMul512Columns, matMulHalf512, matMulIFMA, halves512, streamKernels{}, elementsIFMA(), bitsVBMI}
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
