package he

import (
	"math/big"
	"math/bits"
	"sync"
)

// SlotSet is the place in Sets of the parameters of Slots.
const SlotSet = 4

// Slots multiplies vectors element by element, modulo T, the product of primes ≡ 1 modulo 2N. A polynomial modulo such
// a prime is determined by its values at N roots of unity, its slots; products of polynomials are products of slots. Each
// prime has ciphertexts of its own.
type Slots struct {
	c       *Context
	t       *basis
	whole   []uint64   // by prime of T: Q modulo it, scaled
	inverse [][]uint64 // by prime of T and of Q: −1/t modulo q, scaled
	restore sync.Map   // restorers, by bits
}

// The sizes in bits of the smallest and largest primes of Slots: of smaller sizes there are too few.
const (
	LeastPrime = 22
	MostPrime  = 59
)

var allSlots sync.Map // *Slots by [2]int

// SlotsOf returns the Slots whose T is the product of count primes of the given number of bits, LeastPrime to MostPrime.
func SlotsOf(size, count int) *Slots {
	key := [2]int{size, count}
	if s, ok := allSlots.Load(key); ok {
		return s.(*Slots)
	}
	c := Of(SlotSet)
	s := &Slots{c: c}
	var list []*modulus
	var places []int
	var before []uint64
	for _, m := range c.all {
		before = append(before, m.q)
	}
	for i, p := range primes(size, c.N, count, before) {
		list, places = append(list, newModulus(p, c.N)), append(places, i)
	}
	s.t = newBasis(list, places)
	for _, t := range s.t.m {
		q := new(big.Int).SetUint64(t.q)
		s.whole = append(s.whole, t.scaled(q.Mod(c.q.whole, q).Uint64()))
		var inverse []uint64
		for _, m := range c.q.m {
			inverse = append(inverse, m.scaled(m.sub(0, m.power(t.q%m.q, m.q-2))))
		}
		s.inverse = append(s.inverse, inverse)
	}
	made, _ := allSlots.LoadOrStore(key, s)
	return made.(*Slots)
}

// N returns the number of slots.
func (s *Slots) N() int { return s.c.N }

// Prime returns a prime.
func (s *Slots) Prime(i int) uint64 { return s.t.m[i].q }

// Modulus returns T.
func (s *Slots) Modulus() *big.Int { return new(big.Int).Set(s.t.whole) }

// SlotSizes returns the fewest bits of the numbers of messages for primes of the given number of bits and sums of so
// many products; false if the set has no room, or no such primes. Results are exact but for a probability of about 2^-54 for each slot.
func SlotSizes(size, terms int) (Sizes, bool) {
	if size < LeastPrime || size > MostPrime {
		return Sizes{}, false
	}
	return Sets[SlotSet].Sizes(Need{Width: size, Weight: size - 1, Terms: Sets[SlotSet].N, Inputs: terms, Outputs: 1})
}

// Add returns a + b modulo a prime, both below it, in time that depends on neither.
func (s *Slots) Add(prime int, a, b uint64) uint64 { return s.t.m[prime].add(a, b) }

// Scaled returns a·2^64 modulo a prime, a below it: Mul with it is a product.
func (s *Slots) Scaled(prime int, a uint64) uint64 { return s.t.m[prime].scaled(a) }

// Mul returns a·b/2^64 modulo a prime, for any a and b below the prime, in time that depends on neither.
func (s *Slots) Mul(prime int, a, b uint64) uint64 { return s.t.m[prime].mul(a, b) }

// Power returns a^e modulo a prime, of public numbers.
func (s *Slots) Power(prime int, a, e uint64) uint64 { return s.t.m[prime].power(a, e) }

// Signed returns a number of magnitude below the prime modulo it.
func (s *Slots) Signed(prime int, a int64) uint64 { return s.t.m[prime].small(a) }

// Reduce returns any number modulo a prime.
func (s *Slots) Reduce(prime int, a uint64) uint64 {
	m := s.t.m[prime]
	return m.mul(a, m.r) // a·2^64/2^64
}

