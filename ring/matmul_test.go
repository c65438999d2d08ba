package ring

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

var productRings = []Ring{Z(8), Z(32), Z(33), Z(46), Z(64), Z(65), Z(128), Z(160), M(8), M(64), M(128), M(160)}

// naiveMatMul is the product by its definition, by Mul and Add.
func naiveMatMul(a, b Vec, batch, m, k, n int) Vec {
	out := New(a.ring, batch*m*n)
	for g := range batch {
		for i := range m {
			for j := range n {
				sum := out.Slice((g*m+i)*n+j, (g*m+i)*n+j+1)
				for p := range k {
					x, y := (g*m+i)*k+p, (g*k+p)*n+j
					MulAdd(sum, a.Slice(x, x+1), b.Slice(y, y+1))
				}
			}
		}
	}
	return out
}

func TestMatMul(t *testing.T) {
	shapes := [][4]int{ // batch, m, k, n
		{1, 1, 1, 1}, {1, 2, 3, 4}, {1, 4, 4, 4}, {2, 3, 5, 7}, {3, 1, 9, 2}, {1, 5, 8, 1}, {2, 1, 13, 1},
		{1, 1, 6, 33}, {1, 3, 2, 600}, {4, 17, 19, 23}, {1, 33, 66, 17}, {1, 7, 5, 70},
		{0, 2, 3, 4}, {2, 0, 3, 4}, {2, 3, 0, 4}, {2, 3, 4, 0}, {1, 0, 0, 0}, {1, 1, 0, 1},
	}
	withHelpers(t, 3)
	for _, r := range productRings {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%v/%v", r, s), func(t *testing.T) {
				batch, m, k, n := s[0], s[1], s[2], s[3]
				rng := source(uint64(r.Bits))
				a, b := random(r, batch*m*k, rng), random(r, batch*k*n, rng)
				dst := random(r, batch*m*n, rng) // must be overwritten
				MatMul(dst, a, b, batch, m, k, n)
				same(t, "MatMul", dst, naiveMatMul(a, b, batch, m, k, n))
			})
		}
	}
}

// MatMulStream is MatMul of a stream's vector, for streams of all kinds.
func TestMatMulStream(t *testing.T) {
	withHelpers(t, 3)
	for _, r := range []Ring{Z(8), Z(24), Z(46), Z(64), Z(128), M(64)} {
		for _, s := range [][3]int{{1, 40, 70}, {1, 70, 400}, {9, 130, 1600}, {3, 1, 1}, {20, 300, 33}, {2, 0, 3}, {0, 2, 3}, {2, 3, 0}} {
			m, k, n := s[0], s[1], s[2]
			a, dst, want := random(r, m*k, source(1)), random(r, m*n, source(2)), New(r, m*n)
			b := NewPRG(Seed{8}).Stream(r, k*n, 3, 4)
			MatMul(want, a, b.Vec(), 1, m, k, n)
			MatMulStream(dst, a, b, m, k, n)
			same(t, "a seed's stream", dst, want)
			MatMulStream(dst, a, StreamOf(b.Vec()), m, k, n)
			same(t, "a vector's stream", dst, want)
			MatMulStream(dst, a, NewReader(PayloadOf(b.Vec())).Stream(r, k*n), m, k, n)
			same(t, "a payload's stream", dst, want)
		}
	}
	shape := ShapeOnly(Z(64), 6)
	MatMulStream(ShapeOnly(Z(64), 4), shape, StreamOf(shape), 2, 3, 2)
	refuses(t, "lengths", "MatMulStream of 2x3 and 3x2 from 6 and 6 elements into 6", func() { MatMulStream(shape, shape, StreamOf(shape), 2, 3, 2) })
}

func TestMatMulRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawEither(t, "bits")
		dim := rapid.IntRange(0, 6)
		batch, m, k, n := dim.Draw(t, "batch"), dim.Draw(t, "m"), dim.Draw(t, "k"), dim.Draw(t, "n")
		a, b := drawVec(t, r, batch*m*k, "a"), drawVec(t, r, batch*k*n, "b")
		dst := New(r, batch*m*n)
		MatMul(dst, a, b, batch, m, k, n)
		same(t, "MatMul", dst, naiveMatMul(a, b, batch, m, k, n))
	})
}

// A kernel adds to its destination and changes nothing around it.
func TestMatMul64Kernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(0, 9)
		m, k, n := dim.Draw(t, "m"), dim.Draw(t, "k"), rapid.SampledFrom([]int{0, 1, 2, 3, 511, 512, 513}).Draw(t, "n")
		r, rng := Z(64), source(rapid.Uint64().Draw(t, "seed"))
		a, b := random(r, m*k, rng), random(r, k*n, rng)
		const guard = 8
		whole := random(r, m*n+2*guard, rng)
		before := whole.Clone()
		want := before.Clone()
		in := want.Slice(guard, guard+m*n)
		Add(in, in, naiveMatMul(a, b, 1, m, k, n))
		for _, x := range available() {
			copy(whole.w, before.w)
			x.matMul64(whole.w[guard:guard+m*n], a.w, b.w, m, k, n)
			same(t, x.name, whole, want)
		}
	})
}
