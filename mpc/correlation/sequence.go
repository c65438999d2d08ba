package correlation

import "sync"

// maxAhead bounds the bytes of corrections that are ready and wait for an earlier one.
const maxAhead = 64 << 20

// sequence delivers what several goroutines produce, in the order of its numbers 0, 1, ….
type sequence struct {
	deliver func(i int, data []byte) error

	mu         sync.Mutex
	wake       sync.Cond
	made       map[int][]byte // ready and not delivered yet
	bytes      int            // total length of made
	next       int            // number of the next one to deliver
	delivering bool           // a goroutine is calling deliver
	err        error
}

func newSequence(deliver func(int, []byte) error) *sequence {
	s := &sequence{deliver: deliver, made: map[int][]byte{}}
	s.wake.L = &s.mu
	return s
}

// put adds number i, delivers everything that is next in order, and blocks while more than maxAhead
// bytes wait. It reports whether the caller should produce more.
func (s *sequence) put(i int, data []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i != s.next && s.bytes > maxAhead && s.err == nil {
		s.wake.Wait()
	}
	s.made[i] = data
	s.bytes += len(data)
	for !s.delivering && s.err == nil {
		data, ok := s.made[s.next]
		if !ok {
			break
		}
		delete(s.made, s.next)
		s.bytes -= len(data)
		s.delivering = true
		s.mu.Unlock()
		err := s.deliver(s.next, data) // only this goroutine changes next
		s.mu.Lock()
		s.delivering = false
		s.next++
		s.failed(err)
		s.wake.Broadcast()
	}
	return s.err == nil
}

// fail ends the sequence; the first error is kept.
func (s *sequence) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed(err)
	s.wake.Broadcast()
}

func (s *sequence) failed(err error) {
	if s.err == nil {
		s.err = err
	}
}
