// Package checkpoint keeps one party's shares of what a long run carried when
// it came to a place in its program, so that another run can go on from there.
//
// A folder holds the newest few of one run. Each is one file, written beside the
// others and then given its name, so that a crash leaves whole ones alone; a hash
// at its end tells of any other damage. How far parties are apart when they break
// off package party bounds; that it is less than Kept checkpoints is what makes
// one of them common to all.
//
// # What lies there, and why that reveals nothing
//
// Additive shares of secrets, their rings and scales, what all parties know of the
// run, and hashes of this party's own inputs, by which it knows them again and which
// leave it in no message. Of what one party knows in clear nothing else is written,
// not even at that party: it computes that again. A party's shares are a part of what it saw in the
// run, which its peers' shares make uniform; all computing parties' together are
// the values. Shares may be taken up by any number of runs, since each opens them
// under masks of its own only.
package checkpoint
