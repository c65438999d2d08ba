package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Where only the low halves of words are needed, a vector multiplies twice as many. For that, the
// low halves of b's rows are packed; words of a are read from where they are.
const (
	tileRowsHalf512, tileVectorsHalf512 = 6, 4 // of 16 halves: 24 sums, 4 of b, 1 of a, 3 products
	tileRowsHalf256, tileVectorsHalf256 = 4, 2 // of 8 halves: 8 sums, 2 of b, 1 of a, 5 products
)

// masks are the masks of the lower and the upper eight of the last sixteen columns.
func masks() [2]Register {
	low, high := K(), K()
	KMOVW(Load(Param("mask"), GP32()), low)
	KSHIFTRW(Imm(8), low, high)
	return [2]Register{low, high}
}

// halfSums multiplies rows of words of a with vectors of packed halves of b.
func halfSums(name string, m matrices, vectors int, vector func() VecVirtual) [][]VecVirtual {
	sums := make([][]VecVirtual, m.rows)
	for i := range sums {
		for range vectors {
			z := vector()
			if z.Size() == 64 {
				VPXORQ(z, z, z)
			} else {
				VPXOR(z, z, z)
			}
			sums[i] = append(sums[i], z)
		}
	}
	loop, end := name+"loop", name+"end"
	TESTQ(m.k, m.k)
	JZ(LabelRef(end))
	Label(loop)
	b := make([]VecVirtual, vectors)
	for v := range b {
		b[v] = vector()
		from := Mem{Base: m.b, Disp: int(b[v].Size()) * v}
		if b[v].Size() == 64 {
			VMOVDQU64(from, b[v])
		} else {
			VMOVDQU(from, b[v])
		}
	}
	for i := range m.rows {
		x := vector()
		VPBROADCASTD(at(m.a, m.a3, m.lda, i, 0), x)
		for v := range b {
			product := vector()
			VPMULLD(x, b[v], product)
			VPADDD(product, sums[i][v], sums[i][v])
		}
	}
	m.step()
	JNZ(LabelRef(loop))
	Label(end)
	return sums
}

// matMulHalf512 adds products modulo 2^32 to words of c. Of the last sixteen columns only those in
// mask are read and written.
func matMulHalf512(rows, vectors int) {
	name := fmt.Sprintf("matMulHalf512x%dx%d", rows, vectors)
	TEXT(name, NOSPLIT, fmt.Sprintf(signature, ", mask uint16"))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds the product modulo 2^32 of %d×k words a and k×%d halves b to words c, with lda,", name, rows, 16*vectors),
		"ldb, ldc words between rows. Of the last sixteen columns only those in mask are read and",
		"written in c. It needs AVX512F.")
	m := load(rows)
	mask := masks()
	for i, row := range halfSums(name, m, vectors, ZMM) {
		for v, sum := range row {
			high := YMM()
			VEXTRACTI64X4(Imm(1), sum, high)
			for h, half := range []Register{sum.AsY(), high} {
				to, wide := at(m.c, m.c3, m.ldc, i, 16*v+8*h), ZMM()
				VPMOVZXDQ(half, wide)
				if v < vectors-1 {
					VPADDQ(to, wide, wide)
					VMOVDQU64(wide, to)
					continue
				}
				old := ZMM()
				VMOVDQU64_Z(to, mask[h], old)
				VPADDQ(old, wide, wide)
				VMOVDQU64(wide, mask[h], to)
			}
		}
	}
	VZEROUPPER()
	RET()
}

// matMulHalf256 adds products modulo 2^32 to words of c.
func matMulHalf256(rows int) {
	name := fmt.Sprintf("matMulHalf256x%d", rows)
	TEXT(name, NOSPLIT, fmt.Sprintf(signature, ""))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds the product modulo 2^32 of %d×k words a and k×%d halves b to words c, with lda,", name, rows, 8*tileVectorsHalf256),
		"ldb, ldc words between rows. It needs AVX2.")
	m := load(rows)
	for i, row := range halfSums(name, m, tileVectorsHalf256, YMM) {
		for v, sum := range row {
			high := XMM()
			VEXTRACTI128(Imm(1), sum, high)
			for h, half := range []Register{sum.AsX(), high} {
				to, wide := at(m.c, m.c3, m.ldc, i, 8*v+4*h), YMM()
				VPMOVZXDQ(half, wide)
				VPADDQ(to, wide, wide)
				VMOVDQU(wide, to)
			}
		}
	}
	VZEROUPPER()
	RET()
}

const packing = "func(d *uint64, a *uint64, lda int, rows int%s)"

// packHalf writes the low halves of rows of words, one row after the other.
func packHalf(name string, width int, row func(d, a Register)) {
	d, a := Load(Param("d"), GP64()), Load(Param("a"), GP64())
	lda, rows := Load(Param("lda"), GP64()), Load(Param("rows"), GP64())
	SHLQ(Imm(3), lda)
	loop, end := name+"loop", name+"end"
	TESTQ(rows, rows)
	JZ(LabelRef(end))
	Label(loop)
	row(d, a)
	ADDQ(lda, a)
	ADDQ(I32(4*width), d)
	DECQ(rows)
	JNZ(LabelRef(loop))
	Label(end)
	VZEROUPPER()
	RET()
}

