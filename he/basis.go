package he

import (
	"math/big"
	"math/bits"
)

// poly is a polynomial modulo X^N + 1 and each of a basis's primes: its coefficients or its transform.
type poly [][]uint64

// basis is a list of primes; Q is their product.
type basis struct {
	m      []*modulus
	at     []int // the primes' places among those of the Context
	n      int
	whole  *big.Int   // Q
	inv    []uint64   // by prime: q/Q modulo q, scaled
	over   [][]uint64 // by prime: ⌊2^(64·limbs)/q⌋
	limbs  int        // of fractions
	digits int        // bits of Q
}

// mostLimbs bounds the limbs of fractions.
const mostLimbs = 8

// newBasis returns the basis of the moduli of a list at the given places.
func newBasis(list []*modulus, at []int) *basis {
	b := &basis{at: at, n: list[0].n, whole: big.NewInt(1)}
	for _, i := range at {
		b.m = append(b.m, list[i])
	}
	for _, m := range b.m {
		b.whole.Mul(b.whole, new(big.Int).SetUint64(m.q))
	}
	b.digits = b.whole.BitLen()
	b.limbs = (b.digits + 70 + 63) / 64
	one := new(big.Int).Lsh(big.NewInt(1), uint(64*b.limbs))
	for _, m := range b.m {
		q := new(big.Int).SetUint64(m.q)
		rest := new(big.Int).Div(b.whole, q)
		rest.ModInverse(rest.Mod(rest, q), q)
		b.inv = append(b.inv, m.scaled(rest.Uint64()))
		b.over = append(b.over, limbsOf(q.Div(one, q), b.limbs))
	}
	return b
}

// limbsOf returns the low n words of x ≥ 0.
func limbsOf(x *big.Int, n int) []uint64 {
	out := make([]uint64, n)
	x = new(big.Int).Set(x)
	for i := range out {
		out[i] = new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0))).Uint64()
		x.Rsh(x, 64)
	}
	return out
}

// room returns a polynomial whose numbers may be any.
func (b *basis) room() poly {
	p := make(poly, len(b.m))
	for i := range p {
		p[i] = taken(b.n)
	}
	return p
}

// make returns a polynomial of zeros.
func (b *basis) make() poly {
	p := b.room()
	for _, v := range p {
		clear(v)
	}
	return p
}

func (b *basis) forward(p poly) { shared(len(b.m), func(i int) { b.m[i].forward(p[i]) }) }

func (b *basis) backward(p poly) { shared(len(b.m), func(i int) { b.m[i].backward(p[i]) }) }

// add adds y to x.
func (b *basis) add(x, y poly) {
	for i, m := range b.m {
		inUse.add(m, x[i], y[i])
	}
}

// add adds y to x.
func add(m *modulus, x, y []uint64) {
	y = y[:len(x)]
	for i, v := range x {
		x[i] = m.add(v, y[i])
	}
}

// sub subtracts y from x.
func (b *basis) sub(x, y poly) {
	for i, m := range b.m {
		for j, v := range y[i] {
			x[i][j] = m.sub(x[i][j], v)
		}
	}
}

// mulAdd adds the product of the transforms x and y to dst; y is prepared.
func (b *basis) mulAdd(dst, x, y poly) {
	for i, m := range b.m {
		inUse.mulAdd(m, dst[i], x[i], y[i])
	}
}

// mulAdd is basis.mulAdd for one prime.
func mulAdd(m *modulus, dst, x, y []uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i, v := range dst {
		dst[i] = m.add(v, m.product(x[i], y[i]))
	}
}

// product sets dst to the product of the transforms x and y; y is prepared.
func product(m *modulus, dst, x, y []uint64) {
	inUse.dot(m, dst, nil, []factors{{y, nil, x}}, false, false)
}

// prepare multiplies all numbers by the radix of their primes.
func (b *basis) prepare(p poly) {
	for i, m := range b.m {
		inUse.scale(m, p[i], m.twiddle(m.radix))
	}
}

