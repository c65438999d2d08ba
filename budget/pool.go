package budget

import (
	"context"
	"sync"
)

// Pool bounds the memory of all budgets that exist at a time. Each budget may take a small share at once. One that needs
// more waits until no other one has more, and may then take up to its limit. A budget that waits holds no more than its
// share, and the one that has more waits for nobody, so no two wait for each other. The shares and the
// largest limit together are the pool's total.
type Pool struct {
	each, share int64
	slots       chan struct{} // one for each budget
	large       chan struct{} // for the budget that takes more than its share
}

// NewPool returns a pool of total bytes for at most the given number of budgets at a time, of at most each bytes.
func NewPool(total, each int64, budgets int) *Pool {
	return &Pool{
		each: min(each, total), share: max(0, total-each) / int64(budgets),
		slots: make(chan struct{}, budgets), large: make(chan struct{}, 1),
	}
}

// New is the function New within the pool. It waits for a slot until ctx ends.
func (p *Pool) New(ctx context.Context, l Limits) (inner context.Context, b *Budget, cancel context.CancelFunc, err error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, nil, context.Cause(ctx)
	}
	if l.Memory <= 0 || l.Memory > p.each {
		l.Memory = p.each
	}
	inner, b, stop := New(ctx, l)
	place := &place{pool: p, ctx: inner}
	b.memory.place = place
	var once sync.Once
	return inner, b, func() {
		once.Do(func() {
			stop()
			place.leave()
			<-p.slots
		})
	}, nil
}

// place is a budget's place in a pool.
type place struct {
	pool  *Pool
	ctx   context.Context
	mu    sync.Mutex
	large bool
	left  bool
}

// admit waits until m may hold so many bytes more.
func (p *place) admit(m *memory, bytes int64) error {
	if m.held.Load()+bytes <= p.pool.share || bytes > p.pool.each {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.large || p.left {
		return nil
	}
	err := m.clock.pause(func() error {
		select {
		case p.pool.large <- struct{}{}:
			return nil
		case <-p.ctx.Done():
			return context.Cause(p.ctx)
		}
	})
	p.large = err == nil
	return err
}

// leave gives the place back.
func (p *place) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left = true; p.large {
		<-p.pool.large
	}
}
