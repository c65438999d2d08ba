package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const floatRows, floatVectors, floatColumns = 4, 2, 16 // 8 sums: as many additions as the processor has in flight

// floatProducts are the kernels of package eval.
func floatProducts() {
	products("products512", "AVX512F and AVX512DQ", ZMM, func(z VecVirtual) { VPXORQ(z, z, z) })
	products("products256", "AVX2", YMM, func(y VecVirtual) { VPXOR(y, y, y) })
}

// products computes as many columns at a time as floatVectors vectors have. Products are rounded before they are added, as in Go.
func products(name, needs string, vector func() VecVirtual, zero func(VecVirtual)) {
	TEXT(name, NOSPLIT, "func(out *float64, ldout int, x *float64, ldx int, y *float64, k int)")
	Pragma("noescape")
	Doc(name+" sets 4×16 numbers of out, ldout numbers between rows, to the products of 4×k numbers x, ldx numbers between rows, and",
		"k×16 numbers y. It needs "+needs+".")
	out, ldout := Load(Param("out"), GP64()), Load(Param("ldout"), GP64())
	x, ldx := Load(Param("x"), GP64()), Load(Param("ldx"), GP64())
	y, k := Load(Param("y"), GP64()), Load(Param("k"), GP64())
	SHLQ(Imm(3), ldout)
	SHLQ(Imm(3), ldx)
	third := func(ld Register) Register {
		r := GP64()
		LEAQ(Mem{Base: ld, Index: ld, Scale: 2}, r)
		return r
	}
	rows := func(base, ld, third Register) [floatRows]Mem {
		return [...]Mem{{Base: base}, {Base: base, Index: ld, Scale: 1}, {Base: base, Index: ld, Scale: 2}, {Base: base, Index: third, Scale: 1}}
	}
	from, to := rows(x, ldx, third(ldx)), rows(out, ldout, third(ldout))

	width := int(vector().Size())
	for pass := range floatColumns * 8 / (floatVectors * width) {
		shift := pass * floatVectors * width
		var sums [floatRows][floatVectors]VecVirtual
		for i := range sums {
			for v := range sums[i] {
				sums[i][v] = vector()
				zero(sums[i][v])
			}
		}
		loop, end := fmt.Sprintf("%sloop%d", name, pass), fmt.Sprintf("%send%d", name, pass)
		first, panel, left := GP64(), GP64(), GP64() // columns of x and rows of y that are left
		MOVQ(x, first)
		MOVQ(y, panel)
		MOVQ(k, left)
		TESTQ(left, left)
		JZ(LabelRef(end))
		Label(loop)
		var right [floatVectors]VecVirtual
		for v := range right {
			right[v] = vector()
			VMOVUPD(Mem{Base: panel, Disp: shift + width*v}, right[v])
		}
		for i := range sums {
			number, row := vector(), from[i]
			row.Base = first
			VBROADCASTSD(row, number)
			for v, s := range sums[i] {
				p := vector()
				VMULPD(right[v], number, p)
				VADDPD(p, s, s)
			}
		}
		ADDQ(Imm(8), first)
		ADDQ(I32(8*floatColumns), panel)
		DECQ(left)
		JNZ(LabelRef(loop))
		Label(end)
		for i := range sums {
			for v, s := range sums[i] {
				m := to[i]
				m.Disp = shift + width*v
				VMOVUPD(s, m)
			}
		}
	}
	VZEROUPPER()
	RET()
}
