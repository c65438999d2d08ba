// Package semi2k is a protocol for n ≥ 2 computing parties over rings Z_2^k. It is secure against semi-honest
// parties, up to n − 1 of them colluding, with a dealer of correlated randomness that sees no data and colludes
// with no party: whoever runs the dealer together with a computing party can read the other parties' inputs. All
// computing parties run the same code; rank 0 adds public constants.
//
// Definitions, lemmas, proofs, papers and costs: docs/protocols/README.md and the pages that it lists. The
// comments of this package say how the code is laid out and which rules keep it secure.
//
// # Representation
//
// A secret vector x has one or more of three forms (type share):
//
//   - Additive: x = Σ x_i mod 2^k, party i holding x_i.
//   - Masked: Δ = x + λ mod 2^w is known to all computing parties; the dealer knows λ, and the parties hold
//     additive shares of λ. "x is open" means that it has this form.
//   - Polynomial in masks (type poly): coefficients that all computing parties know times products of functions
//     of masks. Selections and products of open operands have this form. It stays symbolic until a share of it is
//     needed.
//
// An owner's input has the masked form from the input phase on: λ is a stream of the seed that the owner shares
// with the dealer, so the owner sends Δ, and no opening is needed later. Public linear maps of masked vectors are
// masked. A nonlinear use of a vector without masked form opens it, once, and all later uses read the same Δ.
// Instead of a vector, the operands of the linear map that made it are opened where they have fewer elements:
// overlapping tiles, repeated elements (image.go).
//
// In formulas [p] is the bit that is 1 if p holds and 0 otherwise. A secret bit is a vector over Z_2: its additive
// shares are XOR shares, its masked form is a masked bit. Results of comparisons and AND gates are additive, so
// XORs, negations and views of them cost nothing. An operation that needs the masked bit opens it: one bit, one
// round.
//
// # Protocols
//
// Comparison, selection and truncation are masked-value protocols (docs/protocols/bits.md,
// docs/protocols/arithmetic.md): look-ups of digits in dealt thermometer tables, wide AND gates on masked bits,
// selection as polynomial in masks, truncation by the wrap count of the parties' top bits (the one-bit correction
// for two parties, generalised to n). Bilinear operations are Beaver's triples (CRYPTO '91) in the form of
// openings that are kept and reused.
//
// The result of comparing a vector with a public constant, or with another vector, is memoised with the vector as
// a bit that is opened at most once (threshold.go). A ReLU, its gradient, x > 0, 0 < x and max(−x, 0) make one
// comparison between them; x ≥ 0 adds an equality to it; a selection by a memoised bit opens only the difference
// that it selects. The same holds for the maximum of a pair and comparisons of that pair in either order.
//
// The one-hot vector of a secret index is the one-hot vector of its mask, which the dealer shares, rotated by Δ.
// A look-up in a masked table, and a scatter, subtract one row of a dealt rotated mask (index.go).
//
// Costs per element for n = 2, k = 64, f = 18: bits sent online to each other party, rounds, bits dealt. "Dealt"
// is what the dealer sends. The rows follow from testdata/costs.txt, but for AND
// (docs/protocols/bits.md#wide-and), x ≤ c (TestComparedOnce bounds its bits), indices (TestIndexCosts),
// compare-exchange (TestSwap) and sort (testdata/sorts.txt).
//
//	open                          k bits, 1 round (long messages of n ≥ 3 parties: 2k/n bits, 2 rounds)
//	x < 0, w = 64                 32 bits, 3 rounds, 356 bits dealt
//	x = 0, w = 64                 7 bits, 2 rounds, 453 bits dealt
//	x < y, whole 32-bit range     49 bits, 3 rounds, 423 bits dealt
//	x ≤ c, if x < c is known      7 bits, 2 rounds, 441 bits dealt (|x| < 2^62)
//	AND of 4 bits                 4 bits, 1 round, 11 bits dealt
//	bit decomposition of 32 bits  39 bits, 2 rounds, 194 bits dealt
//	bit decomposition of 64 bits  90 bits, 3 rounds, 447 bits dealt
//	bit composition of 64 bits    64 bits, 1 round, 2079 bits dealt
//	exact ⌊x/2^5⌋ of 32 bits      18 bits, 3 rounds, 267 bits dealt
//	truncate, additive            1 bit, 1 round, 18 bits dealt
//	truncate, masked              0 bits, 0 rounds, 36 bits dealt
//	truncate-reduce               0 bits, 0 rounds, 0 bits dealt
//	look-up in 8 masked rows      0 bits, 0 rounds, 960 bits dealt (448 in a public table)
//	scatter to 8 rows             0 bits, 0 rounds, 960 bits dealt
//	compare-exchange              96 bits, 4 rounds, 484 bits dealt
//	sort of 10,000 rows           327 bytes, 42 rounds, 1839 bytes dealt a row: expected values, 62-bit key
//	ReLU of a product             133 bits, 5 rounds, 398 bits dealt, rescaled and open for the next product
//	product of masked operands    0 bits, 0 rounds, 64 bits dealt
//
// # Functions
//
// Real functions (docs/protocols/functions.md) are sums of public values times dealt values; none approximates by
// products of secrets. Three facts make that possible:
//
//   - If every party drops the low t bits of its share modulo 2^K, or modulo 2^q − 1, the results are shares of
//     the rounded value modulo 2^(K−t): the number of wraps, which no party knows, is multiplied by the smaller
//     modulus. So values are dealt in a wide enough ring, and their truncation sends nothing. The result is off by
//     less than n/2 units.
//   - A table is a trigonometric polynomial (package fourier). Its argument is scaled so that the polynomial's
//     period is the ring's size; then x = Δ − λ modulo 2^k is a phase, and no borrow is needed. By the addition
//     theorem the value is a sum of sines and cosines of Δ, which are public, times dealt sines and cosines of λ.
//   - 2 has order q modulo 2^q − 1, so 2^e is a mantissa times a rotation of a word, with the integer part of e
//     read modulo q; 2^(Δ−λ) is a public such number times a dealt one.
//
// An exponential is the third fact with comparisons for its clamps; the clamps select before low bits are
// dropped. Sigmoid, tanh and the like are the second fact between two comparisons: the table's value is opened in as
// few bits as it has, and multiplied by the comparisons' bits (docs/protocols/look-ups.md). For logarithms, powers and
// quotients the position circuit finds the leading hexadecimal digit of x (position.go), u = |x|/16^place in
// [1, 16] is opened, and log2 u is a table (with places to radix 4, u in [3/4, 4] and half the table where the total cost
// is minimised); a power opens its exponent and takes an exponential of it. Softmax
// subtracts the logarithm of the denominator in the exponent. Layer normalisation multiplies by a power as a
// quotient does: y enters Z_(2^q−1) by the top bit of its mask. The protocols were worked out for this project.
// They build on Beaver's circuit randomisation (CRYPTO '91), with a dealer in place of triples, and on the
// fixed-point functions of Catrina and Saxena (FC '10). docs/functions.md has all costs and errors. Some, per
// element, for n = 2 and k = 64, the opening of the argument included:
//
//	exp                               128 bits, 4 rounds
//	sigmoid, tanh, gelu, silu         119 bits or less, 4 rounds; 150 bits or less, 6 rounds, with the fewest dealt bits
//	1/x, √x, 1/√x                     171 bits, 6 rounds; 188 bits with the fewest dealt bits
//	log                               139 bits, 5 rounds; 186 bits, 6 rounds, with the fewest dealt bits
//	y/x, x of any sign                256 bits, 6 rounds
//	sin and cos                       64 bits, 1 round
//	softmax, rows of 128              170 bits, 22 rounds; 196 bits, 39 rounds, with the fewest dealt bits
//	layer normalisation, rows of 128  66 bits, 7 rounds
//
// # Sorting
//
// Rows are shuffled and then sorted by comparisons whose results are revealed to all computing parties (sort.go,
// shuffle.go, pool.go; docs/protocols/sorting.md). The messages between parties therefore depend on a random
// order, and the plan's numbers are expected values; the correlations are exactly those of the plan. Three pivots,
// and all pairs of at most eight rows, send the fewest bytes among the variants of few rounds; comparing all pairs
// as soon as that takes one comparison a row saves a fifth of the rounds. The pool of comparisons is meant to be
// exhausted in less than one sort in 2^40 (sortpool.go says what of that is proved); then the run ends with an
// error. Whether that happens depends on the random order only.
//
// # What each party sees, and why that reveals nothing
//
// Lemmas and proofs: docs/protocols/README.md#security-argument.
//
// Long openings of more than two parties use reduce-scatter and all-gather: each party adds up a part of the
// elements and sends the sum to all others (openSum), so that what a party sends does not grow with n. Each party
// sees less than if all parties sent everything to all.
//
// A computing party sees
//
//   - its seed and, the last party, corrections: dealt values minus the other parties' streams;
//   - opened values: Δ, masked bits, masked counts (of differing digits modulo 2^s, for equality) and masked wrap
//     bits. Each is a secret plus a mask that was made for this opening alone, and at least one honest party's
//     share of that mask is uniform and unknown to the other parties;
//   - the shares that Reveal, RevealToComputing and RevealTo send.
//
// In order of time each opened value is a function of inputs and earlier values plus a fresh uniform mask. So
// for fixed inputs the transcript is uniform, and the view of any n − 1 parties can be simulated from their
// inputs and outputs. Uniformity is exact but for corrections over Z_(2^q−1), q ≥ 96, which are within a
// statistical distance of 2^−q an element of uniform (ring.PRG.Vec). A mask cannot be used twice: opening makes
// its own mask with a fresh id; only inputs, public linear maps and shifts of shares and Δ (Party.coarse) make
// masked forms otherwise, and with these nothing more is opened; and the source refuses an id that it gave
// before. A share that leaves without a mask, in Reveal, RevealToComputing and RevealTo, first gets a sharing of zero from
// seeds that each two computing parties have in common and the dealer lacks. A value that a program reveals
// before its end is known to all computing parties, or to one of them, and not to the dealer.
//
// A sort reveals more, none of which depends on the rows:
//
//   - In a shuffle a party receives Δ permuted by the parties before it, plus an addend of each. To all parties
//     but the one that drew them, permutation and addend are uniform. So the last party's message is a freshly
//     masked vector in an order that no n − 1 parties know.
//   - Comparison results are revealed, with a sharing of zero. Items differ in their last digit, the row's place,
//     so no two are equal, and after the shuffle their order is uniform whatever the keys are. A simulator draws an
//     order. The last digit serves nothing else: later operations use other columns of the same shuffle, gathered
//     as additive shares.
//   - The dealer knows all parties' permutations. It is asked for a pool of comparisons whose size follows from
//     the number of rows, and all of the pool is taken, used or not. The dealer sees neither which pairs are
//     compared nor how many. Even if it did, the permutation κ, which it lacks, makes the pairs independent of the
//     permutations that it knows.
//   - Each entry of a pool serves one comparison: batches take consecutive parts of it.
//
// (TestSortTellsNothing, TestSortAsksAlike, TestPoolServesOnce.)
//
// # Rounding
//
// Truncate, TruncateReduce and all functions round by dropping the low t bits of shares
// (docs/protocols/arithmetic.md#rounding). The coin of a rounding is the carry out of the low bits of all shares:
// x is rounded to ⌊x/2^t⌋ or the next integer for n = 2, to one of n + 1 integers for n > 2. The computed function
// is "round with a uniform dither", whose distribution depends on x alone. The error is below n/2 units. Its mean
// is −(n−2)/2^(t+1) of a unit: zero for n = 2, −1/4 for n = 3 and t = 1, −2^−19 for n = 3 and t = 18. A multiple
// of 2^t is exact for n = 2 and not for n ≥ 3. What each participant knows of the dither:
//
//   - The dealer knows every dealt share and every mask, and so all shares that the gates make for a candidate
//     input. It knows nothing of the dither, because the low bits of all shares first get a sharing of zero from
//     seeds that the dealer lacks (coin.go, which bounds two exceptions). A published result therefore tells the
//     dealer what it tells everybody. This holds for n = 2 and an outside dealer as well.
//   - Computing party i knows ρ_i, the low bits that it drops; they are uniform. For n = 2 they are the whole
//     dither: for each candidate input the party can compute how its own result would have been rounded. For n > 2
//     they shift the mean of the rounding by up to half a unit; the rest of the dither is unknown to fewer than
//     n − 1 parties. That is harmless: the dither is independent of all inputs, and the ideal functionality hands
//     ρ_i to computing party i.
//   - Input parties know nothing of the dither.
//
// The value before a rounding is not exactly the function's value: tables, mantissas and exponents are rounded to
// a few bits beyond the result (precision.go), as functions of Δ and of λ separately. For a candidate input the
// dealer can compute by how much the probability of rounding up differs from the ideal one
// (docs/protocols/functions.md#what-the-dealer-can-compute-of-rounding has the proved bounds). For a Fourier table
// of N harmonics at 18 fraction bits, rounding the coefficients contributes up to about N/256 of a unit in the
// worst case (0.08 for N = 20), with a standard deviation of about 1/200; in a table of short words up to N/64 of a
// unit, with a standard deviation of about 1/50 for N = 20, so that a published result tells the dealer less than 0.002 bits
// more than others (TestShortWordsTellLittle); for an exponential 2^−27 of the result is a safe bound (2^−30 is proved).
// Where a fuzzy comparison may be wrong, the two values of which λ chooses one differ by up to a unit; where a place to
// radix 4 is rough or a row's maximum fuzzy, they differ by the errors of the table, or of the exponentials' mantissas.
//
// A rejected alternative truncates a masked value from Δ and dealt shifted masks, which is local as well. Its coin
// is [Δ mod 2^t < λ mod 2^t], which the dealer can compute for each candidate, and no local step changes it, as it
// is a function of Δ and λ. So a masked value is extended to a ring of t more bits, which takes fewer dealt bits
// (2t instead of k + t), and truncate-reduced from there. The price is that the result is no polynomial in masks:
// an elementwise product opens it. That adds no byte to any of the project's programs. FloorReal and Floor, which
// subtract the borrow, have no coin.
//
// (TestCoinsAreNotTheDealers, TestShortWordsTellLittle.)
//
// # What functions open
//
// Functions open nothing of another kind:
//
//   - Narrow openings (u in 27 bits, an exponent in 32) are truncate-reduced shares, opened as any other vector,
//     under a fresh mask of the narrow ring. The opened number is uniform; the rounded value depends on the dither,
//     as in a truncation.
//   - The position circuit selects products of masked bits by the digits of Δ, which the computing parties know
//     and the dealer must not learn. So the products for all cases are dealt, and the selection is a coefficient
//     (xorpoly.go). No message depends on it, in size or presence.
//   - Dealt sines, powers of two and their products with mask bits are shares of functions of masks alone. They
//     are never opened: values computed from them leave a party under masks of their own. So a normalisation is
//     kept with the masked form and serves every function of it, as digit tables do.
//   - Public coefficients are computed in integers (package fixed), the same bits on every machine. One differing
//     bit would make a result noise, as coefficients multiply uniform shares.
//
// Shares that are kept for later, at the end of a session or in a checkpoint, are the party's own additive shares
// and leave no party. A later session opens them under masks of its own
// (docs/protocols/arithmetic.md#kept-shares).
//
// The dealer sees correlation requests (package correlation), which are made while the graph is built and cannot
// name an opened value.
//
// # Rules of composition
//
// The argument above needs nine rules. The table names the type or check that enforces each rule and the test that
// fails if the rule is broken; TestMutations breaks each rule and expects its test to fail.
//
//		rule                              enforced by                test
//		1 public is not opened            flow values, requests      TestPublicIsNotOpened
//		                                  (correlation.Request)      TestRequestsHoldNoValues
//		2 open makes its own mask         openAll, openBits;         TestMaskOpensOneValue
//		                                  sources' ErrSpent          TestIDsAreUnique
//		3 a mask opens one value          share.masked, maskKept     TestOpenOnce
//		4 what leaves is re-randomised    type outgoing              TestOnlyOutgoingLeaves
//		                                  Party.rerandomised         TestRevealIsRerandomised
//		                                  coin.go                    TestCoinsAreNotTheDealers
//		5 rounding is centred             centred, bias              TestMultiplesStayExact
//		6 a value is rounded once         share.coin                 TestRoundedOnce
//		7 modulus belongs to a share      package ring's panics      TestModulusBelongsToShares
//		8 magnitudes fit                  newShare, maskedPoly,      TestMagnitudesFit
//		                                  comparison.check
//		9 a dealer hears nothing online   Party.others               TestDealerHearsNothing
//
//	 1. The dealer may know public values only. Opened values are the contents of flow values, which do not exist
//	    yet when requests are made: no value is read where a graph is built, and no request is made in a step, which
//	    reads values. A sort builds steps while the graph runs and uses correlations that were requested before
//	    (pool.go). A request has no field for a value, and manifests and messages are the same for all secrets
//	    (TestFunctionMessages).
//	 2. A masked form comes from open and openBits, which take a new id each time, from inputs, or from a linear map
//	    of masked forms. Sources refuse an id that was used, and seeds are drawn for each session (package party).
//	 3. A dealt share may be used many times; a mask opens one value. Tables, monomials and normalisations are kept
//	    with the masked form that they belong to. TestOpenedUniform and TestFunctionsOpenUniform detect a mask that
//	    opens two values (TestReusedMaskIsSeen).
//	 4. Shares that leave without a mask are re-randomised: Reveal, RevealToComputing and RevealTo send the type outgoing,
//	    which rerandomised alone makes. Shares are re-randomised before low bits are dropped, too.
//	 5. Shares need not be uniform; an input's are not. So rounding is centred by an offset of each party
//	    (truncateReduceInto, Truncate), and operations are tested on masked and on additive operands.
//	 6. A value is rounded once: a share keeps its additive form, and its masked form is opened from that form
//	    (Party.additive, open). The id of a rounding's sharing of zero is kept with the share, so TruncateReduce and
//	    Truncate by one amount round alike, however often they are called. A masked value is truncated from its
//	    masked form, with an id kept for that form. Package fxp keeps results, so a value has one of the two.
//	 7. Modulus and scale belong to a share: package ring panics where rings differ and where a drop of low bits has
//	    no room; package fxp keeps scales.
//	 8. Magnitudes are below 2^(k−2): larger inputs are refused or saturate (package fxp), and newShare caps bounds
//	    there. A difference of two such values has one bit more and is compared with that bit (difference,
//	    lessThanConst; TestFunctions and TestSpecialRows test the ends of the ring). A value that is extended must have its slack bit, and a
//	    comparison must read as many bits as its operand's bound asks for; both panic otherwise. Shares cannot show
//	    whether values stay within capped bounds; package fxp is responsible for that.
//	 9. A dealer receives nothing online. A dealer that is itself a party (Config.Dealer, package aby3) shares its
//	    inputs under masks of which each computing party knows its own part only, and learns what Reveal sends it.
package semi2k
