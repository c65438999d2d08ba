package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// broadcast256 is an argument in all lanes.
func broadcast256(name string) VecVirtual {
	x, y := XMM(), YMM()
	VMOVQ(Load(Param(name), GP64()), x)
	VPBROADCASTQ(x, y)
	return y
}

// product256 is a·b modulo 2^64: the product of the low halves plus the cross products times 2^32.
func product256(a, b VecVirtual) VecVirtual {
	high, cross, other, low := YMM(), YMM(), YMM(), YMM()
	VPSRLQ(Imm(32), a, high)
	VPMULUDQ(high, b, cross)
	VPSRLQ(Imm(32), b, high)
	VPMULUDQ(high, a, other)
	VPADDQ(other, cross, cross)
	VPSLLQ(Imm(32), cross, cross)
	VPMULUDQ(a, b, low)
	VPADDQ(cross, low, low)
	return low
}

// withAVX2 are the AVX2 versions of the kernels of oneWord and bitwise.
func withAVX2() {
	var m, by, c, e VecVirtual
	load := func(from Mem) VecVirtual {
		y := YMM()
		VMOVDQU(from, y)
		return y
	}
	withMask := func() { m = broadcast256("m") }
	masked := func(y VecVirtual, to Mem) {
		VPAND(m, y, y)
		VMOVDQU(y, to)
	}
	for _, k := range []struct {
		name, doc string
		op        func(a, b VecVirtual) VecVirtual
	}{
		{"add256", "(a + b)&m", func(a, b VecVirtual) VecVirtual { VPADDQ(b, a, a); return a }},
		{"sub256", "(a − b)&m", func(a, b VecVirtual) VecVirtual { VPSUBQ(b, a, a); return a }},
		{"mul256", "a·b&m", product256},
	} {
		eights{
			name: k.name, args: ", m uint64", before: withMask,
			doc:  []string{k.name + " sets d to " + k.doc + ", in blocks of eight elements. It needs AVX2."},
			body: fours(func(at func(string) Mem) { masked(k.op(load(at("a")), load(at("b"))), at("d")) }),
		}.generate("d", "a", "b")
	}
	eights{
		name: "affine256", args: ", c uint64, e uint64, m uint64",
		doc:    []string{"affine256 sets d to (a·c + e)&m, in blocks of eight elements. It needs AVX2."},
		before: func() { c, e = broadcast256("c"), broadcast256("e"); withMask() },
		body: fours(func(at func(string) Mem) {
			y := product256(load(at("a")), c)
			VPADDQ(e, y, y)
			masked(y, at("d"))
		}),
	}.generate("d", "a")
	eights{
		name: "mulAdd256", args: ", by uint64, m uint64",
		doc:    []string{"mulAdd256 sets d to (d + a·b·2^by)&m, in blocks of eight elements. It needs AVX2."},
		before: func() { by = count("by"); withMask() },
		body: fours(func(at func(string) Mem) {
			y := product256(load(at("a")), load(at("b")))
			VPSLLQ(by, y, y)
			VPADDQ(at("d"), y, y)
			masked(y, at("d"))
		}),
	}.generate("d", "a", "b")
	eights{
		name: "rsh256", args: ", by uint64, m uint64",
		doc:    []string{"rsh256 sets d to (a>>by)&m, in blocks of eight elements. It needs AVX2."},
		before: func() { by = count("by"); withMask() },
		body: fours(func(at func(string) Mem) {
			y := load(at("a"))
			VPSRLQ(by, y, y)
			masked(y, at("d"))
		}),
	}.generate("d", "a")
	for _, k := range []struct {
		name, doc string
		op        func(y VecVirtual, b, d Mem)
	}{
		{"xor256", "a ⊕ b", func(y VecVirtual, b, d Mem) { VPXOR(b, y, y) }},
		{"and256", "a ∧ b", func(y VecVirtual, b, d Mem) { VPAND(b, y, y) }},
		{"xorAnd256", "d ⊕ a ∧ b", func(y VecVirtual, b, d Mem) {
			VPAND(b, y, y)
			VPXOR(d, y, y)
		}},
	} {
		eights{
			name: k.name,
			doc:  []string{k.name + " sets d to " + k.doc + ", in blocks of eight words. It needs AVX2."},
			body: fours(func(at func(string) Mem) {
				y := load(at("a"))
				k.op(y, at("b"), at("d"))
				VMOVDQU(y, at("d"))
			}),
		}.generate("d", "a", "b")
	}
}
