package he

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/tacet-mpc/tacet/ring"
)

// Plain holds the polynomials by which Combine multiplies an Input, one for each output. Polynomial o is the sum of the Runs from
// From[o] to From[o+1]−1.
type Plain struct {
	From    []int32
	Runs    []Run
	Numbers *Numbers
}

// Run is the sum of number First + i·Step of Numbers times X^(Place − i) for i from 0 to Count−1. Place is from 0 to 2N−1, where X^N is −1,
// and Count at most N. No more than 2^alike numbers of one output have the same place modulo N.
type Run struct{ Place, Count, First, Step int32 }

// Numbers holds the numbers of a Plain.
type Numbers struct {
	low     []uint64   // modulo 2^64, signed; nil if there is residue
	most    int        // sums over all outputs are below 2^most in magnitude
	residue [][]uint64 // by prime, modulo it, of numbers of several words
}

// mostInteger is the largest Numbers.most of sums that are one word, highShift the place of the second one's lowest bit, and
// alike is log2 of the number of an output's places that may be the same modulo N.
const (
	mostInteger = 62
	highShift   = 48
	alike       = 3
)

// Numbers returns signed numbers of width bits for the given number of outputs, a power of two. words holds them modulo 2^width,
// ⌈width/64⌉ words each, the lowest first; they may stay in use. Magnitudes are at most 2^weight; products with larger numbers are wrong.
func (c *Context) Numbers(words []uint64, width, weight, outputs int) *Numbers {
	n, each := &Numbers{most: weight + bitsOf(outputs) + alike + 1}, (width+63)/64
	if each > 1 && n.most > mostInteger {
		n.residue = c.residues(words, width)
		return n
	}
	if width == 64 {
		n.low = words
		return n
	}
	up := max(0, 64-width)
	n.low = make([]uint64, len(words)/each)
	for i := range n.low {
		n.low[i] = uint64(int64(words[i*each]<<up) >> up)
	}
	return n
}

// serves returns how many primes sums of n serve, of so many primes.
func (n *Numbers) serves(primes int) int {
	if n.residue != nil {
		return 1
	}
	return primes
}

// residues returns numbers of several words modulo each prime.
func (c *Context) residues(words []uint64, width int) [][]uint64 {
	each := (width + 63) / 64
	n := len(words) / each
	out := make([][]uint64, len(c.q.m))
	for i, m := range c.q.m {
		unit, wrap := make([]uint64, each), uint64(1) // 2^(64j), scaled, and 2^width
		for j := range unit {
			unit[j] = m.r
			if j > 0 {
				unit[j] = m.mul(unit[j-1], m.r2)
			}
		}
		for range width {
			wrap = m.add(wrap, wrap)
		}
		out[i] = make([]uint64, n)
		for j := range out[i] {
			v := words[j*each : (j+1)*each]
			sum := uint64(0)
			for k, w := range v {
				sum = m.add(sum, m.mul(w, unit[k]))
			}
			negative := v[each-1] >> ((width - 1) % 64) & 1
			out[i][j] = m.sub(sum, wrap&-negative)
		}
	}
	return out
}

// twoWords is a polynomial of sums. Where sums may not fit a word, low has them modulo 2^64, and high the sums of numbers' bits from
// highShift on. Else high is nil.
type twoWords struct {
	low  []uint64
	high []int32
}

// sums holds V_k of Combine, for some k. The images of X^o are X^o·Y^(o·n), Y = X^(2N/outputs) and n = 0 … outputs−1: so
// that V is a Fourier transform of length outputs whose root of unity is Y. Products with Y move coefficients. A block is the
// n of one residue modulo the number of blocks: a transform whose root is a power of Y, of sums of X^(o + r·o·2N/outputs), r the residue.
type sums struct {
	c     *Context
	v     []twoWords // by place: ⌊n/blocks⌋, bit-reversed
	step  int        // log of the transform's root of unity
	m     *modulus   // numbers are of [0, q), m's; nil if they are what sums without reduction are, signed
	turns []int      // by place: the polynomial is in X^turn

	memory []uint64 // of v and spare
	mu     sync.Mutex
	spare  []twoWords
}

// packed has the numbers of all runs of a Plain, the last one of each run first: as the low words, and the bits from highShift
// on if sums take two words. For numbers of several words, it is empty.
type packed struct {
	at []int32 // by run: its first one
	twoWords
	memory []uint64 // of both words
}

