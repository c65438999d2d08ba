package correlation

import "sync"

// maxAhead is how many bytes of what several goroutines made may wait for what
// comes before it.
const maxAhead = 64 << 20

// sequence passes on what several goroutines make, in the order of its
// numbers: 0, 1, ….
type sequence struct {
	deliver func(i int, data []byte) error

	mu       sync.Mutex
	wake     sync.Cond
	made     map[int][]byte // not passed on yet
	bytes    int            // of these
	next     int            // to be passed on
	occupied bool           // some goroutine is passing on
	err      error
}

func newSequence(deliver func(int, []byte) error) *sequence {
	s := &sequence{deliver: deliver, made: map[int][]byte{}}
	s.wake.L = &s.mu
	return s
}

// put brings number i, passes on what can be, and waits while too much is
// ahead. It reports whether there is a point in making more.
func (s *sequence) put(i int, data []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i != s.next && s.bytes > maxAhead && s.err == nil {
		s.wake.Wait()
	}
	s.made[i] = data
	s.bytes += len(data)
	for !s.occupied && s.err == nil {
		data, ok := s.made[s.next]
		if !ok {
			break
		}
		delete(s.made, s.next)
		s.bytes -= len(data)
		s.occupied = true
		s.mu.Unlock()
		err := s.deliver(s.next, data) // next is changed here alone
		s.mu.Lock()
		s.occupied = false
		s.next++
		s.failed(err)
		s.wake.Broadcast()
	}
	return s.err == nil
}

// fail ends the sequence; the first error counts.
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
