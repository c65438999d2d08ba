// Package aby3 is a protocol for three parties P0, P1, P2, semi-honest, of whom no two collude. It needs no outside
// dealer: P2 deals for P0 and P1. The setting is that of ABY3 (Mohassel and Rindal, CCS '18) and of Araki et al.
// (CCS '16); that the third party prepares what two of them use online is from ASTRA (Chaudhari et al., CCSW '19).
// The gates are those of package semi2k, between P0 and P1. Lemmas, proofs and costs: docs/protocols/aby3.md.
//
// # Representation
//
// Replicated sharing splits x into three addends, each of which two of the parties hold. Here one addend is a masked
// value:
//
//	x = Δ − λ0 − λ1        Δ: P0 and P1    λ0: P0 and P2    λ1: P1 and P2
//
// Any two parties hold all addends; each single party lacks one, which is uniform. For P0 and P1 this is semi2k's
// masked form, Δ = x + λ with λ = λ0 + λ1 shared additively. P2, which knows λ and never Δ, knows what semi2k's dealer
// knows. So P2 takes the dealer's place: λ0 and λ1 come from the seed that P2 shares with P0 and the one that it
// shares with P1, and what P2 deals (sharings of functions of masks) depends on masks alone and is sent before any
// input is known. Additive sharings of results stay between P0 and P1; a gate that needs the masked form opens it.
//
// # Messages, and why no party learns anything
//
// Proof: docs/protocols/aby3.md#security.
//
// The protocol has the following messages and no others. Each entry says what the receiver sees.
//
//   - Setup. P2 → each party: the seed that the two share, a stream of AES-CTR under a seed that P2 keeps, so that the
//     seeds cannot be distinguished from independent ones. P0 → P1: a seed for sharings of zero, which outputs and
//     roundings take, and a common seed for the permutations of sorts. P2 lacks both. (Every two parties get a seed for
//     sharings of zero; the others are not used.) All ↔ all: the terms of the job and the session's name, which are
//     public.
//   - Offline. P2 → P1: for each request of the correlation manifest a correction: a function of masks minus P0's
//     share of it, which is a stream of the seed of P0 and P2. P1 lacks that seed, so the correction is uniform to it.
//     P0's share is never sent. Requests, and so the number and sizes of corrections, follow from the program's text at
//     all parties (package correlation); P2 receives no request. P1 → P2: from time to time an empty message (a grant)
//     that permits P2 to send more bytes. Its time shows P1's progress, which depends on no secret (in a sort, on a
//     random order that P2 does not know).
//   - Input of P0 (P1 likewise). P0 → P1: Δ = x + λ, λ from the seed of P0 and P2 (λ0 = λ, λ1 = 0). P1 lacks λ: Δ is
//     uniform to it. Nothing is sent to P2, which knows λ.
//   - Input of P2. P2 → P0 and P2 → P1: Δ = x + λ0 + λ1, with λ0 and λ1 from the two seeds. P0 lacks λ1 and P1 lacks
//     λ0: Δ is uniform to both. If λ came from one seed, as other owners' masks do (λ0 = λ), P0 could read x. Nothing
//     is dealt for such an input.
//   - Input of an input party Pi, i > 2. Pi → P0 and P1: Δ = x + λ, λ from the seed of Pi and P2; P2 deals a sharing of
//     λ. Δ is uniform to P0 and P1, each of which holds one share of λ.
//   - Online. P0 ↔ P1: a share of a value plus a share of a mask made for this opening. P0's message holds P0's share of
//     the mask, from a seed that P1 lacks, so it is uniform to P1; likewise in the other direction. That covers Δ,
//     masked bits, counts and wrap bits; package semi2k says for each why it is uniform whatever the inputs are. P2
//     sends and receives nothing.
//   - RevealToComputing (a value that the program reveals before its end). P0 ↔ P1: a share plus a part of a sharing of
//     zero. P0 and P1 learn the value, as intended. P2 does not, although it is one of the job's three computing
//     parties: P2 deals for the operations on that value, and a dealer that knows no opened value can leak none, not
//     even through what it is asked for. RevealTo sends one of the two messages, and never reveals to P2.
//   - Output. P0 → each receiver and P1 → each receiver: a share plus a part of a sharing of zero, from the seed of P0
//     and P1. The receiver sees two numbers that are uniform subject to their sum, the output. That keeps inputs secret
//     from P2, which knows every dealt share and every mask and could solve shares without a sharing of zero for Δ. For
//     P0 and P1 it makes the other party's message a function of the output alone. An owner-local result is sent in the
//     clear by its owner, as in all protocols.
//
// So a party's view consists of uniform numbers, its own inputs, and outputs, in any order of operations, and is
// simulated from its inputs and outputs; P2's view consists of outputs only. The argument holds for each of the three
// together with any number of input parties: these see outputs only, and their own masks, which mask their own inputs.
// TestViews checks the messages of a run against this list.
//
// P2 takes no part in the online phase. It computes in the clear with its own inputs, as each owner does, and shares
// them where they meet secrets. It walks the program in a dry run to know what to deal, and compares its correlation
// manifest with the others' in the handshake.
//
// Results are rounded with a uniform dither: the low bits of P0's share, after P0 and P1 have added a sharing of zero
// that P2 lacks (package semi2k, Rounding). P0 and P1 know the dither. P2 knows every mask and every dealt share and
// learns results; without the sharing of zero it could compute for each candidate input how each result would have been
// rounded. With it, a result tells P2 only what the result tells everybody.
//
// # Costs
//
// Online P0 and P1 send each other what docs/protocols/bits.md and the pages beside it say for n = 2 (package semi2k);
// what is dealt there, P2 sends to P1. Ring elements sent by all parties, for one element:
//
//	input of P0 or P1           1 (input)
//	input of P2                 2 (input)
//	input of an input party     2 (input), 1 (offline)
//	product, operands open      1 (offline)
//	opening of an operand       2 (online), once
//	output to P0 or P1          1 each (output)
//	output to another party     2 each (output)
//
// Since corrections cross a link between the same three parties, the default for this protocol is optimize=total.
//
// # The classical product
//
// This section compares the product with that of Araki et al., where a product of replicated x and y takes one online
// element from each party, 3 in all, and the result is replicated again. Here the same three messages are sent at other
// times. Of the nine terms of (Δx − λx0 − λx1)(Δy − λy0 − λy1) only λx0·λy1 + λx1·λy0 is known to P2 alone; P2's
// classical message corresponds to P1's correction, and the other two messages to those of P0 and P1 that open the
// result: 1 + 2 = 3. The difference is that the last two can be saved. Costs in elements sent by all parties, or bits
// where the table says bits, with open (that is, replicated) operands:
//
//	use of the product                    classical           here, online + offline
//	operand of one or more gates          3, 1 round          2 + 1, 1 round
//	added to others, or revealed          3, 1 round          0 + 1, no round
//	a dot product of any length           as one product      as one product
//	AND of 4 bits, result open            9 bits, 2 rounds    6 + 3 bits, 2 rounds, by pairs
//	                                                          2 + 11 bits, 1 round, at once
//	64-bit comparison, result open        418 bits or more,   64 + 356 bits, 3 rounds,
//	                                      6 rounds            or 102 + 207, 4 rounds
//
// (The classical comparison is a tree of 118 ANDs on bits of λ, 64 of which are dealt.)
//
// Opening a result never costs more than sharing it again: a value is opened at most once, where it enters a gate, or
// before public linear maps that repeat its elements (mpc.Protocol.Open). P2's message costs the same and has left the
// online phase. Where gates here send more (wide ANDs, digit tables), they do so to save rounds, and gates of the
// classical shape are a special case of them. So the classical product is never cheaper, and it is not implemented.
package aby3
