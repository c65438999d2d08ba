package he

import "slices"

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
	p, t := b.make(), poly{}
	for _, i := range b.at {
		t = append(t, k.t[i])
	}
	b.mulAdd(p, a, t)
	b.backward(p)
	return p
}

// sample returns −a·s + e, of the transform of a.
func (k *Secret) sample(b *basis, a poly, random Seed) poly {
	p := b.small(newStream(random).noise(k.c.N))
	b.sub(p, k.times(b, a))
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
	var out packer
	b.rounded(&out, k.sample(b, a, random), nil, size)
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
	c    *Context
	g    int
	b, a []poly // by digit: transforms modulo the primes of the key, prepared
}

// GiantOrders are the orders of the groups whose keys do giant steps; for groups of fewer elements the generator is
// applied several times. babyOrder is the order of the group whose key does baby steps, unless there are more outputs.
var GiantOrders = []int{16, 64, 256}

const babyOrder = 512

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
	bits, _ = c.keyBits(babyOrder, size)
	return c.q, c.full, bits
}

// Switch returns the message with the switching key of the automorphism X → X^g; size is Sizes.Switch. seed
// determines the part that both parties know, random the noise; both must serve nothing else.
func (k *Secret) Switch(g int, seed, random Seed, size int) []byte {
	c := k.c
	from, key, size := c.switching(g, size)
	turned := key.small(k.s)
	turned = key.automorphism(turned, g)
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
	}
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
	out := b.make()
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

// apply returns the ciphertext of the automorphism's image, both of coefficients. Context.free takes its memory.
func (k *Switch) apply(x *Cipher) *Cipher {
	c := k.c
	b, w, _ := c.switching(k.g, 0)
	turned := c.room(len(b.m))
	for i, m := range b.m {
		inUse.turned(turned[i], x.c1[i], k.g, m.q)
	}
	sum := [2]poly{c.room(len(w.m)), c.room(len(w.m))}
	shared(len(w.m), func(i int) {
		m, digits := w.m[i], c.room(len(b.m))
		var list [dotted]factors
		for j, from := range b.m {
			m.lift(digits[j], turned[j], from.q)
			m.forward(digits[j])
			list[j] = factors{k.b[j][i], k.a[j][i], digits[j]}
		}
		clear(sum[0][i])
		clear(sum[1][i])
		inUse.dot(m, sum[0][i], sum[1][i], list[:len(b.m)])
		m.backward(sum[0][i])
		m.backward(sum[1][i])
		c.drop(digits)
	})
	out := &Cipher{sum[0][:len(b.m)], sum[1][:len(b.m)]}
	last := len(w.m) - 1
	shared(2*len(b.m), func(j int) {
		i, s := j/2, sum[j%2]
		m := b.m[i]
		inUse.divide(m, s[i], s[i], s[last], w.m[last].q)
		if j%2 == 0 {
			inUse.turned(turned[i], x.c0[i], k.g, m.q)
			inUse.add(m, s[i], turned[i])
		}
	})
	c.drop(turned)
	c.drop(sum[0][last:])
	c.drop(sum[1][last:])
	return out
}

// lift sets dst to the numbers of v, of [0, q), as numbers between −q/2 and q/2 modulo each prime.
func (b *basis) lift(dst poly, v []uint64, q uint64) {
	for i, m := range b.m {
		m.lift(dst[i], v, q)
	}
}

// lift is basis.lift for one prime.
func (m *modulus) lift(dst, v []uint64, q uint64) {
	switch {
	case q == m.q:
		copy(dst, v)
	case q > m.q || m.short:
		inUse.lift(m, dst, v, q)
	default:
		add := m.q - q
		for i, x := range v {
			dst[i] = x + add&-above(x, q)
		}
	}
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
	inverse, off := m.scaled(m.power(by%m.q, m.q-2)), by%m.q
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
