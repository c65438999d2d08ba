// Package maps describes the public linear and bilinear maps that programs
// apply to secret vectors: views, sums, products with public matrices;
// elementwise products, matrix products, convolutions.
//
// A linear map with public integer coefficients commutes with masking: of a
// masked value Δ = x + λ it makes M(Δ) = M(x) + M(λ). So the parties apply it
// to Δ and to their shares of λ, the dealer to λ itself, and nobody sends a
// byte. A bilinear map of two masked values needs one dealt vector, a sharing
// of B(λx, λy) of the result's size. Both kinds are therefore plain data that
// a request to the dealer can name and send (Append, Read); they depend on public
// values only.
package maps
