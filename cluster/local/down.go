package local

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
)

// Stopped is what became of one process.
type Stopped struct {
	Name   string
	Ran    bool
	Killed bool // it did not end within the limit
}

// Down stops what runs of a cluster: nodes first, which let running jobs end,
// then the dealer, which those need. What has not ended within the limit is
// killed.
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
	end := func(i int) { out[i], errs[i] = f.daemons[i].down(limit) }
	var nodes sync.WaitGroup
	for i := 1; i < len(f.daemons); i++ {
		nodes.Go(func() { end(i) })
	}
	nodes.Wait()
	end(0)
	return out, errors.Join(errs...)
}

// down ends a process, and says how.
func (d *daemon) down(limit time.Duration) (Stopped, error) {
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

// killedError says that a process had to be killed.
type killedError struct {
	name  string
	limit time.Duration
}

func (e *killedError) Error() string {
	return fmt.Sprintf("%s did not end within %v and was killed", e.name, e.limit)
}

// stop ends a process gracefully, and after the limit otherwise.
func (d *daemon) stop(limit time.Duration) error {
	if err := d.signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	if ended, err := d.ends(limit); ended || err != nil {
		return err
	}
	if err := d.signal(syscall.SIGKILL); err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	if ended, err := d.ends(killTime); !ended {
		return errors.Join(err, fmt.Errorf("%s does not even end when it is killed", d.Name))
	}
	return &killedError{d.Name, limit}
}

// killTime is how long the kernel may take to end a process.
const killTime = 10 * time.Second

// ends waits until a process has ended.
func (d *daemon) ends(limit time.Duration) (bool, error) {
	for deadline := time.Now().Add(limit); ; time.Sleep(poll) {
		pid, err := d.pid()
		if err != nil || pid == 0 {
			return pid == 0, err
		}
		if !time.Now().Before(deadline) {
			return false, nil
		}
	}
}
