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
	"time"
)

// exactly reports whether seeds replay exactly on this machine: one process must be able to trace
// another, and the race detector, whose runtime has threads of its own, must be off.
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

// atRandom is the entry of a process's auxiliary vector with the address of 16 random bytes from the
// kernel.
const atRandom = 25

// runExactly runs a test's process so that it behaves the same each time for a given seed. The process
// has one processor and collects no garbage (GOMAXPROCS=1, GOGC=off); the remaining sources of chance
// are removed here. The random bytes that the kernel gives each process, from which selects, maps and
// simultaneous timers draw, are replaced by bytes of the seed. The thread that preempts goroutines
// that run or write files for too long (sysmon) is stopped from its first instruction on. And until
// the test begins, the first thread runs only while all others sleep: otherwise the number of threads,
// and which thread draws which random bytes, would be a race.
func runExactly(cmd *exec.Cmd, seed uint64) error {
	runtime.LockOSThread() // ptrace calls must come from the tracing thread
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	h := tracedProcess{pid: cmd.Process.Pid}
	err := h.lead(seed)
	if err != nil {
		cmd.Process.Kill()
	}
	h.awaitThreadEnd()
	if ended := cmd.Wait(); err == nil {
		return ended
	}
	return fmt.Errorf("the process is not to be held: %w", err)
}

// begin signals that the test begins.
func begin() { syscall.Kill(syscall.Getpid(), begins) }

// limitCPU ends this process, with the stacks of its goroutines, when it has used the processor for a time.
func limitCPU(most time.Duration) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
		return err
	}
	limit.Cur = min(limit.Max, uint64(most/time.Second))
	return syscall.Setrlimit(syscall.RLIMIT_CPU, &limit)
}

// begins is that signal. A process that is not traced ignores it.
const begins = syscall.SIGWINCH

// tracedProcess is a traced process.
type tracedProcess struct {
	pid      int
	watchdog int // thread id of sysmon, the second thread
	status   syscall.WaitStatus
}

// lead traces a process from its first instruction until its test begins.
func (h *tracedProcess) lead(seed uint64) error {
	if err := h.wait(); err != nil {
		return err
	}
	if err := h.poke(seed); err != nil {
		return err
	}
	const options = syscall.PTRACE_O_TRACECLONE | syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACEEXIT
	if err := syscall.PtraceSetOptions(h.pid, options); err != nil {
		return err
	}
	pass := 0 // a signal to deliver to the process
	for {
		goOn := syscall.PtraceSyscall
		if h.watchdog == 0 { // no other threads exist yet
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
		case s == syscall.SIGTRAP|0x80: // entry to or exit from a system call
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
func (h *tracedProcess) wait() error {
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

// poke overwrites the random bytes that the process starts with.
func (h *tracedProcess) poke(seed uint64) error {
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

// cloned lets a new thread run, unless it is the first one created (sysmon).
func (h *tracedProcess) cloned() error {
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

// awaitThreadEnd waits for the end of the stopped thread, which ends with the process; the tracer must collect
// its status.
func (h *tracedProcess) awaitThreadEnd() {
	for h.watchdog != 0 {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(h.watchdog, &status, syscall.WALL, nil)
		switch {
		case err == syscall.EINTR:
		case err == nil && status.Stopped(): // stopped at its exit
			syscall.PtraceCont(h.watchdog, 0)
		default:
			return
		}
	}
}

// quiet waits until no thread except the first one runs.
func (h *tracedProcess) quiet() error {
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
