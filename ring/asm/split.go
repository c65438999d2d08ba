package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A word is split at bit 52: x = x0 + 2^52·x1. Modulo 2^64 the product of a and b is a0·b0 + 2^52·(a0·b1 + a1·b0), of whose last
// factor only 12 bits count. AVX512IFMA multiplies a0 with b0: it reads the low 52 bits of a word, and adds the product's low or
// high 52 bits. The cross products of two columns of a with two rows of b are one instruction of AVX512VNNI: it multiplies the low 16
// and the upper 12 bits of each, in pairs, and adds two pairs to 32 bits. That makes five instructions for two vectors of eight
// products, where VPMULLQ takes three and VPADDQ one for each.
const (
	splitRows, splitVectors = 4, 2 // 24 sums, 2 of b, 2 of a
	splitStep               = 3    // words of a, or vectors of b, for two columns of a: both, and their pairs
)

// matMulSplit adds the product of rows×2·pairs words and 2·pairs×16 words to c.
func matMulSplit(rows int) {
	name := fmt.Sprintf("matMulSplitx%d", rows)
	TEXT(name, NOSPLIT, "func(c *uint64, ldc int, a *uint64, b *uint64, pairs int, mask uint16)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds the product of %d×2·pairs words a and 2·pairs×%d words b to c, with ldc words", name, rows, 8*splitVectors),
		"between rows. Both operands are packed (packLeft, packRight). Of the columns only those in mask are read and written in c.",
		"It needs AVX512F, AVX512IFMA and AVX512VNNI.")
	c, ldc := Load(Param("c"), GP64()), Load(Param("ldc"), GP64())
	a, b, pairs := Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("pairs"), GP64())
	mask := masks()
	SHLQ(Imm(3), ldc)
	row := GP64()
	MOVQ(c, row)
	for i := range rows { // c is read last
		for v := range splitVectors {
			PREFETCHT0(Mem{Base: row, Disp: 64 * v})
		}
		if i < rows-1 {
			ADDQ(ldc, row)
		}
	}
	zero := func() VecVirtual {
		z := ZMM()
		VPXORQ(z, z, z)
		return z
	}
	type sum struct{ low, high, cross VecVirtual }
	var sums [splitRows][splitVectors]sum
	for i := range rows {
		for v := range sums[i] {
			sums[i][v] = sum{zero(), zero(), zero()}
		}
	}
	loop, end := name+"loop", name+"end"
	TESTQ(pairs, pairs)
	JZ(LabelRef(end))
	Label(loop)
	for p := range splitStep {
		var y [splitVectors]VecVirtual
		for v := range y {
			y[v] = ZMM()
			VMOVDQU64(Mem{Base: b, Disp: 64 * (splitVectors*p + v)}, y[v])
		}
		for i := range rows {
			x := ZMM()
			VPBROADCASTQ(Mem{Base: a, Disp: 8 * (splitStep*i + p)}, x)
			for v, s := range sums[i] {
				if p == splitStep-1 {
					VPDPWSSD(x, y[v], s.cross)
					continue
				}
				VPMADD52LUQ(x, y[v], s.low)
				VPMADD52HUQ(x, y[v], s.high)
			}
		}
	}
	ADDQ(Imm(uint64(8*splitStep*rows)), a)
	ADDQ(I32(64*splitStep*splitVectors), b)
	DECQ(pairs)
	JNZ(LabelRef(loop))
	Label(end)
	for i := range rows {
		for v, s := range sums[i] {
			odd := ZMM()
			VPSRLQ(Imm(32), s.cross, odd)
			VPADDQ(odd, s.cross, s.cross)
			VPADDQ(s.high, s.cross, s.cross)
			VPSLLQ(Imm(52), s.cross, s.cross)
			VPADDQ(s.low, s.cross, s.cross)
			to, old := Mem{Base: c, Disp: 64 * v}, ZMM()
			VMOVDQU64_Z(to, mask[v], old)
			VPADDQ(old, s.cross, s.cross)
			VMOVDQU64(s.cross, mask[v], to)
		}
		if i < rows-1 {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}

// packRight packs b for matMulSplit. The numbers of a cross product are 16 bits each: a word's upper 12 bits and its low 16; in a,
// which Go packs, they are in the other order.
func packRight() {
	const name = "packRight"
	TEXT(name, NOSPLIT, "func(d *uint64, b *uint64, ldb int, pairs int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s packs 2·pairs×%d words b, ldb words between rows, for matMulSplit: each two rows, and the numbers of which", name, 8*splitVectors),
		"their cross products are made. It asks for the next columns. It needs AVX512F and AVX512BW.")
	d, b := Load(Param("d"), GP64()), Load(Param("b"), GP64())
	ldb, pairs := Load(Param("ldb"), GP64()), Load(Param("pairs"), GP64())
	SHLQ(Imm(3), ldb)
	low := ZMM() // the low 16 bits of words
	VPTERNLOGD(Imm(0xff), low, low, low)
	VPSRLQ(Imm(48), low, low)
	loop, end := name+"loop", name+"end"
	TESTQ(pairs, pairs)
	JZ(LabelRef(end))
	Label(loop)
	var rows [2][splitVectors]VecVirtual
	for p := range rows {
		for v := range rows[p] {
			from := Mem{Base: b, Disp: 64 * v}
			if p == 1 {
				from.Index, from.Scale = ldb, 1
			}
			rows[p][v] = ZMM()
			VMOVDQU64(from, rows[p][v])
			VMOVDQU64(rows[p][v], Mem{Base: d, Disp: 64 * (splitVectors*p + v)})
			from.Disp += 64 * splitVectors
			PREFETCHT1(from)
		}
	}
	for v := range splitVectors {
		var halves [2]VecVirtual
		for p := range halves {
			top := ZMM()
			halves[p] = ZMM()
			VPSRLQ(Imm(52), rows[p][v], top)
			VPANDQ(low, rows[p][v], halves[p])
			VPSLLQ(Imm(16), halves[p], halves[p])
			VPORQ(top, halves[p], halves[p])
		}
		VPSLLQ(Imm(32), halves[1], halves[1])
		VPORQ(halves[1], halves[0], halves[0])
		VMOVDQU64(halves[0], Mem{Base: d, Disp: 64 * (2*splitVectors + v)})
	}
	LEAQ(Mem{Base: b, Index: ldb, Scale: 2}, b)
	ADDQ(I32(64*splitStep*splitVectors), d)
	DECQ(pairs)
	JNZ(LabelRef(loop))
	Label(end)
	VZEROUPPER()
	RET()
}

// split are the kernels for products of words split at bit 52.
func split() {
	packRight()
	for rows := 1; rows <= splitRows; rows++ {
		matMulSplit(rows)
	}
	vendor()
}

// vendor reads the processor's vendor.
func vendor() {
	TEXT("vendor", NOSPLIT, "func() (b uint32, d uint32, c uint32)")
	Doc("vendor returns the processor's vendor: twelve characters.")
	XORL(EAX, EAX)
	XORL(ECX, ECX)
	CPUID()
	Store(EBX, ReturnIndex(0))
	Store(EDX, ReturnIndex(1))
	Store(ECX, ReturnIndex(2))
	RET()
}
