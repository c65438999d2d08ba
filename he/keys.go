package he

import (
	"math/bits"
	"slices"
)

// Secret is a secret key: its owner encrypts with it (Encrypt) and turns responses into shares (Finish).
type Secret struct {
	c *Context
	s []int64 // −1, 0 or 1
	t poly    // the transform of s modulo all primes of the Context, prepared
}

// NewSecret returns a key that random determines. random must serve nothing else.
func (c *Context) NewSecret(random Seed) *Secret {
	k := &Secret{c: c, s: newStream(random).ternary(c.N)}
	all := &basis{m: c.all, n: c.N}
	k.t = all.small(k.s)
	all.forward(k.t)
	all.prepare(k.t)
	return k
}

// times returns a·s, of the transform of a.
func (k *Secret) times(b *basis, a poly) poly {
	p := b.room()
	shared(len(b.m), func(i int) {
		product(b.m[i], p[i], a[i], k.t[b.at[i]])
		b.m[i].backward(p[i])
	})
	return p
}

// sample returns −a·s + e, of the transform of a.
func (k *Secret) sample(b *basis, a poly, random Seed) poly {
	var p, product poly
	beside(
		func() { p = b.small(newStream(random).noise(k.c.N)) },
		func() { product = k.times(b, a) },
	)
	b.sub(p, product)
	drop(product)
	return p
}

// Public is a public key: the party without the secret key encrypts zeros with it, to randomise its responses.
type Public struct {
	c    *Context
	b, a poly // transforms, prepared
}

// PublicBytes returns the length in bytes of a public key whose numbers have size bits.
func (c Set) PublicBytes(size int) int { return Bytes(c.N, size) }

// Public returns the message with the public key, of numbers of size bits. seed determines the part that both parties
// know, random the noise; both must serve nothing else.
func (k *Secret) Public(seed, random Seed, size int) []byte {
	b := k.c.kept
	a := b.uniform(seed)
	b.forward(a)
	p := k.sample(b, a, random)
	var out packer
	b.rounded(&out, p, nil, size)
	drop(a, p)
	return out.bytes()
}

// ReadPublic returns the public key in a message of Secret.Public with the same seed and size. It returns an error if
// data is malformed.
func (c *Context) ReadPublic(seed Seed, size int, data []byte) (*Public, error) {
	u, err := checked("public key", data, c.N, size)
	if err != nil {
		return nil, err
	}
	k := &Public{c, c.kept.read(u, nil, size), c.kept.uniform(seed)}
	for _, p := range []poly{k.b, k.a} {
		c.kept.forward(p)
		c.kept.prepare(p)
	}
	return k, nil
}

// Switch is a switching key: with it the party without the secret key applies the automorphism X → X^g to ciphertexts.
type Switch struct {
	c      *Context
	g      int
	b, a   []poly     // by digit: transforms modulo the primes of the key, prepared
	places [][]uint32 // the image by 2^log applications of the automorphism has number places[log][i] of a transform at place i
}

// GiantOrders are the orders of the groups whose keys do giant steps; for groups of fewer elements the generator is
// applied several times.
var GiantOrders = []int{16, 64, 256}

// babyOrder returns the order of the group whose key does baby steps for so many outputs. The key of a larger group serves fewer outputs
// too, but is applied more often: a session with contractions of many outputs and of few has two keys.
func babyOrder(outputs int) int {
	switch {
	case outputs <= 128:
		return 128
	case outputs <= 512:
		return 512
	}
	return mostOrder
}

// babyBits is the number of bits that numbers of keys for baby steps have more than those of other keys: products multiply the
// noise of baby steps by weights.
const babyBits = 75

// keyBits returns the bits of the numbers of a key for a group of the given order, if numbers of other keys have size bits, and
// the number of digits.
func (c Set) keyBits(order, size int) (bits, digits int) {
	if slices.Contains(GiantOrders, order) {
		return size, c.Kept
	}
	return min(size+babyBits, c.size()-1), len(c.Primes)
}

