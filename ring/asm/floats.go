package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const floatRows, floatVectors = 4, 2 // 8 sums: as many additions as the processor has in flight

// products64 is the kernel of package eval. Products are rounded before they are added, as in Go.
func products64() {
	TEXT("products64", NOSPLIT, "func(out *float64, ldout int, x *float64, ldx int, y *float64, k int)")
	Pragma("noescape")
	Doc("products64 sets 4×16 numbers of out, ldout numbers between rows, to the products of 4×k numbers x, ldx numbers between rows, and",
		"k×16 numbers y. It needs AVX512F and AVX512DQ.")
	out, ldout := Load(Param("out"), GP64()), Load(Param("ldout"), GP64())
	x, ldx := Load(Param("x"), GP64()), Load(Param("ldx"), GP64())
	y, k := Load(Param("y"), GP64()), Load(Param("k"), GP64())
	SHLQ(Imm(3), ldout)
	SHLQ(Imm(3), ldx)
	var sums [floatRows][floatVectors]VecVirtual
	for i := range sums {
		for v := range sums[i] {
			sums[i][v] = ZMM()
			VPXORQ(sums[i][v], sums[i][v], sums[i][v])
		}
	}
	third := GP64() // three rows of x
	LEAQ(Mem{Base: ldx, Index: ldx, Scale: 2}, third)
	row := []Mem{{Base: x}, {Base: x, Index: ldx, Scale: 1}, {Base: x, Index: ldx, Scale: 2}, {Base: x, Index: third, Scale: 1}}
	TESTQ(k, k)
	JZ(LabelRef("end"))
	Label("loop")
	var right [floatVectors]VecVirtual
	for v := range right {
		right[v] = ZMM()
		VMOVUPD(Mem{Base: y, Disp: 64 * v}, right[v])
	}
	for i := range sums {
		left := ZMM()
		VBROADCASTSD(row[i], left)
		for v, s := range sums[i] {
			p := ZMM()
			VMULPD(right[v], left, p)
			VADDPD(p, s, s)
		}
	}
	ADDQ(Imm(8), x)
	ADDQ(I32(64*floatVectors), y)
	DECQ(k)
	JNZ(LabelRef("loop"))
	Label("end")
	for i := range sums {
		for v, s := range sums[i] {
			VMOVUPD(s, Mem{Base: out, Disp: 64 * v})
		}
		if i < floatRows-1 {
			ADDQ(ldout, out)
		}
	}
	VZEROUPPER()
	RET()
}
