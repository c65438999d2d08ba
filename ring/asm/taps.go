package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tapBlocks is the number of blocks of eight words whose sums stay in registers in the AVX-512 kernel.
const tapBlocks = 4

// tapRows generates sumTaps for AVX-512 and AVX2. A block's sums stay in registers while the list of taps is read.
func tapRows() {
	k := tapKernel{name: "sumTaps512", needs: "AVX512F and AVX512DQ", at: tapBlocks}
	k.vector, k.size = func() VecVirtual { return ZMM() }, 64
	k.broadcast = broadcast
	k.zero = func(z VecVirtual) { VPXORQ(z, z, z) }
	k.add = func(x, y Mem, sum VecVirtual) {
		z := loaded(x)
		VPMULLQ(y, z, z)
		VPADDQ(z, sum, sum)
	}
	k.store = func(sum, m VecVirtual, to Mem) {
		VPADDQ(to, sum, sum)
		VPANDQ(m, sum, sum)
		VMOVDQU64(sum, to)
	}
	k.generate()

	k = tapKernel{name: "sumTaps256", needs: "AVX2", at: 1}
	k.vector, k.size = func() VecVirtual { return YMM() }, 32
	k.broadcast = broadcast256
	k.zero = func(y VecVirtual) { VPXOR(y, y, y) }
	k.add = func(x, y Mem, sum VecVirtual) {
		a, b := YMM(), YMM()
		VMOVDQU(x, a)
		VMOVDQU(y, b)
		VPADDQ(product256(a, b), sum, sum)
	}
	k.store = func(sum, m VecVirtual, to Mem) {
		VPADDQ(to, sum, sum)
		VPAND(m, sum, sum)
		VMOVDQU(sum, to)
	}
	k.generate()
}

type tapKernel struct {
	name, needs string
	at          int // blocks of which the sums are kept at once, before single blocks
	vector      func() VecVirtual
	size        int // bytes of a vector
	broadcast   func(name string) VecVirtual
	zero        func(VecVirtual)
	add         func(x, y Mem, sum VecVirtual)
	store       func(sum, m VecVirtual, to Mem)
}

func (k tapKernel) generate() {
	TEXT(k.name, NOSPLIT, "func(d *uint64, x *uint64, y *uint64, taps *int, n int, blocks int, m uint64)")
	Pragma("noescape")
	Doc(k.name+" adds to d the products of x and y, each from the words on that one of the n taps names, and masks the",
		"sums with m, in blocks of eight elements. It needs "+k.needs+".")
	d, x, y := Load(Param("d"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	taps, n, blocks := Load(Param("taps"), GP64()), Load(Param("n"), GP64()), Load(Param("blocks"), GP64())
	m := k.broadcast("m")
	at, left := GP64(), GP64()
	xo, yo := GP64(), GP64()
	step := func(blocks int, label string) {
		sums := make([]VecVirtual, 64*blocks/k.size)
		for i := range sums {
			sums[i] = k.vector()
			k.zero(sums[i])
		}
		MOVQ(taps, at)
		MOVQ(n, left)
		TESTQ(left, left)
		JZ(LabelRef(label + "sum"))
		Label(label + "tap")
		MOVQ(Mem{Base: at}, xo)
		MOVQ(Mem{Base: at, Disp: 8}, yo)
		for i, sum := range sums {
			k.add(Mem{Base: x, Index: xo, Scale: 8, Disp: i * k.size}, Mem{Base: y, Index: yo, Scale: 8, Disp: i * k.size}, sum)
		}
		ADDQ(Imm(16), at)
		DECQ(left)
		JNZ(LabelRef(label + "tap"))
		Label(label + "sum")
		for i, sum := range sums {
			k.store(sum, m, Mem{Base: d, Disp: i * k.size})
		}
		for _, r := range []Register{d, x, y} {
			ADDQ(U32(uint32(64*blocks)), r)
		}
	}
	one, end := k.name+"one", k.name+"end"
	if k.at > 1 {
		several := k.name + "several"
		Label(several)
		CMPQ(blocks, Imm(uint64(k.at)))
		JLT(LabelRef(one))
		step(k.at, several)
		SUBQ(Imm(uint64(k.at)), blocks)
		JMP(LabelRef(several))
	}
	Label(one)
	TESTQ(blocks, blocks)
	JZ(LabelRef(end))
	step(1, one)
	DECQ(blocks)
	JMP(LabelRef(one))
	Label(end)
	VZEROUPPER()
	RET()
}
