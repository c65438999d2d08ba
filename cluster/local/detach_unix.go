//go:build unix

package local

import "syscall"

// detached starts a process in a session of its own: what ends this one's
// terminal does not end it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
