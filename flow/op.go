package flow

import (
	"sync"
	"sync/atomic"
	"time"
)

// Op is one operation instance in the program's order: it names its steps'
// messages and masks and books their costs. An Op is used by the goroutine
// that builds the graph.
type Op struct {
	Graph *Graph
	ID    uint32 // instance: the same on every party
	Aim   Aim    // what its protocols are chosen for
	cost  *Cost
	where string
	seq   uint32
	step  uint32
	end   uint32 // where seq and step must not go beyond
	long  *longest
	after *step // of a handle set aside: what all its steps depend on
}

// longest is the longest chain of exchanges among an instance's steps.
type longest struct {
	mu    sync.Mutex
	depth int32
}

// Op makes the handle of an instance. cost is where it is booked (one for all
// instances of an operation), where is its source position and name.
func (g *Graph) Op(id uint32, cost *Cost, where string) *Op {
	o := &struct {
		Op
		longest
	}{Op: Op{Graph: g, ID: id, cost: cost, where: where, end: ^uint32(0)}}
	o.long = &o.longest
	return &o.Op
}

// asideSteps is how many ids and exchanges Aside reserves.
const asideSteps = 1 << 20

// Aside is a handle of the same instance for steps that are made while the
// graph runs (see Then). Ids and numbers of messages are set aside for them, so
// that those of all other steps do not depend on how many there will be. It is
// used by one goroutine at a time.
func (o *Op) Aside() *Op {
	aside := *o
	base := max(o.seq, o.step)
	o.seq, o.step = o.taken(base, asideSteps), o.taken(base, asideSteps)
	aside.seq, aside.step, aside.end = base, base, o.seq
	return &aside
}

// Next is a fresh id, unique in the session: the instance and a count.
func (o *Op) Next() uint64 {
	o.seq = o.taken(o.seq, 1)
	return uint64(o.ID)<<32 | uint64(o.seq)
}

// exchange is a fresh number of an exchange.
func (o *Op) exchange() uint32 {
	n := o.step
	o.step = o.taken(n, 1)
	return n
}

// taken is a count after n more.
func (o *Op) taken(count, n uint32) uint32 {
	if o.end-count < n {
		panic("flow: an operation has run out of ids")
	}
	return count + n
}

// Where is the operation's source position and name, for messages.
func (o *Op) Where() string { return o.where }

// Offline books the correction bytes that a dealer sends for the op.
func (o *Op) Offline(bytes int64) { o.cost.Offline.Add(bytes) }

// Cost adds up what all instances of one operation cost one party.
type Cost struct {
	Calls    atomic.Int64
	Nanos    atomic.Int64 // local work; in a weightless run as estimated
	Products atomic.Int64 // multiply-adds; of a weightless run
	Bytes    atomic.Int64 // payload sent
	Messages atomic.Int64
	Rounds   atomic.Int64 // added to operands' depth, summed over instances
	Offline  atomic.Int64 // corrections, bytes
	Clear    atomic.Int64 // nanoseconds of work on what is known, booked by who walks the program

	Expected atomic.Bool // what the weightless run counts is an expectation

	// Of a weightless graph: how many rounds of the longest chain of exchanges
	// are the operation's, and between which clocks its exchanges lie.
	Path, First, Last int32
}

// Account is the costs of one party's phase, all operations together.
type Account struct {
	Bytes    atomic.Int64
	Messages atomic.Int64
	Awaited  atomic.Int64 // bytes that other parties send; of a weightless run
	// Watch, if not nil, is told of every piece of local work, from any
	// goroutine.
	Watch func(op *Op, start time.Time, took time.Duration)
}

// sent books one message.
func (o *Op) sent(bytes int) {
	o.cost.Bytes.Add(int64(bytes))
	o.cost.Messages.Add(1)
	o.Graph.account.Bytes.Add(int64(bytes))
	o.Graph.account.Messages.Add(1)
}

// timed runs local work and books how long it took.
func (o *Op) timed(w work) error {
	if o.Graph.Weightless() {
		return w.run() // estimated, by who asked for it
	}
	start := time.Now()
	err := w.run()
	took := time.Since(start)
	o.cost.Nanos.Add(int64(took))
	if watch := o.Graph.account.Watch; watch != nil {
		watch(o, start, took)
	}
	return err
}

// estimated books what was spent in a weightless graph.
func (o *Op) estimated(hold int64) float64 {
	seconds := o.Graph.worked(hold)
	o.cost.Nanos.Add(int64(seconds * 1e9))
	return seconds
}

// Expect marks the op's costs as such that depend on what its messages say: a
// weightless run gives an expectation of them.
func (o *Op) Expect() { o.cost.Expected.Store(true) }

// reached notes a chain of exchanges among the op's own steps.
func (o *Op) reached(depth int32) {
	c := o.long
	c.mu.Lock()
	defer c.mu.Unlock()
	if depth > c.depth {
		o.cost.Rounds.Add(int64(depth - c.depth))
		c.depth = depth
	}
}
