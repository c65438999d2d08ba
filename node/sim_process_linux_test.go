package node

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
)

// exactly reports whether seeds replay exactly here: where one process may trace
// another, and not with the race detector, whose runtime has threads of its own.
var exactly = sync.OnceValue(func() bool {
	if raced || strconv.IntSize != 64 {
		return false
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command("/proc/self/exe", "-test.run=^$")
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return false
	}
	cmd.Process.Kill()
	cmd.Wait()
	return true
})

// atRandom is the entry of a process's auxiliary vector that says where the
// kernel has put 16 random bytes.
const atRandom = 25

// runExactly runs a test's process so that it does the same whenever it is given
// the same seed. The process has one processor and collects no garbage
// (GOMAXPROCS=1, GOGC=off); what else Go does by chance is taken from it here.
// The random bytes that the kernel gives each process, from which selects, maps
// and timers of one moment draw, are those of the seed. The thread that takes the
// processor from goroutines that run or write files for too long (sysmon) is held
// from its first instruction on. And until the test begins the first thread goes
// on only while all others sleep: how many there are, and what is drawn where,
// would else be a race.
func runExactly(cmd *exec.Cmd, seed uint64) error {
	runtime.LockOSThread() // the one that traces
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	h := held{pid: cmd.Process.Pid}
	err := h.lead(seed)
	if err != nil {
		cmd.Process.Kill()
	}
	h.seeOff()
	if ended := cmd.Wait(); err == nil {
		return ended
	}
	return fmt.Errorf("the process is not to be held: %w", err)
}

// begin says that the test begins.
func begin() { syscall.Kill(syscall.Getpid(), begins) }

// begins is the signal that says so. A process that nobody holds does not mind it.
const begins = syscall.SIGWINCH

// held is a process that is held.
type held struct {
	pid      int
	watchdog int // its second thread
	status   syscall.WaitStatus
}

// lead leads a process that has not run yet to where its test begins.
func (h *held) lead(seed uint64) error {
	if err := h.wait(); err != nil {
		return err
	}
	if err := h.poke(seed); err != nil {
		return err
	}
	if err := syscall.PtraceSetOptions(h.pid, syscall.PTRACE_O_TRACECLONE|syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACEEXIT); err != nil {
		return err
	}
	pass := 0 // a signal that is for the process
	for {
		goOn := syscall.PtraceSyscall
		if h.watchdog == 0 { // there are no others yet
			goOn = syscall.PtraceCont
		}
		if err := goOn(h.pid, pass); err != nil {
			return err
		}
		if err := h.wait(); err != nil {
			return err
		}
		pass = 0
		switch s := h.status.StopSignal(); {
		case s == syscall.SIGTRAP|0x80: // into a system call, or out of it
			if err := h.quiet(); err != nil {
				return err
			}
		case h.status.TrapCause() == syscall.PTRACE_EVENT_CLONE:
			if err := h.cloned(); err != nil {
				return err
			}
		case h.status.TrapCause() == syscall.PTRACE_EVENT_EXIT:
			return errors.Join(errors.New("it has ended before its test began"), syscall.PtraceDetach(h.pid))
		case s == begins:
			return syscall.PtraceDetach(h.pid)
		case s != syscall.SIGTRAP:
			pass = int(s)
		}
	}
}

// wait waits until the first thread stops.
func (h *held) wait() error {
	for {
		if _, err := syscall.Wait4(h.pid, &h.status, 0, nil); err == syscall.EINTR {
			continue
		} else if err != nil {
			return err
		}
		if !h.status.Stopped() {
			return fmt.Errorf("it has ended (status %#x)", h.status)
		}
		return nil
	}
}

// poke sets the random bytes that the process begins with.
func (h *held) poke(seed uint64) error {
	vector, err := os.ReadFile(fmt.Sprintf("/proc/%d/auxv", h.pid))
	if err != nil {
		return err
	}
	const word = 8
	for ; len(vector) >= 2*word; vector = vector[2*word:] {
		if binary.NativeEndian.Uint64(vector) == atRandom {
			drawn := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, seed+1), ^seed)
			_, err := syscall.PtracePokeData(h.pid, uintptr(binary.NativeEndian.Uint64(vector[word:])), drawn)
			return err
		}
	}
	return errors.New("it is given no random bytes")
}

// cloned lets a new thread run, unless it is the first one.
func (h *held) cloned() error {
	id, err := syscall.PtraceGetEventMsg(h.pid)
	if err != nil {
		return err
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(int(id), &status, syscall.WALL, nil); err != nil {
		return err
	}
	if h.watchdog == 0 {
		h.watchdog = int(id)
		return nil
	}
	return syscall.PtraceDetach(int(id))
}

// seeOff waits for the end of the thread that is held, which comes with that of
// the process and is this one's to take note of.
func (h *held) seeOff() {
	for h.watchdog != 0 {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(h.watchdog, &status, syscall.WALL, nil)
		switch {
		case err == syscall.EINTR:
		case err == nil && status.Stopped(): // at its exit
			syscall.PtraceCont(h.watchdog, 0)
		default:
			return
		}
	}
}

// quiet waits until no thread runs but the first.
func (h *held) quiet() error {
	folder := fmt.Sprintf("/proc/%d/task/", h.pid)
	threads, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, t := range threads {
		for {
			text, err := os.ReadFile(folder + t.Name() + "/stat")
			if err != nil {
				return err
			}
			// The state follows the name, which is in parentheses.
			if at := bytes.LastIndexByte(text, ')') + 2; at >= len(text) || text[at] != 'R' && text[at] != 'D' {
				break
			}
			runtime.Gosched()
		}
	}
	return nil
}
