package mpc

import "github.com/tacet-mpc/tacet/flow"

// Table gives the shapes of look-ups in tables of secrets: Groups tables of Cells rows of Columns
// elements, and the same number of indices for each table. An index i selects the rows i + o for o
// in Offsets, in that order.
type Table struct {
	Groups, Cells, Columns int
	Offsets                []int
}

// Bits is ⌈log2 Cells⌉, at least 1: the number of bits of an index that are read.
func (t Table) Bits() int {
	s := 1
	for 1<<s < t.Cells {
		s++
	}
	return s
}

// Size is the number of elements of all tables.
func (t Table) Size() int { return t.Groups * t.Cells * t.Columns }

// Rows is the number of elements that one index selects.
func (t Table) Rows() int { return len(t.Offsets) * t.Columns }

// Indexing is access at secret positions. An index is read modulo 2^Bits of its table. Nothing is
// sent for operands whose masked values are open.
type Indexing interface {
	// Lookup (gather) returns the rows that each index selects. Rows outside the table have
	// arbitrary values. A public table costs less than a secret one.
	Lookup(op *flow.Op, index, table Secret, t Table) Secret
	// Place (scatter-add) returns tables whose elements are the sums of the values of all indices
	// that select them; x has t.Rows elements for each index. Rows outside the table are dropped.
	Place(op *flow.Op, index, x Secret, t Table) Secret
}