func packHalf512(vectors int) {
	name := fmt.Sprintf("packHalf512x%d", vectors)
	TEXT(name, NOSPLIT, fmt.Sprintf(packing, ", mask uint16"))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets d to the low halves of rows of %d words, lda words apart in a. Of the last sixteen", name, 16*vectors),
		"only those in mask are read; the others are 0. It needs AVX512F.")
	mask := masks()
	packHalf(name, 16*vectors, func(d, a Register) {
		for e := range 2 * vectors {
			from, to, z := Mem{Base: a, Disp: 64 * e}, Mem{Base: d, Disp: 32 * e}, ZMM()
			if e < 2*vectors-2 {
				VMOVDQU64(from, z)
			} else {
				VMOVDQU64_Z(from, mask[e%2], z)
			}
			VPMOVQD(z, to)
		}
	})
}

func packHalf256() {
	const name, width = "packHalf256", 8 * tileVectorsHalf256
	TEXT(name, NOSPLIT, fmt.Sprintf(packing, ""))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets d to the low halves of rows of %d words, lda words apart in a. It needs AVX2.", name, width))
	packHalf(name, width, func(d, a Register) {
		for v := range tileVectorsHalf256 {
			y, z := YMM(), YMM()
			VMOVDQU(Mem{Base: a, Disp: 64 * v}, y)
			VMOVDQU(Mem{Base: a, Disp: 64*v + 32}, z)
			VSHUFPS(Imm(0x88), z, y, y) // the low halves of y and z, alternating in pairs
			VPERMQ(Imm(0xd8), y, y)
			VMOVDQU(y, Mem{Base: d, Disp: 32 * v})
		}
	})
}

// halves are the kernels for products modulo 2^32.
func halves() {
	for vectors := 1; vectors <= tileVectorsHalf512; vectors++ {
		packHalf512(vectors)
		for rows := 1; rows <= tileRowsHalf512; rows++ {
			matMulHalf512(rows, vectors)
		}
	}
	packHalf256()
	for rows := 1; rows <= tileRowsHalf256; rows++ {
		matMulHalf256(rows)
	}
	for rows := 1; rows <= dotRows256; rows++ {
		dotHalf256(rows)
	}
}

const dotRows256, dotColumns256 = 3, 4 // 12 sums, 3 of a, 1 product

// dotHalf256 adds sums of products modulo 2^32 of rows of halves to words of c.
func dotHalf256(rows int) {
	name := fmt.Sprintf("dotHalf256x%d", rows)
	TEXT(name, NOSPLIT, "func(c *uint64, ldc int, a *uint32, lda int, b *uint32, ldb int, blocks int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to words c, ldc words between rows, the sums modulo 2^32 of the products of each of %d rows of halves a with", name, rows),
		fmt.Sprintf("each of %d rows of halves b, with lda and ldb halves between rows of 8·blocks halves. It needs AVX2.", dotColumns256))
	word := func(name string) Register { return Load(Param(name), GP64()) }
	c, ldc, a, lda, b, ldb, blocks := word("c"), word("ldc"), word("a"), word("lda"), word("b"), word("ldb"), word("blocks")
	SHLQ(Imm(3), ldc)
	SHLQ(Imm(2), lda)
	SHLQ(Imm(2), ldb)
	b3 := GP64()
	LEAQ(Mem{Base: b, Index: ldb, Scale: 2}, b3)
	ADDQ(ldb, b3)
	row := func(base, third, ld Register, i int) Mem {
		switch i {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: third}
		}
		return Mem{Base: base, Index: ld, Scale: uint8(i)}
	}
	var sums [dotRows256][dotColumns256]VecVirtual
	for i := range rows {
		for j := range dotColumns256 {
			sums[i][j] = YMM()
			VPXOR(sums[i][j], sums[i][j], sums[i][j])
		}
	}
	loop, end := name+"loop", name+"end"
	TESTQ(blocks, blocks)
	JZ(LabelRef(end))
	Label(loop)
	x := make([]VecVirtual, rows)
	for i := range x {
		x[i] = YMM()
		VMOVDQU(row(a, nil, lda, i), x[i])
	}
	for j := range dotColumns256 {
		for i := range x {
			product := YMM()
			VPMULLD(row(b, b3, ldb, j), x[i], product)
			VPADDD(product, sums[i][j], sums[i][j])
		}
	}
	for _, r := range []Register{a, b, b3} {
		ADDQ(Imm(32), r)
	}
	DECQ(blocks)
	JNZ(LabelRef(loop))
	Label(end)
	for i := range rows {
		s := sums[i]
		VPHADDD(s[1], s[0], s[0])
		VPHADDD(s[3], s[2], s[2])
		VPHADDD(s[2], s[0], s[0])
		high, low, wide := XMM(), s[0].AsX(), YMM()
		VEXTRACTI128(Imm(1), s[0], high)
		VPADDD(high, low, low)
		VPMOVZXDQ(low, wide)
		to := row(c, nil, ldc, i)
		VPADDQ(to, wide, wide)
		VMOVDQU(wide, to)
	}
	VZEROUPPER()
	RET()
}
