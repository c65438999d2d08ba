package he

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
)

// Keys returns the orders of the groups of automorphisms whose switching keys Combine needs for the given number of
// outputs, a power of two, with giant steps by the key of order giants, one of GiantOrders; none for one output.
func Keys(outputs, giants int) []int {
	switch {
	case outputs == 1:
		return nil
	case outputs <= giants:
		return []int{giants}
	}
	return []int{giants, max(babyOrder, outputs)}
}

// babySteps returns the number of images of a ciphertext that Combine takes for so many outputs, and how often the key of baby
// steps is applied for each.
func babySteps(outputs, giants int) (images, each int) {
	if outputs == 1 || outputs <= giants {
		return 1, 0
	}
	return outputs / giants, max(babyOrder, outputs) / outputs
}

// Switches returns how often Combine and Input together apply switching keys to one ciphertext.
func Switches(outputs, giants int) int {
	images, each := babySteps(outputs, giants)
	steps := outputs / images
	return (images-1)*each + (steps-1)*(giants/steps)
}

// Input is a ciphertext prepared for Context.Combine.
type Input struct{ x []*Cipher } // transforms of its images by baby steps

// Input prepares a ciphertext for Combine with the given outputs, giants and keys. x is not changed.
func (c *Context) Input(x *Cipher, outputs, giants int, keys map[int]*Switch) *Input {
	x = &Cipher{x.c0.clone(), x.c1.clone()}
	for i, m := range c.q.m { // the sum over the group multiplies what it keeps by its order
		inverse := m.twiddle(m.power(uint64(outputs), m.q-2))
		for _, p := range []poly{x.c0, x.c1} {
			inUse.scale(m, p[i], inverse)
		}
	}
	in := &Input{}
	images, each := babySteps(outputs, giants)
	for i := range images {
		if i > 0 {
			for range each {
				x = keys[max(babyOrder, outputs)].apply(x)
			}
		}
		image := &Cipher{x.c0.clone(), x.c1.clone()}
		ring.Parallel(len(c.q.m), 1, func(lo, hi int) {
			for j := lo; j < hi; j++ {
				c.q.m[j].forward(image.c0[j])
				c.q.m[j].forward(image.c1[j])
			}
		})
		in.x = append(in.x, image)
	}
	return in
}

// Plain holds the polynomials by which Combine multiplies an Input, one for each output, as sparse lists. Polynomial o
// is the sum of Value[j]·X^Place[j] for j from From[o] to From[o+1]−1. Places are from 0 to 2N−1, where X^N is −1.
type Plain struct {
	From  []int32
	Place []int32
	Value [][]uint64 // by prime, modulo it
}

// Values returns Plain.Value, by prime, for signed numbers of width bits. words holds the numbers modulo 2^width,
// ⌈width/64⌉ words each, the lowest first. Entry j of each result is number list[j] modulo the prime.
func (c *Context) Values(words []uint64, width int, list []int32) [][]uint64 {
	each := (width + 63) / 64
	n := len(words) / each
	out := make([][]uint64, len(c.q.m))
	for i, m := range c.q.m {
		unit, wrap := make([]uint64, each), m.r // 2^(64j), and 2^width, modulo q
		for j := range unit {
			unit[j] = m.r
			if j > 0 {
				unit[j] = m.mul(unit[j-1], m.r2)
			}
		}
		wrap = 1
		for range width {
			wrap = m.add(wrap, wrap)
		}
		numbers := make([]uint64, n)
		for j := range numbers {
			v := words[j*each : (j+1)*each]
			sum := uint64(0)
			for k, w := range v {
				sum = m.add(sum, m.mul(w, unit[k]))
			}
			negative := v[each-1] >> ((width - 1) % 64) & 1
			numbers[j] = m.sub(sum, wrap&-negative)
		}
		out[i] = make([]uint64, len(list))
		for j, at := range list {
			out[i][j] = numbers[at]
		}
	}
	return out
}

// Combine multiplies each ciphertext in[i] by the polynomials of plain[i], one for each of outputs polynomials, a power
// of two, and packs the products into one ciphertext. Of product o it keeps the coefficients at multiples of outputs,
// moved to the places multiple + o, and sums them over the inputs. keys holds a switching key for each order that
// Keys(outputs, giants) lists. The result is modulo the first Kept primes.
//
// With φ a generator of the group of automorphisms of that order, the result is Σ_k φ^k(x·V_k), V_k = Σ_o
// φ^-k(X^o)·w_o. With k = i + B·j that is Σ_j (φ^B)^j(Σ_i φ^i(x)·φ^i(V_k)): Input has the images φ^i(x) (baby steps), and
// Horner's rule takes a switch for each j but the first (giant steps). The sums over i are divided by the primes that
// are not kept before giant steps, so that weights do not multiply the noise of those.
func (c *Context) Combine(in []*Input, plain []*Plain, outputs, giants int, keys map[int]*Switch) *Cipher {
	images, _ := babySteps(outputs, giants)
	steps := outputs / images
	parts := make([]*Cipher, steps)
	for j := range parts {
		parts[j] = &Cipher{c.q.make(), c.q.make()}
	}
	for at, x := range in {
		for prime := range c.q.m {
			c.multiply(parts, x, plain[at], prime, outputs)
		}
	}
	ring.Parallel(steps, 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			parts[j] = &Cipher{c.divided(parts[j].c0), c.divided(parts[j].c1)}
		}
	})
	acc := parts[steps-1]
	for j := steps - 2; j >= 0; j-- {
		for range giants / steps {
			acc = keys[giants].apply(acc)
		}
		c.kept.add(acc.c0, parts[j].c0)
		c.kept.add(acc.c1, parts[j].c1)
	}
	return acc
}

