package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Kernels of package he for machines with AVX2 and FMA, but no AVX-512: residues modulo primes below 2^48 are floating-point numbers.
// Residues are integers below 2^53 in magnitude, so that their sums are exact. A product a·b has up to 101 bits. h = a·b is rounded,
// l = a·b − h, and c is h/q, rounded to an integer; all of these are floating-point numbers. So are h − c·q, which is an integer below
// 2^53 in magnitude, and h − c·q + l. As h, 1/q and their product have a relative error of 2^-53 each, |h − c·q + l| is at most
// (1/2 + 3·2^-53·|a·b|/q)·q. Van der Hoeven, Lecerf, Quintin: Modular SIMD arithmetic in Mathemagix (ACM TOMS 2016).
//
// With a below A·q and b below q that is at most (1/2 + 3A/32)·q for q < 2^48. Numbers are never infinite or denormal, so that no
// instruction's time depends on them.

// floats is arithmetic on four lanes.
type floats struct{ q, inverse, zero, magic VecVirtual }

// The numbers 2^52 and 1 as floating-point numbers.
const (
	float52 = 0x4330000000000000
	float1  = 0x3ff0000000000000
)

// newFloats loads the modulus from the argument q.
func newFloats() floats {
	f := floats{inverse: YMM(), zero: YMM(), magic: words256(float52)}
	f.q = broadcast256("q")
	f.read(f.q)
	one := words256(float1)
	VDIVPD(f.q, one, f.inverse)
	VXORPD(f.zero, f.zero, f.zero)
	return f
}

// read makes numbers of integers from 0 to 2^52 − 1: the bits of 2^52 + x end with those of x.
func (f floats) read(x VecVirtual) {
	VPOR(f.magic, x, x)
	VSUBPD(f.magic, x, x)
}

// write is the inverse of read.
func (f floats) write(x VecVirtual) {
	VADDPD(f.magic, x, x)
	VPXOR(f.magic, x, x)
}

// loaded returns the vector at m, of integers or of numbers.
func (f floats) loaded(m Mem, integers bool) VecVirtual {
	y := YMM()
	VMOVDQU(m, y)
	if integers {
		f.read(y)
	}
	return y
}

// product returns a·b modulo q.
func (f floats) product(a, b VecVirtual) VecVirtual {
	h, l, c := YMM(), YMM(), YMM()
	VMULPD(a, b, h)
	VMULPD(f.inverse, h, c)
	VMOVAPD(h, l)
	VFMSUB231PD(a, b, l)
	VROUNDPD(Imm(8), c, c)
	VFNMADD231PD(c, f.q, h)
	VADDPD(l, h, h)
	return h
}

// reduced sets x to x modulo q, of magnitude q/2 and at most one more.
func (f floats) reduced(x VecVirtual) {
	c := YMM()
	VMULPD(f.inverse, x, c)
	VROUNDPD(Imm(8), c, c)
	VFNMADD231PD(c, f.q, x)
}

// positive adds q to x if it is negative.
func (f floats) positive(x VecVirtual) {
	add := YMM()
	VCMPPD(Imm(1), f.zero, x, add) // x < 0
	VANDPD(f.q, add, add)
	VADDPD(add, x, x)
}

// split is he's split: u + w·v and u − w·v.
func (f floats) split(u, v, w VecVirtual) (plus, less VecVirtual) {
	x := f.product(v, w)
	less = YMM()
	VSUBPD(x, u, less)
	VADDPD(x, u, u)
	return u, less
}

// joined is he's joined: u + v and w·(u − v).
func (f floats) joined(u, v, w VecVirtual) (sum, rest VecVirtual) {
	d := YMM()
	VSUBPD(v, u, d)
	VADDPD(v, u, u)
	return u, f.product(d, w)
}

// square transposes four vectors of four numbers.
func square(v []VecVirtual) (out [4]VecVirtual) {
	var low, high [2]VecVirtual
	for i := range 2 {
		low[i], high[i] = YMM(), YMM()
		VUNPCKLPD(v[2*i+1], v[2*i], low[i])
		VUNPCKHPD(v[2*i+1], v[2*i], high[i])
	}
	for i, half := range [][2]VecVirtual{low, high} {
		out[i], out[i+2] = YMM(), YMM()
		VPERM2F128(Imm(0x20), half[1], half[0], out[i])
		VPERM2F128(Imm(0x31), half[1], half[0], out[i+2])
	}
	return out
}

