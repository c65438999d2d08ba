package main

import (
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
