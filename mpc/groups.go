package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// The groups below are optional: a protocol that implements one, whole, overrides
// its default. Costs of defaults are named in core operations. k is the width of the
// operands' ring in bits.

// Additions is implemented by a protocol with its own way to add vectors that one party or all
// parties know; otherwise package derived supplies the defaults. So it is with the groups below. The
// defaults share or lift the vector (Input, Public) and add it with Linear: the bytes
// of one input for AddLocal, nothing for AddPublic.
type Additions interface {
	// AddLocal adds a vector that one party knows, of magnitudes up to a quarter of the ring,
	// without sending anything. The masked value of the result is not open even if that of x is.
	AddLocal(op *flow.Op, x Secret, owner int, words func() ring.Vec) Secret
	// AddPublic adds a vector that all parties know, of magnitudes up to 2^bound.
	AddPublic(op *flow.Op, x Secret, words ring.Vec, bound int) Secret
}

// Openings overrides the handling of masked values. The defaults do nothing and
// return x: right for protocols whose secrets have one form.
type Openings interface {
	// Open opens the masked values of xs that are not open yet, in one message, so that later uses
	// of xs send nothing. Call it for a vector before it is copied many times, and for vectors that
	// would otherwise be opened in several messages.
	Open(op *flow.Op, xs ...Secret)
	// Unopened is x without its open masked value: an operation that needs that value opens it
	// anew. It serves measurements.
	Unopened(op *flow.Op, x Secret) Secret
	// Finalize adds all local work that x still needs, so that only Reveal is left to do in the
	// output phase.
	Finalize(op *flow.Op, x Secret)
}

// Reductions overrides truncate-reduce. The default is Truncate and Narrow: what
// Truncate sends.
type Reductions interface {
	// TruncateReduce divides by 2^by and returns the result in a ring with by bits fewer. The error
	// is Truncate's; nothing is sent.
	TruncateReduce(op *flow.Op, x Secret, by int) Secret
}

// Comparisons overrides the comparison gates. The defaults decompose the bits of one
// difference (LessFullRange: extended by one bit) and keep the top bit; Equal takes
// the AND of all k bits' negations, in log2 k levels.
type Comparisons interface {
	// LessConst returns the bit x < c for a public constant c. |x| must be below 2^Bound. Results
	// are memoised: a second call sends nothing.
	LessConst(op *flow.Op, x Secret, c int64) Bit
	// MSB is the most significant bit of numbers that may use their whole ring: [x < 0] of signed
	// ones.
	MSB(op *flow.Op, x Secret) Bit
	// Less returns the bit x < y of signed numbers below their bounds. One operand may be public,
	// and may then be in a wider ring.
	Less(op *flow.Op, x, y Secret) Bit
	// LessFullRange returns the bit x < y of numbers that may use their whole ring, read as signed
	// or unsigned.
	LessFullRange(op *flow.Op, x, y Secret, signed bool) Bit
	// Equal returns the bit x = y. Numbers whose bound is at least their ring's width less two may
	// use the whole ring.
	Equal(op *flow.Op, x, y Secret) Bit
}

// Selections overrides gates that bits control. The defaults take products: And one
// per operand but the first, in a tree; Select and each pair of Swap one B2A and one
// product.
type Selections interface {
	// And is the product of one or more vectors of bits.
	And(op *flow.Op, xs ...Bit) Bit
	// Select (MUX) is x where b is 1 and y where b is 0, in ring out. The rings of x and y are out
	// or narrower.
	Select(op *flow.Op, out ring.Ring, b Bit, x, y Secret) Secret
	// Swap exchanges x and y of each pair where b is 1. All vectors have the length of b, and each
	// pair has a ring of its own. The masked values of both results are open.
	Swap(op *flow.Op, b Bit, xs, ys []Secret) (first, second []Secret)
}

// Rectifiers overrides maxima. The defaults are one comparison and one selection for
// Relu, and for each operand but the first of Max; Clamp takes two of each.
type Rectifiers interface {
	// Relu is max(x, 0) in ring out. The ring of x is out or narrower.
	Relu(op *flow.Op, out ring.Ring, x Secret) Secret
	// Max is the elementwise maximum of one or more vectors, in ring out. Their rings are out or
	// narrower.
	Max(op *flow.Op, out ring.Ring, xs ...Secret) Secret
	// Clamp is min(max(x, low), high) in ring out, for low ≤ high within x's bound. The ring of x is
	// out or narrower. The comparisons are memoised as those of LessConst are.
	Clamp(op *flow.Op, out ring.Ring, x Secret, low, high int64) Secret
}

// Compositions overrides the way back from bits. The default of BitCompose takes B2A
// of all bits, that of Floor BitDecompose and BitCompose.
type Compositions interface {
	// BitCompose makes numbers in ring out from out.Bits bits each, in the order of BitDecompose.
	BitCompose(op *flow.Op, out ring.Ring, bits Bit) Secret
	// Floor is ⌊x/2^by⌋ modulo the ring out, exact, of numbers that may use their whole ring, read
	// as signed or unsigned; by is less than the ring's width. It costs half if out has at most
	// ring.Bits − by bits.
	Floor(op *flow.Op, out ring.Ring, x Secret, by int, signed bool) Secret
}

// Rounder is implemented by protocols whose Truncate is off by up to n/2 units, n
// computing parties. Package fxp then keeps guard bits, and takes zero for a number
// that rounding may have made negative. Without it Truncate counts as exact.
type Rounder interface {
	// Computing is the number n of computing parties.
	Computing() int
}

// RangeChecker is implemented by protocols that see values, and can say which
// products of floats leave their ring. Package fxp calls it before each product.
type RangeChecker interface {
	// Fits reports elements of b(x, y) over ring out of magnitude 2^bound or more.
	Fits(op *flow.Op, out ring.Ring, bound int, b maps.Bilinear, x, y Secret)
}

// LoopChecker is implemented by protocols that see values, and can say which loops
// have not ended when while.bound ends them.
type LoopChecker interface {
	// Cut reports a loop whose condition still holds after the given number of iterations.
	Cut(op *flow.Op, condition Bit, iterations int)
}

// Clear is implemented by secrets of protocols that compute in cleartext.
type Clear interface {
	Secret
	// Clear returns the value.
	Clear() *flow.Future[ring.Vec]
}

// Additive is implemented by secrets of which a party can keep its additive share
// after a session, as results kept at nodes and checkpoints are.
type Additive interface {
	Secret
	// Additive returns this party's additive share of a secret that was finalized in
	// a graph that has ended.
	Additive() ring.Vec
}

// Wrapper is implemented by protocols made of another one (package derived).
type Wrapper interface {
	// Unwrap returns the protocol that the wrapper is made of.
	Unwrap() Core
}

// As finds the first of p and the protocols it wraps that implements T.
func As[T any](p Core) (T, bool) {
	for {
		if t, ok := p.(T); ok {
			return t, true
		}
		w, ok := p.(Wrapper)
		if !ok {
			var none T
			return none, false
		}
		p = w.Unwrap()
	}
}
