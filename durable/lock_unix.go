//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks a file for this open file description; false if another one holds the lock. The lock ends
// with Close, or when all processes that inherited the open file have closed it or ended.
func Lock(f *os.File) (bool, error) { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// Unlocked reports whether no process has locked the file.
func Unlocked(f *os.File) (bool, error) {
	free, err := flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	if free {
		_, err = flock(f, syscall.LOCK_UN)
	}
	return free, err
}

// Close unlocks and closes a file. It unlocks explicitly, since a child process that is just being
// started holds a copy of every open file for a moment.
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