// levels does two levels of a transform on vectors. The numbers of a backward transform are below 1.6·q in magnitude, and remain so:
// sums of four are below 6.4·q, which is reduced, and other ones are those of two products, or products.
func (f floats) levels(forward bool, x []VecVirtual, w, w0, w1 VecVirtual) {
	if forward {
		x[0], x[2] = f.split(x[0], x[2], w)
		x[1], x[3] = f.split(x[1], x[3], w)
		x[0], x[1] = f.split(x[0], x[1], w0)
		x[2], x[3] = f.split(x[2], x[3], w1)
		return
	}
	x[0], x[1] = f.joined(x[0], x[1], w0)
	x[2], x[3] = f.joined(x[2], x[3], w1)
	x[0], x[2] = f.joined(x[0], x[2], w)
	x[1], x[3] = f.joined(x[1], x[3], w)
	f.reduced(x[0])
}

const needsFMA = "AVX2 and FMA"

// floatTransforms generates the passes of transforms. In memory numbers are floating-point between passes, and integers below q before
// the first one and after the last one.
func floatTransforms() {
	for _, forward := range []bool{true, false} {
		way := "backward"
		if forward {
			way = "forward"
		}
		floatOne(way+"OneFMA", forward)
		floatTwo(way+"TwoFMA", forward, false)
		if forward {
			floatTwo("forwardFirstFMA", forward, true)
		}
		floatBlocks(way+"BlocksFMA", forward, false)
		if forward {
			floatBlocks("forwardBlocksOpenFMA", forward, true)
		}
	}
}

// floatOne generates the one level that is alone: the first of a forward transform, or the last of a backward one.
func floatOne(name string, forward bool) {
	TEXT(name, NOSPLIT, "func(a *uint64, half int, w uint64, q uint64)")
	Pragma("noescape")
	of := "floating-point numbers"
	if forward {
		of = "integers, of which it makes floating-point numbers"
	}
	Doc(name + " does a level of one twiddle w on two halves of so many numbers, a multiple of 4: " + of + ". It needs " + needsFMA + ".")
	a, h := Load(Param("a"), GP64()), Load(Param("half"), GP64())
	f := newFloats()
	w := broadcast256("w")
	f.read(w)
	n := GP64()
	MOVQ(h, n)
	SHRQ(Imm(2), n)
	near, far := Mem{Base: a}, Mem{Base: a, Index: h, Scale: 8}
	Label(name + "loop")
	u, v := f.loaded(near, forward), f.loaded(far, forward)
	if forward {
		u, v = f.split(u, v, w)
	} else {
		u, v = f.joined(u, v, w)
	}
	VMOVDQU(u, near)
	VMOVDQU(v, far)
	ADDQ(Imm(32), a)
	DECQ(n)
	JNZ(LabelRef(name + "loop"))
	VZEROUPPER()
	RET()
}

// floatTwo generates two levels, of integers if first.
func floatTwo(name string, forward, first bool) {
	TEXT(name, NOSPLIT, "func(a *uint64, groups int, t int, w *uint64, q uint64)")
	Pragma("noescape")
	of := "floating-point numbers"
	if first {
		of = "integers, of which it makes floating-point numbers"
	}
	Doc(name+" does two levels on groups of 4t numbers, t a multiple of 4, whose twiddles begin at groups and 2·groups of w:",
		of+". It needs "+needsFMA+".")
	a, k, step := Load(Param("a"), GP64()), Load(Param("groups"), GP64()), Load(Param("t"), GP64())
	one, two, step3, n := Load(Param("w"), GP64()), GP64(), GP64(), GP64()
	SHLQ(Imm(3), step)
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
	LEAQ(Mem{Base: one, Index: k, Scale: 8}, one)
	LEAQ(Mem{Base: one, Index: k, Scale: 8}, two)
	f := newFloats()
	at := []Mem{{Base: a}, {Base: a, Index: step, Scale: 1}, {Base: a, Index: step, Scale: 2}, {Base: a, Index: step3, Scale: 1}}
	twiddle := func(m Mem) VecVirtual {
		y := YMM()
		VPBROADCASTQ(m, y)
		f.read(y)
		return y
	}
	Label(name + "group")
	w, w0, w1 := twiddle(Mem{Base: one}), twiddle(Mem{Base: two}), twiddle(Mem{Base: two, Disp: 8})
	MOVQ(step, n)
	SHRQ(Imm(5), n)
	Label(name + "loop")
	var x []VecVirtual
	for _, m := range at {
		x = append(x, f.loaded(m, first))
	}
	f.levels(forward, x, w, w0, w1)
	for i, m := range at {
		VMOVDQU(x[i], m)
	}
	ADDQ(Imm(32), a)
	DECQ(n)
	JNZ(LabelRef(name + "loop"))
	ADDQ(step3, a)
	ADDQ(Imm(8), one)
	ADDQ(Imm(16), two)
	DECQ(k)
	JNZ(LabelRef(name + "group"))
	VZEROUPPER()
	RET()
}