// SwitchBytes returns the length in bytes of the switching key of a group of the given order, if numbers of keys have size bits
// (Sizes.Switch).
func (c Set) SwitchBytes(order, size int) int {
	bits, digits := c.keyBits(order, size)
	return Bytes(c.N*digits, bits)
}

// switching returns the modulus of ciphertexts to which a key for X → X^g applies, that of the key, and the bits of its numbers.
func (c *Context) switching(g, size int) (from, key *basis, bits int) {
	for _, order := range GiantOrders {
		if g == c.Element(order) {
			bits, _ = c.keyBits(order, size)
			return c.kept, c.whole, bits
		}
	}
	bits, _ = c.keyBits(mostOrder, size)
	return c.q, c.full, bits
}

// Switch returns the message with the switching key of the automorphism X → X^g; size is Sizes.Switch. seed
// determines the part that both parties know, random the noise; both must serve nothing else.
func (k *Secret) Switch(g int, seed, random Seed, size int) []byte {
	c := k.c
	from, key, size := c.switching(g, size)
	plain := key.small(k.s)
	turned := key.automorphism(plain, g)
	drop(plain)
	special := key.m[len(from.m)].q
	var out packer
	for j, m := range from.m {
		a := key.uniform(Derive(seed, "digit", uint64(j)))
		key.forward(a)
		p := k.sample(key, a, Derive(random, "digit", uint64(j)))
		f := m.scaled(special % m.q)
		for i, v := range turned[j] {
			p[j][i] = m.add(p[j][i], m.mul(v, f))
		}
		key.rounded(&out, p, nil, size)
		drop(a, p)
	}
	drop(turned)
	return out.bytes()
}

// ReadSwitch returns the switching key in a message of Secret.Switch with the same g, seed and size. It returns an
// error if data is malformed.
func (c *Context) ReadSwitch(g int, seed Seed, size int, data []byte) (*Switch, error) {
	from, key, size := c.switching(g, size)
	u, err := checked("switching key", data, c.N*len(from.m), size)
	if err != nil {
		return nil, err
	}
	k := &Switch{c: c, g: g}
	for h := g; h != 1; h = h * h % (2 * c.N) {
		k.places = append(k.places, c.places(h))
	}
	for j := range from.m {
		b, a := key.read(u, nil, size), key.uniform(Derive(seed, "digit", uint64(j)))
		for _, p := range []poly{b, a} {
			key.forward(p)
			key.prepare(p)
		}
		k.b, k.a = append(k.b, b), append(k.a, a)
	}
	return k, nil
}

// automorphism returns p(X^g), of coefficients.
func (b *basis) automorphism(p poly, g int) poly {
	out := b.room()
	for i, m := range b.m {
		inUse.turned(out[i], p[i], g, m.q)
	}
	return out
}

// image sets out to the image of the polynomial p by X → X^g, modulo q, or modulo 2^64 if q is 0.
func image(out, p []uint64, g int, q uint64) {
	n, at := len(p), 0
	for _, v := range p {
		if at < n {
			out[at] = v
		} else {
			out[at-n] = reduced(q-v, q)
		}
		at = (at + g) & (2*n - 1)
	}
}

// imageHalves is image modulo 2^32.
func imageHalves(out, p []int32, g int) {
	n, at := len(p), 0
	for _, v := range p {
		if at < n {
			out[at] = v
		} else {
			out[at-n] = -v
		}
		at = (at + g) & (2*n - 1)
	}
}

// Element returns g such that X → X^g generates the group of automorphisms of the given order, a power of two. The sum
// of a polynomial's images under the group has order times the coefficients at multiples of order, and 0 at all other
// places.
func (c *Context) Element(order int) int {
	g := (1 + 2*c.N/mostOrder) % (2 * c.N)
	for range bitsOf(mostOrder / order) {
		g = g * g % (2 * c.N)
	}
	return g
}

// mostOrder is the largest order of a group of automorphisms.
const mostOrder = 1024

// MostOutputs is the largest number of outputs of Context.Combine.
const MostOutputs = mostOrder

