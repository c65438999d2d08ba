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
// Truncations are to within half a unit in the last place for each party
// (n/2 units for n parties), unbiased; see the protocols for their costs.
// Magnitudes of 2^(k−2) units and more do not fit: inputs beyond are refused
// where they are read, ±Inf in public values saturates to ±(2^(k−2) − 1) units
// and NaN becomes 0. Intermediate results that leave the range wrap.
//
// Secret integers have a ring of their own type's width, scale 0, and are exact
// modulo 2^bits.
package fxp
