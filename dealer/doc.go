// Package dealer is the daemon that deals correlated randomness to parties
// elsewhere: many sessions at once, each for whoever it is between among the
// parties that the configuration names. What is said over a connection is in
// package remote, what is dealt in package correlation.
//
// # A session
//
// All parties of a session connect, also those that compute nothing, and say
// which session it is, who they all are, how many compute, and the digest of
// the order form; each sits where its certificate's name does. The first to
// come opens the session. Whoever differs from those who are there ends it for
// all, with the field's name. When all are there and the form has come from the
// party that gets corrections, and when there is memory for it, it is dealt as
// fast as that party takes it. A party that is lost before all has been dealt
// ends the session, and everybody hears whose fault it was. An id is served
// once.
//
// # What the dealer sees, and why it reveals nothing
//
// Names and addresses of parties; when they come, and when the receiver of
// corrections reads on; and the order form: shapes, widths, public maps of a
// program, in the order of the program, without names or locations. All of it
// is made before any party has shared anything, from the program's text, public
// inputs and settings (design: requests have no field that could hold an opened
// value), so neither the requests nor their number depend on a secret or on
// anything opened. Who knows likely programs can tell which of them it is, and
// a model that the program has as public constants is in the form.
//
// It draws the seeds, fresh from the operating system for each session and
// party, and thereby knows all masks. What is masked by them goes between
// parties only, over their own TLS. So a dealer learns secrets exactly if it
// listens to parties' connections from inside, which is to collude with one of
// them: run it at somebody who does not. Seeds live in memory as long as their
// session; nothing is written to disk, and the log has names, counts, bytes and
// seconds.
//
// # Bounds
//
// Limits bound the sessions at once, the bytes of an order form before it is
// decoded, and the memory of all that is being dealt, by an estimate made from
// each form before its first mask is computed (correlation.Form.Memory): a
// session waits for memory that others have, and is refused if it needs more
// than there is.
package dealer
