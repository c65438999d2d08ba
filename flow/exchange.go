package flow

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// ExchangeSpec describes one party's side of an exchange of messages. Which parties send to which is public; the
// specs of all parties must be consistent.
type ExchangeSpec struct {
	To   []int // ranks that this party sends to
	From []int // ranks whose payloads this party waits for
	// Size is the length in bytes of each awaited payload; a payload of another length ends the graph with an error.
	// Sizes, if not nil, has the length for each rank of From instead.
	Size  int
	Sizes []int
	// Pack returns the payload that this party sends to all ranks of To; it is not called if To is empty. PackFor, if
	// not nil, returns the payload for the rank to instead.
	Pack    func() ring.Payload
	PackFor func(to int) ring.Payload
	// View says that payloads are vectors as they lie in memory, of which neither side makes a copy. A dry run then counts no bytes for
	// writing and reading them.
	View bool
	// Rounds is the number of rounds from this party's dependencies to the end of the exchange. It is more than one
	// if a sender waits for messages of other parties first. 0 means one round if From is not empty, and none
	// otherwise.
	Rounds int
}

// rounds is the number of rounds that the exchange adds to its dependencies' clock.
func (t *ExchangeSpec) rounds() int32 {
	if t.Rounds != 0 {
		return int32(t.Rounds)
	}
	return int32(min(1, len(t.From)))
}

// size is the length of the payload of rank From[i].
func (t *ExchangeSpec) size(i int) int {
	if t.Sizes != nil {
		return t.Sizes[i]
	}
	return t.Size
}

// pack makes the payloads and calls send for each receiver.
func (t *ExchangeSpec) pack(op *Op, send func(to int, p ring.Payload)) {
	if len(t.To) == 0 {
		return
	}
	var p ring.Payload
	for i, to := range t.To {
		if t.PackFor != nil || i == 0 {
			start := time.Now()
			if t.PackFor != nil {
				p = t.PackFor(to)
			} else {
				p = t.Pack()
			}
			op.worked(start)
		}
		send(to, p)
		op.sent(p.Len)
	}
}

// Exchange adds a step that sends the payloads of t when its dependencies are done and waits for those of the parties
// t.From. unpack makes the step's result from them: in has one payload for each rank of t.From, in that order. An
// error of unpack ends the graph. hold is the size of the result in bytes, as for Do.
func Exchange[T any](op *Op, hold int64, t ExchangeSpec, unpack func(in []ring.Payload) (T, error), deps ...Dep) *Future[T] {
	o := &struct {
		result   Future[T]
		exchange exchange
		received received[T]
	}{
		exchange: exchange{
			ExchangeSpec: t, in: make([]ring.Payload, len(t.From)), key: link.Key{Phase: op.Graph.phase, Op: op.ID, Step: op.exchange()},
		},
	}
	o.received = received[T]{&o.result, &o.exchange, unpack}
	s := &o.result.s
	s.work, s.exchange, o.exchange.s = &o.received, &o.exchange, s
	s.begin(op, hold, deps)
	return &o.result
}

// received is the work of an exchange when all payloads have arrived.
type received[T any] struct {
	to     *Future[T]
	from   *exchange
	unpack func(in []ring.Payload) (T, error)
}

func (r *received[T]) run() (err error) {
	in, unpack := r.from.in, r.unpack
	r.from.in, r.unpack = nil, nil
	r.to.val, err = unpack(in)
	return err
}

// exchange is what a step needs to send and to wait.
type exchange struct {
	ExchangeSpec
	s       *step
	key     link.Key
	in      []ring.Payload
	clock   int32        // the clock that the messages carry
	pending atomic.Int32 // payloads that have not arrived, and one until all are sent
	latest  atomic.Int32 // the largest clock of a message that has arrived
}

// start sends, waits without holding a worker, and then schedules the step's work.
func (e *exchange) start(w *worker) {
	s := e.s
	g := s.op.Graph
	e.clock = s.clock
	s.clock += e.rounds()
	s.depth += e.rounds()
	s.op.reachedDepth(s.depth) // without a lock: only this goroutine has the step yet
	if g.DryRun() {
		e.dryRun(w)
		return
	}
	e.pending.Store(int32(len(e.From)) + 1)
	for i, from := range e.From {
		g.link.Await(from, e.key, func(m link.Message, err error) { e.receive(i, m, err) })
	}
	w.run(e)
}

// receive takes the message of the party of rank From[i].
func (e *exchange) receive(i int, m link.Message, err error) {
	if err == nil && len(m.Data) != e.size(i) {
		err = fmt.Errorf("party %d sent %d bytes where %d were expected (%v)", e.From[i], len(m.Data), e.size(i), e.key)
	}
	if err != nil {
		e.s.op.Graph.Fail(&OpError{e.s.op.where, int(e.clock + e.rounds()), err})
	}
	e.in[i] = ring.Payload{Len: len(m.Data), Data: m.Data}
	for clock := e.latest.Load(); m.Clock > clock && !e.latest.CompareAndSwap(clock, m.Clock); clock = e.latest.Load() {
	}
	e.arrived()
}

// arrived counts a payload that has arrived, or that all are sent.
func (e *exchange) arrived() {
	if e.pending.Add(-1) > 0 {
		return
	}
	if len(e.From) > 0 {
		e.s.clock = max(e.s.clock, e.latest.Load()+1)
	}
	e.s.schedule(nil)
}

// do sends, as a task of the pool.
func (e *exchange) do(*worker) {
	if !e.s.op.Graph.failed() {
		if err := guard((*sending)(e)); err != nil {
			e.s.op.Graph.Fail(&OpError{Where: e.s.op.where, Err: err})
		}
	}
	e.PackFor, e.Pack = nil, nil
	e.arrived()
}

func (e *exchange) near() bool { return e.s.op.Graph.near }

// sending is the work before the messages are on their way.
type sending exchange

func (e *sending) run() error {
	e.pack(e.s.op, func(to int, p ring.Payload) { e.s.op.Graph.link.Send(to, e.key, e.clock, p.Data) })
	return nil
}

// dryRun counts what would be sent and received, and does the step's work without storage.
func (e *exchange) dryRun(w *worker) {
	s := e.s
	g := s.op.Graph
	if s.clock > e.clock {
		s.via = g.chain.add(s.op.cost, e.rounds(), s.clock, s.via)
	}
	receive := s.work
	s.work = workFunc(func() error {
		var sent []int
		e.pack(s.op, func(_ int, p ring.Payload) {
			if sent = append(sent, p.Len); !e.View {
				s.op.Spend(Bytes, int64(p.Len))
			}
		})
		g.trace.exchange(s, e.key.Step, e.ExchangeSpec, sent, s.op.bookEstimate(0))
		for i := range e.in {
			e.in[i] = ring.Payload{Len: e.size(i)}
			if !e.View {
				s.op.Spend(Bytes, int64(e.size(i)))
			}
			g.account.Awaited.Add(int64(e.size(i)))
		}
		return receive.run()
	})
	s.schedule(w)
}
