package he

// Weights is a Plain prepared for Combine. It may serve several calls.
type Weights struct {
	c      *Context
	plain  *Plain
	packed *packed
	turns  [][]int   // by block of sums and place: the image of X by φ^i
	blocks [][][]int // by block and j: the i of the V_(i + B·j) that it has, and their places, one after the other
}

// Weights returns the Weights of p for the given giants.
func (c *Context) Weights(p *Plain, giants int) *Weights {
	outputs := len(p.From) - 1
	w, all := &Weights{c: c, plain: p, packed: c.newPacked(p)}, blocks(outputs)
	gen, images := 1, 1
	if outputs > 1 {
		gen = c.Element(outputs)
		images, _ = babySteps(outputs, giants)
	}
	w.turns, w.blocks = make([][]int, all), make([][][]int, all)
	for i := range all {
		w.turns[i], w.blocks[i] = make([]int, outputs/all), make([][]int, outputs/images)
	}
	down, turn, inverse := 1, 1, 1
	for range outputs - 1 { // gen^(outputs−1)
		inverse = inverse * gen % (2 * c.N)
	}
	for k := range outputs { // down is the inverse of φ^k
		i, j := k%images, k/images
		if i == 0 {
			turn = 1
		}
		block, place := c.place(down, outputs)
		w.turns[block][place] = turn
		w.blocks[block][j] = append(w.blocks[block][j], i, place)
		turn, down = turn*gen%(2*c.N), down*inverse%(2*c.N)
	}
	return w
}

// Free ends the use of w, whose memory then serves others.
func (w *Weights) Free() {
	if memory := w.packed.memory; memory != nil {
		w.c.giveSums(memory)
	}
	w.packed = nil
}

// multiply adds Σ_i φ^i(x)·φ^i(V_(i + B·j)) to each part j of Combine, as transforms. begun says, by prime and part, which of them
// have numbers; others count as 0.
func (w *Weights) multiply(parts []*Cipher, begun [][]bool, x *Input) {
	primes := len(w.c.q.m)
	each := w.plain.Numbers.serves(primes)
	for prime := 0; prime < primes; prime += each {
		for block := range w.blocks {
			s := w.c.newSums(w.plain, w.packed, prime, block, w.turns[block])
			w.products(parts, begun, x, s, w.blocks[block], prime, prime+each)
			s.free()
		}
	}
}

// products is multiply modulo the primes from to to−1, by the sums s of a block.
func (w *Weights) products(parts []*Cipher, begun [][]bool, x *Input, s *sums, list [][]int, from, to int) {
	shared((to-from)*len(parts), func(t int) {
		prime, j := from+t/len(parts), t%len(parts) // images modulo one prime stay in a cache for all parts
		m, n := w.c.q.m[prime], 0
		var at [dotted]factors
		made := w.c.room(min(dotted, len(list[j])/2))
		for l := list[j]; len(l) > 0; l = l[2:] {
			image := x.x[l[0]]
			s.transform(m, made[n], l[1])
			at[n] = factors{image.c0[prime], image.c1[prime], made[n]}
			if n++; n == dotted || len(l) == 2 {
				inUse.dot(m, parts[j].c0[prime], parts[j].c1[prime], at[:n], begun[prime][j], begun[prime][j])
				begun[prime][j], n = true, 0
			}
		}
		drop(made)
	})
}

// dotted is the number of products that are added at a time.
const dotted = 8

// factors is a transform, and two others by which it is multiplied. One of each two is prepared.
type factors struct{ x0, x1, y []uint64 }

// dot sets d0 and d1 to the sums of products of y with x0 and with x1 for at most dotted factors, and what they are before where keep0 and
// keep1 say so; d0 alone if d1 is nil.
func dot(m *modulus, d0, d1 []uint64, list []factors, keep0, keep1 bool) {
	if !keep0 {
		clear(d0)
	}
	if !keep1 {
		clear(d1)
	}
	for _, f := range list {
		mulAdd(m, d0, f.x0, f.y)
		if d1 != nil {
			mulAdd(m, d1, f.x1, f.y)
		}
	}
}
