// Package pattern finds in a program what a protocol computes better as a
// whole than operation by operation, and how large values can get.
//
// # Patterns
//
// JAX prints softmax, layer normalisation, gelu and the like as a dozen plain
// operations. Find recognises them and names, for the operation that Ends
// each, what is computed from which values, and which operations before it
// need not run. Everything is read through what only moves or retypes
// elements (broadcasts, reshapes of unit dimensions, transposes, conversions
// between floats, barriers), through calls, and through what cannot matter
// for finite numbers: adding 0, multiplying by 1, choosing by x ≠ x, the
// maximum with −∞. Constants are folded first, so that 64 − 0 or √16 are
// numbers, and must agree to 1e-5 with those of the function.
//
// A missed match costs time, a wrong one is a wrong result: where the form is
// not certain, there is no match. A match stays within one block; it takes
// values from outside only as its inputs.
//
// # Ranges
//
// Bounds finds, for every value of real or boolean type, an interval that no
// element leaves, by interval arithmetic forward through the program.
package pattern
