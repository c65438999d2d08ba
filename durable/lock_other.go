//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package durable

import (
	"errors"
	"os"
)

// Lock and Unlocked are refused: there is no way here to know who else has a
// file.
func Lock(f *os.File) (bool, error) { return Unlocked(f) }

// Close closes a file.
func Close(f *os.File) error { return f.Close() }

// Unlocked is refused as Lock is.
func Unlocked(f *os.File) (bool, error) {
	return false, &os.PathError{Op: "lock", Path: f.Name(), Err: errors.ErrUnsupported}
}
