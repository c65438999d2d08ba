package link

import (
	"os"
	"time"
)

// alarm is a timer for one goroutine that waits. Any goroutine may change its time meanwhile. It waits as for a network: were the
// goroutine in a system call that sleeps, no other could run in its place until the runtime notices, which takes up to ten milliseconds.
type alarm struct {
	file  *os.File    // a timer of the kernel; nil where there is none
	timer *time.Timer // instead of file: the runtime's own, which is accurate to a millisecond only
}

// sleepShort sleeps like time.Sleep, but accurately.
func sleepShort(d time.Duration) {
	a := newAlarm()
	defer a.release()
	a.set(d)
	a.wait()
}

// newTimer returns an alarm of the runtime.
func newTimer() *alarm {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &alarm{timer: t}
}
