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

// Options are how Run goes about it.
type Options struct {
	Program string        // the tacet that is copied, unless the file names one
	Wait    time.Duration // for all to answer
	Stop    time.Duration // for all to end
	Out     io.Writer     // what daemons say, with their names before it
	Copied  func()        // everything is on the hosts
	Ready   func()        // all answer
}

// ErrNotStarted says that ctx ended before anything was started.
var ErrNotStarted = errors.New("nothing has been started yet")

// Run copies, starts, and streams what all daemons say, until ctx ends and all
// have stopped. The end of one is the end of all.
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
	if err := each(ctx, c.hosts, func(ctx context.Context, h *host) error { return c.copy(ctx, h, from) }); ctx.Err() != nil {
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
	out := &shared{to: o.Out}
	err = each(ctx, c.hosts, func(ctx context.Context, h *host) error { return c.serve(ctx, h, o.Stop, out) })
	cancel(nil)
	waiting.Wait()
	if late := (*lateError)(nil); errors.As(context.Cause(ctx), &late) {
		return late
	}
	return err
}

// write writes the local folder.
func (c *Config) write() error {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(c.Dir, madeHere), nil, 0o600); err != nil {
		return err
	}
	k := c.kit()
	return k.Write(c.Dir)
}

// each does something for all hosts at once. The first error ends what the
// others do.
func each(ctx context.Context, hosts []host, do func(context.Context, *host) error) error {
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

// Size is how many daemons there are.
func (c *Config) Size() int { return len(c.hosts) }

// poll is how often is asked whether all are up.
const poll = 200 * time.Millisecond

// lateError says that a daemon runs and cannot be reached.
type lateError struct {
	name, address string
	limit         time.Duration
}

func (e *lateError) Error() string {
	return fmt.Sprintf("%s did not answer at %s within %v (what it said stands above; is the address right, and open to this machine?)", e.name, e.address, e.limit)
}

// await waits until all answer.
func (c *Config) await(ctx context.Context, id *pki.Identity, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, h := range c.hosts {
		for h.Ask(ctx, id) != nil {
			select {
			case <-time.After(poll):
			case <-ctx.Done():
				return &lateError{h.Name, h.Address, limit}
			}
		}
	}
	return nil
}
