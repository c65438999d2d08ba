// Package pass rewrites programs so that they cost less on secrets.
//
// A pass takes a program and returns a new one with the same arguments and results; the given
// program is not changed. New operations have the position of the operation that they replace, so
// that messages and costs refer to the program's own lines. Program.Verify accepts every result.
//
// # What a pass may do
//
// Public and owner-local values are computed natively, bit for bit in the program's types; on them
// a pass makes only exact changes. Secret floats are fixed-point numbers; a pass may change their
// rounding but must not make results visibly less accurate, and each such pass states the reason in
// its comment. Integers wrap as before. A pass may assume that secrets are never NaN.
//
// A pattern that package pattern finds in a program is still found after the passes.
//
// # Resuming a program
//
// Resume is not a pass. It returns the rest of a program from a given iteration of a loop on: a
// program that takes the loop's live-in values as arguments.
package pass
