package eval

import (
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// LAPACK's factorizations of real matrices, as JAX calls them on CPUs. The signs of eigenvectors
// and singular vectors are not determined by LAPACK; here they follow from Jacobi's method in the
// order of JacobiRounds.

func init() {
	for _, kind := range "sd" {
		prefix := "lapack_" + string(kind)
		customs.Add(prefix+"getrf_ffi", onMatrices(getrf))
		customs.Add(prefix+"geqrf_ffi", onMatrices(geqrf))
		customs.Add(prefix+"orgqr_ffi", onMatrices(orgqr))
		customs.Add(prefix+"syevd_ffi", onMatrices(syevd))
		customs.Add(prefix+"gesdd_ffi", onMatrices(gesdd))
	}
}

// dense is a real matrix in row-major order.
type dense struct {
	rows, columns int
	data          []float64
}

func newDense(rows, columns int) dense { return dense{rows, columns, make([]float64, rows*columns)} }

func (m dense) at(i, j int) float64     { return m.data[i*m.columns+j] }
func (m dense) set(i, j int, v float64) { m.data[i*m.columns+j] = v }

func (m dense) transposed() dense {
	t := newDense(m.columns, m.rows)
	for i := range m.rows {
		for j := range m.columns {
			t.set(j, i, m.at(i, j))
		}
	}
	return t
}

// onMatrices runs a routine on each matrix of a batch. The routine fills one slice for each result.
func onMatrices(f func(c *call, a dense, second []float64, out [][]float64)) kernel {
	return func(c *call) ([]*tensor.Array, error) {
		a := c.args[0]
		s := a.Shape
		rank := len(s)
		batch, rows, columns := s[:rank-2].Size(), s[rank-2], s[rank-1]
		results := make([][]float64, len(c.op.Results))
		for i := range results {
			results[i] = make([]float64, c.result(i).Shape.Size())
		}
		in := a.Floats()
		for b := range batch {
			if err := c.alive(); err != nil {
				return nil, err
			}
			part := func(x []float64) []float64 { n := len(x) / batch; return x[b*n : (b+1)*n] }
			m := dense{rows, columns, append([]float64(nil), part(in)...)}
			var second []float64
			if len(c.args) > 1 {
				second = part(c.args[1].Floats())
			}
			out := make([][]float64, len(results))
			for i := range out {
				out[i] = part(results[i])
			}
			f(c, m, second, out)
		}
		arrays := make([]*tensor.Array, len(results))
		for i, x := range results {
			t := c.result(i)
			if t.DType.IsFloat() {
				arrays[i] = tensor.FromFloats(t.DType, t.Shape, x)
				continue
			}
			w := make([]uint64, len(x))
			for k, v := range x {
				w[k] = uint64(int64(v))
			}
			arrays[i] = tensor.FromWords(t.DType, t.Shape, w)
		}
		return arrays, nil
	}
}

// getrf computes the LU factorization with partial pivoting: both factors in one matrix, pivots
// counted from 1, and the order of the first zero pivot.
func getrf(_ *call, a dense, _ []float64, out [][]float64) {
	for k := range min(a.rows, a.columns) {
		p := k
		for i := k + 1; i < a.rows; i++ {
			if math.Abs(a.at(i, k)) > math.Abs(a.at(p, k)) {
				p = i
			}
		}
		out[1][k] = float64(p + 1)
		for j := range a.columns {
			x, y := a.at(k, j), a.at(p, j)
			a.set(k, j, y)
			a.set(p, j, x)
		}
		pivot := a.at(k, k)
		if pivot == 0 {
			if out[2][0] == 0 {
				out[2][0] = float64(k + 1)
			}
			continue
		}
		for i := k + 1; i < a.rows; i++ {
			l := a.at(i, k) / pivot
			a.set(i, k, l)
			for j := k + 1; j < a.columns; j++ {
				a.set(i, j, a.at(i, j)-float64(l*a.at(k, j)))
			}
		}
	}
	copy(out[0], a.data)
}

// reflect applies I − τ·v·vᵀ to the columns starting at from; v is 1 in row k and continues below
// the diagonal in column k of the matrix v.
func (m dense) reflect(v dense, k int, tau float64, from int) {
	for j := from; j < m.columns; j++ {
		w := m.at(k, j)
		for i := k + 1; i < m.rows; i++ {
			w += float64(v.at(i, k) * m.at(i, j))
		}
		w *= tau
		m.set(k, j, m.at(k, j)-w)
		for i := k + 1; i < m.rows; i++ {
			m.set(i, j, m.at(i, j)-float64(w*v.at(i, k)))
		}
	}
}

// geqrf computes the QR factorization by reflections: R, with the vectors of the reflections below
// it, and their factors τ.
func geqrf(_ *call, a dense, _ []float64, out [][]float64) {
	for k := range min(a.rows, a.columns) {
		below := 0.0
		for i := k + 1; i < a.rows; i++ {
			below = math.Hypot(below, a.at(i, k))
		}
		if below == 0 {
			continue
		}
		alpha := a.at(k, k)
		beta := -math.Copysign(math.Hypot(alpha, below), alpha)
		out[1][k] = (beta - alpha) / beta
		for i := k + 1; i < a.rows; i++ {
			a.set(i, k, a.at(i, k)/(alpha-beta))
		}
		a.reflect(a, k, out[1][k], k+1)
		a.set(k, k, beta)
	}
	copy(out[0], a.data)
}

// orgqr multiplies reflections and returns the first columns of Q.
func orgqr(_ *call, a dense, tau []float64, out [][]float64) {
	q := dense{a.rows, a.columns, out[0]}
	for i := range min(a.rows, a.columns) {
		q.set(i, i, 1)
	}
	for k := len(tau) - 1; k >= 0; k-- {
		q.reflect(a, k, tau[k], 0)
	}
}

// JacobiRounds returns the schedule of a cyclic Jacobi sweep over n columns: rounds of disjoint
// pairs (p < q) in which every pair occurs once.
func JacobiRounds(n int) [][][2]int {
	m := n + n%2
	var rounds [][][2]int
	for r := range m - 1 {
		var pairs [][2]int
		seat := func(i int) int {
			if i == 0 {
				return 0
			}
			return 1 + (i-1+r)%(m-1)
		}
		for i := range m / 2 {
			p, q := seat(i), seat(m-1-i)
			if p, q = min(p, q), max(p, q); q < n {
				pairs = append(pairs, [2]int{p, q})
			}
		}
		rounds = append(rounds, pairs)
	}
	return rounds
}

// JacobiSweeps returns the number of Jacobi sweeps over n columns after which rotations are negligible.
func JacobiSweeps(n int) int {
	s := 5
	for ; n > 4; n /= 2 {
		s++
	}
	return s
}

// rotate applies the rotation J(θ) to columns p and q.
func (m dense) rotate(p, q int, theta float64) {
	s, c := math.Sincos(theta)
	for i := range m.rows {
		x, y := m.at(i, p), m.at(i, q)
		m.set(i, p, float64(c*x)-float64(s*y))
		m.set(i, q, float64(s*x)+float64(c*y))
	}
}

// syevd computes eigenvectors and eigenvalues, in ascending order, of a symmetric matrix, of which
// it reads one triangle.
func syevd(c *call, a dense, _ []float64, out [][]float64) {
	n := a.rows
	for i := range n {
		for j := range i {
			if BackendOption(c.op, "uplo") == 'U' {
				a.set(i, j, a.at(j, i))
			} else {
				a.set(j, i, a.at(i, j))
			}
		}
	}
	v := dense{n, n, out[0]}
	for i := range n {
		v.set(i, i, 1)
	}
	for range JacobiSweeps(n) + 5 {
		for _, round := range JacobiRounds(n) {
			for _, pq := range round {
				p, q := pq[0], pq[1]
				theta := math.Atan2(2*a.at(p, q), a.at(q, q)-a.at(p, p)) / 2
				a.rotate(p, q, theta)
				t := a.transposed()
				t.rotate(p, q, theta)
				copy(a.data, t.transposed().data)
				v.rotate(p, q, theta)
			}
		}
	}
	for i := range n {
		out[1][i] = a.at(i, i)
	}
}

// gesdd computes singular values, in descending order, and singular vectors: as many as there are
// values, or all.
func gesdd(c *call, a dense, _ []float64, out [][]float64) {
	wide := a.rows < a.columns
	if wide {
		a = a.transposed()
	}
	n := a.columns
	v := newDense(n, n)
	for i := range n {
		v.set(i, i, 1)
	}
	for range JacobiSweeps(n) + 5 {
		for _, round := range JacobiRounds(n) {
			for _, pq := range round {
				var alpha, beta, gamma float64
				for i := range a.rows {
					x, y := a.at(i, pq[0]), a.at(i, pq[1])
					alpha, beta, gamma = alpha+float64(x*x), beta+float64(y*y), gamma+float64(x*y)
				}
				theta := math.Atan2(-2*gamma, alpha-beta) / 2
				a.rotate(pq[0], pq[1], theta)
				v.rotate(pq[0], pq[1], theta)
			}
		}
	}
	for j := range n {
		s := 0.0
		for i := range a.rows {
			s = math.Hypot(s, a.at(i, j))
		}
		out[1][j] = s
		for i := range a.rows {
			if s > 0 {
				a.set(i, j, a.at(i, j)/s)
			}
		}
	}
	alone := c != nil && BackendOption(c.op, "mode") == 'N'
	if !alone && a.columns < a.rows && max(len(out[2]), len(out[3])) == a.rows*a.rows {
		a = a.completeBasis()
	}
	if wide {
		a, v = v, a
	}
	if len(out[2]) == len(a.data) && len(out[3]) == len(v.data) { // otherwise the program does not use the vectors
		copy(out[2], a.data)
		copy(out[3], v.transposed().data)
	}
}

// completeBasis extends orthonormal columns to a square orthogonal matrix.
func (d dense) completeBasis() dense {
	qr, taus, square, q := newDense(d.rows, d.columns), make([]float64, d.columns), newDense(d.rows, d.rows), newDense(d.rows, d.rows)
	copy(qr.data, d.data)
	geqrf(nil, qr, nil, [][]float64{qr.data, taus})
	for i := range d.rows {
		for j := range d.columns {
			square.set(i, j, qr.at(i, j))
		}
	}
	orgqr(nil, square, taus, [][]float64{q.data})
	for i := range d.rows {
		for j := range d.columns {
			q.set(i, j, d.at(i, j))
		}
	}
	return q
}
