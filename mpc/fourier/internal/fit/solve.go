package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/tacet-mpc/tacet/mpc/fourier"
)

const (
	reweightings  = 8
	maxErrorRatio = 10 // multiple of the tolerance above which reweighting is given up: it gains a factor of a few
)

// fit returns a table of n harmonics whose largest error on the interval is near the minimum, by
// Lawson's method: least squares over Chebyshev nodes, with weights that grow where the error is
// large. Singular values below cutoff times the largest are dropped, which bounds the coefficients.
func fit(t fourier.Target, n int, period, cutoff float64) *fourier.Table {
	nodes := chebyshev(t.A, t.B, 8*n+100)
	check := chebyshev(t.A, t.B, 40*n+500)
	a, y, weights := basis(nodes, n, period), column(nodes, t.F), ones(len(nodes))
	var best *fourier.Table
	for range reweightings {
		x := leastSquares(a, y, weights, cutoff)
		table := round(t, period, x.RawVector().Data)
		table.Err = largestError(t.F, table, check)
		if best == nil || table.Err < best.Err {
			best = table
		}
		if best.Err > maxErrorRatio*t.Tolerance || table.Sum > 2*t.Bound {
			break
		}
		reweight(weights, a, x, y)
	}
	return best
}

// chebyshev returns points of [a, b], denser towards the ends, ends included.
func chebyshev(a, b float64, count int) []float64 {
	points := make([]float64, count)
	for i := range points {
		points[i] = (a+b)/2 - (b-a)/2*math.Cos(math.Pi*float64(i)/float64(count-1))
	}
	points[0], points[count-1] = a, b
	return points
}

// basis has a row 1, cos θ, …, cos nθ, sin θ, …, sin nθ for each point.
func basis(points []float64, n int, period float64) *mat.Dense {
	a := mat.NewDense(len(points), 2*n+1, nil)
	for i, x := range points {
		row := a.RawRowView(i)
		row[0] = 1
		for j := 1; j <= n; j++ {
			row[n+j], row[j] = math.Sincos(2 * math.Pi * float64(j) * (x / period))
		}
	}
	return a
}

func column(points []float64, f func(float64) float64) *mat.VecDense {
	y := mat.NewVecDense(len(points), nil)
	for i, x := range points {
		y.SetVec(i, f(x))
	}
	return y
}

func ones(count int) []float64 {
	w := make([]float64, count)
	for i := range w {
		w[i] = 1
	}
	return w
}

// leastSquares minimises Σ w_i (a x - y)_i².
func leastSquares(a *mat.Dense, y *mat.VecDense, weights []float64, cutoff float64) *mat.VecDense {
	rows, columns := a.Dims()
	scaled, right := mat.NewDense(rows, columns, nil), mat.NewVecDense(rows, nil)
	for i, w := range weights {
		s := math.Sqrt(w)
		from, to := a.RawRowView(i), scaled.RawRowView(i)
		for j, v := range from {
			to[j] = s * v
		}
		right.SetVec(i, s*y.AtVec(i))
	}
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDThin) {
		panic("fit: the singular values do not converge")
	}
	x := mat.NewVecDense(columns, nil)
	svd.SolveVecTo(x, right, svd.Rank(cutoff))
	return x
}

// reweight multiplies weights by the errors at the nodes, and normalises them.
func reweight(weights []float64, a *mat.Dense, x, y *mat.VecDense) {
	var e mat.VecDense
	e.MulVec(a, x)
	e.SubVec(&e, y)
	mean := 0.0
	for i := range weights {
		e.SetVec(i, math.Abs(e.AtVec(i)))
		mean += e.AtVec(i) / float64(len(weights))
	}
	total := 0.0
	for i := range weights {
		weights[i] *= e.AtVec(i)/mean + 1e-3
		total += weights[i] / float64(len(weights))
	}
	for i := range weights {
		weights[i] /= total
	}
}

// largestError evaluates the table with its rounded coefficients.
func largestError(f func(float64) float64, t *fourier.Table, points []float64) float64 {
	worst := 0.0
	for _, x := range points {
		// Clenshaw's recurrence for both sums.
		sin, cos := math.Sincos(2 * math.Pi * (x / t.Period))
		var c1, c2, s1, s2 float64
		for n := t.N(); n > 0; n-- {
			c1, c2 = math.Ldexp(float64(t.C[n]), -t.Frac)+2*cos*c1-c2, c1
			s1, s2 = math.Ldexp(float64(t.S[n-1]), -t.Frac)+2*cos*s1-s2, s1
		}
		value := math.Ldexp(float64(t.C[0]), -t.Frac) + cos*c1 - c2 + sin*s1
		worst = max(worst, math.Abs(value-f(x)))
	}
	return worst
}
