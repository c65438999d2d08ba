package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

func randomDense(r *rand.Rand, rows, columns int) dense {
	m := newDense(rows, columns)
	for i := range m.data {
		m.data[i] = r.NormFloat64()
	}
	return m
}

func times(x, y dense) dense {
	z := newDense(x.rows, y.columns)
	for i := range x.rows {
		for j := range y.columns {
			for k := range x.columns {
				z.data[i*z.columns+j] += x.at(i, k) * y.at(k, j)
			}
		}
	}
	return z
}

// requireEqual fails the test if two matrices differ.
func requireEqual(t *testing.T, what string, x, y dense) {
	t.Helper()
	for i, v := range x.data {
		if math.Abs(v-y.data[i]) > 1e-9 {
			t.Errorf("%s: element %d is %v, want %v", what, i, v, y.data[i])
			return
		}
	}
}

func outputs(sizes ...int) [][]float64 {
	out := make([][]float64, len(sizes))
	for i, n := range sizes {
		out[i] = make([]float64, n)
	}
	return out
}

// part returns the first n columns of a factor, with zeros where keep returns false.
func (m dense) part(rows, columns int, keep func(i, j int) bool) dense {
	p := newDense(rows, columns)
	for i := range rows {
		for j := range columns {
			if keep(i, j) {
				p.set(i, j, m.at(i, j))
			}
		}
	}
	return p
}

func TestFactorizations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][2]int{{1, 1}, {4, 4}, {5, 3}, {3, 5}, {9, 9}} {
		m, n, k := s[0], s[1], min(s[0], s[1])
		a := randomDense(r, m, n)
		clone := func() dense { return dense{m, n, append([]float64(nil), a.data...)} }

		out := outputs(m*n, k, 1)
		getrf(nil, clone(), nil, out)
		lu := dense{m, n, out[0]}
		l, u := lu.part(m, k, func(i, j int) bool { return i > j }), lu.part(k, n, func(i, j int) bool { return i <= j })
		swapped := clone()
		for i, p := range out[1] {
			l.set(i, i, 1)
			for j := range n {
				x, y := swapped.at(i, j), swapped.at(int(p)-1, j)
				swapped.set(i, j, y)
				swapped.set(int(p)-1, j, x)
			}
		}
		requireEqual(t, "LU", times(l, u), swapped)

		out = outputs(m*n, k)
		geqrf(nil, clone(), nil, out)
		qr := dense{m, n, out[0]}
		q := outputs(m * k)
		orgqr(nil, qr.part(m, k, func(int, int) bool { return true }), out[1], q)
		requireEqual(t, "QR", times(dense{m, k, q[0]}, qr.part(k, n, func(i, j int) bool { return i <= j })), a)

		out = outputs(0, k, m*k, k*n, 1)
		gesdd(nil, clone(), nil, out)
		us := dense{m, k, out[2]}
		for i := range us.data {
			us.data[i] *= out[1][i%k]
		}
		requireEqual(t, "SVD", times(us, dense{k, n, out[3]}), a)
		all := outputs(0, k, m*m, n*n, 1)
		gesdd(nil, clone(), nil, all)
		left, right := dense{m, m, all[2]}, dense{n, n, all[3]}
		requireEqual(t, "left vectors", times(left.transposed(), left), identity(m))
		requireEqual(t, "right vectors", times(right, right.transposed()), identity(n))
		firsts := left.part(m, k, func(int, int) bool { return true })
		for i := range firsts.data {
			firsts.data[i] *= all[1][i%k]
		}
		requireEqual(t, "first vectors", firsts, us)

		if m != n {
			continue
		}
		sym := times(a, a.transposed())
		out = outputs(n*n, n, 1)
		syevd(&call{op: &hlo.Op{Attrs: hlo.Attrs{}}}, dense{n, n, append([]float64(nil), sym.data...)}, nil, out)
		v := dense{n, n, out[0]}
		scaled := dense{n, n, append([]float64(nil), v.data...)}
		for i := range scaled.data {
			scaled.data[i] *= out[1][i%n]
			if i > 0 && i < n && out[1][i] < out[1][i-1] {
				t.Errorf("eigenvalues %v do not ascend", out[1])
			}
		}
		requireEqual(t, "eigenvectors", times(scaled, v.transposed()), sym)
	}
}

func identity(n int) dense {
	d := newDense(n, n)
	for i := range n {
		d.set(i, i, 1)
	}
	return d
}

// TestSweeps: JacobiSweeps(n) sweeps leave negligible rotations.
func TestSweeps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{2, 3, 4, 5, 8, 12, 16} {
		worst := 0.0
		for range 20 {
			g := randomDense(r, n, n)
			a := times(g, g.transposed())
			for range JacobiSweeps(n) {
				for _, round := range JacobiRounds(n) {
					for _, p := range round {
						theta := math.Atan2(2*a.at(p[0], p[1]), a.at(p[1], p[1])-a.at(p[0], p[0])) / 2
						a.rotate(p[0], p[1], theta)
						a = a.transposed()
						a.rotate(p[0], p[1], theta)
						a = a.transposed()
					}
				}
			}
			for i := range n {
				for j := range i {
					worst = math.Max(worst, math.Abs(a.at(i, j)))
				}
			}
		}
		if worst > 1e-4 {
			t.Errorf("n = %d: %g is left", n, worst)
		}
	}
}
