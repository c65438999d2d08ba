package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// Fixed says at how many fraction bits a function takes its argument and
// gives its result, and in which ring: the argument's if it is zero. Only Exp,
// Known, Window and SinCos take arguments in a narrower one, where the argument
// of a table or an exponential loses |x|·2^(In−w) of a period.
//
// Tolerance is how far off Known and Window may be, in the function's values,
// so that less has to be dealt; 0: as little as can be.
type Fixed struct {
	In, Out   int
	Ring      ring.Ring
	Tolerance float64
}

// RingFor is the result's ring for an argument in r.
func (f Fixed) RingFor(r ring.Ring) ring.Ring {
	if f.Ring.Bits == 0 {
		return r
	}
	return f.Ring
}

// ExpOf is an exponential: base e, or 2, with its clamps. Without the lower
// one, arguments whose result is below 2^−(Out+2) give garbage; without the
// upper one, those whose result leaves the ring.
type ExpOf struct {
	Fixed
	Two          bool
	Lower, Upper bool
}

// Normal says what is known of an argument whose leading digit has to be
// found: that its magnitude is below 2^Width in its units (0: the default for
// its fraction bits), and whether it may be negative.
type Normal struct {
	Width  int
	Signed bool
}

// RowKind is what of a row's exponentials is wanted.
type RowKind uint8

// The kinds: the last gives one element a row.
const (
	Softmax RowKind = iota
	LogSoftmax
	LogSumExp
)

// Functions are real functions of secrets, element by element. Arguments are
// in the ring of the results. Errors are n/2 units of the result's last place
// and a few 2^−22 of it (2^−31 for results of more than 18 fraction bits)
// unless a method says otherwise; see the protocols for their domains.
type Functions interface {
	// Exp is an exponential.
	Exp(op *flow.Op, x Secret, f ExpOf) Secret
	// Known is a function of package fourier on its table's interval; what
	// lies outside gives garbage of bounded size.
	Known(op *flow.Op, x Secret, f Fixed, name string) Secret
	// Window is a function of package fourier on the whole line. Thrifty
	// asks for half the dealt bytes for a round and some bytes more.
	Window(op *flow.Op, x Secret, f Fixed, name string, thrifty bool) Secret
	// SinCos are the sine and the cosine, of everything that the ring holds.
	SinCos(op *flow.Op, x Secret, f Fixed) (sin, cos Secret)
	// Log is the logarithm of a positive x, to base 2 or e. Here and below 0
	// is taken for one unit; negative arguments that n excludes, and others
	// beyond its width, give finite values that mean nothing.
	Log(op *flow.Op, x Secret, f Fixed, n Normal, two bool) Secret
	// Power is x^a for a public a ≠ 0 and positive x; 0 where x is 0 and a
	// positive. Of a signed x it is sgn(x)·|x|^a.
	Power(op *flow.Op, x Secret, f Fixed, n Normal, a float64) Secret
	// Divide is y/x, or y/√x of positive x if root, y at the given fraction bits
	// and n about x; the quotient must fit. y may be in a narrower ring. x may
	// have fewer elements than y: each then divides as many, one after the other.
	Divide(op *flow.Op, y Secret, fy int, x Secret, f Fixed, n Normal, root bool) Secret
	// PowerSecret is x^y for positive x; y at the given fraction bits.
	PowerSecret(op *flow.Op, x, y Secret, fy int, f Fixed, n Normal) Secret
	// FloorReal is ⌊x/2^by⌋, or that times 2^by, of numbers below their bound:
	// exact.
	FloorReal(op *flow.Op, x Secret, by int, quotient bool) Secret
	// Softmax is exp(x − max)/Σ exp(x − max) over rows of m, row by row, or of
	// the same family.
	Softmax(op *flow.Op, x Secret, f Fixed, m int, kind RowKind) Secret
	// Normalize is (x − mean)/√(variance + ε) over rows of m, or
	// x/√(mean of squares + ε) if not centred.
	Normalize(op *flow.Op, x Secret, f Fixed, m int, epsilon float64, centred bool) Secret
}
