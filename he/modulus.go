package he

import (
	"math/big"
	"math/bits"
)

// modulus is a prime q below 2^60 with q ≡ 1 modulo 2N, and the tables of its number-theoretic transform: products
// of polynomials modulo X^N + 1 and q are products of their transforms, element by element. No step's time depends on
// numbers.
type modulus struct {
	q    uint64
	neg  uint64 // −1/q modulo 2^64
	r    uint64 // 2^64 modulo q
	r2   uint64 // 2^128 modulo q
	n    int
	fwd  twiddles // powers of a 2N-th root of unity, bit-reversed
	inv  twiddles // their inverses
	last twiddle  // 1/N
	// short says that q is below 2^50. The radix of products of prepared numbers is 2^52 if it is, else 2^64.
	short bool
	radix uint64 // the radix modulo q, times 2^64, and its inverse
	up    uint64
	down  uint64
	// light says that q is 2^48 − δ, δ < 2^20: 16q fits 52 bits, and 2^48 modulo q is small. minusWhole and minusSigned are what is added
	// to sums whose bits from 48 on have offsetWhole or offsetSigned more.
	light                   bool
	minusWhole, minusSigned uint64
	// inverses has those of other primes of a Context
	inverses map[uint64]uint64
}

// shortBits is the number of bits of the largest short primes, lightBits that of light ones.
const (
	shortBits = 50
	lightBits = 48
)

// twiddle is a number below q with ⌊w·2^64/q⌋, by which products with it need no division.
type twiddle struct{ w, over uint64 }

// twiddles is a list of them: w, over, and over/2^12 for short primes.
type twiddles struct{ w, over, over52 []uint64 }

func (t *twiddles) at(i int) twiddle { return twiddle{t.w[i], t.over[i]} }

// newTwiddles returns n twiddles whose numbers are 0.
func newTwiddles(n int, short bool) twiddles {
	t := twiddles{w: make([]uint64, n), over: make([]uint64, n)}
	if short {
		t.over52 = make([]uint64, n)
	}
	return t
}

func (t *twiddles) set(i int, x twiddle) {
	t.w[i], t.over[i] = x.w, x.over
	if t.over52 != nil {
		t.over52[i] = x.over >> 12
	}
}

// newModulus returns the modulus q for polynomials of n coefficients, n a power of two.
func newModulus(q uint64, n int) *modulus {
	m := &modulus{q: q, n: n, short: bits.Len64(q) <= shortBits}
	inverse := q // by Newton's iteration modulo 2^64
	for range 6 {
		inverse *= 2 - q*inverse
	}
	m.neg = -inverse
	_, m.r = bits.Div64(1%q, 0, q)
	m.r2, _ = m.plainMul(m.r, m.r)
	m.radix, m.up = m.r, m.r2
	if m.short {
		m.radix = 1 << 52 % q
		m.up, _ = m.plainMul(m.r, m.radix)
	}
	m.down = m.inverse(m.radix)
	m.light = q < 1<<lightBits && q > 1<<lightBits-1<<20
	if m.light {
		unit := uint64(1<<lightBits) % q
		whole, _ := m.plainMul(offsetWhole, unit)
		signed, _ := m.plainMul(offsetSigned, unit)
		m.minusWhole, m.minusSigned = m.sub(0, whole), m.sub(0, signed)
	}
	root := m.root()
	m.fwd, m.inv = newTwiddles(n, m.short), newTwiddles(n, m.short)
	back := m.power(root, q-2)
	log := bits.Len(uint(n)) - 1
	x, y := uint64(1), uint64(1)
	for i := range n {
		at := int(bits.Reverse64(uint64(i)) >> (64 - log))
		m.fwd.set(at, m.twiddle(x))
		m.inv.set(at, m.twiddle(y))
		x, _ = m.plainMul(x, root)
		y, _ = m.plainMul(y, back)
	}
	m.last = m.twiddle(m.power(uint64(n), q-2))
	return m
}

// plainMul returns a·b modulo q, and the quotient, of public numbers.
func (m *modulus) plainMul(a, b uint64) (rest, quotient uint64) {
	hi, lo := bits.Mul64(a, b)
	quotient, rest = bits.Div64(hi, lo, m.q)
	return rest, quotient
}

// power returns a^e modulo q, of public numbers.
func (m *modulus) power(a, e uint64) uint64 {
	out := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			out, _ = m.plainMul(out, a)
		}
		a, _ = m.plainMul(a, a)
	}
	return out
}

// inverse returns 1/a modulo q, a prime to it.
func (m *modulus) inverse(a uint64) uint64 {
	if x, ok := m.inverses[a]; ok {
		return x
	}
	return m.power(a%m.q, m.q-2)
}

// root returns a 2N-th root of unity.
func (m *modulus) root() uint64 {
	for g := uint64(2); ; g++ {
		root := m.power(g, (m.q-1)/uint64(2*m.n))
		if m.power(root, uint64(m.n)) == m.q-1 {
			return root
		}
	}
}

func (m *modulus) twiddle(w uint64) twiddle {
	over, _ := bits.Div64(w, 0, m.q)
	return twiddle{w, over}
}

// times returns x·t modulo q, below 2q, for any x.
func (m *modulus) times(x uint64, t twiddle) uint64 {
	hi, _ := bits.Mul64(x, t.over)
	return x*t.w - hi*m.q
}

// reduced subtracts q from x below 2q, if that is not negative.
func reduced(x, q uint64) uint64 {
	x -= q
	return x + q&-(x>>63)
}

