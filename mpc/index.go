package mpc

import "github.com/tacet-mpc/tacet/flow"

// Table gives the shapes of Lookup and Place: Groups tables, each of Cells rows of Columns elements, and the same
// number of indices for each table. An index i selects the rows i + o for each o in Offsets, in that order.
type Table struct {
	// Groups is the number of tables, Cells the number of rows of a table, Columns the number of elements of a row.
	Groups, Cells, Columns int
	// Offsets are added to an index to give the rows that it selects; 0 alone selects one row.
	Offsets []int
}

// Bits returns ⌈log2 Cells⌉, at least 1: the number of bits of an index that are read.
func (t Table) Bits() int {
	s := 1
	for 1<<s < t.Cells {
		s++
	}
	return s
}

// Size returns the number of elements of all tables.
func (t Table) Size() int { return t.Groups * t.Cells * t.Columns }

// Rows returns the number of elements that one index selects: rows times columns.
func (t Table) Rows() int { return len(t.Offsets) * t.Columns }

// Indexing is the group of accesses at secret positions. An index is read modulo 2^t.Bits(). Nothing is sent for
// operands whose masked values are open.
type Indexing interface {
	// Lookup (gather) returns the rows of table that each element of index selects, as t describes. Rows outside the
	// table have arbitrary values. A public table costs less than a secret one.
	Lookup(op *flow.Op, index, table Secret, t Table) Secret
	// Place (scatter-add) returns tables that are zero except where rows of x are added. x has t.Rows() elements for
	// each index: one row for each row that the index selects, to which it is added. Rows outside the table are
	// dropped.
	Place(op *flow.Op, index, x Secret, t Table) Secret
}
