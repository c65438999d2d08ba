//go:build !purego

package he

import "math/bits"

// Kernels for machines with AVX2 and FMA. They take primes below 2^48, whose numbers and their products are floating-point numbers there,
// and leave others to portable code.

// leastFloatBits and floatBits are the numbers of bits of the smallest and the largest primes of these kernels, mostFloats is the largest
// transform. Numbers of a forward transform are not reduced between levels, but grow: what is at most A·q in magnitude before a level is
// at most (A + 1/2 + 3A/32)·q afterwards, the sum of a number and of a product (ring/asm/transform256.go). That is (A + 16/3)·35/32 − 16/3,
// so that from 1 on it is (19/3)·(35/32)^14 − 16/3 = 16.9 after 14 levels: below 17·2^48 < 2^53, up to which integers are exact.
const (
	leastFloatBits = 16
	floatBits      = 48
	mostFloats     = 1 << 14
)

// floats reports whether kernels take the modulus.
func (m *modulus) floats() bool {
	return m.q>>(leastFloatBits-1) > 0 && m.q>>floatBits == 0 && m.n <= mostFloats
}

var withFMA = kernels{
	"AVX2 with FMA", forwardFloats, backwardFloats, mulAddFloats, dotFloats, add256, scaleFloats, liftFloats, divideFloats,
	butterflies(8, butterfly256, butterfly256Wrapped), butterflies(16, butterflyHalves256, butterflyHalves256Wrapped),
	pluses(8, plus256, minus256), pluses(16, plusHalves256, minusHalves256), turnedAVX2, turnedHalvesAVX2, pickedAVX2,
	forwardSignedFloats, forwardWholeFloats, forwardLiftedFloats,
}

func forwardFloats(m *modulus, a []uint64) {
	if !m.floats() || m.n < leastTransform {
		forward(m, a)
		return
	}
	if bits.Len(uint(m.n))%2 == 0 {
		forwardOneFMA(&a[0], m.n/2, m.fwd.w[1], m.q)
		m.forwardRest(a, m.n/2, 2, forwardBlocksFMA)
		return
	}
	forwardFirstFMA(&a[0], 1, m.n/4, &m.fwd.w[0], m.q)
	m.forwardRest(a, m.n/4, 4, forwardBlocksFMA)
}

// forwardRest does the levels of a transform whose groups are k of t numbers and more, the last two by blocks.
func (m *modulus) forwardRest(a []uint64, t, k int, blocks func(a *uint64, fours int, w *uint64, q uint64)) {
	for ; t > 4; k *= 4 {
		t /= 4
		forwardTwoFMA(&a[0], k, t, &m.fwd.w[0], m.q)
	}
	blocks(&a[0], m.n/16, &m.fwd.w[0], m.q)
}

// firstLevel reports whether a transform's first level is alone and may also make the numbers that it transforms, modulo a light prime, and
// the length of its halves. Such a transform has 13 levels at most, so that numbers below 2.01·q in magnitude grow to 18.3·q,
// (2.01 + 16/3)·(35/32)^13 − 16/3 = 18.2.
func (m *modulus) firstLevel() (half int, ok bool) {
	return m.n / 2, m.light && m.floats() && m.n >= leastTransform && bits.Len(uint(m.n))%2 == 0
}

func forwardSignedFloats(m *modulus, dst, v []uint64) {
	if half, ok := m.firstLevel(); ok {
		dst, v = dst[:m.n], v[:m.n]
		forwardSignedFMA(&dst[0], half, &v[0], m.fwd.w[1], m.q, 1<<lightBits-m.q)
		m.forwardRest(dst, half, 2, forwardBlocksOpenFMA)
		return
	}
	signedFloats(m, dst, v)
	forwardFloats(m, dst)
}

func forwardWholeFloats(m *modulus, dst, low []uint64, high []int32) {
	if half, ok := m.firstLevel(); ok {
		dst, low, high = dst[:m.n], low[:m.n], high[:m.n]
		forwardWholeFMA(&dst[0], half, &low[0], &high[0], m.fwd.w[1], m.q, 1<<lightBits-m.q)
		m.forwardRest(dst, half, 2, forwardBlocksOpenFMA)
		return
	}
	wholeFloats(m, dst, low, high)
	forwardFloats(m, dst)
}

func forwardLiftedFloats(m *modulus, dst, v []uint64, q uint64) {
	if half, ok := m.firstLevel(); ok && q <= 2*m.q {
		dst, v = dst[:m.n], v[:m.n]
		forwardLiftedFMA(&dst[0], half, &v[0], m.fwd.w[1], m.q, q, q/2)
		m.forwardRest(dst, half, 2, forwardBlocksOpenFMA)
		return
	}
	m.lifted(dst, v, q, liftFloats)
	forwardFloats(m, dst)
}