// mul returns a·b/2^64 modulo q, for any a and b whose product is below 2^64·q.
func (m *modulus) mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	over, _ := bits.Mul64(lo*m.neg, m.q)
	return reduced(hi+over+(lo|-lo)>>63, m.q) // the low halves add up to 2^64, or are 0
}

// scaled returns a·2^64 modulo q for any a: mul with it is a product.
func (m *modulus) scaled(a uint64) uint64 { return m.mul(a, m.r2) }

// prepared returns a·R modulo q for any a, R being the radix: product with it is a product.
func (m *modulus) prepared(a uint64) uint64 { return m.mul(a, m.up) }

// product returns a·b/R modulo q for a and b below q, R being the radix.
func (m *modulus) product(a, b uint64) uint64 {
	if !m.short {
		return m.mul(a, b)
	}
	const mask = 1<<52 - 1
	hi, lo := bits.Mul64(a, b)
	over, low := bits.Mul64(lo*m.neg&mask, m.q)
	low, carry := bits.Add64(low, lo, 0) // a multiple of 2^52
	return reduced((hi+over+carry)<<12|low>>52, m.q)
}

func (m *modulus) add(a, b uint64) uint64 { return reduced(a+b, m.q) }
func (m *modulus) sub(a, b uint64) uint64 { return reduced(a+m.q-b, m.q) }

// small returns a signed number of magnitude below q modulo q.
func (m *modulus) small(x int64) uint64 { return uint64(x) + m.q&uint64(x>>63) }

// forward replaces the coefficients of a polynomial, below q, by its transform.
func (m *modulus) forward(a []uint64) { inUse.forward(m, a) }

// backward is the inverse of forward.
func (m *modulus) backward(a []uint64) { inUse.backward(m, a) }

// forward is modulus.forward. Numbers stay below 4q. Two of the log2(n) levels are one pass over the numbers; if there is
// an odd number of levels, the first one is a pass of its own.
func forward(m *modulus, a []uint64) {
	q, t, k := m.q, m.n, 1
	if bits.Len(uint(m.n))%2 == 0 {
		t, k = t/2, 2
		x, y, w := a[:t], a[t:2*t], m.fwd.at(1)
		for j, u := range x {
			x[j], y[j] = split(u, y[j], w, q)
		}
	}
	for ; k < m.n; k *= 4 {
		t /= 4
		for i := range k {
			w, w0, w1 := m.fwd.at(k+i), m.fwd.at(2*k+2*i), m.fwd.at(2*k+2*i+1)
			x0 := a[4*i*t : 4*i*t+t]
			x1, x2, x3 := a[4*i*t+t:][:len(x0)], a[4*i*t+2*t:][:len(x0)], a[4*i*t+3*t:][:len(x0)]
			for j, u0 := range x0 {
				u0, u2 := split(u0, x2[j], w, q)
				u1, u3 := split(x1[j], x3[j], w, q)
				x0[j], x1[j] = split(u0, u1, w0, q)
				x2[j], x3[j] = split(u2, u3, w1, q)
			}
		}
	}
	twice := 2 * q
	for i, x := range a {
		x -= twice
		x += twice & -(x >> 63)
		a[i] = reduced(x, q)
	}
}

// split returns u + w·v and u − w·v modulo q, below 4q as its arguments are.
func split(u, v uint64, w twiddle, q uint64) (plus, minus uint64) {
	u -= 2 * q
	u += 2 * q & -(u >> 63)
	hi, _ := bits.Mul64(v, w.over)
	v = v*w.w - hi*q
	return u + v, u + 2*q - v
}

// joined returns u + v and w·(u − v) modulo q, below 2q as its arguments are.
func joined(u, v uint64, w twiddle, q uint64) (sum, rest uint64) {
	sum = u + v - 2*q
	d := u + 2*q - v
	hi, _ := bits.Mul64(d, w.over)
	return sum + 2*q&-(sum>>63), d*w.w - hi*q
}

// backward is modulus.backward.
func backward(m *modulus, a []uint64) {
	q, t := m.q, 1
	k := m.n / 4 // groups after a pass
	for ; k > 0; k /= 4 {
		for i := range k {
			w, w0, w1 := m.inv.at(k+i), m.inv.at(2*k+2*i), m.inv.at(2*k+2*i+1)
			x0 := a[4*i*t : 4*i*t+t]
			x1, x2, x3 := a[4*i*t+t:][:len(x0)], a[4*i*t+2*t:][:len(x0)], a[4*i*t+3*t:][:len(x0)]
			for j, u0 := range x0 {
				u0, u1 := joined(u0, x1[j], w0, q)
				u2, u3 := joined(x2[j], x3[j], w1, q)
				x0[j], x2[j] = joined(u0, u2, w, q)
				x1[j], x3[j] = joined(u1, u3, w, q)
			}
		}
		t *= 4
	}
	if t < m.n {
		x, y, w := a[:t], a[t:2*t], m.inv.at(1)
		for j, u := range x {
			x[j], y[j] = joined(u, y[j], w, q)
		}
	}
	for i, x := range a {
		a[i] = reduced(m.times(x, m.last), q)
	}
}

// primes returns count primes of the given number of bits, ≡ 1 modulo 2n, the largest ones first, that are not among
// those before.
func primes(size, n, count int, before []uint64) (out []uint64) {
	for p := uint64(1)<<size - uint64(2*n) + 1; len(out) < count; p -= uint64(2 * n) {
		used := false
		for _, b := range before {
			used = used || b == p
		}
		if !used && new(big.Int).SetUint64(p).ProbablyPrime(20) {
			out = append(out, p)
		}
	}
	return out
}
