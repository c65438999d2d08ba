package glm

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
)

// inversion is the inverse of a matrix, and ‖I − SV‖² of its scaled form.
type inversion struct{ inverse, residual build.Value }

// invert returns the inverse of a symmetric positive definite matrix by Newton–Schulz iterations (see the
// package's comment). The number of iterations and all factors are public.
func (w *writer) invert(a build.Value) inversion {
	b := w.Builder
	d := b.Rsqrt(w.diagonal(a))
	scale := func(m build.Value) build.Value {
		return b.Mul(b.Mul(m, b.Reshape(d, w.p, 1)), b.Reshape(d, 1, w.p))
	}
	s := scale(a)
	c, factors := schedule(w.Condition, w.p)
	two := b.Mul(w.eye, 2.0)
	m, v := b.Sub(two, b.Mul(s, c)), build.Value{} // m is 2I − T
	for i, g := range factors {
		if i == 0 {
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

// schedule returns c, such that V = cI is the first approximation, and the factors g of all iterations but the last, for matrices of p
// rows with ones on the diagonal and a condition number of at most κ. An eigenvalue t of SV becomes g·t(2−t). All lie between lo
// and hi.
func schedule(condition float64, p int) (c float64, factors []float64) {
	c = 15.0 / 8
	for size := 1; size < p; size *= 2 { // at least the largest eigenvalue
		c /= 2
	}
	after := func(lo, hi, g float64) (float64, float64) { return g * min(lo*(2-lo), hi*(2-hi)), g }
	lo, hi := c/condition, 15.0/8
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
	return c, factors
}

// coupled is the distance from 1 of eigenvalues at which the last iteration begins, which squares it.
const coupled = 1e-3
