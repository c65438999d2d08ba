// Package audit is a node's append-only log of submissions, of the owner's permissions and of what
// each party learned.
//
// The log is a file with one JSON event per line. Each line holds the SHA-256 of the line before, as
// 64 hexadecimal digits, so that a later change, removal, insertion or reordering of lines breaks the
// chain.
//
// The chain shows neither that lines are missing at the end nor that the last one was changed. So the
// party signs the log's head after each event: the number of lines and the last line's hash, with the
// key of its certificate (Head, in the file audit.head). A writer without that key can neither change
// nor cut the log unnoticed. The party itself, or a log restored from a backup together with its head,
// is noticed by heads that others have kept: nodes keep those of their peers.
//
// An event is on stable storage when [Log.Append] returns, and the node acts only after that: it
// shares no input that the log does not name. A crash can leave an incomplete last line; its event
// never took effect. The next [Open] removes the line and records the removal. Open
// reads the whole log: one that was changed or cut is moved aside, and a new log begins that says where
// the other one is broken.
//
// A log that is full goes on in another file (Rotation): the chain and the numbers of lines continue, and [Read]
// reads all files.
//
// The log names programs by digest, inputs by name and hash, results by index and type. It never holds
// a value.
package audit
