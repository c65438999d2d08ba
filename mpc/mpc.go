// Package mpc is what programs see of a multi-party protocol: secret vectors
// over rings, and the operations on them. The protocols are in its
// sub-packages.
//
// A Secret is one party's view of a vector that no party knows. Its length,
// ring and bound are public and known while the dataflow graph is built; its
// content is a promise. There is no way to read it but Reveal.
package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Secret is one party's view of a secret vector of signed integers ("units":
// fixed-point scale is its users' affair).
type Secret interface {
	Len() int
	// Ring is the ring that it is shared in.
	Ring() ring.Ring
	// Bound is b where all magnitudes are below 2^b. It comes from the rules
	// of the system (inputs are refused beyond it), not from data.
	Bound() int
	// Opened reports whether its masked form is open already, so that
	// nonlinear operations on it need not send it.
	Opened() bool
}

// Bit is a vector of secret bits: a Secret in Z_2. Linear maps of bits are
// XORs and views, to add a public 1 is to negate.
type Bit = Secret

// Protocol makes steps of a dataflow graph for one party. All methods return
// at once. Operands of one call share a ring unless a method says otherwise;
// results of linear operations stay in it.
type Protocol interface {
	Functions
	Indexing
	Sorts

	// Name is how the protocol is called on the command line.
	Name() string

	// Input shares a vector that one party knows: words makes it, for nobody
	// else's use, and is empty but at the owner, which is a rank, or Staying of
	// one. Nothing is sent by it online.
	Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) Secret
	// Public is a vector that all parties know, as a secret: for maps whose
	// other operands are secret.
	Public(op *flow.Op, words ring.Vec, bound int) Secret
	// Held is a vector of which v is this party's additive share.
	Held(v ring.Vec, bound int) Secret
	// AddKnown adds a vector that one party knows, of magnitudes up to a
	// quarter of the ring, without sending anything. The result is not opened
	// even if x is.
	AddKnown(op *flow.Op, x Secret, owner int, words func() ring.Vec) Secret
	// AddPublic adds a vector that all parties know, of magnitudes up to
	// 2^bound.
	AddPublic(op *flow.Op, x Secret, words ring.Vec, bound int) Secret

	// Linear applies a public linear map. A map that only copies may be
	// applied in any ring; others need room for their growth.
	Linear(op *flow.Op, m maps.Linear, xs ...Secret) Secret
	// Product applies a bilinear map; the result is in ring out. Elementwise
	// products take operands in narrower rings (of two bits more than their
	// bound at least); all others need both in out.
	Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y Secret) Secret

	// Truncate divides by 2^by in the same ring: nearest to within n/2 units,
	// unbiased.
	Truncate(op *flow.Op, x Secret, by int) Secret
	// Drop divides by 2^by and leaves the ring narrower by as many bits: the
	// same error, nothing sent.
	Drop(op *flow.Op, x Secret, by int) Secret

	// Open opens what is not open yet, all in one message, so that it is open
	// wherever it is used later: what is to be copied many times, or what
	// would else be opened in several messages.
	Open(op *flow.Op, xs ...Secret)

	// Under is the comparison [x < c] of numbers below their bound with a
	// number that all parties know. Asked again it costs nothing.
	Under(op *flow.Op, x Secret, c int64) Bit
	// Top is the highest bit of numbers that use their whole ring: [x < 0] if
	// they are signed.
	Top(op *flow.Op, x Secret) Bit
	// Less is [x < y] of signed numbers below their bounds. One may be public,
	// also in a wider ring.
	Less(op *flow.Op, x, y Secret) Bit
	// Below is [x < y] of numbers that use their whole ring, read as signed or
	// unsigned.
	Below(op *flow.Op, x, y Secret, signed bool) Bit
	// Equal is [x = y]. Numbers with a bound of two bits less than their
	// ring's width or more may use the whole ring.
	Equal(op *flow.Op, x, y Secret) Bit
	// And is the product of bits, one at least.
	And(op *flow.Op, xs ...Bit) Bit
	// Arithmetic is a bit as the number 0 or 1 in ring out.
	Arithmetic(op *flow.Op, out ring.Ring, b Bit) Secret
	// Select is x where b is 1 and y where it is 0, in ring out; x and y in
	// out or narrower.
	Select(op *flow.Op, out ring.Ring, b Bit, x, y Secret) Secret

	// Swap exchanges x and y of each pair where b is 1: vectors of one length
	// that all go the same way, each pair in a ring of its own. Both results
	// are open.
	Swap(op *flow.Op, b Bit, xs, ys []Secret) (first, second []Secret)

	// Bits are the bits of numbers that use their whole ring, lowest first: all
	// elements' bit 0, then all elements' bit 1, and so on.
	Bits(op *flow.Op, x Secret) Bit
	// Compose makes numbers in ring out from as many bits as it has, in the
	// order of Bits.
	Compose(op *flow.Op, out ring.Ring, bits Bit) Secret
	// Floor is ⌊x/2^by⌋, modulo the ring out, of numbers that use their whole
	// ring, read as signed or unsigned, by less than its width. It costs half
	// if out has no more bits than are left.
	Floor(op *flow.Op, out ring.Ring, x Secret, by int, signed bool) Secret

	// Narrow reduces modulo the narrower ring r.
	Narrow(op *flow.Op, r ring.Ring, x Secret) Secret
	// Extend reads numbers, as signed or unsigned, into the wider ring out.
	// They may use the whole ring; signed ones whose bound is below the ring's
	// width by more than two bits cost nothing but their opening.
	Extend(op *flow.Op, out ring.Ring, x Secret, signed bool) Secret

	// Relu is max(x, 0) in ring out, x in out or narrower.
	Relu(op *flow.Op, out ring.Ring, x Secret) Secret
	// Max is the largest of xs (one at least), element by element, in ring
	// out; xs in out or narrower.
	Max(op *flow.Op, out ring.Ring, xs ...Secret) Secret

	// Disclose opens x to all computing parties, who know it from then on, but
	// not to who deals. It is what a program reveals on purpose on its way.
	Disclose(op *flow.Op, x Secret) Secret

	// Aside is this party's additive share of x as it stands. x stays as it is too:
	// what follows sends what it would have sent.
	Aside(op *flow.Op, x Secret) *flow.Of[ring.Vec]

	// Unopened is x without what has been opened of it: what uses it opens it
	// anew. It serves measuring.
	Unopened(op *flow.Op, x Secret) Secret

	// Settle does all local work that x still owes, so that nothing but Reveal
	// is left to do in the output phase.
	Settle(op *flow.Op, x Secret)
	// Reveal opens a settled x to the parties of the given ranks, this one among them
	// or not. The promise holds an empty vector at parties that do not learn
	// it. op belongs to a graph of the output phase.
	Reveal(op *flow.Op, x Secret, to []int) *flow.Of[ring.Vec]
}
