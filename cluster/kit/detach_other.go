//go:build !unix

package kit

import "syscall"

// Detached returns no attributes: this system has no process sessions.
func Detached() *syscall.SysProcAttr { return nil }
