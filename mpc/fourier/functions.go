package fourier

import (
	"fmt"
	"math"
)

// Class is the precision of a set of tables.
type Class uint8

// The classes.
const (
	// Small is for rings of 64 bits with up to 18 fraction bits. Errors are below 2^-19.5; those of
	// logarithms and atan, which other functions build on, below 2^-22.
	Small Class = iota
	// Large is for rings of 128 bits with up to 26 fraction bits. Errors are below 2^-27; those of
	// logarithms and atan below 2^-31.
	Large
)

// String returns "small" or "large".
func (c Class) String() string {
	return [...]string{"small", "large"}[c]
}

// Tail is the function that another function approaches on one side of its window.
type Tail uint8

// The tails.
const (
	Zero     Tail = iota // the constant 0
	One                  // the constant 1
	MinusOne             // the constant −1
	Two                  // the constant 2
	Identity             // x itself
)

// At returns the tail's value at x.
func (t Tail) At(x float64) float64 {
	return [...]float64{0, 1, -1, 2, x}[t]
}

// Function is a function of the reals that equals its tails, within the tolerance of its table, outside of its
// window.
type Function struct {
	Name    string                  // name by which Windowed finds it
	F       func(x float64) float64 // the function, to float64's precision
	Windows [2]Window               // the windows of the tables of class Small and Large
	// Below and Above are the tails on the negative and on the positive side of the window.
	Below, Above Tail
	// Lowest is a lower bound of F. Highest is an upper bound of F or, with the tail Identity, of F(x) − x at the end
	// of the table's interval.
	Lowest, Highest float64
}

// Window is the interval [−Steps·2^Step, Steps·2^Step]. A comparison with its ends may be wrong within half a step of
// them: the table approximates the function half a step beyond the ends, and half a step inside the ends the function
// is close to its tails already.
type Window struct{ Steps, Step int }

// End returns the upper end of the window.
func (w Window) End() float64 { return math.Ldexp(float64(w.Steps), w.Step) }

// Reach returns the upper end of the interval on which the table approximates the function: half a step beyond End.
func (w Window) Reach() float64 { return math.Ldexp(float64(w.Steps)+0.5, w.Step) }

// Settled returns the point from which on the function is close to its tails: half a step inside End.
func (w Window) Settled() float64 { return math.Ldexp(float64(w.Steps)-0.5, w.Step) }

// Odd reports whether F is the sum of its value at 0 and an odd function, as functions that approach constants are.
// The others are the sum of max(x, 0) and an even function.
func (f *Function) Odd() bool { return f.Above != Identity }

// Folded returns the function of the magnitude |x| that the folded table approximates, for magnitudes from half a
// step below 0 to the window's Reach: F(|x|) − F(0) if F is Odd, F(−|x|) if not.
func (f *Function) Folded(magnitude float64) float64 {
	if f.Odd() {
		return f.F(magnitude) - f.F(0)
	}
	return f.F(-magnitude)
}

// FoldedBounds returns a lower and an upper bound of Folded, and of −Folded if F is Odd, on the interval of its table
// of the given class.
func (f *Function) FoldedBounds(class Class) (lowest, highest float64) {
	if f.Odd() {
		return f.Lowest - f.F(0), f.Highest - f.F(0)
	}
	return f.Lowest, math.Ldexp(math.Ceil(math.Ldexp(f.F(math.Ldexp(0.5, f.Window(class).Step)), 10)), -10)
}

// Window returns the function's window for tables of the given class.
func (f *Function) Window(class Class) Window { return f.Windows[class] }

// Bounds returns a lower and an upper bound of F on the interval of its table of the given class.
func (f *Function) Bounds(class Class) (lowest, highest float64) {
	if f.Above == Identity {
		return f.Lowest, f.Highest + f.Window(class).Reach()
	}
	return f.Lowest, f.Highest
}

// functions have one table each in both classes. Half a step inside its window's ends a function is
// within half a unit (2^-19, 2^-27), or little more, of its tails. A window has less than 32 steps.
var functions = []Function{
	{"sigmoid", sigmoid, [2]Window{{27, -1}, {20, 0}}, Zero, One, 0, 1},
	{"tanh", math.Tanh, [2]Window{{29, -2}, {20, -1}}, MinusOne, One, -1, 1},
	{"erf", math.Erf, [2]Window{{14, -2}, {17, -2}}, MinusOne, One, -1, 1},
	{"erfc", math.Erfc, [2]Window{{14, -2}, {17, -2}}, Two, Zero, 0, 2},
	{"gelu", gelu, [2]Window{{21, -2}, {25, -2}}, Zero, Identity, -0.18, 0},
	{"gelu_tanh", geluTanh, [2]Window{{21, -2}, {24, -2}}, Zero, Identity, -0.18, 0},
	{"silu", func(x float64) float64 { return x * sigmoid(x) }, [2]Window{{17, 0}, {23, 0}}, Zero, Identity, -0.29, 0},
	{"softplus", softplus, [2]Window{{28, -1}, {20, 0}}, Zero, Identity, 0, 0.01},
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

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

// sigmoidWave is, on [-32, 32], the sigmoid followed by its mirror image, with a period of 64: its harmonics become smaller soon.
func sigmoidWave(x float64) float64 { return sigmoid(x) - sigmoid(x-32) + 1 - sigmoid(x+32) }
func gelu(x float64) float64        { return x * math.Erfc(-x/math.Sqrt2) / 2 }
func geluTanh(x float64) float64 {
	return x * sigmoid(2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))
}