// floatBlocks generates the two levels within blocks of four numbers: the last ones of a forward transform, or the first ones of a
// backward one. Open results are the floating-point numbers 2^52 + x, x below 3q/2 + 2: the low 52 bits are x.
func floatBlocks(name string, forward, open bool) {
	TEXT(name, NOSPLIT, "func(a *uint64, fours int, w *uint64, q uint64)")
	Pragma("noescape")
	of := "integers, of which it makes floating-point numbers"
	if forward {
		of = "floating-point numbers, of which it makes integers below q"
	}
	if open {
		of = "floating-point numbers, of which it makes integers whose low 52 bits are right modulo q, q < 2^48"
	}
	Doc(name+" does the two levels within blocks of four numbers, whose twiddles begin at 4·fours and 8·fours of w, fours times four blocks:",
		of+". It needs "+needsFMA+".")
	a, n, one, two := Load(Param("a"), GP64()), Load(Param("fours"), GP64()), Load(Param("w"), GP64()), GP64()
	{
		k := GP64()
		MOVQ(n, k)
		SHLQ(Imm(5), k)
		ADDQ(k, one)
		LEAQ(Mem{Base: one, Index: k, Scale: 1}, two)
	}
	f := newFloats()
	up := YMM()
	if open {
		VADDPD(f.magic, f.q, up)
	}
	Label(name + "loop")
	var rows []VecVirtual
	for i := range 4 {
		rows = append(rows, f.loaded(Mem{Base: a, Disp: 32 * i}, !forward))
	}
	x := square(rows)
	w := f.loaded(Mem{Base: one}, true)
	pairs := [2]VecVirtual{f.loaded(Mem{Base: two}, true), f.loaded(Mem{Base: two, Disp: 32}, true)}
	w0, w1 := YMM(), YMM()
	VUNPCKLPD(pairs[1], pairs[0], w0)
	VUNPCKHPD(pairs[1], pairs[0], w1)
	VPERMPD(Imm(0xd8), w0, w0)
	VPERMPD(Imm(0xd8), w1, w1)
	f.levels(forward, x[:], w, w0, w1)
	if forward {
		for _, v := range x {
			f.reduced(v)
			if open {
				VADDPD(up, v, v)
				continue
			}
			f.positive(v)
			f.write(v)
		}
	}
	for i, v := range square(x[:]) {
		VMOVDQU(v, Mem{Base: a, Disp: 32 * i})
	}
	ADDQ(U32(128), a)
	ADDQ(Imm(32), one)
	ADDQ(Imm(64), two)
	DECQ(n)
	JNZ(LabelRef(name + "loop"))
	VZEROUPPER()
	RET()
}

// signedWords reduces signed words. A word is high·2^32 + low: the bits of 2^84 + 2^63 + high·2^32 end with those of high, the first one
// turned around.
type signedWords struct {
	f              floats
	low, up, minus VecVirtual
}

func newSignedWords(f floats) signedWords {
	return signedWords{f, words256(1<<32 - 1), words256(0x4530000080000000), words256(0x4530000080000000)}
}

