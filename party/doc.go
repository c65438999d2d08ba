// Package party runs programs among parties. Run has every party and the
// dealer in this process, each with its own state, meeting through links only,
// as they would on machines of their own; Join is one party's side of a run
// whose others are elsewhere; Plan says what a run would cost. Open begins a
// Service, a run of many turns.
//
// A run goes through phases: each party walks the program weightlessly (which
// evaluates what it knows alone and counts everything), all compare terms and
// agree on seeds and on a session of correlated randomness, owners share inputs
// while the dealer makes what the order form asks for, the parties compute,
// results are revealed to those who learn them.
//
// # Where correlated randomness comes from
//
// A party has a supplier, and nothing else in a run knows which. When it
// begins a session it is spent, whatever becomes of the run, and only when all
// parties have begun the same one is anything sent that depends on it.
//
// A dealer in this process (dealing) gets the order form before anybody has
// shared an input and sends corrections in the order of need, over a link of
// the declared shape. Nobody ever asks it for one and waits: its latency is on
// no path. Without a network everything is there before the online phase
// begins. With one that begins when the rest will take, at the rate so far, at
// most an eighth of the time that its rounds take at least, so that they wait
// no longer than that in all; or earlier, when as much waits for its use as may
// (maxWaiting): then the dealer waits for the parties. When the party reads on
// is all that the dealer learns of a run, and depends on no secret. Where one of
// the parties deals (inside), that party's seeds come with its greeting and its
// corrections over the parties' own link, in the same way.
//
// # Checkpoints
//
// A run may set aside what its loops carry, and a later one go on from there
// (Checkpoints). The program of that one is the rest of the whole one, with the
// shares as kept arguments; so its plan is a plan like others, and what only the
// parts before needed is left out. Before anything else parties tell each other
// which checkpoints they have, places and forms, and take the newest of all; by its
// id, which is of the session that made it, parts of different runs are never put
// together. A party refuses what does not fit the job: another program or setting,
// or other inputs of its own.
//
// What is taken up is secrets as additive shares, and nothing else of the session
// that broke off: seeds, masks and correlations are drawn anew. A value may so be
// opened in both sessions, under independent masks; and turns that are done again
// round anew, so that what they reveal on purpose may differ in its last bits.
//
// What each party sees is said in packages semi2k and aby3; this package adds
// the handshake: terms that depend on the program and the job alone, seeds for
// sharings of zero between pairs of parties, and those that a party that deals
// gives to each other. With a fixed seed (simulation only) everybody could
// compute everything.
package party
