package budget

import (
	"context"
	"sync"
)

// Pool bounds the memory of all budgets that exist at one time. Each budget may take a small share of the pool
// without waiting. A budget that needs more waits until no other budget holds more than its share, and may then
// take up to its limit until it ends. A waiting budget holds no more than its share, and the budget that holds
// more waits for no other, so there is no deadlock. The shares of all budgets and the largest limit together are
// the pool's total.
type Pool struct {
	each, share int64
	slots       chan struct{} // one for each budget
	large       chan struct{} // for the budget that takes more than its share
}

// NewPool returns a pool of total bytes for at most so many budgets at one time. Each budget has a memory limit
// of at most each bytes; its share is (total − each) / budgets.
func NewPool(total, each int64, budgets int) *Pool {
	return &Pool{
		each: min(each, total), share: max(0, total-each) / int64(budgets),
		slots: make(chan struct{}, budgets), large: make(chan struct{}, 1),
	}
}

// New returns a budget of the pool, as the function New does. It waits until fewer budgets exist than the pool
// allows, and returns the cause if ctx ends before. l.Memory is lowered to the pool's limit for one budget.
// cancel removes the budget from the pool.
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
