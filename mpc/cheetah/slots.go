package cheetah

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// slotted is a sum of products, for each of n elements, of a number of one party with a number of the other one, modulo
// T (he.Slots). The encrypter encrypts its numbers, the responder multiplies, and each party gets a share modulo T,
// which it rounds as a fraction of T to width bits: T is a multiple of itself, so that the sums of these shares are the
// fraction without any further message.
//
// A ciphertext holds N numbers: of as many terms as fit beside each other, so that both parties add up slots in the end.
type slotted struct {
	p           *Party
	op          *flow.Op
	size, count int // T is the product of count primes of size bits
	n, terms    int
	sizes       he.Sizes
	seed        he.Seed
}

// The ranks of the party that encrypts slots and of the one that multiplies.
const (
	slotResponder = 0
	slotEncrypter = 1
)

// slotsOf returns the sums of n elements of so many terms; nil if no parameters have room.
func slotsOf(size, count, n, terms int) *slotted {
	s := &slotted{size: size, count: count, n: n, terms: terms}
	var ok bool
	if s.sizes, ok = he.SlotSizes(size, terms); !ok {
		return nil
	}
	return s
}

// widest returns the slots with the fewest primes whose T has at least so many bits.
func widest(bits, n, terms int) *slotted {
	const most = 370         // bits of T whose fractions package he has room for
	if bits++; bits > most { // primes are a little below powers of two
		return nil
	}
	count := (bits + he.MostPrime - 1) / he.MostPrime
	return slotsOf(max(he.LeastPrime, (bits+count-1)/count), count, n, terms)
}

// block is a range of elements whose ciphertexts hold per terms each.
type block struct{ lo, n, per, ciphers int }

// blocks divides the elements.
func (s *slotted) blocks() (out []block) {
	room := he.Sets[he.SlotSet].N
	for lo := 0; lo < s.n; lo += room {
		n := min(room, s.n-lo)
		per := min(room/n, s.terms)
		out = append(out, block{lo, n, per, (s.terms + per - 1) / per})
	}
	return out
}

// traffic is the number of bytes of all ciphertexts and of all responses.
func (s *slotted) traffic() (up, down int) {
	room := he.Sets[he.SlotSet].N
	for _, b := range s.blocks() {
		up += s.count * b.ciphers * he.Bytes(room, s.sizes.Upload)
		down += s.count * he.Bytes(room, s.sizes.Answer)
	}
	return up, down
}

// cheaper reports whether the slots, keys included, send less than so many bytes.
func (s *slotted) cheaper(than int) bool {
	if s == nil {
		return false
	}
	up, down := s.traffic()
	return up+down+he.Sets[he.SlotSet].PublicBytes(s.sizes.Public) < than
}

// numbersOf sets out[term][prime][i] to this party's numbers of the elements lo … lo+n−1, below the primes.
type numbersOf func(t *he.Slots, out [][][]uint64, lo, n int)

// mostBlocks is the number of blocks whose messages are one: link.MaxPayload bounds messages. Tests lower it.
var mostBlocks = 32

// run adds the sums. own gives this party's numbers; it is called when deps are done. The result is this party's share
// of the fractions.
func (s *slotted) run(p *Party, op *flow.Op, r ring.Ring, own numbersOf, deps ...flow.Dep) *flow.Future[ring.Vec] {
	if most := mostBlocks * he.Sets[he.SlotSet].N; s.n > most {
		var parts []*flow.Future[ring.Vec]
		for lo := 0; lo < s.n; lo += most {
			part := *s
			part.n = min(most, s.n-lo)
			parts = append(parts, part.run(p, op, r, func(t *he.Slots, out [][][]uint64, from, n int) { own(t, out, lo+from, n) }, deps...))
		}
		return local(op, r, s.n, func(dst ring.Vec, src []ring.Vec) {
			at := 0
			for _, v := range src {
				ring.Low(dst.Slice(at, at+v.Len()), v)
				at += v.Len()
			}
		}, parts...)
	}
	s.p, s.op = p, op
	s.seed = he.Derive(he.Seed(p.common), "slots", op.Next())
	if p.demand != nil && op.Graph.DryRun() {
		p.demand.AddKeys(pair.KeyRequest{Owner: slotEncrypter, Set: he.SlotSet}, pair.KeySizes{Public: s.sizes.Public})
	}
	if p.rank == slotEncrypter {
		return s.encrypt(r, own, deps)
	}
	return s.respond(r, own, deps)
}

// packed lays the numbers of a block out as slots: [prime][cipher] of N numbers.
func (s *slotted) packed(t *he.Slots, b block, own numbersOf) [][][]uint64 {
	given := make([][][]uint64, s.terms)
	for j := range given {
		given[j] = make([][]uint64, s.count)
		for i := range given[j] {
			given[j][i] = make([]uint64, b.n)
		}
	}
	own(t, given, b.lo, b.n)
	out := make([][][]uint64, s.count)
	for i := range out {
		out[i] = make([][]uint64, b.ciphers)
		for c := range out[i] {
			out[i][c] = make([]uint64, t.N())
			for k := range min(b.per, s.terms-c*b.per) {
				copy(out[i][c][k*b.n:], given[c*b.per+k][i])
			}
		}
	}
	return out
}