func (c *Context) newPacked(x *Plain) *packed {
	p, n := &packed{}, 0
	if x.Numbers.residue != nil {
		return p
	}
	p.at = make([]int32, 0, len(x.Runs))
	for _, r := range x.Runs {
		p.at = append(p.at, int32(n))
		n += int(r.Count)
	}
	p.memory = c.takeSums(n + (n+1)/2)
	p.low = p.memory[:n]
	if x.Numbers.most > mostInteger {
		p.high = halves(p.memory[n:])[:n]
	}
	outputs := len(x.From) - 1
	shared((outputs+packedTogether-1)/packedTogether, func(part int) {
		p.pack(x, int(x.From[part*packedTogether]), int(x.From[min((part+1)*packedTogether, outputs)]))
	})
	return p
}

// Numbers of consecutive outputs are often beside each other. packedTogether is the number of outputs that are packed together, so many
// numbers of each run at a time: so that lines of the cache are used as a whole.
const (
	packedTogether = 8
	packedAtATime  = 32
)

// pack packs the runs lo to hi−1.
func (p *packed) pack(x *Plain, lo, hi int) {
	for begin, more := 0, true; more; begin += packedAtATime {
		more = false
		for i := lo; i < hi; i++ {
			r := &x.Runs[i]
			count := int(r.Count)
			end := min(begin+packedAtATime, count)
			if end <= begin {
				continue
			}
			more = more || end < count
			at := int(p.at[i]) + count - 1 // of number 0 of the run
			from := int(r.First) + begin*int(r.Step)
			for j := begin; j < end; j++ {
				p.low[at-j] = x.Numbers.low[from]
				from += int(r.Step)
			}
			if p.high != nil {
				for j := at - end + 1; j <= at-begin; j++ {
					p.high[j] = int32(int64(p.low[j]) >> highShift)
				}
			}
		}
	}
}

// addTo adds the numbers of a run, count of them, to v, with the first one of the run at X^place.
func (p *packed) addTo(v twoWords, run, count, place int) {
	first := int(p.at[run])
	addAt(v.low, p.low[first:first+count], place, inUse.plus)
	if p.high != nil {
		addAt(v.high, p.high[first:first+count], place, inUse.plusHalves)
	}
}

// mostBlock is the largest length of a transform of a block, so that a block's polynomials fit a cache.
const mostBlock = 64

// blocks is the number of blocks for so many outputs.
func blocks(outputs int) int { return max(1, outputs/mostBlock) }

// newSums transforms X^o times the polynomial for o of x, for all o, for one block: as integers, or for numbers of several words modulo the
// given prime. The one at a place is then taken in X^turn, turn being that of the place.
func (c *Context) newSums(x *Plain, numbers *packed, prime, block int, turns []int) *sums {
	outputs := len(x.From) - 1
	length := outputs / blocks(outputs)
	s := &sums{c: c, v: make([]twoWords, length), step: 2 * c.N / length, turns: turns}
	var residue []uint64
	if x.Numbers.residue != nil {
		residue = x.Numbers.residue[prime]
		if m := c.q.m[prime]; bits.Len64(m.q)+bitsOf(outputs)+alike > 63 { // sums of so many numbers below q may not fit
			s.m = m
		}
	}
	s.room(numbers.high != nil)
	by := 1 + 2*c.N/outputs*block
	levels := s.levels(length)
	rest := length >> levels
	shared(rest, func(i int) {
		for at := i; at < length; at += rest {
			clear(s.v[at].low)
			clear(s.v[at].high)
			for o := at; o < outputs; o += length {
				for t := int(x.From[o]); t < int(x.From[o+1]); t++ {
					if place := int(x.Runs[t].Place) + o*by; residue != nil {
						s.fillResidues(s.v[at].low, place, x.Runs[t], residue)
					} else {
						numbers.addTo(s.v[at], t, int(x.Runs[t].Count), place)
					}
				}
			}
		}
		s.gives(s.joins(0, i, length, s.takes()))
	})
	shared(1<<levels, func(part int) { s.gives(s.descend(part*rest, rest, s.takes())) })
	return s
}

