package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// Fixed gives the fraction bits In of a function's argument and Out of its result, and the result's
// ring; the zero Ring is the argument's. Only Exp, EvalTable, EvalTableWithTails and SinCos take
// arguments in a ring narrower than the result's. There the narrower ring shifts the argument of
// a table or an exponential by up to |x|·2^(In−w) periods of the function, where w is the width of
// the argument's ring.
//
// Tolerance is the error that EvalTable and EvalTableWithTails may have, in the function's values;
// a larger one lets the dealer deal less. 0 asks for the smallest error possible.
type Fixed struct {
	In, Out   int
	Ring      ring.Ring
	Tolerance float64
}

// RingFor returns the result's ring for an argument in r.
func (f Fixed) RingFor(r ring.Ring) ring.Ring {
	if f.Ring.Bits == 0 {
		return r
	}
	return f.Ring
}

// ExpOf describes an exponential: base 2 if Two, else base e, and its clamps. Without the clamp
// Lower, arguments whose result is below 2^−(Out+2) give arbitrary values; without Upper, arguments
// whose result does not fit the ring do.
type ExpOf struct {
	Fixed
	Two          bool
	Lower, Upper bool
}

// Normal gives the range of an argument whose leading digit has to be found: its magnitude is below
// 2^Width units (Width 0: the default for its fraction bits), and it may be negative if Signed.
type Normal struct {
	Width  int
	Signed bool
}

// RowKind is the function of a row's exponentials that Softmax returns.
type RowKind uint8

// Softmax and LogSoftmax give as many elements as the argument; LogSumExp gives one element a row.
const (
	Softmax RowKind = iota
	LogSoftmax
	LogSumExp
)

// Functions are elementwise real functions of secrets. Arguments are in the results' ring unless
// Fixed says otherwise. A result is off by n/2 units of its last place plus a few 2^−22 of its
// value (2^−31 for results of more than 18 fraction bits), unless a method says otherwise. The
// protocols' documentation gives the domains.
type Functions interface {
	// Exp is the exponential that f describes.
	Exp(op *flow.Op, x Secret, f ExpOf) Secret
	// EvalTable evaluates a function of package fourier on its table's interval. Arguments outside
	// give arbitrary values of bounded size.
	EvalTable(op *flow.Op, x Secret, f Fixed, name string) Secret
	// EvalTableWithTails evaluates a function of package fourier on the whole line. With thrifty
	// the dealer deals about two thirds of the bytes, for two more rounds and some more bytes
	// online.
	EvalTableWithTails(op *flow.Op, x Secret, f Fixed, name string, thrifty bool) Secret
	// SinCos gives the sine and the cosine, for all values of the ring.
	SinCos(op *flow.Op, x Secret, f Fixed) (sin, cos Secret)
	// Log is the logarithm of a positive x, to base 2 if two, else to base e. Here and in the
	// methods below x = 0 is read as one unit. Negative arguments that n excludes, and arguments of
	// 2^n.Width units or more, give arbitrary finite values.
	Log(op *flow.Op, x Secret, f Fixed, n Normal, two bool) Secret
	// Power is x^a for a public a ≠ 0 and positive x; 0^a is 0 for positive a. For a signed x it is
	// sgn(x)·|x|^a.
	Power(op *flow.Op, x Secret, f Fixed, n Normal, a float64) Secret
	// Divide is y/x, or y/√x of positive x if root. y has fy fraction bits; n describes x. The
	// quotient must fit the ring. y may be in a narrower ring. If x has c times fewer elements than
	// y, element i of x divides elements ci … ci+c−1 of y.
	Divide(op *flow.Op, y Secret, fy int, x Secret, f Fixed, n Normal, root bool) Secret
	// PowerSecret is x^y for positive x; y has fy fraction bits.
	PowerSecret(op *flow.Op, x, y Secret, fy int, f Fixed, n Normal) Secret
	// FloorReal is ⌊x/2^by⌋ if quotient, else ⌊x/2^by⌋·2^by, exact, of numbers below their bound.
	FloorReal(op *flow.Op, x Secret, by int, quotient bool) Secret
	// Softmax is exp(x − max)/Σ exp(x − max) over rows of m elements, or the function of the same
	// family that kind names.
	Softmax(op *flow.Op, x Secret, f Fixed, m int, kind RowKind) Secret
	// Normalize is (x − mean)/√(variance + ε) over rows of m elements if centred, else x/√(mean of
	// squares + ε).
	Normalize(op *flow.Op, x Secret, f Fixed, m int, epsilon float64, centred bool) Secret
}
