//go:build !unix

package timing

// processorSeconds returns the processor time that this process has taken, in seconds; ok is false if the system does not say.
func processorSeconds() (seconds float64, ok bool) { return 0, false }
