package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// Sorting says how rows are sorted: vectors of Groups·Rows elements, group
// after group, each group by itself.
type Sorting struct {
	Groups, Rows int
	// Descending says of each key whether rows with larger ones come first.
	Descending []bool
	// First is how many rows of each group are wanted, Rows for all.
	First int
	// At is the ring in which it is wanted where rows were; none if it has no
	// bits.
	At ring.Ring
}

// Len is the length of what is sorted.
func (s Sorting) Len() int { return s.Groups * s.Rows }

// Sorts is sorting by secret keys.
type Sorts interface {
	// Sort gives the first rows of each group, in order of the first key, of
	// the next where that is equal, and so on, and at last of where they were.
	// Keys are signed numbers of two bits less than their ring's width at most;
	// xs, what is moved, are any vectors. at is the rows' places in their group,
	// counted from 0; nil if they are not wanted. Nobody learns the order, or
	// how many keys are equal. What it costs may depend on a random order
	// (flow.Op.Expect), and with a probability below 2^-40 it fails.
	Sort(op *flow.Op, s Sorting, keys, xs []Secret) (sorted []Secret, at Secret)
}