// Target is the specification of a table for internal/fit: a table of F on [A, B] whose errors are below Tolerance
// and whose coefficients' magnitudes add up to less than Bound.
type Target struct {
	Name             string                  // name of the table
	F                func(x float64) float64 // the function to approximate
	A, B             float64
	Tolerance, Bound float64
	// Short asks for the fewest harmonics and then for coefficients whose magnitudes have the fewest bits, instead of
	// the least error.
	Short bool
	// Periods are the periods that the table may have; empty means any.
	Periods []float64
	// Like, if not empty, names another table. This table's period is then the value 2^Shift/integer that is nearest
	// to that table's period: an argument of Shift bits, multiplied by the integer, has that period.
	Like  string
	Shift int
}

// Digits returns the numbers of hexadecimal digits for which tables of the given class have a logarithm of mantissas
// (Mantissa).
func Digits(class Class) []int {
	if class == Large {
		return []int{10, 12, 15, 23, 25}
	}
	return []int{8, 10, 12, 15, 16}
}

// Mantissa returns the table of log2 for the mantissas of numbers of d hexadecimal digits, which have 4(d−1) fraction
// bits, and the width in bits of the narrowest ring in which such a mantissa has the table's period. Numbers of more
// digits than Digits lists have the table of the largest of them, in a ring that is wider by the additional digits.
func Mantissa(class Class, d int) (table *Table, bits int) {
	listed := Digits(class)
	most := listed[len(listed)-1]
	of := most
	for _, n := range listed {
		if n >= d {
			of = n
			break
		}
	}
	return Lookup(fmt.Sprintf("log2/%d", of), class), mantissaRing(class, of) + 4*(max(d, of)-of)
}

// mantissaRing is the ring of the table log2/d.
func mantissaRing(class Class, d int) int {
	switch {
	case class == Large:
		return 128
	case d > 15:
		return 72
	}
	return 64
}

// Targets returns the specifications of all tables of a class, for internal/fit and for tests.
func Targets(class Class) []Target {
	coarse, fine := math.Exp2(-19.5), math.Exp2(-22)
	last := 12.6
	if class == Large {
		coarse, fine, last = math.Exp2(-27), math.Exp2(-31), 18.1
	}
	reciprocal := func(x float64) float64 { return 1 / x }

	var ts []Target
	for i := range functions {
		f := &functions[i]
		w := f.Window(class).Reach()
		ts = append(ts, Target{Name: f.Name, F: f.F, A: -w, B: w, Tolerance: coarse, Bound: max(40, 2*w), Short: true})
		step := math.Ldexp(0.5, f.Window(class).Step)
		ts = append(ts, Target{Name: f.Name + "/folded", F: f.Folded, A: -step, B: w, Tolerance: coarse, Bound: 40, Short: true,
			Periods: foldedPeriods(w + step)})
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
	for _, d := range Digits(class) {
		ts = append(ts, Target{Name: fmt.Sprintf("log2/%d", d), F: math.Log2, A: 1, B: 16,
			Tolerance: fine, Bound: 900, Like: "log2", Shift: mantissaRing(class, d) - 4*(d-1)})
	}
	// The mantissa of a number's place to radix 4, of which thresholds may be a quarter too high.
	radix4 := Target{Name: "log2/radix4", F: math.Log2, A: 0.749, B: 4.001, Tolerance: fine, Bound: 600, Short: true, Periods: []float64{8}}
	ts = append(ts, radix4)
	radix4.Name += "/short"
	if class == Small {
		radix4.Tolerance = math.Exp2(-21)
	}
	ts = append(ts, radix4)
	// A sum of m numbers in (0, 1], one of which is 1, and the error of that sum.
	for m := 2; m <= 128; m *= 2 {
		ts = append(ts, Target{Name: fmt.Sprintf("log2sum/%d", m), F: math.Log2, A: 0.999, B: float64(m) + 0.01,
			Tolerance: fine, Bound: 600})
	}
	if class == Small {
		ts = append(ts, Target{Name: "sigmoid/wave", F: sigmoidWave, A: -31.5, B: 31.5, Tolerance: math.Exp2(-16), Bound: 2, Short: true,
			Periods: []float64{64}})
	}
	return ts
}

// foldedPeriods are numbers 2^e/c, c = 1, 3, 5, 7, that are somewhat longer than an interval: c times an
// argument modulo 2^e is a phase in a ring of few bits.
func foldedPeriods(interval float64) []float64 {
	var out []float64
	for e := range 10 {
		for c := 1; c < 8; c += 2 {
			if x := math.Ldexp(1, e) / float64(c); x > 1.1*interval && x < 2.5*interval {
				out = append(out, x)
			}
		}
	}
	return out
}

// Formula returns the function, in float64, that the table of the given name approximates; nil if there is none.
func Formula(name string) func(x float64) float64 {
	for _, t := range Targets(Small) {
		if t.Name == name {
			return t.F
		}
	}
	return nil
}
