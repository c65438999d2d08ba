package flow

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/link"
)

// Link is the part of a party's connections to the other parties that exchanges need. A link.Endpoint is one.
type Link interface {
	// Rank returns this party's rank.
	Rank() int
	// Size returns the number of parties.
	Size() int
	// Send queues a message to the party of rank to; it does not report errors. k tells the message from all others
	// of the session, and clock is the sender's logical clock.
	Send(to int, k link.Key, clock int32, data []byte)
	// Await returns at once. It calls f once, with the message k of the party of rank from when it has arrived, or
	// with the error for which it will not arrive. f may be called from any goroutine and must not block.
	Await(from int, k link.Key, f func(link.Message, error))
}

// Graph holds the steps of one phase of a session at one party, and runs them.
type Graph struct {
	phase link.Phase
	link  Link // nil in a dry run

	mu      sync.Mutex
	wake    sync.Cond    // signals: no step is open, a step is done that an Await waits for, err was set
	admit   sync.Cond    // signals: few enough steps are open for Admit to return, err was set
	awaits  atomic.Int32 // calls of Await that wait
	blocked atomic.Int32 // calls of Admit that wait
	limits  Limits
	near    bool         // Near was called
	open    atomic.Int64 // started steps that are not done
	bytes   atomic.Int64 // expected size of their results
	err     error
	ended   atomic.Bool // err is not nil
	clock   atomic.Int32
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

// Bound makes a dry run end when ctx ends or when a limit of the budget that ctx carries is exceeded. The operation
// that is adding steps then panics, and Guard returns the panic as an error. Bound returns g.
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

// Limits are those above which Graph.Admit blocks.
type Limits struct {
	Steps int   // number of steps that have been added and are not done
	Bytes int64 // expected size of their results
}

// The numbers of limits.
const (
	MaxOpen  = 1 << 14
	MaxBytes = 2 << 30
	// MaxNear is MaxOpen of graphs of parties in one process (Near).
	MaxNear = 1 << 9
)

// LimitsOf returns the limits of a phase's graphs. near says that the parties are in one process (Near). Inputs have no limit of bytes:
// they stay until the online phase, and a party would otherwise wait for the inputs of others before it sends its own.
func LimitsOf(phase link.Phase, near bool) Limits {
	l := Limits{MaxOpen, MaxBytes}
	if near {
		l.Steps = MaxNear
	}
	if phase == link.Input {
		l.Bytes = math.MaxInt64
	}
	return l
}

// Exceeded reports whether so many open steps with results of so many bytes are too many.
func (l Limits) Exceeded(open int, bytes int64) bool { return open > l.Steps || bytes > l.Bytes }

// Admits reports whether an Admit that blocks returns: a quarter is free.
func (l Limits) Admits(open int, bytes int64) bool {
	return open <= l.Steps/4*3 && bytes <= l.Bytes/4*3
}

// Near makes Admit block above fewer steps. It is for a link to parties in the same process: messages take no time there, so
// steps that are built far ahead make no round earlier. They are only scanned by the collector, and have left the caches when
// they run: with MaxOpen, five parties take a quarter more time for a long loop. Near returns g.
func (g *Graph) Near() *Graph {
	g.limits, g.near = LimitsOf(g.phase, true), true
	return g
}

// New returns an empty graph whose exchanges of the given phase are sent over l. Costs are added to a. When ctx ends,
// the graph ends with the context's cause as its error.
func New(ctx context.Context, phase link.Phase, l Link, a *Account) *Graph {
	g := &Graph{phase: phase, link: l, account: a, limits: LimitsOf(phase, false)}
	g.wake.L, g.admit.L = &g.mu, &g.mu
	g.stop = context.AfterFunc(ctx, func() { g.Fail(context.Cause(ctx)) })
	return g
}

// NewDryRun returns an empty graph for a dry run: a step runs when it is added, and an exchange sends nothing and is
// counted in a.
func NewDryRun(phase link.Phase, a *Account) *Graph {
	return NewTraced(phase, a, Rates{}, nil)
}

// NewTraced is NewDryRun with rates r, by which it estimates the time of each step. It records the steps in t if t is
// not nil.
func NewTraced(phase link.Phase, a *Account, r Rates, t *Trace) *Graph {
	g := &Graph{phase: phase, account: a, stop: func() bool { return true }, rates: r, trace: t, limits: LimitsOf(phase, false)}
	g.wake.L, g.admit.L = &g.mu, &g.mu
	return g
}

// DryRun reports whether the graph was made by NewDryRun or NewTraced.
func (g *Graph) DryRun() bool { return g.link == nil }

// Admit blocks if too many steps, or steps with results of too many bytes, are not done (LimitsOf), until a quarter of the limit
// is free: the builder then adds several operations at a time and is not woken for each step. Admit returns the graph's error if
// the graph has ended.
func (g *Graph) Admit() error {
	exceeded := g.limits.Exceeded(int(g.open.Load()), g.bytes.Load())
	if !exceeded && !g.failed() {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if exceeded {
		g.blocked.Add(1) // before the look at what is open: a step that ends later sees it
		defer g.blocked.Add(-1)
		for g.err == nil && !g.limits.Admits(int(g.open.Load()), g.bytes.Load()) {
			g.admit.Wait()
		}
	}
	return g.err
}

// Wait blocks until every step is done and returns nil, or returns the first error, which ended the graph. No step
// may be added afterwards.
func (g *Graph) Wait() error {
	g.mu.Lock()
	for g.err == nil && g.open.Load() > 0 {
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

// Fail ends the graph with err, unless it has ended already or err is nil.
func (g *Graph) Fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil && err != nil {
		g.err = err
		g.ended.Store(true)
	}
	g.wake.Broadcast()
	g.admit.Broadcast()
}

// Rounds returns the largest clock of all steps that are done: the number of rounds so far.
func (g *Graph) Rounds() int { return int(g.clock.Load()) }

func (g *Graph) failed() bool { return g.ended.Load() }

func (g *Graph) stepStarted(bytes int64) {
	g.open.Add(1)
	g.bytes.Add(bytes)
}

// stepEnded counts a step as done. It takes the lock only where the clock advances or where a goroutine may have to be woken: one that
// waits holds the lock from the moment in which it looked at the counts.
func (g *Graph) stepEnded(bytes int64, clock, via int32) {
	if clock > g.clock.Load() {
		g.mu.Lock()
		if clock > g.clock.Load() {
			g.clock.Store(clock)
			g.deepest = via
		}
		g.mu.Unlock()
	}
	g.bytes.Add(-bytes)
	if g.open.Add(-1) == 0 || g.awaits.Load() > 0 {
		g.mu.Lock()
		g.wake.Broadcast()
		g.mu.Unlock()
	}
	// Both counts are read after both have changed: of steps that end at once, the last one sees all of them.
	if g.blocked.Load() > 0 && g.limits.Admits(int(g.open.Load()), g.bytes.Load()) {
		g.mu.Lock()
		g.admit.Broadcast()
		g.mu.Unlock()
	}
}

// OpError is an error that ended a graph, with the operation in which it happened. errors.Is and errors.As see Err.
type OpError struct {
	Where string // source position and name of the operation
	Round int    // the round of the message that did not arrive, counted by the graph's clock; 0 for other errors
	Err   error  // the cause
}

// Error returns the position, the round if there is one, and the cause.
func (e *OpError) Error() string {
	if e.Round > 0 {
		return fmt.Sprintf("%s, round %d: %v", e.Where, e.Round, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Where, e.Err)
}

// Unwrap returns Err.
func (e *OpError) Unwrap() error { return e.Err }
