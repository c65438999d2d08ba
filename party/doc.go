// Package party runs programs among parties. Run has every party and the
// dealer in this process, each with its own state, meeting through links only,
// as they would on machines of their own; Plan says what a run would cost.
//
// A run goes through phases: each party walks the program weightlessly (which
// evaluates what it knows alone and counts everything), all compare terms and
// agree on seeds, the dealer makes what the order form asks for, owners share
// inputs, the parties compute, results are revealed to those who learn them.
//
// What each party sees is said in package semi2k; this package adds the
// handshake: terms that depend on the program and the job alone, and seeds for
// sharings of zero between pairs of parties. With a fixed seed (simulation
// only) everybody could compute everything.
package party
