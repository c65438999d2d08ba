package dealer

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// budget is memory that sessions share: who asks gets it in the order of
// asking.
type budget struct {
	what string // it is for
	all  int64

	mu      sync.Mutex
	free    int64
	waiting []*claim
}

type claim struct {
	bytes int64
	given chan struct{}
}

func newBudget(what string, bytes int64) *budget {
	return &budget{what: what, all: bytes, free: bytes}
}

// take waits for so much of it.
func (b *budget) take(ctx context.Context, bytes int64) error {
	if bytes > b.all {
		return fmt.Errorf("%s takes about %s of memory, and the dealer has %s for that, of all sessions (limits: memory in its configuration)",
			b.what, yamlfile.FormatSize(bytes), yamlfile.FormatSize(b.all))
	}
	c := &claim{bytes, make(chan struct{})}
	b.mu.Lock()
	b.waiting = append(b.waiting, c)
	b.serve()
	b.mu.Unlock()
	select {
	case <-c.given:
		return nil
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, c); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	} else { // it was given meanwhile
		b.free += bytes
	}
	b.serve()
	return context.Cause(ctx)
}

// give gives it back.
func (b *budget) give(bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += bytes
	b.serve()
}

// serve gives to those who wait, as far as it goes.
func (b *budget) serve() {
	for len(b.waiting) > 0 && b.waiting[0].bytes <= b.free {
		b.free -= b.waiting[0].bytes
		close(b.waiting[0].given)
		b.waiting = b.waiting[1:]
	}
}
