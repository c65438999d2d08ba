package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A tile of the result stays in registers while k columns of a are multiplied with k rows of b.
const (
	tileRows512, tileVectors512 = 6, 4 // of 8 words: 24 sums, 4 of b, 1 of a, 3 products
	tileRows256, tileVectors256 = 3, 2 // of 4 words: 3×4 sums, 2 of b, 1 of a, 1 product
)

const packedPanels256 = 4 // a row's parts of so many panels lie in four lines of the cache, and mostly in one page

const signature = "func(c *uint64, ldc int, a *uint64, lda int, b *uint64, ldb int, k int%s)"

// matrices are the arguments that all tiles have, strides in bytes.
type matrices struct {
	c, ldc, a, lda, b, ldb, k Register
	rows                      int
	a3, c3                    Register // addresses of row 3
}

func load(rows int) matrices {
	word := func(name string) Register { return Load(Param(name), GP64()) }
	m := matrices{
		c: word("c"), ldc: word("ldc"), a: word("a"), lda: word("lda"), b: word("b"), ldb: word("ldb"), k: word("k"),
		rows: rows,
	}
	for _, ld := range []Register{m.ldc, m.lda, m.ldb} {
		SHLQ(Imm(3), ld)
	}
	third := func(base, ld Register) Register {
		r := GP64()
		LEAQ(Mem{Base: base, Index: ld, Scale: 2}, r)
		ADDQ(ld, r)
		return r
	}
	if rows > 3 {
		m.a3, m.c3 = third(m.a, m.lda), third(m.c, m.ldc)
	}
	return m
}

// at is word j of row i.
func at(base, third, ld Register, i, j int) Mem {
	if i >= 3 {
		base, i = third, i-3
	}
	m := Mem{Base: base, Disp: 8 * j}
	if i > 0 {
		m.Index, m.Scale = ld, uint8(i)
	}
	return m
}

// step advances to the next column of a and row of b.
func (m matrices) step() {
	ADDQ(Imm(8), m.a)
	if m.rows > 3 {
		ADDQ(Imm(8), m.a3)
	}
	ADDQ(m.ldb, m.b)
	DECQ(m.k)
}

// matMul512 adds the product of rows×k words a and k×8·vectors words b to c. Of the last vector
// only the words in mask are read and written.
func matMul512(rows, vectors int) {
	name := fmt.Sprintf("matMul512x%dx%d", rows, vectors)
	TEXT(name, NOSPLIT, fmt.Sprintf(signature, ", mask uint8"))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds the product of %d×k words a and k×%d words b to c, with lda, ldb,", name, rows, 8*vectors),
		"ldc words between rows. Of the last eight columns only those in mask are read",
		"and written. It needs AVX512F and AVX512DQ.")
	m := load(rows)
	mask := K()
	KMOVB(Load(Param("mask"), GP32()), mask)

	sums := make([][]VecVirtual, rows)
	for i := range sums {
		for range vectors {
			z := ZMM()
			VPXORQ(z, z, z)
			sums[i] = append(sums[i], z)
		}
	}
	loop, end := name+"loop", name+"end"
	TESTQ(m.k, m.k)
	JZ(LabelRef(end))
	Label(loop)
	b := make([]VecVirtual, vectors)
	for v := range b {
		b[v] = ZMM()
		from := Mem{Base: m.b, Disp: 64 * v}
		if rows == 1 && vectors == tileVectors512 { // each word of b is read once, in rows far apart, so that memory's delay counts
			PREFETCHT0(Mem{Base: m.b, Disp: 64*v + 2*64*tileVectors512})
		}
		if v < vectors-1 {
			VMOVDQU64(from, b[v])
		} else {
			VMOVDQU64_Z(from, mask, b[v])
		}
	}
	for i := range rows {
		x := ZMM()
		VPBROADCASTQ(at(m.a, m.a3, m.lda, i, 0), x)
		for v := range vectors {
			product := ZMM()
			VPMULLQ(x, b[v], product)
			VPADDQ(product, sums[i][v], sums[i][v])
		}
	}
	m.step()
	JNZ(LabelRef(loop))
	Label(end)
	for i := range rows {
		for v := range vectors {
			to := at(m.c, m.c3, m.ldc, i, 8*v)
			if v < vectors-1 {
				VPADDQ(to, sums[i][v], sums[i][v])
				VMOVDQU64(sums[i][v], to)
				continue
			}
			old := ZMM()
			VMOVDQU64_Z(to, mask, old)
			VPADDQ(old, sums[i][v], sums[i][v])
			VMOVDQU64(sums[i][v], mask, to)
		}
	}
	VZEROUPPER()
	RET()
}

