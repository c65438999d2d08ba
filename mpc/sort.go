package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// Sorting describes a sort of vectors of Groups·Rows elements: each group of Rows consecutive elements is sorted by
// itself.
type Sorting struct {
	// Groups is the number of groups, Rows the number of elements of each.
	Groups, Rows int
	// Descending[i] says whether rows with larger values of key i come first; it has one entry for each key.
	Descending []bool
	// First is the number of rows of each group that are returned; Rows returns all.
	First int
	// At is the ring of the rows' original positions that Sort returns. With the zero Ring it returns none.
	At ring.Ring
}

// Len returns Groups·Rows, the length of the vectors that are sorted.
func (s Sorting) Len() int { return s.Groups * s.Rows }

// Sorts is the group of sorting by secret keys. The default is a sorting network of comparisons and swaps.
type Sorts interface {
	// Sort returns the first s.First rows of each group, ordered by keys[0], rows with equal keys by keys[1] and so
	// on, and rows with all keys equal by their original position. Keys are signed numbers whose Bound is at most
	// their ring's width minus two. sorted holds the vectors xs, of any bound, in the new order; at holds the rows'
	// original positions in their group, counted from 0, and is nil if s.At is the zero Ring. No party learns the
	// order or how many keys are equal. The costs may depend on a random order (flow.Op.Expect). The run fails with
	// probability below 2^-40.
	Sort(op *flow.Op, s Sorting, keys, xs []Secret) (sorted []Secret, at Secret)
}
