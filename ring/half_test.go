package ring

import (
	"slices"
	"testing"
)

// Products with streams are MatMul's, for every kind of stream.
func TestStreamProducts(t *testing.T) {
	withHelpers(t, 3)
	for _, r := range []Ring{Z(8), Z(17), Z(24), Z(32), Z(46), Z(64), Z(128), M(31)} {
		for _, s := range [][3]int{
			{1, 40, 70}, {14, 3000, 3}, {9, 130, 400}, {3, 1, 1}, {70, 130, 2}, {25, 2056, 9}, {5, 300, 1100}, {2, 0, 3}, {0, 2, 3}, {2, 3, 0},
		} {
			m, k, n := s[0], s[1], s[2]
			for _, before := range []int{0, 8, 13} {
				dst, want := random(r, m*n, source(3)), New(r, m*n)
				left, a := streams(r, m*k, before, Seed{4})
				b := random(r, k*n, source(2))
				MatMul(want, a, b, 1, m, k, n)
				for name, of := range left {
					MatMulStreamLeft(dst, of, b, m, k, n)
					same(t, "MatMulStreamLeft, "+name, dst, want)
				}
				right, b := streams(r, k*n, before, Seed{5})
				a = random(r, m*k, source(1))
				MatMul(want, a, b, 1, m, k, n)
				for name, of := range right {
					MatMulStream(dst, a, of, m, k, n)
					same(t, "MatMulStream, "+name, dst, want)
				}
			}
		}
	}
	refuses(t, "lengths", "MatMulStreamLeft of 2x3 and 3x4", func() {
		MatMulStreamLeft(New(Z(32), 8), StreamOf(New(Z(32), 5)), New(Z(32), 12), 2, 3, 4)
	})
	kept := random(Z(32), 8, source(1))
	was := kept.Clone()
	MatMulStreamLeft(kept, StreamOf(ShapeOnly(Z(32), 6)), New(Z(32), 12), 2, 3, 4)
	same(t, "a product without elements", kept, was)
}

// All machines' kernels for halves are the portable ones.
func TestHalfKernels(t *testing.T) {
	check := func(name string, words int, of func(k kernels, c []uint64)) {
		t.Helper()
		_, want := guarded(words, 3)
		of(portable, want)
		for _, x := range available() {
			all, c := guarded(words, 3)
			of(x, c)
			for i := range c {
				if uint32(c[i]) != uint32(want[i]) {
					t.Fatalf("%s, %s: word %d is %#x, want %#x", x.name, name, i, c[i], want[i])
				}
			}
			for _, w := range slices.Concat(all[:64], all[len(all)-64:]) {
				if w != guard {
					t.Fatalf("%s, %s: wrote beyond the result", x.name, name)
				}
			}
		}
	}
	for _, s := range [][3]int{{1, 8, 4}, {2, 0, 8}, {3, 16, 4}, {7, 64, 12}, {13, 128, 32}, {4, 24, 64}, {6, 5 * 8, 96}, {14, 8, 160}} {
		m, k, n := s[0], s[1], s[2]
		_, a := guarded(m*(k+2), 1)
		_, b := guarded((n+k)*(k+n+2), 2)
		check("dot", m*n, func(x kernels, c []uint64) { x.dot(c, asHalves(a), asHalves(b), m, k, n, k+2, k+6) })
		if n%columnGrain == 0 {
			check("matMul", m*n, func(x kernels, c []uint64) { x.matMul(c, a, asHalves(b), m, k, n, k+1, n+2) })
		}
	}
}

// The payload of a sum is that of the sum's vector.
func TestSumPayload(t *testing.T) {
	withHelpers(t, 3)
	for _, r := range []Ring{Z(8), Z(24), Z(32), Z(64), M(31)} {
		for _, n := range []int{0, 1, 5, partLength, 40*partLength + 7} {
			all, v := streams(r, n, 16, Seed{4})
			by := NewPRG(Seed{5}).Stream(r, n, 1, 2)
			sum := v.Clone()
			AddStream(sum, by)
			want := PayloadOf(sum)
			for name, of := range all {
				if got := SumPayload(of, by); got.Len != want.Len || !slices.Equal(got.Data, want.Data) {
					t.Errorf("%v, %d elements, %s: another payload", r, n, name)
				}
			}
		}
	}
	if p := SumPayload(StreamOf(ShapeOnly(Z(32), 5)), StreamOf(ShapeOnly(Z(32), 5))); p.Len != 20 || p.Data != nil {
		t.Errorf("a sum without elements has the payload %v", p)
	}
	refuses(t, "another length", "stream of 5 of Z_2^32 with 6", func() { SumPayload(StreamOf(New(Z(32), 5)), StreamOf(New(Z(32), 6))) })
}
