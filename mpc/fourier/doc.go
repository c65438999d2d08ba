// Package fourier holds functions of one variable as trigonometric
// polynomials, F(x) = C_0 + Σ C_n cos nθ + S_n sin nθ with θ = 2πx/Period.
//
// Such a polynomial is evaluated on a masked x = Δ - λ without a message: by
// the addition theorem it is a sum of products of cos nΔ and sin nΔ, which are
// public, by cos nλ and sin nλ, of which the dealer gives shares. The ring's
// wrap is made a whole period and vanishes. The function matters on a window
// only; what F does in the rest of the period is free, and that freedom is
// what makes the harmonics few. A harmonic costs two shares offline, 26 bytes
// at k = 64.
//
// Functions that have no window of their own but approach a constant or x on
// both sides (sigmoid, gelu, …) have a table on the window where they differ
// from these by more than the tolerance.
//
// The tables are in small.txt and large.txt, as integers, so that all parties
// compute with the same bits. internal/fit writes them; to add a function, add
// it to the list in functions.go and run go generate.
package fourier

//go:generate go run ./internal/fit
