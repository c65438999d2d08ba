package flow

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
)

// guard does work and turns a panic into an error, as Guard does.
func guard(w work) (err error) {
	defer recovered(&err)
	return w.run()
}

// Guard calls f and turns a panic into an error of one line that names kinds and
// places, never values, which may be secret.
func Guard(f func() error) (err error) {
	defer recovered(&err)
	return f()
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("internal error: %s (%s); please report it", kind(r), callers())
	}
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

// maxCallers bounds how many functions an internal error names.
const maxCallers = 6

// callers lists the innermost functions of this module on the stack, from the
// one that panicked on, without their arguments.
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
