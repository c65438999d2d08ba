package he

import "github.com/tacet-mpc/tacet/ring"

// leastOrder is the smallest order of a group of automorphisms for which there are keys: for fewer outputs its generator
// is applied several times.
const leastOrder = 16

// Keys returns the orders of the groups of automorphisms whose switching keys Combine needs for the given number of
// outputs, a power of two; none for one output.
func Keys(outputs int) []int {
	if outputs == 1 {
		return nil
	}
	return []int{max(leastOrder, outputs)}
}

// Input is a ciphertext prepared for Context.Combine.
type Input struct{ x *Cipher } // transforms

// Input prepares a ciphertext for Combine with the given number of outputs. x is not changed.
func (c *Context) Input(x *Cipher, outputs int) *Input {
	x = &Cipher{x.c0.clone(), x.c1.clone()}
	for i, m := range c.q.m { // the sum over the group multiplies what it keeps by its order
		inverse := m.scaled(m.power(uint64(outputs), m.q-2))
		for _, p := range []poly{x.c0, x.c1} {
			for j, v := range p[i] {
				p[i][j] = m.mul(v, inverse)
			}
		}
	}
	c.q.forward(x.c0)
	c.q.forward(x.c1)
	return &Input{x}
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
// Keys(outputs) lists. The result is modulo the first Kept primes.
//
// With φ a generator of the group of automorphisms of that order, the result is Σ_k φ^k(x·V_k), V_k = Σ_o
// φ^-k(X^o)·w_o. Horner's rule takes one switch for each output but the first. Products are divided by the primes that
// are not kept before that, so that weights do not multiply the noise of switches.
func (c *Context) Combine(in []*Input, plain []*Plain, outputs int, keys map[int]*Switch) *Cipher {
	b, mask, gen := c.q, 2*c.N-1, 1
	if outputs > 1 {
		gen = c.Element(outputs)
	}
	parts := make([]*Cipher, outputs)
	ring.Parallel(outputs, 1, func(lo, hi int) {
		v := b.make()
		for k := lo; k < hi; k++ {
			part := &Cipher{b.make(), b.make()}
			for i, x := range in {
				b.gather(v, plain[i], powerOf(gen, outputs-k, mask)) // the inverse of φ^k
				b.forward(v)
				b.scale(v)
				b.mulAdd(part.c0, x.x.c0, v)
				b.mulAdd(part.c1, x.x.c1, v)
			}
			parts[k] = &Cipher{c.divided(part.c0), c.divided(part.c1)}
		}
	})
	acc := parts[outputs-1]
	for k := outputs - 2; k >= 0; k-- {
		for range max(1, leastOrder/outputs) {
			acc = keys[max(leastOrder, outputs)].apply(acc)
		}
		c.kept.add(acc.c0, parts[k].c0)
		c.kept.add(acc.c1, parts[k].c1)
	}
	return acc
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

// gather sets v to the sum, over outputs o, of X^(down·o) times the polynomial for o.
func (b *basis) gather(v poly, x *Plain, down int) {
	mask := 2*b.n - 1
	for i, m := range b.m {
		to, values := v[i], x.Value[i]
		clear(to)
		for o := range len(x.From) - 1 {
			shift := o * down & mask
			for t := x.From[o]; t < x.From[o+1]; t++ {
				at := (int(x.Place[t]) + shift) & mask
				value := values[t]
				if at >= b.n { // places are public
					at -= b.n
					value = m.sub(0, value)
				}
				to[at] = m.add(to[at], value)
			}
		}
	}
}
