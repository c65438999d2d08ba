package he

import "github.com/tacet-mpc/tacet/ring"

// Weights is a Plain prepared for Combine: the transforms of φ^i(V_(i + B·j)). They may serve several calls.
type Weights struct {
	c      *Context
	plain  *Plain
	giants int
	v      [][][]uint64 // by prime and k = i + B·j; nil if calls make them

	places  []int // by k: of V_k among the sums
	ofPlace []int // the inverse
	turns   []int // by k: the image of X by φ^i
}

// WeightsBytes returns the memory of the transforms of Weights for so many outputs.
func (c Set) WeightsBytes(outputs int) int { return 8 * outputs * len(c.Primes) * c.N }

// Weights returns the Weights of p for the given giants. If ahead, it makes all transforms, which take much memory; else each
// call of Combine makes them again, one by one.
func (c *Context) Weights(p *Plain, giants int, ahead bool) *Weights {
	w, outputs := &Weights{c: c, plain: p, giants: giants}, len(p.From)-1
	gen, images := 1, 1
	if outputs > 1 {
		gen = c.Element(outputs)
		images, _ = babySteps(outputs, giants)
	}
	w.places, w.ofPlace, w.turns = make([]int, outputs), make([]int, outputs), make([]int, outputs)
	s := sums{v: make([][]uint64, outputs), step: 2 * c.N / outputs}
	for k, down := outputs-1, gen; k >= 0; k-- { // down is the inverse of φ^k
		w.places[k] = s.place(down % (2 * c.N))
		w.ofPlace[w.places[k]] = k
		down = down * gen % (2 * c.N)
	}
	turn := 1
	for k := range w.turns {
		if k%images == 0 {
			turn = 1
		}
		w.turns[k] = turn
		turn = turn * gen % (2 * c.N)
	}
	if !ahead {
		return w
	}
	w.v = make([][][]uint64, len(c.q.m))
	for prime := range w.v {
		w.v[prime] = make([][]uint64, outputs)
	}
	w.sums(func(s *sums, at, from, to int) {
		k := w.ofPlace[at]
		for prime := from; prime < to; prime++ {
			w.v[prime][k] = c.take()
			w.factor(s, w.v[prime][k], prime, k)
		}
		c.give(s.v[at])
		s.v[at] = nil
	}, nil)
	return w
}

// Free ends the use of w, whose memory then serves others.
func (w *Weights) Free() {
	for _, p := range w.v {
		w.c.drop(p)
	}
	w.v = nil
}

// sums computes the sums for all primes, once for all of them or once for each. It calls each for every place of those for the primes
// from to to−1 when that was computed, and all when all were; either may be nil.
func (w *Weights) sums(each func(s *sums, at, from, to int), all func(s *sums, from, to int)) {
	next := 1
	if w.plain.Numbers.integer != nil {
		next = len(w.c.q.m)
	}
	for prime := 0; prime < len(w.c.q.m); prime += next {
		var done func(s *sums, at int)
		if each != nil {
			done = func(s *sums, at int) { each(s, at, prime, prime+next) }
		}
		s := w.c.newSums(w.plain, prime, done)
		if all != nil {
			all(s, prime, prime+next)
		}
		s.free()
	}
}

// factor sets v to the transform of φ^i(V_k), k = i + B·j, modulo a prime.
func (w *Weights) factor(s *sums, v []uint64, prime, k int) {
	m := w.c.q.m[prime]
	s.prepared(m, v, w.places[k], w.turns[k])
	m.forward(v)
}

// multiply adds Σ_i φ^i(x)·φ^i(V_(i + B·j)) to each part j of Combine, as transforms.
func (w *Weights) multiply(parts []*Cipher, x *Input) {
	if w.v != nil {
		w.products(parts, x, nil, 0, len(w.c.q.m))
		return
	}
	w.sums(nil, func(s *sums, from, to int) { w.products(parts, x, s, from, to) })
}

// products is multiply modulo the primes from to to−1, with factors made of s if it is not nil.
func (w *Weights) products(parts []*Cipher, x *Input, s *sums, from, to int) {
	images := len(x.x)
	ring.Parallel((to-from)*len(parts), 1, func(lo, hi int) {
		var list [dotted]factors
		var made poly
		if s != nil {
			made = w.c.room(min(dotted, images))
		}
		for at := lo; at < hi; at++ {
			prime, j := from+at/len(parts), at%len(parts)
			for first := 0; first < images; first += dotted {
				n := min(dotted, images-first)
				for i := range n {
					image, k := x.x[first+i], first+i+images*j
					list[i] = factors{x0: image.c0[prime], x1: image.c1[prime]}
					if s == nil {
						list[i].y = w.v[prime][k]
						continue
					}
					list[i].y = made[i]
					w.factor(s, made[i], prime, k)
				}
				inUse.dot(w.c.q.m[prime], parts[j].c0[prime], parts[j].c1[prime], list[:n])
			}
		}
		w.c.drop(made)
	})
}

// dotted is the number of products that are added at a time.
const dotted = 8

// factors is a transform, and two others by which it is multiplied. One of each two is prepared.
type factors struct{ x0, x1, y []uint64 }

// dot adds the products of y with x0 and with x1 to d0 and d1, for at most dotted factors.
func dot(m *modulus, d0, d1 []uint64, list []factors) {
	for _, f := range list {
		mulAdd(m, d0, f.x0, f.y)
		mulAdd(m, d1, f.x1, f.y)
	}
}
