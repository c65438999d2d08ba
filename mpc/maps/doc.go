// Package maps describes the public linear and bilinear maps that programs apply to secret vectors:
// views, sums, products with public matrices; elementwise products, matrix products, convolutions.
//
// A linear map M with public integer coefficients commutes with masking: for a masked value Δ = x +
// λ, M(Δ) = M(x) + M(λ). So the parties apply it to Δ and to their shares of λ, the dealer applies
// it to λ, and nothing is sent. A bilinear map B of two masked values needs one dealt value of the
// result's size, a sharing of B(λx, λy). Both kinds are therefore plain data that a request to the
// dealer can contain (Append, Read); they depend on public values only.
package maps
