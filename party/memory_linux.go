package party

import "syscall"

// residentPeak is the largest resident size that the process had, in bytes.
func residentPeak() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Maxrss * 1024
}
