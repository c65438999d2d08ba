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
// # Security
//
// The package sees packed payloads and neither interprets nor logs them.
// Keys, sizes and order depend on the program alone. Memory is the transport
// of a simulation in one process; nothing here encrypts.
//
// # Bounds
//
// A sender's queue is bounded: Send over a connection blocks while it is full. What has arrived
// and is not yet awaited is bounded by how far a peer may run ahead, which the
// executor limits.
package link
