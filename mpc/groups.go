package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// The groups below are optional: a protocol that implements one, whole, overrides
// its default. Costs of defaults are named in core operations. k is the width of the
// operands' ring in bits.

// Additions is implemented by a protocol with its own way to add vectors that one party or all parties know. As for
// all groups below, package derived supplies defaults for protocols without it: they share the vector (Input) or wrap
// it (Public) and add it with Linear. AddLocal then sends the bytes of one input, and AddPublic sends nothing.
type Additions interface {
	// AddLocal returns x plus a vector that one party knows, with magnitudes up to a quarter of the ring's size.
	// owner and words are those of Core.Input. It sends nothing. The masked value of the result is not open even if
	// that of x is.
	AddLocal(op *flow.Op, x Secret, owner int, words func() ring.Vec) Secret
	// AddPublic returns x plus the vector words, which all parties know, with magnitudes up to 2^bound.
	AddPublic(op *flow.Op, x Secret, words ring.Vec, bound int) Secret
}

// Openings is the group of methods that control when masked values are opened. The defaults do nothing and return x,
// which is right for protocols whose secrets have one form.
type Openings interface {
	// Open opens the masked values of xs that are not open yet, in one message, so that later uses of xs send
	// nothing. Call it for a vector before it is copied many times, and for vectors that would otherwise be opened in
	// several messages.
	Open(op *flow.Op, xs ...Secret)
	// Unopened returns x without its open masked value: an operation that needs that value opens it again, under a
	// new mask. It serves measurements.
	Unopened(op *flow.Op, x Secret) Secret
	// Finalize does all local work that Reveal needs of x, so that Reveal only has to send shares in the output
	// phase.
	Finalize(op *flow.Op, x Secret)
}

// Reductions is the group of truncate-reduce alone. The default is Truncate, whose bytes it sends, and Narrow.
type Reductions interface {
	// TruncateReduce returns x divided by 2^by, in a ring with by bits fewer. The error is that of Core.Truncate; an
	// override sends nothing.
	TruncateReduce(op *flow.Op, x Secret, by int) Secret
}

// Comparisons is the group of comparison gates. The defaults decompose the bits of one difference (LessFullRange:
// extended by one bit) and keep the top bit; Equal takes the AND of all k bits' negations, in log2 k levels.
type Comparisons interface {
	// LessConst returns the bit x < c for a public constant c. |x| must be below 2^Bound. Results
	// are memoised: a second call sends nothing.
	LessConst(op *flow.Op, x Secret, c int64) Bit
	// MSB returns the most significant bit of numbers that may use their whole ring: the bit x < 0 of signed numbers.
	MSB(op *flow.Op, x Secret) Bit
	// Less returns the bit x < y of signed numbers with magnitudes below 2^Bound. One operand may be public, and may
	// then be in a wider ring.
	Less(op *flow.Op, x, y Secret) Bit
	// LessFullRange returns the bit x < y of numbers that may use their whole ring, read as signed
	// or unsigned.
	LessFullRange(op *flow.Op, x, y Secret, signed bool) Bit
	// Equal returns the bit x = y. Numbers whose Bound is at least their ring's width minus two may use the whole
	// ring.
	Equal(op *flow.Op, x, y Secret) Bit
}

// Selections is the group of gates that secret bits control. A protocol without gates of its own has the default ones, which
// are made of products: And takes one for each operand but the first, in a tree; Select takes one B2A and one product, and so does
// each pair of Swap.
type Selections interface {
	// And returns the AND of one or more vectors of bits of one length.
	And(op *flow.Op, xs ...Bit) Bit
	// Select (MUX) returns x where b is 1 and y where b is 0, in ring out. The rings of x and y are out or narrower.
	Select(op *flow.Op, out ring.Ring, b Bit, x, y Secret) Secret
	// Swap returns xs and ys with the elements of each pair xs[i], ys[i] exchanged where b is 1. All vectors have the
	// length of b, and each pair has a ring of its own. Both results are open under their masks, so that
	// later gates need not open them.
	Swap(op *flow.Op, b Bit, xs, ys []Secret) (first, second []Secret)
}

