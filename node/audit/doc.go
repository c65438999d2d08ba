// Package audit is a node's record of what was asked of it, what its owner
// allowed, and who learned what. It is only ever added to.
//
// The log is a file of JSON, one event a line. Each line holds the SHA-256 of
// the line before, as text of 64 hexadecimal digits, so that a line that is
// changed, removed, added or moved later shows in all that follow it. What the
// chain cannot show is that lines are missing at the end: who wants to know
// that keeps the head (the last line's hash, which tacet audit prints)
// elsewhere.
//
// An event is on the disk when [Log.Append] returns, and the node acts after
// that: it shares no input that the log does not name. A crash can leave the
// last line unfinished; such a line's event never took effect. The next [Open]
// removes it and records that it did.
//
// The log names programs by digest, inputs by name and hash, results by index
// and type. It never holds a value.
package audit
