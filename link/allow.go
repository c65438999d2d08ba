package link

import (
	"errors"
	"math"
)

// ErrExcess is the error, wrapped in a PeerError, of a connection to a peer that has sent more than Allow
// permits.
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

// Allow limits what the peer of rank from may send from now on: message is the maximum payload of one message,
// and total that of all messages together, in bytes. If the peer sends more, its connection fails with
// ErrExcess, before memory is allocated for the message. Before the first call, a peer may send one mebibyte.
// Call Allow before sending anything that makes the peer send more. Messages between endpoints of Memory are not
// limited; those of Shaped only after a call of Allow.
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
