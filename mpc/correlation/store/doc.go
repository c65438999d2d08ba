// Package store keeps correlated randomness that was dealt ahead of time: for
// each party a folder, for each session a file in it, used once.
//
// # What a file holds, and why it must stay with its party
//
// The seed that the party has in common with the dealer, from which all its
// masks and its shares of dealt material come, and at the party that gets them
// the corrections. Who reads one party's file and sees what that party receives
// in the run learns what this party could, and no more; who reads the files of
// all parties for one session and any of its messages can unmask them and learns
// the inputs. So folders are made for their owner alone (mode 0700, files 0600),
// and in practice each stays on its party's own machine. A used session's
// contents are destroyed as far as the file system does that.
//
// A file that was used once must never come back: a second run under the same
// masks gives away the differences of the two runs' values. Stores are
// therefore not to be copied or restored from a backup.
//
// # The life of a session
//
// A session's file is named by its id, the same at all parties, and by what has
// become of it. Each step is one rename within the folder, made durable (the
// file's contents, then the folder) before anything follows from it:
//
//	making  it is being written; locked. Unlocked, it is the rest of a process that was interrupted, and worthless
//	ready   whole, never used
//	begun   a run has it; locked, and read while it runs. Unlocked, that run has crashed: nobody uses it again
//	spent   what is left after a run: an empty file, so that the id is known
//
// Two runs never have the same session: who begins one locks the file and then
// renames it, and of two who try only one finds it there. The file is begun
// before the first byte that depends on it is sent. Locks are the operating
// system's (flock), so they end with the process that holds them.
//
// # The file
//
//	"TACETCR", and one byte: the format's version, 2
//	length   4 bytes, little endian: of the header
//	checksum 4 bytes, CRC-32C of the header
//	header   JSON: see Header
//	records  corrections, in the order of the form: see package correlation
//
// Records have a checksum each. Where a record lies follows from the order form,
// so one is read when it is needed, in any order, and a session larger than
// memory can be made and used.
package store
