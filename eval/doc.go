// Package eval computes StableHLO operations in the clear, in the program's element types: uint32
// wraps around, float32 rounds to float32. It evaluates public and owner-local values, and it is
// the reference that protocols are tested against.
//
// # Use
//
// Func evaluates a function, Block a region, Op one operation. An Env holds the values that regions
// may refer to outside themselves. View describes the operations that only copy elements
// (transpose, gather by public indices, …) as views, which can be applied to shares as well; eval
// evaluates these operations through the same views.
//
// # Semantics
//
// Where StableHLO leaves a choice, results are those of XLA's CPU backend: integers divided by zero
// give all ones, and the remainder is the dividend; shifts by the width or more shift all bits out;
// floats convert to integers with saturation, and NaN to 0; gather and dynamic_slice clamp their
// starts; scatter skips windows that do not fit. Two groups of results equal XLA's only up to
// rounding: functions of floats (exponential, tanh, …), which are computed in float64 and rounded
// once, and sums and products of floats in reductions, dot_general and convolution, which are
// accumulated in float64 and rounded once. Subnormal floats are kept.
//
// Parties that evaluate the same public operations get the same bits if they run on the same
// architecture. Integers and the arithmetic of real floats are equal on all architectures (products
// are never fused into sums); complex arithmetic and functions from the math package may differ in
// the last bit of float64.
//
// Regions of reduce, reduce_window, scatter, sort and the like are applied to many instances at
// once, as operations on vectors, if all their operations are elementwise. Reductions rely on their
// bodies being associative. Package hlo/algo holds these algorithms, for package exec too.
//
// # Operations
//
// Tables hold the operations: unaries and binaries contain functions of elements, views contains
// rules for views, elementwise and structured contain kernels, customs contains the targets of
// custom_call. A new operation is one entry. Check refuses an operation that is in no table, or
// that is not defined for its operands' element type, with its position and name (an *hlo.Error).
// Check considers the program text only, including regions and called functions. Kernels rely on
// Check; they fail only because of operand values.
package eval