// room makes the polynomials of s, whose numbers may be any, and as many more as goroutines may work on them (shared).
func (s *sums) room(wide bool) {
	n := s.c.N
	each, total := n, len(s.v)+ring.Helpers()+1
	if wide {
		each += n / 2
	}
	s.memory = s.c.takeSums(total * each)
	words := s.memory
	low, high := words[:total*n], halves(words[total*n:])
	for i := range total {
		p := twoWords{low: low[i*n : (i+1)*n]}
		if wide {
			p.high = high[i*n : (i+1)*n]
		}
		if i < len(s.v) {
			s.v[i] = p
		} else {
			s.spare = append(s.spare, p)
		}
	}
}

// halves returns words as twice as many numbers of 32 bits.
func halves(words []uint64) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(words))), 2*len(words))
}

// takes returns a polynomial that is not in use.
func (s *sums) takes() twoWords {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.spare) - 1
	p := s.spare[last]
	s.spare = s.spare[:last]
	return p
}

// gives gives it back, or another one in its place.
func (s *sums) gives(p twoWords) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, p)
}

// addAt adds numbers to v, the last one at X^place and each at the place after that of the one before it, place ≥ 0. plus does it for
// consecutive places.
func addAt[T uint64 | int32](v, numbers []T, place int, plus func(x, y []T, minus bool)) {
	n := len(v)
	for left := len(numbers); left > 0; {
		at := place & (2*n - 1)
		minus := at >= n // places are public
		at &= n - 1
		count := min(left, at+1)
		plus(v[at+1-count:at+1], numbers[left-count:left], minus)
		left -= count
		place += 2*n - count
	}
}

// plus adds y to x, or subtracts it.
func plus[T uint64 | int32](x, y []T, minus bool) {
	y = y[:len(x)]
	if minus {
		for i, v := range y {
			x[i] -= v
		}
		return
	}
	for i, v := range y {
		x[i] += v
	}
}

// fillResidues adds a run to v, with the first number at X^place, place ≥ 0.
func (s *sums) fillResidues(v []uint64, place int, run Run, values []uint64) {
	n, from := len(v), int(run.First)
	for i := range int(run.Count) {
		x, at := values[from], (place+2*n-i)&(2*n-1)
		if at >= n { // places are public
			if at -= n; s.m != nil {
				x = s.m.sub(0, x)
			} else {
				x = -x
			}
		}
		if v[at] += x; s.m != nil {
			v[at] = reduced(v[at], s.m.q)
		}
		from += int(run.Step)
	}
}

// mostLevels is the number of levels of the transform that are done at a time, on 2^mostLevels polynomials, which fit a cache.
const mostLevels = 3

// levels returns the number of levels that are done at a time of a transform of the given length.
func (s *sums) levels(length int) int { return min(mostLevels, bitsOf(length)) }

// descend transforms polynomials at to at+length−1. It takes spare, and returns one that is free.
func (s *sums) descend(at, length int, spare twoWords) twoWords {
	levels := s.levels(length)
	rest := length >> levels
	if levels > 0 {
		for i := range rest {
			spare = s.joins(at, i, length, spare)
		}
	}
	for part := range 1 << levels {
		if to := at + part*rest; rest > 1 {
			spare = s.descend(to, rest, spare)
		} else if turn := s.turns[to]; turn != 1 {
			turned(spare, s.v[to], turn)
			spare, s.v[to] = s.v[to], spare
		}
	}
	return spare
}

// turned sets to to the polynomial from in X^turn.
func turned(to, from twoWords, turn int) {
	inUse.turned(to.low, from.low, turn, 0)
	if from.high != nil {
		inUse.turnedHalves(to.high, from.high, turn)
	}
}

// joins does the first levels of a transform of polynomials at to at+length−1 on those at at+i and each length>>levels after it.
func (s *sums) joins(at, i, length int, spare twoWords) twoWords {
	levels := s.levels(length)
	step := length >> levels
	for l := range levels {
		part := length >> l
		for m := range 1 << levels {
			if m>>(levels-1-l)&1 == 0 { // the first one of a pair
				place := i + m*step
				spare = s.join(at+place, place%part, part, spare)
			}
		}
	}
	return spare
}

// join is a butterfly of polynomial at, which is the i-th one of a part of the given length, and the one half a length after it.
// It takes spare, and returns a polynomial that is free.
func (s *sums) join(at, i, length int, spare twoWords) twoWords {
	a, b := s.v[at], s.v[at+length/2]
	by := i * (len(s.v) / length) * s.step
	if s.m == nil {
		moved(a.low, b.low, spare.low, by, inUse.butterfly)
	} else {
		moved(a.low, b.low, spare.low, by, s.reducedButterfly)
	}
	if a.high != nil {
		moved(a.high, b.high, spare.high, by, inUse.butterflyHalves)
	}
	s.v[at+length/2] = spare
	return b
}

