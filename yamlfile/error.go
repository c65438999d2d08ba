package yamlfile

import "fmt"

// Error is something wrong with a file or a setting: the user's to mend.
type Error struct {
	Place string // "job.yaml:7", "bob.npz", "--ring"
	Err   error
}

func (e *Error) Error() string { return e.Place + ": " + e.Err.Error() }

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// Wrong makes an *Error; the format may wrap a cause with %w.
func Wrong(place, format string, args ...any) error {
	return &Error{place, fmt.Errorf(format, args...)}
}
