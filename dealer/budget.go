package dealer

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// budget is memory, in bytes, that sessions share. Claims are granted in the order in which they were
// made.
type budget struct {
	purpose string // what the memory is used for, for messages
	total   int64  // bytes in total

	mu      sync.Mutex
	free    int64
	waiting []*claim
}

type claim struct {
	bytes   int64
	granted chan struct{}
}

func newBudget(what string, bytes int64) *budget {
	return &budget{purpose: what, total: bytes, free: bytes}
}

// acquire waits until bytes are free and takes them. It fails at once if bytes exceeds the total.
func (b *budget) acquire(ctx context.Context, bytes int64) error { return b.grow(ctx, 0, bytes) }

// grow is acquire for a holder that has taken held bytes already and needs them together with more: it
// fails at once if the sum exceeds the total.
func (b *budget) grow(ctx context.Context, held, bytes int64) error {
	if held+bytes > b.total {
		return fmt.Errorf("%s needs about %s of memory or more; the dealer has %s for this purpose, over all sessions (limits: memory in its configuration)",
			b.purpose, yamlfile.FormatSize(held+bytes), yamlfile.FormatSize(b.total))
	}
	c := &claim{bytes, make(chan struct{})}
	b.mu.Lock()
	b.waiting = append(b.waiting, c)
	b.grant()
	b.mu.Unlock()
	select {
	case <-c.granted:
		return nil
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, c); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	} else { // granted before the claim could be removed
		b.free += bytes
	}
	b.grant()
	return context.Cause(ctx)
}

// used returns the number of bytes that are taken.
func (b *budget) used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.total - b.free
}

// release returns bytes to the budget.
func (b *budget) release(bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += bytes
	b.grant()
}

// grant grants the waiting claims for which memory is free, in order. b.mu is held.
func (b *budget) grant() {
	for len(b.waiting) > 0 && b.waiting[0].bytes <= b.free {
		b.free -= b.waiting[0].bytes
		close(b.waiting[0].granted)
		b.waiting = b.waiting[1:]
	}
}
