package link

import (
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// peer is one connection with its queue of frames and its pending Awaits.
type peer struct {
	rank      int
	conn      io.ReadWriteCloser
	far       *peer      // instead of a connection: the other end, in this process
	network   *simulated // carries messages to far; nil if they arrive at once
	linger    time.Duration
	wg        sync.WaitGroup
	drained   chan struct{} // closed when nothing more is read
	idleSince atomic.Int64  // time since which the reader has waited for data, or busy
	lastWrite atomic.Int64  // time of the last write

	mu           sync.Mutex
	wake         sync.Cond // signals: queue or heartbeatDue changed, err was set
	queue        []frame
	queued       int
	heartbeatDue bool   // the writer should send a heartbeat
	lastFrame    *frame // frame to write before the connection ends
	cutoff       *time.Timer
	err          error
	arrived      map[Key]Message
	waiting      map[Key]func(Message, error)
	bounds       bounds
	busyUntil    time.Time // with a network: the end of the transmission of everything sent so far
}

// maxQueued is the number of queued bytes above which Send blocks.
const maxQueued = 64 << 20

func newPeer(rank int) *peer {
	p := &peer{rank: rank, bounds: unbounded, arrived: map[Key]Message{}, waiting: map[Key]func(Message, error){}}
	p.wake.L = &p.mu
	p.idleSince.Store(busy)
	return p
}

// fail ends a connection that has failed.
func (p *peer) fail(err error) { p.end(err, "") }

// end sets the connection's error once and fails all pending Awaits. The writer then writes the
// queue and closes the connection; if a reason is given, it drops the queue and writes the reason
// instead, if it can within linger.
func (p *peer) end(err error, reason string) {
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return
	}
	p.err = err
	waiting := p.waiting
	p.waiting = nil
	switch {
	case p.conn == nil:
	case reason != "":
		last := abortFrame(reason)
		p.queue, p.lastFrame = nil, &last
		p.cutoff = time.AfterFunc(p.linger, p.closeNow)
	case err == ErrClosed:
		p.queue = append(p.queue, leaveFrame)
	}
	p.wake.Broadcast()
	p.mu.Unlock()
	for _, f := range waiting {
		f(Message{}, err)
	}
	if p.far != nil {
		why := ErrGone
		if reason != "" {
			why = &Aborted{reason}
		}
		if p.network != nil {
			p.network.end(p, why, reason != "")
			return
		}
		p.far.fail(&PeerError{p.far.rank, why})
	}
}

// deliver passes a message to its Await, or keeps it. It reports whether to continue reading.
func (p *peer) deliver(k Key, m Message) bool {
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return false
	}
	var twice, full bool
	f, ok := p.waiting[k]
	if ok { // and so it has not arrived before
		delete(p.waiting, k)
	} else {
		_, twice = p.arrived[k]
		if full = len(p.arrived) >= p.bounds.ahead; !twice && !full {
			p.arrived[k] = m
		}
	}
	p.mu.Unlock()
	switch {
	case ok:
		f(m, nil)
	case twice:
		p.refuse(fmt.Errorf("sent %v twice", k))
		return false
	case full:
		p.refuse(fmt.Errorf("sent %d messages that are not awaited yet", p.bounds.ahead+1))
		return false
	}
	return true
}

// refuse ends the connection of a peer that violated the protocol, and sends it the reason.
func (p *peer) refuse(err error) {
	p.end(&PeerError{p.rank, err}, fmt.Sprintf("party %d %v", p.rank, err))
}

// wrapped is a connection over another one, as TLS is.
type wrapped interface{ NetConn() net.Conn }

// closeNow ends a connection at once; what is not written yet is lost.
func (p *peer) closeNow() {
	if c, ok := p.conn.(wrapped); ok {
		c.NetConn().Close() // tls.Conn.Close would first write an alert, which blocks if the peer does not read
	}
	p.conn.Close()
}
