package main

import (
	"cmp"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Elementwise kernels compute blocks of eight elements; their callers compute the remaining ones.
// Elements of two words are stored low word first; two vectors of them are separated into low and
// high words, whose lanes hold the elements in the order of places.
var places = [8]uint64{0, 4, 1, 5, 2, 6, 3, 7}

// permutations are places as a vector for VPERMQ, and its inverse.
func permutations() (order, back Mem) {
	return lanes("places", func(i int) uint64 { return places[i] }), lanes("placed", func(i int) uint64 {
		for at, p := range places {
			if p == uint64(i) {
				return uint64(at)
			}
		}
		panic("no permutation")
	})
}

// eights frames a kernel of n blocks of eight elements. at gives body the memory of the operand's
// next block.
type eights struct {
	name   string
	doc    []string
	args   string         // after the operands and the number of blocks
	words  map[string]int // words of an element of each operand
	of     string         // what operands point to; "": uint64
	before func()
	body   func(at func(operand string, vector int) Mem)
	after  func()
}

func (k eights) generate(operands ...string) {
	text := "func("
	for _, o := range operands {
		text += o + " *" + cmp.Or(k.of, "uint64") + ", "
	}
	TEXT(k.name, NOSPLIT, text+"blocks int"+k.args+")")
	Pragma("noescape")
	Doc(k.doc...)
	base := map[string]Register{}
	for _, o := range operands {
		base[o] = Load(Param(o), GP64())
	}
	n := Load(Param("blocks"), GP64())
	if k.before != nil {
		k.before()
	}
	loop, end := k.name+"loop", k.name+"end"
	TESTQ(n, n)
	JZ(LabelRef(end))
	Label(loop)
	k.body(func(operand string, vector int) Mem { return Mem{Base: base[operand], Disp: 64 * vector} })
	for _, o := range operands {
		words := k.words[o]
		if words == 0 {
			words = 1
		}
		ADDQ(Imm(uint64(64*words)), base[o])
	}
	DECQ(n)
	JNZ(LabelRef(loop))
	Label(end)
	if k.after != nil {
		k.after()
	}
	VZEROUPPER()
	RET()
}

// broadcast is an argument in all lanes.
func broadcast(name string) VecVirtual {
	z := ZMM()
	VPBROADCASTQ(Load(Param(name), GP64()), z)
	return z
}

func count(name string) VecVirtual {
	x := XMM()
	VMOVQ(Load(Param(name), GP64()), x)
	return x
}

func loaded(m Mem) VecVirtual {
	z := ZMM()
	VMOVDQU64(m, z)
	return z
}

// two is the low and the high words of eight elements, in the order of places.
type two struct{ lo, hi VecVirtual }

func load2(a, b Mem) two {
	x, y := loaded(a), loaded(b)
	t := two{ZMM(), ZMM()}
	VPUNPCKLQDQ(y, x, t.lo)
	VPUNPCKHQDQ(y, x, t.hi)
	return t
}

func (t two) store(a, b Mem) {
	x, y := ZMM(), ZMM()
	VPUNPCKLQDQ(t.hi, t.lo, x)
	VPUNPCKHQDQ(t.hi, t.lo, y)
	VMOVDQU64(x, a)
	VMOVDQU64(y, b)
}

// second is the limb of bits 52 to 103. The first limb is the low word itself, because products of
// 52 bits ignore the bits above.
func (t two) second() VecVirtual {
	z, high := ZMM(), ZMM()
	VPSRLQ(Imm(52), t.lo, z)
	VPSLLQ(Imm(12), t.hi, high)
	VPORQ(high, z, z)
	return z
}

// product104 is the product of numbers of two limbs modulo 2^104.
func product104(a0, a1, b0, b1 VecVirtual) two {
	low, high := ZMM(), ZMM()
	VPXORQ(low, low, low)
	VPXORQ(high, high, high)
	VPMADD52LUQ(a0, b0, low)
	VPMADD52HUQ(a0, b0, high)
	VPMADD52LUQ(a1, b0, high)
	VPMADD52LUQ(a0, b1, high)
	t := two{ZMM(), ZMM()}
	VPSLLQ(Imm(52), high, t.lo)
	VPORQ(low, t.lo, t.lo) // the low 52 bits of low
	VPSRLQ(Imm(12), high, t.hi)
	return t
}

// add is t + o.
func (t two) add(o two) two {
	sum := two{ZMM(), ZMM()}
	VPADDQ(t.lo, o.lo, sum.lo)
	VPADDQ(t.hi, o.hi, sum.hi)
	carry := K()
	VPCMPUQ(Imm(1), t.lo, sum.lo, carry) // sum < t
	ones := ZMM()
	VPTERNLOGQ(Imm(255), ones, ones, ones)
	VPSUBQ(ones, sum.hi, carry, sum.hi)
	return sum
}

// oneWord are the kernels of elements of one word, masked with m.
func oneWord() {
	var m VecVirtual
	masked := func(z VecVirtual, to Mem) {
		VPANDQ(m, z, z)
		VMOVDQU64(z, to)
	}
	withMask := func() { m = broadcast("m") }
	eights{
		name: "add512", args: ", m uint64", before: withMask,
		doc: []string{"add512 sets d to (a + b)&m, in blocks of eight elements. It needs AVX512F."},
		body: func(at func(string, int) Mem) {
			z := loaded(at("a", 0))
			VPADDQ(at("b", 0), z, z)
			masked(z, at("d", 0))
		},
	}.generate("d", "a", "b")
	eights{
		name: "sub512", args: ", m uint64", before: withMask,
		doc: []string{"sub512 sets d to (a − b)&m, in blocks of eight elements. It needs AVX512F."},
		body: func(at func(string, int) Mem) {
			z := loaded(at("a", 0))
			VPSUBQ(at("b", 0), z, z)
			masked(z, at("d", 0))
		},
	}.generate("d", "a", "b")
	eights{
		name: "mul512", args: ", m uint64", before: withMask,
		doc: []string{"mul512 sets d to a·b&m, in blocks of eight elements. It needs AVX512F and AVX512DQ."},
		body: func(at func(string, int) Mem) {
			z := loaded(at("a", 0))
			VPMULLQ(at("b", 0), z, z)
			masked(z, at("d", 0))
		},
	}.generate("d", "a", "b")
	var c, by VecVirtual
	var bits Register
	eights{
		name: "affine512", args: ", c uint64, e uint64, m uint64",
		doc: []string{"affine512 sets d to (a·c + e)&m, in blocks of eight elements. It needs AVX512F and",
			"AVX512DQ."},
		before: func() { c, by = broadcast("c"), broadcast("e"); withMask() },
		body: func(at func(string, int) Mem) {
			z := ZMM()
			VPMULLQ(at("a", 0), c, z)
			VPADDQ(by, z, z)
			masked(z, at("d", 0))
		},
	}.generate("d", "a")
	eights{
		name: "rsh512", args: ", by uint64, m uint64",
		doc:    []string{"rsh512 sets d to (a>>by)&m, in blocks of eight elements. It needs AVX512F."},
		before: func() { by = count("by"); withMask() },
		body: func(at func(string, int) Mem) {
			z := loaded(at("a", 0))
			VPSRLQ(by, z, z)
			masked(z, at("d", 0))
		},
	}.generate("d", "a")
	eights{
		name: "choose512", words: map[string]int{"d": 1, "a": 1, "b": 1},
		args: ", bits *byte",
		doc: []string{"choose512 sets d to a where a bit is 1 and to b elsewhere, in blocks of eight elements, a byte",
			"of bits each. It needs AVX512F and AVX512DQ."},
		before: func() { bits = Load(Param("bits"), GP64()) },
		body: func(at func(string, int) Mem) {
			k, z := K(), ZMM()
			KMOVB(Mem{Base: bits}, k)
			INCQ(bits)
			VPBLENDMQ(at("a", 0), loaded(at("b", 0)), k, z)
			VMOVDQU64(z, at("d", 0))
		},
	}.generate("d", "a", "b")
	eights{
		name: "mulAdd512", args: ", by uint64, m uint64",
		doc: []string{"mulAdd512 sets d to (d + a·b·2^by)&m, in blocks of eight elements. It needs AVX512F and",
			"AVX512DQ."},
		before: func() { by = count("by"); withMask() },
		body: func(at func(string, int) Mem) {
			z := loaded(at("a", 0))
			VPMULLQ(at("b", 0), z, z)
			VPSLLQ(by, z, z)
			VPADDQ(at("d", 0), z, z)
			masked(z, at("d", 0))
		},
	}.generate("d", "a", "b")
}

// twoWords are the kernels of elements of two words; m masks the high word. Products are modulo
// 2^104.
func twoWords(order, back Mem) {
	var m, o, by, left VecVirtual
	withMask := func() { m = broadcast("m") }
	both := map[string]int{"d": 2, "a": 2, "b": 2}
	load := func(at func(string, int) Mem, operand string) two { return load2(at(operand, 0), at(operand, 1)) }
	store := func(t two, at func(string, int) Mem) {
		VPANDQ(m, t.hi, t.hi)
		t.store(at("d", 0), at("d", 1))
	}
	eights{
		name: "add512w2", args: ", m uint64", before: withMask, words: both,
		doc: []string{"add512w2 sets d to a + b, elements of two words; m masks the high one; in blocks of",
			"eight. It needs AVX512F."},
		body: func(at func(string, int) Mem) { store(load(at, "a").add(load(at, "b")), at) },
	}.generate("d", "a", "b")
	eights{
		name: "sub512w2", args: ", m uint64", before: withMask, words: both,
		doc: []string{"sub512w2 sets d to a − b, elements of two words; m masks the high one; in blocks of",
			"eight. It needs AVX512F."},
		body: func(at func(string, int) Mem) {
			a, b := load(at, "a"), load(at, "b")
			borrow, ones := K(), ZMM()
			VPTERNLOGQ(Imm(255), ones, ones, ones)
			VPCMPUQ(Imm(1), b.lo, a.lo, borrow) // a < b
			VPSUBQ(b.lo, a.lo, a.lo)
			VPSUBQ(b.hi, a.hi, a.hi)
			VPADDQ(ones, a.hi, borrow, a.hi)
			store(a, at)
		},
	}.generate("d", "a", "b")
	eights{
		name: "mul104", args: ", m uint64", before: withMask, words: both,
		doc: []string{"mul104 sets d to a·b, elements of two words; m, of at most 40 bits, masks the high one;",
			"in blocks of eight. It needs AVX512F and AVX512IFMA."},
		body: func(at func(string, int) Mem) {
			a, b := load(at, "a"), load(at, "b")
			store(product104(a.lo, a.second(), b.lo, b.second()), at)
		},
	}.generate("d", "a", "b")
	var c0, c1 VecVirtual
	var e two
	eights{
		name: "affine104", args: ", c0 uint64, c1 uint64, e0 uint64, e1 uint64, m uint64", words: both,
		doc: []string{"affine104 sets d to a·c + e, elements of two words; m, of at most 40 bits, masks the",
			"high one; in blocks of eight; c0 and c1 are c's limbs of 52 bits, e0 and e1 e's words. It needs",
			"AVX512F and AVX512IFMA."},
		before: func() {
			c0, c1 = broadcast("c0"), broadcast("c1")
			e = two{broadcast("e0"), broadcast("e1")}
			withMask()
		},
		body: func(at func(string, int) Mem) {
			a := load(at, "a")
			store(product104(a.lo, a.second(), c0, c1).add(e), at)
		},
	}.generate("d", "a")
	eights{
		name: "mulAdd104", args: ", m uint64", before: withMask, words: both,
		doc: []string{"mulAdd104 sets d to d + a·b, elements of two words; m, of at most 40 bits, masks the",
			"high one; in blocks of eight. It needs AVX512F and AVX512IFMA."},
		body: func(at func(string, int) Mem) {
			a, b := load(at, "a"), load(at, "b")
			store(product104(a.lo, a.second(), b.lo, b.second()).add(load(at, "d")), at)
		},
	}.generate("d", "a", "b")
	inOrder := func(from Mem) VecVirtual {
		z := ZMM()
		VPERMQ(from, o, z)
		return z
	}
	eights{
		name: "mulAdd104x1", args: ", m uint64", words: map[string]int{"d": 2, "a": 2},
		doc: []string{"mulAdd104x1 is mulAdd104 for a b of one word an element, unsigned."},
		before: func() {
			o = loaded(order)
			withMask()
		},
		body: func(at func(string, int) Mem) {
			a, b := load(at, "a"), inOrder(at("b", 0))
			high := ZMM()
			VPSRLQ(Imm(52), b, high)
			store(product104(a.lo, a.second(), b, high).add(load(at, "d")), at)
		},
	}.generate("d", "a", "b")
	eights{
		name: "mulAdd104s", args: ", m uint64", words: map[string]int{"d": 2, "a": 2},
		doc: []string{"mulAdd104s is mulAdd104 for a b of one word an element, signed."},
		before: func() {
			o = loaded(order)
			withMask()
		},
		body: func(at func(string, int) Mem) {
			a, b := load(at, "a"), inOrder(at("b", 0))
			high := ZMM()
			VPSRAQ(Imm(52), b, high)
			store(product104(a.lo, a.second(), b, high).add(load(at, "d")), at)
		},
	}.generate("d", "a", "b")
	eights{
		name: "mulAddHigh512", args: ", by uint64, m uint64", words: map[string]int{"d": 2, "a": 2},
		doc: []string{"mulAddHigh512 adds a's low word times b times 2^by to d's high word, masked with m, in",
			"blocks of eight elements, of two words in d and a, of one in b. It needs AVX512F and AVX512DQ."},
		before: func() {
			o, by = loaded(order), count("by")
			withMask()
		},
		body: func(at func(string, int) Mem) {
			a, b, d := load(at, "a"), inOrder(at("b", 0)), load(at, "d")
			VPMULLQ(a.lo, b, b)
			VPSLLQ(by, b, b)
			VPADDQ(b, d.hi, d.hi)
			store(d, at)
		},
	}.generate("d", "a", "b")
	eights{
		name: "drop512", args: ", e0 uint64, e1 uint64, right uint64, left uint64, m uint64", words: map[string]int{"a": 2},
		doc: []string{"drop512 sets d to ((a + e)/2^right)&m, right < 64 and left 64 − right, in blocks of eight",
			"elements, of two words in a, of one in d. It needs AVX512F."},
		before: func() {
			o, e = loaded(back), two{broadcast("e0"), broadcast("e1")}
			by, left = count("right"), count("left")
			withMask()
		},
		body: func(at func(string, int) Mem) {
			t := load(at, "a").add(e)
			VPSRLQ(by, t.lo, t.lo)
			VPSLLQ(left, t.hi, t.hi)
			VPORQ(t.hi, t.lo, t.lo)
			VPANDQ(m, t.lo, t.lo)
			VPERMQ(t.lo, o, t.lo)
			VMOVDQU64(t.lo, at("d", 0))
		},
	}.generate("d", "a")
	eights{
		name: "widen512", words: map[string]int{"d": 2},
		doc:    []string{"widen512 zero-extends elements of one word to two words, in blocks of eight. It needs AVX512F."},
		before: func() { o = loaded(order) },
		body: func(at func(string, int) Mem) {
			t := two{inOrder(at("a", 0)), ZMM()}
			VPXORQ(t.hi, t.hi, t.hi)
			t.store(at("d", 0), at("d", 1))
		},
	}.generate("d", "a")
}

// bitwise are the kernels of packed bits.
func bitwise() {
	for _, k := range []struct {
		name, doc string
		op        func(z VecVirtual, b, d Mem)
	}{
		{"xor512", "xor512 sets d to a ⊕ b", func(z VecVirtual, b, d Mem) { VPXORQ(b, z, z) }},
		{"and512", "and512 sets d to a ∧ b", func(z VecVirtual, b, d Mem) { VPANDQ(b, z, z) }},
		{"xorAnd512", "xorAnd512 sets d to d ⊕ a ∧ b", func(z VecVirtual, b, d Mem) {
			VPANDQ(b, z, z)
			VPXORQ(d, z, z)
		}},
	} {
		eights{
			name: k.name,
			doc:  []string{k.doc + ", in blocks of eight words. It needs AVX512F."},
			body: func(at func(string, int) Mem) {
				z := loaded(at("a", 0))
				k.op(z, at("b", 0), at("d", 0))
				VMOVDQU64(z, at("d", 0))
			},
		}.generate("d", "a", "b")
	}
}