// fractions sets the elements of a block to the fractions of this party's shares of its slots, by prime.
func (s *slotted) fractions(t *he.Slots, dst ring.Vec, b block, shares [][]uint64) {
	for i, v := range shares {
		for k := 1; k < b.per; k++ {
			for e := range b.n {
				v[e] = t.Add(i, v[e], v[k*b.n+e])
			}
		}
	}
	each := dst.Ring().Words()
	copy(dst.Words()[b.lo*each:], t.Fractions(shares, b.n, dst.Ring().Bits))
}

// seedOf is the seed of a polynomial of a message.
func (s *slotted) seedOf(kind, block, prime, cipher int) he.Seed {
	return he.Derive(s.seed, "polynomial", uint64(kind), uint64(block), uint64(prime), uint64(cipher))
}

// encrypt is the encrypter's side.
func (s *slotted) encrypt(r ring.Ring, own numbersOf, deps []flow.Dep) *flow.Future[ring.Vec] {
	op, dry, p := s.op, s.op.Graph.DryRun(), s.p
	up, down := s.traffic()
	blocks := s.blocks()
	spend := func(messages int) { op.Spend(flow.Stream, int64(messages*s.count)*3*polynomialStream) }
	asked := flow.Do(op, int64(up), func() []byte {
		spend(len(blocks) * s.terms)
		if dry {
			return nil
		}
		t, key := he.SlotsOf(s.size, s.count), p.material.Secret(he.SlotSet)
		list := make([][]byte, len(blocks))
		ring.Parallel(len(blocks), 1, func(lo, hi int) {
			for at := lo; at < hi; at++ {
				for i, ciphers := range s.packed(t, blocks[at], own) {
					for c, v := range ciphers {
						list[at] = append(list[at], t.Encrypt(key, i, s.seedOf(cipherSeed, at, i, c), he.Draw(p.random), v, s.sizes.Upload)...)
					}
				}
			}
		})
		return joined(list, up)
	}, deps...)
	sent := flow.Exchange(op, 0, flow.ExchangeSpec{To: []int{p.peer()}, Rounds: 1, Pack: func() ring.Payload {
		return ring.Payload{Len: up, Data: asked.Get()}
	}}, func([]ring.Payload) (struct{}, error) { return struct{}{}, nil }, asked)
	from := flow.ExchangeSpec{From: []int{p.peer()}, Size: down}
	return flow.Exchange(op, bytes(r, s.n), from, func(in []ring.Payload) (ring.Vec, error) {
		spend(len(blocks))
		if dry {
			return ring.ShapeOnly(r, s.n), nil
		}
		t, key, out := he.SlotsOf(s.size, s.count), p.material.Secret(he.SlotSet), ring.New(r, s.n)
		each, errs := he.Bytes(t.N(), s.sizes.Answer), make([]error, len(blocks))
		ring.Parallel(len(blocks), 1, func(lo, hi int) {
			for at := lo; at < hi; at++ {
				shares := make([][]uint64, s.count)
				for i := range shares {
					first := (at*s.count + i) * each
					var err error
					if shares[i], err = t.Finish(key, i, s.seedOf(responseSeed, at, i, 0), s.sizes.Answer, in[0].Data[first:first+each]); err != nil {
						errs[at] = err
						return
					}
				}
				s.fractions(t, out, blocks[at], shares)
			}
		})
		return out, s.failed("response", errs)
	}, sent)
}

// failed returns the first error, of a message of the other party.
func (s *slotted) failed(what string, errs []error) error {
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("%s of party %d: %w", what, s.p.peer(), err)
		}
	}
	return nil
}

// joined concatenates messages of so many bytes in all.
func joined(list [][]byte, size int) []byte {
	out := make([]byte, 0, size)
	for _, b := range list {
		out = append(out, b...)
	}
	return out
}

