package flow

import (
	"fmt"
	"sync/atomic"

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
	if t.PackFor == nil {
		op.timed(workFunc(func() error { p = t.Pack(); return nil }))
	}
	for _, to := range t.To {
		if t.PackFor != nil {
			op.timed(workFunc(func() error { p = t.PackFor(to); return nil }))
		}
		send(to, p)
		op.sent(p.Len)
	}
}

// Exchange adds a step that sends the payloads of t when its dependencies are done and waits for those of the parties
// t.From. unpack makes the step's result from them: in has one payload for each rank of t.From, in that order. An
// error of unpack ends the graph. hold is the size of the result in bytes, as for Do.
func Exchange[T any](op *Op, hold int64, t ExchangeSpec, unpack func(in []ring.Payload) (T, error), deps ...Dep) *Future[T] {
	o := &Future[T]{}
	key := link.Key{Phase: op.Graph.phase, Op: op.ID, Step: op.exchange()}
	in := make([]ring.Payload, len(t.From))
	o.try = func() (T, error) { return unpack(in) }
	o.s.work = o
	o.s.ready = func(w *worker) { o.s.runExchange(key, t, in, w) }
	o.s.begin(op, hold, deps)
	return o
}

// runExchange sends, waits without holding a worker, and then schedules the step's work.
func (s *step) runExchange(key link.Key, t ExchangeSpec, in []ring.Payload, w *worker) {
	g := s.op.Graph
	clock := s.clock // the clock that the messages carry
	s.clock += t.rounds()
	s.depth += t.rounds()
	s.op.reachedDepth(s.depth) // without a lock: only this goroutine has the step yet
	round := int(s.clock)
	if g.DryRun() {
		if s.clock > clock {
			s.via = g.chain.add(s.op.cost, t.rounds(), s.clock, s.via)
		}
		receive := s.work
		s.work = workFunc(func() error {
			var sent []int
			t.pack(s.op, func(_ int, p ring.Payload) {
				sent = append(sent, p.Len)
				s.op.Spend(Bytes, int64(p.Len))
			})
			g.trace.exchange(s, key.Step, t, sent, s.op.bookEstimate(0))
			for i := range in {
				in[i] = ring.Payload{Len: t.size(i)}
				s.op.Spend(Bytes, int64(t.size(i)))
				g.account.Awaited.Add(int64(t.size(i)))
			}
			return receive.run()
		})
		s.schedule(w)
		return
	}
	pending := new(atomic.Int32)
	pending.Store(int32(len(t.From)) + 1)
	arrived := func() {
		if pending.Add(-1) == 0 {
			s.schedule(nil)
		}
	}
	for i, from := range t.From {
		g.link.Await(from, key, func(m link.Message, err error) {
			if err == nil && len(m.Data) != t.size(i) {
				err = fmt.Errorf("party %d sent %d bytes where %d were expected (%v)", from, len(m.Data), t.size(i), key)
			}
			if err != nil {
				g.Fail(&OpError{s.op.where, round, err})
			}
			in[i] = ring.Payload{Len: len(m.Data), Data: m.Data}
			s.mu.Lock()
			s.clock = max(s.clock, m.Clock+1)
			s.mu.Unlock()
			arrived()
		})
	}
	send := func() {
		if !g.failed() {
			err := guard(workFunc(func() error {
				t.pack(s.op, func(to int, p ring.Payload) { g.link.Send(to, key, clock, p.Data) })
				return nil
			}))
			if err != nil {
				g.Fail(&OpError{Where: s.op.where, Err: err})
			}
		}
		arrived()
	}
	w.run(taskFunc(send))
}
