package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Core is the part of a protocol from which all other methods of Protocol can be made (package derived). Methods add
// steps to one party's dataflow graph, by op, and return at once. Operands of one call are in one ring unless the
// method says otherwise. Methods panic on operands whose rings or lengths do not fit.
type Core interface {
	// Input returns a secret vector of n elements in r, of magnitudes below 2^bound, that one party provides. owner
	// is that party's rank, or Staying(rank). At the owner words returns the vector, which then belongs to the
	// protocol; at other parties it returns an empty vector. Input sends nothing in the online phase: the vector is
	// shared in the input phase.
	Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) Secret
	// Public returns a vector that all parties know, of magnitudes below 2^bound, as a Secret, for operations whose
	// other operands are secret.
	Public(op *flow.Op, words ring.Vec, bound int) Secret
	// FromShare returns the secret vector, of magnitudes below 2^bound, of which v is this party's additive share.
	FromShare(v ring.Vec, bound int) Secret
	// AdditiveShare returns this party's additive share of x in its present form. x does not change: later operations
	// on x send what they would have sent without this call.
	AdditiveShare(op *flow.Op, x Secret) *flow.Future[ring.Vec]

	// Linear returns the public linear map m of xs. A map that only copies (maps.Copies) works in any ring. Other
	// maps need ring.Bits ≥ Bound + log2(largest row sum).
	Linear(op *flow.Op, m maps.Linear, xs ...Secret) Secret
	// Product returns the bilinear map b of x and y, in ring out. Elementwise products take operands in narrower
	// rings, of at least two bits more than their bound; other maps need both operands in out. Over Z_2 an
	// elementwise product is the AND. The low slack bits of the result may be wrong, because a truncation will drop
	// them; 0 asks for an exact result. A protocol may ignore slack and be exact.
	Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y Secret, slack int) Secret

	// Truncate returns x divided by 2^by in the same ring. Among n parties the result is off by less than n/2 units.
	// The error has mean zero for n = 2 and −(n−2)/2^(by+1) of a unit in general.
	Truncate(op *flow.Op, x Secret, by int) Secret
	// Narrow returns x modulo the narrower ring r.
	Narrow(op *flow.Op, r ring.Ring, x Secret) Secret
	// Extend returns x, zero-extended or, if signed, sign-extended into the wider ring out. x may use its whole ring.
	// For signed numbers whose Bound is more than two bits below the ring's width nothing is sent beyond the opening
	// of x.
	Extend(op *flow.Op, out ring.Ring, x Secret, signed bool) Secret

	// BitDecompose (A2B) returns the bits of numbers that may use their whole ring, lowest first: bit 0 of all
	// elements, then bit 1 of all elements, and so on.
	BitDecompose(op *flow.Op, x Secret) Bit
	// B2A returns the bits b as numbers 0 or 1 in ring out.
	B2A(op *flow.Op, out ring.Ring, b Bit) Secret

	// RevealToComputing reveals x to all computing parties, and not to the dealer, and returns it as a vector that is
	// public among them. It serves tensors that a program reveals on purpose before its end.
	RevealToComputing(op *flow.Op, x Secret) Secret
	// RevealTo reveals x to the computing party with rank to, and to nobody else, before the end of the program. The future
	// holds an empty vector at other parties, with the same logical clock.
	RevealTo(op *flow.Op, x Secret, to int) *flow.Future[ring.Vec]
	// InputLate returns a secret vector of n elements in r, of magnitudes below 2^bound, that the computing party with rank owner knows
	// only when the graph runs. words is the vector at the owner, and anything of the same logical clock at other parties. Nothing is
	// sent: the vector is shared when it is opened.
	InputLate(op *flow.Op, owner int, r ring.Ring, n, bound int, words *flow.Future[ring.Vec]) Secret
	// Reveal reveals x, which must be finalized (Openings.Finalize), to the parties with the ranks in to; this party
	// need not be among them. The future holds an empty vector at parties that do not learn x. op must belong to a
	// graph of the output phase.
	Reveal(op *flow.Op, x Secret, to []int) *flow.Future[ring.Vec]
}
