//go:build !purego

package he

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../ring/asm . -out ../../he/kernels_amd64.s -stubs ../../he/stubs_amd64.go -pkg he

func special() (list []kernels) {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		list = append(list, withFMA)
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512IFMA {
		const each64, each32 = 8, 16
		list = append(list, kernels{
			"AVX-512 with IFMA", forward512, backward512, mulAddIFMA, dotIFMA, add512, scale512, liftIFMA, divideIFMA,
			butterflies(each64, butterflyPlain, butterflyWrapped), butterflies(each32, butterflyPlainHalves, butterflyWrappedHalves),
			pluses(each64, add64, subtract64), pluses(each32, add32, subtract32), turned512, turnedHalves512, picked512,
			forwardSigned512, forwardWhole512, forwardLifted512,
		})
	}
	return list
}

const mask52 = 1<<52 - 1

// leastTransform is the number of coefficients from which on transforms are done in assembly: one pass of two levels, and four.
const leastTransform = 512

// passes is what a transform is made of, for one kind of primes.
type passes struct {
	one  func(a *uint64, half int, w, over, q uint64)
	two  func(a *uint64, groups, t int, w, over *uint64, q uint64)
	four func(a *uint64, blocks int, w, over *uint64, q uint64)
	all  func(a *uint64, blocks int, w, over, q uint64)
}

var (
	forward52  = passes{forwardOne52, forwardTwo52, forwardFour52, scaleAll52}
	forward64  = passes{forwardOne64, forwardTwo64, forwardFour64, scaleAll64}
	backward52 = passes{backwardOne52, backwardTwo52, backwardFour52, scaleAll52}
	backward64 = passes{backwardOne64, backwardTwo64, backwardFour64, scaleAll64}
)

// of returns the passes for m, the list of ⌊w·2^b/q⌋ that they take, and 64 − b.
func (t *twiddles) of(m *modulus, short, other *passes) (p *passes, over []uint64, shift int) {
	if m.short {
		return short, t.over52, 12
	}
	return other, t.over, 0
}

func forward512(m *modulus, a []uint64) {
	if m.n < leastTransform {
		forward(m, a)
		return
	}
	if m.light {
		t, k, most := m.n, 1, 1
		if bits.Len(uint(m.n))%2 == 0 {
			t, k, most = t/2, 2, 3
			forwardOne48(&a[0], t, m.fwd.w[1], m.fwd.over52[1], m.q)
		}
		forwardLight(m, a, t, k, most, forwardFour48)
		return
	}
	p, over, _ := m.fwd.of(m, &forward52, &forward64)
	w, t, k := m.fwd.w, m.n, 1
	if bits.Len(uint(m.n))%2 == 0 {
		t, k = t/2, 2
		p.one(&a[0], t, w[1], over[1], m.q)
	}
	for ; t > 16; k *= 4 {
		t /= 4
		p.two(&a[0], k, t, &w[0], &over[0], m.q)
	}
	p.four(&a[0], m.n/16, &w[0], &over[0], m.q)
}

// forwardLight does the levels of a transform modulo a light prime whose groups are k of 2t numbers and more, below most·q. four does the
// last ones.
func forwardLight(m *modulus, a []uint64, t, k, most int, four func(a *uint64, blocks int, w, over *uint64, q uint64)) {
	w, over := m.fwd.w, m.fwd.over52
	for ; t > 16; k *= 4 {
		t /= 4
		if most += 4; most <= 16 {
			forwardTwo48(&a[0], k, t, &w[0], &over[0], m.q)
		} else {
			forwardTwoBelow48(&a[0], k, t, &w[0], &over[0], m.q)
			most = 12
		}
	}
	four(&a[0], m.n/16, &w[0], &over[0], m.q)
}

// firstLevel48 reports whether a transform's first level alone, on two halves of so many numbers, may also make the residues modulo a
// light prime that it transforms.
func (m *modulus) firstLevel48() (half int, ok bool) {
	return m.n / 2, m.light && m.n >= leastTransform && bits.Len(uint(m.n))%2 == 0
}

// sumsOf is the largest multiple of q, with 2q that the first level adds, that forwardWhole48 and forwardSigned48 make.
const sumsOf = 7

func forwardSigned512(m *modulus, dst, v []uint64) {
	if half, ok := m.firstLevel48(); ok {
		dst, v = dst[:m.n], v[:m.n]
		forwardSigned48(&dst[0], half, &v[0], m.fwd.w[1], m.fwd.over52[1], m.q, offsetSigned, m.minusSigned)
		forwardLight(m, dst, half, 2, sumsOf, forwardFourOpen48)
		return
	}
	signedIFMA(m, dst, v)
	forward512(m, dst)
}

