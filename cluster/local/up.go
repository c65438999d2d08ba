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

	"github.com/tacet-mpc/tacet/pki"
)

// Options are what Up needs to know.
type Options struct {
	Dir     string
	Parties []string // nil: those that the folder has, or alice and bob
	// Data is the folder that all nodes of a new cluster may read inputs from;
	// "" for all that the user may read.
	Data    string
	Program string        // the tacet that is started
	Wait    time.Duration // for all to answer
}

// Status is what became of one process.
type Status struct {
	Name, Address, Log string
	PID                int
	Started            bool // now; else it ran already
}

// Up starts what does not run of a cluster, whose folder it makes if there is
// none, and returns when all answer. Where something does not, what was
// started now is stopped again.
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
	started := map[*daemon]int64{} // with the log's size before
	start := func(d *daemon) error {
		pid, err := d.pid()
		if err == nil && pid == 0 {
			started[d] = d.logSize()
			err = d.start(o.Program, d.share(runtime.GOMAXPROCS(0), len(f.Nodes)))
		}
		return err
	}
	for _, d := range f.daemons {
		if err := start(d); err != nil {
			return made, nil, f.undo(started, err)
		}
	}
	for _, d := range f.daemons {
		err := d.await(ctx, id, started[d])
		if _, now := started[d]; errors.As(err, new(*endedError)) && !now { // it was about to end when it was looked at
			if err = start(d); err == nil {
				err = d.await(ctx, id, started[d])
			}
		}
		if err != nil {
			return made, nil, f.undo(started, err)
		}
		pid, err := d.pid()
		if err != nil {
			return made, nil, f.undo(started, err)
		}
		_, now := started[d]
		status = append(status, Status{d.Name, d.Address, d.log(), pid, now})
	}
	return made, status, nil
}

// RefusedError says that options do not fit the folder, or make no cluster.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// folder opens the cluster's folder, or makes it.
func (o *Options) folder() (f *folder, made bool, err error) {
	f, err = open(o.Dir)
	switch {
	case err == nil && o.Data != "":
		err = fmt.Errorf("%s is there already: its nodes read inputs from where data in their node.yaml says (change it there, or choose another folder with --dir)", o.Dir)
	case err == nil:
		err = f.fits(o.Parties)
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
	}
	if data == "" {
		data = string(filepath.Separator)
	}
	data, err := filepath.Abs(data)
	if err != nil {
		return err
	}
	return build(o.Dir, parties, data)
}

// undo stops what was started, because of an error.
func (f *folder) undo(started map[*daemon]int64, err error) error {
	for d := range started {
		if serr := d.stop(undoTime); serr != nil {
			err = errors.Join(err, serr)
		}
	}
	return err
}

// undoTime is how long a process that has just been started may take to end.
const undoTime = 5 * time.Second

// poll is how often is looked whether a process has got somewhere.
const poll = 20 * time.Millisecond

// endedError says that a process has ended that should run.
type endedError struct{ name, words, log string }

func (e *endedError) Error() string {
	words := strings.TrimPrefix(e.words, "tacet: error: ")
	if words == "" {
		words = "its log says nothing"
	}
	return fmt.Sprintf("%s has ended at once: %s (%s)", e.name, words, e.log)
}

// await waits until a daemon answers. It is given up when its process ends or
// the context does; then its last words are those in its log since that had
// a size.
func (d *daemon) await(ctx context.Context, id *pki.Identity, logged int64) error {
	var last error // before the time was over
	for {
		err := d.Ask(ctx, id)
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
			return &endedError{d.Name, d.lastWords(logged), d.log()}
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return fmt.Errorf("%s runs, and does not answer: %w (see %s)", d.Name, last, d.log())
		case ctx.Err() != nil:
			return ctx.Err()
		}
		select {
		case <-time.After(poll):
		case <-ctx.Done():
		}
	}
}