// bitsOf returns log2 of a power of two.
func bitsOf(n int) int {
	log := 0
	for ; n > 1; n /= 2 {
		log++
	}
	return log
}

// places returns at which places of a transform the numbers of the image by X → X^g are. Place i has the polynomial at the power 2·i' + 1
// of the root of unity, i' being i with its bits reversed.
func (c *Context) places(g int) []uint32 {
	out, log := make([]uint32, c.N), bitsOf(c.N)
	reversed := func(i int) int { return int(bits.Reverse64(uint64(i)) >> (64 - log)) }
	for i := range out {
		out[i] = uint32(reversed((2*reversed(i) + 1) * g % (2 * c.N) / 2))
	}
	return out
}

// picked sets out[i] to p[places[i]].
func picked(out, p []uint64, places []uint32) {
	for i, at := range places {
		out[i] = p[at]
	}
}

// turning is a ciphertext to which a switching key is applied again and again. Its c0 is the sum of c0 and of keys divided by the
// special prime. Only c1 is needed as coefficients at each step.
type turning struct {
	k      *Switch
	c0     poly // transform modulo Q
	keys   poly // transform modulo the primes of the key; nil for 0
	c1     poly // coefficients modulo the primes of the ciphertexts to which the key applies
	turned poly // the image of c1
}

// turning returns the ciphertext with the transform c0 modulo Q and the coefficients c1, and takes their memory.
func (k *Switch) turning(c0, c1 poly) *turning {
	x := &turning{k: k, c0: c0, c1: c1, turned: k.c.room(len(c1))}
	b, _, _ := k.c.switching(k.g, 0)
	shared(len(c1), func(i int) { inUse.turned(x.turned[i], c1[i], k.g, b.m[i].q) })
	return x
}

// by returns a copy of x to which another key is applied, one of the same moduli.
func (x *turning) by(k *Switch) *turning {
	c := k.c
	y := k.turning(c.copied(x.c0), c.copied(x.c1))
	if x.keys != nil {
		y.keys = c.copied(x.keys)
	}
	return y
}

// turn replaces the ciphertext by its image under 2^log applications, and adds plus, whose polynomials are as those of x, if it is
// not nil. It takes plus's memory.
func (x *turning) turn(log int, plus *Cipher) {
	k, c := x.k, x.k.c
	b, w, _ := c.switching(k.g, 0)
	sum := c.room(len(w.m)) // of c1
	last := len(w.m) - 1
	for left := 1<<log - 1; left >= 0; left-- {
		keys, c0, tasks := c.room(len(w.m)), poly(nil), len(w.m)
		if left == 0 {
			c0, tasks = c.room(len(c.q.m)), tasks+len(c.q.m)
		}
		shared(tasks, func(i int) {
			if i > last {
				i -= len(w.m)
				inUse.picked(c0[i], x.c0[i], k.places[log])
				if plus != nil {
					inUse.add(c.q.m[i], c0[i], plus.c0[i])
				}
				return
			}
			m, digits := w.m[i], c.room(len(b.m))
			var list [dotted]factors
			for j, from := range b.m {
				inUse.forwardLifted(m, digits[j], x.turned[j], from.q)
				list[j] = factors{k.b[j][i], k.a[j][i], digits[j]}
			}
			if x.keys != nil {
				inUse.picked(keys[i], x.keys[i], k.places[0])
			}
			inUse.dot(m, keys[i], sum[i], list[:len(b.m)], x.keys != nil, false)
			m.backward(sum[i])
			drop(digits)
		})
		shared(len(b.m), func(i int) {
			m := b.m[i]
			inUse.divide(m, x.c1[i], sum[i], sum[last], w.m[last].q)
			if plus != nil && left == 0 {
				inUse.add(m, x.c1[i], plus.c1[i])
			}
			inUse.turned(x.turned[i], x.c1[i], k.g, m.q)
		})
		drop(x.keys)
		x.keys = keys
		if left == 0 {
			drop(x.c0)
			x.c0 = c0
		}
	}
	drop(sum)
	if plus != nil {
		plus.Free()
	}
}

