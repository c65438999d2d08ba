package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// matVec512 adds the products of the first words of m rows of a, lda words apart, with words of b to c, eight at a time.
func matVec512() {
	TEXT("matVec512", NOSPLIT, "func(c *uint64, a *uint64, lda int, b *uint64, m int, blocks int)")
	Pragma("noescape")
	Doc("matVec512 adds to each of m words c the sum of 8·blocks words of a row of a, times the words b.",
		"Rows are lda words apart. m and blocks are at least 1. It needs AVX512F and AVX512DQ.")
	c, a, b := Load(Param("c"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	lda, m, blocks := Load(Param("lda"), GP64()), Load(Param("m"), GP64()), Load(Param("blocks"), GP64())
	SHLQ(Imm(3), lda)
	SHLQ(Imm(6), blocks) // bytes
	at, sum, x, word := GP64(), ZMM(), ZMM(), GP64()
	Label("row")
	VPXORQ(sum, sum, sum)
	XORQ(at, at)
	Label("block")
	VMOVDQU64(Mem{Base: a, Index: at, Scale: 1}, x)
	VPMULLQ(Mem{Base: b, Index: at, Scale: 1}, x, x)
	VPADDQ(x, sum, sum)
	ADDQ(Imm(64), at)
	CMPQ(at, blocks)
	JL(LabelRef("block"))
	half, quarter, last := YMM(), XMM(), XMM()
	VEXTRACTI64X4(Imm(1), sum, half)
	VPADDQ(half, sum.AsY(), half)
	VEXTRACTI128(Imm(1), half, quarter)
	VPADDQ(quarter, half.AsX(), quarter)
	VPSRLDQ(Imm(8), quarter, last)
	VPADDQ(last, quarter, quarter)
	VMOVQ(quarter, word)
	ADDQ(word, Mem{Base: c})
	ADDQ(Imm(8), c)
	ADDQ(lda, a)
	DECQ(m)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
