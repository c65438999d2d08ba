// Package derived completes a core to a protocol: it composes every operation that a
// protocol does not implement itself from the operations of mpc.Core, so that a new
// protocol runs all programs from the beginning and can be improved group by group.
//
// # What the defaults cost
//
// They are correct before they are cheap. Comparisons decompose all bits. Selections
// are products. Real functions are computed in a ring of two or more words, from
// Chebyshev polynomials with coefficients that all parties compute alike (in float64,
// element by element, without fused operations): a function of package fourier takes
// about 25 products for each element, a logarithm 10 and the bits of its argument, a
// power or quotient the same and one product in a ring of three words. A look-up takes
// all entries of a one-hot vector, a sort is Batcher's network. No opened value decides
// anything.
//
// # Errors
//
// Functions err by a unit of the result's last place or less, and by 2^-30 of it,
// beside what Truncate errs. Clamps of exponentials are always there.
package derived