// image returns the transform of x modulo Q, whose key is one of baby steps.
func (x *turning) image() *Cipher {
	c, k := x.k.c, x.k
	_, w, _ := c.switching(k.g, 0)
	out := &Cipher{c.copied(x.c0), c.copied(x.c1)}
	last := len(w.m) - 1
	special := c.room(1)[0]
	if x.keys != nil {
		copy(special, x.keys[last])
		w.m[last].backward(special)
	}
	shared(2*len(c.q.m), func(t int) {
		i, m := t/2, c.q.m[t/2]
		switch {
		case t%2 == 0:
			m.forward(out.c1[i])
		case x.keys != nil: // (keys − special)/by
			v := c.room(2)
			copy(v[0], x.keys[i])
			inUse.scale(m, v[0], m.twiddle(m.inverse(w.m[last].q)))
			inUse.add(m, out.c0[i], v[0])
			clear(v[0])
			inUse.divide(m, v[1], v[0], special, w.m[last].q)
			m.forward(v[1])
			inUse.add(m, out.c0[i], v[1])
			drop(v)
		}
	})
	c.give(special)
	return out
}

// free gives the memory of x back.
func (x *turning) free() { drop(x.c0, x.keys, x.c1, x.turned) }

// end returns the coefficients of x modulo the kept primes, and takes its memory. Its key is one of giant steps.
func (x *turning) end() *Cipher {
	c := x.k.c
	_, w, _ := c.switching(x.k.g, 0)
	out := &Cipher{c1: x.c1}
	shared(1+len(x.keys), func(i int) {
		if i == 0 {
			out.c0 = c.divided(x.c0)
		} else {
			w.m[i-1].backward(x.keys[i-1])
		}
	})
	if x.keys != nil {
		last := len(w.m) - 1
		for i, m := range c.kept.m {
			inUse.divide(m, x.keys[i], x.keys[i], x.keys[last], w.m[last].q)
			inUse.add(m, out.c0[i], x.keys[i])
		}
	}
	drop(x.keys, x.turned)
	return out
}

// lift sets dst to the numbers of v, of [0, q), as numbers between −q/2 and q/2 modulo each prime.
func (b *basis) lift(dst poly, v []uint64, q uint64) {
	for i, m := range b.m {
		m.lift(dst[i], v, q)
	}
}

// lift is basis.lift for one prime.
func (m *modulus) lift(dst, v []uint64, q uint64) { m.lifted(dst, v, q, inUse.lift) }

// lifted is modulus.lift with a kernel.
func (m *modulus) lifted(dst, v []uint64, q uint64, lift func(m *modulus, dst, v []uint64, q uint64)) {
	switch {
	case q == m.q:
		copy(dst, v)
	case q > m.q || m.short:
		lift(m, dst, v, q)
	default:
		add := m.q - q
		for i, x := range v {
			dst[i] = x + add&-above(x, q)
		}
	}
}

// forwardLifted sets dst to the transform of numbers that are lifted.
func forwardLifted(m *modulus, dst, v []uint64, q uint64) {
	m.lifted(dst, v, q, lift)
	forward(m, dst)
}

// above is 1 if x is above q/2, else 0.
func above(x, q uint64) uint64 { return (q/2 - x) >> 63 }

// lift is modulus.lift for any q.
func lift(m *modulus, dst, v []uint64, q uint64) {
	off := q % m.q
	for i, x := range v {
		dst[i] = m.sub(m.mul(x, m.r), off&-above(x, q))
	}
}

// divide sets dst, which may be p, to (p − x)/by modulo q, x lifted from the prime by.
func divide(m *modulus, dst, p, x []uint64, by uint64) {
	inverse, off := m.scaled(m.inverse(by)), by%m.q
	for i, v := range x {
		lifted := m.sub(m.mul(v, m.r), off&-above(v, by))
		dst[i] = m.mul(m.sub(p[i], lifted), inverse)
	}
}

// clone returns a copy.
func (p poly) clone() poly {
	out := make(poly, len(p))
	for i := range p {
		out[i] = slices.Clone(p[i])
	}
	return out
}
