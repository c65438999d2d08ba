// Package resume has what a run needs to write checkpoints of the live-in values of its loops, and what a later
// run needs to resume from one: the settings (Checkpoints), the program that begins at a checkpoint's program
// point (Plan), the list of checkpoints that a party offers to the others (Offer) and the step that writes a
// checkpoint (Writer). Package checkpoint reads and writes the files; package party exchanges offers and runs
// the program.
//
// The resumed program is the rest of the whole program, with the checkpoint's shares as kept arguments. So its
// plan is an ordinary plan, and code that only the skipped part needed is removed. Before anything else the
// parties exchange lists of their checkpoints (ids, program points, rings, scales and bounds) and take the
// newest that all have. A checkpoint's id contains the id of the session that wrote it, so shares of different
// runs are never combined. A party refuses checkpoints that do not fit the job: those of another program, of
// other settings, or of other inputs of its own.
//
// # What each party sees, and why it reveals nothing
//
// A party writes its own additive shares, and a checkpoint leaves its disk only as this party's shares in the
// resumed run. Offers have no shares and no hashes of inputs. They have ids, program points and the rings,
// scales and bounds of values, which follow from the program. If a checkpoint does not fit an owner's inputs,
// the message says which argument differs and not how.
//
// Only secrets, as additive shares, are taken from the interrupted session: seeds, masks and correlations are
// drawn anew. So a value may be opened in both sessions, but under independent masks. A repeated iteration
// rounds again with new randomness, so a value that it reveals on purpose may differ in its last bits.
package resume
