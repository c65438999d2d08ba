// Package check compares two runs of a job in cleartext, operation by operation: one in the program's
// own types (the reference, by package eval) and one in fixed point, by the protocol in cleartext. It
// finds values that protocols cannot represent (Warning), the operations at which errors beyond a
// tolerance begin (Divergence), and how large secrets become (Range).
//
// Both runs are in one process that has all inputs, so nothing is shared. Package party runs the
// second one (party.Check).
package check
