//go:build !unix

package node

// fillDisk does nothing: full disks are not simulated here.
func fillDisk(bool) error { return nil }
