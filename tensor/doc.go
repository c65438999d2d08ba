// Package tensor has what other packages need of cleartext tensors: element types, shapes,
// row-major arrays of native Go values, and views.
//
// A view is a public rule that gives, for every element of a result, the operand's element that it
// copies, or the fill value. Transpose, slice, reverse, broadcast, pad, concatenate, and gather and
// scatter by public indices are views. Because a view only copies, it can be applied to cleartext
// arrays, shares, opened values and masks, and it commutes with sharing and masking.
//
// Arrays hold cleartext values: program constants, public inputs, and an owner's own inputs at the
// owner.
package tensor
