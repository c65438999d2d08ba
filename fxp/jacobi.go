package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// Rotations is the schedule of Jacobi's method for Eigen and Singular. It does not depend on the data.
type Rotations struct {
	Rounds [][][2]int // for each round, the pairs of columns p < q that are rotated at the same time
	Sweeps int        // the number of passes over all rounds
}

// Eigen returns the eigenvalues, batch×n in ascending order, and the eigenvectors of batched symmetric
// matrices x, batch×n×n. The rotation of a pair by half the angle of (2·a_pq, a_qq − a_pp) makes a_pq zero
// and puts the smaller value first.
func (a *Arith) Eigen(op *flow.Op, x *Value, how Rotations) (values, vectors *Value) {
	batch, n := x.Type.Shape[0], x.Type.Shape[1]
	m := a.opened(op, a.permuted(op, x, 2, 0, 1)) // columns×batch×rows
	v := a.identity(op, x.Type.DType, n, batch, n)
	at := func(i, j int) []int32 { return a.cells(batch, n, i, j) }
	for range how.Sweeps {
		for _, pairs := range how.Rounds {
			var pp, pq, qq []int32
			for _, p := range pairs {
				pp, pq, qq = append(pp, at(p[0], p[0])...), append(pq, at(p[0], p[1])...), append(qq, at(p[1], p[1])...)
			}
			cross := a.listed(op, m, pq)
			sin, cos := a.halfAngle(op, a.Add(op, cross, cross), a.Sub(op, a.listed(op, m, qq), a.listed(op, m, pp)))
			m = a.openedNarrow(op, a.rotated(op, m, pairs, sin, cos))
			m = a.openedNarrow(op, a.rotated(op, a.permuted(op, m, 2, 1, 0), pairs, sin, cos))
			v = a.openedNarrow(op, a.rotated(op, v, pairs, sin, cos))
		}
	}
	var diagonal []int32
	for i := range n {
		diagonal = append(diagonal, at(i, i)...)
	}
	values = a.shaped(op, a.lifted(op, a.listed(op, m, diagonal)), tensor.Shape{n, batch})
	return a.permuted(op, values, 1, 0), a.permuted(op, a.lifted(op, v), 1, 2, 0)
}

// cells lists, for each matrix of a batch, the index of element j of column i.
func (a *Arith) cells(batch, n, i, j int) []int32 {
	var out []int32
	for b := range batch {
		out = append(out, int32((i*batch+b)*n+j))
	}
	return out
}

// halfAngle returns the sine and cosine, open, of half the angle of (x, y).
func (a *Arith) halfAngle(op *flow.Op, y, x *Value) (sin, cos *Value) {
	sin, cos = a.SinCos(op, a.MulConst(op, a.Atan2(op, y, x), 0.5), a.Fraction)
	a.Open(op, sin, cos)
	return sin, cos
}

// rotated rotates columns of an open x, columns×batch×rows, in pairs: p becomes cos·p − sin·q and q becomes
// sin·p + cos·q.
func (a *Arith) rotated(op *flow.Op, x *Value, pairs [][2]int, sin, cos *Value) *Value {
	s := x.Type.Shape
	n, size := s[0], s[1]*s[2]
	var ps, qs []int
	place := make([]int, n) // of a column in the result: first columns of pairs, second columns, the rest
	for i := range place {
		place[i] = -1
	}
	for i, p := range pairs {
		ps, qs = append(ps, p[0]), append(qs, p[1])
		place[p[0]], place[p[1]] = i, len(pairs)+i
	}
	h := len(pairs)
	columns := func(list []int) *Value {
		var index []int32
		for _, k := range list {
			for e := range size {
				index = append(index, int32(k*size+e))
			}
		}
		return a.shaped(op, a.listed(op, x, index), tensor.Shape{len(list), s[1], s[2]})
	}
	p, q := columns(ps), columns(qs)
	spread := func(v *Value) *Value {
		return a.spreadOver(op, a.shaped(op, v, tensor.Shape{h, s[1]}), tensor.Shape{h, s[1], s[2]}, 0, 1)
	}
	c, t := spread(cos), spread(sin)
	parts := []*Value{
		a.Sub(op, a.raw(op, p, c), a.raw(op, q, t)),
		a.Add(op, a.raw(op, p, t), a.raw(op, q, c)),
	}
	for i := range place {
		if place[i] < 0 {
			place[i] = 2 * h
			parts = append(parts, a.lifted(op, columns([]int{i})))
		}
	}
	all := a.along(op, 0, parts...)
	return a.View(op, tensor.Listed(s, s.Size(), func() []int32 {
		var index []int32
		for i := range n {
			for e := range size {
				index = append(index, int32(place[i]*size+e))
			}
		}
		return index
	}), all)
}

// Singular returns the singular values, batch×n in descending order, and the vectors, batch×m×n and
// batch×n×n, of batched matrices x, batch×m×n with m ≥ n: it rotates pairs of columns until they are
// orthogonal.
func (a *Arith) Singular(op *flow.Op, x *Value, how Rotations) (values, left, right *Value) {
	batch, m, n := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	u := a.opened(op, a.permuted(op, x, 2, 0, 1)) // columns×batch×rows
	v := a.identity(op, x.Type.DType, n, batch, n)
	sums := func(x, y *Value) *Value {
		h := x.Type.Shape[0]
		return a.Sum(op, a.raw(op, x, y), h*batch, m, 1, tensor.Shape{h * batch})
	}
	for range how.Sweeps {
		for _, pairs := range how.Rounds {
			var ps, qs []*Value
			for _, p := range pairs {
				ps, qs = append(ps, a.rows(op, u, p[0], p[0]+1)), append(qs, a.rows(op, u, p[1], p[1]+1))
			}
			p, q := a.along(op, 0, ps...), a.along(op, 0, qs...)
			difference := a.openedNarrow(op, a.Sub(op, sums(p, p), sums(q, q)))
			cross := a.openedNarrow(op, a.Combine(op, []int64{-2}, sums(p, q)))
			sin, cos := a.halfAngle(op, cross, difference)
			u = a.openedNarrow(op, a.rotated(op, u, pairs, sin, cos))
			v = a.openedNarrow(op, a.rotated(op, v, pairs, sin, cos))
		}
	}
	v = a.lifted(op, v)
	squares := a.Sum(op, a.raw(op, u, u), n*batch, m, 1, tensor.Shape{n, batch})
	values = a.Rescale(op, a.powerAt(op, squares, 0.5))
	inverse := a.powerAt(op, squares, -0.5)
	a.Open(op, inverse)
	left = a.openProduct(op, u, a.spreadOver(op, inverse, u.Type.Shape, 0, 1))
	return a.permuted(op, values, 1, 0), a.permuted(op, left, 1, 2, 0), a.permuted(op, v, 1, 2, 0)
}
