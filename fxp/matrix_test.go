package fxp_test

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

// matrix is a batch of matrices, open or not.
func (l *lab) matrices(batch, rows, columns int, v ...float64) []*fxp.Value {
	return []*fxp.Value{l.shaped(l.in(v...), batch, rows, columns), l.shaped(l.held(v...), batch, rows, columns),
		l.shaped(l.Mul(l.op, l.held(v...), l.in(mapped(v, func(float64) float64 { return 1 })...)), batch, rows, columns)}
}

func TestCholesky(t *testing.T) {
	each(t, wideOnes, func(l *lab) {
		for _, x := range l.matrices(2, 2, 2, 4, 2, 2, 10, 9, 3, 3, 1.25) {
			l.near("factors", l.Cholesky(l.op, x, 2, 2), 4, 2, 0, 1, 3, 3, 0, 1, 0.5)
		}
		for _, x := range l.matrices(1, 1, 1, 6.25) {
			l.near("a number", l.Cholesky(l.op, x, 1, 1), 2, 2.5)
		}
		for _, x := range l.matrices(1, 3, 3, 4, 2, -2, 2, 10, 2, -2, 2, 6) {
			l.near("three rows", l.Cholesky(l.op, x, 1, 3), 8, 2, 0, 0, 1, 3, 0, -1, 1, 2)
		}
	})
}

func TestSolveLower(t *testing.T) {
	each(t, wideOnes, func(l *lab) {
		for _, m := range l.matrices(1, 2, 2, 2, 9, -4, 0.5) { // 9 is not read
			for _, b := range l.matrices(1, 2, 2, 2, 4, 1, -3) {
				l.near("x", l.SolveLower(l.op, m, b, 1, 2, 2, false), 8, 1, 2, 10, 10)
				l.near("x, unit diagonal", l.SolveLower(l.op, m, b, 1, 2, 2, true), 4, 2, 4, 9, 13)
			}
		}
	})
}

// product is a matrix product in the clear.
func product(a, b []float64, m, k, n int) []float64 {
	out := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for e := range k {
				out[i*n+j] += a[i*k+e] * b[e*n+j]
			}
		}
	}
	return out
}

func transposed(a []float64, m, n int) []float64 {
	out := make([]float64, m*n)
	for i := range m {
		for j := range n {
			out[j*m+i] = a[i*n+j]
		}
	}
	return out
}

// agrees compares numbers up to a tolerance.
func (l *lab) agrees(what string, got, want []float64, tolerance float64) {
	l.Helper()
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance) {
			l.Errorf("%s: %s: element %d is %v, want %v", l.name, what, i, got[i], w)
			return
		}
	}
}

func (l *lab) reals(x *fxp.Value) func() []float64 {
	x = l.Finalize(l.op, x)
	return func() []float64 { return decoded(x.S, x.Type, x.Scale).Floats() }
}

// TestLU: rows are swapped as the pivots say, and the factors' product is the matrix.
func TestLU(t *testing.T) {
	a := []float64{1, 2, 0.5, 4, -1, 3, 2, 2, -2}
	for _, s := range [][2]int{{3, 3}, {3, 2}, {2, 3}} {
		m, n := s[0], s[1]
		k := min(m, n)
		x := a[:m*n]
		each(t, wideOnes, func(l *lab) {
			for _, v := range l.matrices(1, m, n, x...) {
				lu, pivots := l.LU(l.op, v, tensor.I32)
				factors := l.reals(lu)
				l.finally(func() {
					f := factors()
					lower, upper := make([]float64, m*k), make([]float64, k*n)
					for i := range m {
						for j := range n {
							if j < k && i > j {
								lower[i*k+j] = f[i*n+j]
							} else if i < k {
								upper[i*n+j] = f[i*n+j]
							}
						}
						if i < k {
							lower[i*k+i] = 1
						}
					}
					want := append([]float64{}, x...)
					for i, p := range decoded(pivots.S, pivots.Type, 0).Data.([]int32) {
						for j := range n {
							want[i*n+j], want[(int(p)-1)*n+j] = want[(int(p)-1)*n+j], want[i*n+j]
						}
					}
					l.agrees("L·U", product(lower, upper, m, k, n), want, 40*l.unit())
					for _, v := range lower {
						if math.Abs(v) > 1+4*l.unit() {
							l.Errorf("%s: a factor of %v: the largest pivot was not taken", l.name, v)
						}
					}
				})
			}
		})
	}
}

