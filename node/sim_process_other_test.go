//go:build !linux

package node

import (
	"os/exec"
	"time"
)

func exactly() bool { return false }

func begin() {}

func limitCPU(time.Duration) error { return nil }

// runExactly runs a test's process. Without tracing, it replays a seed as far as Go allows.
func runExactly(cmd *exec.Cmd, _ uint64) error { return cmd.Run() }
