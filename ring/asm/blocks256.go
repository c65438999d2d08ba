package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// blocks is arithmetic on vectors of so many blocks, 1 or 2, for machines without AVX-512.
type blocks struct{ lanes int }

func (b blocks) vector() VecVirtual {
	if b.lanes == 1 {
		return XMM()
	}
	return YMM()
}

// bytes is the length of a vector.
func (b blocks) bytes() int { return 16 * b.lanes }

// loaded is the vector at m.
func (b blocks) loaded(m Mem) VecVirtual {
	x := b.vector()
	VMOVDQU(m, x)
	return x
}

// all is the block at m in all lanes.
func (b blocks) all(m Mem) VecVirtual {
	if b.lanes == 1 {
		return b.loaded(m)
	}
	x := YMM()
	VBROADCASTI128(m, x)
	return x
}

// of is a vector of the two words of each lane, set by f.
func (b blocks) of(f func(lane int) (low, high Op)) VecVirtual {
	var out [2]VecVirtual
	for i := range b.lanes {
		low, high := f(i)
		x, y := XMM(), XMM()
		VMOVQ(low, x)
		VMOVQ(high, y)
		VPUNPCKLQDQ(y, x, x)
		out[i] = x
	}
	if b.lanes == 1 {
		return out[0]
	}
	y := out[0].(VecVirtual).AsY().(VecVirtual)
	VINSERTI128(Imm(1), out[1], y, y)
	return y
}

// word is a general register with a word.
func word(x uint64) Op {
	r := GP64()
	MOVQ(U64(x), r)
	return r
}

// encrypt replaces blocks by their encryptions. The round keys stay in memory: with few registers there is room for more blocks.
func (b blocks) encrypt(keys Register, xs []VecVirtual) {
	const last = 10
	for i := range last + 1 {
		key := b.all(Mem{Base: keys, Disp: 16 * i})
		for _, x := range xs {
			switch i {
			case 0:
				VPXOR(key, x, x)
			case last:
				VAESENCLAST(key, x, x)
			default:
				VAESENC(key, x, x)
			}
		}
	}
}

// end ends a kernel.
func (b blocks) end() {
	if b.lanes > 1 {
		VZEROUPPER()
	}
	RET()
}

// withAES generates hash, expand, stream, correct and encodeBits for machines that have AES and AVX2, and VAES or not, but no AVX-512.
func withAES() {
	blocks{1}.generate("AES and AVX")
	blocks{2}.generate("VAES and AVX2")
	correct256()
	encodeBitsScalar()
	features()
}

// generate generates kernels that work on eight vectors at a time.
func (b blocks) generate(needs string) {
	const eight = 8
	width, group := b.bytes(), eight*b.bytes()
	name := func(of string) string { return fmt.Sprint(of, 8*width) }
	groups := fmt.Sprintf("groups of %d", eight*b.lanes)

	hash := name("hash")
	TEXT(hash, NOSPLIT, "func(dst *uint64, src *uint64, groups int, delta *uint64, at uint64, piece uint64, keys *uint64)")
	Pragma("noescape")
	Doc(hash + " is hash512 for " + groups + " blocks. It needs " + needs + ".")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("groups"), GP64())
	delta := b.all(Mem{Base: Load(Param("delta"), GP64())})
	at, piece := Load(Param("at"), GP64()), Load(Param("piece"), GP64())
	tweak := b.of(func(lane int) (low, high Op) {
		if lane > 0 {
			INCQ(at)
		}
		return at, piece
	})
	step := b.of(func(int) (low, high Op) { return word(uint64(b.lanes)), word(0) })
	keys := Load(Param("keys"), GP64())
	Label(hash + "loop")
	var xs []VecVirtual
	for i := range eight {
		x := b.loaded(Mem{Base: src, Disp: width * i})
		VPXOR(delta, x, x)
		xs = append(xs, x)
	}
	b.encrypt(keys, xs)
	for i, x := range xs {
		VMOVDQU(x, Mem{Base: dst, Disp: width * i})
		VPXOR(tweak, x, x)
		VPADDQ(step, tweak, tweak)
	}
	b.encrypt(keys, xs)
	for i, x := range xs {
		VPXOR(Mem{Base: dst, Disp: width * i}, x, x)
		VMOVDQU(x, Mem{Base: dst, Disp: width * i})
	}
	ADDQ(U32(uint32(group)), src)
	ADDQ(U32(uint32(group)), dst)
	DECQ(n)
	JNZ(LabelRef(hash + "loop"))
	b.end()

	expand := name("expand")
	TEXT(expand, NOSPLIT, "func(nodes *uint64, groups int, sums *uint64, keys *uint64)")
	Pragma("noescape")
	Doc(expand+" is expand512 for "+groups+" nodes, but that sums are two vectors: those of the left children and of the nodes.",
		"It needs "+needs+".")
	nodes := Load(Param("nodes"), GP64())
	n = Load(Param("groups"), GP64())
	sums := Load(Param("sums"), GP64())
	keys = Load(Param("keys"), GP64())
	left, all, zero := b.vector(), b.vector(), b.vector()
	for _, x := range []VecVirtual{left, all, zero} {
		VPXOR(x, x, x)
	}
	src, dst = GP64(), GP64()
	IMUL3Q(U32(uint32(group)), n, src)
	LEAQ(Mem{Base: nodes, Index: src, Scale: 2}, dst)
	ADDQ(nodes, src)
	sigma := func(x VecVirtual) VecVirtual { // σ(a, b) = (a ⊕ b, a)
		s, low := b.vector(), b.vector()
		VPSHUFD(Imm(0x4e), x, s)
		VPUNPCKLQDQ(zero, x, low)
		VPXOR(low, s, s)
		return s
	}
	Label(expand + "loop") // from the last node to the first: children take the places of nodes that were read
	SUBQ(U32(uint32(group)), src)
	SUBQ(U32(uint32(2*group)), dst)
	xs = nil
	for i := range eight {
		xs = append(xs, sigma(b.loaded(Mem{Base: src, Disp: width * i})))
	}
	b.encrypt(keys, xs)
	for i := eight - 1; i >= 0; i-- {
		x, h := b.loaded(Mem{Base: src, Disp: width * i}), xs[i]
		VPXOR(sigma(x), h, h)
		VPXOR(h, left, left)
		VPXOR(x, all, all)
		VPXOR(h, x, x)
		first, second := h, x // pairs of a left and a right child
		if b.lanes > 1 {
			first, second = YMM(), YMM()
			VPERM2I128(Imm(0x20), x, h, first)
			VPERM2I128(Imm(0x31), x, h, second)
		}
		VMOVDQU(first, Mem{Base: dst, Disp: 2 * width * i})
		VMOVDQU(second, Mem{Base: dst, Disp: 2*width*i + width})
	}
	DECQ(n)
	JNZ(LabelRef(expand + "loop"))
	VMOVDQU(left, Mem{Base: sums})
	VMOVDQU(all, Mem{Base: sums, Disp: width})
	b.end()

	counter := name("counter")
	TEXT(counter, NOSPLIT, "func(dst *byte, groups int, high uint64, keys *uint64)")
	Pragma("noescape")
	Doc(counter + " is counter512 for " + groups + " blocks and any i. It needs " + needs + ".")
	dst, n = Load(Param("dst"), GP64()), Load(Param("groups"), GP64())
	fixed := Load(Param("high"), GP64())
	keys = Load(Param("keys"), GP64())
	count := b.of(func(lane int) (low, high Op) { return fixed, word(uint64(lane)) })
	step = b.of(func(int) (low, high Op) { return word(0), word(uint64(b.lanes)) })
	turn := b.of(func(int) (low, high Op) { return word(0x0706050403020100), word(0x08090a0b0c0d0e0f) })
	Label(counter + "loop")
	xs = nil
	for range eight {
		x := b.vector()
		VPSHUFB(turn, count, x)
		VPADDQ(step, count, count)
		xs = append(xs, x)
	}
	b.encrypt(keys, xs)
	for i, x := range xs {
		VMOVDQU(x, Mem{Base: dst, Disp: width * i})
	}
	ADDQ(U32(uint32(group)), dst)
	DECQ(n)
	JNZ(LabelRef(counter + "loop"))
	b.end()
}

