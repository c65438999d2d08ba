//go:build unix

package kit

import "syscall"

// Detached returns attributes for exec.Cmd that start a process in a session of its own, so that signals of this
// process's terminal, such as Ctrl-C, do not reach it. On systems without sessions it returns nil.
func Detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