// Multiples sets out, by prime, to ⌊v·T/2^width⌉, of a number v modulo 2^width given by its words.
func (s *Slots) Multiples(out [][]uint64, at int, v []uint64, width int) {
	r, ok := s.restore.Load(width)
	if !ok {
		r, _ = s.restore.LoadOrStore(width, s.t.restorer(width))
	}
	r.(*restorer).restore(out, at, v)
}

// Fractions returns ⌊x·2^width/T⌉ of n numbers modulo T, given by their residues, ⌈width/64⌉ words each.
func (s *Slots) Fractions(x [][]uint64, n, width int) []uint64 {
	each := (width + 63) / 64
	out := make([]uint64, 0, n*each)
	var words [mostLimbs]uint64
	for i := range n {
		s.t.fraction(words[:], x, i, width)
		if width%64 != 0 {
			words[each-1] &= 1<<(width%64) - 1
		}
		out = append(out, words[:each]...)
	}
	return out
}

// Encrypt returns a message that encrypts N slots modulo a prime, which Context.ReadCipher reads. seed determines the
// part that both parties know, random the noise; both must serve nothing else. The vector slots is overwritten.
func (s *Slots) Encrypt(k *Secret, prime int, seed, random Seed, slots []uint64, size int) []byte {
	b, t := s.c.q, s.t.m[prime]
	a := b.uniform(seed)
	b.forward(a)
	p := k.sample(b, a, random)
	drop(a)
	t.backward(slots)
	for i, v := range slots { // ⌊Q·v/t⌉ = (Q·v − r)/t for r = Q·v modulo t, and Q is 0 modulo its primes
		slots[i] = t.mul(v, s.whole[prime])
	}
	v := b.room()
	b.lift(v, slots, t.q)
	for i, m := range b.m {
		for j, x := range v[i] {
			p[i][j] = m.add(p[i][j], m.mul(x, s.inverse[prime][i]))
		}
	}
	var out packer
	b.rounded(&out, p, nil, size)
	drop(p, v)
	return out.bytes()
}

// Combine returns the sum of ciphertexts times vectors of N slots modulo a prime, slot by slot. Both are overwritten.
func (s *Slots) Combine(prime int, xs []*Cipher, slots [][]uint64) *Cipher {
	b, t := s.c.q, s.t.m[prime]
	sum := &Cipher{b.make(), b.make()}
	v := b.room()
	for i, x := range xs {
		t.backward(slots[i])
		b.lift(v, slots[i], t.q)
		b.forward(v)
		b.prepare(v)
		b.forward(x.c0)
		b.forward(x.c1)
		b.mulAdd(sum.c0, x.c0, v)
		b.mulAdd(sum.c1, x.c1, v)
	}
	drop(v)
	b.backward(sum.c0)
	b.backward(sum.c1)
	return sum
}

// Respond returns the message that answers a Cipher of Combine, and this party's shares of its slots modulo the prime;
// Finish returns the other party's. seed determines the mask, random all that only this party may know; both must serve
// nothing else.
func (s *Slots) Respond(k *Public, prime int, x *Cipher, seed, random Seed, size int) (shares []uint64, message []byte) {
	c0, message := k.respond(x, seed, random, size)
	shares = s.shares(c0, prime)
	drop(c0)
	return shares, message
}

// Finish returns this party's shares of the slots that a message of Respond answers. It returns an error if message is
// malformed.
func (s *Slots) Finish(k *Secret, prime int, seed Seed, size int, message []byte) ([]uint64, error) {
	p, err := k.finish(seed, size, message)
	if err != nil {
		return nil, err
	}
	shares := s.shares(p, prime)
	drop(p)
	return shares, nil
}

// shares returns the slots of ⌊t·p/Q⌉.
func (s *Slots) shares(p poly, prime int) []uint64 {
	b, t := s.c.q, s.t.m[prime]
	out := make([]uint64, b.n)
	var words [mostLimbs]uint64
	for i := range out {
		b.fraction(words[:], p, i, 128)
		high, _ := bits.Mul64(words[0], t.q)
		top, low := bits.Mul64(words[1], t.q)
		low, carry := bits.Add64(low, high, 0)
		_, up := bits.Add64(low, 1<<63, 0)
		out[i] = reduced(top+carry+up, t.q)
	}
	t.forward(out)
	return out
}
