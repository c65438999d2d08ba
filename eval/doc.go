// Package eval computes StableHLO operations in clear, in the element types
// that the program names: uint32 wraps around, float32 rounds to float32. It
// is used for everything that no secret reaches and for what one owner knows
// alone, and it is the reference that protocols are tested against.
//
// # Use
//
// Func evaluates a function, Block a region, Op one operation. An Env holds
// the values that regions may refer to outside themselves. View describes the
// operations that only copy elements (transpose, gather by public indices, …)
// so that they can be applied to shares as well; here they are evaluated
// through the same views.
//
// # Semantics
//
// Where StableHLO leaves a choice, results are those of XLA's CPU backend:
// integers divided by zero give all ones, and the remainder is the dividend;
// shifts by the width or more shift everything out; floats convert to integers
// with saturation, and NaN to 0; gather and dynamic_slice clamp their starts;
// scatter leaves out windows that do not fit. Two things are XLA's only up to
// rounding: functions of floats (exponential, tanh, …) are computed in float64
// and rounded once, and so are sums and products of floats in reductions,
// dot_general and convolution. Subnormal floats are kept.
//
// Parties that evaluate the same public operations get the same bits if they
// run on the same architecture. Integers and the arithmetic of real floats are
// the same on all (no products are fused into sums); complex arithmetic and
// functions from the math package may differ in the last bit of float64.
//
// Regions of reduce, reduce_window, scatter, sort and the like are applied to
// many instances at once, as operations on vectors, wherever their operations
// are elementwise. Reductions rely on their bodies being associative.
//
// # Operations
//
// Tables hold the operations: unaries and binaries give functions of elements,
// views gives rules for views, elementwise and structured hold kernels, customs
// the targets of custom_call. A new operation is one entry. An operation that is
// in none, or that has no meaning for its operands' element type, is refused by
// Check, with its position and name (an *hlo.Error): that looks at the program's
// text alone, at regions and called functions too. Kernels rely on it, and fail only
// for what values are.
package eval
