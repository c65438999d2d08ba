package durable

import (
	"os"
	"sync/atomic"
)

// intercepted is the function of Intercept; nil but in tests.
var intercepted atomic.Pointer[func(step, path string) error]

// Intercept has f called before each step by which this package changes what is on disk, with the name of the step and the path. If f
// returns an error, the step is not done and fails with it. Tests make processes end, and disks fail, at each step of a
// change. The returned function takes f off again.
func Intercept(f func(step, path string) error) (end func()) {
	intercepted.Store(&f)
	return func() { intercepted.Store(nil) }
}

// before calls the function of Intercept.
func before(step, path string) error {
	if f := intercepted.Load(); f != nil {
		return (*f)(step, path)
	}
	return nil
}

// Rename is os.Rename, a step that tests can intercept. SyncDir makes it durable.
func Rename(from, to string) error {
	if err := before("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove is os.Remove, as a step.
func Remove(path string) error {
	if err := before("remove", path); err != nil {
		return err
	}
	return os.Remove(path)
}

// Truncate is f.Truncate(0), as a step.
func Truncate(f *os.File) error {
	if err := before("truncate", f.Name()); err != nil {
		return err
	}
	return f.Truncate(0)
}

// Sync is f.Sync, as a step.
func Sync(f *os.File) error {
	if err := before("sync", f.Name()); err != nil {
		return err
	}
	return f.Sync()
}

// Create is os.OpenFile of a file that must not exist, for writing, as a step.
func Create(path string, mode os.FileMode) (*os.File, error) {
	if err := before("create", path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}
