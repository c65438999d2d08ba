package flow

import (
	"sync"
	"sync/atomic"
	"time"
)

// Op is one instance of an operation: an iteration of a loop makes a new instance of each operation of the loop's
// body. It numbers the messages and masks of its steps and counts their costs. Only the goroutine that builds the
// graph may use it.
type Op struct {
	Graph     *Graph    // the graph to which steps are added
	ID        uint32    // the instance's number, the same at every party
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

// Op returns the operation instance with the number id, to which steps are added. Its costs are added to cost, which
// all instances of an operation share. where is the operation's source position and name, for messages.
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

// Reserve returns an Op of the same instance for steps that are added while the graph runs (Then). It reserves a
// million ids and message numbers for them, so that the numbers of all other steps do not depend on how many are
// used. One goroutine at a time may use the returned Op.
func (o *Op) Reserve() *Op {
	reserved := *o
	base := max(o.seq, o.step)
	o.seq, o.step = o.advance(base, reservedSteps), o.advance(base, reservedSteps)
	reserved.seq, reserved.step, reserved.end = base, base, o.seq
	return &reserved
}

// Next returns a new id, unique in the session and the same at every party: the instance's number, shifted by 32
// bits, plus a count.
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

// Where returns the operation's source position and name, for messages.
func (o *Op) Where() string { return o.where }

// Offline adds bytes to the corrections that a dealer sends for the operation.
func (o *Op) Offline(bytes int64) { o.cost.Offline.Add(bytes) }

// Cost is what all instances of one operation cost one party, added up.
type Cost struct {
	Calls     atomic.Int64 // number of instances; counted by package exec
	Nanos     atomic.Int64 // nanoseconds of local work, measured; in a dry run an estimate
	Products  atomic.Int64 // multiply-adds of 64-bit words; counted in dry runs only
	Bytes     atomic.Int64 // payload bytes that this party sends
	Messages  atomic.Int64 // number of messages that this party sends
	Rounds    atomic.Int64 // rounds from the operands to the result of an instance, summed over instances
	Offline   atomic.Int64 // bytes of corrections that a dealer sends for the operation
	Cleartext atomic.Int64 // nanoseconds of work on cleartext values; counted by package exec

	// Expected says that the counts depend on the contents of messages (Op.Expect); those of a dry run are then
	// expected values.
	Expected atomic.Bool

	// Path, First and Last are set by a dry run only. Path is the number of the operation's rounds on the longest
	// chain of exchanges of the graph; First and Last are the logical clocks between which the operation's exchanges
	// lie.
	Path, First, Last int32
}

// Account adds up what one party's phase costs, all operations together. Graphs add to it while they run.
type Account struct {
	Bytes    atomic.Int64 // payload bytes that this party sends
	Messages atomic.Int64 // number of messages that this party sends
	Awaited  atomic.Int64 // payload bytes that other parties send to this one; counted in dry runs only
	// OnWork, if not nil, is called after every piece of local work in a run, from any goroutine, with the start of
	// the work and the time that it took.
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
	start := time.Now()
	err := w.run()
	o.worked(start)
	return err
}

// worked books the time of local work since start; in a dry run the caller books an estimate.
func (o *Op) worked(start time.Time) {
	if o.Graph.DryRun() {
		return
	}
	took := time.Since(start)
	o.cost.Nanos.Add(int64(took))
	if onWork := o.Graph.account.OnWork; onWork != nil {
		onWork(o, start, took)
	}
}

// bookEstimate books the estimated time of the work since the last call, in a dry run, and returns
// it in seconds.
func (o *Op) bookEstimate(hold int64) float64 {
	seconds := o.Graph.takeEstimate(hold)
	o.cost.Nanos.Add(int64(seconds * 1e9))
	return seconds
}

// Expect records that the operation's costs depend on the contents of messages: those that a dry run counts are
// expected values.
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
