//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes a file for this open file alone, or reports that another has it.
// It ends when the file is closed, by whatever end of the process too.
func Lock(f *os.File) (bool, error) { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// Unlocked reports whether nobody has locked a file.
func Unlocked(f *os.File) (bool, error) { return flock(f, syscall.LOCK_SH|syscall.LOCK_NB) }

func flock(f *os.File, how int) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}
