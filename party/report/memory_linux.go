package report

import "syscall"

// peakResidentBytes is the largest resident set size of the process so far, in bytes.
func peakResidentBytes() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Maxrss * 1024
}
