// Package joins names the methods by which rows of several tables are matched, for job files, nodes and policies alike.
package joins

import "slices"

// The methods of joins.
const (
	Aligned = "aligned" // row i of all tables belongs together
	PSI     = "psi"     // rows with equal keys belong together; keys of other rows are not revealed
	Hidden  = "hidden"  // rows with equal keys belong together; which, and how many, is revealed to nobody
	Stacked = "stacked" // the tables have the same columns, and their rows are those of one table
)

// Allowed are the methods that policies name. Rows of aligned tables meet without a join.
var Allowed = []string{PSI, Hidden, Stacked}

// Keyed reports whether a method cannot do without key columns.
func Keyed(method string) bool { return slices.Contains([]string{PSI, Hidden}, method) }
