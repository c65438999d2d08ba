//go:build unix

package timing

import (
	"os"
	"syscall"
)

// processorSeconds returns the processor time that this process has taken, in seconds; ok is false if the system does not say.
func processorSeconds() (seconds float64, ok bool) {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0, false
	}
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e9, true
}

// freshBytes is the size of the memory on which fresh measures.
const freshBytes = 16 << 20

// fresh returns the time in seconds for a byte of memory that the kernel has yet to provide; 0 if it provides none.
func fresh() float64 {
	return fastest(func() float64 {
		b, err := syscall.Mmap(-1, 0, freshBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			return 0
		}
		defer syscall.Munmap(b)
		before, _ := processorSeconds()
		for i := 0; i < len(b); i += os.Getpagesize() {
			b[i] = 1
		}
		after, _ := processorSeconds()
		return (after - before) / freshBytes
	})
}
