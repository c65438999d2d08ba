package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// Fixed describes the fixed-point numbers of a real function. Only Exp, EvalTable, EvalTableWithTails and SinCos take
// an argument in a ring narrower than the result's. There the narrower ring shifts the argument of a table or an
// exponential by up to |x|·2^(In−w) periods of the function, where w is the width of the argument's ring.
type Fixed struct {
	// In is the number of fraction bits of the argument, Out that of the result.
	In, Out int
	// Ring is the result's ring. The zero Ring stands for the argument's ring.
	Ring ring.Ring
	// Tolerance is the error that EvalTable and EvalTableWithTails may have, and Exp for arguments up to 0, in the function's
	// values (not in units); with a larger one less is dealt or sent. 0 asks for the smallest error possible.
	Tolerance float64
}

// RingFor returns the ring of the result for an argument in r: f.Ring, or r if f.Ring is the zero Ring.
func (f Fixed) RingFor(r ring.Ring) ring.Ring {
	if f.Ring.Bits == 0 {
		return r
	}
	return f.Ring
}

// ExpOf describes an exponential function and its clamps.
type ExpOf struct {
	Fixed
	Two bool // whether the base is 2; otherwise it is e
	// Lower and Upper say which clamps the result has. Without Lower, an argument whose result is below 2^−(Out+2)
	// gives an arbitrary value; with it, 0. Without Upper, an argument whose result does not fit the ring gives an
	// arbitrary value; with it, the largest one.
	Lower, Upper bool
}

// Normal gives the range of an argument whose leading digit has to be found.
type Normal struct {
	// Width w says that the magnitude is below 2^w units. 0 stands for a default that depends on the fraction bits.
	Width int
	// Signed says that the argument may be negative.
	Signed bool
}

// RowKind selects the function that Functions.Softmax computes of each row.
type RowKind uint8

// The functions of a row. LogSoftmax is the logarithm of Softmax; both return as many elements as the argument has.
// LogSumExp returns one element for each row.
const (
	Softmax    RowKind = iota // exp(x − max) / Σ exp(x − max)
	LogSoftmax                // x − max − log Σ exp(x − max)
	LogSumExp                 // max + log Σ exp(x − max), one element for each row
)

// Functions is the group of real functions, element by element. Arguments are in the ring of the results unless Fixed
// says otherwise. A result is off by n/2 units of its last fraction bit plus a few 2^−22 of its value (2^−31 for
// results of more than 18 fraction bits), unless a method says otherwise. The protocols' documentation gives the
// domains.
type Functions interface {
	// Exp returns the exponential of x that f describes.
	Exp(op *flow.Op, x Secret, f ExpOf) Secret
	// EvalTable returns the function of package fourier with the given name, for arguments in the interval of its
	// table. Arguments outside give arbitrary values of bounded size.
	EvalTable(op *flow.Op, x Secret, f Fixed, name string) Secret
	// EvalTableWithTails returns the function of package fourier with the given name, for all arguments. If thrifty,
	// the dealer deals about two thirds of the bytes, for two more rounds and some more bytes online.
	EvalTableWithTails(op *flow.Op, x Secret, f Fixed, name string, thrifty bool) Secret
	// SinCos returns the sine and the cosine of x, in radians, for all values of the ring.
	SinCos(op *flow.Op, x Secret, f Fixed) (sin, cos Secret)
	// Log returns the logarithm of a positive x, to base 2 if two, else to base e. n gives the range of x. Here and
	// in the methods below x = 0 is read as one unit. Negative arguments that n excludes, and arguments of 2^n.Width
	// units or more, give arbitrary finite values.
	Log(op *flow.Op, x Secret, f Fixed, n Normal, two bool) Secret
	// Power returns x^a for a public a ≠ 0 and positive x in the range n; 0^a is 0 for positive a. For a signed x the
	// result is sgn(x)·|x|^a.
	Power(op *flow.Op, x Secret, f Fixed, n Normal, a float64) Secret
	// Divide returns y/x, or y/√x of positive x if root. y has fy fraction bits; n describes x. The quotient must fit
	// the ring. y may be in a narrower ring. If x has c times fewer elements than y, element i of x divides elements
	// c·i to c·i+c−1 of y.
	Divide(op *flow.Op, y Secret, fy int, x Secret, f Fixed, n Normal, root bool) Secret
	// PowerSecret returns x^y for positive x in the range n; y has fy fraction bits.
	PowerSecret(op *flow.Op, x, y Secret, fy int, f Fixed, n Normal) Secret
	// FloorReal returns ⌊x/2^by⌋ if quotient, else ⌊x/2^by⌋·2^by, exactly, of numbers with magnitudes below 2^Bound.
	FloorReal(op *flow.Op, x Secret, by int, quotient bool) Secret
	// Softmax returns exp(x − max)/Σ exp(x − max) over rows of m consecutive elements, or the function that kind
	// names.
	Softmax(op *flow.Op, x Secret, f Fixed, m int, kind RowKind) Secret
	// Normalize returns, over rows of m consecutive elements, (x − mean)/√(variance + epsilon) if centred, else
	// x/√(mean of squares + epsilon).
	Normalize(op *flow.Op, x Secret, f Fixed, m int, epsilon float64, centred bool) Secret
}
