// Package psi intersects two parties' sets of keys (private set intersection).
//
//	out, err := psi.Run(ctx, psi.Spec{Parties: []string{"alice", "bob"}, Keys: [][]psi.Key{alice, bob}})
//	// Alice's row out.Rows[0][i] and Bob's row out.Rows[1][i] have the same key
//
// Both parties learn which of their own keys are common, and nothing about the other keys of the other party but
// their number. A Key is 128 bits of a hash (package table hashes columns). Method VOLE has a dealer; ECDH has none.
//
// # VOLE
//
// F is GF(2^64), K = F² a vector space over F. A dealer makes a vector oblivious linear evaluation (VOLE) of length
// m: the sender has D in K and B in K^m, the receiver A in F^m and C = A·D + B. The OKVS (oblivious key-value
// store) of the receiver's keys X is P in F^m with Decode(P, x) = H(x) for all x in X (random-band matrix, Bienstock,
// Patel, Seo, Yeo, eprint 2023/903). The protocol is that of Raghuraman and Rindal (eprint 2022/320) with a VOLE of
// a subfield:
//
//	seed       receiver → sender   the session's hash seed, drawn before the receiver looks at its keys
//	encoding   receiver → sender   A' = P + A
//	values     sender → receiver   F(y) = Ho(Decode(B + A'·D, y) + H(y)·D) for all y in Y, in a random order
//	matches    receiver → sender   one bit for each value: whether it is F(x) = Ho(Decode(C, x)) for an x in X
//
// Decode is linear and C = A·D + B, so that Decode(B + A'·D, x) = Decode(C, x) + H(x)·D for x in X. Ho is SHA-256 of
// the session's seed, the value and the key, cut to Lengths.Value bytes. Matching rows are in the order of the
// values, which is random.
//
// # ECDH
//
// H hashes keys to the group ristretto255 (RFC 9380, by circl). The receiver draws a secret scalar a and the sender b, for one
// session (Huberman, Franklin, Hogg, EC '99; semi-honest):
//
//	receiver   receiver → sender   a·H(x) for all x in X, in the order of X
//	sender     sender → receiver   b·H(y) for all y in Y, in a random order
//	values     sender → receiver   Ho(b·a·H(x)) for all x in X, in the same order as their points
//	matches    receiver → sender   one bit for each y: whether Ho(a·b·H(y)) is among the values
//
// Ho is SHA-256, cut to the same length as above. Messages have at most 4096 points or values each, so that both parties
// compute at the same time. A point that is not one of the group, or is its neutral element, ends the run with an error.
//
// # Failures
//
// Encode (VOLE alone) fails if the band matrix is singular, with probability FailureBits: 2^-54 for 2^20 keys, by a law that is
// fitted to narrow bands and extrapolated, as the paper's is. The run then ends with an error; the seed is not drawn
// again. A key that is not common counts as common with probability 2^-40 at most: values have 40 + log2(n_x·n_y)
// bits or more, and H(y) of VOLE has 64, so that sets have at most MaxKeys keys.
//
// # What each party sees
//
// Parties and dealer are semi-honest, and the dealer colludes with neither party. Ho, and H of ECDH, are random oracles.
// With VOLE:
//
//   - The sender sees A', which is uniform since A is, and the bits of the matches: which of its keys are common.
//   - The receiver sees F(y) for all y in Y. For y in X it can compute F(y) itself. Otherwise Decode(P, y) ≠ H(y) but
//     for probability 2^-64, so F(y) = Ho(Decode(C, y) + D·d) with d ≠ 0, and D is uniform in 128 bits: F(y) is random
//     to the receiver. The order of the values is random and independent of the sender's rows.
//   - The dealer sees m, hence the number of the receiver's keys, and no message between the parties. With the
//     sender's view it would know P, with the receiver's view D; either lets it test guesses of the other party's keys.
//     A dealer that one of the parties runs therefore breaks the protocol.
//
// With ECDH, where the decisional Diffie-Hellman problem is hard in ristretto255:
//
//   - The sender sees a·H(x), which are indistinguishable from random points since H(x) are random and a is secret, and
//     the bits of the matches.
//   - The receiver sees b·H(y), and Ho(a·b·H(x)). For y in X the two belong together. All others are indistinguishable from
//     random points and values. The order of the points is random and independent of the sender's rows.
//
// Sizes of all messages follow from the numbers of keys alone. Numbers of keys are public, and so is the number of
// matches as soon as a later step has its shape. D, a and b serve one session. Running times are not constant: solving the
// band matrix, the search for matches and for equal keys, and multiplication by D with tables of 256 entries depend on secrets of
// the party that does it. Multiplication of a point by a scalar takes constant time in circl.
//
// # Costs
//
// VOLE: m = ⌈1.1·n_x⌉ + 256. Online 16 + 8·m bytes from the receiver, 10·n_y or 11·n_y from the sender, n_y/8 from the
// receiver; 3 rounds. 16·m bytes are dealt. For equal sizes this is 18.9 bytes an item online and 17.6 dealt.
//
// ECDH: 32·n_x bytes and n_y/8 from the receiver, 32·n_y and 10·n_x or 11·n_x from the sender; 3 rounds, nothing dealt: 74.1
// bytes an item for equal sizes. Each party does n_x + n_y multiplications of a point, which take nearly all of the time.
//
// The smaller set is the receiver's.
package psi
