//go:build !unix

package timing

// processorSeconds returns the processor time that this process has taken, in seconds; ok is false if the system does not say.
func processorSeconds() (seconds float64, ok bool) { return 0, false }

// fresh returns the time in seconds for a byte of memory that the kernel has yet to provide, which is not measured here.
func fresh() float64 { return 0 }
