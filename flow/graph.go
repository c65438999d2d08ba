package flow

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/link"
)

// Link is the part of a party's connections that exchanges need.
type Link interface {
	Rank() int
	Size() int
	Send(to int, k link.Key, clock int32, data []byte)
	Await(from int, k link.Key, f func(link.Message, error))
}

// Graph is one party's steps of one phase.
type Graph struct {
	phase link.Phase
	link  Link // nil in a dry run

	mu      sync.Mutex
	wake    sync.Cond
	open    int   // started steps that are not done
	bytes   int64 // expected size of their results
	err     error
	ended   atomic.Bool // err is not nil
	clock   int32
	chain   chain // dry run only
	deepest int32 // dry run only: the position in chain that clock follows from
	stop    func() bool
	account *Account

	// Dry run only: work that steps have booked since the last estimate, its times, and the trace
	// if one is kept.
	spent [NumWorks]int64
	rates Rates
	trace *Trace
	bound *bound // nil: none
}

// bound ends a dry run whose steps take too much.
type bound struct {
	ctx    context.Context
	budget *budget.Budget
	steps  int
}

// Bound lets the end of ctx, and the limits of the budget that it carries, end a dry run while an operation adds steps: the
// operation then ends with a panic that Guard returns as the error. Bound returns g.
func (g *Graph) Bound(ctx context.Context) *Graph {
	g.bound = &bound{ctx: ctx, budget: budget.From(ctx)}
	return g
}

// ended is the panic by which a dry run ends.
type ended struct{ error }

// stepBytes is an upper bound of the memory of a step that the trace of a dry run keeps: TracedStep, TracedExchange with
// the lists of a few parties, and the positions of its dependencies.
const stepBytes = 256

// at is an operation's instance in messages.
type at struct{ op *Op }

// Place returns the operation's source position and name.
func (a at) Place() (place, name string) { return a.op.where, "" }

// admit counts a step.
func (b *bound) admit(op *Op, traced bool) {
	if b.steps++; b.steps%64 == 0 && b.ctx.Err() != nil {
		panic(ended{budget.Cause(b.ctx, at{op})})
	}
	err := b.budget.Spend(at{op}, 1)
	if err == nil && traced {
		err = b.budget.Take(at{op}, stepBytes)
	}
	if err != nil {
		panic(ended{err})
	}
}

// MaxOpen and maxBytes are the numbers of open steps and of their bytes above which Admit blocks.
const (
	MaxOpen  = 1 << 14
	maxBytes = 2 << 30
)

// New starts a graph whose exchanges go over l; the end of ctx ends it with the context's cause.
// Costs are booked in a.
func New(ctx context.Context, phase link.Phase, l Link, a *Account) *Graph {
	g := &Graph{phase: phase, link: l, account: a}
	g.wake.L = &g.mu
	g.stop = context.AfterFunc(ctx, func() { g.Fail(context.Cause(ctx)) })
	return g
}

// NewDryRun starts a dry run: steps run when they are added, and exchanges are counted in a.
func NewDryRun(phase link.Phase, a *Account) *Graph {
	return NewTraced(phase, a, Rates{}, nil)
}

// NewTraced is NewDryRun with rates by which the steps' times are estimated, and a trace, if not
// nil, in which steps are recorded.
func NewTraced(phase link.Phase, a *Account, r Rates, t *Trace) *Graph {
	g := &Graph{phase: phase, account: a, stop: func() bool { return true }, rates: r, trace: t}
	g.wake.L = &g.mu
	return g
}

// DryRun reports whether the graph is a dry run.
func (g *Graph) DryRun() bool { return g.link == nil }

// Admit blocks until the graph has room for more steps, or returns the error that ended it.
func (g *Graph) Admit() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.err == nil && (g.open > MaxOpen || g.bytes > maxBytes) {
		g.wake.Wait()
	}
	return g.err
}

// Wait returns when every step is done, or with the error that ended the graph. No step may be
// added afterwards.
func (g *Graph) Wait() error {
	g.mu.Lock()
	for g.err == nil && g.open > 0 {
		g.wake.Wait()
	}
	err := g.err
	g.mu.Unlock()
	if g.DryRun() { // in a graph that failed in a real run, steps may still be running
		g.chain.bookPath(g.deepest)
		g.deepest = 0
	}
	g.stop()
	return err
}

// Fail ends the graph with an error; the first one is kept.
func (g *Graph) Fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil && err != nil {
		g.err = err
		g.ended.Store(true)
	}
	g.wake.Broadcast()
}

// Rounds is the largest clock of all steps done so far.
func (g *Graph) Rounds() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return int(g.clock)
}

func (g *Graph) failed() bool { return g.ended.Load() }

func (g *Graph) stepStarted(bytes int64) {
	g.mu.Lock()
	g.open++
	g.bytes += bytes
	g.mu.Unlock()
}

func (g *Graph) stepEnded(bytes int64, clock, via int32) {
	g.mu.Lock()
	g.open--
	g.bytes -= bytes
	if clock > g.clock {
		g.clock, g.deepest = clock, via
	}
	g.wake.Broadcast()
	g.mu.Unlock()
}

// OpError is an error with the operation in which it happened.
type OpError struct {
	Where string // source position and name
	Round int    // round of the message that did not arrive, by the phase's clock; 0 for other errors
	Err   error
}

func (e *OpError) Error() string {
	if e.Round > 0 {
		return fmt.Sprintf("%s, round %d: %v", e.Where, e.Round, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Where, e.Err)
}

// Unwrap is the cause.
func (e *OpError) Unwrap() error { return e.Err }
