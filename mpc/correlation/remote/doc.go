// Package remote is both ends of the connection between a party and a dealer
// elsewhere, for one session of correlated randomness. The connection is the
// caller's: outside of tests it is TLS, and says who is at its other end.
//
// # What goes over it
//
// Frames: a kind, a length of at most 64 KiB, and so many bytes.
//
//	hello    party   JSON: version, session, rank, names, how many compute, the order form's digest and length
//	form     party   from the one that gets corrections: pieces of the encoded order form, deflated
//	seed     dealer  16 bytes, fresh for the session and the party
//	records  dealer  pieces of the corrections' records (correlation.WriteRecord), in the form's order
//	done     dealer  all has been dealt
//	bye      party   it needs nothing more
//	end      both    why the session has ended early
//	next     party   JSON: digest and length of a further form, which follows as the first does
//	beat     both    nothing: who sends it lives
//
// The dealer takes the form from one party and its digest from all. Since the
// digest is that of the encoding, they have all ordered what is dealt, to the
// last coefficient, and no party can have a dealer deal something else.
//
// A party gets its seed as soon as the dealer knows that what it says agrees
// with what those say who came before; so when all have theirs, all agree.
// Corrections follow when all are there.
//
// In a session of turns the dealer waits, when all has been dealt, until parties
// order more or leave. What is ordered then is dealt from the same seeds, when
// all have ordered the same, and if none of its ids was in an earlier form, but
// for masks of inputs that stay (correlation.Turns).
//
// # Life and death
//
// Each end sends beats while it sends nothing else, whatever it does
// meanwhile, and takes the other for dead from which nothing arrives for a
// while (link.Watch). Corrections wait in the connection while their receiver
// is full: then it does not read, and does not listen for beats either; its
// own beats go on, and the dealer, whose writing stands still, knows by them
// that it lives. So a dealer always reads, and never takes a slow receiver for
// a dead one.
//
// An early end is a frame that says why, if it can still be sent. What a party
// says to the dealer of an early end is nothing but that.
package remote
