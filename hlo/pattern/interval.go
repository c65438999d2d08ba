package pattern

import (
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// Interval is the set of numbers x with Lo ≤ x ≤ Hi. An infinite end means no bound.
type Interval struct{ Lo, Hi float64 }

// all returns the interval of all values of a type.
func all(d tensor.DType) Interval {
	switch {
	case d == tensor.Bool:
		return Interval{0, 1}
	case d.IsInt() && d.IsSigned():
		return Interval{-math.Ldexp(1, d.Bits()-1), math.Ldexp(1, d.Bits()-1) - 1}
	case d.IsInt():
		return Interval{0, math.Ldexp(1, d.Bits()) - 1}
	}
	return Interval{math.Inf(-1), math.Inf(1)}
}

// Any returns the interval of all values of element type d.
func Any(d tensor.DType) Interval { return all(d) }

func point(x float64) Interval { return Interval{x, x} }

func (x Interval) join(y Interval) Interval { return Interval{min(x.Lo, y.Lo), max(x.Hi, y.Hi)} }
func (x Interval) neg() Interval            { return Interval{-x.Hi, -x.Lo} }
func (x Interval) add(y Interval) Interval  { return Interval{sum(x.Lo, y.Lo, -1), sum(x.Hi, y.Hi, 1)} }
func (x Interval) sub(y Interval) Interval  { return x.add(y.neg()) }
func (x Interval) max(y Interval) Interval  { return Interval{max(x.Lo, y.Lo), max(x.Hi, y.Hi)} }
func (x Interval) min(y Interval) Interval  { return Interval{min(x.Lo, y.Lo), min(x.Hi, y.Hi)} }

// sum adds bounds; opposite infinities leave no bound on that side (−1 lower, 1 upper).
func sum(x, y float64, side int) float64 {
	if s := x + y; !math.IsNaN(s) {
		return s
	}
	return math.Inf(side)
}

// times multiplies bounds; 0 times any bound is 0.
func times(x, y float64) float64 {
	if x == 0 || y == 0 {
		return 0
	}
	return x * y
}

func (x Interval) mul(y Interval) Interval {
	a, b, c, d := times(x.Lo, y.Lo), times(x.Lo, y.Hi), times(x.Hi, y.Lo), times(x.Hi, y.Hi)
	return Interval{min(a, b, c, d), max(a, b, c, d)}
}

// abs returns the interval of |x|.
func (x Interval) abs() Interval {
	switch {
	case x.Lo >= 0:
		return x
	case x.Hi <= 0:
		return x.neg()
	}
	return Interval{0, max(-x.Lo, x.Hi)}
}

// square returns the interval of x·x.
func (x Interval) square() Interval {
	a := x.abs()
	return Interval{times(a.Lo, a.Lo), times(a.Hi, a.Hi)}
}

// div returns the interval of x/y for y ≠ 0.
func (x Interval) div(y Interval) Interval {
	switch {
	case y.Lo < 0 && y.Hi > 0 || y.Lo == 0 && y.Hi == 0:
		return all(tensor.F64)
	case y.Lo < 0:
		return x.neg().div(y.neg())
	}
	a, b, c, d := over(x.Lo, y.Lo), over(x.Lo, y.Hi), over(x.Hi, y.Lo), over(x.Hi, y.Hi)
	return Interval{min(a, b, c, d), max(a, b, c, d)}
}

// over divides bounds, y ≥ 0.
func over(x, y float64) float64 {
	if x == 0 || math.IsInf(y, 1) {
		return 0
	}
	return x / math.Abs(y) // −0 would change the sign
}

// monotone applies an increasing function to both ends.
func (x Interval) monotone(f func(float64) float64) Interval { return Interval{f(x.Lo), f(x.Hi)} }

// unit returns the relative error of one rounding.
func unit(d tensor.DType) float64 {
	switch d {
	case tensor.F64:
		return 0x1p-53
	case tensor.F16:
		return 0x1p-11
	case tensor.BF16:
		return 0x1p-8
	}
	return 0x1p-24
}

// rounded widens the interval to the next numbers of a type.
func (x Interval) rounded(d tensor.DType) Interval {
	return Interval{outward(x.Lo, d, -1), outward(x.Hi, d, 1)}
}

// outward rounds towards −∞ or +∞ (side −1 or 1).
func outward(x float64, d tensor.DType, side float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	switch d {
	case tensor.F32:
		y := float32(x)
		if side*float64(y) < side*x {
			y = math.Nextafter32(y, float32(math.Inf(int(side))))
		}
		return float64(y)
	case tensor.F16, tensor.BF16:
		if float64(int32(x*256)) == x*256 && math.Abs(x) <= 1 {
			return x // exact in both
		}
		return x + side*(math.Abs(x)*unit(d)*2+0x1p-24)
	}
	return x
}

// summed returns the interval of the sum of n values, added in any order. If all multiples of a bound are
// numbers of the type, no sum exceeds n times the bound; otherwise rounding may exceed it by n units.
func (x Interval) summed(n int, d tensor.DType) Interval {
	out := Interval{times(x.Lo, float64(n)), times(x.Hi, float64(n))}
	if !d.IsFloat() {
		return out
	}
	if !multiples(x.Lo, n, d) {
		out.Lo -= slack(out.Lo, n, d)
	}
	if !multiples(x.Hi, n, d) {
		out.Hi += slack(out.Hi, n, d)
	}
	return out
}

func slack(x float64, n int, d tensor.DType) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return math.Abs(x) * math.Expm1(float64(n+1)*unit(d))
}

// multiples reports whether x, 2x, …, nx are numbers of the type.
func multiples(x float64, n int, d tensor.DType) bool {
	if x == 0 || math.IsInf(x, 0) {
		return true
	}
	f, _ := math.Frexp(x)
	m := math.Abs(f) * float64(n) / unit(d) / 2 // must be a whole number once n's share is taken off
	step := math.Abs(f) / unit(d) / 2
	for step == math.Trunc(step) && step >= 1 && math.Mod(step, 2) == 0 {
		step, m = step/2, m/2
	}
	return step == math.Trunc(step) && m <= 1/unit(d)
}
