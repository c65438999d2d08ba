package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Numbers of 128 bits are split into three limbs, of 52, 52 and 24 bits, whose products AVX512IFMA
// accumulates, low and high halves separately. A sum of up to 1365 products stays below 2^64 in the
// first two limbs; of the third only the low 24 bits are used.
const tileRows128, tileVectors128 = 4, 2 // 24 sums and 6 of b

// matMul128 computes the product of rows×k numbers a and k×16 numbers b.
func matMul128(rows int) {
	name := fmt.Sprintf("matMul128x%d", rows)
	const width = 8 * tileVectors128
	TEXT(name, NOSPLIT, "func(out *uint64, a *uint64, lda int, b *uint64, k int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets out to the product of %d×k numbers a and k×%d numbers b, all in limbs", name, rows, width),
		fmt.Sprintf("of 52 bits: a number of a has its three together, and rows are lda numbers apart; rows of b and out hold %d", width),
		"first, second and third limbs. Those of out are not carried. k is at most 1365.",
		"It needs AVX512F and AVX512IFMA.")
	out, a, lda := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("lda"), GP64())
	b, k := Load(Param("b"), GP64()), Load(Param("k"), GP64())
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda)
	SHLQ(Imm(3), lda)
	var a3 Register
	if rows > 3 {
		a3 = GP64()
		LEAQ(Mem{Base: a, Index: lda, Scale: 2}, a3)
		ADDQ(lda, a3)
	}
	var sums [tileRows128][tileVectors128][3]VecVirtual
	for i := range rows {
		for v := range sums[i] {
			for l := range sums[i][v] {
				z := ZMM()
				VPXORQ(z, z, z)
				sums[i][v][l] = z
			}
		}
	}
	loop, end := name+"loop", name+"end"
	TESTQ(k, k)
	JZ(LabelRef(end))
	Label(loop)
	var y [3][tileVectors128]VecVirtual
	for l := range y {
		for v := range y[l] {
			y[l][v] = ZMM()
			VMOVDQU64(Mem{Base: b, Disp: 8*width*l + 64*v}, y[l][v])
		}
	}
	for i := range rows {
		for v := range tileVectors128 {
			s := sums[i][v]
			for p := range 3 {
				for q := range 3 - p {
					x := at(a, a3, lda, i, p)
					VPMADD52LUQ_BCST(x, y[q][v], s[p+q])
					if p+q < 2 {
						VPMADD52HUQ_BCST(x, y[q][v], s[p+q+1])
					}
				}
			}
		}
	}
	ADDQ(Imm(24), a)
	if rows > 3 {
		ADDQ(Imm(24), a3)
	}
	ADDQ(I32(3*8*width), b)
	DECQ(k)
	JNZ(LabelRef(loop))
	Label(end)
	for i := range rows {
		for v := range sums[i] {
			for l, s := range sums[i][v] {
				VMOVDQU64(s, Mem{Base: out, Disp: 8 * ((3*i+l)*width + 8*v)})
			}
		}
	}
	VZEROUPPER()
	RET()
}
