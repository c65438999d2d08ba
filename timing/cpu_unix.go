//go:build unix

package timing

import "syscall"

// processorSeconds returns the processor time that this process has taken, in seconds; ok is false if the system does not say.
func processorSeconds() (seconds float64, ok bool) {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0, false
	}
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e9, true
}
