// Package fourier has functions of one variable as trigonometric polynomials, F(x) = C_0 + Σ C_n
// cos nθ + S_n sin nθ with θ = 2πx/Period.
//
// Such a polynomial is evaluated on a masked x = Δ - λ without a message: by the addition theorem
// it is a sum of products of cos nΔ and sin nΔ, which are public, with cos nλ and sin nλ, of which
// the dealer deals shares. The ring's size is made a multiple of the period, so that a wrap of the
// ring does not change F. The function is approximated on an interval only; F is arbitrary in the
// rest of the period, and this freedom keeps the number of harmonics small. A harmonic costs two
// shares offline, 26 bytes at k = 64.
//
// Functions that approach a constant or x on both sides (sigmoid, gelu, …) have a table on the
// interval where they differ from these tails by more than the tolerance, the window.
//
// The tables are in small.txt and large.txt, as integers, so that all parties compute with the same
// bits. internal/fit writes them; to add a function, add it to the list in functions.go and run go
// generate.
package fourier

//go:generate go run ./internal/fit
