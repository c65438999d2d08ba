package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Core is the part of a protocol that nothing else gives: all other methods of
// Protocol have defaults made of these (package derived). Methods add steps to one
// party's dataflow graph and return at once. Operands of one call share a ring
// unless the method says otherwise.
type Core interface {
	// Input shares a vector of n elements in r, of magnitudes below 2^bound, that one party knows.
	// owner is that party's rank, or Staying(rank). words returns the vector, for the protocol
	// alone to use, at the owner, and an empty vector at other parties. Input sends nothing in the
	// online phase.
	Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) Secret
	// Public wraps a vector that all parties know as a Secret, for operations whose other operands
	// are secret.
	Public(op *flow.Op, words ring.Vec, bound int) Secret
	// FromShare is the vector of which v is this party's additive share.
	FromShare(v ring.Vec, bound int) Secret
	// AdditiveShare is this party's additive share of x in its present form. x does not change:
	// later operations on x send what they would have sent without this call.
	AdditiveShare(op *flow.Op, x Secret) *flow.Future[ring.Vec]

	// Linear applies a public linear map. Copy maps work in any ring. Other maps need ring.Bits ≥
	// Bound + log2(largest row sum).
	Linear(op *flow.Op, m maps.Linear, xs ...Secret) Secret
	// Product applies a bilinear map; the result is in ring out. Elementwise
	// products take operands in narrower rings, of at least two bits more than
	// their bound; other maps need both operands in out. Over Z_2 it is the AND.
	// The low slack bits of a result may be wrong (0: none), as those are that a
	// truncation will drop; a protocol may ignore it and be exact.
	Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y Secret, slack int) Secret

	// Truncate divides by 2^by in the same ring. Among n parties the result is off by less than n/2
	// units. The error has mean zero for n = 2 and −(n−2)/2^(by+1) of a unit in general.
	Truncate(op *flow.Op, x Secret, by int) Secret
	// Narrow reduces modulo the narrower ring r.
	Narrow(op *flow.Op, r ring.Ring, x Secret) Secret
	// Extend zero-extends or, if signed, sign-extends numbers into the wider ring out. The numbers
	// may use their whole ring. Signed numbers whose bound is more than two bits below the ring's
	// width cost nothing beyond opening them.
	Extend(op *flow.Op, out ring.Ring, x Secret, signed bool) Secret

	// BitDecompose (A2B) returns the bits of numbers that may use their whole ring, lowest first:
	// bit 0 of all elements, then bit 1 of all elements, and so on.
	BitDecompose(op *flow.Op, x Secret) Bit
	// B2A converts a bit to the number 0 or 1 in ring out.
	B2A(op *flow.Op, out ring.Ring, b Bit) Secret

	// RevealToComputing reveals x to all computing parties, and not to the dealer. It serves what a
	// program reveals on purpose before its end. The result is public among the computing parties.
	RevealToComputing(op *flow.Op, x Secret) Secret
	// Reveal reveals a finalized x to the parties of the given ranks; this party need not be among
	// them. The future holds an empty vector at parties that do not learn x. op must belong to a
	// graph of the output phase.
	Reveal(op *flow.Op, x Secret, to []int) *flow.Future[ring.Vec]
}
