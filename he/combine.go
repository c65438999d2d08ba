package he

// Keys returns the orders of the groups of automorphisms whose switching keys Combine needs for the given number of
// outputs, a power of two, with giant steps by the key of order giants, one of GiantOrders; none for one output.
func Keys(outputs, giants int) []int {
	switch {
	case outputs == 1:
		return nil
	case outputs <= giants:
		return []int{giants}
	}
	return []int{giants, babyOrder(outputs)}
}

// babySteps returns the number of images of a ciphertext that Combine takes for so many outputs, and how often the key of baby
// steps is applied for each.
func babySteps(outputs, giants int) (images, each int) {
	if outputs == 1 || outputs <= giants {
		return 1, 0
	}
	return outputs / giants, babyOrder(outputs) / outputs
}

// Switches returns how often Combine and Input together apply switching keys to one ciphertext, if there are only those of Keys.
func Switches(outputs, giants int) int {
	images, each := babySteps(outputs, giants)
	steps := outputs / images
	return (images-1)*each + (steps-1)*(giants/steps)
}

// Input is a ciphertext prepared for Context.Combine.
type Input struct {
	c *Context
	x []*Cipher // transforms of its images by baby steps, prepared
}

// Free ends the use of x, whose memory then serves others.
func (x *Input) Free() {
	for _, image := range x.x {
		image.Free()
	}
	x.x = nil
}

// Input prepares a ciphertext for Combine with the given outputs, giants and keys. x is not changed.
func (c *Context) Input(x *Cipher, outputs, giants int, keys map[int]*Switch) *Input {
	images, each := babySteps(outputs, giants)
	y := &Cipher{c.room(len(c.q.m)), c.room(len(c.q.m))}
	shared(2*len(c.q.m), func(t int) {
		i, m := t/2, c.q.m[t/2]
		from, to := []poly{x.c0, x.c1}[t%2][i], []poly{y.c0, y.c1}[t%2][i]
		copy(to, from)
		// the sum over the group multiplies what it keeps by its order
		inUse.scale(m, to, m.twiddle(m.power(uint64(outputs), m.q-2)))
		if t%2 == 0 || images == 1 {
			m.forward(to)
		}
	})
	all := []*Cipher{y}
	if images > 1 {
		all = c.turns(y, images, each, outputs, keys)
	}
	shared(2*len(all), func(t int) {
		for i, m := range c.q.m {
			inUse.scale(m, []poly{all[t/2].c0, all[t/2].c1}[t%2][i], m.twiddle(m.radix))
		}
	})
	return &Input{c, all}
}

// turns returns the images of y by baby steps, and takes its memory. If a step applies the key of a larger group several times, and
// there is also the key of a smaller one, whose generator is several steps, then the first images by the larger group's key each begin
// a list of images by the smaller one's.
func (c *Context) turns(y *Cipher, images, each, outputs int, keys map[int]*Switch) []*Cipher {
	order := babyOrder(outputs)
	lists, far := images, (*Switch)(nil)
	for smaller, key := range keys {
		if each > 1 && smaller < outputs && babyOrder(smaller) == smaller && outputs/smaller < lists {
			lists, far = outputs/smaller, key
		}
	}
	all := make([]*Cipher, images)
	x := keys[order].turning(y.c0, y.c1)
	for first := range lists {
		if first > 0 {
			x.turn(bitsOf(each), nil)
		}
		all[first] = x.image()
		if first+lists >= images {
			continue
		}
		z := x.by(far)
		for i := first + lists; i < images; i += lists {
			z.turn(0, nil)
			all[i] = z.image()
		}
		z.free()
	}
	x.free()
	return all
}

// Combine multiplies each ciphertext in[i] by the polynomials of weights[i], one for each of outputs polynomials, a power
// of two, and packs the products into one ciphertext. Of product o it keeps the coefficients at multiples of outputs,
// moved to the places multiple + o, and sums them over the inputs. keys holds a switching key for each order that
// Keys(outputs, giants) lists. The result is modulo the first Kept primes.
//
// With φ a generator of the group of automorphisms of that order, the result is Σ_k φ^k(x·V_k), V_k = Σ_o
// φ^-k(X^o)·w_o. With k = i + B·j that is Σ_j (φ^B)^j(Σ_i φ^i(x)·φ^i(V_k)): Input has the images φ^i(x) (baby steps), and
// Horner's rule takes a switch for each j but the first (giant steps). The sums over i are divided by the primes that
// are not kept before giant steps, so that weights do not multiply the noise of those.
func (c *Context) Combine(in []*Input, weights []*Weights, outputs, giants int, keys map[int]*Switch) *Cipher {
	images, _ := babySteps(outputs, giants)
	steps := outputs / images
	parts, begun := make([]*Cipher, steps), make([][]bool, len(c.q.m))
	for j := range parts {
		parts[j] = &Cipher{c.room(len(c.q.m)), c.room(len(c.q.m))}
	}
	for i := range begun {
		begun[i] = make([]bool, steps)
	}
	for at, x := range in {
		weights[at].multiply(parts, begun, x)
	}
	if steps == 1 {
		shared(2, func(i int) {
			p := []*poly{&parts[0].c0, &parts[0].c1}[i]
			*p = c.divided(*p)
		})
		return parts[0]
	}
	shared(steps, func(j int) { parts[j].c1 = c.divided(parts[j].c1) })
	acc := keys[giants].turning(parts[steps-1].c0, parts[steps-1].c1)
	for j := steps - 2; j >= 0; j-- {
		acc.turn(bitsOf(giants/steps), parts[j])
	}
	return acc.end()
}

// divided returns the polynomial with the transform p divided by the primes that are not kept. It changes p and takes its
// memory.
func (c *Context) divided(p poly) poly {
	c.q.backward(p)
	for ; len(p) > c.Kept; p = p[:len(p)-1] {
		last := len(p) - 1
		for i, m := range c.q.m[:last] {
			inUse.divide(m, p[i], p[i], p[last], c.q.m[last].q)
		}
		c.give(p[last])
	}
	return p
}