// TestQR: the columns of Q are orthonormal, and Q·R is the matrix.
func TestQR(t *testing.T) {
	a := []float64{1, 2, 0.5, 4, -1, 3, 2, 2, -2}
	for _, s := range [][2]int{{3, 3}, {3, 2}, {2, 3}} {
		m, n := s[0], s[1]
		k := min(m, n)
		each(t, wideOnes, func(l *lab) {
			for _, v := range l.matrices(1, m, n, a[:m*n]...) {
				qr, taus := l.QR(l.op, v)
				left := l.View(l.op, tensor.Sliced(shape{1, m, n}, []int{0, 0, 0}, []int{1, m, k}, []int{1, 1, 1}), qr)
				q, r := l.reals(l.Q(l.op, left, taus)), l.reals(qr)
				l.finally(func() {
					upper, Q := make([]float64, k*n), q()
					for i := range k {
						copy(upper[i*n+i:(i+1)*n], r()[i*n+i:(i+1)*n])
					}
					l.agrees("Q·R", product(Q, upper, m, k, n), a[:m*n], 80*l.unit())
					one := make([]float64, k*k)
					for i := range k {
						one[i*k+i] = 1
					}
					l.agrees("Qᵀ·Q", product(transposed(Q, m, k), Q, k, m, k), one, 80*l.unit())
				})
			}
		})
	}
}

var rotations = fxp.Rotations{Rounds: [][][2]int{{{0, 1}}, {{0, 2}}, {{1, 2}}}, Sweeps: 6}

// TestEigen: values ascend, vectors are orthonormal, and together they are the matrix.
func TestEigen(t *testing.T) {
	a := []float64{2, 1, 0.5, 1, -1, 0.25, 0.5, 0.25, 4}
	each(t, wideOnes, func(l *lab) {
		for _, v := range l.matrices(1, 3, 3, a...) {
			values, vectors := l.Eigen(l.op, v, rotations)
			w, u := l.reals(values), l.reals(vectors)
			l.finally(func() {
				scaled := append([]float64{}, u()...)
				for i := range scaled {
					scaled[i] *= w()[i%3]
				}
				l.agrees("V·W·Vᵀ", product(scaled, transposed(u(), 3, 3), 3, 3, 3), a, 200*l.unit())
				l.agrees("VᵀV", product(transposed(u(), 3, 3), u(), 3, 3, 3), []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 200*l.unit())
				if x := w(); x[0] > x[1] || x[1] > x[2] {
					l.Errorf("%s: values %v", l.name, x)
				}
			})
		}
	})
}

// TestSingular: values descend, and together with the vectors they are the matrix.
func TestSingular(t *testing.T) {
	a := []float64{2, 1, 0.5, 1, -1, 0.25, 0.5, 0.25, 4, 1, 1, 1}
	each(t, wideOnes, func(l *lab) {
		for _, v := range l.matrices(1, 4, 3, a...) {
			values, left, right := l.Singular(l.op, v, rotations)
			w, u, r := l.reals(values), l.reals(left), l.reals(right)
			l.finally(func() {
				scaled := append([]float64{}, u()...)
				for i := range scaled {
					scaled[i] *= w()[i%3]
				}
				l.agrees("U·W·Vᵀ", product(scaled, transposed(r(), 3, 3), 4, 3, 3), a, 400*l.unit())
				if x := w(); x[0] < x[1] || x[1] < x[2] || x[2] < 0 {
					l.Errorf("%s: values %v", l.name, x)
				}
			})
		}
	})
}
