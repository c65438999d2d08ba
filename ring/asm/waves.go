package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The coefficients of package fixed, from its coefficients.go.
var (
	cosines = []uint64{
		0x0009de9e64df22ef,
		0x00020783e1036b58,
		0x00002aba78fc7965,
		0x000001e1f5068689,
		0x0000000d368f77a5,
		0x000000003f39c48f,
		0x0000000000d979fa,
	}
	sines = []uint64{
		0x000c90fdaa22168c,
		0x00052aef39896f90,
		0x0000a335e33bac40,
		0x000009969667172f,
		0x000000541e0bf690,
		0x00000001e30071d7,
		0x00000000078fce43,
	}
)

// waves52 computes CosSin of package fixed for eight phases, and from it a Wave.
func waves52() {
	var n, zero, top, a, b, shift VecVirtual
	var negA, negB, add Mem
	var polynomials [2][]VecVirtual
	word := func(name string, x uint64) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		DATA(0, U64(x))
		return m
	}
	eighth, fraction := word("eighth", 1<<61), word("fraction", 1<<62-1)
	bias, all, one := word("bias", 1<<51), word("all52", 1<<52-1), word("one", 1)
	high := func(x, y VecVirtual) VecVirtual {
		z := ZMM()
		VMOVDQA64(zero, z)
		VPMADD52HUQ(x, y, z)
		return z
	}
	negated := func(z VecVirtual, where Op) {
		VPSUBQ(z, zero, where, z)
	}
	sign := func(z VecVirtual) Register {
		k := K()
		VPMOVQ2M(z, k)
		return k
	}
	eights{
		name: "waves52", args: ", n uint64, w *uint64, shift uint64",
		doc: []string{"waves52 sets c and s to a wave at n times each phase, in blocks of eight; w are its a, b, negA,",
			"negB and add. It needs AVX512F, AVX512DQ and AVX512IFMA."},
		before: func() {
			n, shift = broadcast("n"), count("shift")
			w := Load(Param("w"), GP64())
			field := func(i int) Mem { return Mem{Base: w, Disp: 8 * i} }
			a, b = ZMM(), ZMM()
			VPBROADCASTQ(field(0), a)
			VPBROADCASTQ(field(1), b)
			negA, negB, add = field(2), field(3), field(4)
			top, zero = words(1<<50), ZMM()
			VPXORQ(zero, zero, zero)
			for i, coefficients := range [][]uint64{cosines, sines} {
				for _, x := range coefficients {
					polynomials[i] = append(polynomials[i], words(x))
				}
			}
		},
		body: func(at func(string, int) Mem) {
			t, r := ZMM(), ZMM()
			VPMULLQ(at("phases", 0), n, t)
			VPADDQ_BCST(eighth, t, t) // the top two bits are the quarter
			VPANDQ_BCST(fraction, t, r)
			VPSUBQ_BCST(eighth, r, r)
			negative := sign(r)
			VPABSQ(r, r)
			VPSRLQ(Imm(10), r, r)
			y := high(r, r)
			var parts [2]VecVirtual
			for i, p := range polynomials {
				x := p[len(p)-1]
				for j := len(p) - 2; j >= 0; j-- {
					h := high(y, x)
					VPSUBQ(h, p[j], h)
					x = h
				}
				if i == 0 {
					parts[i] = high(y, x)
				} else {
					parts[i] = high(r, x)
				}
				VPADDQ_BCST(one, parts[i], parts[i])
				VPSRLQ(Imm(1), parts[i], parts[i])
			}
			VPSUBQ(parts[0], top, parts[0])
			negated(parts[1], negative)

			next := ZMM()
			VPADDQ(t, t, next)
			odd := sign(next)
			cos, sin := ZMM(), ZMM()
			VPBLENDMQ(parts[1], parts[0], odd, cos)
			VPBLENDMQ(parts[0], parts[1], odd, sin)
			negated(sin, sign(t))
			VPXORQ(t, next, next)
			negated(cos, sign(next))
			VPADDQ_BCST(bias, cos, cos)
			VPADDQ_BCST(bias, sin, sin)

			with := func(x VecVirtual, neg Mem) VecVirtual {
				z := ZMM()
				VPXORQ_BCST(neg, x, z)
				return z
			}
			c, s, other := ZMM(), ZMM(), with(cos, negB)
			VPXORQ_BCST(all, other, other)
			VPBROADCASTQ(add, c)
			VPMADD52HUQ(a, with(cos, negA), c)
			VPMADD52HUQ(b, with(sin, negB), c)
			VPBROADCASTQ(add, s)
			VPMADD52HUQ(a, with(sin, negA), s)
			VPMADD52HUQ(b, other, s)
			for _, x := range []struct {
				z  VecVirtual
				to string
			}{{c, "c"}, {s, "s"}} {
				VPSRAQ(shift, x.z, x.z)
				VMOVDQU64(x.z, at(x.to, 0))
			}
		},
	}.generate("c", "s", "phases")
}