// of returns the signed words x, modulo q and of magnitude at most q/2 + 2^12: c is x/q but for three relative errors of 2^-53, which are
// 3·2^10/q, and its rounding.
func (r signedWords) of(x VecVirtual) VecVirtual {
	high, c := YMM(), YMM()
	VPSRLQ(Imm(32), x, high)
	VPXOR(r.up, high, high)
	VSUBPD(r.minus, high, high)
	VPAND(r.low, x, x)
	r.f.read(x)
	VADDPD(x, high, c)
	VMULPD(r.f.inverse, c, c)
	VROUNDPD(Imm(8), c, c)
	VFNMADD231PD(c, r.f.q, high)
	VADDPD(x, high, high)
	return high
}

// rest returns what is left of low without 2^48 times the numbers at high, of 32 bits, as of does, and these numbers.
func (r signedWords) rest(low, high Mem) (x, h VecVirtual) {
	above := XMM()
	x, h = YMM(), YMM()
	VMOVDQU(high, above)
	VPMOVSXDQ(above, h)
	VPSLLQ(Imm(48), h, h)
	VMOVDQU(low, x)
	VPSUBQ(h, x, x)
	x = r.of(x)
	VCVTDQ2PD(above, h)
	return x, h
}

// liftedNumbers has the arguments from and half.
type liftedNumbers struct{ from, half VecVirtual }

func newLiftedNumbers(f floats) liftedNumbers {
	l := liftedNumbers{broadcast256("from"), broadcast256("half")}
	f.read(l.from)
	f.read(l.half)
	return l
}

// lift sets x, of [0, from), to a number between −from/2 and from/2.
func (l liftedNumbers) lift(x VecVirtual) {
	less := YMM()
	VCMPPD(Imm(1), x, l.half, less) // half < x
	VANDPD(l.from, less, less)
	VSUBPD(less, x, x)
}

// lightWords makes numbers of words modulo q = 2^48 − unit without a reduction: of the word a·2^48 + b that is unit·a + b.
type lightWords struct {
	f                      floats
	unit, sign, add, minus VecVirtual
}

// newLightWords is for words alone, or if added for words to whose bits from 48 on numbers of at most 2^28 in magnitude are added.
func newLightWords(f floats, added bool) lightWords {
	w := lightWords{f: f, unit: broadcast256("unit"), sign: words256(1 << 63)}
	f.read(w.unit)
	offset := uint64(1 << 15) // of the bits from 48 on, which are positive with it
	if added {
		offset = 1 << 30
		w.add = words256(offset - 1<<15)
	}
	w.minus = words256(float52 | offset)
	return w
}

// of returns unit·(a + h) + b of the words x = a·2^48 + b and h, integers, nil for 0.
func (w lightWords) of(x, h VecVirtual) VecVirtual {
	b, a := YMM(), YMM()
	VPBLENDW(Imm(0x88), w.f.magic, x, b) // 2^52 + b
	VSUBPD(w.f.magic, b, b)
	VPXOR(w.sign, x, a)
	VPSRLQ(Imm(48), a, a) // a + 2^15
	if h != nil {
		VPADDQ(h, a, a)
		VPADDQ(w.add, a, a)
	}
	VPOR(w.f.magic, a, a)
	VSUBPD(w.minus, a, a)
	VFMADD231PD(a, w.unit, b)
	return b
}

// firstLevels generates the first levels that are alone of transforms of signed words, of numbers of two words and of lifted ones.
func firstLevels() {
	var f floats
	var words lightWords
	var l liftedNumbers
	const needs = " It needs " + needsFMA + "."
	floatFirst("forwardSignedFMA", "x *uint64", ", unit uint64",
		[]string{"forwardSignedFMA does a level of one twiddle w on two halves of count signed words x, a multiple of 4, of which it makes",
			"floating-point numbers in a. q is 2^48 − unit, unit below 2^20: words are below 1.01·q." + needs},
		func(g floats) { f = g; words = newLightWords(f, false) },
		func(x, _ Mem) VecVirtual { y := YMM(); VMOVDQU(x, y); return words.of(y, nil) })
	floatFirst("forwardWholeFMA", "x *uint64, high *int32", ", unit uint64",
		[]string{"forwardWholeFMA is forwardSignedFMA of the numbers that wholeFMA takes. high is at most 2^28 in magnitude: numbers are below",
			"2.01·q." + needs},
		func(g floats) { f = g; words = newLightWords(f, true) },
		func(x, high Mem) VecVirtual {
			y, h, up := YMM(), YMM(), YMM()
			VPMOVSXDQ(high, h)
			VPSLLQ(Imm(48), h, up)
			VMOVDQU(x, y)
			VPSUBQ(up, y, y)
			return words.of(y, h)
		})
	floatFirst("forwardLiftedFMA", "x *uint64", ", from uint64, half uint64",
		[]string{"forwardLiftedFMA is forwardSignedFMA of numbers of [0, from), from taken off those above half. from is at most 2q, so that",
			"numbers are at most q in magnitude." + needs},
		func(g floats) { f = g; l = newLiftedNumbers(f) },
		func(x, _ Mem) VecVirtual { y := f.loaded(x, true); l.lift(y); return y })
}

