// Package cheetah is a protocol for two parties, semi-honest, and nobody else: there is no dealer. Its name is that of
// the protocol of Huang, Lu, Hong and Ding (USENIX Security '22), whose setting it has. It computes with oblivious
// transfers (packages ot and pair) and does contractions by homomorphic encryption (package he) where that sends less.
// Lemmas, proofs, views and costs: docs/protocols/cheetah.md.
//
// # Representation
//
// x = x0 + x1 modulo 2^k, party i holding x_i; bits are shared by XOR. Linear maps act on shares. A vector that one
// party knows is that party's share, and the other one's is zero: an input of a computing party is not sent. The owner
// of such a vector is public, so products with it take one of the two cross terms only. A vector that both know is the
// share of rank 0.
//
// # Bits and elements
//
// All gates but contractions and slots use one primitive (crossing): a bit c of one party times a number d of the other
// one. The receiver of a
// random transfer sends δ = c ⊕ b, b its random choice; the sender sends e = d − (m1 − m0), m0 and m1 its random
// strings. Neither message needs the other, so the product takes one round, 1 + w bits for numbers modulo 2^w, and
// several numbers may share the bit and its transfer.
//
//   - Comparison, MSB, extension, floor: the carry of x0 + x1. Digits of two bits make a generate and a propagate bit by
//     five products, and a tree of fan-in 2 joins them (carry).
//   - Truncation and extension of bounded numbers: the carry is the OR of two top bits, one product (wrapped).
//   - Truncate-reduce and narrowing: no message.
//   - Selection: one product each way (choose). AND: the same over Z_2. B2A: one product.
//   - Products of numbers: bit planes of one party's share times the other's share modulo 2^(k−i). In small matrix
//     products and convolutions a bit multiplies a row (wideCrossing, two rounds).
//   - Bit decomposition: a prefix adder.
//   - All else is that of package derived: functions by Chebyshev series, sorting by a network.
//
// # Slots
//
// Products of many numbers that may be wrong in their low bits, exponentials, and functions by trigonometric tables are
// sums of products of a number that one party computes of its share with one that the other computes of its own
// (slotted). Party 1 encrypts, party 0 multiplies: the two messages are of the kinds that contractions send.
//
// # Contractions
//
// A matrix product or convolution of one party's x and the other's weights takes two messages (encrypted): x encrypted,
// a number in each coefficient of a polynomial, and the product masked. layout says which coefficients are elements and
// which results; plan chooses the layout with the fewest bytes, and transfers if they take fewer still. Results are
// right but for the low bits that the caller does not need (slack). Of two secrets x0·y1 and x1·y0 are such products.
//
// # Messages, and why no party learns anything
//
// Proof: docs/protocols/cheetah.md#security. The parties are P0 and P1. The protocol has the following messages and no
// others; each entry says what the receiver sees.
//
//   - Setup. All ↔ all: the terms of the job, and seeds for sharings of zero, one for each two parties.
//   - Offline. P0 ↔ P1: base transfers, trees and corrections of the extension, as packages ot and pair list them. They
//     depend on no input. Which transfers are made follows from the program.
//   - Offline, from a party that encrypts: a public key and switching keys, as package he lists them.
//   - Input of P0 or P1: nothing is sent.
//   - Input of an input party Pi. Pi → P1: x − r, r a stream of the seed of Pi and P0, which P1 lacks; so it is uniform.
//     P0 expands its share r from the seed, and nothing is sent to it.
//   - Online, from the receiver of a transfer: δ = c ⊕ b. The sender does not know b: δ is uniform.
//   - Online, from the sender of a transfer: e = d − (m1 − m0). The receiver knows m_b and not the other string, which
//     is pseudo-random: e is uniform. With several numbers for one bit each has its own bits of the strings.
//   - Online, from the party that encrypts (party 1, of slots): ciphertexts under its key, which are RLWE samples.
//   - Online, from the other one: c1 of a ciphertext to which an encryption of 0 was added, an RLWE sample. Both parties
//     know the seed of the mask, and only the sender of the response knows what it masks.
//   - RevealToComputing. P0 ↔ P1: a share plus a sharing of zero. Each party could compute the other one's message from
//     the value, its own share and the seed that both have: it sees the value alone. RevealTo sends one of the two messages.
//   - Output. P0, P1 → each party that learns: a share plus a sharing of zero. Two numbers that are uniform subject to
//     their sum, the output.
//
// Each transfer serves one bit (pair.ErrSpent); each number for the bit has bits of the strings that serve nothing else.
// So a party's view is simulated from its inputs and outputs. Sizes and order of messages depend on the program alone.
// Results are rounded with a dither that depends on the shares, so that a unit of the last place is random.
//
// TestMessagesAreUniform looks at what each party receives online, TestMutationsAreSeen runs it on protocols that leak,
// TestWhoTalks and TestSizesDependOnNothing hold messages to this list.
//
// # Costs
//
// Bits that both parties together send online, for one element. Each transfer takes 15 bits offline; a session with any
// takes 8 kB more there, 4 rounds, and 30 ms for 128 base transfers.
//
//	less, 64 bits              424    156 transfers    6 rounds
//	sign, 41 bits              262     98              6
//	equal, 64 bits             252    126              6
//	AND                          4      2              1
//	selection, 64 bits         130      2              1
//	B2A, 64 bits                64      1              1
//	extension, 46 to 64 bits    19      1              1
//	truncation by 18 bits       19      1              1
//	product, 64 bits, exact   4288    128              1
//	matrix product            by transfers 4160 each of the M·K·N products; 64·min(M, N)·K transfers each way; 2 rounds
//
// By encryption a contraction takes two rounds; plan counts its bytes (docs/protocols/cheetah.md#contractions).
//
// TestCosts has these numbers.
package cheetah