// matMul256 makes a 64-bit product of that of the low halves and, modulo 2^32, the cross products: those of the halves of a word of b
// with the exchanged halves of a word of a.
func matMul256(rows int) {
	name := fmt.Sprintf("matMul256x%d", rows)
	TEXT(name, NOSPLIT, fmt.Sprintf(signature, ""))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds the product of %d×k words a and k×%d words b to c, with lda, ldb,", name, rows, 4*tileVectors256),
		"ldc words between rows. It needs AVX2.")
	m := load(rows)
	type sum struct{ low, cross VecVirtual }
	sums := make([][]sum, rows)
	zero := func() VecVirtual {
		y := YMM()
		VPXOR(y, y, y)
		return y
	}
	for i := range sums {
		for range tileVectors256 {
			sums[i] = append(sums[i], sum{zero(), zero()})
		}
	}
	loop, end := name+"loop", name+"end"
	TESTQ(m.k, m.k)
	JZ(LabelRef(end))
	Label(loop)
	var b [tileVectors256]VecVirtual
	for v := range b {
		b[v] = YMM()
		VMOVDQU(Mem{Base: m.b, Disp: 32 * v}, b[v])
	}
	for i := range rows {
		x, product := YMM(), YMM()
		VPBROADCASTQ(at(m.a, nil, m.lda, i, 0), x)
		for v := range b {
			VPMULUDQ(x, b[v], product)
			VPADDQ(product, sums[i][v].low, sums[i][v].low)
		}
		VPSHUFD(Imm(0b10110001), x, x)
		for v := range b {
			VPMULLD(x, b[v], product)
			VPADDD(product, sums[i][v].cross, sums[i][v].cross)
		}
	}
	m.step()
	JNZ(LabelRef(loop))
	Label(end)
	for i := range rows {
		for v, s := range sums[i] {
			to, other := at(m.c, nil, m.ldc, i, 4*v), YMM()
			VPSLLQ(Imm(32), s.cross, other)
			VPADDD(other, s.cross, s.cross)
			VPXOR(other, other, other)
			VPBLENDD(Imm(0b01010101), other, s.cross, s.cross)
			VPADDQ(s.cross, s.low, s.low)
			VPADDQ(to, s.low, s.low)
			VMOVDQU(s.low, to)
		}
	}
	VZEROUPPER()
	RET()
}

// pack256 brings columns of b into the order in which tiles read them.
func pack256() {
	TEXT("pack256", NOSPLIT, "func(d *uint64, b *uint64, ldb int, k int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("pack256 sets d to %d panels of k×%d words each, of the columns of k×%d words b, with ldb words between rows. It needs AVX2.",
		packedPanels256, 4*tileVectors256, packedPanels256*4*tileVectors256))
	d, b, ldb, k := Load(Param("d"), GP64()), Load(Param("b"), GP64()), Load(Param("ldb"), GP64()), Load(Param("k"), GP64())
	SHLQ(Imm(3), ldb)
	panels := [packedPanels256]Register{d}
	size := GP64()
	MOVQ(k, size)
	SHLQ(Imm(6), size)
	for i := 1; i < len(panels); i++ {
		panels[i] = GP64()
		LEAQ(Mem{Base: panels[i-1], Index: size, Scale: 1}, panels[i])
	}
	TESTQ(k, k)
	JZ(LabelRef("pack256end"))
	Label("pack256loop")
	for i, to := range panels {
		for v := range tileVectors256 {
			y, at := YMM(), 32*v
			VMOVDQU(Mem{Base: b, Disp: 64*i + at}, y)
			VMOVDQU(y, Mem{Base: to, Disp: at})
		}
	}
	for _, to := range panels {
		ADDQ(Imm(64), to)
	}
	ADDQ(ldb, b)
	DECQ(k)
	JNZ(LabelRef("pack256loop"))
	Label("pack256end")
	VZEROUPPER()
	RET()
}
