// Package checkpoint stores one party's shares of a run's live-in values at a program point, so
// that a later run can resume there.
//
// A folder holds the newest checkpoints (at most Kept) of one run, one file each. A file is written
// under a temporary name and then renamed, so a crash leaves earlier checkpoints intact. A hash at
// the end of the file detects any other damage. Package resume bounds how many checkpoints one party
// can be ahead of another; the bound is less than Kept, so there is always one checkpoint that all
// parties have.
//
// # What a checkpoint contains, and why that reveals nothing
//
// A checkpoint contains additive shares of secrets, their rings and scales, public facts about the
// run, and hashes of this party's own inputs, with which it recognises the inputs when it resumes;
// the hashes are never sent. Owner-local values are not stored, not even at their owner, which
// recomputes them. A party's shares are part of its view of the run and uniform given the view of
// any proper subset of parties; the shares of all computing parties together determine the values.
// Any number of runs may resume from the same shares, because each run opens them under fresh
// masks.
package checkpoint
