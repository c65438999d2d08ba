//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes a file for this open file alone, or reports that another has it.
// It ends with Close, and when all processes that have inherited the open file
// have closed it, by whatever end of them too.
func Lock(f *os.File) (bool, error) { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// Unlocked reports whether nobody has locked a file.
func Unlocked(f *os.File) (bool, error) {
	free, err := flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	if free {
		_, err = flock(f, syscall.LOCK_UN)
	}
	return free, err
}

// Close closes a file that is locked, and unlocks it at once: a process that is
// being started has every open file of this one for a moment.
func Close(f *os.File) error {
	_, err := flock(f, syscall.LOCK_UN)
	return errors.Join(err, f.Close())
}

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
