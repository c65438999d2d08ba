package ring

import "testing"

// Products with what a party knows are MatMul's: of differences in blocks.
func TestKnownProducts(t *testing.T) {
	withHelpers(t, 3)
	for _, r := range []Ring{Z(8), Z(32), Z(46), Z(64), Z(128), M(64)} {
		for _, s := range [][3]int{{1, 40, 70}, {14, 3000, 3}, {9, 130, 400}, {3, 1, 1}, {70, 130, 2}, {2, 0, 3}, {0, 2, 3}, {2, 3, 0}} {
			m, k, n := s[0], s[1], s[2]
			a, b := random(r, m*k, source(1)), random(r, k*n, source(2))
			dst, want := random(r, m*n, source(3)), New(r, m*n)
			MatMul(want, a, b, 1, m, k, n)
			for _, seeded := range []bool{true, false} {
				of := func(v Vec) (Vec, Stream) { // a difference that is v
					y := NewPRG(Seed{8}).Stream(r, v.Len(), 3, 4)
					x := v.Clone()
					if AddStream(x, y); !seeded {
						y = StreamOf(y.Vec())
					}
					return x, y
				}
				x, y := of(a)
				MatMulDifferenceLeft(dst, x, y, b, m, k, n)
				same(t, "MatMulDifferenceLeft", dst, want)
				x, y = of(b)
				MatMulDifferenceRight(dst, a, x, y, m, k, n)
				same(t, "MatMulDifferenceRight", dst, want)
			}
		}
	}
}