// Rectifiers is the group of maxima. The defaults are one comparison and one selection for Relu, and for each operand
// but the first of Max; Clamp takes two of each.
type Rectifiers interface {
	// Relu returns max(x, 0) in ring out. The ring of x is out or narrower.
	Relu(op *flow.Op, out ring.Ring, x Secret) Secret
	// Max returns the elementwise maximum of one or more vectors, in ring out. Their rings are out or narrower.
	Max(op *flow.Op, out ring.Ring, xs ...Secret) Secret
	// Clamp returns min(max(x, low), high) in ring out, for low ≤ high within x's bound. The ring of x is
	// out or narrower. The comparisons are memoised as those of LessConst are.
	Clamp(op *flow.Op, out ring.Ring, x Secret, low, high int64) Secret
}

// Compositions is the group of ways from bits back to numbers. The default of BitCompose takes B2A of all bits, that
// of Floor BitDecompose and BitCompose.
type Compositions interface {
	// BitCompose returns numbers in ring out, each made of out.Bits bits. bits has the order of Core.BitDecompose:
	// bit 0 of all numbers, then bit 1 of all numbers, and so on.
	BitCompose(op *flow.Op, out ring.Ring, bits Bit) Secret
	// Floor returns ⌊x/2^by⌋ modulo the ring out, exactly. x may use its whole ring and is read as signed or
	// unsigned; by is less than the width of its ring. It costs half if out has at most ring.Bits − by bits.
	Floor(op *flow.Op, out ring.Ring, x Secret, by int, signed bool) Secret
}

// Rounder is implemented by protocols whose Truncate is off by up to n/2 units among n computing parties. Package fxp
// then keeps guard bits, and takes zero for a number that rounding may have made negative. The Truncate of a protocol
// that does not implement Rounder counts as exact.
type Rounder interface {
	// Computing returns the number n of computing parties.
	Computing() int
}

// RangeChecker is implemented by protocols that see values, such as plain. They can report products of floats that
// leave their ring.
type RangeChecker interface {
	// Fits records the elements of b(x, y) over ring out with a magnitude of 2^bound or more. Package fxp calls it
	// before each product.
	Fits(op *flow.Op, out ring.Ring, bound int, b maps.Bilinear, x, y Secret)
}

// Bounder is implemented by a protocol in which operations on numbers of a smaller bound send less.
type Bounder interface {
	// Bounded records that the integers of x are below 2^bound in magnitude, a fact that follows from the program's text and
	// declared ranges alone: afterwards x.Bound() is at most bound. A result is wrong if the integers are not. Package fxp
	// calls it for floats with known ranges.
	Bounded(x Secret, bound int)
}

// Asserter is implemented by a protocol in which a change of ring of numbers of a smaller bound sends less.
type Asserter interface {
	// Asserted opens x and returns it with a Bound of at most bound: its integers are below 2^bound in magnitude, as the program's author
	// says. What is computed of the result is arbitrary if they are not; x itself stays as it is.
	Asserted(op *flow.Op, x Secret, bound int) Secret
}

// ShortTables is implemented by a protocol that evaluates tables in narrow rings.
type ShortTables interface {
	// EvalShortTable returns the function of package fourier with the given name of x, of class Small, with few fraction bits f.Out, in
	// the ring f.Ring. The table's period is 2^e, and the ring of x has e + f.In bits or more: x is read modulo the period. It
	// opens x and sends nothing more.
	EvalShortTable(op *flow.Op, x Secret, f Fixed, name string) Secret
}

// Squarer is implemented by a protocol in which sums of weighted squares of what one party knows send nothing but the weights.
type Squarer interface {
	// WeightedSquares returns xᵀ·diag(w)·x for each of several matrices x and vectors w of one ring: x is what the party owner provides
	// (Core.Input), or a view of that. It opens w. It returns nil where it has no such protocol.
	WeightedSquares(op *flow.Op, owner int, d SquareDims, x, w Secret) Secret
}

// SquareDims are the sizes of WeightedSquares: Batch matrices of Rows×Columns elements.
type SquareDims struct{ Batch, Rows, Columns int }

