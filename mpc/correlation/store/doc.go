// Package store keeps correlated randomness that was dealt ahead of time: a folder for each party,
// a file in it for each session, used once.
//
// # What a file holds, and why it must stay with its party
//
// A file holds the seed that the party has in common with the dealer, from which all its masks and
// its shares of dealt values are expanded, and at the party that receives them the corrections. A
// reader of one party's file who also sees what that party receives in the session learns what this
// party could, and no more. A reader of all parties' files of one session and of any of its
// messages can unmask them and learns the inputs. So folders are readable by their owner only (mode
// 0700, files 0600), and in production each stays on its party's own machine. A used session's
// contents are destroyed as far as the file system does that.
//
// A used file must never come back: a second session under the same masks reveals the differences
// of the two sessions' values. Stores must therefore not be copied or restored from a backup.
//
// # Copies
//
// Three things show that a store was copied or restored nevertheless; its sessions are then removed
// (ErrCopied). They do not depend on one another:
//
//   - a file's header holds its own identity (durable.Identity), which no copy of the file has;
//   - a folder has a generation, drawn when it is created or emptied, and counts in its mark how many
//     sessions runs have begun in it (Mark). A Memory outside the store remembers the highest mark of each
//     generation, and the parties' memories remember each other's: a folder whose mark is below one of
//     them is an older copy. What another party remembers counts only with the folder's own proof that it
//     had that mark (Mark.Proof), so that no party can have others' stores emptied. The mark grows before
//     a session is used, the memory after it and before anything is sent, so that a folder that was not
//     restored is never below;
//   - a file of another generation than its folder's, or two marks in a folder, come from a backup that
//     was copied over it.
//
// For a session to be used twice, all parties' stores must have been set back together with all their
// memories by something that keeps the files' identities, such as snapshots of the file systems: that
// cannot be noticed from inside. A set of used sessions would be exact where the mark is not (a restored
// store also loses sessions that were not used), but grows without bound, and with it every
// handshake.
//
// # The life of a session
//
// A session's file is named by its id, the same at all parties, and by its state. Each change of
// state is one rename within the folder, made durable (the file's contents, then the folder) before
// any action that depends on it:
//
//	making  it is being written; locked. Unlocked, it was left by an interrupted process and is worthless
//	ready   complete, never used
//	begun   a run uses it; locked, and read during the run. Unlocked, that run has crashed: the session is not used again
//	spent   the run has ended: an empty file, so that the id stays known
//
// Beside them are an empty file whose name is the folder's mark, and CACHEDIR.TAG.
//
// Two runs never use the same session: a run locks the file and then renames it, and of two runs
// that try only one finds it under its old name. The file is renamed to begun before the first byte
// that depends on it is sent. Locks are the operating system's (flock), so they end with the
// process that holds them.
//
// # The file
//
//	"TACETCR", and one byte: the format's version, 3
//	length   4 bytes, little endian: of the header
//	checksum 4 bytes, CRC-32C of the header
//	header   JSON: see Header
//	records  corrections, in the order of the manifest: see package correlation
//
// Each record has a checksum. The position of a record follows from the correlation manifest, so
// records are read when they are needed, in any order, and a session larger than memory can be made
// and used.
package store
