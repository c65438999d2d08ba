//go:build unix

package kit

import "syscall"

// Detached starts a process in a session of its own: what interrupts or ends
// this one's terminal does not reach it.
func Detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
