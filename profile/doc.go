// Package profile holds what is known about a run's costs: the report that a
// run writes, and the tables made from it.
//
// A report is written and read as JSON (Write, Read). Summary prints its
// phases, Ops the dearest operations, Compare two reports op by op. A plan's
// report, in which nothing was measured, shows what was predicted instead.
package profile
