// Package semi2k is the protocol for two or more parties, semi-honest, any
// number of them but one colluding, with a dealer that sees no data and
// colludes with nobody. Rings Z_2^k; all n computing parties are alike.
//
// # Representation
//
// A secret vector x is shared additively, x = Σ x_i mod 2^k (form "additive"),
// and may have a masked form: Δ = x + λ mod 2^w is known to all computing
// parties, λ is shared additively, and the dealer knows it. Owners' inputs are
// born masked: λ comes from the owner's seed with the dealer, who thus sends
// Δ and needs nothing opened later. Public linear maps carry the masked form
// along. The first nonlinear use of a vector without one opens it, once; all
// later uses read the same Δ. The third form, poly, is a polynomial in masks
// with opened coefficients (results of selections and products); it stays
// symbolic until a share of it is needed.
//
// A secret bit is a vector over Z_2: its additive shares are XOR shares, its
// masked form a masked bit. Results of comparisons and gates are additive, so
// that XORs, negations and views of them cost nothing, and are opened by what
// needs them: one bit, one round.
//
// # Protocols
//
// Comparison, selection and truncation follow the masked-value protocols of
// this project's design: digit look-ups in dealt thermometer tables, wide AND
// gates on masked bits, selection as polynomial in masks, truncation by the
// wrap count of the parties' top bits (a generalisation to n parties of the
// one-bit correction for two). Bilinear operations are Beaver's triples
// (Crypto '91) in the form of openings that are kept and reused.
//
// Costs per element for n = 2, bits sent to each other party online, and
// rounds (k = 64, f = 18):
//
//	open                       k bits, 1 round
//	less than zero, w = 64     32 bits, 3 rounds, 356 bits dealt
//	equal, w = 64              7 bits, 2 rounds, 453 bits dealt
//	less, whole 32-bit numbers 49 bits, 3 rounds, 423 bits dealt
//	AND of 4 bits              4 bits, 1 round, 11 bits dealt
//	bits of 32, of 64          39, 90 bits, 2, 3 rounds, 194, 447 bits dealt
//	numbers from 64 bits       64 bits, 1 round, 2080 bits dealt
//	exact ⌊x/2^3⌋ of 32 bits   18 bits, 3 rounds, 243 bits dealt
//	truncate                   1 bit, 1 round, 18 bits dealt
//	drop                       nothing
//	ReLU of a product          133 bits, 5 rounds, 398 bits dealt,
//	                           truncated and open for the next product
//	product of masked values   nothing, 64 bits dealt for each result
//
// # What each party sees, and why that reveals nothing
//
// A computing party sees: its seed and (the last one) corrections, which are
// dealt values minus other parties' uniform shares; opened values Δ, masked
// bits, masked counts (of differing digits, modulo 2^s, to tell equality) and
// masked wrap bits, each of which is a secret plus a mask that was
// made for this opening alone, of which at least one honest party's part is
// uniform and unknown to the others; and the shares that Reveal sends. In
// order of time each opened value is a function of inputs and earlier values
// plus a fresh uniform mask, so for any fixed inputs the transcript is exactly
// uniform, and any n−1 parties' view is simulated from their outputs. Masks
// cannot be used twice: opening makes its own mask with a fresh id, there is no
// other way to a masked form but input and public linear maps, and the source
// refuses an id that it gave before. Shares that leave without a mask, at
// Reveal, first get a sharing of zero from seeds that every two computing
// parties have in common and the dealer lacks.
//
// The dealer sees requests (see package correlation), which are made while the
// graph is built and cannot name an opened value.
package semi2k
