// Package dealer is the daemon that deals correlated randomness to parties on other machines. It
// serves many sessions at once, each among any of the parties that its configuration names. Package
// remote defines the connection's messages, package correlation what is dealt.
//
// # A session
//
// All parties of a session connect, including those that do not compute. Each sends the session id,
// the names of all parties, the number of computing parties, its own rank and the digest of the
// correlation manifest; the rank's name must be the name in its certificate. The first party opens the
// session. If another party's values differ, the session ends for all parties, with the name of the
// differing field. When all parties are connected, the party that receives the corrections has sent
// the manifest, and memory for it is free, the dealer sends the corrections as fast as that party
// reads them. If a party is lost before everything has been dealt, the session ends and all other
// parties learn which party was lost. A session id is served once.
//
// # What the dealer sees, and why it reveals nothing
//
// The dealer sees names and addresses of parties, the times at which they connect and at which the
// receiver of the corrections reads on, and the correlation manifest: shapes, widths and public maps
// of a program, in the program's order, without names or locations. The manifest is derived from the
// program's text, public inputs and settings before any party has shared anything (requests have no
// field that could hold an opened value), so neither the requests nor their number depend on a secret
// or on an opened value. A dealer that knows likely programs can tell which of them it is, and a model
// that the program contains as public constants is part of the manifest.
//
// The dealer draws the seeds, fresh from the operating system for each session and party, and
// therefore knows all masks. Values that are masked by them are sent between parties only, over the
// parties' own TLS connections. So a dealer learns secrets exactly if it can read a party's
// connections in clear, that is, if it colludes with a party: let an organisation run it that does
// not. Seeds are kept in memory as long as their session; nothing is written to disk, and the log
// contains names, counts, bytes and seconds.
//
// # Bounds
//
// Limits bound the number of concurrent sessions, the size of an encoded correlation manifest, and the
// memory for dealing over all sessions. The memory of a session is estimated from its manifest before
// its first mask is computed (correlation.Manifest.Memory): a session waits for memory that others
// use, and is refused if it needs more than there is in total.
package dealer
