package link

import (
	"errors"
	"math"
)

// ErrExcess is what the connection to a peer fails with that sends more than it
// may.
var ErrExcess = errors.New("sent more than the plan says")

// bounds are what a peer may send from now on.
type bounds struct {
	message int64 // bytes of payload in one message
	total   int64 // in all
	ahead   int   // messages that nobody awaits yet, at one time
}

var (
	// unbounded is for peers in this process.
	unbounded = bounds{math.MaxInt64, math.MaxInt64, math.MaxInt}
	// unannounced is what a peer may send before it is known what it will have
	// to send: the greetings of both sides.
	unannounced = bounds{1 << 20, 1 << 20, 1 << 20}
)

// Allow says what a peer may send from now on: bytes of payload in one message,
// and in all. A peer that sends more fails with ErrExcess, before memory is
// spent on it. It is to be called before this party sends what makes the peer
// send more. Peers of Memory and Shaped have no such bounds.
func (e *Endpoint) Allow(from int, message, total int64) {
	p := e.peers[from]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bounds.message, p.bounds.total = message, total
}

// admit refuses a payload of so many bytes if the peer may not send it.
func (p *peer) admit(size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if size > p.bounds.message || size > p.bounds.total {
		return ErrExcess
	}
	if p.bounds.total != math.MaxInt64 {
		p.bounds.total -= size
	}
	return nil
}
