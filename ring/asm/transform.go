package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Transforms of package he. A butterfly is that of he's split or joined on eight lanes. Products with twiddles take
// ⌊w·2^b/q⌋: b is 52 for primes below 2^50 (IFMA), and 64 for others.

// residues is arithmetic modulo a prime on eight lanes.
type residues struct {
	ifma bool
	// lazy says that numbers are not reduced in butterflies, but grow by 2q in each. Of their words only the low 52 bits count, which is
	// all that products read; unmasked others must be cleared before numbers are compared.
	lazy             bool
	q, twice, minus  VecVirtual // minus is 2^52 − q, of IFMA
	zero, mask, half VecVirtual // half has the low 32 bits
}

// lightBits is the number of bits of primes q = 2^48 − δ, δ < 2^20, of which 16 fit 52 bits: package he calls them light.
const lightBits = 48

// newResidues loads the modulus from the argument q.
func newResidues(ifma bool) residues {
	r := residues{ifma: ifma, q: broadcast("q"), twice: ZMM(), zero: ZMM()}
	VPADDQ(r.q, r.q, r.twice)
	VPXORQ(r.zero, r.zero, r.zero)
	if ifma {
		r.mask, r.minus = words(1<<52-1), words(1<<52)
		VPSUBQ(r.q, r.minus, r.minus)
	} else {
		r.half = words(1<<32 - 1)
	}
	return r
}

// below subtracts m from x, if that is not negative.
func below(x, m VecVirtual) {
	d := ZMM()
	VPSUBQ(m, x, d)
	VPMINUQ(d, x, x)
}

// twiddle holds w and ⌊w·2^b/q⌋.
type twiddle struct{ w, over VecVirtual }

// product returns v·t.w modulo q, below 2q; of lazy numbers as its low 52 bits.
func (r residues) product(v VecVirtual, t twiddle) VecVirtual {
	x := ZMM()
	if r.ifma {
		high := ZMM()
		VMOVDQA64(r.zero, high)
		VPMADD52HUQ(t.over, v, high)
		VMOVDQA64(r.zero, x)
		VPMADD52LUQ(t.w, v, x)
		VPMADD52LUQ(r.minus, high, x)
		if !r.lazy {
			VPANDQ(r.mask, x, x)
		}
		return x
	}
	high := r.high(v, t.over)
	VPMULLQ(t.w, v, x)
	VPMULLQ(r.q, high, high)
	VPSUBQ(high, x, x)
	return x
}

// high is the high word of the product of words.
func (r residues) high(a, b VecVirtual) VecVirtual {
	ah, bh, low, cross, other, out := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VPSRLQ(Imm(32), a, ah)
	VPSRLQ(Imm(32), b, bh)
	VPMULUDQ(a, b, low)
	VPMULUDQ(ah, b, cross)
	VPMULUDQ(a, bh, other)
	VPMULUDQ(ah, bh, out)
	VPSRLQ(Imm(32), low, low)
	VPADDQ(low, cross, cross)
	VPANDQ(r.half, cross, low)
	VPADDQ(low, other, other)
	VPSRLQ(Imm(32), cross, cross)
	VPSRLQ(Imm(32), other, other)
	VPADDQ(cross, out, out)
	VPADDQ(other, out, out)
	return out
}

// split is he's split: u + w·v and u − w·v.
func (r residues) split(u, v VecVirtual, t twiddle) (plus, less VecVirtual) {
	if !r.lazy {
		below(u, r.twice)
	}
	x := r.product(v, t)
	plus, less = ZMM(), ZMM()
	VPADDQ(x, u, plus)
	VPADDQ(r.twice, u, less)
	VPSUBQ(x, less, less)
	return plus, less
}

// joined is he's joined: u + v and w·(u − v).
func (r residues) joined(u, v VecVirtual, t twiddle) (sum, rest VecVirtual) {
	sum = ZMM()
	d := ZMM()
	VPADDQ(v, u, sum)
	below(sum, r.twice)
	VPADDQ(r.twice, u, d)
	VPSUBQ(v, d, d)
	return sum, r.product(d, t)
}

// permuted is a vector of indices for VPERMQ and VPERMT2Q.
func permuted(name string, of ...uint64) VecVirtual {
	z := ZMM()
	VMOVDQU64(lanes(name, func(i int) uint64 { return of[i] }), z)
	return z
}

