package hlo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/problem"
)

// Error is a mistake in a program's text, artifact or in-memory form, with its position. Every error of Parse is an
// *Error.
type Error struct {
	Pos  Pos    // position of the mistake
	Op   string // full name of the operation concerned, "" outside operations
	Msg  string // what is wrong
	Hint string // what can be done, "" where nothing can be advised
	// Unsupported says that the text is valid StableHLO and that Tacet does not
	// support it.
	Unsupported bool
}

func (e *Error) kind() problem.Kind {
	if e.Unsupported || strings.Contains(e.Msg, "not supported") {
		return problem.Unsupported
	}
	return problem.Usage
}

// Is reports whether target is the error's kind: problem.Unsupported if Unsupported is set, and problem.Usage
// otherwise.
func (e *Error) Is(target error) bool { return target == e.kind() }

// Describe implements problem.Describer: it fills in p for the command's output.
func (e *Error) Describe(p *problem.Problem) {
	p.SetKind(e.kind())
	if e.Pos.Line > 0 {
		problem.Set(&p.Place, e.Pos.String())
	}
	problem.Set(&p.Operation, e.Op)
	problem.Set(&p.Remedy, e.Hint)
}

// Error returns a text such as "program.mlir:12:5: stablehlo.foo: what is wrong (hint)".
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

// bail carries an *Error from inside the parser to Parse, by panic.
type bail struct{ err *Error }

// advise is an error with a hint, without a position.
func advise(hint, format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// locate adds a position to err, unless it has one.
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

// shorten truncates a piece of the text for a message.
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