// correct256 generates correct.
func correct256() {
	TEXT("correct256", NOSPLIT, "func(nodes *uint64, pairs int, pair uint64, add *uint64)")
	Pragma("noescape")
	Doc("correct256 is correct512 for any number of pairs. It needs AVX2.")
	nodes := Load(Param("nodes"), GP64())
	n := Load(Param("pairs"), GP64())
	away, minus, add, zero := broadcast256("pair"), YMM(), YMM(), YMM() // away is the pair's place minus that of the pair at nodes
	VPCMPEQQ(minus, minus, minus)
	VMOVDQU(Mem{Base: Load(Param("add"), GP64())}, add)
	VPXOR(zero, zero, zero)
	Label("correct256loop")
	y := YMM()
	VPCMPEQQ(zero, away, y)
	VPAND(add, y, y)
	VPXOR(Mem{Base: nodes}, y, y)
	VMOVDQU(y, Mem{Base: nodes})
	VPADDQ(minus, away, away)
	ADDQ(Imm(32), nodes)
	DECQ(n)
	JNZ(LabelRef("correct256loop"))
	VZEROUPPER()
	RET()
}

// encodeBitsScalar generates encodeBits of general registers: places are public, and bits of ten words a row cost less than gathers.
func encodeBitsScalar() {
	const weight = 10
	TEXT("encodeBits64", NOSPLIT, "func(out *uint64, words int, secrets *uint64, mask uint64, places *byte)")
	Pragma("noescape")
	Doc("encodeBits64 is encodeBits512. It needs BMI2.")
	out, n := Load(Param("out"), GP64()), Load(Param("words"), GP64())
	secrets, mask := Load(Param("secrets"), GP64()), Load(Param("mask"), GP64())
	places := Load(Param("places"), GP64())
	sum, rows, row := GP64(), GP64(), GP64()
	Label("encodeBits64word")
	MOVQ(U32(64), rows)
	Label("encodeBits64row")
	for i := range weight {
		p, at, bit := GP64(), GP64(), row
		MOVL(Mem{Base: places, Disp: 4 * i}, p.As32())
		ANDL(mask.(GPVirtual).As32(), p.As32())
		MOVL(p.As32(), at.As32())
		SHRL(Imm(6), at.As32())
		if i > 0 {
			bit = GP64()
		}
		SHRXQ(p, Mem{Base: secrets, Index: at, Scale: 8}, bit)
		if i > 0 {
			XORQ(bit, row)
		}
	}
	BTQ(Imm(0), row)
	RCRQ(Imm(1), sum) // the first row's bit moves to the lowest place
	ADDQ(Imm(4*weight), places)
	DECQ(rows)
	JNZ(LabelRef("encodeBits64row"))
	XORQ(sum, Mem{Base: out})
	ADDQ(Imm(8), out)
	DECQ(n)
	JNZ(LabelRef("encodeBits64word"))
	RET()
}

// features generates the look-up of features that package cpu does not name.
func features() {
	TEXT("features", NOSPLIT, "func() (c uint32)")
	Doc("features returns register C of the processor's extended features, leaf 7.")
	MOVL(U32(7), EAX)
	XORL(ECX, ECX)
	CPUID()
	Store(ECX, ReturnIndex(0))
	RET()
}
