package he

import "github.com/tacet-mpc/tacet/ring"

// baby is the order of the group of automorphisms whose generator makes the giant steps; groups of smaller order have
// baby steps alone.
const baby = 16

// Keys returns the orders of the groups whose generators' switching keys a sum of the given number of outputs, a power
// of two, needs.
func Keys(outputs int) []int {
	switch {
	case outputs == 1:
		return nil
	case outputs <= baby:
		return []int{baby}
	}
	return []int{baby, outputs}
}

// babies is the number of baby steps.
func babies(outputs int) int {
	if outputs <= baby {
		return outputs
	}
	return outputs / baby
}

// Input is a ciphertext and its images by baby steps.
type Input struct{ images []*Cipher } // transforms

// Input makes the baby steps for sums of the given number of outputs. keys has the switching keys by the order of
// their group.
func (c *Context) Input(x *Cipher, outputs int, keys map[int]*Switch) *Input {
	in := &Input{}
	x = &Cipher{x.c0.clone(), x.c1.clone()}
	for i, m := range c.q.m { // the sum over the group multiplies what it keeps by its order
		inverse := m.scaled(m.power(uint64(outputs), m.q-2))
		for _, p := range []poly{x.c0, x.c1} {
			for j, v := range p[i] {
				p[i][j] = m.mul(v, inverse)
			}
		}
	}
	for i := range babies(outputs) {
		switch {
		case i == 0:
		case outputs > baby:
			x = keys[outputs].apply(x)
		default:
			for range baby / outputs {
				x = keys[baby].apply(x)
			}
		}
		t := &Cipher{x.c0.clone(), x.c1.clone()}
		c.q.forward(t.c0)
		c.q.forward(t.c1)
		in.images = append(in.images, t)
	}
	return in
}

// Plain holds the polynomials by which an Input is multiplied, one for each output: the monomials of output o are those
// from From[o] to From[o+1], X^Place with the coefficient Value. Place is below 2N, X^N being −1.
type Plain struct {
	From  []int32
	Place []int32
	Value [][]uint64 // by prime, modulo it
}

// Values sets the coefficients to signed numbers of width bits modulo 2^width, given by their words: list says which
// number is the coefficient of each monomial.
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

// Combine returns the sum, over inputs and outputs o, of X^o times what the group of automorphisms keeps of the input
// times its polynomial for o: coefficients that are multiples of the number of outputs, a power of two. One coefficient
// of each such place is that of an output.
func (c *Context) Combine(in []*Input, plain []*Plain, outputs int, keys map[int]*Switch) *Cipher {
	b, mask := c.q, 2*c.N-1
	steps := babies(outputs)
	giants := outputs / steps
	gen := 1
	if outputs > 1 {
		gen = c.Element(outputs)
	}
	parts := make([]*Cipher, giants)
	ring.Parallel(giants, 1, func(lo, hi int) {
		v := b.make()
		for j := lo; j < hi; j++ {
			part := &Cipher{b.make(), b.make()}
			for i := range steps {
				up := powerOf(gen, i, mask)
				down := powerOf(gen, outputs-(i+j*steps)%outputs, mask) // the inverse: gen^outputs is 1
				for k, x := range in {
					b.gather(v, plain[k], up, down)
					b.forward(v)
					b.scale(v)
					b.mulAdd(part.c0, x.images[i].c0, v)
					b.mulAdd(part.c1, x.images[i].c1, v)
				}
			}
			b.backward(part.c0)
			b.backward(part.c1)
			parts[j] = part
		}
	})
	acc := parts[giants-1]
	for j := giants - 2; j >= 0; j-- {
		acc = keys[baby].apply(acc)
		b.add(acc.c0, parts[j].c0)
		b.add(acc.c1, parts[j].c1)
	}
	return acc
}

// powerOf returns g^e modulo mask + 1.
func powerOf(g, e, mask int) int {
	out := 1
	for range e {
		out = out * g & mask
	}
	return out
}

// gather sets v to the image under X → X^up of the sum, over outputs o, of X^(down·o) times the polynomial for o.
func (b *basis) gather(v poly, x *Plain, up, down int) {
	mask := 2*b.n - 1
	for i, m := range b.m {
		to, values := v[i], x.Value[i]
		clear(to)
		for o := range len(x.From) - 1 {
			shift := o * down
			for t := x.From[o]; t < x.From[o+1]; t++ {
				at := (int(x.Place[t]) + shift) * up & mask
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