// moved sets a to a + b, and out to (a − b)·X^by, by from 0 to N−1. butterfly does it for coefficients that move together.
func moved[T uint64 | int32](a, b, out []T, by int, butterfly func(x, y, z []T, wraps bool)) {
	n := len(a)
	butterfly(a[:n-by], b[:n-by], out[by:], false)
	butterfly(a[n-by:], b[n-by:], out[:by], true)
}

// reducedButterfly is butterfly modulo s.m.
func (s *sums) reducedButterfly(x, y, z []uint64, wraps bool) {
	for i, u := range x {
		w := y[i]
		less, more := s.m.sub(u, w), s.m.sub(w, u)
		if wraps { // which is public
			less = more
		}
		x[i], z[i] = s.m.add(u, w), less
	}
}

// butterfly sets x to x + y, and z to x − y, or y − x if it wraps.
func butterfly[T uint64 | int32](x, y, z []T, wraps bool) {
	y, z = y[:len(x)], z[:len(x)]
	if wraps {
		for i, u := range x {
			x[i], z[i] = u+y[i], y[i]-u
		}
		return
	}
	for i, u := range x {
		x[i], z[i] = u+y[i], u-y[i]
	}
}

// place returns the block of the sum for so many outputs whose images of X are X^down, and its place there.
func (c *Context) place(down, outputs int) (block, place int) {
	n, all := (down-1)*outputs/(2*c.N), blocks(outputs)
	block, n = n%all, n/all
	if outputs == all {
		return block, 0
	}
	return block, int(bits.Reverse64(uint64(n)) >> (64 - bitsOf(outputs/all)))
}

// transform sets v to the transform of the sum at a place, modulo m.
func (s *sums) transform(m *modulus, v []uint64, place int) {
	if p := s.v[place]; p.high != nil {
		inUse.forwardWhole(m, v, p.low, p.high)
	} else {
		inUse.forwardSigned(m, v, p.low)
	}
}

// forwardSigned sets dst to the transform of signed numbers modulo 2^64.
func forwardSigned(m *modulus, dst, v []uint64) {
	signed(m, dst, v)
	forward(m, dst)
}

// signed sets dst to numbers modulo q of signed ones modulo 2^64.
func signed(m *modulus, dst, v []uint64) {
	for i, x := range v {
		dst[i] = m.sub(m.mul(x, m.r), m.r&-(x>>63))
	}
}

// Sums that are two words are made positive: high by highOffset, and the rest by restOffset. A sum has 2^alike·MostOutputs = 2^13 numbers
// at most, so that high is at most 2^(13 + 63 − highShift) = 2^28 in magnitude, and the rest below 2^(13 + highShift) = 2^61.
const (
	highOffset = 1 << 30
	restOffset = 1 << 62
)

// offsetWhole and offsetSigned are what the bits of sums from lightBits on are made positive by: those of two words, high and the bits of
// the rest together, and those of one word.
const (
	offsetWhole  = 1<<28 + 1<<20
	offsetSigned = 1 << 15
)

// offsets returns what highOffset and restOffset add, negated, and 2^highShift, prepared.
func (m *modulus) offsets() (minus, unit uint64) {
	unit = m.prepared(1 << highShift)
	high, _ := m.plainMul(highOffset%m.q, 1<<highShift%m.q)
	return m.sub(0, m.add(high, restOffset%m.q)), unit
}

// forwardWhole sets dst to the transform of numbers of two words (twoWords).
func forwardWhole(m *modulus, dst, low []uint64, high []int32) {
	whole(m, dst, low, high)
	forward(m, dst)
}

// whole sets dst to numbers modulo q of their two words.
func whole(m *modulus, dst, low []uint64, high []int32) {
	minus, _ := m.offsets()
	unit := m.scaled(1 << highShift)
	for i, x := range low {
		h := uint64(high[i])
		rest := m.mul(x-h<<highShift+restOffset, m.r)
		dst[i] = m.add(m.add(rest, m.mul(h+highOffset, unit)), minus)
	}
}

// free gives the memory of s back.
func (s *sums) free() {
	s.c.giveSums(s.memory)
	s.v, s.spare = nil, nil
}
