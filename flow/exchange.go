package flow

import (
	"fmt"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// Talk says who sends what to whom in one exchange. Which parties send to
// which is public and must be the same on all of them.
type Talk struct {
	To   []int // ranks that get this party's payload
	From []int // ranks whose payloads this party waits for
	// Size is how long each awaited payload is, in bytes; any other length is
	// refused. Sizes, if not nil, has one length for each of From instead.
	Size  int
	Sizes []int
	// Pack makes this party's payload; not called if To is empty. PackFor, if
	// not nil, makes one for each of To instead.
	Pack    func() ring.Payload
	PackFor func(to int) ring.Payload
	// Rounds is how many rounds the exchange takes, counted from this party's
	// dependencies, where messages between others come first. Default: one if
	// anything is awaited.
	Rounds int
}

// rounds is what the exchange adds to its dependencies' clock.
func (t *Talk) rounds() int32 {
	if t.Rounds != 0 {
		return int32(t.Rounds)
	}
	return int32(min(1, len(t.From)))
}

// size is how long the payload of the i-th of From is.
func (t *Talk) size(i int) int {
	if t.Sizes != nil {
		return t.Sizes[i]
	}
	return t.Size
}

// pack makes what is sent and passes it on, receiver by receiver.
func (t *Talk) pack(op *Op, send func(to int, p ring.Payload)) {
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

// Exchange adds a step that sends a payload when its dependencies are done,
// waits for those of other parties, and makes its result from them: in holds
// one payload for each rank of From, in that order.
func Exchange[T any](op *Op, hold int64, t Talk, unpack func(in []ring.Payload) (T, error), deps ...Dep) *Of[T] {
	o := &Of[T]{}
	key := link.Key{Phase: op.Graph.phase, Op: op.ID, Step: op.exchange()}
	in := make([]ring.Payload, len(t.From))
	o.try = func() (T, error) { return unpack(in) }
	o.s.work = o
	o.s.ready = func() { o.s.talk(key, t, in) }
	o.s.begin(op, hold, deps)
	return o
}

// talk sends, then waits without holding a worker, then does the step's work.
func (s *step) talk(key link.Key, t Talk, in []ring.Payload) {
	g := s.op.Graph
	clock := s.clock // what the message carries
	s.clock += t.rounds()
	s.depth += t.rounds()
	s.op.reached(s.depth) // nobody else has the step yet
	round := int(s.clock)
	if g.Weightless() {
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
			g.trace.talk(s, key.Step, t, sent, s.op.estimated(0))
			for i := range in {
				in[i] = ring.Payload{Len: t.size(i)}
				s.op.Spend(Bytes, int64(t.size(i)))
				g.account.Awaited.Add(int64(t.size(i)))
			}
			return receive.run()
		})
		s.schedule()
		return
	}
	pending := new(atomic.Int32)
	pending.Store(int32(len(t.From)) + 1)
	arrived := func() {
		if pending.Add(-1) == 0 {
			s.schedule()
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
	workers.run(taskFunc(send))
}
