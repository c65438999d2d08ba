package job

import "fmt"

// Error is something wrong with a job, its settings or its files: the user's
// to mend, and known before anything was sent.
type Error struct {
	Place string // "job.yaml:7", "bob.npz", "--ring"
	Err   error
}

func (e *Error) Error() string { return e.Place + ": " + e.Err.Error() }

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// wrong makes an Error; the format may wrap a cause with %w.
func wrong(place, format string, args ...any) error {
	return &Error{place, fmt.Errorf(format, args...)}
}
