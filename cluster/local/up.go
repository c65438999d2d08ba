package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/pki"
)

// Options are the options of Up.
type Options struct {
	Dir string // the cluster's folder
	// Parties are the names of the parties. nil means those of the existing folder, or alice and bob for a new
	// one.
	Parties []string
	// Data is the folder from which all nodes of a new cluster may read inputs; "" for all files that the user
	// may read. It must be "" if the folder exists.
	Data string
	// Protocol is the protocol that the policies of a new cluster allow, which has a dealer only if this protocol needs one; ""
	// for all protocols and a dealer. If the folder exists, its cluster must have a dealer if the protocol needs one.
	Protocol string
	Program  string        // path of the tacet program to start
	Wait     time.Duration // maximum time until all daemons answer
}

// Status describes one running process of a local cluster: the dealer or a node. Name is its name in the cluster
// ("dealer" or the party's name), Address the host:port at which it listens, Log the path of its log file.
type Status struct {
	Name, Address, Log string
	PID                int  // process id
	Started            bool // this call of Up started the process; false if it was running before
}

// Up creates the cluster's folder if there is none, starts the daemons that do not run, and waits until all
// daemons answer. made reports whether it created the folder; status has the dealer first, then the nodes by
// name. If a daemon ends or does not answer within o.Wait, Up stops the processes that it started and returns an
// error. Options that do not fit the folder are a *RefusedError.
func Up(ctx context.Context, o Options) (made bool, status []Status, err error) {
	f, made, err := o.folder()
	if err != nil {
		return false, nil, &RefusedError{err}
	}
	unlock, err := f.lock()
	if err != nil {
		return made, nil, err
	}
	defer unlock()
	id, err := pki.Load(f.TLS)
	if err != nil {
		return made, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	started := map[*daemon]int64{} // with the log's size at the start
	start := func(d *daemon) error {
		pid, err := d.pid()
		if err == nil && pid == 0 {
			started[d] = d.logSize()
			err = d.start(o.Program, d.cores(runtime.GOMAXPROCS(0), len(f.Nodes)))
		}
		return err
	}
	for _, d := range f.daemons {
		if err := start(d); err != nil {
			return made, nil, f.stopStarted(started, err)
		}
	}
	for _, d := range f.daemons {
		err := d.await(ctx, id, started[d])
		if _, now := started[d]; errors.As(err, new(*exitedError)) && !now { // it was ending when its pid was read
			if err = start(d); err == nil {
				err = d.await(ctx, id, started[d])
			}
		}
		if err != nil {
			return made, nil, f.stopStarted(started, err)
		}
		pid, err := d.pid()
		if err != nil {
			return made, nil, f.stopStarted(started, err)
		}
		_, now := started[d]
		status = append(status, Status{d.Name, d.Address, d.log(), pid, now})
	}
	return made, status, nil
}

// RefusedError is the error of Up if the options contradict the existing folder, or describe no valid cluster.
// Err is the reason.
type RefusedError struct{ Err error }

// Error returns the text of Err.
func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *RefusedError) Unwrap() error { return e.Err }

// folder opens the cluster's folder, or creates it.
func (o *Options) folder() (f *folder, made bool, err error) {
	f, err = open(o.Dir)
	switch {
	case err == nil && o.Data != "":
		err = fmt.Errorf("%s exists already: its nodes read inputs from the folders under data in their node.yaml (change them there, or choose another folder with --dir)", o.Dir)
	case err == nil:
		err = errors.Join(f.checkParties(o.Parties), f.checkProtocol(o.Protocol))
	case errors.Is(err, fs.ErrNotExist):
		if err = o.build(); err == nil {
			f, err = open(o.Dir)
			made = true
		}
	}
	return f, made, err
}

func (o *Options) build() error {
	parties, data := o.Parties, o.Data
	if parties == nil {
		parties = []string{"alice", "bob"}
		if d, err := protocol.Find(o.Protocol); err == nil && d.Least > len(parties) {
			parties = append(parties, "carol")
		}
	}
	if data == "" {
		data = string(filepath.Separator)
	}
	data, err := filepath.Abs(data)
	if err != nil {
		return err
	}
	return build(o.Dir, parties, data, o.Protocol)
}

// stopStarted stops the processes that Up has started, and returns err.
func (f *folder) stopStarted(started map[*daemon]int64, err error) error {
	for d := range started {
		if serr := d.stop(stopTimeout); serr != nil {
			err = errors.Join(err, serr)
		}
	}
	return err
}

// stopTimeout is the maximum time for a process just started to end.
const stopTimeout = 5 * time.Second

// pollInterval is the time between two checks of a process.
const pollInterval = 20 * time.Millisecond

// exitedError says that a daemon's process ended while it should run.
type exitedError struct{ name, lastLine, log string }

func (e *exitedError) Error() string {
	line := strings.TrimPrefix(e.lastLine, "tacet: error: ")
	if line == "" {
		line = "its log is empty"
	}
	return fmt.Sprintf("%s ended right after its start: %s (%s)", e.name, line, e.log)
}

// await waits until a daemon answers. It fails when the daemon's process ends, with the last line of
// the log after its first logged bytes, or when ctx ends.
func (d *daemon) await(ctx context.Context, id *pki.Identity, logged int64) error {
	var last error // the last one before ctx ended
	for {
		err := d.CheckHealth(ctx, id)
		if err == nil {
			return nil
		}
		if last == nil || ctx.Err() == nil {
			last = err
		}
		pid, perr := d.pid()
		switch {
		case perr != nil:
			return perr
		case pid == 0:
			return &exitedError{d.Name, d.lastLogLine(logged), d.log()}
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return fmt.Errorf("%s runs but does not answer: %w (see %s)", d.Name, last, d.log())
		case ctx.Err() != nil:
			return ctx.Err()
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
		}
	}
}
