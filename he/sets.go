package he

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"
)

// Set is a set of parameters of the encryption scheme. Polynomials have N coefficients modulo Q, the product of primes
// whose sizes in bits are Primes. Products are divided by all primes but the first Kept ones; responses are modulo the
// remaining product. Switching keys are modulo that, or those of baby steps modulo Q, times a special prime of Special
// bits. If Special is 0, the set has no switching keys.
type Set struct {
	Name          string
	N             int
	Primes        []int
	Kept, Special int
}

// Sets lists the parameter sets of contractions, and that of Slots. Each has at least 128 bits
// of classical security (largest; TestSets).
var Sets = []Set{
	{"small", 4096, []int{52, 52}, 2, 0},
	{"middle", 8192, []int{60, 60}, 1, 60},
	{"large", 8192, []int{50, 50, 50}, 2, 60},
	{"huge", 16384, []int{60, 60, 60, 60, 60}, 4, 60},
	{"slots", 8192, []int{48, 48, 48, 48}, 4, 0},
	{"quick", 8192, []int{50, 50, 50}, 2, 50},
	{"light", 8192, []int{48, 48, 48}, 2, 48},
}

// ContractionSets lists the places in Sets of the sets of contractions, by the bits of their moduli. Kept states and stores name
// sets by their places, which therefore do not change.
var ContractionSets = []int{0, 1, 6, 5, 2, 3}

// largest is the largest log2 of the product of all primes, by N, at which ternary secrets and σ = 3.2 have 128 bits of
// security against the best known attacks: Bossuat, Cammarota, Chillotti, Curtis, Dai, Gong, Hales, Kim, Kumar, Lee and
// others, Security Guidelines for Implementing Homomorphic Encryption (IACR Communications in Cryptology 1(4), 2024),
// by the lattice estimator; taken over on 2026-11-24. The standard of 2018 has 109, 218 and 438.
var largest = map[int]int{4096: 106, 8192: 214, 16384: 430}

// size is log2 of the product of all primes, rounded up.
func (s Set) size() int {
	n := s.Special
	for _, p := range s.Primes {
		n += p
	}
	return n
}

// check returns an error if a set is not among those that have 128 bits of security.
func (s Set) check() error {
	if most, ok := largest[s.N]; !ok || s.size() > most {
		return fmt.Errorf("he: a modulus of %d bits with %d coefficients has less than 128 bits of security: at most %d bits are allowed", s.size(), s.N, most)
	}
	return nil
}

// Context holds a Set and the tables that its arithmetic needs. They do not change; goroutines may share it.
type Context struct {
	Set
	all   []*modulus
	q     *basis // the primes of Q
	kept  *basis // those that stay
	whole *basis // those that stay and the special prime
	full  *basis // all primes

	mu   sync.Mutex
	sums [][]uint64 // memory of sums that is not in use, at most keptSums
}

// keptSums bounds how much memory of sums is kept: that of numbers and that of a block, of two contractions at once. It is not
// left to the collector, because it is needed for each block of each product, and the system takes longer to clear new memory than a
// block's first level takes.
const keptSums = 4

// takeSums returns n words, which may be any: the least memory that is kept and has as many.
func (c *Context) takeSums(n int) []uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	best := -1
	for i, w := range c.sums {
		if len(w) >= n && (best < 0 || len(w) < len(c.sums[best])) {
			best = i
		}
	}
	if best < 0 {
		return make([]uint64, n)
	}
	w := c.sums[best]
	c.sums = slices.Delete(c.sums, best, best+1)
	return w
}

// giveSums gives memory of takeSums back.
func (c *Context) giveSums(w []uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.sums) < keptSums {
		c.sums = append(c.sums, w)
		return
	}
	for i, kept := range c.sums {
		if len(kept) < len(w) {
			c.sums[i] = w
			return
		}
	}
}

// vectors has vectors that are not in use, by log2 of their lengths.
var vectors [32]sync.Pool

// taken returns a vector of n numbers, a power of two, which may be any.
func taken(n int) []uint64 {
	if v, ok := vectors[bitsOf(n)].Get().(*uint64); ok {
		return unsafe.Slice(v, n)
	}
	return make([]uint64, n)
}

// drop gives the memory of polynomials back, whose vectors must be whole allocations.
func drop(ps ...poly) {
	for _, p := range ps {
		for _, v := range p {
			vectors[bitsOf(len(v))].Put(unsafe.SliceData(v))
		}
	}
}

// take returns a vector of N numbers, which may be any.
func (c *Context) take() []uint64 { return taken(c.N) }

// give gives a vector back, which serves nothing else after that.
func (c *Context) give(v []uint64) { drop(poly{v}) }

// room returns a polynomial modulo so many primes whose numbers may be any.
func (c *Context) room(primes int) poly {
	p := make(poly, primes)
	for i := range p {
		p[i] = c.take()
	}
	return p
}

// copied returns a copy of p.
func (c *Context) copied(p poly) poly {
	out := c.room(len(p))
	for i, v := range p {
		copy(out[i], v)
	}
	return out
}

// newContext returns the tables of a set, or an error if the set is not secure.
func newContext(s Set) (*Context, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var list []uint64
	for _, size := range append(append([]int{}, s.Primes...), s.Special) {
		if size > 0 {
			list = append(list, primes(size, s.N, 1, list)...)
		}
	}
	var m []*modulus
	for _, q := range list {
		m = append(m, newModulus(q, s.N))
	}
	var places []int
	for i, x := range m {
		x.inverses = map[uint64]uint64{}
		for _, y := range m {
			if y != x {
				x.inverses[y.q] = x.power(y.q%x.q, x.q-2)
			}
		}
		places = append(places, i)
	}
	kept := places[:s.Kept:s.Kept]
	c := &Context{Set: s, all: m, q: newBasis(m, places[:len(s.Primes)]), kept: newBasis(m, kept)}
	c.whole = newBasis(m, append(append([]int{}, kept...), places[len(s.Primes):]...))
	c.full = newBasis(m, places)
	return c, nil
}

var contexts [8]struct {
	once sync.Once
	c    *Context
}

// Of returns the Context of Sets[set]. It makes the tables on the first call.
func Of(set int) *Context {
	x := &contexts[set]
	x.once.Do(func() {
		c, err := newContext(Sets[set])
		if err != nil {
			panic(err) // TestSets checks the table
		}
		x.c = c
	})
	return x.c
}