// Numbers of a block of 16 are in lanes of two vectors, so that a level's butterflies are those of the vectors' lanes and its twiddles lie
// in order, as often as there are lanes for them. arranged returns, for each lane of a vector in one arrangement, the lane of both
// vectors in another one, for VPERMT2Q: arrangement i is that of the level whose pairs are 8 >> i apart, 0 the order in memory.
func arranged(from, to, vector int) (of []uint64) {
	at := func(arrangement, place int) int { // the number's place in the block
		vector, lane := place/8, place%8
		bit := func(i int) int { return lane >> i & 1 }
		switch arrangement {
		case 1:
			return 8*bit(0) + 4*vector + lane>>1
		case 2:
			return 8*bit(1) + 4*bit(0) + 2*vector + bit(2)
		case 3:
			return 2*lane + vector
		}
		return place
	}
	for lane := range 8 {
		for place := range 16 {
			if at(from, place) == at(to, 8*vector+lane) {
				of = append(of, uint64(place))
			}
		}
	}
	return of
}

// light is what reductions modulo a light prime take: δ and the low bits.
type light struct{ delta, low VecVirtual }

func newLight(r residues) light {
	l := light{words(1 << lightBits), words(1<<lightBits - 1)}
	VPSUBQ(r.q, l.delta, l.delta)
	return l
}

// reduced sets x, below 16q in its low 52 bits, to x modulo q: as 2^48 = q + δ, that is the low bits plus δ times the others, or q less.
func (l light) reduced(x VecVirtual, r residues) {
	high := ZMM()
	VPANDQ(r.mask, x, high)
	VPSRLQ(Imm(lightBits), high, high)
	VPANDQ(l.low, x, x)
	VPMADD52LUQ(l.delta, high, x)
	below(x, r.q)
}

// lightTransforms generates the passes of forward transforms for light primes, with sums of weights as what is transformed.
func lightTransforms(needs string) {
	transforms("48", needs, true, true)
	lifted(needs)
	for _, whole := range []bool{true, false} {
		name, args, doc := "forwardSigned48", "", "low, signed,"
		if whole {
			name, args, doc = "forwardWhole48", "high *int32, ", "low + 2^64·…, as whole52 has them,"
		}
		TEXT(name, NOSPLIT, "func(a *uint64, half int, low *uint64, "+args+"w uint64, over uint64, q uint64, offset uint64, plus uint64)")
		Pragma("noescape")
		Doc(name+" sets a to what forwardOne48 makes of numbers "+doc+" below 5q but for that level.",
			"offset is added to the bits from 48 on, which are not negative then, and plus is −offset·2^48 modulo q. It needs "+needs+".")
		a, h, low := Load(Param("a"), GP64()), Load(Param("half"), GP64()), Load(Param("low"), GP64())
		var high Register
		if whole {
			high = Load(Param("high"), GP64())
		}
		t := twiddle{broadcast("w"), broadcast("over")}
		offset, plus := broadcast("offset"), broadcast("plus")
		r := newResidues(true)
		r.lazy = true
		l := newLight(r)
		n := GP64()
		MOVQ(h, n)
		SHRQ(Imm(3), n)
		residue := func(at, highAt Mem) VecVirtual {
			x, up := loaded(at), ZMM()
			if whole {
				h, low := ZMM(), ZMM()
				VPMOVSXDQ(highAt, h)
				VPSLLQ(Imm(lightBits), h, low)
				VPSUBQ(low, x, x)
				VPSRAQ(Imm(lightBits), x, up)
				VPADDQ(h, up, up)
			} else {
				VPSRAQ(Imm(lightBits), x, up)
			}
			VPADDQ(offset, up, up)
			VPANDQ(l.low, x, x)
			VPADDQ(plus, x, x)
			VPMADD52LUQ(l.delta, up, x)
			return x
		}
		var near, far Mem
		if whole {
			near, far = Mem{Base: high}, Mem{Base: high, Index: h, Scale: 4}
		}
		Label(name + "loop")
		u := residue(Mem{Base: low}, near)
		v := residue(Mem{Base: low, Index: h, Scale: 8}, far)
		u, v = r.split(u, v, t)
		VMOVDQU64(u, Mem{Base: a})
		VMOVDQU64(v, Mem{Base: a, Index: h, Scale: 8})
		ADDQ(Imm(64), a)
		ADDQ(Imm(64), low)
		if whole {
			ADDQ(Imm(32), high)
		}
		DECQ(n)
		JNZ(LabelRef(name + "loop"))
		VZEROUPPER()
		RET()
	}
}

