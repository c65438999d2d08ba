package flow

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/link"
)

// Link is what exchanges need of a party's connections.
type Link interface {
	Rank() int
	Size() int
	Send(to int, k link.Key, clock int32, data []byte)
	Await(from int, k link.Key, f func(link.Message, error))
}

// Graph is one party's steps of one phase.
type Graph struct {
	phase link.Phase
	link  Link // nil: weightless

	mu      sync.Mutex
	wake    sync.Cond
	open    int   // steps that are not done
	bytes   int64 // what they will hold
	err     error
	ended   atomic.Bool // there is an error
	clock   int32
	chain   chain // of a weightless graph
	deepest int32 // where clock came from, of the chain
	stop    func() bool
	account *Account

	// Of a weightless graph: what steps have spent, what that takes, and, if
	// it is kept, what they were.
	spent [Works]int64
	rates Rates
	trace *Trace
}

// MaxOpen and maxBytes bound what Admit lets into a graph, steps and bytes.
const (
	MaxOpen  = 1 << 14
	maxBytes = 2 << 30
)

// New starts a graph whose exchanges go over l; the context's end ends it with
// the context's error. Costs are booked in a.
func New(ctx context.Context, phase link.Phase, l Link, a *Account) *Graph {
	g := &Graph{phase: phase, link: l, account: a}
	g.wake.L = &g.mu
	g.stop = context.AfterFunc(ctx, func() { g.Fail(context.Cause(ctx)) })
	return g
}

// NewWeightless starts a weightless graph: steps run as they are made and
// exchanges are counted in a.
func NewWeightless(phase link.Phase, a *Account) *Graph {
	return NewTraced(phase, a, Rates{}, nil)
}

// NewTraced is NewWeightless with the rates by which its steps' times are
// estimated, and the trace, if not nil, that they are entered in.
func NewTraced(phase link.Phase, a *Account, r Rates, t *Trace) *Graph {
	g := &Graph{phase: phase, account: a, stop: func() bool { return true }, rates: r, trace: t}
	g.wake.L = &g.mu
	return g
}

// Weightless reports whether the graph only counts.
func (g *Graph) Weightless() bool { return g.link == nil }

// Admit waits until the graph has room for more steps, or returns the error
// that ended it.
func (g *Graph) Admit() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.err == nil && (g.open > MaxOpen || g.bytes > maxBytes) {
		g.wake.Wait()
	}
	return g.err
}

// Wait returns when every step is done, or with the error that ended the
// graph. No step may be made afterwards.
func (g *Graph) Wait() error {
	g.mu.Lock()
	for g.err == nil && g.open > 0 {
		g.wake.Wait()
	}
	err := g.err
	g.mu.Unlock()
	if g.Weightless() { // of a graph that failed in earnest, steps may still be at work
		g.chain.walk(g.deepest)
		g.deepest = 0
	}
	g.stop()
	return err
}

// Fail ends the graph with an error; the first one counts.
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

func (g *Graph) opened(bytes int64) {
	g.mu.Lock()
	g.open++
	g.bytes += bytes
	g.mu.Unlock()
}

func (g *Graph) closed(bytes int64, clock, via int32) {
	g.mu.Lock()
	g.open--
	g.bytes -= bytes
	if clock > g.clock {
		g.clock, g.deepest = clock, via
	}
	g.wake.Broadcast()
	g.mu.Unlock()
}

// OpError is an error with the operation that it happened in.
type OpError struct {
	Where string // source position and name
	Round int    // of the message that did not come, by the phase's clock; 0 where it is about none
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
