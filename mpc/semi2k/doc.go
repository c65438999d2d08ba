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
// along. The first nonlinear use of a vector without one opens it, once, or what
// linear maps made it of where that has fewer elements (image.go: overlapping
// tiles, what is repeated); all later uses read the same Δ. The third form, poly, is a polynomial in masks
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
// A comparison with a number, or of a pair, is kept with what was compared, as a
// bit that is opened once (threshold.go): a ReLU, its gradient, x > 0, 0 < x and
// max(−x, 0) make it once between them, x ≥ 0 beside them takes an equality, and
// a selection by it only opens what it selects. So does a pair's maximum with its
// comparisons either way round.
//
// A secret index is the rotation of a dealt one-hot by the opened Δ, and what it
// picks of a masked table, or places, one of a rotated mask's rows (index.go).
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
//	open                       k bits, 1 round (long messages among n ≥ 3:
//	                           2k/n bits, 2 rounds)
//	less than zero, w = 64     32 bits, 3 rounds, 356 bits dealt
//	equal, w = 64              7 bits, 2 rounds, 453 bits dealt
//	less, whole 32-bit numbers 49 bits, 3 rounds, 423 bits dealt
//	less or equal, after that  8 bits, 0 rounds, 453 bits dealt
//	AND of 4 bits              4 bits, 1 round, 11 bits dealt
//	bits of 32, of 64          39, 90 bits, 2, 3 rounds, 194, 447 bits dealt
//	numbers from 64 bits       64 bits, 1 round, 2080 bits dealt
//	exact ⌊x/2^3⌋ of 32 bits   18 bits, 3 rounds, 243 bits dealt
//	truncate                   1 bit, 1 round, 18 bits dealt
//	truncate a masked value    nothing, 36 bits dealt
//	drop                       nothing
//	look-up of 1 in 8 by index nothing, 960 bits dealt, 448 if all know the table
//	placing of 1 in 8 by index nothing, 960 bits dealt
//	compare and exchange       96 bits, 4 rounds, 484 bits dealt
//	sort of 10,000 by 64 bits  327 bytes, 42 rounds, 1839 bytes dealt: expected
//	ReLU of a product          133 bits, 5 rounds, 398 bits dealt,
//	                           truncated and open for the next product
//	product of masked values   nothing, 64 bits dealt for each result
//
// # Functions
//
// Real functions are public numbers times dealt ones, without an approximation
// by products of secrets. Three facts make them:
//
//   - Shares modulo 2^K, or 2^q − 1, whose low t bits every party drops, are
//     shares of the rounded value modulo 2^(K−t): the wrap that nobody knows
//     became a multiple of the smaller modulus. So what is dealt is dealt in a
//     ring wide enough, and truncation is never sent. It is right to n/2 units.
//   - A table is a trigonometric polynomial (package fourier) whose period is
//     the ring's size: x = Δ − λ modulo 2^k is then a phase without a borrow,
//     and by the addition theorem sines of Δ, public, times dealt sines of λ.
//   - 2 has order q modulo 2^q − 1: 2^e is a mantissa and a rotation of a word,
//     and 2^(Δ−λ) a public one of a dealt one, e read modulo q.
//
// exp is the last with comparisons for its clamps, selected before bits are
// dropped; sigmoid and the like are the second between two comparisons. For
// logarithms, powers and quotients the position circuit finds the leading hex
// digit (position.go), u = |x|/16^place in [1, 16) is opened, and log2 u comes
// from a table; a power opens its exponent and is an exponential. softmax takes
// its quotient in the exponent, and layernorm multiplies by a power as division
// does: y enters Z_(2^q−1) by its mask's top bit. The protocols were worked out
// for this project; what they build on is Beaver's circuit randomisation (Crypto
// '91) with a dealer in place of triples, and Catrina and Saxena's fixed-point
// arithmetic (FC '10) for what a function of fixed-point numbers is to give.
// docs/functions.md has all costs and errors. Some, for n = 2, k = 64:
//
//	exp, sigmoid, tanh, gelu   128 bits, 4 rounds, argument included
//	1/x, √x, 1/√x              171 bits, 6 rounds
//	log                        139 bits, 5 rounds
//	y/x, x of any sign         256 bits, 6 rounds
//	sin and cos                64 bits, 1 round
//	softmax of rows of 128     176 bits, 22 rounds
//	layernorm of rows of 128   66 bits, 7 rounds
//
// # Sorting
//
// Rows are shuffled and then sorted by comparisons whose outcomes all computing
// parties learn (sort.go, shuffle.go, pool.go). The parties' messages then depend
// on a random order, by which a plan's are an expectation; everything that is
// dealt is as planned. Three pivots and all pairs of at most eight rows are the
// choice of least bytes among those of few rounds; to compare all pairs as soon
// as that takes one comparison a row saves a fifth of the rounds. What is dealt
// is enough but for one run in 2^40 (sortpool.go), and then the run ends with an
// error; which it does tells no more than the comparisons do.
//
// # What each party sees, and why that reveals nothing
//
// Long openings among more than two parties are scattered and gathered: each
// party adds up a part of the elements and tells all others the sum (total.go),
// so that what a party sends does not grow with n. Each party sees less than
// if all sent everything to all.
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
// Reveal and Disclose, first get a sharing of zero from seeds that every two
// computing parties have in common and the dealer lacks. What a program
// discloses, all computing parties know, and the dealer does not.
//
// A sort shows more, and none of it depends on the rows:
//
//   - In a shuffle a party sees Δ in an order of the parties before it, under an
//     addend of each. To all but the one who made them, order and addend are
//     uniform; so what the last party sends is a fresh masked form in an order
//     that any n − 1 parties do not know.
//   - Outcomes of comparisons are revealed, with a sharing of zero. Items differ in
//     their last digit, the row's place, so that no two are equal, and their order
//     as they lie after the shuffle is uniform whatever the keys are. A simulator
//     draws one. The last digit is not used on: what goes on are other columns of
//     the same shuffle, gathered as additive shares.
//   - The dealer knows all parties' orders. It is asked for a pool of comparisons
//     of a size that follows from the number of rows, and all of it is taken, used
//     or not; it sees neither which pairs are compared nor how many. Even if it
//     did, the order κ that it lacks makes them independent of the orders it knows.
//   - A pool's entry serves one comparison: batches take consecutive parts.
//
// (TestSortTellsNothing, TestSortAsksAlike, TestPoolServesOnce.)
//
// # Rounding
//
// Truncate, Drop and all functions round by dropping low bits of shares: the value
// x is rounded to ⌊x/2^t⌋ or the next number by a coin, the carry out of the low bits
// of all shares (for n > 2 to one of n + 1 numbers). The function that is computed is:
// round with a uniform dither, the same distribution for the same x. Who knows what of
// the dither:
//
//   - The dealer knows every dealt share and every mask, and so for every candidate
//     input all shares that the gates make. It knows nothing of the dither, because
//     the low bits of all shares get a sharing of zero first, from seeds that it lacks
//     (coin.go). If it also sees a published result, that tells it what the result
//     tells anybody. This holds for n = 2 and an outside dealer as well.
//   - Computing party i knows the low bits of its own share, which are uniform; with
//     n = 2 that is the whole dither: of its own results it can say, for each
//     candidate, which way it would have been rounded. The dither is independent of
//     all inputs, and the ideal function hands it to the computing parties. Fewer
//     than n − 1 of more than two parties know nothing of the coin.
//   - Parties that only share inputs and learn outputs know nothing of it.
//
// What is known of a value before it is rounded is not the value of the function
// alone, though: tables, mantissas and exponents are rounded to a few bits beyond the
// result (precision.go), Δ's part and λ's each for itself. For functions of package
// fourier that is up to 1/64 of a unit of 2^−18, for exponentials 2^−27 of the result. It
// depends on x and λ, and by as much the probability of rounding up that the dealer
// computes for a candidate differs from the ideal one.
//
// A masked value was once truncated from Δ and dealt shifted masks, which is local as
// well. Its coin is [Δ mod 2^t < λ mod 2^t], which the dealer knows for each candidate,
// and nothing local makes it another one: Δ and λ are what it is a function of. So a
// masked value is lifted into a ring of t bits more, which takes fewer dealt bits (2t
// for k + t), and dropped from there. What is lost is that the result was a polynomial
// in masks: an elementwise product opens it. In none of the project's programs that
// adds a byte. FloorReal and Floor, which take the borrow away, have no coin.
//
// (TestCoinsAreNotTheDealers.)
//
// # What functions show
//
// Functions open nothing of another kind:
//
//   - Narrow openings (u in 27 bits, an exponent in 32) are sharings whose low
//     bits are dropped, opened as any other vector, under a fresh mask of the
//     narrow ring. The number that is opened is uniform; what it was rounded to
//     depends on the dither, as truncation does.
//   - In the position circuit it is public, by the digits of Δ, which products of
//     masked bits are wanted. The dealer must not learn it, so the products of all
//     cases are dealt, and the choice is a coefficient (xorpoly.go). No message
//     depends on it, neither its size nor whether it is sent.
//   - Dealt sines, powers of two and their products with mask bits are shares
//     of functions of masks alone. They are never opened: what is computed from
//     them leaves under a mask of its own. So a normalisation is kept with the
//     masked form and serves every function of it, as digit tables do.
//   - Public coefficients are computed in integers (package fixed), the same on
//     every machine: one differing bit would make a result noise.
//
// Shares that are kept, or set aside in the middle of a run, are the party's own
// additive shares as it has them: they leave no party. Taken up in another session
// they are opened under that one's masks.
//
// The dealer sees requests (see package correlation), which are made while the
// graph is built and cannot name an opened value.
//
// # Rules of composition
//
// What the above needs, what type or check holds it, and the test that fails without
// that. TestMutations takes each away in turn and expects its test to fail.
//
//		rule                              place                        test
//		1 public is not opened            flow values, requests        TestPublicIsNotOpened
//		                                  (correlation.Request)        TestRequestsHoldNoValues
//		2 open makes its own mask         openAll, openBits;           TestMaskOpensOneValue
//		                                  sources' ErrSpent            TestIDsAreUnique
//		3 a mask opens one value          share.masked, maskKept       TestOpenOnce
//		4 what leaves is re-randomised    type outgoing                TestOnlyOutgoingLeaves
//		                                  Party.rerandomised           TestRevealIsRerandomised
//		                                  coin.go                      TestCoinsAreNotTheDealers
//		5 rounding is centred             centred, bias                TestMultiplesStayExact
//		6 a value is rounded once         share.coin                   TestRoundedOnce
//		7 modulus belongs to a share      package ring's panics        TestModulusBelongsToShares
//		8 magnitudes fit                  newShare, maskedPoly,        TestMagnitudesFit
//		                                  comparison.check
//		9 a dealer hears nothing online   Party.others                 TestDealerHearsNothing
//
//	 1. The dealer may know what is public. Opened values are the contents of flow
//	    values, which are not there yet when requests are made: no value is read where
//	    a graph is built, and no request is made in a step, where values are. A sort goes
//	    on while the graph runs, with what was asked for before (pool.go). A request has
//	    no field for a value, and forms and messages are the same for all secrets
//	    (TestFunctionMessages).
//	 2. A masked form comes from open and openBits, which take a new id each time,
//	    from inputs, or by a linear map of others. Sources refuse an id that was used,
//	    and seeds are drawn for each session (package party).
//	 3. Dealt shares may serve often, a mask opens one value: tables, monomials and
//	    normalisations are kept with the masked form that they belong to.
//	    TestOpenedUniform and TestFunctionsOpenUniform see a mask that does twice
//	    (TestReusedMaskIsSeen).
//	 4. What leaves without a mask is re-randomised: Reveal and Disclose send shares of
//	    a type that nothing else makes. So are shares of which low bits are dropped.
//	 5. Shares need not be uniform, as those of inputs are not: rounding is centred
//	    on each party (dropped, Drop, Truncate), and operations are tested on masked
//	    and on shared operands.
//	 6. A value is rounded once: a share keeps its additive form, and its masked
//	    form is opened from that one (share.own, open). Its coin is kept with it, so
//	    that Drop and Truncate by one amount round alike, however often. A value that
//	    is open is truncated from its masked form, by a coin kept for that; package fxp
//	    keeps results, so that a value has one of the two.
//	 7. Modulus and scale belong to a share: package ring panics where rings differ
//	    and where Drop has no room; scales are package fxp's.
//	 8. Magnitudes are below 2^(k−2): inputs saturate (fxp.Encode) and bounds are
//	    capped there (newShare). Differences of such values have a bit more, and are
//	    compared with it (difference, below; TestFunctions and TestSpecialRows at
//	    the ends of the ring). What is lifted must have its slack bit, and a comparison
//	    the bits of its operand: both panic else. That values keep within bounds that
//	    are capped, no share can show: it is package fxp's.
//	 9. A dealer receives nothing online. One that takes part (Config.Dealer, see
//	    package aby3) shares its inputs under masks of which each computing party
//	    knows its part only, and learns what Reveal tells it.
package semi2k