// lifted generates forwardLifted48.
func lifted(needs string) {
	const name = "forwardLifted48"
	TEXT(name, NOSPLIT, "func(a *uint64, half int, from *uint64, w uint64, over uint64, q uint64, most uint64, add uint64)")
	Pragma("noescape")
	Doc(name+" sets a to what forwardOne48 makes of the numbers at from, with add added to those above most. The sums are below 2q.",
		"It needs "+needs+".")
	a, h, from := Load(Param("a"), GP64()), Load(Param("half"), GP64()), Load(Param("from"), GP64())
	t := twiddle{broadcast("w"), broadcast("over")}
	most, add := broadcast("most"), broadcast("add")
	r := newResidues(true)
	r.lazy = true
	n := GP64()
	MOVQ(h, n)
	SHRQ(Imm(3), n)
	lift := func(at Mem) VecVirtual {
		x, above := loaded(at), ZMM()
		VPSUBQ(x, most, above) // negative if x is above
		VPSRAQ(Imm(63), above, above)
		VPANDQ(add, above, above)
		VPADDQ(above, x, x)
		return x
	}
	Label(name + "loop")
	u, v := r.split(lift(Mem{Base: from}), lift(Mem{Base: from, Index: h, Scale: 8}), t)
	VMOVDQU64(u, Mem{Base: a})
	VMOVDQU64(v, Mem{Base: a, Index: h, Scale: 8})
	ADDQ(Imm(64), a)
	ADDQ(Imm(64), from)
	DECQ(n)
	JNZ(LabelRef(name + "loop"))
	VZEROUPPER()
	RET()
}

