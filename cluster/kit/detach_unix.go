//go:build unix

package kit

import "syscall"

// Detached returns attributes that start a process in a session of its own, so that signals of this
// process's terminal do not reach it.
func Detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