func backwardFloats(m *modulus, a []uint64) {
	if !m.floats() || m.n < leastTransform {
		backward(m, a)
		return
	}
	w, t := &m.inv.w[0], 4
	backwardBlocksFMA(&a[0], m.n/16, w, m.q)
	for ; 4*t <= m.n; t *= 4 {
		backwardTwoFMA(&a[0], m.n/(4*t), t, w, m.q)
	}
	if t < m.n {
		backwardOneFMA(&a[0], t, m.inv.w[1], m.q)
	}
	scaleLastFMA(&a[0], m.n/8, m.last.w, m.q)
}

func mulAddFloats(m *modulus, dst, x, y []uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	done := len(dst) / 8 * 8
	if done > 0 && m.floats() {
		dotFloats(m, dst[:done], nil, []factors{{y[:done], nil, x[:done]}}, true, false)
		dst, x, y = dst[done:], x[done:], y[done:]
	}
	mulAdd(m, dst, x, y)
}

func dotFloats(m *modulus, d0, d1 []uint64, list []factors, keep0, keep1 bool) {
	n := len(d0)
	if n == 0 || n%8 != 0 || !m.floats() || len(list) == 0 || len(list) > dotted {
		dot(m, d0, d1, list, keep0, keep1)
		return
	}
	var at [3 * dotted]*uint64
	if d1 == nil {
		for i, f := range list {
			at[2*i], at[2*i+1] = &f.x0[:n][0], &f.y[:n][0]
		}
		dotOneFMA(&d0[0], &at[0], len(list), n/8, m.q, m.down, ones(keep0))
		return
	}
	d1 = d1[:n]
	for i, f := range list {
		at[3*i], at[3*i+1], at[3*i+2] = &f.x0[:n][0], &f.x1[:n][0], &f.y[:n][0]
	}
	dotFMA(&d0[0], &d1[0], &at[0], len(list), n/8, m.q, m.down, ones(keep0), ones(keep1))
}

func add256(m *modulus, x, y []uint64) {
	y = y[:len(x)]
	if blocks := len(x) / 8; blocks > 0 {
		addBelow256(&x[0], &y[0], blocks, m.q)
		x, y = x[8*blocks:], y[8*blocks:]
	}
	add(m, x, y)
}

func scaleFloats(m *modulus, a []uint64, t twiddle) {
	if blocks := len(a) / 8; blocks > 0 && m.floats() {
		scaleFMA(&a[0], blocks, t.w, m.q)
		a = a[8*blocks:]
	}
	scale(m, a, t)
}

func liftFloats(m *modulus, dst, v []uint64, q uint64) {
	dst = dst[:len(v)]
	if blocks := len(v) / 8; blocks > 0 && m.floats() && bits.Len64(q) <= 52 {
		liftFMA(&dst[0], &v[0], blocks, m.q, q, q/2)
		dst, v = dst[8*blocks:], v[8*blocks:]
	}
	lift(m, dst, v, q)
}

func divideFloats(m *modulus, dst, p, x []uint64, by uint64) {
	p, x = p[:len(dst)], x[:len(dst)]
	if blocks := len(dst) / 8; blocks > 0 && m.floats() && bits.Len64(by) <= floatBits {
		divideFMA(&dst[0], &p[0], &x[0], blocks, m.q, by, by/2, m.inverse(by))
		dst, p, x = dst[8*blocks:], p[8*blocks:], x[8*blocks:]
	}
	divide(m, dst, p, x, by)
}

func signedFloats(m *modulus, dst, v []uint64) {
	dst = dst[:len(v)]
	if blocks := len(v) / 8; blocks > 0 && m.floats() {
		signedFMA(&dst[0], &v[0], blocks, m.q)
		dst, v = dst[8*blocks:], v[8*blocks:]
	}
	signed(m, dst, v)
}

func wholeFloats(m *modulus, dst, low []uint64, high []int32) {
	dst, high = dst[:len(low)], high[:len(low)]
	if blocks := len(low) / 8; blocks > 0 && m.floats() {
		wholeFMA(&dst[0], &low[0], blocks, &high[0], m.q, 1<<highShift%m.q)
		dst, low, high = dst[8*blocks:], low[8*blocks:], high[8*blocks:]
	}
	whole(m, dst, low, high)
}

func turnedAVX2(out, p []uint64, g int, q uint64) {
	if n := len(out); n%8 == 0 && n > 0 && n <= mostFloats && n == len(p) {
		turned256(&out[0], n/8, &p[0], uint64(n), inverse(g)&uint64(2*n-1), q)
		return
	}
	image(out, p, g, q)
}

func turnedHalvesAVX2(out, p []int32, g int) {
	if n := len(out); n%16 == 0 && n > 0 && n <= mostFloats && n == len(p) {
		turnedHalves256(&out[0], n/16, &p[0], uint64(n), inverse(g)&uint64(2*n-1))
		return
	}
	imageHalves(out, p, g)
}

func pickedAVX2(out, p []uint64, places []uint32) {
	if n := len(out); n%8 == 0 && n > 0 && n == len(places) {
		picked256(&out[0], n/8, &p[0], &places[0])
		return
	}
	picked(out, p, places)
}
