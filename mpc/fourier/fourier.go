package fourier

import "math"

// Table is the trigonometric polynomial F(x) = C[0] + Σ_(n=1..N) C[n] cos(2πnx/Period) + S[n−1] sin(2πnx/Period),
// which approximates a function on [A, B] and is arbitrary elsewhere.
type Table struct {
	Name string // name by which Lookup finds it
	// A and B are the ends of the interval on which F approximates the function; Period is the period of F.
	A, B, Period float64
	C, S         []int64 // coefficients of cosines and sines, as integers in units of 2^−Frac
	Frac         int     // number of fraction bits of the coefficients
	Err          float64 // largest error on [A, B]
	Sum          float64 // sum of the coefficients' magnitudes, a bound of |F|
}

// N returns the number of harmonics.
func (t *Table) N() int { return len(t.S) }

// WithTolerance returns a copy of t without as many of the highest harmonics as the tolerance allows: each harmonic
// that is left out adds its amplitude to Err, which stays at most tolerance. It returns t itself if none can be left
// out.
func (t *Table) WithTolerance(tolerance float64) *Table {
	n, err := t.N(), t.Err
	for n > 1 {
		more := math.Ldexp(math.Hypot(float64(t.C[n]), float64(t.S[n-1])), -t.Frac)
		if err+more > tolerance {
			break
		}
		n, err = n-1, err+more
	}
	if n == t.N() {
		return t
	}
	out := *t
	out.C, out.S, out.Err = t.C[:n+1], t.S[:n], err
	out.Sum = out.sum()
	return &out
}

// PeriodFraction returns the odd c below 8 and the e for which Period is 2^e/c; ok is false if there are none.
func (t *Table) PeriodFraction() (c, e int, ok bool) {
	for c := 1; c < 8; c += 2 {
		if fraction, e := math.Frexp(t.Period * float64(c)); math.Abs(fraction-0.5) < 1e-12 && math.Ldexp(1, e-1)/float64(c) == t.Period {
			return c, e - 1, true
		}
	}
	return 0, 0, false
}

// sum returns Σ|C| + Σ|S|.
func (t *Table) sum() float64 {
	total := 0.0
	for _, cs := range [][]int64{t.C, t.S} {
		for _, c := range cs {
			total += math.Abs(float64(c))
		}
	}
	return math.Ldexp(total, -t.Frac)
}

// Lookup returns the table with the given name and class, which callers must not change; nil if there is none.
// Besides the functions of Windowed there are
//
//   - "log2" on [1, 16], and "log2/D" for D hexadecimal digits, one of Digits,
//     whose period divides 2^(k-4(D-1)) an integer number of times, where k is the
//     width of a ring (Mantissa). Where that integer is beyond 2^40, any period
//     will do, and the table is log2's;
//   - "log2/radix4" on [0.749, 4.001], with the period 8, and "log2/radix4/short"
//     with errors below 2^-21 in class Small, for logarithms that nothing larger
//     than 1 multiplies;
//   - "log2sum/m" on [0.999, m + 0.01], m = 2, 4, …, 128;
//   - "sigmoid/folded" and so on, for Function.Folded of each of those functions;
//   - "atan" on [-1.001, 1.001];
//   - for arguments of a known range "sigmoid/8" on [-8, 8], "reciprocal/2" on
//     [1, 2] and "reciprocal/16" on [1, 16];
//   - in class Small "sigmoid/wave" with the period 64, within 2^-11 of the sigmoid
//     on [-24, 24] and between 0 and 1 everywhere, for arguments modulo 64.
func Lookup(name string, class Class) *Table {
	if class > Large {
		return nil
	}
	return tables[class]()[name]
}

// Windowed returns the function of the given name, which approaches a constant or x on both sides of its window, and
// its table on the window; nil if there is none. The names are "sigmoid", "tanh", "erf", "erfc", "gelu", "gelu_tanh",
// "silu" and "softplus".
func Windowed(name string, class Class) (*Function, *Table) {
	for i := range functions {
		if f := &functions[i]; f.Name == name {
			if t := Lookup(name, class); t != nil {
				return f, t
			}
		}
	}
	return nil, nil
}
