// Package report combines the costs of a run's parties, measured and planned, into a report (package profile).
// Each party provides its own costs as a Party. Parties in different processes send each other a Tally at the
// end of a run, so that each party's report has the traffic of all.
//
// # What a tally contains, and why it reveals nothing
//
// Every number of a tally follows from the program and the job alone. Times and memory do not: the time of a
// party's cleartext work depends on its own inputs. So a tally has no field for them, and a report has times and
// memory only of the parties in its process. The measured costs of sorts by revealed comparisons depend on the
// order of the items. Computing parties see the comparisons, but a report may go to other parties; so
// Party.ExpectSorts replaces these costs by the expected ones.
package report
