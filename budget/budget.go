// Package budget bounds what planning a program and computing on its public values may take: bytes of memory,
// scalar operations, iterations of loops, and time. A program comes from another organisation, and every party
// computes its public values while it plans. Without a bound, one line of a program could take all memory of the
// machine or let planning never end.
//
// # Use
//
// New makes a Budget and a context that carries it; From finds the Budget in a context. Code calls Take before
// it allocates memory, Spend before it computes, and Iterate before each iteration of a loop. Each returns an
// Error if a limit would be exceeded: the Error says which operation needs how much, what the limit is and which
// setting raises it. A nil *Budget has no limits. When the time limit has passed, the context ends.
//
// # What is counted
//
// Memory is that of values: the arrays that package eval and package exec hold, from their computation until
// their last use, and the scratch memory of an operation while it runs. It is counted before it is allocated,
// from shapes, by upper bounds (eval.BoundOf). Two things are not values. A dry run keeps records of each
// operation and step; they are counted by their sizes as they are made. The program itself is bounded by the
// length of its text, since no constant takes more memory than a constant number of times its text: repeated
// elements are kept once (hlo.Splat).
//
// Counts depend on the program only, not on the garbage collector or on the machine. So if one party can plan a
// program within a budget, every party can. The process takes more memory than is counted, by the factor by
// which the garbage collector lets the heap grow.
package budget

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Limits are the limits of a budget. A field that is 0 sets no limit.
type Limits struct {
	Memory int64 // bytes of values and records that are held at one time
	// Operations is the number of scalar operations on public values, plus one for each operation of the program
	// that is visited.
	Operations int64
	Iterations int64         // iterations of all loops together
	Time       time.Duration // time from the call of New on; it stands still while the budget waits for its Pool
	// Settings names the setting that raises each limit, for error messages.
	Settings Settings
}

// Settings has, for each limit, the name of the setting that raises it, such as "limits: plan_memory". "" means
// that no setting does.
type Settings struct{ Memory, Operations, Iterations, Time string }

// Budget counts the memory, operations and iterations that a computation has taken, and refuses more than its
// Limits. A nil *Budget counts nothing and refuses nothing. Its methods may be called from several goroutines.
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

// New returns a context that carries a new budget with limits l, the budget itself, and a function that the
// caller must call to release its timer. The context ends when l.Time has passed; context.Cause then returns an
// *Error. The other limits do not end the context: Take, Fits, Holds, Spend and Iterate return an *Error. A
// limit of 0 is no limit.
func New(ctx context.Context, l Limits) (inner context.Context, b *Budget, cancel context.CancelFunc) {
	b = &Budget{limits: l, memory: &memory{}}
	ctx, end := context.WithCancelCause(context.WithValue(ctx, key{}, b))
	b.memory.clock.start(l.Time, func() { end(&Error{Of: Time, Limit: int64(l.Time), Setting: l.Settings.Time}) })
	return ctx, b, func() {
		b.memory.clock.stop()
		end(nil)
	}
}

// From returns the budget that ctx carries. If ctx carries none, From returns nil, which is a budget without
// limits.
func From(ctx context.Context) *Budget {
	b, _ := ctx.Value(key{}).(*Budget)
	return b
}

// Forked returns a context with a new budget. The new budget shares the memory and memory limit of ctx's budget,
// and has its own counts of operations and iterations, with the same limits. A party's computations on its own
// data use such a budget, because their counts must not decide whether a later public computation fits. Without
// a budget in ctx, Forked returns ctx.
func Forked(ctx context.Context) context.Context {
	b := From(ctx)
	if b == nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, &Budget{limits: b.limits, memory: b.memory})
}

// Operation is an operation of a program. Budgets use it to name the operation in errors. A nil Operation names
// none.
type Operation interface {
	// Place returns the operation's position in the program, such as "p.mlir:3:5", and its name, such as
	// "stablehlo.iota".
	Place() (place, name string)
}

// Take reserves bytes of memory for operation o, before the caller allocates them; Free gives them back. If the
// limit would be exceeded, Take reserves nothing and returns an *Error. In a Pool, Take may wait for another
// budget; it returns the cause if the context ends meanwhile.
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

// Fits returns an *Error if operation o alone needs more memory or more operations than the budget's limits. It
// ignores what is in use and reserves nothing.
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

// Holds returns an *Error if bytes do not fit the memory limit together with what is reserved now; it reserves
// nothing. what names the thing that needs the bytes, in the plural, for the error's message.
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

// Free gives back memory that Take has reserved. Other numbers than were taken are not detected.
func (b *Budget) Free(bytes int64) {
	if b != nil && bytes > 0 {
		b.memory.held.Add(-bytes)
	}
}

// Spend counts scalar operations that operation o is about to do. If the limit would be exceeded, Spend counts
// nothing and returns an *Error.
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

// Iterate counts one iteration of loop o, and one scalar operation. It returns an *Error if a limit is exceeded.
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

// Held returns the bytes that are reserved now, and the largest number of bytes that were reserved at one time.
func (b *Budget) Held() (now, peak int64) {
	if b == nil {
		return 0, 0
	}
	return b.memory.held.Load(), b.memory.peak.Load()
}

// Spent returns the numbers of scalar operations and of iterations that were counted.
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

// Cause returns context.Cause(ctx). If that is an Error without an operation, as when the budget's time has
// passed, Cause returns a copy of it that names o. A nil o names no operation.
func Cause(ctx context.Context, o Operation) error {
	cause := context.Cause(ctx)
	if e, ok := cause.(*Error); ok && e.Place == "" {
		return e.at(o)
	}
	return cause
}

// Ended returns the error of operation o, which did not finish because ctx ended: an *Error that names o if a
// budget's limit ended ctx, otherwise an error that names o and wraps the cause. If o is nil, Ended returns the
// cause.
func Ended(ctx context.Context, o Operation) error {
	cause := Cause(ctx, o)
	if _, limit := cause.(*Error); limit || o == nil {
		return cause
	}
	place, name := o.Place()
	return fmt.Errorf("%s: %s: stopped: %w", place, name, cause)
}
