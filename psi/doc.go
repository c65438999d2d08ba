// Package psi intersects two parties' sets of keys (private set intersection).
//
//	out, err := psi.Run(ctx, psi.Spec{Parties: []string{"alice", "bob"}, Keys: [][]psi.Key{alice, bob}})
//	// Alice's row out.Rows[0][i] and Bob's row out.Rows[1][i] have the same key
//
// Both parties learn which of their own keys are common, and nothing about the other keys of the other party but
// their number. A Key is 128 bits of a hash (package table hashes columns). Method VOLE has a dealer; ECDH has none.
// A hidden join (RunHidden) shows neither party which rows match, nor how many: one party, the keeper, keeps its rows and their
// order, and both get shares of the other party's columns in that order.
//
// # VOLE
//
// F is GF(2^64), K = F² a vector space over F. A dealer makes a vector oblivious linear evaluation (VOLE) of length
// m: the receiver has A in F^m and C in K^m, the sender D in K and B = A·D + C. The OKVS (oblivious key-value
// store) of the receiver's keys X is P in F^m with Decode(P, x) = H(x) for all x in X (random-band matrix, Bienstock,
// Patel, Seo, Yeo, eprint 2023/903). The protocol is that of Raghuraman and Rindal (eprint 2022/320) with a VOLE of
// a subfield:
//
//	seed       receiver → sender   the session's hash seed, drawn before the receiver looks at its keys
//	encoding   receiver → sender   A' = P + A
//	values     sender → receiver   F(y) = Ho(Decode(B + A'·D, y) + H(y)·D) for all y in Y, in a random order
//	matches    receiver → sender   one bit for each value: whether it is F(x) = Ho(Decode(C, x)) for an x in X
//
// Decode is linear and B = A·D + C, so that Decode(B + A'·D, x) = Decode(C, x) + H(x)·D for x in X. Ho is SHA-256 of
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
//
// # Hidden join
//
// The keeper has n_x rows, the other party n_y. The result, as additive shares over Z_2^64 or Z_2^128, is for each row of the
// keeper its weight, One if the other party has a row of the same key and 0 otherwise, and the elements of that row in the other
// party's columns, zeros without one. The protocol is a circuit PSI by a programmable oblivious function (Pinkas, Schneider,
// Tkachenko, Yanai, eprint 2019/241; Rindal and Schoppmann, eprint 2021/266) with a dealer:
//
//	seed      keeper → other   the session's hash seed, drawn before the keeper looks at its keys
//	encoding  keeper → other   A' of VOLE, for one key of each slot of a cuckoo table
//	hints     other → keeper   an OKVS: key y and a slot s of y ↦ r_s − F(s, y) (64 bits), π(y) − u_s − F'(s, y) (32 bits)
//	equal     both             v_s − r_s + λ_s, then the number of bits in which it and λ_s differ, plus μ_s, modulo 128
//	places    both             p_s + u_s − z_s + σ_s, b_s ⊕ ρ_s; then other → keeper: its share of z_s + b_s·(p_s + u_s − z_s)
//	order     keeper → other   δ, an order of all N places
//	rows      other → keeper   T∘δ + R, column by column
//
// The cuckoo table has three parts and one hash function for each; a row lies at one of its three slots, m slots in all, and
// empty slots have random keys. F and F' are parts of Ho of VOLE, at the key and the number of its part. The other party
// draws an order π of N = n_y + m places, for its rows and for m rows of zeros, and for each slot a tag r, a mask u and z =
// π(row of zeros s). The keeper decodes v and p from the hints. b = [v = r] is shared modulo 2: the dealer deals the bits of
// λ modulo 128 and the table of μ, the one bit at μ of 128. ρ and ρ·σ are dealt in Z_2^32, so that b·x = f·x + (1 − 2f)·ρ·x with
// f = b ⊕ ρ. The keeper learns one place for each slot: π(y) if the slot's key matches y, else that of the slot's row of zeros.
// It asks for rows by δ with δ∘q = the places of its rows, then all others, where q is a random order and R are masks of the dealer,
// which deals shares of R∘q. T has the other party's rows at their places.
//
// What each party sees, with the dealer and the random oracles as above:
//
//   - The keeper sees hints, v and p: F(s, y) is random to it unless the slot's key is y, and then r_s and u_s are fresh, so that
//     all values of the OKVS, and v and p, are uniform. Masked numbers are uniform because the other party's share of λ, μ, ρ
//     and σ is. Places are those of distinct rows, one for each slot whether it matches or not, in an order that only the other
//     party knows: a uniform choice of distinct places. The share that it receives with them follows from them and from what the
//     keeper has. Rows are masked by R.
//   - The other party sees A' and masked numbers, which are uniform, as the keeper's shares of their masks are; and δ, a uniform
//     order since q is one. Its shares of R∘q are uniform, since the keeper's are.
//   - The dealer sees n_x, n_y, the number of columns and the ring, and no message between the parties.
//
// All numbers that are drawn or dealt serve one join. With one π, equal places in two joins would show a match. Keys must
// be distinct, or places would repeat. Weights and columns stay shares; a later step that multiplies rows by their weights leaves
// rows that do not match out. Times depend on secrets as above: a party's cuckoo table and its look-ups in rows of its own.
//
// With Hidden.Both, as a full outer join needs it, the protocol then runs in the other direction without columns: the other party keeps
// its rows, and both parties get shares of their weights. Nothing that is drawn or dealt serves both, and numbers of rows are all that
// is shown.
//
// A join fails, or has a wrong row, with probability 2^-HiddenFailureBits, 2^-40 at most: keys have no places (2^-44), one
// of two band matrices is singular, tags that differ are equal, or hashes of the oblivious function collide (2^-64 for each
// slot and each key of a slot).
//
// Costs: m = 1.27·n_x from 4096 rows on, else 2·max(n_x, 512); 8 rounds. The keeper sends 16 + 8·(⌈1.1·m⌉ + 256) + 13⅛·m + 4·N
// bytes, the other party 12·(⌈3.3·n_y⌉ + 256) + 17⅛·m + 8·N for the weight and for each column (16·N over Z_2^128). Dealt are
// 16·(⌈1.1·m⌉ + 256) + 88·m + 8·n_x for the weight and for each column. With as many rows on both sides and one column this is 135 bytes
// a row online and 150 dealt, and 18 and 8 for each further column.
package psi
