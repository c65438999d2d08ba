//go:build unix

package node

import (
	"os/signal"
	"syscall"
)

// fillDisk makes all writes of this process fail that would make a file longer, or lets them succeed
// again.
func fillDisk(full bool) error {
	signal.Ignore(syscall.SIGXFSZ)
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return err
	}
	l.Cur = l.Max
	if full {
		l.Cur = 0
	}
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l)
}
