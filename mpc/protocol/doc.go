// Package protocol describes protocols to the packages that run them. A Descriptor has all
// that package party, job files and the command line need to know of a protocol; the
// registry finds it by name. Package protocols registers the protocols of this repository.
//
// A protocol is a folder that implements mpc.Core, exports a Descriptor, and passes
// the suite of package conformance; package derived adds what it does not override.
//
// # Where correlated randomness comes from
//
// Supply names the source: none, a dealer that is no computing party, a party that deals
// (Dealing), or an offline phase between the computing parties (Between). In the first
// three cases a dry run records requests in a correlation manifest. In the last case it
// fills the protocol's Demand, which the phases of Between read, each in a dataflow graph
// of phase link.Offline. The plan runs the same code without data, so that its bytes and
// rounds equal those of the run.
//
// # Inputs
//
// Owners' vectors live in the protocol's Inputs. Nothing is shared before the dry run
// has ended, so a protocol may record in Inputs which forms of a vector the program needs.
// A vector that needs none is not sent: its owner reads it in all phases.
package protocol
