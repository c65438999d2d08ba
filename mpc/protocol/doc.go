// Package protocol describes protocols to those who run them: a Descriptor says all
// that package party, job files and the command line need to know of one, and the
// registry finds it by name. Package protocols lists the descriptors that there are.
//
// A protocol is a folder that implements mpc.Core, exports a Descriptor, and passes
// the suite of package conformance; package derived adds what it does not override.
//
// # Where correlated randomness comes from
//
// Supply says it: from nowhere, from a dealer outside, from a party that deals
// (Dealing), or from an offline phase between the computing parties (Between). In the
// first three cases a dry run records requests in a correlation manifest. In the
// last it fills a Demand of the protocol's own, from which the phases of Between work,
// each in a dataflow graph of phase link.Offline; the plan runs the same code without
// data, so that its bytes and rounds are those of the run.
//
// # Inputs
//
// Owners' vectors live in the protocol's Inputs. Nothing is shared before the dry run
// has ended, so a protocol may record there which forms of a vector the program needs:
// a vector that needs none stays with its owner, who finds it there in all phases.
package protocol
