package durable

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Identity returns a text that is different for a file and each of its copies: the time at which the file system
// created the file, in nanoseconds. No program can set that time, and it stays the same when the file is renamed
// or the machine restarts. It returns "" if the file system does not report the time. In a copy of a whole file
// system, files have the same identities.
func Identity(f *os.File) (string, error) {
	var x unix.Statx_t
	err := unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &x)
	switch {
	case err == unix.ENOSYS, err == unix.EPERM: // an old kernel, or a sandbox that does not know the call
		return "", nil
	case err != nil:
		return "", &os.PathError{Op: "statx", Path: f.Name(), Err: err}
	case x.Mask&unix.STATX_BTIME == 0:
		return "", nil
	}
	return strconv.FormatInt(x.Btime.Sec*1e9+int64(x.Btime.Nsec), 10), nil
}
