// Package offline provides one party with its correlated randomness.
//
// A party has a Provider, and no other part of a run depends on which one:
//
//	NewLocal           a dealer in this process, for runs with all parties in it
//	FromDealer         a dealer in another process (packages remote and dealer)
//	FromParty          the party that deals, in a protocol such as aby3
//	BetweenParties     the computing parties, by an offline phase of their own
//	FromStore          a store on disk, into which a dealer has dealt before
//	FromStoreOrDealer  the store while it has a session that all parties have, else the dealer
//
// DealToStores and ForStore fill stores: with a dealer in this process, and with one in another.
//
// A session of correlated randomness is spent as soon as a party begins it, even if the run fails.
//
// # How corrections arrive
//
// A dealer gets the correlation manifest before any input is shared, and sends corrections in the order in which
// they are needed (stream). No party asks for a single correction and waits for it, so the dealer's latency
// delays no operation. Without a declared network all corrections, up to MaxWaiting bytes, have arrived before
// the online phase begins; if there are more, the dealer waits when so many wait to be used.
// With one, the online phase begins when the remaining corrections are expected to arrive within
// Request.MaxTail, at the rate so far: twice the least time of the online phase (Tail). It begins earlier if MaxWaiting
// bytes of corrections have arrived and wait to be used: then the dealer waits for the parties.
//
// # What each party sees, and why it reveals nothing
//
// A dealer sees the manifest, which follows from the program and its settings, and the times at which the party
// that receives corrections reads more of them. Neither depends on a secret. The dealer knows the seeds, so it
// knows all masks; it sees no masked value, since the parties exchange those among themselves. A party that
// receives no corrections has its seed, from which its shares of all correlations are drawn. The party that
// receives corrections has a seed and the corrections. Each correction is the value of a correlation minus the
// shares that are drawn from all seeds, so it is uniform to a party that lacks one of these seeds. Packages
// correlation, semi2k and aby3 have the details. A store has the same seed and corrections on the party's own
// disk until a run begins the session; then they are destroyed.
package offline
