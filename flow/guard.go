package flow

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
)

// guard runs work and returns a panic as an error, as Guard does.
func guard(w work) (err error) {
	defer recoverInto(&err)
	return w.run()
}

// Guard calls f and returns its error. If f panics, Guard returns an error of one line that names the panic's kind
// and place, but no values, which may be secret. If f panics because a dry run exceeded its bound (Graph.Bound),
// Guard returns the error of that bound.
func Guard(f func() error) (err error) {
	defer recoverInto(&err)
	return f()
}

func recoverInto(err *error) {
	if r := recover(); r != nil {
		if e, ok := r.(ended); ok {
			*err = e.error
			return
		}
		*err = fmt.Errorf("internal error: %s (%s); please report it", panicText(r), callers())
	}
}

var number = regexp.MustCompile(`-?[0-9]+`)

// panicText describes a panic without secret values. A string is taken over: by this module's rule,
// texts of panics contain shapes and rings only. Numbers are removed from the runtime's errors,
// which may contain an index. Of anything else only the type is given.
func panicText(r any) string {
	switch r := r.(type) {
	case string:
		return r
	case runtime.Error:
		return number.ReplaceAllString(r.Error(), "…")
	}
	return fmt.Sprintf("panic with a %T", r)
}

// maxCallers bounds the number of functions that an internal error names.
const maxCallers = 6

// callers lists the innermost functions of this module on the stack, starting with the one that
// panicked, without their arguments.
func callers() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(4, pc)])
	var names []string
	for more := true; more && len(names) < maxCallers; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "runtime.") {
			continue
		}
		names = append(names, fmt.Sprintf("%s %s:%d", path.Base(f.Function), path.Base(f.File), f.Line))
	}
	return strings.Join(names, " < ")
}
