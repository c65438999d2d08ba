// Package study holds the code that Tacet's studies share. A study is a command that answers a
// question about costs with measurements that anyone can repeat. The studies are the packages below
// this one: exp (exponentials), conv (standard against Winograd convolutions), relu (networks
// with fewer ReLUs) and interpolate (models of air pollution between sensors of several owners).
//
// A study generates its programs as StableHLO text, so that it needs no files beside the binary. It
// plans and runs them (Trial) and writes into the folder of its Lab: tables (Table: CSV, and
// Markdown in the page), plots (Figure: SVG and PNG) and a page that contains both (Page).
//
// Bytes, rounds and memory of vectors come from plans, which are exact: a run whose measurements
// differ from its plan fails the study. Times on networks are predicted by the plan; measured times
// are labelled so. Of several runs the minimum is reported, because other load on the machine only
// adds time.
package study
