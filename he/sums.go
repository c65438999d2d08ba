package he

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
)

// Plain holds the polynomials by which Combine multiplies an Input, one for each output, as sparse lists. Polynomial o is the
// sum of number List[j] of Numbers times X^Place[j] for j from From[o] to From[o+1]−1. Places are from 0 to 2N−1, where X^N is
// −1; no more than 2^alike of one output are the same modulo N.
type Plain struct {
	From, Place, List []int32
	Numbers           *Numbers
}

// Numbers holds the numbers of a Plain.
type Numbers struct {
	integer []uint64   // modulo 2^64, if sums over all outputs are below 2^most in magnitude; else nil
	most    int        // at most mostInteger
	residue [][]uint64 // by prime, modulo it; nil if there is integer
}

// mostInteger is the largest Numbers.most, and alike is log2 of the number of an output's places that may be the same modulo N.
const (
	mostInteger = 62
	alike       = 3
)

// Numbers returns signed numbers of width bits for the given number of outputs, a power of two. words holds them modulo 2^width,
// ⌈width/64⌉ words each, the lowest first. Magnitudes are at most 2^weight; products with larger numbers are wrong.
func (c *Context) Numbers(words []uint64, width, weight, outputs int) *Numbers {
	n, each := &Numbers{most: weight + bitsOf(outputs) + alike + 1}, (width+63)/64
	if each > 1 && n.most > mostInteger {
		n.residue = c.residues(words, width)
		return n
	}
	numbers, up := make([]uint64, len(words)/each), max(0, 64-width)
	for i := range numbers {
		numbers[i] = uint64(int64(words[i*each]<<up) >> up)
	}
	if n.most <= mostInteger {
		n.integer = numbers
		return n
	}
	n.residue = make([][]uint64, len(c.q.m))
	for i, m := range c.q.m {
		n.residue[i] = make([]uint64, len(numbers))
		inUse.signed(m, n.residue[i], numbers)
	}
	return n
}

// signed sets dst to numbers modulo q, of signed ones modulo 2^64.
func signed(m *modulus, dst, v []uint64) {
	for i, x := range v {
		dst[i] = m.sub(m.mul(x, m.r), m.r&-(x>>63))
	}
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

// sums holds V_k of Combine, for all k. The images of X^o are X^o·Y^(o·n), Y = X^(2N/outputs) and n = 0 … outputs−1: so
// that V is a Fourier transform of length outputs whose root of unity is Y. Products with Y move coefficients.
type sums struct {
	c    *Context
	v    [][]uint64 // by n, bit-reversed; of signed numbers modulo 2^64
	step int        // 2N/outputs
	most uint64     // numbers are below it in magnitude
	m    *modulus   // numbers are of [0, q), m's; nil if they are what sums without reduction are
	done func(s *sums, at int)
}

// newSums transforms X^o times the polynomial for o of x, for all o: as integers if x has integers, else modulo the given
// prime. It calls done, if that is not nil, for the place of each polynomial of the transform soon after that was computed; calls may be
// at the same time.
func (c *Context) newSums(x *Plain, prime int, done func(s *sums, at int)) *sums {
	outputs := len(x.From) - 1
	s := &sums{c: c, v: make([][]uint64, outputs), step: 2 * c.N / outputs, most: 1 << x.Numbers.most, done: done}
	values, m := x.Numbers.integer, (*modulus)(nil)
	if values == nil {
		m = c.q.m[prime]
		values, s.most = x.Numbers.residue[prime], m.q*uint64(outputs)
		if bits.Len64(m.q)+bitsOf(outputs) >= 63 {
			s.m, s.most = m, m.q
		}
	}
	fill := func(o int) {
		v := c.take()
		clear(v)
		for t := x.From[o]; t < x.From[o+1]; t++ {
			at, value := (int(x.Place[t])+o)&(2*c.N-1), values[x.List[t]]
			if at >= c.N { // places are public
				if at -= c.N; m == nil {
					value = -value
				} else {
					value = m.sub(0, value)
				}
			}
			if v[at] += value; m != nil {
				v[at] = reduced(v[at], m.q)
			}
		}
		s.v[o] = v
	}
	levels := s.levels(outputs)
	rest := outputs >> levels
	ring.Parallel(rest, 1, func(lo, hi int) {
		spare := c.take()
		for i := lo; i < hi; i++ {
			for o := i; o < outputs; o += rest {
				fill(o)
			}
			spare = s.joins(0, i, outputs, spare)
		}
		c.give(spare)
	})
	ring.Parallel(1<<levels, 1, func(lo, hi int) {
		spare := c.take()
		for part := lo; part < hi; part++ {
			spare = s.descend(part*rest, rest, spare)
		}
		c.give(spare)
	})
	return s
}

// mostLevels is the number of levels of the transform that are done at a time, on 2^mostLevels polynomials, which fit a cache.
const mostLevels = 3

// levels returns the number of levels that are done at a time of a transform of the given length.
func (s *sums) levels(length int) int { return min(mostLevels, bitsOf(length)) }

// descend transforms polynomials at to at+length−1. It takes spare, and returns a vector that is free.
func (s *sums) descend(at, length int, spare []uint64) []uint64 {
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
		} else if s.done != nil {
			s.done(s, to)
		}
	}
	return spare
}

