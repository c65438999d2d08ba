// Package link carries messages between parties: framed, and multiplexed by operation over one
// connection per peer.
//
// A message is addressed by a Key (phase, operation instance, step), so that any number of
// operations communicate concurrently and each receives its own messages, in whatever order they
// arrive. Senders queue; one writer per peer writes everything that is queued in one write. A
// message carries the logical clock of its sender: the receiver's clock becomes the larger of both
// plus one, and the largest clock of a run is its number of rounds. Between parties of one process
// (Memory) a message is passed on without being encoded; over a simulated network (Shaped) it is when
// its last byte has arrived, by one goroutine for all lines.
//
// # Failures
//
// On connections between machines a Heartbeat makes idle writers send heartbeats, and fails peers
// from which nothing arrives for the timeout. A party that cannot continue sends the others the
// reason (Abort), so that all of them fail with the first cause: bob's error about carol reaches
// alice as a PeerError of bob's rank with bob's text. A party that has finished sends a leave
// frame, which distinguishes it from one that died. These frames have kinds of their own and are
// not counted in costs. A peer that violates the protocol is sent the reason and disconnected.
//
// # Security
//
// The package sees packed payloads and neither interprets nor logs them. Keys, sizes and order
// depend on the program only; heartbeats depend on time. Memory and Shaped are transports of simulations
// in one process. Nothing here encrypts: connections between machines are TLS (package pki).
//
// # Bounds
//
// A sender's queue is bounded: Send over a connection or a simulated line blocks while it is full. The bytes that a
// peer may send, and so the bytes that have arrived and are not awaited yet, are bounded by Allow,
// and by one mebibyte before it is called. Between parties of one process they are bounded by how
// far a peer may run ahead, which the executor limits.
package link
