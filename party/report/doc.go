// Package report combines the costs of a run's parties, measured and planned, into a report
// (package profile). Each party adds its own costs as a Party. Parties in different processes send
// each other a Tally at the end of a run, so that the report of each has the traffic of all.
//
// # What a tally contains, and why it reveals nothing
//
// Every number of a tally follows from the program and the job alone. Times and memory do not: the
// time of a party's cleartext work depends on its own inputs. So a tally has no field for them, and
// a report has times and memory of the parties in its process only. The measured costs of sorts by
// revealed comparisons depend on the order of the items; computing parties see the comparisons, but
// reports may go to other parties. So Party.ExpectSorts replaces them by the expected costs.
package report
