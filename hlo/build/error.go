package build

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/problem"
)

// Error is a mistake in a call of this package. Its kind is problem.Usage.
type Error struct {
	File string // file of the call, as the compiler names it
	Line int    // line of the call
	Op   string // the method, or the operation's name for Op and TypedOp
	Msg  string // what is wrong
	Hint string // what can be done; "" if nothing can be advised
}

// Error returns a text such as "score.go:12: Dot: what is wrong; what can be done".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s: %s; %s", filepath.Base(e.File), e.Line, e.Op, e.Msg, e.Hint)
}

// site is a place where a method of this package is called.
type site struct {
	file   string
	line   int
	method string
}

// pkg is what the names of this package's functions begin with.
const pkg = "github.com/tacet-mpc/tacet/hlo/build."

// caller is the innermost call that leads into this package.
func caller() site {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	s := site{file: "unknown"}
	for {
		f, more := frames.Next()
		if name, ours := strings.CutPrefix(f.Function, pkg); ours {
			s.method = methodName(name)
		} else {
			s.file, s.line = f.File, f.Line
			return s
		}
		if !more {
			return s
		}
	}
}

// methodName is the name of the method that a function of this package is, or
// is part of: "Sum" of "(*Builder).Sum.func1".
func methodName(function string) string {
	name := function
	if _, rest, ok := strings.Cut(function, ")."); ok {
		name = rest
	}
	name, _, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "[")
	return name
}

// pos is the place as a program's operation has it. The compiler does not say
// the column.
func (s site) pos() hlo.Pos { return hlo.Pos{File: filepath.Base(s.file), Line: s.line, Col: 1} }

// fail keeps the first mistake.
func (b *Builder) fail(what, remedy string) { b.failIn("", what, remedy) }

// failIn keeps the first mistake in building an operation of the given name.
func (b *Builder) failIn(op, what, remedy string) {
	s := caller()
	if op == "" || s.method != "Op" && s.method != "TypedOp" {
		op = s.method
	}
	b.failAt(s, op, what, remedy)
}

func (b *Builder) failAt(s site, op, what, remedy string) {
	if b.m.err == nil {
		b.m.err = &Error{File: s.file, Line: s.line, Op: op, Msg: oneLine(what), Hint: oneLine(remedy)}
	}
}

// failRule keeps an error of package hlo's rules for an operation.
func (b *Builder) failRule(op string, err error) {
	what, remedy := err.Error(), reference(op)
	var e *hlo.Error
	if errors.As(err, &e) {
		what = e.Msg
		if e.Hint != "" {
			remedy = e.Hint
		}
	}
	b.failIn(op, what, remedy)
}

// reference says where an operation is described.
func reference(op string) string {
	if name, ok := strings.CutPrefix(op, "stablehlo."); ok {
		return "see https://openxla.org/stablehlo/spec#" + name
	}
	if op == hlo.OpCall {
		return "pass what the function's Arg declares"
	}
	return "see the rules of " + op + " in package hlo"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Is reports whether target is the error's kind, problem.Usage.
func (e *Error) Is(target error) bool { return target == problem.Usage }

// Describe implements problem.Describer: it fills in p for the command's output.
func (e *Error) Describe(p *problem.Problem) {
	p.SetKind(problem.Usage)
	problem.Set(&p.Place, fmt.Sprintf("%s:%d", filepath.Base(e.File), e.Line))
	problem.Set(&p.Operation, e.Op)
	problem.Set(&p.Remedy, e.Hint)
}
