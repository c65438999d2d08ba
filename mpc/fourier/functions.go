package fourier

import (
	"fmt"
	"math"
)

// Class is the precision of a set of tables.
type Class uint8

const (
	// Small is for rings of 64 bits with up to 18 fraction bits. Errors are below 2^-19.5; those of
	// logarithms and atan, which other functions build on, below 2^-22.
	Small Class = iota
	// Large is for rings of 128 bits with up to 26 fraction bits. Errors are below 2^-27; those of
	// logarithms and atan below 2^-31.
	Large
)

func (c Class) String() string {
	return [...]string{"small", "large"}[c]
}

// Tail is the function that another one approaches on one side of its window.
type Tail uint8

const (
	Zero Tail = iota
	One
	MinusOne
	Two
	Identity // x itself
)

// At returns the tail's value at x.
func (t Tail) At(x float64) float64 {
	return [...]float64{0, 1, -1, 2, x}[t]
}

// Function is a function of the real line that equals its tails, within the tolerance, outside [-w,
// w]; w is Window64 for tables of class Small, Window128 for Large.
type Function struct {
	Name                string
	F                   func(x float64) float64 // to float64's precision
	Window64, Window128 float64
	Below, Above        Tail
}

// functions have one table each in both classes. A window ends where the function is within half a
// unit (2^-19, 2^-27), or little more, of its tails.
var functions = []Function{
	{"sigmoid", sigmoid, 13.2, 18.8, Zero, One},
	{"tanh", math.Tanh, 7, 9.8, MinusOne, One},
	{"erf", math.Erf, 3.4, 4.2, MinusOne, One},
	{"erfc", math.Erfc, 3.4, 4.2, Two, Zero},
	{"gelu", gelu, 4.9, 6, Zero, Identity},
	{"gelu_tanh", geluTanh, 4.9, 5.8, Zero, Identity},
	{"silu", func(x float64) float64 { return x * sigmoid(x) }, 16, 21.8, Zero, Identity},
	{"softplus", func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }, 13.2, 18.8, Zero, Identity},
}

// erfInv is erf⁻¹(x)/x for 1 − x² = e^−w; for w below 10^−3 by its series in x².
func erfInv(w float64) float64 {
	x2 := -math.Expm1(-w)
	if w < 1e-3 {
		return math.Sqrt(math.Pi) / 2 * (1 + math.Pi/12*x2 + 7*math.Pi*math.Pi/480*x2*x2)
	}
	x := math.Sqrt(x2)
	if w < 6 {
		return math.Erfinv(x) / x
	}
	// For x near 1, erfc⁻¹ of y = 1 − x = e^−w/(1 + x) is more precise.
	y := math.Exp(-w) / (1 + x)
	return math.Erfcinv(y) / x
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
func gelu(x float64) float64    { return x * math.Erfc(-x/math.Sqrt2) / 2 }
func geluTanh(x float64) float64 {
	return x * sigmoid(2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))
}

// Target is the specification of a table: F on [A, B] with errors below Tolerance, the sum of the
// coefficients' magnitudes below Bound.
type Target struct {
	Name             string
	F                func(x float64) float64
	A, B             float64
	Tolerance, Bound float64
	// Like, if not empty, names another table. This table's period is then the value
	// 2^Shift/integer nearest to that table's period: an argument of Shift bits, multiplied by the
	// integer, has that period.
	Like  string
	Shift int
}

// Targets are all tables of a class, for internal/fit and for tests.
func Targets(class Class) []Target {
	coarse, fine := math.Exp2(-19.5), math.Exp2(-22)
	ring, digits, last := 64, []int{8, 10, 12, 15}, 12.6
	if class == Large {
		coarse, fine = math.Exp2(-27), math.Exp2(-31)
		ring, digits, last = 128, []int{10, 12, 15, 23}, 18.1
	}
	reciprocal := func(x float64) float64 { return 1 / x }

	var ts []Target
	for _, f := range functions {
		w := f.window(class)
		ts = append(ts, Target{Name: f.Name, F: f.F, A: -w, B: w, Tolerance: coarse, Bound: 40})
	}
	ts = append(ts,
		Target{Name: "atan", F: math.Atan, A: -1.001, B: 1.001, Tolerance: fine, Bound: 256},
		Target{Name: "sigmoid/8", F: sigmoid, A: -8, B: 8, Tolerance: coarse, Bound: 2000},
		Target{Name: "reciprocal/2", F: reciprocal, A: 1, B: 2, Tolerance: coarse, Bound: 2000},
		Target{Name: "reciprocal/16", F: reciprocal, A: 1, B: 16, Tolerance: coarse, Bound: 2000},
		// erf⁻¹(x)/x as a function of −ln(1 − x²); last is its argument for the largest x below 1
		// at the class's fraction bits.
		Target{Name: "erf_inv", F: erfInv, A: -0.001, B: last, Tolerance: coarse, Bound: 256},
		Target{Name: "log2", F: math.Log2, A: 1, B: 16, Tolerance: fine, Bound: 600},
	)
	// The mantissa of a number of d hexadecimal digits.
	for _, d := range digits {
		ts = append(ts, Target{Name: fmt.Sprintf("log2/%d", d), F: math.Log2, A: 1, B: 16,
			Tolerance: fine, Bound: 900, Like: "log2", Shift: ring - 4*(d-1)})
	}
	// A sum of m numbers in (0, 1], one of which is 1, and the error of that sum.
	for m := 2; m <= 128; m *= 2 {
		ts = append(ts, Target{Name: fmt.Sprintf("log2sum/%d", m), F: math.Log2, A: 0.999, B: float64(m) + 0.01,
			Tolerance: fine, Bound: 600})
	}
	return ts
}

func (f *Function) window(class Class) float64 {
	if class == Large {
		return f.Window128
	}
	return f.Window64
}

// Formula is the function of a table in float64; nil if there is none.
func Formula(name string) func(x float64) float64 {
	for _, t := range Targets(Small) {
		if t.Name == name {
			return t.F
		}
	}
	return nil
}
