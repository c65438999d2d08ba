//go:build !linux

package report

import "runtime"

// peakResidentBytes is the memory that the Go runtime has obtained from the system, in bytes, which
// approximates the peak without a system call.
func peakResidentBytes() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