// scale multiplies numbers below q by that of t.
func scale(m *modulus, a []uint64, t twiddle) {
	for i, x := range a {
		a[i] = reduced(m.times(x, t), m.q)
	}
}

// small returns the polynomial with the given coefficients, of magnitudes below all primes.
func (b *basis) small(v []int64) poly {
	p := b.room()
	for i, m := range b.m {
		for j, x := range v {
			p[i][j] = m.small(x)
		}
	}
	return p
}

// fraction writes x/Q, x the number with the given residues, rounded to the given number of bits, to the low words of
// out, which has b.limbs words. Its error is half a unit, and 2^-68/Q of the whole.
func (b *basis) fraction(out []uint64, p poly, at, size int) {
	var sum [mostLimbs]uint64
	l := b.limbs
	for i, m := range b.m {
		y := m.mul(p[i][at], b.inv[i])
		var carry, high uint64
		for j, f := range b.over[i][:l] {
			hi, lo := bits.Mul64(y, f)
			lo, c := bits.Add64(lo, high, 0)
			high = hi + c
			sum[j], carry = bits.Add64(sum[j], lo, carry)
		}
	}
	by := 64*l - size // half a unit is added, and the number shifted
	var carry uint64
	for j := range l {
		half := uint64(0)
		if (by-1)/64 == j {
			half = 1 << ((by - 1) % 64)
		}
		sum[j], carry = bits.Add64(sum[j], half, carry)
	}
	words, rest := by/64, by%64
	for j := range l {
		out[j] = 0
		if j+words < l {
			out[j] = sum[j+words] >> rest
			if j+words+1 < l && rest > 0 {
				out[j] |= sum[j+words+1] << (64 - rest)
			}
		}
	}
}

// restorer turns fractions of a number of bits into numbers modulo Q.
type restorer struct {
	b     *basis
	size  int
	limbs int
	low   []uint64   // Q modulo 2^size
	unit  [][]uint64 // by prime and limb: 2^(64·limb − size) modulo q, scaled
}

// restorer returns the restorer for fractions of the given number of bits.
func (b *basis) restorer(size int) *restorer {
	r := &restorer{b: b, size: size, limbs: (size + 63) / 64}
	r.low = limbsOf(b.whole, r.limbs)
	for _, m := range b.m {
		q := new(big.Int).SetUint64(m.q)
		unit := new(big.Int).ModInverse(new(big.Int).Lsh(big.NewInt(1), uint(size)), q)
		var list []uint64
		for range r.limbs {
			list = append(list, m.scaled(unit.Uint64()))
			unit.Lsh(unit, 64)
			unit.Mod(unit, q)
		}
		r.unit = append(r.unit, list)
	}
	return r
}

// restore sets a coefficient to ⌊v·Q/2^size⌉, v given by its words. As v·Q is 0 modulo each prime, that is the rest of
// v·Q modulo 2^size, between −2^(size−1) and 2^(size−1), divided by −2^size.
func (r *restorer) restore(p poly, at int, v []uint64) {
	var rest [mostLimbs]uint64
	l := r.limbs
	for i := range l {
		var high, carry uint64
		for j := 0; i+j < l; j++ {
			hi, lo := bits.Mul64(v[i], r.low[j])
			lo, c := bits.Add64(lo, high, 0)
			high = hi + c
			rest[i+j], carry = bits.Add64(rest[i+j], lo, 0)
			high += carry
		}
	}
	top := (r.size - 1) % 64
	rest[l-1] &= 1<<top<<1 - 1
	negative := rest[l-1] >> top
	for i, m := range r.b.m {
		sum := uint64(0)
		for j := range l {
			sum = m.add(sum, m.mul(rest[j], r.unit[i][j]))
		}
		p[i][at] = m.sub(negative, sum)
	}
}
