// Package remote is both ends of the connection between a party and a dealer on another machine,
// for one session of correlated randomness. The caller makes the connection; outside of tests it is
// TLS, which authenticates the peer.
//
// # Frames
//
// A frame is a kind, a length of at most 64 KiB, and that many bytes.
//
// hello    party   JSON: protocol number, release, session, rank, names, number of computing parties, the
// correlation manifest's digest and length
//
//	form     party   from the party that receives corrections: pieces of the encoded correlation manifest, deflated
//	seed     dealer  16 bytes, fresh for the session and the party
//	records  dealer  pieces of the corrections' records (correlation.WriteRecord), in the manifest's order
//	done     dealer  all corrections have been sent
//	bye      party   it needs nothing more
//	end      both    the reason of an early end of the session
//	next     party   JSON: digest and length of a further manifest, which follows as the first does
//	beat     both    heartbeat, empty: the sender is alive
//
// The dealer takes the manifest from one party and its digest from all. The digest is that of the
// encoding, so equal digests mean that all parties request the same correlations, to the last
// coefficient; no party can have a dealer deal anything else.
//
// The dealer sends a party its seed as soon as the party's hello agrees with the hellos of the
// parties before it; so when all have their seeds, all agree. Corrections follow when all parties
// have connected.
//
// In a service's session the dealer waits, when all corrections have been sent, until the parties
// send a further manifest or leave. A further manifest is dealt from the same seeds when all
// parties have sent the same digest and if none of its ids was in an earlier manifest, except for
// masks of inputs that stay the same (correlation.ManifestSequence).
//
// # Heartbeats and timeouts
//
// Each end sends heartbeats while it sends nothing else, and takes its peer for lost if nothing
// arrives from it for a timeout (link.Heartbeat). Corrections wait in the connection while their
// receiver's buffer is full: the receiver then does not read, and does not expect heartbeats
// either. It continues to send its own, and by these the dealer, whose writes block, knows that it
// is alive. So a dealer always reads, and never takes a slow receiver for a lost one.
//
// An early end is a frame with the reason, if it can still be sent. A party that ends early tells
// the dealer only that its run has ended, and not why.
package remote
