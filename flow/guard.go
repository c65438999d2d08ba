package flow

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
)

// guard runs f and turns a panic into an error that names kinds and places,
// never values, which may be secret.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %s\n%s", kind(r), callers())
		}
	}()
	return f()
}

var number = regexp.MustCompile(`-?[0-9]+`)

// kind says what a panic was about. Text is by this module's rule about shapes
// and rings alone; the runtime's may hold an index, and anything else is but
// named by its type.
func kind(r any) string {
	switch r := r.(type) {
	case string:
		return r
	case runtime.Error:
		return number.ReplaceAllString(r.Error(), "…")
	}
	return fmt.Sprintf("panic with a %T", r)
}

// callers lists the functions of the stack, without their arguments, from the
// one that panicked on.
func callers() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(4, pc)])
	var b strings.Builder
	for {
		f, more := frames.Next()
		fmt.Fprintf(&b, "\t%s (%s:%d)\n", f.Function, f.File, f.Line)
		if !more {
			return b.String()
		}
	}
}
