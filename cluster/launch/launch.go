package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/pki"
)

// Options are the options of Run. All fields are required, except Program if the hosts file names one.
type Options struct {
	Program string        // path of the tacet program to copy, if the hosts file names none
	Wait    time.Duration // maximum time from the start until all daemons answer
	Stop    time.Duration // maximum time from SIGTERM until a daemon has ended
	Out     io.Writer     // receives the daemons' output, each line with the daemon's name before it
	Copied  func()        // called when all files are on the hosts
	Ready   func()        // called, from another goroutine, when all daemons answer
}

// ErrNotStarted is the error of Run if ctx ended before the files were copied to all hosts, so that no daemon
// was started.
var ErrNotStarted = errors.New("no daemon has been started")

// Run writes certificates and configurations, copies them and the program to the hosts, starts all daemons and
// writes their output to o.Out. It blocks until ctx ends and all daemons have stopped. When one daemon ends, Run
// stops the others and returns that daemon's error. If not all daemons answer within o.Wait, Run stops them and
// says which did not.
func (c *Config) Run(ctx context.Context, o Options) error {
	if err := c.write(); err != nil {
		return err
	}
	id, err := pki.Load(pki.Files{
		Cert: filepath.Join(c.Dir, kit.Admin+".crt"), Key: filepath.Join(c.Dir, kit.Admin+".key"), CA: filepath.Join(c.Dir, "ca.crt"),
	})
	if err != nil {
		return err
	}
	from := c.Program
	if from == "" {
		from = o.Program
	}
	if err := forAllHosts(ctx, c.hosts, func(ctx context.Context, h *host) error { return c.copy(ctx, h, from) }); ctx.Err() != nil {
		return ErrNotStarted
	} else if err != nil {
		return err
	}
	o.Copied()
	ctx, cancel := context.WithCancelCause(ctx)
	var waiting sync.WaitGroup
	waiting.Go(func() {
		if err := c.await(ctx, id, o.Wait); err == nil {
			o.Ready()
		} else {
			cancel(err)
		}
	})
	out := &lockedWriter{to: o.Out}
	err = forAllHosts(ctx, c.hosts, func(ctx context.Context, h *host) error { return c.serve(ctx, h, o.Stop, out) })
	cancel(nil)
	waiting.Wait()
	if late := (*unreachableError)(nil); errors.As(context.Cause(ctx), &late) {
		return late
	}
	return err
}

// write writes the local folder.
func (c *Config) write() error {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(c.Dir, markerFile), nil, 0o600); err != nil {
		return err
	}
	k := c.kit()
	return k.Write(c.Dir)
}

// forAllHosts calls do for all hosts concurrently. The first error cancels the context of the others.
func forAllHosts(ctx context.Context, hosts []host, do func(context.Context, *host) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make(chan error, len(hosts))
	for i := range hosts {
		go func() {
			err := do(ctx, &hosts[i])
			if err != nil {
				cancel()
			}
			errs <- err
		}()
	}
	var first error
	for range hosts {
		if err := <-errs; first == nil || errors.Is(first, context.Canceled) && err != nil {
			first = err
		}
	}
	return first
}

// Size returns the number of daemons: the nodes and the dealer.
func (c *Config) Size() int { return len(c.hosts) }

// pollInterval is the time between two health checks of a daemon.
const pollInterval = 200 * time.Millisecond

// unreachableError says that a daemon runs but cannot be reached.
type unreachableError struct {
	name, address string
	limit         time.Duration
}

func (e *unreachableError) Error() string {
	return fmt.Sprintf("%s did not answer at %s within %v (see its output above; is the address right and reachable from this machine?)", e.name, e.address, e.limit)
}

// await waits until all daemons answer.
func (c *Config) await(ctx context.Context, id *pki.Identity, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, h := range c.hosts {
		for h.CheckHealth(ctx, id) != nil {
			select {
			case <-time.After(pollInterval):
			case <-ctx.Done():
				return &unreachableError{h.Name, h.Address, limit}
			}
		}
	}
	return nil
}
