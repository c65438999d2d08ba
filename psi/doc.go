// Package psi intersects two parties' sets of keys (private set intersection).
//
//	out, err := psi.Run(ctx, psi.Spec{Parties: []string{"alice", "bob"}, Keys: [][]psi.Key{alice, bob}})
//	// Alice's row out.Rows[0][i] and Bob's row out.Rows[1][i] have the same key
//
// Both parties learn which of their own keys are common, and nothing about the other keys of the other party but
// their number. A Key is 128 bits of a hash (package table hashes columns).
//
// # Protocol
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
// # Failures
//
// Encode fails if the band matrix is singular, with probability FailureBits: 2^-54 for 2^20 keys, by a law that is
// fitted to narrow bands and extrapolated, as the paper's is. The run then ends with an error; the seed is not drawn
// again. A key that is not common counts as common with probability 2^-40 at most: values have 40 + log2(n_x·n_y)
// bits or more, and H(y) has 64, so that sets have at most MaxKeys keys.
//
// # What each party sees
//
// Parties and dealer are semi-honest, and the dealer colludes with neither party. Ho is a random oracle.
//
//   - The sender sees A', which is uniform since A is, and the bits of the matches: which of its keys are common.
//   - The receiver sees F(y) for all y in Y. For y in X it can compute F(y) itself. Otherwise Decode(P, y) ≠ H(y) but
//     for probability 2^-64, so F(y) = Ho(Decode(C, y) + D·d) with d ≠ 0, and D is uniform in 128 bits: F(y) is random
//     to the receiver. The order of the values is random and independent of the sender's rows.
//   - The dealer sees m, hence the number of the receiver's keys, and no message between the parties. With the
//     sender's view it would know P, with the receiver's view D; either lets it test guesses of the other party's keys.
//     A dealer that one of the parties runs therefore breaks the protocol.
//
// Sizes of all messages follow from the numbers of keys alone. Numbers of keys are public, and so is the number of
// matches as soon as a later step has its shape. D serves one session. Running times are not constant: solving the
// band matrix, the search for matches, and multiplication by D with tables of 256 entries depend on secrets of the
// party that does it.
//
// # Costs
//
// m = ⌈1.1·n_x⌉ + 256. Online 16 + 8·m bytes from the receiver, 10·n_y or 11·n_y from the sender, n_y/8 from the
// receiver; 3 rounds. 16·m bytes are dealt. For equal sizes this is 18.9 bytes an item online and 17.6 dealt. The
// smaller set is the receiver's.
package psi
