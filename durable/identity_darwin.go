package durable

import (
	"fmt"
	"os"
	"syscall"
)

// Identity returns what tells a file from every copy of it: its number in the file system, which APFS
// does not use again, and its time of birth, which programs can set. A copy of the whole file system
// has the same identities.
func Identity(f *os.File) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", nil
	}
	return fmt.Sprintf("%d/%d", s.Ino, s.Birthtimespec.Nano()), nil
}
