//go:build !linux

package party

import "runtime"

// residentPeak is the memory that the Go runtime has from the system, in
// bytes: the best that is known without asking the system.
func residentPeak() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
