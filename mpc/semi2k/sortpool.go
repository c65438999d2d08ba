package semi2k

import "math"

// poolSize is how many comparisons are dealt for a sort: what sorting takes in
// the mean, one for each row for the last batch, and slack for chance, so that
// more are needed with a probability below 2^-40.
func poolSize(groups, rows int) int {
	all := groups * (rows * (rows - 1) / 2)
	n := float64(groups * rows)
	size := float64(groups)*meanComparisons(rows) + n + slack(groups)*float64(rows)
	return min(all, int(math.Ceil(size)))
}

// meanComparisons is the exact mean for n items in random order: with c
// comparisons in a batch and parts between pivots whose sizes are equally
// likely for all ways to make n − 3,
//
//	E(n) = c(n) + 4·Σ_a C(n−1−a, 2)·E(a) / C(n, 3),
//
// the sum being one of E, a·E and a²·E.
func meanComparisons(n int) float64 {
	var s0, s1, s2 float64 // sums of a^i·E(a) for a ≤ m − pivots − 1
	mean := make([]float64, n+1)
	for m := range n + 1 {
		if a := m - pivots; a >= 0 {
			x, e := float64(a), mean[a]
			s0, s1, s2 = s0+e, s1+x*e, s2+x*x*e
		}
		x := float64(m)
		if m <= allPairs {
			mean[m] = x * (x - 1) / 2
			continue
		}
		sum := ((x-1)*(x-2)*s0 - (2*x-3)*s1 + s2) / 2
		mean[m] = pivots*(x-pivots) + pivots*(pivots-1)/2 + 4*sum/(x*(x-1)*(x-2)/6)
	}
	return mean[n]
}

// tails bound, for some τ, the logarithm of the mean of e^(τ·(C − E)/n) for n
// items, C comparisons and their mean E, for all n.
var tails = [...]struct{ tau, log float64 }{{1, 0.31}, {2, 1.78}, {3, 6.8}, {4, 23.5}, {5, 71}}

// slack is how many times n comparisons more than the mean some groups of n
// rows take with a probability below 2^-40: Chernoff's bound, (groups·log +
// 40·ln 2)/τ for the best τ; below τ = 1 the logarithm is at most 0.31·τ².
func slack(groups int) float64 {
	g, odds := float64(groups), 40*math.Ln2
	tau := math.Min(1, math.Sqrt(odds/(g*tails[0].log)))
	best := (g*tails[0].log*tau*tau + odds) / tau
	for _, t := range tails {
		best = math.Min(best, (g*t.log+odds)/t.tau)
	}
	return best
}
