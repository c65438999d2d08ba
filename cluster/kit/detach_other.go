//go:build !unix

package kit

import "syscall"

// Detached starts a process as any other: there are no sessions here.
func Detached() *syscall.SysProcAttr { return nil }
