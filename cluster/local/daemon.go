package local

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/durable"
)

// daemon is a node or the dealer as a process.
type daemon struct {
	kit.Daemon // name and address
	folder     string
}

func newDaemon(folder, name, address string) *daemon {
	return &daemon{kit.Daemon{Name: name, Address: address}, folder}
}

func (d *daemon) config() string  { return filepath.Join(d.folder, d.Config()) }
func (d *daemon) log() string     { return filepath.Join(d.folder, d.Name, d.Command()+".log") }
func (d *daemon) pidFile() string { return filepath.Join(d.folder, d.Name, "pid") }

// pid returns the process's id; 0 if it does not run.
func (d *daemon) pid() (int, error) {
	f, err := os.Open(d.pidFile())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if free, err := durable.Unlocked(f); err != nil || free {
		return 0, err
	}
	text, err := os.ReadFile(d.pidFile())
	if err != nil {
		return 0, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 1 {
		return 0, fmt.Errorf("%s: locked by a process, but it contains no process id", d.pidFile())
	}
	return pid, nil
}

// start starts the process on this number of cores. The process inherits the lock on its pid file and
// outlives this one.
func (d *daemon) start(program string, cores int) error {
	pid, err := os.OpenFile(d.pidFile(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer pid.Close()
	if free, err := durable.Lock(pid); err != nil || !free {
		return errors.Join(err, fmt.Errorf("%s: locked by another process", d.pidFile()))
	}
	log, err := os.OpenFile(d.log(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	c := exec.Command(program, d.Command(), "--config", d.config())
	c.Stdout, c.Stderr = log, log
	c.ExtraFiles = []*os.File{pid}
	c.SysProcAttr = kit.Detached()
	if _, said := os.LookupEnv(coresVariable); !said {
		c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", coresVariable, cores))
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	err = pid.Truncate(0)
	if err == nil {
		_, err = pid.WriteAt([]byte(strconv.Itoa(c.Process.Pid)+"\n"), 0)
	}
	if err != nil {
		return errors.Join(err, c.Process.Kill(), c.Wait())
	}
	return c.Process.Release()
}

// coresVariable is the environment variable that bounds the number of cores on which a process's
// goroutines run.
const coresVariable = "GOMAXPROCS"

// cores returns the number of a machine's cores on which a daemon runs. The parties compute at the
// same time: if each ran on all cores, one party's computation would delay the message that another
// waits for. The dealer has finished by then and may use all cores.
func (d *daemon) cores(cores, parties int) int {
	if d.Name == kit.Dealer {
		return cores
	}
	return max(1, cores/parties)
}

// signal sends a signal if the process runs.
func (d *daemon) signal(s syscall.Signal) error {
	pid, err := d.pid()
	if err != nil || pid == 0 {
		return err
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Signal(s)
	}
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// lastLogLine returns the last line of the log after its first since bytes; "" if there is none.
func (d *daemon) lastLogLine(since int64) string {
	text, err := os.ReadFile(d.log())
	if err != nil || int64(len(text)) <= since {
		return ""
	}
	lines := bytes.Split(bytes.TrimSpace(text[since:]), []byte{'\n'})
	return string(lines[len(lines)-1])
}

func (d *daemon) logSize() int64 {
	info, err := os.Stat(d.log())
	if err != nil {
		return 0
	}
	return info.Size()
}
