package semi2k

import "math"

// poolSize is the number of comparisons requested for a sort: the mean, one for each row for the last batch,
// and slack (docs/protocols/sorting.md#number-of-comparisons). It is never more than all pairs. It is meant
// to be exceeded with a probability below 2^-40; that is not proved for all numbers of rows (see tails).
func poolSize(groups, rows int) int {
	all := groups * (rows * (rows - 1) / 2)
	n := float64(groups * rows)
	size := float64(groups)*meanComparisons(rows) + n + slack(groups)*float64(rows)
	return min(all, int(math.Ceil(size)))
}

// meanComparisons is the exact mean of the number of comparisons for n items in random order, without the
// rule for the last batch. With c(n) = 3(n−3) + 3 comparisons of pivots, and a the size of one part between
// pivots,
//
//	E(n) = c(n) + 4·Σ_a C(n−1−a, 2)·E(a) / C(n, 3).
//
// The sum is computed from the sums of E(a), a·E(a) and a²·E(a).
func meanComparisons(n int) float64 {
	var s0, s1, s2 float64 // s_i = Σ a^i·E(a) for a ≤ m − pivots
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

// tails holds, for some τ, numbers that the logarithm of the mean of e^(τ·(C − E)/n) is assumed not to
// exceed, where C is the number of comparisons of n items and E its mean. TestTails computes that mean
// exactly for n = 20, 100 and 1000; for other n the bounds are not proved.
var tails = [...]struct{ tau, log float64 }{{1, 0.31}, {2, 1.78}, {3, 6.8}, {4, 23.5}, {5, 71}}

// slack is the s for which some group of n rows exceeds the mean by more than s·n with a probability below
// 2^-40, by Chernoff's bound and if tails hold: (groups·log + 40·ln 2)/τ for the best τ. For τ < 1 the
// logarithm is assumed to be at most 0.31·τ², which TestTails checks at the same n only.
func slack(groups int) float64 {
	g, odds := float64(groups), 40*math.Ln2
	tau := math.Min(1, math.Sqrt(odds/(g*tails[0].log)))
	best := (g*tails[0].log*tau*tau + odds) / tau
	for _, t := range tails {
		best = math.Min(best, (g*t.log+odds)/t.tau)
	}
	return best
}
