package link

import (
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// alarms are timers of the kernel that are not in use. The runtime's own timers are accurate to a millisecond only, which is the round trip
// of a fast network.
var alarms = sync.Pool{New: func() any {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return (*os.File)(nil)
	}
	return os.NewFile(uintptr(fd), "timer") // closed when the pool drops it
}}

// sleepShort sleeps like time.Sleep, but accurately. The goroutine waits as for a network: were it in a system call that sleeps, no other
// could run in its place until the runtime notices, which takes up to ten milliseconds.
func sleepShort(d time.Duration) {
	alarm := alarms.Get().(*os.File)
	if alarm == nil { // no more files can be open
		time.Sleep(d)
		return
	}
	defer alarms.Put(alarm)
	var err error
	set := func(fd uintptr) {
		err = unix.TimerfdSettime(int(fd), 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(max(1, int64(d)))}, nil)
	}
	if c, failed := alarm.SyscallConn(); failed != nil || c.Control(set) != nil || err != nil {
		time.Sleep(d)
		return
	}
	var expirations [8]byte
	alarm.Read(expirations[:]) // the caller checks the time again
}
