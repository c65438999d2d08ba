package semi2k

import (
	"math"
	"math/rand/v2"
	"testing"
)

// logMeans are, for up to n items in random order, the logarithms of the means
// of e^(t·C), C the comparisons that sorting takes: exactly, by the generating
// function of the parts between pivots.
func logMeans(n int, t float64) []float64 {
	m := make([]float64, n+1)
	pairs := make([]float64, n+1) // Σ m(a)·m(i−a)
	for i := range n + 1 {
		if i <= allPairs {
			m[i] = math.Exp(t * float64(i*(i-1)/2))
		} else {
			var sum float64
			for a := range i - pivots + 1 {
				sum += pairs[a] * pairs[i-pivots-a]
			}
			x := float64(i)
			m[i] = math.Exp(t*(pivots*(x-pivots)+pivots*(pivots-1)/2)) * sum / (x * (x - 1) * (x - 2) / 6)
		}
		for a := range i + 1 {
			pairs[i] += m[a] * m[i-a]
		}
	}
	for i := range m {
		m[i] = math.Log(m[i])
	}
	return m
}

// TestTails: the bounds that slack follows from hold, up to 1000 items exactly;
// beyond, what they bound hardly grows.
func TestTails(t *testing.T) {
	for _, n := range []int{20, 100, 1000} {
		mean := meanComparisons(n)
		if derived := logMeans(n, 1e-7)[n] / 1e-7; math.Abs(derived-mean) > 1e-3*mean {
			t.Errorf("%d items: %.2f comparisons in the mean, %.2f by their generating function", n, mean, derived)
		}
		for _, b := range tails {
			tau := b.tau / float64(n)
			if got := logMeans(n, tau)[n] - tau*mean; got > b.log {
				t.Errorf("%d items: %.3f for τ = %v, which is said to be %v at most", n, got, b.tau, b.log)
			}
		}
		for _, small := range []float64{0.01, 0.1, 0.5} {
			tau := small / float64(n)
			if got := logMeans(n, tau)[n] - tau*mean; got > tails[0].log*small*small {
				t.Errorf("%d items: %.4f for τ = %v", n, got, small)
			}
		}
	}
}

// TestPoolIsEnough: sorts of random orders stay far below what is dealt, which
// is not beyond reason.
func TestPoolIsEnough(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range [][2]int{{1, 9}, {1, 65}, {1, 1000}, {1, 10000}, {50, 100}, {3000, 4}} {
		size, n := poolSize(c[0], c[1]), float64(c[0]*c[1])
		most := 0
		for range 20 {
			took := 0
			for range c[0] {
				took += comparisons(r, c[1])
			}
			most = max(most, took)
		}
		if most > size || float64(size) > float64(most)+14*n {
			t.Errorf("%d groups of %d rows: up to %d comparisons, %d are dealt", c[0], c[1], most, size)
		}
	}
}

// comparisons is what sorting n items in random order takes, without the last
// batch.
func comparisons(r *rand.Rand, n int) int {
	if n <= allPairs {
		return n * (n - 1) / 2
	}
	cuts := r.Perm(n)[:pivots]
	sum := pivots*(n-pivots) + pivots*(pivots-1)/2
	for _, lo := range append([]int{-1}, cuts...) {
		hi := n
		for _, c := range cuts {
			if c > lo {
				hi = min(hi, c)
			}
		}
		sum += comparisons(r, hi-lo-1)
	}
	return sum
}
