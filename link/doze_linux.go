package link

import (
	"syscall"
	"time"
)

// doze waits for a short time, in the kernel: the runtime's timers are right to
// a millisecond only, which is two ways through a fast network.
func doze(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&t, nil) // a signal ends it early; who waits looks again
}