// respond is the responder's side.
func (s *slotted) respond(r ring.Ring, own numbersOf, deps []flow.Dep) *flow.Future[ring.Vec] {
	op, dry, p := s.op, s.op.Graph.DryRun(), s.p
	up, down := s.traffic()
	blocks := s.blocks()
	got := flow.Exchange(op, int64(up), flow.ExchangeSpec{From: []int{p.peer()}, Size: up}, func(in []ring.Payload) ([]byte, error) {
		return in[0].Data, nil
	}, deps...) // the other party sends when it has what this one waits for
	type answered struct {
		message []byte
		share   ring.Vec
	}
	made := flow.Try(op, int64(down), func() (a answered, err error) {
		op.Spend(flow.Stream, int64(len(blocks)*(s.terms+1)*s.count)*4*polynomialStream)
		if dry {
			return answered{nil, ring.ShapeOnly(r, s.n)}, nil
		}
		t, c, key := he.SlotsOf(s.size, s.count), he.Of(he.SlotSet), p.material.Peer(he.SlotSet).Public
		a.share = ring.New(r, s.n)
		each, starts := he.Bytes(t.N(), s.sizes.Upload), make([]int, len(blocks)+1)
		for i, b := range blocks {
			starts[i+1] = starts[i] + s.count*b.ciphers*each
		}
		list, errs := make([][]byte, len(blocks)), make([]error, len(blocks))
		ring.Parallel(len(blocks), 1, func(lo, hi int) {
			for at := lo; at < hi; at++ {
				from, shares := starts[at], make([][]uint64, s.count)
				for i, weights := range s.packed(t, blocks[at], own) {
					var xs []*he.Cipher
					for j := range weights {
						x, err := c.ReadCipher(s.seedOf(cipherSeed, at, i, j), nil, s.sizes.Upload, got.Get()[from:from+each])
						if err != nil {
							errs[at] = err
							return
						}
						from += each
						xs = append(xs, x)
					}
					var message []byte
					sum := t.Combine(i, xs, weights)
					shares[i], message = t.Respond(key, i, sum, s.seedOf(responseSeed, at, i, 0), he.Draw(p.random), s.sizes.Answer)
					list[at] = append(list[at], message...)
					for _, x := range append(xs, sum) {
						x.Free()
					}
				}
				s.fractions(t, a.share, blocks[at], shares)
			}
		})
		a.message = joined(list, down)
		return a, s.failed("ciphertext", errs)
	}, append([]flow.Dep{got}, deps...)...)
	return flow.Exchange(op, bytes(r, s.n), flow.ExchangeSpec{To: []int{p.peer()}, Rounds: 1, Pack: func() ring.Payload {
		return ring.Payload{Len: down, Data: made.Get().message}
	}}, func([]ring.Payload) (ring.Vec, error) { return made.Get().share, nil }, made)
}

// slotProduct returns this party's share of the products of different parties' shares of x and y, element by element, in
// their ring of k bits; nil if slots cannot do it or transfers send less. The encrypter encrypts ⌊v·T/2^k⌉ and the responder
// multiplies by its u, |u| ≤ 2^(k−1): the fraction of T in k bits is u·v, and off by at most 2^(2k−2)/T for each of two
// products and by one for rounding, which slack allows.
func (p *Party) slotProduct(op *flow.Op, n int, x, y *share, slack int) *flow.Future[ring.Vec] {
	r := x.ring
	if slack < 3 {
		return nil
	}
	// the numbers of terms: the responder's share of x times the other's of y, and the other way round
	var terms [][2]*share // the responder's and the encrypter's
	for _, t := range [][2]*share{{x, y}, {y, x}} {
		if t[0].owner != slotEncrypter && t[1].owner != slotResponder {
			terms = append(terms, t)
		}
	}
	if x == y {
		terms = terms[:1]
	}
	s := widest(2*r.Bits-3+len(terms)-slack, n, len(terms)) // twice what the error takes: room for the rounding
	transfers := 0
	for range terms {
		bits := min(planes(x), planes(y))
		each := bits * (1 + ot.BatchBytes(8))
		for i := range bits {
			each += r.Bits - i
		}
		transfers += each * n / 8
	}
	if !s.cheaper(transfers) {
		return nil
	}
	return s.run(p, op, r, func(t *he.Slots, out [][][]uint64, lo, n int) {
		each := r.Words()
		for j, term := range terms {
			if p.rank == slotEncrypter {
				v := term[1].own.Get().Words()
				for i := range n {
					t.Multiples(out[j], i, v[(lo+i)*each:(lo+i+1)*each], r.Bits)
				}
				continue
			}
			u := term[0].own.Get().Words()[lo*each:]
			for i := range out[j] {
				residues(t, i, out[j][i], u, r.Bits)
			}
		}
	}, x.mine(), y.mine())
}

// residues sets dst to signed numbers of width bits, given by their words, modulo a prime, in time that does not depend on
// them.
func residues(t *he.Slots, prime int, dst, words []uint64, width int) {
	each := (width + 63) / 64
	unit, wrap := t.Scaled(prime, t.Power(prime, 2, 64)), t.Prime(prime)-t.Power(prime, 2, uint64(width))
	for e := range dst {
		v, sum := words[e*each:(e+1)*each], uint64(0)
		for i := each - 1; i >= 0; i-- {
			sum = t.Add(prime, t.Mul(prime, sum, unit), t.Reduce(prime, v[i]))
		}
		negative := v[each-1] >> ((width - 1) % 64) & 1
		dst[e] = t.Add(prime, sum, wrap&-negative)
	}
}
