package link

import (
	"container/heap"
	"runtime"
	"sync"
	"time"
)

// simulated is a network between parties of one process on which messages take as long as its shape says. Each ordered pair of parties
// has a line of its own. A message is not copied: it is held until it arrives. One goroutine, which exists while messages are on their
// way, delivers all of them: connections with a reader and a writer each would take a multiple of a small message's time from the parties,
// which share the processors with what simulates their network.
type simulated struct {
	shape Shape

	mu      sync.Mutex
	coming  arrivals
	sent    uint64    // number of messages that were sent
	running bool      // the goroutine exists
	alarm   *alarm    // while running
	until   time.Time // the time for which alarm is set, at the latest
}

// shortest is the wait for which the goroutine lets others run and looks again, since waking takes longer.
const shortest = 10 * time.Microsecond

// arrival is a message, or the end of a line, on its way.
type arrival struct {
	at      time.Time
	order   uint64 // of arrivals at the same time
	to      *peer  // the receiver's side of the line
	key     Key
	message Message
	end     error // why the line ends, instead of a message
}

// send puts a message on the line from p to p.far. It blocks while too many bytes are on the line.
func (s *simulated) send(p *peer, k Key, m Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.queued > maxQueued && p.err == nil {
		p.wake.Wait()
	}
	if p.err != nil {
		return
	}
	p.queued += len(m.Data)
	var at time.Time
	at, p.busyUntil = s.shape.arrival(time.Now(), p.busyUntil, headerSize+len(m.Data))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(arrival{at: at, to: p.far, key: k, message: m})
}

// end ends the line from p to p.far, with this error for the receiver. What is on the line arrives before, or if drop is set not at all.
// It arrives at once: it is the last, and its timing no longer matters.
func (s *simulated) end(p *peer, why error, drop bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	kept := s.coming[:0]
	for _, a := range s.coming {
		if a.to == p.far {
			if drop {
				continue
			}
			a.at = now // their order remains
		}
		kept = append(kept, a)
	}
	clear(s.coming[len(kept):])
	s.coming = kept
	heap.Init(&s.coming)
	s.add(arrival{at: now, to: p.far, end: why})
}

// add adds an arrival and has the goroutine wait for it. The caller holds the lock.
func (s *simulated) add(a arrival) {
	a.order = s.sent
	s.sent++
	heap.Push(&s.coming, a)
	switch first := s.coming[0].at; { // not always a: end has changed others
	case !s.running:
		s.running, s.alarm, s.until = true, newAlarm(), first
		go s.run()
	case first.Before(s.until):
		s.set(first)
	}
}

// set sets the alarm. The caller holds the lock.
func (s *simulated) set(at time.Time) {
	s.until = at
	s.alarm.set(time.Until(at))
}

// run delivers what arrives until nothing is on its way.
func (s *simulated) run() {
	s.mu.Lock()
	for len(s.coming) > 0 {
		switch wait := time.Until(s.coming[0].at); {
		case wait <= 0:
			a := heap.Pop(&s.coming).(arrival)
			s.mu.Unlock()
			a.deliver()
		case wait < shortest:
			s.mu.Unlock()
			runtime.Gosched()
		default:
			s.set(s.coming[0].at)
			s.mu.Unlock()
			s.alarm.wait()
		}
		s.mu.Lock()
	}
	s.alarm.release()
	s.running, s.alarm = false, nil
	s.mu.Unlock()
}

// deliver passes on what has arrived.
func (a arrival) deliver() {
	if a.end != nil {
		a.to.fail(&PeerError{a.to.rank, a.end})
		return
	}
	from := a.to.far
	from.mu.Lock()
	from.queued -= len(a.message.Data)
	from.wake.Broadcast()
	from.mu.Unlock()
	if err := a.to.admit(int64(len(a.message.Data))); err != nil {
		a.to.refuse(err)
		return
	}
	a.to.deliver(a.key, a.message)
}

// arrivals is a heap of arrivals by time.
type arrivals []arrival

func (h arrivals) Len() int { return len(h) }
func (h arrivals) Less(i, j int) bool {
	if c := h[i].at.Compare(h[j].at); c != 0 {
		return c < 0
	}
	return h[i].order < h[j].order
}
func (h arrivals) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *arrivals) Push(x any)   { *h = append(*h, x.(arrival)) }
func (h *arrivals) Pop() any {
	last := len(*h) - 1
	a := (*h)[last]
	(*h)[last] = arrival{} // keeps no message
	*h = (*h)[:last]
	return a
}