// floatFirst generates floatOne of numbers that number makes of a source's vectors, x and high.
func floatFirst(name, source, args string, doc []string, before func(floats), number func(x, high Mem) VecVirtual) {
	TEXT(name, NOSPLIT, "func(a *uint64, count int, "+source+", w uint64, q uint64"+args+")")
	Pragma("noescape")
	Doc(doc...)
	a, h := Load(Param("a"), GP64()), Load(Param("count"), GP64())
	far, x, xFar := GP64(), Load(Param("x"), GP64()), GP64()
	LEAQ(Mem{Base: a, Index: h, Scale: 8}, far)
	LEAQ(Mem{Base: x, Index: h, Scale: 8}, xFar)
	var high, highFar Register
	if strings.Contains(source, "high") {
		high, highFar = Load(Param("high"), GP64()), GP64()
		LEAQ(Mem{Base: high, Index: h, Scale: 4}, highFar)
	}
	f := newFloats()
	w := broadcast256("w")
	f.read(w)
	before(f)
	i := GP64()
	XORQ(i, i)
	Label(name + "loop")
	u := number(Mem{Base: x, Index: i, Scale: 8}, Mem{Base: high, Index: i, Scale: 4})
	v := number(Mem{Base: xFar, Index: i, Scale: 8}, Mem{Base: highFar, Index: i, Scale: 4})
	u, v = f.split(u, v, w)
	VMOVDQU(u, Mem{Base: a, Index: i, Scale: 8})
	VMOVDQU(v, Mem{Base: far, Index: i, Scale: 8})
	ADDQ(Imm(4), i)
	CMPQ(i, h)
	JLT(LabelRef(name + "loop"))
	VZEROUPPER()
	RET()
}

