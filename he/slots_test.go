package he

import (
	"math/big"
	"testing"
)

// TestSlots compares sums of products of slots with their definition, at extreme numbers among others, and measures the
// error of the polynomials.
func TestSlots(t *testing.T) {
	for _, c := range []struct{ size, count, terms int }{{45, 1, 3}, {59, 2, 2}} {
		s := SlotsOf(c.size, c.count)
		sizes, ok := SlotSizes(c.size, c.terms)
		if !ok {
			t.Fatalf("no room for primes of %d bits", c.size)
		}
		key := s.c.NewSecret(seedOf(1))
		public, err := s.c.ReadPublic(seedOf(2), sizes.Public, key.Public(seedOf(2), seedOf(3), sizes.Public))
		if err != nil {
			t.Fatal(err)
		}
		for prime := range c.count {
			q := s.Prime(prime)
			from := newStream(seedOf(byte(9 + prime)))
			want := make([]uint64, s.N())
			var xs []*Cipher
			var weights [][]uint64
			for term := range c.terms {
				x, w := make([]uint64, s.N()), make([]uint64, s.N())
				for i := range x {
					x[i], w[i] = from.word()%q, from.word()%q
					switch i % 5 {
					case 0:
						x[i], w[i] = q-1, q-1
					case 1:
						x[i] = 0
					case 2:
						x[i], w[i] = q/2, q/2+1
					}
					p := new(big.Int).Mul(new(big.Int).SetUint64(x[i]), new(big.Int).SetUint64(w[i]))
					want[i] = (want[i] + p.Mod(p, new(big.Int).SetUint64(q)).Uint64()) % q
				}
				seed := seedOf(byte(20 + term))
				data := s.Encrypt(key, prime, seed, seedOf(byte(40+term)), x, sizes.Upload)
				read, err := s.c.ReadCipher(seed, nil, sizes.Upload, data)
				if err != nil {
					t.Fatal(err)
				}
				xs, weights = append(xs, read), append(weights, w)
			}
			sum := s.Combine(prime, xs, weights)
			mine, message := s.Respond(public, prime, sum, seedOf(60), seedOf(61), sizes.Answer)
			if len(message) != Bytes(s.N(), sizes.Answer) {
				t.Errorf("a response of %d bytes", len(message))
			}
			if _, err := s.Finish(key, prime, seedOf(60), sizes.Answer, message[1:]); err == nil {
				t.Error("a short response is taken")
			}
			other, err := s.Finish(key, prime, seedOf(60), sizes.Answer, message)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if got := (mine[i] + other[i]) % q; got != want[i] {
					t.Fatalf("primes of %d bits: slot %d is %d, want %d", c.size, i, got, want[i])
				}
			}
		}
	}
}

// TestSlotMessagesAreUniform is TestMessagesAreUniform for slots.
func TestSlotMessagesAreUniform(t *testing.T) {
	s := SlotsOf(59, 1)
	b := s.c.kept
	key := s.c.NewSecret(seedOf(1))
	public, err := s.c.ReadPublic(seedOf(2), b.digits-1, key.Public(seedOf(2), seedOf(3), b.digits-1))
	if err != nil {
		t.Fatal(err)
	}
	bare := &Public{s.c, b.make(), b.make()}
	all := func(v uint64) []uint64 {
		list := make([]uint64, s.N())
		for i := range list {
			list[i] = v
		}
		return list
	}
	encrypted := func(v uint64, seed, random byte) []uint64 {
		return wordsOf(s.Encrypt(key, 0, seedOf(4, seed), seedOf(5, random), all(v), messageBits))
	}
	response := func(k *Public, w uint64, random byte) (shares, words []uint64) {
		x, err := s.c.ReadCipher(seedOf(6), nil, b.digits-1, s.Encrypt(key, 0, seedOf(6), seedOf(7), all(3), b.digits-1))
		if err != nil {
			t.Fatal(err)
		}
		shares, message := s.Respond(k, 0, s.Combine(0, []*Cipher{x}, [][]uint64{all(w)}), seedOf(8), seedOf(9, random), messageBits)
		for i := range shares {
			shares[i] <<= 5 // the primes are a little below 2^59
		}
		return shares, wordsOf(message)
	}
	most := s.Prime(0) - 1
	mine, zero := response(public, 0, 1)
	_, large := response(public, most, 1)
	_, other := response(public, most, 2)
	_, open := response(bare, 0, 1)
	for name, c := range map[string]struct {
		v    []uint64
		open bool // what hides the message is left out
	}{
		"ciphertext of zeros":                  {encrypted(0, 0, 0), false},
		"ciphertext of the largest":            {encrypted(most, 0, 0), false},
		"ciphertexts of one number":            {difference(encrypted(5, 1, 1), encrypted(5, 2, 2)), false},
		"two ciphertexts of one seed":          {difference(encrypted(5, 1, 1), encrypted(5, 1, 2)), true},
		"share":                                {mine, false},
		"response for zeros":                   {zero, false},
		"response for the largest":             {large, false},
		"responses for one vector":             {difference(large, other), false},
		"response that is not randomised":      {open, true},
		"two responses of the same randomness": {difference(zero, zero), true},
	} {
		if d := deviation(c.v); c.open == (d < 2.3) {
			t.Errorf("%s: deviation %.2f", name, d)
		}
	}
}
