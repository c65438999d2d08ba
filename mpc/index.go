package mpc

import "github.com/tacet-mpc/tacet/flow"

// Table says how indices meet tables of secrets: as many indices for each of
// Groups tables, of Cells rows of Columns elements. An index i stands for the
// rows i + o, o in Offsets, one after the other.
type Table struct {
	Groups, Cells, Columns int
	Offsets                []int
}

// Bits is how many bits of an index are read: those that number the rows.
func (t Table) Bits() int {
	s := 1
	for 1<<s < t.Cells {
		s++
	}
	return s
}

// Size is how many elements the tables have.
func (t Table) Size() int { return t.Groups * t.Cells * t.Columns }

// Rows is how many elements an index stands for.
func (t Table) Rows() int { return len(t.Offsets) * t.Columns }

// Indexing is what can be done at places that no party knows. An index is read
// modulo 2^Bits of its table. Nothing is sent for operands that are open.
type Indexing interface {
	// Lookup gives, for each index, its rows. Those that are not in the table
	// are of no meaning. A table that all parties know costs less.
	Lookup(op *flow.Op, index, table Secret, t Table) Secret
	// Place gives tables that are, in each place, the sum of the values of all
	// indices that stand for it; x has Rows elements for each index. Rows
	// beyond the table are dropped.
	Place(op *flow.Op, index, x Secret, t Table) Secret
}
