package study

import (
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"strconv"
)

// PeakMemoryGrowth runs f and returns by how many bytes the process's resident memory grew at its
// peak; NaN if the system does not report it.
func PeakMemoryGrowth(f func() error) (float64, error) {
	debug.FreeOSMemory()
	// On Linux this resets the recorded peak (VmHWM) to the current size.
	told := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
	before := status("VmRSS:")
	if err := f(); err != nil {
		return 0, err
	}
	if !told {
		return math.NaN(), nil
	}
	return status("VmHWM:") - before, nil
}

// status returns a field of /proc/self/status in bytes, NaN if it is missing.
func status(key string) float64 {
	b, _ := os.ReadFile("/proc/self/status") // "VmHWM:	   12345 kB"
	_, rest, ok := bytes.Cut(b, []byte(key))
	if fields := bytes.Fields(rest); ok && len(fields) > 0 {
		if kb, err := strconv.ParseFloat(string(fields[0]), 64); err == nil {
			return kb * 1024
		}
	}
	return math.NaN()
}