func forwardWhole512(m *modulus, dst, low []uint64, high []int32) {
	if half, ok := m.firstLevel48(); ok {
		dst, low, high = dst[:m.n], low[:m.n], high[:m.n]
		forwardWhole48(&dst[0], half, &low[0], &high[0], m.fwd.w[1], m.fwd.over52[1], m.q, offsetWhole, m.minusWhole)
		forwardLight(m, dst, half, 2, sumsOf, forwardFourOpen48)
		return
	}
	wholeIFMA(m, dst, low, high)
	forward512(m, dst)
}

func forwardLifted512(m *modulus, dst, v []uint64, q uint64) {
	if half, ok := m.firstLevel48(); ok && q < 2*m.q {
		add := uint64(0)
		if q != m.q {
			add = m.q - q%m.q // −q: numbers above q/2 are below 2·m.q then
		}
		dst, v = dst[:m.n], v[:m.n]
		forwardLifted48(&dst[0], half, &v[0], m.fwd.w[1], m.fwd.over52[1], m.q, q/2, add)
		forwardLight(m, dst, half, 2, 4, forwardFourOpen48)
		return
	}
	m.lifted(dst, v, q, liftIFMA)
	forward512(m, dst)
}

func backward512(m *modulus, a []uint64) {
	if m.n < leastTransform {
		backward(m, a)
		return
	}
	p, over, shift := m.inv.of(m, &backward52, &backward64)
	w, t := m.inv.w, 16
	p.four(&a[0], m.n/16, &w[0], &over[0], m.q)
	for ; 4*t <= m.n; t *= 4 {
		p.two(&a[0], m.n/(4*t), t, &w[0], &over[0], m.q)
	}
	if t < m.n {
		p.one(&a[0], t, w[1], over[1], m.q)
	}
	p.all(&a[0], m.n/8, m.last.w, m.last.over>>shift, m.q)
}

func mulAddIFMA(m *modulus, dst, x, y []uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	if blocks := len(dst) / 8; blocks > 0 && m.short {
		mulAdd52(&dst[0], &x[0], &y[0], blocks, m.q, m.neg&mask52)
		dst, x, y = dst[8*blocks:], x[8*blocks:], y[8*blocks:]
	}
	mulAdd(m, dst, x, y)
}

// dotBlock is the number of elements that dot52 and dotOne52 do at a time, or a multiple of it.
const dotBlock = 32

func dotIFMA(m *modulus, d0, d1 []uint64, list []factors, keep0, keep1 bool) {
	n := len(d0)
	if n == 0 || n%dotBlock != 0 || !m.short || len(list) == 0 || len(list) > dotted {
		dot(m, d0, d1, list, keep0, keep1)
		return
	}
	var at [3 * dotted]*uint64
	if d1 == nil {
		for i, f := range list {
			at[2*i], at[2*i+1] = &f.x0[:n][0], &f.y[:n][0]
		}
		dotOne52(&d0[0], &at[0], len(list), n/32, m.q, m.neg&mask52, ones(keep0))
		return
	}
	d1 = d1[:n]
	for i, f := range list {
		at[3*i], at[3*i+1], at[3*i+2] = &f.x0[:n][0], &f.x1[:n][0], &f.y[:n][0]
	}
	dot52(&d0[0], &d1[0], &at[0], len(list), n/16, m.q, m.neg&mask52, ones(keep0), ones(keep1))
}

// ones is a word of ones if set, which is public, else 0.
func ones(set bool) uint64 {
	if set {
		return 1<<64 - 1
	}
	return 0
}

func add512(m *modulus, x, y []uint64) {
	y = y[:len(x)]
	if blocks := len(x) / 8; blocks > 0 {
		addBelow(&x[0], &y[0], blocks, m.q)
		x, y = x[8*blocks:], y[8*blocks:]
	}
	add(m, x, y)
}

func scale512(m *modulus, a []uint64, t twiddle) {
	if blocks := len(a) / 8; blocks > 0 {
		if m.short {
			scaleAll52(&a[0], blocks, t.w, t.over>>12, m.q)
		} else {
			scaleAll64(&a[0], blocks, t.w, t.over, m.q)
		}
		a = a[8*blocks:]
	}
	scale(m, a, t)
}

