//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks a file for this open file description, without waiting. It returns false if another open file
// description holds the lock. The lock ends with Close, or when all processes that inherited the open file have
// closed it or ended.
func Lock(f *os.File) (bool, error) { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// Unlocked reports whether no open file description holds a lock on the file. It leaves no lock behind.
func Unlocked(f *os.File) (bool, error) {
	free, err := flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	if free {
		_, err = flock(f, syscall.LOCK_UN)
	}
	return free, err
}

// Close unlocks and closes a file that Lock has locked. It unlocks explicitly, because a child process that is
// being started at this moment holds a copy of every open file, and would keep the lock until it executes its
// program.
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
