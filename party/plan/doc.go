// Package plan turns dry runs into predictions and choices: how long the phases of a run take on a
// machine and a network and how much memory its parties need (Predict), and which objective each
// operation has if the job leaves that to the plan (Choose).
//
// The dry runs themselves are package party's: a party runs its session without data, and counts
// and traces what it would do. Package timing simulates the traces. What is chosen here follows
// from the program, the settings and the declared network alone, so all parties choose the same,
// and no choice depends on a secret.
package plan
