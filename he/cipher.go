package he

// Cipher is a ciphertext under a Secret s: polynomials c0 and c1 such that c0 + c1·s is the message, as fractions of
// the modulus, plus noise. The polynomials are held as coefficients.
type Cipher struct{ c0, c1 poly }

// Free ends the use of x, whose memory then serves others.
func (x *Cipher) Free() {
	drop(x.c0, x.c1)
	x.c0, x.c1 = nil, nil
}

// Encrypt returns a message that encrypts numbers modulo 2^width as coefficients at the places at (nil for all N).
// words holds the numbers, ⌈width/64⌉ words each, the lowest first. The message has a number of size bits for each
// place, so that other coefficients are not defined. seed determines the part that both parties know, random the noise;
// both must serve nothing else.
func (k *Secret) Encrypt(seed, random Seed, at []int32, words []uint64, width, size int) []byte {
	b := k.c.q
	r, v := b.restorer(width), b.make()
	var p poly
	beside(func() {
		a := b.uniform(seed)
		b.forward(a)
		p = k.sample(b, a, random)
		drop(a)
	}, func() {
		for i := range places(at, b.n) {
			r.restore(v, place(at, i), words[i*r.limbs:(i+1)*r.limbs])
		}
	})
	b.add(p, v)
	var out packer
	b.rounded(&out, p, at, size)
	drop(p, v)
	return out.bytes()
}

// places is the number of coefficients of a list, nil being all.
func places(at []int32, n int) int {
	if at == nil {
		return n
	}
	return len(at)
}

// place is the coefficient at position i of a list.
func place(at []int32, i int) int {
	if at == nil {
		return i
	}
	return int(at[i])
}

// ReadCipher returns the ciphertext in a message of Secret.Encrypt with the same seed, at and size. Decryption is
// defined at the places of at only. It returns an error if data is malformed.
func (c *Context) ReadCipher(seed Seed, at []int32, size int, data []byte) (*Cipher, error) {
	u, err := checked("ciphertext", data, places(at, c.N), size)
	if err != nil {
		return nil, err
	}
	x := &Cipher{}
	beside(func() { x.c0 = c.q.read(u, at, size) }, func() { x.c1 = c.q.uniform(seed) })
	return x, nil
}

// Respond returns the message that answers a Cipher of Combine, and this party's shares, modulo 2^width, of the
// coefficients at the places at (nil for all N), ⌈width/64⌉ words each. Secret.Finish with the same seed, at, width and
// size returns the other party's shares. The message has N numbers of size bits. seed determines the mask, random all
// that only this party may know; both must serve nothing else.
func (k *Public) Respond(x *Cipher, seed, random Seed, at []int32, width, size int) (shares []uint64, message []byte) {
	c0, message := k.respond(x, seed, random, size)
	shares = k.c.kept.shares(c0, at, width)
	drop(c0)
	return shares, message
}

// respond is Respond without the shares: it returns the polynomial of which they are fractions.
func (k *Public) respond(x *Cipher, seed, random Seed, size int) (poly, []byte) {
	b := k.c.kept
	var u, e, mask poly // the mask is uniform modulo Q
	beside(
		func() { mask = b.uniform(seed) },
		func() { e = b.small(newStream(Derive(random, "noise")).noise(k.c.N)) },
		func() { u = b.small(newStream(random).ternary(k.c.N)) },
	)
	b.forward(u)
	c0, c1 := b.room(), b.room()
	shared(2*len(b.m), func(t int) {
		i, m := t/2, b.m[t/2]
		if t%2 == 0 {
			product(m, c0[i], u[i], k.b[i])
			m.backward(c0[i])
			inUse.add(m, c0[i], x.c0[i])
			for j, v := range mask[i] {
				c0[i][j] = m.sub(c0[i][j], v)
			}
			return
		}
		product(m, c1[i], u[i], k.a[i])
		m.backward(c1[i])
		inUse.add(m, c1[i], e[i])
		inUse.add(m, c1[i], x.c1[i])
	})
	var out packer
	b.rounded(&out, c1, nil, size)
	drop(u, e, mask, c1)
	return c0, out.bytes()
}

// shares returns the coefficients of p at the given places as fractions of width bits.
func (b *basis) shares(p poly, at []int32, width int) []uint64 {
	n, each := places(at, b.n), (width+63)/64
	out := make([]uint64, n*each)
	inParts(n, func(_, lo, hi int) {
		var words [mostLimbs]uint64
		for i := lo; i < hi; i++ {
			b.fraction(words[:], p, place(at, i), width)
			copy(out[i*each:(i+1)*each], words[:])
		}
	})
	if width%64 != 0 {
		for i := each - 1; i < len(out); i += each {
			out[i] &= 1<<(width%64) - 1
		}
	}
	return out
}

// Finish returns this party's shares of the coefficients that a message of Public.Respond answers, with the same seed,
// at, width and size. The sums of both parties' shares modulo 2^width are the coefficients. It returns an error if
// message is malformed.
func (k *Secret) Finish(seed Seed, at []int32, width, size int, message []byte) ([]uint64, error) {
	p, err := k.finish(seed, size, message)
	if err != nil {
		return nil, err
	}
	shares := k.c.kept.shares(p, at, width)
	drop(p)
	return shares, nil
}

// finish is Finish without the shares: it returns the polynomial of which they are fractions.
func (k *Secret) finish(seed Seed, size int, message []byte) (poly, error) {
	b := k.c.kept
	u, err := checked("response", message, k.c.N, size)
	if err != nil {
		return nil, err
	}
	var p, mask poly
	beside(func() {
		c1 := b.read(u, nil, size)
		b.forward(c1)
		p = k.times(b, c1)
		drop(c1)
	}, func() { mask = b.uniform(seed) })
	b.add(p, mask)
	drop(mask)
	return p, nil
}
