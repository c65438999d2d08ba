package link

import (
	"syscall"
	"time"
)

// sleepShort sleeps in the kernel: the runtime's timers are accurate to a millisecond only, which
// is the round trip of a fast network.
func sleepShort(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&t, nil) // a signal may end it early; the caller checks the time again
}