// gathered generates turned, turnedHalves and picked. Places are public.
func gathered() {
	// gather is the numbers of 64 bits at places of 32 bits
	gather := func(from Register, places VecVirtual) VecVirtual {
		x, all := YMM(), YMM()
		VPCMPEQQ(all, all, all)
		VPXOR(x, x, x)
		VPGATHERDQ(all, Mem{Base: from, Index: places, Scale: 8}, x)
		return x
	}
	const two = 1 << 32
	upTo8 := lanes("upToEight", func(i int) uint64 { return []uint64{two, 3*two + 2, 5*two + 4, 7*two + 6, 0, 0, 0, 0}[i] })
	var from, places Register
	var index, step, span, around, q VecVirtual
	// newPlaces begins with the places 0, turn, 2·turn and so on
	newPlaces := func() {
		from, index, step = Load(Param("from"), GP64()), YMM(), YMM()
		span, around = YMM(), YMM()
		for _, k := range []struct {
			name string
			to   VecVirtual
		}{{"n", span}, {"turn", step}} {
			x := XMM()
			VMOVQ(Load(Param(k.name), GP64()), x)
			VPBROADCASTD(x, k.to)
		}
		VPCMPEQD(around, around, around)
		VPADDD(span, around, around) // n − 1
		VMOVDQU(upTo8, index)
		VPMULLD(step, index, index)
		VPSLLD(Imm(3), step, step)
	}
	// next returns the next eight places modulo n, and ones where the places modulo 2n are at least n
	next := func() (place, minus VecVirtual) {
		place, minus = YMM(), YMM()
		VPAND(around, index, place)
		VPAND(span, index, minus)
		VPCMPEQD(span, minus, minus)
		VPADDD(step, index, index)
		return place, minus
	}
	eights{
		name: "turned256", args: ", from *uint64, n uint64, turn uint64, q uint64",
		doc:    []string{"turned256 is turned64 for n up to 2^14. It needs AVX2."},
		before: func() { newPlaces(); q = broadcast256("q") },
		body: func(at func(string, int) Mem) {
			place, minus := next()
			for i := range 2 {
				p, m, wide, y := place.(VecVirtual).AsX().(VecVirtual), minus.AsX().(VecVirtual), YMM(), YMM()
				if i > 0 {
					p, m = XMM(), XMM()
					VEXTRACTI128(Imm(1), place, p)
					VEXTRACTI128(Imm(1), minus, m)
				}
				VPMOVSXDQ(m, wide)
				x := gather(from, p)
				VPXOR(wide, x, x) // −x is the complement of x, and 1
				VPSUBQ(wide, x, x)
				VPAND(q, wide, wide)
				VPADDQ(wide, x, x)
				VPSUBQ(q, x, y) // −0
				VBLENDVPD(y, x, y, x)
				to := at("dst", 0)
				to.Disp += 32 * i
				VMOVDQU(x, to)
			}
		},
	}.generate("dst")
	eights{
		name: "turnedHalves256", of: "int32", args: ", from *int32, n uint64, turn uint64",
		doc:    []string{"turnedHalves256 is turned32 for n up to 2^14. It needs AVX2."},
		before: newPlaces,
		body: fours(func(at func(string) Mem) {
			place, minus := next()
			x, all := YMM(), YMM()
			VPCMPEQD(all, all, all)
			VPXOR(x, x, x)
			VPGATHERDD(all, Mem{Base: from, Index: place, Scale: 4}, x)
			VPXOR(minus, x, x)
			VPSUBD(minus, x, x)
			VMOVDQU(x, at("dst"))
		}),
	}.generate("dst")
	eights{
		name: "picked256", args: ", from *uint64, places *uint32",
		doc:    []string{"picked256 is picked64 for places below 2^31. It needs AVX2."},
		before: func() { from, places = Load(Param("from"), GP64()), Load(Param("places"), GP64()) },
		body: fours(func(at func(string) Mem) {
			p := XMM()
			VMOVDQU(Mem{Base: places}, p)
			VMOVDQU(gather(from, p), at("dst"))
			ADDQ(Imm(16), places)
		}),
	}.generate("dst")
}

// sums256 generates plus.
func sums256() {
	for _, k := range []struct {
		name, what, of, each string
		do                   func(...Op)
	}{
		{"plus256", "adds y to x", "uint64", "8", VPADDQ}, {"minus256", "subtracts y from x", "uint64", "8", VPSUBQ},
		{"plusHalves256", "adds y to x", "int32", "16", VPADDD}, {"minusHalves256", "subtracts y from x", "int32", "16", VPSUBD},
	} {
		eights{
			name: k.name, of: k.of,
			doc: []string{k.name + " " + k.what + ", in blocks of " + k.each + " numbers. It needs AVX2."},
			body: fours(func(at func(string) Mem) {
				x := YMM()
				VMOVDQU(at("x"), x)
				k.do(at("y"), x, x)
				VMOVDQU(x, at("x"))
			}),
		}.generate("x", "y")
	}
}

// fours calls f for both halves of a block of eight numbers.
func fours(f func(at func(operand string) Mem)) func(func(string, int) Mem) {
	return func(at func(string, int) Mem) {
		for h := range 2 {
			f(func(operand string) Mem {
				m := at(operand, 0)
				m.Disp += 32 * h
				return m
			})
		}
	}
}