// Symbolic is implemented by a protocol in which selections and products of open vectors stay symbolic: an elementwise
// product of such a vector with an open one opens and sends nothing.
type Symbolic interface {
	// Symbolic reports whether x is such a vector, is not open, and has a form that is short enough for a further product.
	Symbolic(x Secret) bool
	// SymbolicProduct returns the product of a matrix x, which is open, with a matrix y for which Symbolic holds, in their ring.
	// The elements of the result are below 2^bound in magnitude. It sends nothing, and deals what the products of the elements
	// of x and y would. It returns nil if the operands do not have such forms.
	SymbolicProduct(op *flow.Op, x, y Secret, d SymbolicDims, bound int) Secret
}

// SymbolicDims are the dimensions of a symbolic product: x is Rows×Terms, y is Terms×Columns or, if Last, Columns×Terms, and the
// result, whose elements are sums of Terms products, is Rows×Columns.
type SymbolicDims struct {
	Rows, Terms, Columns int
	Last                 bool
}

// Sender is implemented by a protocol whose products send when they are asked for. Package fxp then computes a product once, in
// the widest ring in which it is used, where that is known.
type Sender interface {
	// SendsProducts reports whether a second product of the same operands sends again.
	SendsProducts() bool
}

// Expecter is implemented by a protocol in which contractions share what is sent once, such as keys of encryption.
type Expecter interface {
	// ExpectContractions is called before a program's operations are. n is the number of contractions in its text, those of
	// public values included.
	ExpectContractions(n int)
}

// LoopChecker is implemented by protocols that see values, such as plain. They can report the loops that have not
// ended when the option while.bound ends them.
type LoopChecker interface {
	// Cut is called when a loop is ended after the given number of iterations. It records the loop if its condition,
	// which is in cleartext here, still holds.
	Cut(op *flow.Op, condition Bit, iterations int)
}

// Clear is implemented by the secrets of protocols that compute in cleartext, such as plain.
type Clear interface {
	Secret
	// Clear returns the value.
	Clear() *flow.Future[ring.Vec]
}

// Revealed is implemented by secrets that Core.Reveal may send in a narrower ring than theirs.
type Revealed interface {
	Secret
	// RevealBits returns the bits of an element that a party sends when the secret is revealed.
	RevealBits() int
}

// Additive is implemented by secrets of which a party can store its additive share after a session: results that are
// kept at nodes, and checkpoints.
type Additive interface {
	Secret
	// Additive returns this party's additive share of the secret, which must be finalized, in a graph that has ended.
	Additive() ring.Vec
}

// Wrapper is implemented by protocols that are made of another one, as package derived makes them.
type Wrapper interface {
	// Unwrap returns the protocol of which the wrapper is made.
	Unwrap() Core
}

// As returns p as a T if p implements it; otherwise the first of the protocols that p wraps (Wrapper) that does. ok
// is false if none does.
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

// BitForms is implemented by a protocol that can look numbers up and compare them by their bits, for fewer bytes where tables are long.
type BitForms interface {
	// FromBits returns n signed numbers in ring out by their bits, in the order of Core.BitDecompose and in two's complement; all have the
	// same number of bits, at most that of the ring. Lookup in such numbers, Select, Less and Equal of two such vectors, views and Narrow
	// work on the bits; Select, views, Narrow and Lookup return bits. Any other operation first makes numbers of them
	// (Compositions.BitCompose).
	FromBits(op *flow.Op, out ring.Ring, n int, bits Bit) Secret
	// ComparesByBits reports whether it costs less to compare numbers by their bits.
	ComparesByBits(op *flow.Op, c BitComparison) bool
	// LooksUpByBits reports whether it costs less to look up rows of numbers in ring r by their bits, width of them, and to make numbers of
	// what is found.
	LooksUpByBits(op *flow.Op, r ring.Ring, width int, l Lookups) bool
}

// BitComparison describes comparisons, Less or Equal, of N signed numbers of Width bits, and what finds the operands that are not
// there yet as numbers, or by their bits.
type BitComparison struct {
	N, Width          int
	Equal             bool
	AsNumbers, AsBits Copies
}

// Copies are operations that only copy elements: look-ups, and selections, by their number of elements.
type Copies struct {
	Lookups  []Lookups
	Selected int
}

// Lookups says how many elements an index of Lookup has, and in which tables it looks rows up.
type Lookups struct {
	Indices int
	Table   Table
}
