package mpc

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// Sorting describes a sort of vectors of Groups·Rows elements: each group of Rows consecutive
// elements is sorted by itself.
type Sorting struct {
	Groups, Rows int
	// Descending has one entry for each key: whether rows with larger keys come first.
	Descending []bool
	// First is the number of rows of each group that are returned; Rows for all.
	First int
	// At is the ring of the rows' original positions that Sort returns; without bits, none are
	// returned.
	At ring.Ring
}

// Len is the length of the vectors that are sorted.
func (s Sorting) Len() int { return s.Groups * s.Rows }

// Sorts is sorting by secret keys.
type Sorts interface {
	// Sort returns the first rows of each group, ordered by the first key, rows with equal keys by
	// the next one, and rows with all keys equal by their original position. Keys are signed
	// numbers whose bound is at most their ring's width less two; xs are the vectors that are
	// moved, of any bound. at holds the rows' original positions in their group, counted from 0;
	// nil if s.At has no bits. No party learns the order or how many keys are equal. The costs may
	// depend on a random order (flow.Op.Expect). Sort fails with probability below 2^-40.
	Sort(op *flow.Op, s Sorting, keys, xs []Secret) (sorted []Secret, at Secret)
}