// wavesFMA does what waves52 does, for four phases at a time. Numbers below 2^52 are integers or floating-point numbers with the same
// value. While numbers are rounded down, a sum x·y + 2^52 of floating-point numbers 0 ≤ x < 1 and 0 ≤ y < 2^52 is 2^52 + ⌊x·y⌋, as its
// last place is that of ones: a product's high half by one instruction. The bits of 2^52 + i are those of 2^52 plus i, for 0 ≤ i ≤ 2^52.
func wavesFMA() {
	constant := func(name string, x uint64) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i := range 4 {
			DATA(8*i, U64(x))
		}
		return m
	}
	float := func(name string, x float64) Mem { return constant(name, math.Float64bits(x)) }
	eighth, fraction := constant("eighth256", 1<<61), constant("fraction256", 1<<62-1)
	bias, one, top := constant("bias256", 1<<51), constant("one256", 1), constant("top256", 1<<50)
	unit, down := float("unit256", 1<<52), float("down256", 1.0/(1<<52))
	// Of each polynomial the last coefficient, and 2^53 less the others.
	var polynomials [2][]Mem
	for i, coefficients := range [][]uint64{cosines, sines} {
		for j, x := range coefficients {
			if j < len(coefficients)-1 {
				x = 1<<53 - x
			}
			polynomials[i] = append(polynomials[i], float(fmt.Sprintf("polynomial%d_%d", i, j), float64(x)))
		}
	}
	var n, twice, zero, shift VecVirtual
	var w Register
	var rounding Mem
	field := func(i int) VecVirtual {
		y := YMM()
		VPBROADCASTQ(Mem{Base: w, Disp: 8 * i}, y)
		return y
	}
	load := func(m Mem) VecVirtual {
		y := YMM()
		VMOVDQU(m, y)
		return y
	}
	negative := func(x VecVirtual) VecVirtual {
		y := YMM()
		VPCMPGTQ(x, zero, y)
		return y
	}
	// negated is −x where the mask has ones.
	negated := func(x, mask VecVirtual) {
		VPXOR(mask, x, x)
		VPSUBQ(mask, x, x)
	}
	eights{
		name: "wavesFMA", args: ", n uint64, w *uint64, shift uint64",
		doc: []string{"wavesFMA sets c and s to a wave at n times each phase, in blocks of eight; w are the waveWords. It needs AVX2 and FMA."},
		before: func() {
			rounding = AllocLocal(8)
			n, shift, w = broadcast256("n"), count("shift"), Load(Param("w"), GP64())
			zero, twice = YMM(), load(float("twice256", 1<<53))
			VPXOR(zero, zero, zero)
			mode := GP32()
			STMXCSR(rounding)
			MOVL(rounding, mode)
			ANDL(I32(^0x6000), mode)
			ORL(I32(0x2000), mode) // round down
			next := rounding.Offset(4)
			MOVL(mode, next)
			LDMXCSR(next)
		},
		body: fours(func(at func(string) Mem) {
			t, r := product256(load(at("phases")), n), YMM()
			VPADDQ(eighth, t, t) // the top two bits are the quarter
			VPAND(fraction, t, r)
			VPSUBQ(eighth, r, r)
			below := negative(r)
			negated(r, below)
			VPSRLQ(Imm(10), r, r)
			VPOR(unit, r, r)
			VSUBPD(unit, r, r)
			scaled := func(x VecVirtual) VecVirtual {
				z := YMM()
				VMULPD(down, x, z)
				return z
			}
			r1 := scaled(r)
			VFMADD213PD(unit, r1, r)
			VSUBPD(unit, r, r)
			y := scaled(r)
			var parts [2]VecVirtual
			for i, p := range polynomials {
				x := load(p[len(p)-1])
				for j := len(p) - 2; j >= 0; j-- {
					VFMADD213PD(p[j], y, x) // 2^53 less the next number, and at least 2^52
					VSUBPD(x, twice, x)
				}
				by := y
				if i == 1 {
					by = r1
				}
				VFMADD213PD(unit, by, x)
				VPSUBQ(unit, x, x)
				VPADDQ(one, x, x)
				VPSRLQ(Imm(1), x, x)
				parts[i] = x
			}
			cos, sin, next, mask := YMM(), YMM(), YMM(), YMM()
			VMOVDQU(top, mask)
			VPSUBQ(parts[0], mask, parts[0])
			negated(parts[1], below)
			VPADDQ(t, t, next)
			VBLENDVPD(next, parts[1], parts[0], cos)
			VBLENDVPD(next, parts[0], parts[1], sin)
			negated(sin, negative(t))
			VPXOR(t, next, next)
			negated(cos, negative(next))
			VPADDQ(bias, cos, cos)
			VPADDQ(bias, sin, sin)

			// high are the bits of ⌊factor·(x ^ neg)/2^52⌋ + 2^52. As x ^ neg + 2^52 is multiplied, the sum has less of the factor.
			high := func(x VecVirtual, factor, neg int) VecVirtual {
				z, k := field(neg), field(factor)
				VPXOR(x, z, z)
				VFMADD213PD(field(factor+1), k, z)
				return z
			}
			for i, to := range []string{"c", "s"} {
				x, z := cos, sin
				other := waveNegB
				if i == 1 {
					x, z, other = sin, cos, waveOther
				}
				sum := high(x, waveA, waveNegA)
				VPADDQ(high(z, waveB, other), sum, sum)
				VPADDQ(field(waveAdd), sum, sum)
				VPSRLQ(shift, sum, sum)
				VPSUBQ(field(waveLess), sum, sum)
				VMOVDQU(sum, at(to))
			}
		}),
		after: func() { LDMXCSR(rounding) },
	}.generate("c", "s", "phases")
}

// The waveWords of package fixed.
const (
	waveA = iota // and after it what is added to the product
	_
	waveB
	_
	waveNegA
	waveNegB
	waveOther
	waveAdd
	waveLess
)
