package link

import (
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// peer is one connection and what is queued for it and waited for from it.
type peer struct {
	rank    int
	conn    io.ReadWriteCloser
	far     *peer // in place of a connection: the other end, in this process
	linger  time.Duration
	wg      sync.WaitGroup
	drained chan struct{} // closed: nothing more is read
	heard   atomic.Int64  // since when nothing has been read, or busy
	wrote   atomic.Int64  // when something was written last

	mu      sync.Mutex
	wake    sync.Cond // queue or beat changed, err set
	queue   []frame
	queued  int
	beat    bool   // the peer is to be shown that this side lives
	last    *frame // what the peer is told before the connection ends
	cutoff  *time.Timer
	err     error
	arrived map[Key]Message
	waiting map[Key]func(Message, error)
	bounds  bounds
}

// maxQueued is how many bytes may wait for a peer's writer before Send blocks.
const maxQueued = 64 << 20

func newPeer(rank int) *peer {
	p := &peer{rank: rank, bounds: unbounded, arrived: map[Key]Message{}, waiting: map[Key]func(Message, error){}}
	p.wake.L = &p.mu
	p.heard.Store(busy)
	return p
}

// fail ends a connection that has failed.
func (p *peer) fail(err error) { p.end(err, "") }

// end sets the connection's error once and tells all who wait. The writer then
// drains the queue and closes the connection; where a reason is given it drops
// the queue and writes the reason, if it comes to that before it must close.
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
		p.queue, p.last = nil, &last
		p.cutoff = time.AfterFunc(p.linger, p.cut)
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
		p.far.fail(&PeerError{p.far.rank, why})
	}
}

// arrives passes on a message to who waits for it, or keeps it. It reports
// whether the connection goes on.
func (p *peer) arrives(k Key, m Message) bool {
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return false
	}
	f, ok := p.waiting[k]
	_, twice := p.arrived[k]
	full := len(p.arrived) >= p.bounds.ahead
	switch {
	case ok:
		delete(p.waiting, k)
	case !twice && !full:
		p.arrived[k] = m
	}
	p.mu.Unlock()
	switch {
	case ok:
		f(m, nil)
	case twice:
		p.refuse(fmt.Errorf("sent %v twice", k))
		return false
	case full:
		p.refuse(fmt.Errorf("sent %d messages that nobody awaits", p.bounds.ahead+1))
		return false
	}
	return true
}

// refuse ends a connection over which came what must not, and says so.
func (p *peer) refuse(err error) {
	p.end(&PeerError{p.rank, err}, fmt.Sprintf("party %d %v", p.rank, err))
}

// cut ends a connection at once, with nothing more to be written.
func (p *peer) cut() {
	if c, ok := p.conn.(interface{ NetConn() net.Conn }); ok {
		c.NetConn().Close() // TLS would say goodbye first, to a peer that takes nothing
	}
	p.conn.Close()
}