func liftIFMA(m *modulus, dst, v []uint64, q uint64) {
	dst = dst[:len(v)]
	if blocks := len(v) / 8; blocks > 0 && m.short {
		c := [5]uint64{0, m.radix, m.prepared(m.radix), q / 2, m.sub(0, q%m.q)}
		affine52(&dst[0], &v[0], &v[0], blocks, &c[0], m.q, m.neg&mask52)
		dst, v = dst[8*blocks:], v[8*blocks:]
	}
	lift(m, dst, v, q)
}

func divideIFMA(m *modulus, dst, p, x []uint64, by uint64) {
	p, x = p[:len(dst)], x[:len(dst)]
	if blocks := len(dst) / 8; blocks > 0 && m.short {
		inverse := m.prepared(m.inverse(by))
		minus := m.sub(0, inverse)
		c := [5]uint64{inverse, minus, m.prepared(minus), by / 2, 1} // 1 is by/by
		affine52(&dst[0], &p[0], &x[0], blocks, &c[0], m.q, m.neg&mask52)
		dst, p, x = dst[8*blocks:], p[8*blocks:], x[8*blocks:]
	}
	divide(m, dst, p, x, by)
}

// butterflies returns butterfly by kernels for numbers that move without a change of sign, and for those that wrap, in blocks of each
// numbers.
func butterflies[T uint64 | int32](each int, plain, wrapped func(x, y, z *T, blocks int)) func(x, y, z []T, wraps bool) {
	return func(x, y, z []T, wraps bool) {
		y, z = y[:len(x)], z[:len(x)]
		if len(x) >= each {
			kernel := plain
			if wraps {
				kernel = wrapped
			}
			kernel(&x[0], &y[0], &z[0], len(x)/each)
			done := len(x) / each * each
			x, y, z = x[done:], y[done:], z[done:]
		}
		butterfly(x, y, z, wraps)
	}
}

// pluses returns plus by kernels that add and subtract, in blocks of each numbers.
func pluses[T uint64 | int32](each int, add, subtract func(x, y *T, blocks int)) func(x, y []T, minus bool) {
	return func(x, y []T, minus bool) {
		y = y[:len(x)]
		if len(x) >= each {
			kernel := add
			if minus {
				kernel = subtract
			}
			kernel(&x[0], &y[0], len(x)/each)
			done := len(x) / each * each
			x, y = x[done:], y[done:]
		}
		plus(x, y, minus)
	}
}

func turned512(out, p []uint64, g int, q uint64) {
	if n := len(out); n%8 == 0 && n > 0 && n == len(p) {
		turned64(&out[0], n/8, &p[0], uint64(n), inverse(g)&uint64(2*n-1), q)
		return
	}
	image(out, p, g, q)
}

func turnedHalves512(out, p []int32, g int) {
	if n := len(out); n%16 == 0 && n > 0 && n == len(p) {
		turned32(&out[0], n/16, &p[0], uint64(n), inverse(g)&uint64(2*n-1))
		return
	}
	imageHalves(out, p, g)
}

func picked512(out, p []uint64, places []uint32) {
	if n := len(out); n%8 == 0 && n > 0 && n == len(places) {
		picked64(&out[0], n/8, &p[0], &places[0])
		return
	}
	picked(out, p, places)
}

// inverse returns the inverse of an odd number modulo 2^64.
func inverse(turn int) uint64 {
	back := uint64(turn)
	for range 6 {
		back *= 2 - uint64(turn)*back
	}
	return back
}

func signedIFMA(m *modulus, dst, v []uint64) {
	dst = dst[:len(v)]
	if blocks := len(v) / 8; blocks > 0 && m.short {
		c := [5]uint64{0, m.radix, m.prepared(m.radix), 1<<63 - 1, m.sub(0, m.r)}
		affine52(&dst[0], &v[0], &v[0], blocks, &c[0], m.q, m.neg&mask52)
		dst, v = dst[8*blocks:], v[8*blocks:]
	}
	signed(m, dst, v)
}

func wholeIFMA(m *modulus, dst, low []uint64, high []int32) {
	dst = dst[:len(low)]
	if n := len(low); n%8 == 0 && n > 0 && len(high) == n && m.short {
		minus, unit := m.offsets()
		c := [4]uint64{m.radix, m.prepared(m.radix), unit, minus}
		whole52(&dst[0], n/8, &low[0], &high[0], &c[0], m.q, m.neg&mask52)
		return
	}
	whole(m, dst, low, high)
}
