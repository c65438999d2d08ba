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

// driver is a process that runs one task with one system, once for every line on its standard
// input.
type driver struct {
	stop    context.CancelFunc
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers chan []byte // one line per run; closed at the end of the output
	stderr  *tail
	decode  func([]byte) (sample, error)
}

// start starts a driver process.
func start(ctx context.Context, args []string, decode func([]byte) (sample, error)) (*driver, error) {
	ctx, stop := context.WithCancel(ctx)
	d := &driver{
		stop:    stop,
		cmd:     exec.CommandContext(ctx, args[0], args[1:]...),
		answers: make(chan []byte),
		stderr:  new(tail),
		decode:  decode,
	}
	d.cmd.Stderr = d.stderr
	d.cmd.WaitDelay = 5 * time.Second // limit for child processes of a killed driver
	var out io.ReadCloser
	var err error
	if d.stdin, err = d.cmd.StdinPipe(); err == nil {
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

// runOnce runs the task once. It fails if there is no answer within the limit.
func (d *driver) runOnce(ctx context.Context, limit time.Duration) (sample, error) {
	if _, err := io.WriteString(d.stdin, "run\n"); err != nil {
		return sample{}, d.exitError()
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
			return sample{}, d.exitError()
		}
		s, err := d.decode(line)
		if err != nil {
			if why := lastErrorLine(d.stderr.String()); why != "" {
				err = fmt.Errorf("%w (%s)", err, why)
			}
		}
		return s, err
	}
}

// exitError returns the reason why the driver process has ended.
func (d *driver) exitError() error {
	err := d.wait()
	if err == nil {
		err = errors.New("exit status 0")
	}
	if why := explanation(d.stderr.String()); why != "" {
		return fmt.Errorf("ended: %w: %s", err, why)
	}
	return fmt.Errorf("ended: %w", err)
}

// close stops the driver and ignores how it ended.
func (d *driver) close() { _ = d.wait() }

// wait stops the driver: it closes its standard input and kills it after two seconds.
func (d *driver) wait() error {
	d.stdin.Close()
	timer := time.AfterFunc(2*time.Second, d.stop)
	defer timer.Stop()
	for range d.answers {
	}
	defer d.stop()
	return d.cmd.Wait()
}
