// Package pattern recognises functions in a program that a protocol computes more cheaply with a fused kernel
// than operation by operation, and bounds the values of a program.
//
// # Patterns
//
// JAX exports softmax, layer normalisation, gelu and similar functions as a dozen plain operations each. Find
// recognises them. For the operation that ends a pattern (Match.End) it returns the function, its inputs, and
// the operations before it that need not run. Matching looks through operations that only move or retype
// elements (broadcasts, reshapes of unit dimensions, transposes, conversions between floats, barriers),
// through calls, and through operations that have no effect on finite numbers: adding 0, multiplying by 1,
// selecting by x ≠ x, the maximum with −∞. Constants are folded first, so that 64 − 0 or √16 count as
// numbers, and must agree with the function's constants to a relative error of 1e-5.
//
// A missed match costs time, a wrong match gives a wrong result: where the form is not certain, there is no
// match. A match stays within one block; values from outside of the block can only be its inputs.
//
// # Ranges
//
// Bounds computes, for every value of real or boolean type, an interval that contains all its elements, by
// interval arithmetic forward through the program.
package pattern
