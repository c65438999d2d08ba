package problem

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Kind is a class of errors. A Kind is itself an error, for errors.Is:
//
//	if errors.Is(err, problem.Range) { … }
type Kind string

// The kinds of errors.
const (
	Usage       Kind = "usage"       // a Spec, job file, program text, flag or other file is wrong; nothing has been sent
	Unsupported Kind = "unsupported" // a valid program or setting needs something that Tacet does not support
	Range       Kind = "range"       // an input's element is outside the range of fixed point or outside a declared range
	Denied      Kind = "denied"      // a node's rules or its owner refuse a job
	PeerLost    Kind = "peer-lost"   // another party, node or dealer is unreachable or aborted
	Tolerance   Kind = "tolerance"   // results differ from the expected ones by more than the tolerance
	Limit       Kind = "limit"       // planning a program needs more memory, operations or time than a limit allows
	Interrupted Kind = "interrupted" // the context ended before the call was finished
	Internal    Kind = "internal"    // a defect of Tacet
	Failed      Kind = "failed"      // any other failure
)

// Error returns the kind's name.
func (k Kind) Error() string { return string(k) }

// Problem is the description of an error in fields, which the command prints. Empty fields are unknown or do not
// apply.
type Problem struct {
	Kind    Kind   `json:"kind"`    // kind of the error
	Message string `json:"message"` // the whole error on one line
	// Place says where the error is: "job.yaml:7", "program.mlir:12:5", "bob.npz", "--ring" or "Spec.Ring".
	Place string `json:"place,omitempty"`
	// Operation is the operation's full name, such as stablehlo.dot_general.
	Operation string `json:"operation,omitempty"`
	Argument  *int   `json:"argument,omitempty"` // number of the program's argument, from 0; nil if none
	Element   string `json:"element,omitempty"`  // position of the element in the argument or result, such as "[2,0]"
	Party     string `json:"party,omitempty"`    // name of the party, node or dealer concerned
	Round     int    `json:"round,omitempty"`    // of a lost party: the round whose message is missing
	Rule      string `json:"rule,omitempty"`     // of a denied job: the name of the rule of the node's policy
	Remedy    string `json:"remedy,omitempty"`   // the next step for the user to take
}

// Describer is an error that can describe itself in a Problem.
type Describer interface {
	error
	// Describe sets those fields of p that the error knows and that are still empty.
	Describe(p *Problem)
}

// Of returns the description of an error and of all errors that it wraps. If several of them set a field, the
// outermost one wins. The kind is Failed if no error has one. A nil error has an empty Problem.
func Of(err error) Problem {
	if err == nil {
		return Problem{}
	}
	p := Problem{Message: oneLine(err.Error())}
	collect(err, &p)
	if p.Remedy == "" && (p.Kind == Usage || p.Kind == Unsupported || p.Kind == Range) {
		p.Remedy = lastParenthesis(p.Message)
	}
	switch {
	case p.Kind != "":
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		p.Kind = Interrupted
	case errors.Is(err, errors.ErrUnsupported):
		p.Kind = Unsupported
	case strings.Contains(p.Message, "internal error: "):
		p.Kind = Internal
	default:
		p.Kind = Failed
	}
	return p
}

func collect(err error, p *Problem) {
	if d, ok := err.(Describer); ok {
		d.Describe(p)
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		if inner := x.Unwrap(); inner != nil {
			collect(inner, p)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range x.Unwrap() {
			collect(inner, p)
		}
	}
}

// lastParenthesis is the text in parentheses at a message's end, which is a remedy by this
// project's rule for messages; "" if there is none.
func lastParenthesis(text string) string {
	if !strings.HasSuffix(text, ")") {
		return ""
	}
	depth := 0
	for i := len(text) - 1; i > 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				if text[i-1] != ' ' {
					return ""
				}
				return text[i+1 : len(text)-1]
			}
		}
	}
	return ""
}

// Set sets *field to value if *field is "". Methods Describe use it.
func Set(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// SetKind sets p.Kind to k if it is empty.
func (p *Problem) SetKind(k Kind) {
	if p.Kind == "" {
		p.Kind = k
	}
}

// oneLine joins a text's lines with "; ".
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}

// Error is an error of any kind that needs no type of its own. Its text is
//
//	PLACE: OPERATION: argument N, element [I]: PARTY: MESSAGE (REMEDY)
//
// where parts whose fields are empty are left out. The fields have the meaning that they have in Problem.
type Error struct {
	Kind      Kind // kind of the error
	Place     string
	Operation string
	Argument  *int // nil if the error is about no argument
	Element   string
	Party     string
	Err       error // MESSAGE, and the cause if it wraps one; never nil
	Remedy    string
}

// New returns an Error of a kind at a place, which may be "". Its message has the format of fmt.Errorf, which
// may wrap a cause with %w.
func New(kind Kind, place, format string, args ...any) *Error {
	return &Error{Kind: kind, Place: place, Err: fmt.Errorf(format, args...)}
}

// Refusef returns an Error of kind Unsupported, without a place. Its message has the format of fmt.Errorf.
func Refusef(format string, args ...any) *Error { return New(Unsupported, "", format, args...) }

// With sets the remedy of e and returns e.
func (e *Error) With(remedy string) *Error {
	e.Remedy = remedy
	return e
}

// Error returns the text that the type's comment describes, on one line.
func (e *Error) Error() string {
	var parts []string
	for _, part := range []string{e.Place, e.Operation, e.where(), e.Party} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	text := strings.Join(append(parts, e.Err.Error()), ": ")
	if e.Remedy != "" {
		text += " (" + e.Remedy + ")"
	}
	return text
}

// where names argument and element.
func (e *Error) where() string {
	switch {
	case e.Argument != nil && e.Element != "":
		return fmt.Sprintf("argument %d, element %s", *e.Argument, e.Element)
	case e.Argument != nil:
		return fmt.Sprintf("argument %d", *e.Argument)
	case e.Element != "":
		return "element " + e.Element
	}
	return ""
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind. For the kind Unsupported it is also true for
// errors.ErrUnsupported.
func (e *Error) Is(target error) bool {
	return target == e.Kind || e.Kind == Unsupported && target == errors.ErrUnsupported
}

// Describe sets those fields of p that are empty and that e has.
func (e *Error) Describe(p *Problem) {
	p.SetKind(e.Kind)
	Set(&p.Place, e.Place)
	Set(&p.Operation, e.Operation)
	if p.Argument == nil {
		p.Argument = e.Argument
	}
	Set(&p.Element, e.Element)
	Set(&p.Party, e.Party)
	Set(&p.Remedy, e.Remedy)
}
