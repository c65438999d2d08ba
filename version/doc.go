// Package version identifies a build, and decides which builds may talk to each other.
//
// # Release and protocol number
//
// A release has a semantic version (Release). The protocol number (Protocol) is one integer for all
// messages between machines: submitter and node, node and node, party and party, party and dealer.
// Two sides whose protocol numbers are equal may talk to each other, whatever their releases are; two
// sides whose numbers differ refuse each other before anything is shared, with an error that names
// both and says which side is to be upgraded (Mismatch). There are no ranges of accepted numbers:
// what two parties of one session compute must be the same to the last bit.
//
// The number is increased, and Since set to the coming release, by every change after which two sides
// of one session would disagree or misunderstand each other: a message's fields or order, the meaning
// of a correlation manifest, the order in which randomness is drawn, the messages of an operation, a
// rewrite pass whose output differs, the terms of a session. Sessions stored ahead of time record Since
// among their terms, so that they are used with the protocol number under which they were made. Two builds
// of the same unreleased version may still differ: the development of a release is not divided into
// numbers.
//
// # Protocol 1
//
// Release 0.1.0 had no protocol number. It compares releases. A side that sends no number is taken for
// protocol 1, and messages keep the fields in which release 0.1.0 looks for a version, so that its
// own errors name both releases.
package version
