package he

// Cipher is a ciphertext under a Secret s: polynomials c0 and c1 such that c0 + c1·s is the message, as fractions of
// the modulus, plus noise. The polynomials are held as coefficients.
type Cipher struct{ c0, c1 poly }

// Encrypt returns a message that encrypts numbers modulo 2^width as coefficients at the places at (nil for all N).
// words holds the numbers, ⌈width/64⌉ words each, the lowest first. The message has a number of size bits for each
// place, so that other coefficients are not defined. seed determines the part that both parties know, random the noise;
// both must serve nothing else.
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

// ReadCipher returns the ciphertext in a message of Secret.Encrypt with the same seed, at and size. Decryption is
// defined at the places of at only. It returns an error if data is malformed.
func (c *Context) ReadCipher(seed Seed, at []int32, size int, data []byte) (*Cipher, error) {
	u, err := checked("ciphertext", data, places(at, c.N), size)
	if err != nil {
		return nil, err
	}
	return &Cipher{c.q.read(u, at, size), c.q.uniform(seed)}, nil
}

// Respond returns the message that answers a Cipher of Combine, and this party's shares, modulo 2^width, of the
// coefficients at the places at (nil for all N), ⌈width/64⌉ words each. Secret.Finish with the same seed, at, width and
// size returns the other party's shares. The message has N numbers of size bits. seed determines the mask, random all
// that only this party may know; both must serve nothing else.
func (k *Public) Respond(x *Cipher, seed, random Seed, at []int32, width, size int) (shares []uint64, message []byte) {
	c0, message := k.respond(x, seed, random, size)
	return k.c.kept.shares(c0, at, width), message
}

// respond is Respond without the shares: it returns the polynomial of which they are fractions.
func (k *Public) respond(x *Cipher, seed, random Seed, size int) (poly, []byte) {
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
	return c0, out.bytes()
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

// Finish returns this party's shares of the coefficients that a message of Public.Respond answers, with the same seed,
// at, width and size. The sums of both parties' shares modulo 2^width are the coefficients. It returns an error if
// message is malformed.
func (k *Secret) Finish(seed Seed, at []int32, width, size int, message []byte) ([]uint64, error) {
	p, err := k.finish(seed, size, message)
	if err != nil {
		return nil, err
	}
	return k.c.kept.shares(p, at, width), nil
}

// finish is Finish without the shares: it returns the polynomial of which they are fractions.
func (k *Secret) finish(seed Seed, size int, message []byte) (poly, error) {
	b := k.c.kept
	u, err := checked("response", message, k.c.N, size)
	if err != nil {
		return nil, err
	}
	c1 := b.read(u, nil, size)
	b.forward(c1)
	p := k.times(b, c1)
	b.add(p, b.uniform(seed))
	return p, nil
}
