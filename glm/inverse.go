package glm

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
)

// inversion is the inverse of a matrix, and ‖I − SV‖² of its scaled form.
type inversion struct{ inverse, residual build.Value }

// invert returns the inverse of a symmetric positive definite matrix by Newton–Schulz iterations (see the
// package's comment). The number of iterations and all factors are public. They begin with the inverse of a matrix that is near, if
// one is given: one with the Hessian of other weights of the same rows, or of some of them, which differ by factors within nearLeast and
// nearMost.
func (w *writer) invert(a build.Value, early inversion) inversion {
	b := w.Builder
	diagonal := w.diagonal(a)
	d := b.Rsqrt(diagonal)
	outer := func(m, d build.Value) build.Value {
		return b.Mul(b.Mul(m, b.Reshape(d, w.p, 1)), b.Reshape(d, 1, w.p))
	}
	scale := func(m build.Value) build.Value { return outer(m, d) }
	s := scale(a)
	two := b.Mul(w.eye, 2.0)
	c, least := first(w.p), 1/w.Condition
	t, begin := s, build.Value{} // the first V is c·begin, or cI; t is S times it
	if early.inverse != (build.Value{}) {
		c, least = most/nearMost, nearLeast
		begin = outer(early.inverse, b.Mul(diagonal, d))
		t = b.Dot(s, begin)
	}
	factors := schedule(c * least)
	m, v := b.Sub(two, b.Mul(t, c)), build.Value{} // m is 2I − T
	for i, g := range factors {
		if i == 0 && begin != (build.Value{}) {
			v = b.Dot(begin, m)
		} else if i == 0 {
			v = m
		} else {
			v = b.Dot(v, m) // first: it opens m, and t below is then open too
		}
		near := math.Exp2(math.Round(math.Log2(g))) // a power of two needs no rescaling; c has the rest
		v, c = b.Mul(v, near), c*g/near
		if i < len(factors)-1 {
			t := b.Sub(b.Mul(w.eye, 32*g), b.Mul(m, 16*g)) // 16·g·T, where 16·g is an integer
			m = b.Sub(two, b.Mul(b.Dot(t, m), 1.0/16))
		}
	}
	v = b.Mul(v, c)
	v = b.Dot(v, b.Sub(two, b.Dot(s, v)))
	r := b.Sub(w.eye, b.Dot(s, v))
	return inversion{scale(v), b.Sum(b.Mul(r, r))}
}

// sixteenths are the factors, times 16, that an iteration may have.
var sixteenths = []float64{16, 17, 18, 20, 22, 24, 26, 28, 30, 31}

// most is the largest eigenvalue of SV with which iterations begin.
const most = 15.0 / 8

// nearLeast and nearMost are the bounds of eigenvalues of S times the inverse of a near matrix. If one is above 2, the iterations of a fit
// between both Hessians diverge too, and if one is below 1/64, they hardly change the coefficients.
const nearLeast, nearMost = 1.0 / 64, 2 * most

// first returns c, such that V = cI is the first approximation for matrices of p rows with ones on the diagonal.
func first(p int) float64 {
	c := most
	for size := 1; size < p; size *= 2 { // at least the largest eigenvalue
		c /= 2
	}
	return c
}

// schedule returns the factors g of all iterations but the last, if all eigenvalues of SV are from lo to most at first. An eigenvalue t
// becomes g·t(2−t). All lie between lo and hi.
func schedule(lo float64) (factors []float64) {
	after := func(lo, hi, g float64) (float64, float64) { return g * min(lo*(2-lo), hi*(2-hi)), g }
	hi := most
	for 1-lo > coupled || hi-1 > coupled {
		best, factor := 0.0, 1.0
		for _, g := range sixteenths { // the one after which one more step has the largest least eigenvalue
			l, h := after(lo, hi, g/16)
			if next := min(l*(2-l), h*(2-h)); next > best {
				best, factor = next, g/16
			}
		}
		lo, hi = after(lo, hi, factor)
		factors = append(factors, factor)
	}
	return factors
}

// coupled is the distance from 1 of eigenvalues at which the last iteration begins, which squares it.
const coupled = 1e-3
