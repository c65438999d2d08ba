// Package fxp is fixed-point arithmetic on secret tensors, written once
// against package mpc's interface and hence for every protocol.
//
// A secret float x is shared as the integer x·2^scale. The scale belongs to
// the value: a product has the sum of its factors' scales, and nothing is
// truncated until something needs it (a further product that would not fit, a
// comparison, an output). A public factor that is a small integer times a
// power of two costs no scale at all; other public factors get as many
// fraction bits as make the largest of them fill the fraction, so that small
// constants lose nothing.
//
// Roots and divisors take what is above the fraction as it is, as far as they
// have tables for its digits. Squares that end under a root are kept at three
// fractions in a wider ring (fine.go) through public factors and loops, so that
// √(Σx²) of x far below the last place's root is right; what a root is taken of
// has to be below 2^37 there (fraction 18, ring 64). What is divided, and what it
// is divided by, keeps two fractions, and has to be below 2^26, as any contraction.
//
// Truncations are to within half a unit in the last place for each party
// (n/2 units for n parties), unbiased; see the protocols for their costs. What of
// more than two parties nothing but an exponential reads keeps guard bits. Results
// have the fraction's bits for every number of parties.
//
// Values are below 2^(k−2) units in magnitude: inputs beyond are refused where they
// are read, public values beyond saturate to half of it and NaN becomes 0.
// Contractions (dots, convolutions, sums and chains of products before they are
// rescaled) are below 2^(k−2) at their own scale, which is a fraction less. The text
// of a program bounds values (package hlo/pattern); what is not bounded and may not
// fit at a product's scale is added to it, laid beside it, compared or chosen with it
// once the product is rescaled, and an elementwise product or a multiple by a public
// number that may not fit itself is made in a wider ring (range.go, Value.wide).
// Intermediate results that leave these ranges wrap.
//
// Secret integers have a ring of their own type's width, scale 0, and are exact
// modulo 2^bits. They may use all of it: a bound of two bits less than the
// ring's width or more says nothing about them, a lower one is true and makes
// comparisons cheaper. What works on their bits takes them apart and composes
// them again (Bits, Compose). Division follows XLA; costs for n = 2, bits sent
// by each party of one element and rounds:
//
//	quotient by a secret       32 bits: 652 bits, 20 rounds, 10887 dealt
//	                           64 bits: 1461 bits, 23 rounds, 51935 dealt
//	quotient by a public one   32 bits: 213 bits, 12 rounds (unsigned 103, 7)
//	shift by a secret          32 bits: 271 bits, 6 rounds
//	and, xor                   64 bits: 372, 244 bits, 5, 4 rounds
//	bits set, leading zeros    64 bits: 154, 346 bits, 4, 7 rounds
//
// Comparisons of floats are exact on what is encoded if both have one scale
// and neither was truncated before; a boolean becomes a float without fraction
// bits, so that products with it are not truncated.
package fxp