// transforms generates the passes of transforms for one kind of primes: those of forward transforms if lazy.
func transforms(suffix, needs string, ifma, lazy bool) {
	residuesOf := func() residues {
		r := newResidues(ifma)
		r.lazy = lazy
		return r
	}
	eight := func(r residues) VecVirtual {
		z := ZMM()
		VPSLLQ(Imm(3), r.q, z)
		return z
	}
	at := func(base Register, index Register, scale uint8) Mem {
		return Mem{Base: base, Index: index, Scale: scale}
	}
	spread := func(p Register) VecVirtual {
		z := ZMM()
		VPBROADCASTQ(Mem{Base: p}, z)
		return z
	}
	store := func(z VecVirtual, to Mem) { VMOVDQU64(z, to) }
	// table is the addresses of twiddle k·scale + i of both tables.
	type table struct{ w, over Register }
	tables := func(k Register, scale uint8) table {
		w, over := Load(Param("w"), GP64()), Load(Param("over"), GP64())
		LEAQ(Mem{Base: w, Index: k, Scale: scale}, w)
		LEAQ(Mem{Base: over, Index: k, Scale: scale}, over)
		return table{w, over}
	}

	for _, forward := range []bool{true, false} {
		if lazy && !forward {
			continue
		}
		way, what := "forward", "split"
		if !forward {
			way, what = "backward", "joined"
		}
		// one level: n/2 butterflies with one twiddle
		name := way + "One" + suffix
		TEXT(name, NOSPLIT, "func(a *uint64, half int, w uint64, over uint64, q uint64)")
		Pragma("noescape")
		Doc(name + " does " + what + " with one twiddle on two halves of so many numbers, a multiple of 8. It needs " + needs + ".")
		a, h := Load(Param("a"), GP64()), Load(Param("half"), GP64())
		t := twiddle{broadcast("w"), broadcast("over")}
		r := residuesOf()
		n := GP64()
		MOVQ(h, n)
		SHRQ(Imm(3), n)
		Label(name + "loop")
		u, v := loaded(Mem{Base: a}), loaded(at(a, h, 8))
		if forward {
			u, v = r.split(u, v, t)
		} else {
			u, v = r.joined(u, v, t)
		}
		store(u, Mem{Base: a})
		store(v, at(a, h, 8))
		ADDQ(Imm(64), a)
		DECQ(n)
		JNZ(LabelRef(name + "loop"))
		VZEROUPPER()
		RET()

		// two levels
		var k Register
		for _, reduce := range []bool{false, true} {
			if reduce && !lazy {
				continue
			}
			name = way + "Two" + suffix
			if reduce {
				name = way + "TwoBelow" + suffix
			}
			TEXT(name, NOSPLIT, "func(a *uint64, groups int, t int, w *uint64, over *uint64, q uint64)")
			Pragma("noescape")
			doc := "2·groups. It needs " + needs + "."
			if reduce {
				doc = "2·groups. Numbers are below 16q, and 12q afterwards. It needs " + needs + "."
			}
			Doc(name+" does two levels on groups of 4t numbers, t a multiple of 8: those whose twiddles begin at groups and", doc)
			a = Load(Param("a"), GP64())
			k = Load(Param("groups"), GP64())
			step := Load(Param("t"), GP64())
			SHLQ(Imm(3), step)
			step3 := GP64()
			LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
			one, two := tables(k, 8), table{}
			{
				k2 := GP64()
				LEAQ(Mem{Base: k, Index: k, Scale: 1}, k2)
				two = tables(k2, 8)
			}
			r = residuesOf()
			var most VecVirtual
			if reduce {
				most = eight(r)
			}
			Label(name + "group")
			t0 := twiddle{spread(one.w), spread(one.over)}
			tw := func(i int) twiddle {
				x := twiddle{ZMM(), ZMM()}
				VPBROADCASTQ(Mem{Base: two.w, Disp: 8 * i}, x.w)
				VPBROADCASTQ(Mem{Base: two.over, Disp: 8 * i}, x.over)
				return x
			}
			t1, t2 := tw(0), tw(1)
			n = GP64()
			MOVQ(step, n)
			SHRQ(Imm(6), n)
			Label(name + "loop")
			x0, x1 := loaded(Mem{Base: a}), loaded(at(a, step, 1))
			x2, x3 := loaded(at(a, step, 2)), loaded(at(a, step3, 1))
			if reduce {
				for _, x := range []VecVirtual{x0, x1} {
					VPANDQ(r.mask, x, x)
					below(x, most)
				}
			}
			if forward {
				x0, x2 = r.split(x0, x2, t0)
				x1, x3 = r.split(x1, x3, t0)
				x0, x1 = r.split(x0, x1, t1)
				x2, x3 = r.split(x2, x3, t2)
			} else {
				x0, x1 = r.joined(x0, x1, t1)
				x2, x3 = r.joined(x2, x3, t2)
				x0, x2 = r.joined(x0, x2, t0)
				x1, x3 = r.joined(x1, x3, t0)
			}
			store(x0, Mem{Base: a})
			store(x1, at(a, step, 1))
			store(x2, at(a, step, 2))
			store(x3, at(a, step3, 1))
			ADDQ(Imm(64), a)
			DECQ(n)
			JNZ(LabelRef(name + "loop"))
			ADDQ(step3, a)
			ADDQ(Imm(8), one.w)
			ADDQ(Imm(8), one.over)
			ADDQ(Imm(16), two.w)
			ADDQ(Imm(16), two.over)
			DECQ(k)
			JNZ(LabelRef(name + "group"))
			VZEROUPPER()
			RET()
		}

		// the four levels of blocks of 16
		for _, open := range []bool{false, true} {
			if open && !lazy {
				continue
			}
			name = way + "Four" + suffix
			if open {
				name = way + "FourOpen" + suffix
			}
			TEXT(name, NOSPLIT, "func(a *uint64, blocks int, w *uint64, over *uint64, q uint64)")
			Pragma("noescape")
			doc := "and numbers are below q at the end"
			switch {
			case open:
				doc = "and numbers are any of 52 bits and more at the end, of which the low 52 bits are right"
			case !forward:
				doc = "in the order of the inverse"
			}
			Doc(name+" does the four levels within blocks of 16 numbers, whose twiddles begin at blocks, 2, 4 and 8·blocks,",
				doc+". It needs "+needs+".")
			a = Load(Param("a"), GP64())
			k = Load(Param("blocks"), GP64())
			var level [4]table
			scaled := GP64()
			MOVQ(k, scaled)
			for i := range level {
				level[i] = tables(scaled, 8)
				ADDQ(scaled, scaled)
			}
			r = residuesOf()
			var most VecVirtual
			var l light
			if lazy {
				most = eight(r)
			}
			if lazy && !open {
				l = newLight(r)
			}
			tw := func(i int) twiddle {
				x := twiddle{ZMM(), ZMM()}
				load := []func(...Op){VPBROADCASTQ, VBROADCASTI64X2, VBROADCASTI64X4, VMOVDQU64}[i]
				load(Mem{Base: level[i].w}, x.w)
				load(Mem{Base: level[i].over}, x.over)
				return x
			}
			order := []int{1, 2, 3}
			if !forward {
				order = []int{3, 2, 1}
			}
			moves := [4][2]VecVirtual{} // into each arrangement from the one before it
			for i, to := range append(order, 0) {
				before := 0
				if i > 0 {
					before = order[i-1]
				}
				for j := range moves[to] {
					moves[to][j] = permuted(fmt.Sprint(name, to, "of", j), arranged(before, to, j)...)
				}
			}
			Label(name + "loop")
			x, y := loaded(Mem{Base: a}), loaded(Mem{Base: a, Disp: 64})
			move := func(to int) {
				z := ZMM()
				VMOVDQA64(x, z)
				VPERMT2Q(y, moves[to][0], z)
				VPERMT2Q(y, moves[to][1], x)
				x, y = z, x
			}
			if lazy {
				VPANDQ(r.mask, x, x)
				below(x, most)
			}
			if forward {
				x, y = r.split(x, y, tw(0))
				for _, i := range order {
					move(i)
					x, y = r.split(x, y, tw(i))
				}
				for _, z := range []VecVirtual{x, y} {
					switch {
					case !lazy:
						below(z, r.twice)
						below(z, r.q)
					case !open:
						l.reduced(z, r)
					}
				}
				move(0)
			} else {
				for _, i := range order {
					move(i)
					x, y = r.joined(x, y, tw(i))
				}
				move(0)
				x, y = r.joined(x, y, tw(0))
			}
			store(x, Mem{Base: a})
			store(y, Mem{Base: a, Disp: 64})
			ADDQ(Imm(128), a)
			for i, x := range level {
				ADDQ(Imm(8<<i), x.w)
				ADDQ(Imm(8<<i), x.over)
			}
			DECQ(k)
			JNZ(LabelRef(name + "loop"))
			VZEROUPPER()
			RET()
		}
	}

	if lazy {
		return
	}
	var r residues
	var t twiddle
	eights{
		name: "scaleAll" + suffix, args: ", w uint64, over uint64, q uint64",
		doc:    []string{"scaleAll" + suffix + " multiplies numbers by w, below q. It needs " + needs + "."},
		before: func() { t, r = twiddle{broadcast("w"), broadcast("over")}, newResidues(ifma) },
		body: func(at func(string, int) Mem) {
			x := r.product(loaded(at("a", 0)), t)
			below(x, r.q)
			VMOVDQU64(x, at("a", 0))
		},
	}.generate("a")
}

