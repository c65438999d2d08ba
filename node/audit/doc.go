// Package audit is a node's append-only log of submissions, of the owner's permissions and of what
// each party learned.
//
// The log is a file with one JSON event per line. Each line holds the SHA-256 of the line before, as
// 64 hexadecimal digits, so that a later change, removal, insertion or reordering of lines breaks the
// chain. The chain cannot show that lines are missing at the end: to detect that, keep the head (the
// last line's hash, which tacet audit prints) elsewhere.
//
// An event is on stable storage when [Log.Append] returns, and the node acts only after that: it
// shares no input that the log does not name. A crash can leave an incomplete last line; its event
// never took effect. The next [Open] removes the line and records the removal.
//
// The log names programs by digest, inputs by name and hash, results by index and type. It never holds
// a value.
package audit
