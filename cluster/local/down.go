package local

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit"
)

// Stopped is what Down did to one process.
type Stopped struct {
	Name   string // "dealer" or the party's name
	Ran    bool   // the process was running
	Killed bool   // the process did not end within the limit and was killed
}

// Down stops the daemons of the cluster in folder dir: first the nodes, which wait for running jobs, then the
// dealer, which those jobs need. Each gets SIGTERM; one that has not ended within the limit is killed. The
// result has the dealer first, if there is one, then the nodes by name. A folder without a cluster is an error that wraps
// fs.ErrNotExist if it is missing.
func Down(dir string, limit time.Duration) ([]Stopped, error) {
	f, err := open(dir)
	if err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	out := make([]Stopped, len(f.daemons))
	errs := make([]error, len(f.daemons))
	end := func(i int) { out[i], errs[i] = f.daemons[i].shutDown(limit) }
	var nodes sync.WaitGroup
	for i, d := range f.daemons {
		if d.Name != kit.Dealer {
			nodes.Go(func() { end(i) })
		}
	}
	nodes.Wait()
	for i, d := range f.daemons {
		if d.Name == kit.Dealer {
			end(i)
		}
	}
	return out, errors.Join(errs...)
}

// shutDown ends a process and reports the outcome.
func (d *daemon) shutDown(limit time.Duration) (Stopped, error) {
	s := Stopped{Name: d.Name}
	pid, err := d.pid()
	if err != nil || pid == 0 {
		return s, err
	}
	s.Ran = true
	err = d.stop(limit)
	if errors.As(err, new(*killedError)) {
		s.Killed, err = true, nil
	}
	return s, err
}

// killedError says that a process was killed because it did not end in time.
type killedError struct {
	name  string
	limit time.Duration
}

func (e *killedError) Error() string {
	return fmt.Sprintf("%s did not end within %v and was killed", e.name, e.limit)
}

// stop ends a process with SIGTERM, and with SIGKILL after the limit.
func (d *daemon) stop(limit time.Duration) error {
	if err := d.signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	if ended, err := d.awaitExit(limit); ended || err != nil {
		return err
	}
	if err := d.signal(syscall.SIGKILL); err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	if ended, err := d.awaitExit(killTimeout); !ended {
		return errors.Join(err, fmt.Errorf("%s did not end after SIGKILL", d.Name))
	}
	return &killedError{d.Name, limit}
}

// killTimeout is the maximum time until a killed process has ended.
const killTimeout = 10 * time.Second

// awaitExit waits until a process has ended; false if it has not within the limit.
func (d *daemon) awaitExit(limit time.Duration) (bool, error) {
	for deadline := time.Now().Add(limit); ; time.Sleep(pollInterval) {
		pid, err := d.pid()
		if err != nil || pid == 0 {
			return pid == 0, err
		}
		if !time.Now().Before(deadline) {
			return false, nil
		}
	}
}
