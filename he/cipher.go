package he

// Cipher is a ciphertext (c0, c1): c0 + c1·s is a multiple of the message, up to noise. Its polynomials are
// coefficients.
type Cipher struct{ c0, c1 poly }

// Encrypt returns the message that encrypts numbers modulo 2^width, given by their words, one number for each place of
// at, as coefficients at these places; all others are 0 or anything. at nil: all coefficients. Each number of the
// message has size bits. seed and random serve nothing else.
func (k *Secret) Encrypt(seed, random Seed, at []int32, words []uint64, width, size int) []byte {
	b := k.c.q
	a := b.uniform(seed)
	b.forward(a)
	p := k.sample(b, a, random)
	r := b.restorer(width)
	v, each := b.make(), r.limbs
	for i := range places(at, b.n) {
		r.restore(v, place(at, i), words[i*each:(i+1)*each])
	}
	b.add(p, v)
	var out packer
	b.rounded(&out, p, at, size)
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

// ReadCipher returns the ciphertext of an Encrypt. Coefficients outside at are not those of zeros.
func (c *Context) ReadCipher(seed Seed, at []int32, size int, data []byte) (*Cipher, error) {
	u, err := checked("ciphertext", data, places(at, c.N), size)
	if err != nil {
		return nil, err
	}
	return &Cipher{c.q.read(u, at, size), c.q.uniform(seed)}, nil
}

// Respond returns the message that answers with the coefficients of x, which Combine made, at the given places, and this party's shares of
// them modulo 2^width: words for each. Each number of the message has size bits. seed and random serve nothing else.
func (k *Public) Respond(x *Cipher, seed, random Seed, at []int32, width, size int) (shares []uint64, message []byte) {
	b, from := k.c.kept, newStream(random)
	u := b.small(from.ternary(k.c.N))
	b.forward(u)
	c1 := b.make()
	b.mulAdd(c1, u, k.a)
	c0 := b.make()
	b.mulAdd(c0, u, k.b)
	b.backward(c0)
	b.backward(c1)
	b.add(c1, b.small(from.noise(k.c.N)))
	b.add(c1, x.c1)
	b.add(c0, x.c0)
	var out packer
	b.rounded(&out, c1, nil, size)
	b.sub(c0, b.uniform(seed)) // minus the mask, which is uniform modulo Q
	return b.shares(c0, at, width), out.bytes()
}

// shares returns the coefficients of p at the given places as fractions of width bits.
func (b *basis) shares(p poly, at []int32, width int) []uint64 {
	each := (width + 63) / 64
	out := make([]uint64, 0, places(at, b.n)*each)
	var words [mostLimbs]uint64
	for i := range places(at, b.n) {
		b.fraction(words[:], p, place(at, i), width)
		out = append(out, words[:each]...)
	}
	if width%64 != 0 {
		for i := each - 1; i < len(out); i += each {
			out[i] &= 1<<(width%64) - 1
		}
	}
	return out
}

// Finish returns this party's shares of what Respond answered.
func (k *Secret) Finish(seed Seed, at []int32, width, size int, message []byte) ([]uint64, error) {
	b := k.c.kept
	u, err := checked("response", message, k.c.N, size)
	if err != nil {
		return nil, err
	}
	c1 := b.read(u, nil, size)
	b.forward(c1)
	p := k.times(b, c1)
	b.add(p, b.uniform(seed))
	return b.shares(p, at, width), nil
}
