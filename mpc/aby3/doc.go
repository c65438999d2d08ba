// Package aby3 is the protocol for three parties, semi-honest, of whom no two
// collude, without a dealer from outside: the third party deals for the first
// two. The setting is that of ABY3 (Mohassel and Rindal, CCS '18) and of Araki
// et al. (CCS '16), to have the third party prepare what two of them use online
// that of ASTRA (Chaudhari et al., CCSW '19); the gates are package semi2k's,
// between P0 and P1.
//
// # Representation
//
// Replicated sharing splits x into three addends, each of which two of the
// parties hold. Here one of the three is a masked value:
//
//	x = Δ − λ0 − λ1        Δ: P0 and P1    λ0: P0 and P2    λ1: P1 and P2
//
// Any two parties have everything, any one lacks an addend that is uniform. To
// P0 and P1 it is semi2k's masked form, Δ = x + λ with λ = λ0 + λ1 shared
// additively; to P2, which knows λ and never Δ, it is what semi2k's dealer
// knows. So P2 takes the dealer's place: λ0 and λ1 come from a seed that P2 has
// in common with P0, and another with P1, and what P2 deals (sharings of
// functions of masks) depends on masks alone and is sent before any input is
// known. Additive sharings of results stay between P0 and P1, and are masked
// (opened) where a gate needs it.
//
// # Messages, and why no party learns anything
//
// These are all messages there are; party a → party b, then what b sees.
//
//   - Setup. P2 → each: the seed that the two have in common, one of a stream of
//     AES-CTR under a seed that P2 keeps: nobody can tell them from independent
//     ones. P0 → P1: a seed for sharings of zero, which outputs and roundings take
//     (every two parties get one; the others are not used), and one for the orders of
//     sorts, both of which P2 lacks. All ↔ all: the terms of the job and the name of the session, all
//     public.
//   - Offline. P2 → P1: for each request of the order form a correction: a
//     function of masks minus P0's share of it, which is PRG of the seed of P0
//     and P2. P1 lacks that seed: uniform. P0's share is never sent. Requests,
//     and so the number and sizes of corrections, follow from the program's text
//     on all sides (package correlation); P2 is told nothing. P1 → P2: now and
//     then an empty message, that so many more bytes may come. It says how far
//     P1 is, which depends on no secret (in a sort on a random order that P2 does
//     not know).
//   - Input of P0 (P1 likewise): P0 → P1: Δ = x + λ, λ from the seed of P0 and
//     P2 (λ0 = λ, λ1 = 0). P1 lacks λ: uniform. Not to P2, who knows λ.
//   - Input of P2: P2 → P0 and P2 → P1: Δ = x + λ0 + λ1, each from its seed. P0
//     lacks λ1, P1 lacks λ0: uniform to both. If λ came from one seed as that of
//     others does (λ0 = λ), P0 would read x. Nothing is dealt for it.
//   - Input of a party Pi, i > 2, that shares and learns only: Pi → P0 and P1:
//     Δ = x + λ, λ from the seed of Pi and P2; P2 deals a sharing of λ. Uniform
//     to P0 and P1, each of which has one share of λ.
//   - Online. P0 ↔ P1: a share of a value plus a share of a mask made for this
//     opening: P0's message to P1 holds P0's part of the mask, from a seed that
//     P1 lacks, so it is uniform to P1, and the other way round. That covers
//     Δ, masked bits, counts and wrap bits: package semi2k says for each why
//     what is opened is uniform whatever the inputs are. P2 sends and receives
//     nothing.
//   - Disclose (what a program reveals on its way). P0 ↔ P1: a share plus a part
//     of a sharing of zero. P0 and P1 learn the value, which is meant. P2 does
//     not, although it is one of the job's three computing parties: what is
//     computed from the value is dealt by P2, and a dealer that knows nothing
//     opened can leak nothing, not even by what it is asked for.
//   - Output. P0 → each that learns, and P1 → each: a share plus a part of a
//     sharing of zero, from the seed of P0 and P1. The receiver sees two numbers
//     that are uniform but for their sum, the output. To P2 that is what keeps
//     inputs secret: it knows every dealt share and every mask, so of shares
//     that were not re-randomised it could solve for Δ. To P0 and P1 it is
//     what makes the other's share a function of the output alone.
//     A result that one party knows alone it sends in clear, as in all
//     protocols.
//
// A party's view is thus uniform numbers, what it owns, and outputs, in any
// order of operations: simulated from its inputs and outputs. Of P2's, there is
// nothing but outputs. The argument bears one of the three together with any
// number of the parties beyond: these see outputs only, and their own masks,
// which are used for their own inputs. TestViews holds a run to all this.
//
// What P2 does while others compute: nothing. What it owns it computes with in
// clear, as any owner, and shares where it meets secrets; it walks the program
// without weight to know what to deal, and compares that order form with the
// others' in the handshake.
//
// Results are rounded with a uniform dither: the low bits of P0's share, after P0 and
// P1 have added a sharing of zero that P2 lacks (semi2k, Rounding). P0 and P1 each
// know it. P2 knows every mask and every dealt share and learns results, and could
// otherwise compute for every candidate input which way each result would have been
// rounded: so a result that it sees tells it what it tells anybody, and no more.
//
// # Costs
//
// Online P0 and P1 send what semi2k's page says for n = 2, to each other; what
// is dealt there P2 sends to P1. Elements of the ring sent by all parties:
//
//	input of P0 or P1           1 (input)
//	input of P2                 2 (input)
//	input of another            2 (input), 1 (offline)
//	product, operands open      1 (offline)
//	to open an operand, once    2 (online)
//	output to P0 or P1          1 each (output)
//	output to another           2 each (output)
//
// Since dealt bytes cross a link of the same three parties, the default for this
// protocol is optimize=total.
//
// # The classical product
//
// In Araki et al. a product of replicated x and y takes one element from each
// party, 3 in all, online, and the result is replicated again. It is the same as
// here, with the messages at other times: of the nine terms of
// (Δx − λx0 − λx1)(Δy − λy0 − λy1) only λx0·λy1 + λx1·λy0 is nobody's but
// P2's; its masked part is P2's classical message and P1's correction here, and
// the other two are those of P0 and P1 that open the result: 1 + 2 = 3. What
// differs is that these two may be spared. Sent by all, operands open (that is,
// replicated), in elements, or bits where they are bits:
//
//	what becomes of the product           classical           here, online + offline
//	enters other gates, one or many       3, 1 round          2 + 1, 1 round
//	is added to others, or revealed       3, 1 round          0 + 1, none
//	a dot product of any length           as one product      as one product
//	AND of 4 bits, result open            9 bits, 2 rounds    6 + 3 bits, 2 rounds, by pairs
//	                                                          2 + 11 bits, 1 round, at once
//	64-bit comparison, result open        418 bits or more,   64 + 356 bits, 3 rounds,
//	                                      6 rounds            or 102 + 207, 4 rounds
//
// (The last is a tree of 118 ANDs on bits of λ, 64 of which are dealt.)
//
// To open is never more than to share again: a value is opened once at most,
// where it enters a gate, or before public linear maps that make more of it
// (mpc.Open). P2's message costs the same and has left the online phase. Where
// gates here send more (wide ANDs, digit tables), they do so to save rounds, and
// gates of the classical shape are a case of them. So the classical product is
// never cheaper, and it is not built.
package aby3