// withFMA generates the kernels of package he for AVX2 and FMA.
func withFMA() {
	floatTransforms()
	firstLevels()
	gathered()
	sums256()
	floatDot("dotFMA", 2)
	floatDot("dotOneFMA", 1)

	var f floats
	var w VecVirtual
	for _, integers := range []bool{true, false} {
		name, of := "scaleFMA", "integers"
		if !integers {
			name, of = "scaleLastFMA", "floating-point numbers, of which it makes integers,"
		}
		eights{
			name: name, args: ", w uint64, q uint64",
			doc:    []string{name + " multiplies " + of + " by w, modulo q, in blocks of eight. It needs " + needsFMA + "."},
			before: func() { f, w = newFloats(), broadcast256("w"); f.read(w) },
			body: fours(func(at func(string) Mem) {
				x := f.product(f.loaded(at("a"), integers), w)
				f.positive(x)
				f.write(x)
				VMOVDQU(x, at("a"))
			}),
		}.generate("a")
	}

	var q VecVirtual
	eights{
		name: "addBelow256", args: ", q uint64",
		doc:    []string{"addBelow256 adds y to x, both below q, modulo q, in blocks of eight. It needs AVX2."},
		before: func() { q = broadcast256("q") },
		body: fours(func(at func(string) Mem) {
			x, negative := YMM(), YMM()
			VMOVDQU(at("x"), x)
			VPADDQ(at("y"), x, x)
			VPSUBQ(q, x, x)
			VPXOR(negative, negative, negative)
			VPCMPGTQ(x, negative, negative)
			VPAND(q, negative, negative)
			VPADDQ(negative, x, x)
			VMOVDQU(x, at("x"))
		}),
	}.generate("x", "y")

	var l liftedNumbers
	eights{
		name: "liftFMA", args: ", q uint64, from uint64, half uint64",
		doc: []string{"liftFMA sets dst to numbers of [0, from) modulo q, from taken off those above half, in blocks of eight. It needs " +
			needsFMA + "."},
		before: func() { f = newFloats(); l = newLiftedNumbers(f) },
		body: fours(func(at func(string) Mem) {
			x := f.loaded(at("x"), true)
			l.lift(x)
			f.reduced(x)
			f.positive(x)
			f.write(x)
			VMOVDQU(x, at("dst"))
		}),
	}.generate("dst", "x")
	eights{
		name: "divideFMA", args: ", q uint64, from uint64, half uint64, inverse uint64",
		doc: []string{"divideFMA sets dst to (p − x)·inverse modulo q, x lifted from [0, from) as liftFMA does, from below 2^48, in blocks of",
			"eight. It needs " + needsFMA + "."},
		before: func() { f = newFloats(); l = newLiftedNumbers(f); w = broadcast256("inverse"); f.read(w) },
		body: fours(func(at func(string) Mem) {
			x, p := f.loaded(at("x"), true), f.loaded(at("p"), true)
			l.lift(x)
			VSUBPD(x, p, p)
			p = f.product(p, w)
			f.reduced(p) // p − x may be far above q
			f.positive(p)
			f.write(p)
			VMOVDQU(p, at("dst"))
		}),
	}.generate("dst", "p", "x")

	var r signedWords
	eights{
		name: "signedFMA", args: ", q uint64",
		doc:    []string{"signedFMA sets dst to signed words x modulo q, in blocks of eight. It needs " + needsFMA + "."},
		before: func() { f = newFloats(); r = newSignedWords(f) },
		body: fours(func(at func(string) Mem) {
			x := YMM()
			VMOVDQU(at("x"), x)
			x = r.of(x)
			f.positive(x)
			f.write(x)
			VMOVDQU(x, at("dst"))
		}),
	}.generate("dst", "x")
	var highs Register
	eights{
		name: "wholeFMA", args: ", high *int32, q uint64, unit uint64",
		doc: []string{"wholeFMA sets dst to low + 2^64·… modulo q, the number whose sum of bits from 48 on is high and whose other bits' sum is",
			"below 2^63 in magnitude; unit is 2^48 modulo q. It works in blocks of eight and needs " + needsFMA + "."},
		before: func() {
			f = newFloats()
			r = newSignedWords(f)
			w, highs = broadcast256("unit"), Load(Param("high"), GP64())
			f.read(w)
		},
		body: fours(func(at func(string) Mem) {
			x, h := r.rest(at("low"), Mem{Base: highs})
			ADDQ(Imm(16), highs)
			VADDPD(f.product(h, w), x, x)
			f.reduced(x)
			f.positive(x)
			f.write(x)
			VMOVDQU(x, at("dst"))
		}),
	}.generate("dst", "low")

	for _, k := range []struct {
		name, of    string
		minus, plus func(...Op)
		each        string
	}{
		{"butterfly256", "uint64", VPSUBQ, VPADDQ, "8"}, {"butterflyHalves256", "int32", VPSUBD, VPADDD, "16"},
	} {
		eights{
			name: k.name, of: k.of,
			doc: []string{k.name + " sets z to a − b and a to a + b, in blocks of " + k.each + " numbers. It needs AVX2."},
			body: fours(func(at func(string) Mem) {
				a, b, z := YMM(), YMM(), YMM()
				VMOVDQU(at("a"), a)
				VMOVDQU(at("b"), b)
				k.minus(b, a, z)
				k.plus(b, a, a)
				VMOVDQU(a, at("a"))
				VMOVDQU(z, at("z"))
			}),
		}.generate("a", "b", "z")
		eights{
			name: k.name + "Wrapped", of: k.of,
			doc: []string{k.name + "Wrapped sets z to b − a and a to a + b, in blocks of " + k.each + " numbers. It needs AVX2."},
			body: fours(func(at func(string) Mem) {
				a, b, z := YMM(), YMM(), YMM()
				VMOVDQU(at("a"), a)
				VMOVDQU(at("b"), b)
				k.minus(a, b, z)
				k.plus(b, a, a)
				VMOVDQU(a, at("a"))
				VMOVDQU(z, at("z"))
			}),
		}.generate("a", "b", "z")
	}
}

