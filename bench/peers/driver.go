package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// driver is a process that runs one task with one system, once for every line
// that it is sent.
type driver struct {
	stop    context.CancelFunc
	cmd     *exec.Cmd
	turns   io.WriteCloser
	answers chan []byte // closed when there are no more
	said    *tail
	decode  func([]byte) (sample, error)
}

// start starts a driver.
func start(ctx context.Context, args []string, decode func([]byte) (sample, error)) (*driver, error) {
	ctx, stop := context.WithCancel(ctx)
	d := &driver{stop: stop, cmd: exec.CommandContext(ctx, args[0], args[1:]...), answers: make(chan []byte), said: new(tail), decode: decode}
	d.cmd.Stderr = d.said
	d.cmd.WaitDelay = 5 * time.Second // for what a killed driver started
	var out io.ReadCloser
	var err error
	if d.turns, err = d.cmd.StdinPipe(); err == nil {
		out, err = d.cmd.StdoutPipe()
	}
	if err == nil {
		err = d.cmd.Start()
	}
	if err != nil {
		stop()
		return nil, err
	}
	go func() {
		defer close(d.answers)
		for s := bufio.NewScanner(out); s.Scan(); {
			select {
			case d.answers <- bytes.Clone(s.Bytes()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return d, nil
}

// turn runs the task once.
func (d *driver) turn(ctx context.Context, limit time.Duration) (sample, error) {
	if _, err := io.WriteString(d.turns, "run\n"); err != nil {
		return sample{}, d.ended()
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return sample{}, errors.New("interrupted")
	case <-timer.C:
		d.close()
		return sample{}, fmt.Errorf("no answer within %v", limit)
	case line, more := <-d.answers:
		if !more {
			return sample{}, d.ended()
		}
		s, err := d.decode(line)
		if err != nil {
			if why := complaint(d.said.String()); why != "" {
				err = fmt.Errorf("%w (%s)", err, why)
			}
		}
		return s, err
	}
}

// ended says why a driver is gone.
func (d *driver) ended() error {
	err := d.wait()
	if err == nil {
		err = errors.New("exit status 0")
	}
	if why := telling(d.said.String()); why != "" {
		return fmt.Errorf("ended: %w: %s", err, why)
	}
	return fmt.Errorf("ended: %w", err)
}

// close ends a driver, however it ends.
func (d *driver) close() { _ = d.wait() }

// wait ends a driver, gently if it waits for a turn.
func (d *driver) wait() error {
	d.turns.Close()
	timer := time.AfterFunc(2*time.Second, d.stop)
	defer timer.Stop()
	for range d.answers {
	}
	defer d.stop()
	return d.cmd.Wait()
}
