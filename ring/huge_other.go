//go:build !linux

package ring

// adviseHuge does nothing: huge pages are asked for on Linux only.
func adviseHuge([]uint64) {}
