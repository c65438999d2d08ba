// Package profile holds the cost report of a run or a plan and the outputs made from it: text
// tables, comparisons, pprof profiles, HTML pages and traces.
//
// A report is written and read as JSON (Write, Read). Summary prints its phases. Ops and Highlights
// print the most expensive operations. PrintGroups prints the costs by line or layer. Compare
// compares two reports operation by operation. A plan's report has no measurements; it shows the
// predicted costs instead.
//
// For each operation a report holds its sites in the call tree (Site, Frame), the ids of the
// operations whose results it reads, and its rounds on the critical path: the longest chain of
// messages that wait for one another. Pprof turns the sites into call stacks for go tool pprof.
// HTML draws the graph of layers and the critical path. A report holds no timestamps; Trace records
// them when a run is asked for a trace, and Events converts the trace to Chrome's trace events.
//
// No type of this package holds a secret. Names, locations, sizes, counts and times depend only on
// the program and on public values, with one exception: times and memory may depend on a party's
// own inputs (Untimed removes them).
package profile
