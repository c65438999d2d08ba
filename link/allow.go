package link

import (
	"errors"
	"math"
)

// ErrExcess is the error of a peer that sends more than Allow permits.
var ErrExcess = errors.New("sent more than the plan says")

// bounds limit what a peer may still send.
type bounds struct {
	message int64 // bytes of payload in one message
	total   int64 // bytes of payload in total
	ahead   int   // number of messages that have arrived and are not awaited yet
}

var (
	// unbounded is for peers in this process.
	unbounded = bounds{math.MaxInt64, math.MaxInt64, math.MaxInt}
	// unannounced is for peers before Allow: enough for both sides' handshakes.
	unannounced = bounds{1 << 20, 1 << 20, 1 << 20}
)

// Allow sets what a peer may send from now on: bytes of payload in one message, and in total. A
// peer that sends more fails with ErrExcess, before memory is allocated for it. Call Allow before
// sending anything that makes the peer send more. Peers of Memory and Shaped have no bounds.
func (e *Endpoint) Allow(from int, message, total int64) {
	p := e.peers[from]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bounds.message, p.bounds.total = message, total
}

// admit counts a payload of size bytes, or refuses it if the peer may not send it.
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
