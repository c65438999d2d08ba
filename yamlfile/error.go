package yamlfile

import (
	"fmt"

	"github.com/tacet-mpc/tacet/problem"
)

// Error is an error in a file or a setting that the user must correct.
type Error struct {
	Place string // "job.yaml:7", "bob.npz", "--ring"
	Err   error
}

func (e *Error) Error() string { return e.Place + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Wrong returns an *Error; the format may wrap a cause with %w.
func Wrong(place, format string, args ...any) error {
	return &Error{place, fmt.Errorf(format, args...)}
}

// Is reports whether target is the error's kind, usage. What the error wraps may have
// another one besides.
func (e *Error) Is(target error) bool { return target == problem.Usage }

// Describe fills in a problem. An element out of range (kind range) stays one.
func (e *Error) Describe(p *problem.Problem) {
	problem.Set(&p.Place, e.Place)
	inner := problem.Of(e.Err)
	if inner.Kind != problem.Failed {
		p.SetKind(inner.Kind)
	}
	p.SetKind(problem.Usage)
}
