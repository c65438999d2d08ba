// Package profile holds what is known about a run's costs: the report that a
// run or a plan writes, and what is made from it.
//
// A report is written and read as JSON (Write, Read). Summary prints its
// phases, Ops and Highlights the dearest operations, PrintGroups lines and
// layers, Compare two reports op by op. A plan's report, in which nothing was
// measured, shows what was predicted instead.
//
// A report knows each operation's places in the tree of calls (Site, Frame),
// which operations' results it reads, and its share of the longest chain of
// messages that wait for one another. From these Pprof makes call stacks for
// go tool pprof, and HTML a page with the graph of layers and the critical
// path. What happened when is in no report: Trace records it, if a run is
// asked to, and Events makes it Chrome's trace events.
//
// Nothing here holds a secret: names, places, sizes, counts and times, which
// depend on the program and on what is public.
package profile