// multiply adds, modulo a prime, Σ_i φ^i(x)·φ^i(V_(i + B·j)) to each part j of Combine, as transforms.
func (c *Context) multiply(parts []*Cipher, x *Input, plain *Plain, prime, outputs int) {
	m, mask, images := c.q.m[prime], 2*c.N-1, len(x.x)
	gen := 1
	if outputs > 1 {
		gen = c.Element(outputs)
	}
	sums := newSums(m, plain, prime, outputs)
	ring.Parallel(len(parts), 1, func(lo, hi int) {
		v := make([]uint64, c.N)
		for j := lo; j < hi; j++ {
			c0, c1 := parts[j].c0[prime], parts[j].c1[prime]
			for i, image := range x.x {
				sums.prepared(v, powerOf(gen, outputs-i-images*j, mask), powerOf(gen, i, mask)) // the inverse of φ^k, and φ^i
				m.forward(v)
				inUse.mulAdd(m, c0, image.c0[prime], v)
				inUse.mulAdd(m, c1, image.c1[prime], v)
			}
		}
	})
}

// sums holds V_k of Combine, modulo a prime, for all k. The images of X^o are X^o·Y^(o·n), Y = X^(2N/outputs) and n = 0 …
// outputs−1: so that V is a Fourier transform of length outputs whose root of unity is Y. Products with Y move coefficients.
type sums struct {
	m    *modulus
	v    [][]int64 // by n, bit-reversed; below outputs·q in magnitude, or of [0, q) if not lazy
	step int       // 2N/outputs
	lazy bool
}

// newSums transforms X^o times the polynomial for o of x, for all o.
func newSums(m *modulus, x *Plain, prime, outputs int) *sums {
	n := m.n
	s := &sums{m: m, v: make([][]int64, outputs), step: 2 * n / outputs, lazy: bits.Len64(m.q)+bitsOf(outputs) < 63}
	values, q := x.Value[prime], int64(m.q)
	ring.Parallel(outputs, 1, func(lo, hi int) {
		for o := lo; o < hi; o++ {
			v := make([]int64, n)
			for t := x.From[o]; t < x.From[o+1]; t++ {
				at, value := (int(x.Place[t])+o)&(2*n-1), int64(values[t])
				if at >= n { // places are public
					at, value = at-n, q-value
				}
				v[at] = int64(reduced(uint64(v[at]+value), m.q))
			}
			s.v[o] = v
		}
	})
	for length := outputs; length > 1; length /= 2 {
		half := length / 2
		ring.Parallel(outputs/2, 1, func(lo, hi int) {
			spare := make([]int64, n)
			for pair := lo; pair < hi; pair++ {
				i := pair % half
				at := pair/half*length + i
				s.butterfly(s.v[at], s.v[at+half], spare, i*(outputs/length)*s.step)
				s.v[at+half], spare = spare, s.v[at+half]
			}
		})
	}
	return s
}

// butterfly sets a to a + b, and out to (a − b)·X^by, by from 0 to N−1.
func (s *sums) butterfly(a, b, out []int64, by int) {
	n := len(a)
	for _, part := range [2]struct {
		from, to int
		out      []int64
		wraps    bool
	}{{0, n - by, out[by:], false}, {n - by, n, out[:by], true}} {
		x := a[part.from:part.to]
		y, z := b[part.from:part.to][:len(x)], part.out[:len(x)]
		if s.lazy {
			inUse.butterfly(x, y, z, part.wraps)
			continue
		}
		for i, u := range x {
			u, w := uint64(u), uint64(y[i])
			less, more := s.m.sub(u, w), s.m.sub(w, u)
			if part.wraps { // which is public
				less = more
			}
			x[i], z[i] = int64(s.m.add(u, w)), int64(less)
		}
	}
}

// butterfly sets x to x + y, and z to x − y, or y − x if it wraps.
func butterfly(x, y, z []int64, wraps bool) {
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

// prepared sets v to the sum whose images of X are X^down, in X^turn, prepared.
func (s *sums) prepared(v []uint64, down, turn int) {
	outputs := len(s.v)
	from := s.v[0]
	if outputs > 1 {
		log := bitsOf(outputs)
		from = s.v[bits.Reverse64(uint64((down-1)/s.step))>>(64-log)]
	}
	offset := s.m.q // makes numbers positive
	if s.lazy {
		offset *= uint64(outputs)
	}
	inUse.turned(s.m, v, from, turn, offset)
}

// turned sets v to the polynomial from in X^turn, prepared. Numbers of from are of magnitude at most offset, a multiple of q.
func turned(m *modulus, v []uint64, from []int64, turn int, offset uint64) {
	n, at := len(v), 0
	for _, x := range from {
		if at < n {
			v[at] = m.prepared(offset + uint64(x))
		} else {
			v[at-n] = m.prepared(offset - uint64(x))
		}
		at = (at + turn) & (2*n - 1)
	}
}

// divided returns the polynomial with the transform p divided by the primes that are not kept.
func (c *Context) divided(p poly) poly {
	c.q.backward(p)
	for b := c.q; len(p) > c.Kept; {
		p = b.divided(p)
		b = &basis{m: b.m[:len(p)], n: b.n}
	}
	return p
}

// powerOf returns g^e modulo mask + 1.
func powerOf(g, e, mask int) int {
	out := 1
	for range e {
		out = out * g & mask
	}
	return out
}
