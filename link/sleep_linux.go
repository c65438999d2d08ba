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
	if err != nil { // no more files can be open
		return newTimer()
	}
	return &alarm{file: os.NewFile(uintptr(fd), "timer")} // closed when the pool drops it
}}

// newAlarm returns an alarm; release ends its use.
func newAlarm() *alarm { return alarms.Get().(*alarm) }

func (a *alarm) release() { alarms.Put(a) }

// set has wait return d from now, also if another time was set before.
func (a *alarm) set(d time.Duration) {
	if a.file == nil {
		a.timer.Reset(d)
		return
	}
	var err error
	set := func(fd uintptr) {
		err = unix.TimerfdSettime(int(fd), 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(max(1, int64(d)))}, nil)
	}
	if c, failed := a.file.SyscallConn(); failed != nil || c.Control(set) != nil || err != nil {
		a.file.SetReadDeadline(time.Now()) // wait returns at once, and its caller looks at the clock
	}
}

// wait waits for the time that was set. It may return earlier.
func (a *alarm) wait() {
	if a.file == nil {
		<-a.timer.C
		return
	}
	var expirations [8]byte
	a.file.Read(expirations[:])
}