// floatDot generates the sum of products of one or two transforms with others.
func floatDot(name string, sums int) {
	const vectors = 2 // at a time
	names, args, of := []string{"d0", "d1"}[:sums], "d0 *uint64, d1 *uint64, ", "x0 and x1"
	if sums == 1 {
		args, of = "d0 *uint64, ", "x0"
	}
	keeps := "keep0 uint64"
	if sums == 2 {
		keeps += ", keep1 uint64"
	}
	TEXT(name, NOSPLIT, "func("+args+"list **uint64, count int, blocks int, q uint64, unit uint64, "+keeps+")")
	Pragma("noescape")
	Doc(name+" does what dot52 or dotOne52 does, in blocks of 8 numbers: list has the addresses of "+of+" and y for each of count factors,",
		"at most 8, x below q < 2^48 and y below 2^52. unit is 2^-52 modulo q. It needs "+needsFMA+".")
	list, count, blocks := Load(Param("list"), GP64()), Load(Param("count"), GP64()), Load(Param("blocks"), GP64())
	f := newFloats()
	offset, at, left, y, from := GP64(), GP64(), GP64(), GP64(), GP64()
	XORQ(offset, offset)
	Label(name + "loop")
	total := make([][vectors]VecVirtual, sums)
	for i := range total {
		for j := range vectors {
			total[i][j] = YMM()
			VXORPD(total[i][j], total[i][j], total[i][j])
		}
	}
	MOVQ(list, at)
	MOVQ(count, left)
	Label(name + "factor")
	MOVQ(Mem{Base: at, Disp: 8 * sums}, y)
	var ys [vectors]VecVirtual
	for j := range vectors {
		ys[j] = f.loaded(Mem{Base: y, Index: offset, Scale: 1, Disp: 32 * j}, true)
	}
	for i := range total { // a product is below 2q in magnitude, the sum of eight below 2^52
		MOVQ(Mem{Base: at, Disp: 8 * i}, from)
		for j := range vectors {
			p := f.product(f.loaded(Mem{Base: from, Index: offset, Scale: 1, Disp: 32 * j}, true), ys[j])
			VADDPD(p, total[i][j], total[i][j])
		}
	}
	ADDQ(Imm(uint64(8*(sums+1))), at)
	DECQ(left)
	JNZ(LabelRef(name + "factor"))
	unit := broadcast256("unit")
	f.read(unit)
	for i := range total {
		keep, d := broadcast256("keep"+string(rune('0'+i))), GP64()
		Load(Param(names[i]), d)
		for j := range vectors {
			m := Mem{Base: d, Index: offset, Scale: 1, Disp: 32 * j}
			x, before := f.product(total[i][j], unit), YMM()
			VPAND(m, keep, before)
			f.read(before)
			VADDPD(before, x, x)
			f.reduced(x)
			f.positive(x)
			f.write(x)
			VMOVDQU(x, m)
		}
	}
	ADDQ(Imm(32*vectors), offset)
	DECQ(blocks)
	JNZ(LabelRef(name + "loop"))
	VZEROUPPER()
	RET()
}