// montgomery returns Σ a_i·b_i/2^52 modulo q, for lanes below 2^52: below q for each product and q more. neg is −1/q modulo
// 2^52.
func (r residues) montgomery(neg VecVirtual, ab ...[2]VecVirtual) VecVirtual {
	low, high := ZMM(), ZMM()
	VMOVDQA64(r.zero, low)
	VMOVDQA64(r.zero, high)
	for _, x := range ab {
		VPMADD52LUQ(x[0], x[1], low)
		VPMADD52HUQ(x[0], x[1], high)
	}
	m := ZMM()
	VMOVDQA64(r.zero, m)
	VPMADD52LUQ(neg, low, m)
	VPMADD52LUQ(r.q, m, low)
	VPMADD52HUQ(r.q, m, high)
	VPSRLQ(Imm(52), low, low)
	VPADDQ(low, high, high)
	return high
}

// polynomials generates the kernels of package he on polynomials modulo primes below 2^50.
func polynomials() {
	const needs = "AVX512F, AVX512DQ and AVX512IFMA"
	transforms("52", needs, true, false)
	transforms("64", "AVX512F and AVX512DQ", false, false)
	lightTransforms(needs)

	var r residues
	var neg VecVirtual
	eights{
		name: "mulAdd52", args: ", q uint64, neg uint64",
		doc:    []string{"mulAdd52 adds x·y/2^52 modulo q to dst; neg is −1/q modulo 2^52. It needs " + needs + "."},
		before: func() { r, neg = newResidues(true), broadcast("neg") },
		body: func(at func(string, int) Mem) {
			p := r.montgomery(neg, [2]VecVirtual{loaded(at("x", 0)), loaded(at("y", 0))})
			VPADDQ(at("dst", 0), p, p)
			below(p, r.twice)
			below(p, r.q)
			VMOVDQU64(p, at("dst", 0))
		},
	}.generate("dst", "x", "y")

	dots()
	eights{
		name: "addBelow", args: ", q uint64",
		doc:    []string{"addBelow adds y to x, both below q. It needs AVX512F."},
		before: func() { r.q = broadcast("q") },
		body: func(at func(string, int) Mem) {
			x := loaded(at("x", 0))
			VPADDQ(at("y", 0), x, x)
			below(x, r.q)
			VMOVDQU64(x, at("x", 0))
		},
	}.generate("x", "y")

	// constants at c: of p, of the low 52 bits of x, of its other bits, half, and what is added if x is above half
	var c [5]VecVirtual
	eights{
		name: "affine52", args: ", c *uint64, q uint64, neg uint64",
		doc: []string{"affine52 sets dst to (p·c[0] + x0·c[1] + x1·c[2])/2^52 modulo q, x = x0 + 2^52·x1, and adds c[4] where x is above",
			"c[3]; neg is −1/q modulo 2^52. It needs " + needs + "."},
		before: func() {
			r, neg = newResidues(true), broadcast("neg")
			from := Load(Param("c"), GP64())
			for i := range c {
				c[i] = ZMM()
				VPBROADCASTQ(Mem{Base: from, Disp: 8 * i}, c[i])
			}
		},
		body: func(at func(string, int) Mem) {
			x, high, above := loaded(at("x", 0)), ZMM(), ZMM()
			VPSRLQ(Imm(52), x, high)
			s := r.montgomery(neg, [2]VecVirtual{loaded(at("p", 0)), c[0]}, [2]VecVirtual{x, c[1]}, [2]VecVirtual{high, c[2]})
			VPSUBQ(x, c[3], above) // negative if x is above
			VPSRAQ(Imm(63), above, above)
			VPANDQ(c[4], above, above)
			VPADDQ(above, s, s)
			below(s, r.twice)
			below(s, r.q)
			VMOVDQU64(s, at("dst", 0))
		},
	}.generate("dst", "p", "x")

	for _, k := range []struct {
		name, of, doc string
		minus, plus   func(...Op)
		wraps         bool
	}{
		{"butterflyPlain", "uint64", "sets z to a − b and a to a + b, in blocks of 8", VPSUBQ, VPADDQ, false},
		{"butterflyWrapped", "uint64", "sets z to b − a and a to a + b, in blocks of 8", VPSUBQ, VPADDQ, true},
		{"butterflyPlainHalves", "int32", "sets z to a − b and a to a + b, in blocks of 16", VPSUBD, VPADDD, false},
		{"butterflyWrappedHalves", "int32", "sets z to b − a and a to a + b, in blocks of 16", VPSUBD, VPADDD, true},
	} {
		eights{
			name: k.name, of: k.of, doc: []string{k.name + " " + k.doc + " numbers. It needs AVX512F."},
			body: func(at func(string, int) Mem) {
				a, b, z := loaded(at("a", 0)), loaded(at("b", 0)), ZMM()
				if k.wraps {
					k.minus(a, b, z)
				} else {
					k.minus(b, a, z)
				}
				k.plus(b, a, a)
				VMOVDQU64(a, at("a", 0))
				VMOVDQU64(z, at("z", 0))
			},
		}.generate("a", "b", "z")
	}

	for _, k := range []struct {
		name, of, doc string
		do            func(...Op)
	}{
		{"add64", "uint64", "adds y to x, in blocks of 8", VPADDQ}, {"subtract64", "uint64", "subtracts y from x, in blocks of 8", VPSUBQ},
		{"add32", "int32", "adds y to x, in blocks of 16", VPADDD}, {"subtract32", "int32", "subtracts y from x, in blocks of 16", VPSUBD},
	} {
		eights{
			name: k.name, of: k.of, doc: []string{k.name + " " + k.doc + " numbers. It needs AVX512F."},
			body: func(at func(string, int) Mem) {
				x := loaded(at("x", 0))
				k.do(at("y", 0), x, x)
				VMOVDQU64(x, at("x", 0))
			},
		}.generate("x", "y")
	}

	var index, step, around, span, zero VecVirtual
	var from, highs Register
	eights{
		name: "turned64", args: ", from *uint64, n uint64, turn uint64, q uint64",
		doc: []string{"turned64 sets number i of dst to ± from[i·turn modulo n] modulo q, minus if i·turn modulo 2n is at least n. n is a power of two.",
			"Numbers are below q, or any modulo 2^64 if q is 0. It needs AVX512F and AVX512DQ."},
		before: func() {
			r.q, from = broadcast("q"), Load(Param("from"), GP64())
			span, around = broadcast("n"), ZMM()
			VPSUBQ(words(1), span, around) // n − 1
			step = broadcast("turn")
			index = permuted("upTo8", 0, 1, 2, 3, 4, 5, 6, 7)
			VPMULLQ(step, index, index)
			VPSLLQ(Imm(3), step, step)
		},
		body: func(at func(string, int) Mem) {
			place, x, all, minus := ZMM(), ZMM(), K(), K()
			VPANDQ(around, index, place)
			VPTESTMQ(span, index, minus)
			KXNORW(all, all, all)
			VPXORQ(x, x, x)
			VPGATHERQQ(Mem{Base: from, Index: place, Scale: 8}, all, x)
			VPSUBQ(x, r.q, minus, x)
			below(x, r.q) // −0
			VMOVDQU64(x, at("dst", 0))
			VPADDQ(step, index, index)
		},
	}.generate("dst")

	eights{
		name: "turned32", of: "int32", args: ", from *int32, n uint64, turn uint64",
		doc: []string{"turned32 is turned64 of numbers of 32 bits, modulo 2^32, in blocks of 16. It needs AVX512F and AVX512DQ."},
		before: func() {
			from = Load(Param("from"), GP64())
			span, around, zero, step = ZMM(), ZMM(), ZMM(), ZMM()
			n, turn := Load(Param("n"), GP64()), Load(Param("turn"), GP64())
			VPBROADCASTD(n.(GPVirtual).As32(), span)
			DECQ(n)
			VPBROADCASTD(n.(GPVirtual).As32(), around)
			VPBROADCASTD(turn.(GPVirtual).As32(), step)
			VPXORQ(zero, zero, zero)
			const two = 1 << 32
			index = permuted("upTo16", two, 3*two+2, 5*two+4, 7*two+6, 9*two+8, 11*two+10, 13*two+12, 15*two+14)
			VPMULLD(step, index, index)
			VPSLLD(Imm(4), step, step)
		},
		body: func(at func(string, int) Mem) {
			place, x, all, minus := ZMM(), ZMM(), K(), K()
			VPANDD(around, index, place)
			VPTESTMD(span, index, minus)
			KXNORW(all, all, all)
			VPXORQ(x, x, x)
			VPGATHERDD(Mem{Base: from, Index: place, Scale: 4}, all, x)
			VPSUBD(x, zero, minus, x)
			VMOVDQU64(x, at("dst", 0))
			VPADDD(step, index, index)
		},
	}.generate("dst")

	eights{
		name: "picked64", args: ", from *uint64, places *uint32",
		doc: []string{"picked64 sets number i of dst to from[places[i]]. It needs AVX512F."},
		before: func() {
			from, highs = Load(Param("from"), GP64()), Load(Param("places"), GP64())
		},
		body: func(at func(string, int) Mem) {
			place, x, all := YMM(), ZMM(), K()
			VMOVDQU(Mem{Base: highs}, place)
			KXNORW(all, all, all)
			VPXORQ(x, x, x)
			VPGATHERDQ(Mem{Base: from, Index: place, Scale: 8}, all, x)
			VMOVDQU64(x, at("dst", 0))
			ADDQ(Imm(32), highs)
		},
	}.generate("dst")

	var offsets [2]VecVirtual
	eights{
		name: "whole52", args: ", low *uint64, high *int32, c *uint64, q uint64, neg uint64",
		doc: []string{"whole52 sets dst to x modulo q, x = low + 2^64·…, the number whose sum of bits from 48 on is high, of 32 bits, and whose other bits'",
			"sum is of magnitude below 2^62. c has factors of numbers below 2^52, of 2^52, of 2^48, and what is added for offsets. neg is −1/q",
			"modulo 2^52. It needs " + needs + "."},
		before: func() {
			r, neg = newResidues(true), broadcast("neg")
			from, highs = Load(Param("low"), GP64()), Load(Param("high"), GP64())
			table := Load(Param("c"), GP64())
			for i := range 4 {
				c[i] = ZMM()
				VPBROADCASTQ(Mem{Base: table, Disp: 8 * i}, c[i])
			}
			offsets = [2]VecVirtual{words(1 << 62), words(1 << 30)}
		},
		body: func(at func(string, int) Mem) {
			h, x, up, top := ZMM(), loaded(Mem{Base: from}), ZMM(), ZMM()
			VPMOVSXDQ(Mem{Base: highs}, h)
			VPSLLQ(Imm(48), h, up)
			VPSUBQ(up, x, x)
			VPADDQ(offsets[0], x, x)
			VPADDQ(offsets[1], h, h)
			VPSRLQ(Imm(52), x, top)
			s := r.montgomery(neg, [2]VecVirtual{x, c[0]}, [2]VecVirtual{top, c[1]}, [2]VecVirtual{h, c[2]})
			VPADDQ(c[3], s, s)
			below(s, r.twice)
			below(s, r.q)
			VMOVDQU64(s, at("dst", 0))
			ADDQ(Imm(64), from)
			ADDQ(Imm(32), highs)
		},
	}.generate("dst")
	withFMA()
}

