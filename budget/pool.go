package budget

import (
	"context"
	"sync"
)

// Pool bounds the memory of all budgets that exist at one time. Each budget may take a small share of the pool
// without waiting. A budget that needs more waits until no other budget holds more than its share, and may then
// take up to its limit until it ends. A waiting budget holds no more than its share, and the budget that holds
// more waits for no other, so there is no deadlock. The shares of all budgets and the largest limit together are
// the pool's total. Holders of budgets, such as submitters, get them in turns (fair); one holder has all but one at most.
type Pool struct {
	each, share int64
	slots       *fair // one place for each budget
	large       *fair // the place of the budget that takes more than its share
}

// NewPool returns a pool of total bytes for at most so many budgets at one time. Each budget has a memory limit
// of at most each bytes; its share is (total − each) / budgets.
func NewPool(total, each int64, budgets int) *Pool {
	return &Pool{
		each: min(each, total), share: max(0, total-each) / int64(budgets),
		slots: newFair(budgets, max(1, budgets-1)), large: newFair(1, 1),
	}
}

// New returns a budget of the pool for a holder, as the function New does. It waits until fewer budgets exist than the pool
// allows, in all and for one holder, and returns the cause if ctx ends before. l.Memory is lowered to the pool's limit for one budget.
// cancel removes the budget from the pool.
func (p *Pool) New(ctx context.Context, holder string, l Limits) (inner context.Context, b *Budget, cancel context.CancelFunc, err error) {
	if err := p.slots.take(ctx, holder); err != nil {
		return nil, nil, nil, err
	}
	if l.Memory <= 0 || l.Memory > p.each {
		l.Memory = p.each
	}
	inner, b, stop := New(ctx, l)
	place := &place{pool: p, holder: holder, ctx: inner}
	b.memory.place = place
	var once sync.Once
	return inner, b, func() {
		once.Do(func() {
			stop()
			place.leave()
			p.slots.give(holder)
		})
	}, nil
}

// place is a budget's place in a pool.
type place struct {
	pool   *Pool
	holder string
	ctx    context.Context
	mu     sync.Mutex
	large  bool
	left   bool
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
	err := m.clock.pause(func() error { return p.pool.large.take(p.ctx, p.holder) })
	p.large = err == nil
	return err
}

// leave gives the place back.
func (p *place) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left = true; p.large {
		p.pool.large.give(p.holder)
	}
}
