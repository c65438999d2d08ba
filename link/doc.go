// Package link carries messages between parties: framed, multiplexed by
// operation over one connection per peer.
//
// A message is addressed by a Key (phase, operation instance, step), so that
// any number of operations talk at once and each receives what is meant for
// it, in whatever order it arrives. Senders queue; one writer per peer drains
// whatever is queued in one write. A message carries the logical clock of its
// sender: the receiver's clock becomes the larger of both plus one, and the
// largest clock of a run is its number of rounds. Between parties of one
// process (Memory) a message is handed over as it is.
//
// # Failures
//
// Over connections between machines a Watch has idle writers send beats, and
// fails peers that show no sign of life. A party that cannot go on tells the
// others why (Abort), so that all of them end with the first cause: what bob
// saw of carol reaches alice as a PeerError of bob's rank with bob's words. One
// that has finished says so, and so is told from one that died. All these are
// frames of kinds of their own, which count as nothing. Whoever breaks the rules
// is told which, and dropped.
//
// # Security
//
// The package sees packed payloads and neither interprets nor logs them.
// Keys, sizes and order depend on the program alone; beats depend on time.
// Memory is the transport of a simulation in one process; nothing here
// encrypts: connections between machines are TLS (package pki).
//
// # Bounds
//
// A sender's queue is bounded: Send over a connection blocks while it is full.
// What a peer may send is bounded by what it is allowed to (Allow), a mebibyte
// before that, and so is what has arrived and is not yet awaited. Between
// parties of one process it is bounded by how far a peer may run ahead, which
// the executor limits.
package link
