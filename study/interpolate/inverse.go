package interpolate

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// blockRows is the largest number of rows of a block that is inverted at once: fewer rows need more rounds, more rows need more
// multiplications.
const blockRows = 100

// A block's inverse begins with a multiple of 1. The residual is squared sweeps·squarings + 1 times, which is enough for
// eigenvalues that are up to 10⁴ times apart.
const (
	sweeps    = 4
	squarings = 4    // of a sweep
	magnify   = 1024 // factor of the last residual
)

// inverse returns the inverse of a symmetric positive definite matrix and the logarithm of its determinant. Eigenvalues of a
// block of rows and the same columns are at most most(rows).
//
// It eliminates blocks of at most size rows one after the other, and inverts the block on the diagonal by products of matrices
// alone. A factorisation column by column would take the rounds of a root for each column.
func (w *writer) inverse(a build.Value, size int, most func(rows int) build.Value) (inverse, logDet build.Value) {
	n := a.Dim(0)
	m := (n + size - 1) / size
	at := func(i int) int { return i * n / m }
	s := make([][]build.Value, m) // blocks on and below the diagonal
	for i := range m {
		for j := range i + 1 {
			s[i] = append(s[i], w.Slice(a, []int{at(i), at(j)}, []int{at(i + 1), at(j + 1)}))
		}
	}
	var logs build.Value
	for k := range m {
		block := s[k][k]
		x, log := w.blockInverse(block, w.Div(1, most(at(k+1)-at(k))))
		if k == 0 {
			logs = log
		} else {
			logs = w.Add(logs, log)
		}
		// The blocks become those of the matrix after a sweep: minus the inverse of what was swept, and the Schur complement of the rest.
		var panel, rows []build.Value
		for i := range m {
			switch {
			case i < k:
				panel = append(panel, w.Transpose(s[k][i], 1, 0))
			case i > k:
				panel = append(panel, s[i][k])
			}
		}
		if m > 1 {
			v := w.Concat(0, panel...)
			by := w.Dot(v, x)
			rest := w.Mul(w.Sub(v, w.Dot(by, block)), magnify) // what rounding left of v, as in blockInverse
			by = w.Add(by, w.Mul(w.Dot(rest, x), 1.0/magnify))
			top := 0
			for i := range m {
				if i == k {
					continue
				}
				height := at(i+1) - at(i)
				row := w.Slice(by, []int{top, 0}, []int{top + height, x.Dim(0)})
				top += height
				product := w.DotGeneral(row, w.Slice(v, []int{0, 0}, []int{top, x.Dim(0)}), hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}})
				left := 0
				for j := range i + 1 {
					if j == k {
						continue
					}
					right := left + at(j+1) - at(j)
					s[i][j] = w.Sub(s[i][j], w.Slice(product, []int{0, left}, []int{height, right}))
					left = right
				}
				rows = append(rows, row)
			}
			for i := range m {
				switch {
				case i < k:
					s[k][i], rows = w.Transpose(rows[0], 1, 0), rows[1:]
				case i > k:
					s[i][k], rows = rows[0], rows[1:]
				}
			}
		}
		s[k][k] = w.Neg(x)
	}
	var lines []build.Value
	for i := range m {
		line := append([]build.Value(nil), s[i]...)
		for j := i + 1; j < m; j++ {
			line = append(line, w.Transpose(s[j][i], 1, 0))
		}
		lines = append(lines, w.Concat(1, line...))
	}
	return w.Neg(w.Concat(0, lines...)), logs
}

// blockInverse returns the inverse of a symmetric matrix whose eigenvalues are positive and at most 1/c, and the logarithm of its
// determinant. Newton's iteration X ← X·(1 + E) for the residual E = 1 − A·X squares the residual. In a sweep E is squared
// before A is multiplied again, which takes one round for a squaring instead of two. The last residual is small and is
// magnified: rounded as it is, it would leave an error of the size of a unit times X.
func (w *writer) blockInverse(a, c build.Value) (x, logDet build.Value) {
	n := a.Dim(0)
	one := w.diagonal(n, w.Const(tensor.F32, 1))
	var residuals []build.Value
	for i := range sweeps {
		var e build.Value
		if i == 0 {
			e = w.Sub(one, w.Mul(a, c))
		} else {
			e = w.Sub(one, w.Dot(a, x))
		}
		for j := range squarings {
			residuals = append(residuals, e)
			if i+j == 0 {
				x = w.Add(w.diagonal(n, c), w.Mul(e, c))
			} else {
				x = w.Add(x, w.Dot(x, e))
			}
			if j < squarings-1 {
				e = w.Dot(e, e)
			}
		}
	}
	last := w.Mul(w.Sub(one, w.Dot(a, x)), magnify)
	x = w.Add(x, w.Mul(w.Dot(x, last), 1.0/magnify))
	return x, w.Neg(w.Add(w.Mul(w.Log(c), float64(n)), w.sumLog1p(residuals)))
}

// log1p lists coefficients of powers of e: of a polynomial that differs from log(1 + e) by 5·10⁻⁶ at most for 0 ≤ e ≤ 1, and
// not at all at 0 and 1.
var log1p = map[int]float64{1: 0.9996872298185444, 2: -0.49392080345397377, 3: 0.2936534517220798, 4: -0.12833423612752487,
	6: 0.028136330371032678, 8: -0.006074791770212925}

// sumLog1p returns the sum of the traces of log(1 + E) over symmetric matrices E, each of which is the square of the one
// before. Those behind the last count as zero. The traces of E², E⁴ and E⁸ are those of later matrices, and the traces of E³
// and E⁶ are sums of products of the elements of two neighbours.
func (w *writer) sumLog1p(es []build.Value) build.Value {
	var terms []build.Value
	add := func(x build.Value, factor float64) { terms = append(terms, w.Reshape(w.Mul(x, factor), 1)) }
	both := hlo.DotDims{LHSContract: []int{0, 1}, RHSContract: []int{0, 1}}
	for k, e := range es {
		factor := 0.0
		for power, behind := 1, 0; power <= 8; power, behind = 2*power, behind+1 {
			if k >= behind {
				factor += log1p[power]
			}
		}
		add(w.trace(e), factor)
		if k+1 < len(es) {
			factor = log1p[3]
			if k > 0 {
				factor += log1p[6]
			}
			add(w.DotGeneral(e, es[k+1], both), factor)
		}
	}
	return w.Sum(w.Concat(0, terms...))
}

// diagonalOf returns the diagonal of a matrix.
func (w *writer) diagonalOf(a build.Value) build.Value {
	n := a.Dim(0)
	at := make([]uint64, n)
	for i := range at {
		at[i] = uint64(i * (n + 1))
	}
	return w.take(w.Reshape(a, n*n), at)
}

// trace returns the sum of a matrix's diagonal.
func (w *writer) trace(a build.Value) build.Value { return w.Sum(w.diagonalOf(a)) }
