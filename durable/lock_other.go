//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package durable

import (
	"errors"
	"os"
)

// Lock returns errors.ErrUnsupported: this system has no locks that end with their process.
func Lock(f *os.File) (bool, error) { return Unlocked(f) }

// Close closes a file.
func Close(f *os.File) error { return f.Close() }

// Unlocked returns errors.ErrUnsupported, as Lock does.
func Unlocked(f *os.File) (bool, error) {
	return false, &os.PathError{Op: "lock", Path: f.Name(), Err: errors.ErrUnsupported}
}
