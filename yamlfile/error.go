package yamlfile

import (
	"fmt"

	"github.com/tacet-mpc/tacet/problem"
)

// Error is an error in a file or a setting that the user must correct. Its kind is problem.Usage.
type Error struct {
	Place string // place of the error: "job.yaml:7", "bob.npz" or "--ring"
	Err   error  // what is wrong
}

// Error returns the place and the text of Err, such as "job.yaml:7: …".
func (e *Error) Error() string { return e.Place + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Wrong returns an *Error at a place. Its text has the format of fmt.Errorf, which may wrap a cause with %w.
func Wrong(place, format string, args ...any) error {
	return &Error{place, fmt.Errorf(format, args...)}
}

// Is reports whether target is problem.Usage, the kind of every Error. errors.Is also examines Err, so an Error
// that wraps an error of another kind matches both kinds.
func (e *Error) Is(target error) bool { return target == problem.Usage }

// Describe sets those fields of p that are empty: place, and kind. If Err has a kind of its own, such as range,
// that kind is set, otherwise usage.
func (e *Error) Describe(p *problem.Problem) {
	problem.Set(&p.Place, e.Place)
	inner := problem.Of(e.Err)
	if inner.Kind != problem.Failed {
		p.SetKind(inner.Kind)
	}
	p.SetKind(problem.Usage)
}
