// Package fxp implements fixed-point and integer arithmetic on secret tensors on top of package mpc's
// interface. It is written once and serves every protocol.
//
// # Terms
//
// f is the job's number of fraction bits. A value is at the fraction if its scale is f, and above the
// fraction if its scale is larger. Truncating and rescaling bring a value to the fraction. A public array is
// known to all parties; a local array is known to the party that the argument owner names (mpc.Staying
// included), and its elements are given by a function that is called at that party only. To open a value
// means to open its masked value (package mpc). A contraction is a sum of products before it is rescaled. The
// fine form and cotangents are explained under Precision: methods whose names end in Fine take values in the
// fine form, those that end in Guarded take cotangents with guard bits. The ordinal of a float is an integer
// such that floats of one type compare as their ordinals do (methods that end in Ordinals).
//
// Methods of Arith add steps to the graph by op and return at once. They work element by element, and their
// operands have one shape, unless their comments say otherwise. A bit is a boolean value, in Z_2; in formulas
// [p] is the bit that is 1 if p holds and 0 otherwise.
//
// # Scale
//
// A secret float x is shared as the integer x·2^scale. The scale belongs to the value: a product has the sum
// of its factors' scales, and a value is truncated only when an operation needs it (a further product that
// would not fit, a comparison, an output). A public factor that is a small integer times a power of two costs
// no scale. Any other public array gets as many fraction bits as make its largest element fill the fraction,
// so that small constants keep their precision.
//
// # Precision
//
// Roots and quotients use the bits that their operands have above the job's fraction f, as far as there are
// tables for those digits.
//   - Products of which a root is taken later, and products of products that are divided or divide, have the fine
//     form (fine.go): a scale of about 3f in a wider ring, also through public factors and loops. So √(Σx·y) is
//     right for x and y far below 2^−f, and over the whole range of values.
//   - Other dividends and divisors keep a scale of 2f. Contractions among them must be below 2^26, as every
//     contraction must; an elementwise product is taken in a ring in which it has the range of values.
//   - Cotangents whose gradients an optimiser divides by their own size have guard bits (cotangent.go):
//     elementwise operations produce them at a scale of f + 10 in a wider ring, and their contractions are
//     computed in two parts in the job's ring.
//
// A truncation is off by less than n/2 units in the last place for n parties. The error has mean zero for two
// parties (mpc.Core.Truncate gives the mean for more). The protocols' packages give its costs. With more than
// two parties, a value that only
// an exponential reads keeps guard bits. Results have f fraction bits for every number of parties.
//
// # Ranges
//
// A value must be below 2^(k−2) units in magnitude, k being the ring's width. Inputs beyond are refused where
// they are read; public values beyond saturate to half of that magnitude, and NaN becomes 0. A contraction (a
// dot, a convolution, a sum or chain of products before it is rescaled) must be below 2^(k−2) units at its
// own scale, hence 2^f times smaller.
//
// Package hlo/pattern bounds values from the program's text. A value that has no such bound and may not fit
// at a product's scale is added to the product, concatenated or compared with it, or selected against it,
// only once the product is rescaled. An elementwise product or a multiple by a public number that may not fit
// at its own scale is computed in a wider ring (range.go, Value.wide). Intermediate results that leave these
// ranges wrap.
//
// # Integers
//
// A secret integer of b bits lies in a ring of b bits at scale 0 and is exact modulo 2^b. It may use the
// whole ring. A bound of b − 2 or more states nothing about an integer; a lower bound is true and makes
// comparisons cheaper. Bitwise operations decompose integers into bits and compose them again
// (BitDecompose of mpc.Core, BitCompose of mpc.Compositions). Division follows XLA.
// docs/protocols/integers.md describes the protocols and gives costs that
// tests check; docs/functions.md has the measured costs of real functions.
//
// # Comparisons
//
// A comparison of floats is exact on the encoded integers if both have one scale and neither was truncated
// before. A boolean becomes a float without fraction bits, so that products with it are not truncated.
package fxp
