// Package study holds what Tacet's studies share: commands that answer a
// question about costs with measurements that anyone can repeat. The studies
// themselves are the packages below it: exp (exponentials), conv (standard
// against Winograd convolutions) and relu (networks with fewer ReLUs).
//
// A study makes its programs itself, as StableHLO text, so that it needs
// nothing but the binary. It plans and runs them (Trial) and writes, into the
// folder of its Lab, tables (Table: CSV, and Markdown within the page), plots
// (Figure: SVG and PNG) and a page that holds them together (Page).
//
// Bytes, rounds and memory of vectors are those of plans, which are exact; a
// run that is measured must agree with them, or the study fails. Times on networks are
// predicted by the plan; what was measured says so. The least of several runs
// counts, because whatever else a machine does only adds.
package study
