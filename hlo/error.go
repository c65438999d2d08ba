package hlo

import (
	"errors"
	"fmt"
	"strings"
)

// Error says what is wrong with a program's text, and where. Every failure of
// Parse is an *Error.
type Error struct {
	Pos  Pos
	Op   string // full name of the operation concerned, "" outside operations
	Msg  string // what is wrong
	Hint string // what can be done, "" where nothing can be advised
}

// Error prints "program.mlir:12:5: stablehlo.foo: what is wrong (hint)".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Pos.String())
	b.WriteString(": ")
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		b.WriteString(" (")
		b.WriteString(e.Hint)
		b.WriteString(")")
	}
	return b.String()
}

// bail carries an *Error from the depth of the parser to Parse.
type bail struct{ err *Error }

// advise is an error with a hint, still without its place.
func advise(hint, format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// locate gives err a place, unless it has one.
func locate(err error, pos Pos, op string) *Error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Msg: err.Error()}
	}
	if e.Pos.Line == 0 {
		e.Pos = pos
	}
	if e.Op == "" {
		e.Op = op
	}
	return e
}

// failAt stops the parser with an error at pos.
func failAt(pos Pos, op, format string, args ...any) {
	panic(bail{&Error{Pos: pos, Op: op, Msg: fmt.Sprintf(format, args...)}})
}

// shorten cuts a piece of the text for a message.
func shorten(s string) string {
	const most = 40
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i] + "…"
	}
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
