// Package plan turns dry runs into predictions and choices. Predict computes how long the phases of a run take
// on a machine and a network, and how much memory its parties need. Choose selects the objective of each
// operation (what its protocol minimises: online bytes, rounds, or total bytes), if the job leaves that to the
// plan.
//
// Package party makes the dry runs: a party runs its session without data, and counts and traces what it would
// do. Package timing simulates the traces. A choice follows from the program, the settings and the declared
// network alone, so all parties choose the same, and no choice depends on a secret.
package plan
