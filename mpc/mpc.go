// Package mpc defines the interface between programs and multi-party protocols: secret vectors over
// rings Z_2^k, and the operations on them. The protocols are sub-packages.
//
// A Secret is one party's handle of a vector that is shared among the computing parties. Its
// length, ring and bound are public and known while the dataflow graph is built; the share itself
// is a flow.Future. Reveal, RevealToComputing and RevealTo are the only ways to its plaintext.
package mpc

import "github.com/tacet-mpc/tacet/ring"

// Secret is one party's handle of a secret vector of signed integers, called units. The caller keeps track of the
// scale of fixed-point numbers.
type Secret interface {
	// Len returns the number of elements.
	Len() int
	// Ring returns the ring that the vector is shared in.
	Ring() ring.Ring
	// Bound returns b such that all magnitudes are below 2^b. It is computed by public rules from the bounds of the
	// operands and does not depend on data.
	Bound() int
	// Opened reports whether the masked value is open already, so that nonlinear operations on the vector need not
	// open it.
	Opened() bool
}

// Bit is a vector of secret bits: a Secret in Z_2. A linear map XORs or copies bits; AddPublic with ones complements
// bits.
type Bit = Secret

// Protocol builds the steps of operations on secrets for one party: Core, which every protocol implements, and the
// groups of operations that have defaults (package derived makes a Protocol of a Core). All methods return at once.
// Operands of one call are in one ring unless a method says otherwise; results of linear operations stay in it.
type Protocol interface {
	Core
	Additions
	Openings
	Reductions
	Comparisons
	Selections
	Rectifiers
	Compositions
	Functions
	Indexing
	Sorts
}
