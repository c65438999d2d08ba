// Package party runs programs among parties. Run runs all parties and the dealer in
// this process; each has its own state and reaches the others through links only, as
// it would on a machine of its own. Join runs one party's side of a run whose other
// parties are in other processes. Plan predicts a run's costs. Open starts a Service,
// which evaluates many requests.
//
// A run has these phases:
//
//   - Plan: each party walks the program in a dry run, which evaluates the values that
//     this party knows in cleartext and counts all costs.
//   - Setup: the parties compare terms and agree on seeds and on a session of
//     correlated randomness.
//   - Input and offline: owners share inputs while the dealer makes the correlations
//     of the correlation manifest.
//   - Online: the parties compute.
//   - Output: results are revealed to the parties that learn them.
//
// # Packages
//
// This package runs one job: it has the Spec, the sessions of the parties with their phases, the
// handshake, and services. Parts that need no session are in packages of their own, none of which
// imports this one:
//
//   - offline: a party's correlated randomness
//   - resume: checkpoints, and the rest of a program from a checkpoint on
//   - plan: times and memory of a dry run, and the choice of objectives
//   - report: the report of a run, from each party's costs
//   - check: a run in fixed point compared with the program's own arithmetic
//
// A service is here because each of its requests is a session that takes over the state of the
// opening's session and goes through the same phases; another package could do that only if the
// session's fields and phases were exported.
//
// # Correlated randomness
//
// A party has an offline.Provider (package offline says which ones there are, and how corrections
// arrive). In the handshake the parties agree on one of its sessions, and each begins it. Messages
// that depend on secrets are sent only after all parties have begun the same session. Corrections
// may arrive up to 1/8 of the minimum time of the online rounds after the online phase began, so
// that the rounds wait no longer than that in total. If one of the parties deals, its seeds come
// with its hello.
//
// # Checkpoints
//
// A run may write checkpoints of the live-in values of its loops, and a later run may resume from
// one: package resume. Before anything else the parties exchange lists of their checkpoints and take
// the newest that all have; what follows is a run of the rest of the program.
//
// # Security
//
// Packages semi2k and aby3 say what each party sees in the protocols. This package adds
// the handshake: terms that depend on the program and the job alone, seeds for
// sharings of zero between pairs of parties, and the seeds that a dealing party has in
// common with each other party. With a fixed seed (simulation only) every party could
// compute all randomness.
package party