// dots generates dot52 and dotOne52.
func dots() {
	dot("dot52", 2, 2)
	dot("dotOne52", 1, 4)
}

// dot generates the sum of products of one or two transforms with others, so many vectors at a time.
func dot(name string, sums, vectors int) {
	names := []string{"d0", "d1"}[:sums]
	args, x := "d0 *uint64, d1 *uint64", "x0, x1"
	what := "adds Σ x0·y/2^52 and Σ x1·y/2^52 modulo q to d0 and d1"
	if sums == 1 {
		args, x, what = "d0 *uint64", "x0", "adds Σ x0·y/2^52 modulo q to d0"
	}
	keeps := []string{"keep0", "keep1"}[:sums]
	TEXT(name, NOSPLIT, "func("+args+", list **uint64, count int, blocks int, q uint64, neg uint64, "+strings.Join(keeps, ", ")+" uint64)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %s, in blocks of %d numbers, what was there counting as 0", name, what, 8*vectors),
		"unless all bits of "+strings.Join(keeps, " or ")+" are 1 (else they are 0). list has the addresses of "+x+" and",
		"y for each of count factors, at most 8, of which y may be any numbers of 52 bits if q is below 2^48. neg is −1/q modulo 2^52. It needs AVX512F, AVX512DQ and AVX512IFMA.")
	var to, from []Register
	for _, d := range names {
		to, from = append(to, Load(Param(d), GP64())), append(from, GP64())
	}
	list, count, blocks := Load(Param("list"), GP64()), Load(Param("count"), GP64()), Load(Param("blocks"), GP64())
	r, neg := newResidues(true), broadcast("neg")
	four, eight := ZMM(), ZMM()
	VPSLLQ(Imm(2), r.q, four)
	VPSLLQ(Imm(3), r.q, eight)
	var kept []Register
	for _, keep := range keeps {
		k, bits := K(), Load(Param(keep), GP64()).(GPVirtual)
		KMOVB(bits.As32(), k)
		kept = append(kept, k)
	}
	offset, at, left, y := GP64(), GP64(), GP64(), GP64()
	XORQ(offset, offset)
	Label(name + "loop")
	low, high := make([][]VecVirtual, sums), make([][]VecVirtual, sums)
	for i := range sums {
		for j := range vectors {
			low[i], high[i] = append(low[i], ZMM()), append(high[i], ZMM())
			VPXORQ(low[i][j], low[i][j], low[i][j])
			VPXORQ(high[i][j], high[i][j], high[i][j])
		}
	}
	MOVQ(list, at)
	MOVQ(count, left)
	Label(name + "factor")
	for i, x := range from {
		MOVQ(Mem{Base: at, Disp: 8 * i}, x)
	}
	MOVQ(Mem{Base: at, Disp: 8 * sums}, y)
	for j := range vectors {
		place := func(p Register) Mem { return Mem{Base: p, Index: offset, Scale: 1, Disp: 64 * j} }
		v := loaded(place(y))
		for i, x := range from {
			w := loaded(place(x))
			VPMADD52LUQ(w, v, low[i][j])
			VPMADD52HUQ(w, v, high[i][j])
		}
	}
	ADDQ(Imm(uint64(8*(sums+1))), at)
	DECQ(left)
	JNZ(LabelRef(name + "factor"))
	for i := range low {
		for j := range vectors {
			m, l, h := ZMM(), low[i][j], high[i][j]
			VMOVDQA64(r.zero, m)
			VPMADD52LUQ(neg, l, m)
			VPMADD52LUQ(r.q, m, l)
			VPMADD52HUQ(r.q, m, h)
			VPSRLQ(Imm(52), l, l)
			VPADDQ(l, h, h)
			d := Mem{Base: to[i], Index: offset, Scale: 1, Disp: 64 * j}
			before := ZMM()
			VMOVDQU64_Z(d, kept[i], before)
			VPADDQ(before, h, h) // below 10q: q, and q for the reduction, and q for each factor
			for _, m := range []VecVirtual{eight, four, r.twice, r.q} {
				below(h, m)
			}
			VMOVDQU64(h, d)
		}
	}
	ADDQ(U32(uint32(64*vectors)), offset)
	DECQ(blocks)
	JNZ(LabelRef(name + "loop"))
	VZEROUPPER()
	RET()
}
