// Package tensor holds what the rest of Tacet says about tensors in clear:
// element types, shapes, row-major arrays of native Go values, and views.
//
// A view is a public rule that says, for every element of a result, which
// element of which operand it is (or that it is the fill value). Transpose,
// slice, reverse, broadcast, pad, concatenate, gather and scatter by public
// indices are all views. Because a view only copies, it may be applied to
// clear arrays, to shares, to opened values and to masks alike, and it
// commutes with all of them.
//
// The package knows nothing of secrets. Arrays hold values in clear: program
// constants, public inputs, and an owner's own inputs on the owner's side.
package tensor
