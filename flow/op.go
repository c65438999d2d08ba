package flow

import (
	"sync"
	"sync/atomic"
	"time"
)

// Op is one operation instance in the program's order: it numbers its steps' messages and masks and
// books their costs. An Op is used by the goroutine that builds the graph.
type Op struct {
	Graph     *Graph
	ID        uint32    // number of the instance, the same at every party
	Objective Objective // the cost to minimise where there are several protocols
	cost      *Cost
	where     string
	seq       uint32
	step      uint32
	end       uint32 // bound of seq and step
	long      *longest
	after     *step // of a handle from Reserve: the Then step that its steps depend on
}

// longest is the length of the longest chain of exchanges among an instance's steps.
type longest struct {
	mu    sync.Mutex
	depth int32
}

// Op makes the handle of an instance. Costs are booked in cost, which all instances of an operation
// share; where is its source position and name.
func (g *Graph) Op(id uint32, cost *Cost, where string) *Op {
	o := &struct {
		Op
		longest
	}{Op: Op{Graph: g, ID: id, cost: cost, where: where, end: ^uint32(0)}}
	o.long = &o.longest
	return &o.Op
}

// reservedSteps is the number of ids and of exchanges that Reserve reserves.
const reservedSteps = 1 << 20

// Reserve returns a handle of the same instance for steps that are added while the graph runs (see
// Then). It reserves ids and message numbers for them, so that those of all other steps do not
// depend on how many there will be. The handle is used by one goroutine at a time.
func (o *Op) Reserve() *Op {
	reserved := *o
	base := max(o.seq, o.step)
	o.seq, o.step = o.advance(base, reservedSteps), o.advance(base, reservedSteps)
	reserved.seq, reserved.step, reserved.end = base, base, o.seq
	return &reserved
}

// Next is a fresh id, unique in the session: the instance's number and a count.
func (o *Op) Next() uint64 {
	o.seq = o.advance(o.seq, 1)
	return uint64(o.ID)<<32 | uint64(o.seq)
}

// exchange is the number of a new exchange.
func (o *Op) exchange() uint32 {
	n := o.step
	o.step = o.advance(n, 1)
	return n
}

// advance is count + n. It panics beyond the handle's bound.
func (o *Op) advance(count, n uint32) uint32 {
	if o.end-count < n {
		panic("flow: an operation has run out of ids")
	}
	return count + n
}

// Where is the operation's source position and name, for messages.
func (o *Op) Where() string { return o.where }

// Offline books the bytes of corrections that a dealer sends for the operation.
func (o *Op) Offline(bytes int64) { o.cost.Offline.Add(bytes) }

// Cost is the sum of what all instances of one operation cost one party.
type Cost struct {
	Calls     atomic.Int64
	Nanos     atomic.Int64 // local work; in a dry run an estimate
	Products  atomic.Int64 // multiply-adds; dry run only
	Bytes     atomic.Int64 // payload sent
	Messages  atomic.Int64
	Rounds    atomic.Int64 // added to the operands' depth, summed over instances
	Offline   atomic.Int64 // bytes of corrections
	Cleartext atomic.Int64 // nanoseconds of work on cleartext values, booked by package exec

	Expected atomic.Bool // the dry run's counts are expectations

	// Dry run only: the operation's rounds on the longest chain of exchanges, and the clocks
	// between which its exchanges lie.
	Path, First, Last int32
}

// Account is the costs of one party's phase, all operations together.
type Account struct {
	Bytes    atomic.Int64
	Messages atomic.Int64
	Awaited  atomic.Int64 // bytes that other parties send to this one; dry run only
	// OnWork, if not nil, is called for every piece of local work, from any goroutine.
	OnWork func(op *Op, start time.Time, took time.Duration)
}

// sent books one message.
func (o *Op) sent(bytes int) {
	o.cost.Bytes.Add(int64(bytes))
	o.cost.Messages.Add(1)
	o.Graph.account.Bytes.Add(int64(bytes))
	o.Graph.account.Messages.Add(1)
}

// timed runs local work and books its time.
func (o *Op) timed(w work) error {
	if o.Graph.DryRun() {
		return w.run() // the caller books an estimate
	}
	start := time.Now()
	err := w.run()
	took := time.Since(start)
	o.cost.Nanos.Add(int64(took))
	if onWork := o.Graph.account.OnWork; onWork != nil {
		onWork(o, start, took)
	}
	return err
}

// bookEstimate books the estimated time of the work since the last call, in a dry run, and returns
// it in seconds.
func (o *Op) bookEstimate(hold int64) float64 {
	seconds := o.Graph.takeEstimate(hold)
	o.cost.Nanos.Add(int64(seconds * 1e9))
	return seconds
}

// Expect marks the operation's costs as dependent on the contents of messages: a dry run gives an
// expectation of them.
func (o *Op) Expect() { o.cost.Expected.Store(true) }

// reachedDepth books the rounds by which a chain of exchanges among the instance's own steps is
// longer than those before.
func (o *Op) reachedDepth(depth int32) {
	c := o.long
	c.mu.Lock()
	defer c.mu.Unlock()
	if depth > c.depth {
		o.cost.Rounds.Add(int64(depth - c.depth))
		c.depth = depth
	}
}