// joins does the first levels of a transform of polynomials at to at+length−1 on those at at+i and each length>>levels after it.
func (s *sums) joins(at, i, length int, spare []uint64) []uint64 {
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
// It takes spare, and returns a vector that is free.
func (s *sums) join(at, i, length int, spare []uint64) []uint64 {
	other := at + length/2
	s.butterfly(s.v[at], s.v[other], spare, i*(len(s.v)/length)*s.step)
	free := s.v[other]
	s.v[other] = spare
	return free
}

// butterfly sets a to a + b, and out to (a − b)·X^by, by from 0 to N−1.
func (s *sums) butterfly(a, b, out []uint64, by int) {
	n := len(a)
	for _, part := range [2]struct {
		from, to int
		out      []uint64
		wraps    bool
	}{{0, n - by, out[by:], false}, {n - by, n, out[:by], true}} {
		x := a[part.from:part.to]
		y, z := b[part.from:part.to][:len(x)], part.out[:len(x)]
		if s.m == nil {
			inUse.butterfly(x, y, z, part.wraps)
			continue
		}
		for i, u := range x {
			w := y[i]
			less, more := s.m.sub(u, w), s.m.sub(w, u)
			if part.wraps { // which is public
				less = more
			}
			x[i], z[i] = s.m.add(u, w), less
		}
	}
}

// butterfly sets x to x + y, and z to x − y, or y − x if it wraps.
func butterfly(x, y, z []uint64, wraps bool) {
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

// place returns the place of the sum whose images of X are X^down.
func (s *sums) place(down int) int {
	outputs := len(s.v)
	if outputs == 1 {
		return 0
	}
	return int(bits.Reverse64(uint64((down-1)/s.step)) >> (64 - bitsOf(outputs)))
}

// prepared sets v to the sum at a place, in X^turn, prepared modulo m.
func (s *sums) prepared(m *modulus, v []uint64, place, turn int) {
	inUse.turned(m, v, s.v[place], turn, (s.most+m.q-1)/m.q*m.q) // which makes numbers positive
}

// turned sets v to the polynomial from in X^turn, prepared. Numbers of from are signed, modulo 2^64,
// and of magnitude at most offset, a multiple of q.
func turned(m *modulus, v, from []uint64, turn int, offset uint64) {
	n, at := len(v), 0
	for _, x := range from {
		if at < n {
			v[at] = m.prepared(offset + x)
		} else {
			v[at-n] = m.prepared(offset - x)
		}
		at = (at + turn) & (2*n - 1)
	}
}

// free gives the vectors of s back.
func (s *sums) free() {
	for _, v := range s.v {
		if v != nil {
			s.c.give(v)
		}
	}
	s.v = nil
}
