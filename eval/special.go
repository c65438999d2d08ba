package eval

import "math"

// Functions of real numbers that package math lacks.

// bernoulli holds B_2k/(2k)! for k = 1, 2, …: the coefficients of the Euler-Maclaurin formula.
var bernoulli = [...]float64{
	1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160,
	-691. / 1307674368000, 1. / 74724249600, -3617. / 10670622842880000,
	43867. / 5109094217170944000, -174611. / 802857662698291200000,
}

// zeta is Hurwitz's zeta function Σ 1/(q+n)^s for s > 1: the first terms are summed, the rest
// follows by the Euler-Maclaurin formula.
func zeta(s, q float64) float64 {
	switch {
	case math.IsNaN(s) || math.IsNaN(q) || s < 1:
		return math.NaN()
	case s == 1:
		return math.Inf(1)
	case q <= 0 && q == math.Floor(q): // a pole; +Inf from both sides if s is even, else undefined
		if s == math.Floor(s) && math.Mod(s, 2) == 0 {
			return math.Inf(1)
		}
		return math.NaN()
	case q <= 0 && s != math.Floor(s):
		return math.NaN()
	case math.IsInf(q, 1):
		return 0
	}
	const direct = 12
	sum := 0.0
	for range direct {
		sum += math.Pow(q, -s)
		q++
	}
	for ; q < direct; q++ { // for negative q
		sum += math.Pow(q, -s)
	}
	power := math.Pow(q, -s)
	sum += power*q/(s-1) + power/2
	rising := s // s(s+1)…(s+2k-2)
	for k, b := range bernoulli {
		power /= q
		sum += b * rising * power
		rising *= (s + float64(2*k+1)) * (s + float64(2*k+2))
		power /= q
	}
	return sum
}

// polygamma is the n-th derivative of digamma: (-1)^(n+1)·n!·zeta(n+1, x).
func polygamma(n, x float64) float64 {
	switch {
	case n == 0:
		return digamma(x)
	case n < 0 || n != math.Floor(n):
		return math.NaN()
	}
	v := math.Gamma(n+1) * zeta(n+1, x)
	if math.Mod(n, 2) == 0 {
		return -v
	}
	return v
}

// digamma is the derivative of lgamma: by its recurrence up to the range of the asymptotic series,
// and by reflection for negative numbers.
func digamma(x float64) float64 {
	switch {
	case math.IsInf(x, -1) || x <= 0 && x == math.Floor(x): // poles
		return math.NaN()
	case x <= 0:
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*(x-math.Floor(x)))
	}
	sum := 0.0
	for ; x < 12; x++ {
		sum -= 1 / x
	}
	// log x - 1/2x - Σ B_2k/(2k·x^2k)
	series, power, factorial := 0.0, 1.0, 1.0
	for k, b := range bernoulli {
		power /= x * x
		factorial *= float64(2*k + 1) // (2k)!/(2k) = (2k-1)!
		series += b * factorial * power
		factorial *= float64(2*k + 2)
	}
	return sum + math.Log(x) - 1/(2*x) - series
}

// besselI1e is exp(-|x|)·I1(x), where I1 is the modified Bessel function of the first kind: by its
// power series, whose terms have one sign, or for large x by the asymptotic series.
func besselI1e(x float64) float64 {
	a := math.Abs(x)
	var v float64
	if a < 30 {
		term := a / 2
		for k := 1.0; term > v*1e-18; k++ {
			v += term
			term *= a * a / 4 / (k * (k + 1))
		}
		v *= math.Exp(-a)
	} else {
		term := 1.0
		for k := 1.0; k < 30; k++ {
			v += term
			term *= -(4 - (2*k-1)*(2*k-1)) / (8 * a * k)
		}
		v /= math.Sqrt(2 * math.Pi * a)
	}
	return math.Copysign(v, x)
}
