// Package budget bounds what planning a program, and computing on its public values, may take: bytes of memory,
// scalar operations, iterations of loops, and time. Programs come from others, and what they compute on
// public values is computed by every party while it plans: without a bound, a line of text takes all memory of the
// machine or plans for ever.
//
// # Use
//
// New makes a Budget and a context that carries it; From finds it there. Take is called before memory is allocated,
// Spend before work is done, and Iterate before each iteration; an Error says which operation needs how much, what the limit is
// and which setting raises it. A nil *Budget has no limits. The end of time ends the context.
//
// # What is counted
//
// Memory is that of values: the arrays that package eval and package exec hold, from their computation until their last use,
// and the scratch memory of an operation while it runs. It is counted before it is allocated, from shapes, by upper
// bounds (eval.BoundOf). Two things are not values. A dry run keeps records of each operation and step; they are counted
// by their sizes as they are made. The program itself is bounded by the length of its text, since no constant
// takes more memory than a constant number of times its text: repeated elements are kept once (hlo.Splat).
//
// Counts depend on the program only, not on the garbage collector or on the machine: what one party plans within
// a budget, every party does. The process takes more than what is counted, by the factor by which the garbage
// collector lets the heap grow.
package budget

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Limits are the limits of a budget; 0 is no limit.
type Limits struct {
	Memory     int64         // bytes of values and records held at a time
	Operations int64         // scalar operations on public values, and one for each operation of the program that is walked
	Iterations int64         // iterations of loops
	Time       time.Duration // from New on
	// Settings says what sets each limit, for messages: "limits: plan_memory".
	Settings Settings
}

// Settings are the names of the settings that set limits.
type Settings struct{ Memory, Operations, Iterations, Time string }

// Budget counts what a computation has taken. Its methods may be called from several goroutines.
type Budget struct {
	limits Limits
	memory *memory
	// operations and iterations count what was spent.
	operations, iterations atomic.Int64
}

// memory counts bytes; forks of a budget share it.
type memory struct {
	held, peak atomic.Int64
	clock      clock
	place      *place // nil without a pool
}

// key is the key of a Budget in a context.
type key struct{}

// New returns a context that carries a budget, and ends when the budget's time does, with an Error as its cause. The caller
// must call cancel.
func New(ctx context.Context, l Limits) (inner context.Context, b *Budget, cancel context.CancelFunc) {
	b = &Budget{limits: l, memory: &memory{}}
	ctx, end := context.WithCancelCause(context.WithValue(ctx, key{}, b))
	b.memory.clock.start(l.Time, func() { end(&Error{Of: Time, Limit: int64(l.Time), Setting: l.Settings.Time}) })
	return ctx, b, func() {
		b.memory.clock.stop()
		end(nil)
	}
}

// From returns the budget that ctx carries; nil, which has no limits, if there is none.
func From(ctx context.Context) *Budget {
	b, _ := ctx.Value(key{}).(*Budget)
	return b
}

// Forked returns a context with a budget that shares memory with ctx's budget, and counts operations and iterations on
// its own. What one party computes on its own data is counted so: whether a later public computation fits must
// not depend on it.
func Forked(ctx context.Context) context.Context {
	b := From(ctx)
	if b == nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, &Budget{limits: b.limits, memory: b.memory})
}

// Operation is an operation of a program, for messages.
type Operation interface {
	// Place returns the operation's place in the program, and its name.
	Place() (place, name string)
}

// Take reserves bytes of memory for an operation. It must be called before the memory is allocated.
func (b *Budget) Take(o Operation, bytes int64) error {
	if b == nil || bytes <= 0 {
		return nil
	}
	if p := b.memory.place; p != nil {
		if err := p.admit(b.memory, bytes); err != nil {
			return err
		}
	}
	held := b.memory.held.Add(bytes)
	if l := b.limits.Memory; l > 0 && (held > l || held < 0) {
		b.memory.held.Add(-bytes)
		return b.exceeded(o, Memory, bytes, held-bytes)
	}
	for {
		peak := b.memory.peak.Load()
		if held <= peak || b.memory.peak.CompareAndSwap(peak, held) {
			return nil
		}
	}
}

// Fits refuses an operation that needs more than a limit allows in all, and reserves nothing.
func (b *Budget) Fits(o Operation, bytes, operations int64) error {
	if b == nil {
		return nil
	}
	if l := b.limits.Memory; l > 0 && bytes > l {
		return b.exceeded(o, Memory, bytes, 0)
	}
	if l := b.limits.Operations; l > 0 && operations > l {
		return b.exceeded(o, Operations, operations, 0)
	}
	return nil
}

// Holds refuses what takes more bytes than the limit, beside what is in use, and reserves nothing. what is its name.
func (b *Budget) Holds(what string, bytes int64) error {
	if b == nil {
		return nil
	}
	held := b.memory.held.Load()
	if l := b.limits.Memory; l > 0 && Add(held, bytes) > l {
		e := b.exceeded(nil, Memory, bytes, held)
		e.What = what
		return e
	}
	return nil
}

// Free returns memory that Take has reserved.
func (b *Budget) Free(bytes int64) {
	if b != nil && bytes > 0 {
		b.memory.held.Add(-bytes)
	}
}

// Spend counts scalar operations that an operation is about to do.
func (b *Budget) Spend(o Operation, operations int64) error {
	if b == nil || operations <= 0 {
		return nil
	}
	spent := b.operations.Add(operations)
	if l := b.limits.Operations; l > 0 && (spent > l || spent < 0) {
		b.operations.Add(-operations)
		return b.exceeded(o, Operations, operations, spent-operations)
	}
	return nil
}

// Iterate counts one iteration of a loop.
func (b *Budget) Iterate(o Operation) error {
	if b == nil {
		return nil
	}
	done := b.iterations.Add(1)
	if l := b.limits.Iterations; l > 0 && done > l {
		return b.exceeded(o, Iterations, 1, l)
	}
	return b.Spend(o, 1)
}

// Held returns the bytes that are reserved, and the most that were reserved at a time.
func (b *Budget) Held() (now, peak int64) {
	if b == nil {
		return 0, 0
	}
	return b.memory.held.Load(), b.memory.peak.Load()
}

// Spent returns the operations and iterations that were counted.
func (b *Budget) Spent() (operations, iterations int64) {
	if b == nil {
		return 0, 0
	}
	return b.operations.Load(), b.iterations.Load()
}

func (b *Budget) exceeded(o Operation, of Resource, needs, used int64) *Error {
	s := b.limits.Settings
	e := &Error{Of: of, Needs: needs, Used: used}
	switch of {
	case Memory:
		e.Limit, e.Setting = b.limits.Memory, s.Memory
	case Operations:
		e.Limit, e.Setting = b.limits.Operations, s.Operations
	case Iterations:
		e.Limit, e.Setting = b.limits.Iterations, s.Iterations
	}
	return e.at(o)
}

// Cause returns the cause of a context's end, with the operation that was being computed if that is the budget's time.
func Cause(ctx context.Context, o Operation) error {
	cause := context.Cause(ctx)
	if e, ok := cause.(*Error); ok && e.Place == "" {
		return e.at(o)
	}
	return cause
}

// Ended returns the error of an operation that the end of a context has interrupted.
func Ended(ctx context.Context, o Operation) error {
	cause := Cause(ctx, o)
	if _, limit := cause.(*Error); limit || o == nil {
		return cause
	}
	place, name := o.Place()
	return fmt.Errorf("%s: %s: stopped: %w", place, name, cause)
}
