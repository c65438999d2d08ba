//go:build !linux

package node

import "os/exec"

func exactly() bool { return false }

func begin() {}

// runExactly runs a test's process; it does the same each time as far as Go
// allows where nobody holds it.
func runExactly(cmd *exec.Cmd, _ uint64) error { return cmd.Run() }
